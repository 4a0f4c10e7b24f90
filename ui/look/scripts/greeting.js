// The empty page: a greeting with suggestions, shown until a conversation has its first message.

import { whenever } from "./bridge.js";

const root = document.documentElement;
const list = document.getElementById("suggestions");

export function startGreeting() {
  whenever(() => {
    const chat = document.getElementById("conversation");
    if (chat) root.classList.toggle("has-messages", chat.querySelector(".message-row") !== null);
  });
}

/** Questions to begin with. */
export function suggest(questions) {
  list.replaceChildren(
    ...questions.map((question) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: question });
      button.dataset.suggest = question;
      item.append(button);
      return item;
    }),
  );
}
