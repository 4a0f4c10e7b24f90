// The keyboard: Enter sends, Esc stops and closes, Ctrl+K searches, Alt+N begins anew, ? lists them.

import { send } from "./bridge.js";
import { closeChats, focusSearch } from "./chats.js";
import { open } from "./dialogs.js";

const byId = (id) => document.getElementById(id);

export function startKeys() {
  document.addEventListener("keydown", press, { capture: true });
}

function press(event) {
  if (event.isComposing) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && key === "k") {
    event.preventDefault();
    focusSearch();
  } else if (event.altKey && event.code === "KeyN") {
    event.preventDefault();
    begin();
  } else if (key === "?" && !isTyping(event.target)) {
    open(byId("keys"));
  } else if (key === "escape") {
    stop(event);
  } else if (key === "enter" && isMessage(event.target)) {
    submit(event);
  }
}

/** A new conversation, with the cursor in the message box. */
export function begin() {
  closeChats();
  send("new");
  focusMessage();
}

/** The cursor into the message box; on a touch screen that would only call up the keyboard. */
export function focusMessage() {
  if (matchMedia("(pointer: coarse)").matches) return;
  document.querySelector("#message textarea")?.focus();
}

function isTyping(target) {
  return target.matches("input, textarea, select, [contenteditable]");
}

function isMessage(target) {
  return target.matches("#message textarea");
}

function stop(event) {
  const isElsewhere = document.querySelector("dialog[open], .menu:popover-open, .chat input");
  if (isElsewhere || document.body.classList.contains("chats-open") || event.target.id === "search") return;
  const button = byId("stop");
  if (button?.checkVisibility()) button.click();
}

/** Gradio's own box would send with Shift+Enter, or grow; here Enter sends and Shift+Enter breaks the line. */
function submit(event) {
  if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) {
    event.stopPropagation();
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const button = byId("send");
  if (!button?.checkVisibility() || button.disabled || !event.target.value.trim()) return;
  button.click();
}
