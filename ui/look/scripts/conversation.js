// Controls inside the conversation. Gradio's sanitizer drops data-* and aria-* there, so a button
// says what it does in its id, `zw:ACTION:TARGET…`, as ui/drawing.py writes it.

import { send, whenever } from "./bridge.js";
import { askOpinion, showPicture } from "./dialogs.js";
import { follow } from "./following.js";
import { notify } from "./status.js";

const RENEW_MS = 30_000;
const AHEAD_S = 120;
const { words } = window.zwrotnica;
const room = document.getElementById("room");
const unfolded = new Set();

export function startConversation() {
  room.addEventListener("click", press);
  room.addEventListener("toggle", keepFold, { capture: true });
  whenever(mend);
  setInterval(renew, RENEW_MS);
  document.addEventListener("visibilitychange", renew);
}

/** What was unfolded stays so when it is drawn anew. */
function keepFold({ target }) {
  if (target.open) unfolded.add(target.id);
  else unfolded.delete(target.id);
}

/** Give pictures their fresh addresses, by the pictures' ids. */
export function renewPictures(paths) {
  for (const [id, path] of Object.entries(paths)) {
    for (const shown of document.getElementsByClassName(`zw-image-${id}`)) {
      shown.setAttribute(shown.tagName === "IMG" ? "src" : "href", path);
    }
  }
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOldly(text);
  }
  notify(words.copied);
}

/** Without https there is no clipboard to write to. */
function copyOldly(text) {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}

function press(event) {
  const button = event.target.closest("button[id^='zw:']");
  if (!button || button.disabled) return;
  const [, action, id, tool] = button.id.split(":");
  if (action === "edit") edit(button, id);
  else if (action === "view") view(button);
  else if (action === "copy") send("tell", { do: action, id });
  else if (action === "resend") document.getElementById("send")?.click();
  else if (action === "down") blame(button, id);
  else act({ do: action, id, ...(tool && { tool }) });
}

function act(order) {
  if (["again", "force", "edit"].includes(order.do)) follow();
  send("act", order);
}

/** A bad answer is marked at once; what was wrong with it may be told, or not. */
async function blame(button, id) {
  const isTakenBack = button.classList.contains("zw-is-on");
  act({ do: "down", id });
  const text = isTakenBack ? "" : await askOpinion();
  if (text) send("act", { do: "comment", id, text });
}

function view(button) {
  const picture = button.querySelector("img");
  const link = button.closest(".zw-picture").querySelector("a");
  showPicture(picture.src, picture.alt, link);
}

/** The user's own words become a box in place; sent again, they begin a new branch. */
function edit(button, id) {
  const user = button.closest(".zw-user");
  const said = user.querySelector(".zw-said");
  const form = document.createElement("form");
  const box = document.createElement("textarea");
  form.className = "zw-edit";
  box.value = said.textContent;
  box.setAttribute("aria-label", words.edit_message);
  const cancel = drawButton("button", words.cancel, "button");
  form.append(box, cancel, drawButton("submit", words.send_again, "button primary"));
  const close = () => {
    form.remove();
    user.classList.remove("zw-is-edited");
  };
  cancel.addEventListener("click", () => {
    close();
    button.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.value.trim();
    close();
    if (text) act({ do: "edit", id, text });
  });
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") cancel.click();
    if (event.key === "Enter" && !event.shiftKey && event.target === box && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  user.classList.add("zw-is-edited");
  user.prepend(form);
  box.style.height = `${box.scrollHeight + 2}px`;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

function drawButton(type, label, look) {
  const button = document.createElement("button");
  Object.assign(button, { type, textContent: label, className: look });
  return button;
}

/** What the sanitizer dropped, and what Gradio leaves without a name. */
function mend() {
  for (const part of room.querySelectorAll("details[id]:not([open])")) part.open = unfolded.has(part.id);
  const log = room.querySelector("#conversation [role='log']");
  if (log) {
    set(log, "aria-live", "off");
    set(log, "aria-label", words.conversation);
    set(log, "tabindex", "0");
  }
  for (const row of room.querySelectorAll("#conversation .message-row")) {
    const isUser = row.classList.contains("user-row");
    set(row, "role", "group");
    set(row, "aria-label", isUser ? words.you_said : words.assistant_said);
    for (const piece of row.querySelectorAll("[data-testid][aria-label]")) piece.removeAttribute("aria-label");
  }
  for (const button of room.querySelectorAll(".zw-up, .zw-down")) {
    set(button, "aria-pressed", String(button.classList.contains("zw-is-on")));
  }
  for (const button of room.querySelectorAll(".copy_code_button")) {
    set(button, "title", words.copy_code);
    set(button, "aria-label", words.copy_code);
  }
  for (const mark of room.querySelectorAll(".zw-card-mark, .zw-dots")) set(mark, "aria-hidden", "true");
  for (const bar of room.querySelectorAll(".zw-card progress")) {
    set(bar, "aria-label", bar.closest(".zw-card").querySelector(".zw-card-title").textContent);
  }
  for (const wide of room.querySelectorAll("#conversation pre, #conversation .zw-table")) {
    set(wide, "tabindex", "0");
  }
  for (const link of room.querySelectorAll(".zw-badge[target], #conversation .prose a[target]")) {
    set(link, "aria-description", words.new_tab);
  }
}

function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Links to pictures end; whoever still looks at one gets new ones first, without a word. */
function renew() {
  if (document.hidden) return;
  const soon = Date.now() / 1000 + AHEAD_S;
  const ends = [...room.querySelectorAll(".zw-picture img")].map((picture) => expiry(picture.src));
  if (ends.some((end) => end < soon)) send("tell", { do: "renew" });
}

function expiry(address) {
  const seconds = Number(new URL(address).pathname.split("/").pop().split(".")[1]);
  return Number.isFinite(seconds) ? seconds : Infinity;
}
