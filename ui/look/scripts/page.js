// The page's behaviour: everything but what Gradio does itself. The modules beside this one are its parts.

import { send, watchJson } from "./bridge.js";
import { closeChats, markCurrent, startChats } from "./chats.js";
import { copy, renewPictures, startConversation } from "./conversation.js";
import { showPicture, startDialogs } from "./dialogs.js";
import { startDrafts } from "./drafts.js";
import { follow, startFollowing } from "./following.js";
import { startGreeting, suggest } from "./greeting.js";
import { startImport } from "./importing.js";
import { begin, focusMessage, startKeys } from "./keys.js";
import { fillSettings, startSettings } from "./settings.js";
import { notify, say } from "./status.js";

const byId = (id) => document.getElementById(id);
const page = window.zwrotnica;

let sent;

startTheme();
startDialogs();
startChats();
startSettings();
startKeys();
startFollowing();
startConversation();
startGreeting();
startImport();
startDrafts(draft);
for (const place of ["signals", "signals-opened", "signals-list", "signals-aside"]) watchJson(place, react);
document.addEventListener("click", press, { capture: true });
addEventListener("popstate", () => {
  const id = new URLSearchParams(location.search).get("c");
  send(id ? "open" : "new", id ? { id } : {});
});
Object.assign(page, { send, say, notify, follow, focusMessage, showPicture, draft });

function startTheme() {
  for (const choice of document.querySelectorAll(".theme input")) {
    choice.checked = choice.value === page.theme();
    choice.addEventListener("change", () => page.chooseTheme(choice.value));
  }
}

function press(event) {
  if (event.target.closest("#send")) {
    sent = messageBox()?.value;
    follow();
  }
  const question = event.target.closest("[data-suggest]");
  if (question) {
    draft(question.dataset.suggest);
    byId("send")?.click();
  } else if (event.target.closest("[data-action='new']")) {
    begin();
  }
}

/** The message box is emptied once Python has what was in it, not what was typed since. A quick
 * answer may have ended by then; words that were refused come back as a draft. */
function setRunning(isRunning) {
  document.body.classList.toggle("is-running", isRunning);
  const written = messageBox()?.value ?? "";
  if (sent && written.startsWith(sent)) draft(written.slice(sent.length));
  sent = undefined;
}

function messageBox() {
  return document.querySelector("#message textarea");
}

/** What Python told; see ui/look/signals.py. */
function react(signal) {
  if ("conversation" in signal) setAddress(signal.conversation);
  if ("title" in signal) setTitle(signal.title);
  if (signal.titled?.id === conversation()) setTitle(signal.titled.title);
  if (signal.notice) notify(signal.notice);
  else if (signal.status) say(signal.status);
  if ("running" in signal) setRunning(signal.running);
  if (signal.suggestions) suggest(signal.suggestions);
  if (signal.copy !== undefined) copy(signal.copy);
  if (signal.pictures) renewPictures(signal.pictures);
  if (signal.settings) fillSettings(signal.settings);
  if ("draft" in signal) draft(signal.draft);
  if (signal.closed) byId(signal.closed)?.close?.("");
  if (signal.focus === "message") focusMessage();
  else if (signal.focus) byId(signal.focus)?.focus();
}

/** The id of the conversation that is shown, which is that of the address. */
function conversation() {
  return new URLSearchParams(location.search).get("c") ?? "";
}

function setAddress(id) {
  const url = new URL(location.href);
  const before = conversation();
  if (id) url.searchParams.set("c", id);
  else url.searchParams.delete("c");
  if (before && id !== before) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
  byId("export-open").hidden = !id;
  for (const link of document.querySelectorAll("#export-one a")) {
    const format = new URL(link.href).searchParams.get("format");
    link.href = `/api/conversations/${encodeURIComponent(id)}/export?format=${format}`;
  }
  markCurrent();
  closeChats();
}

function setTitle(title) {
  const text = byId("title-text");
  page.newChat ??= text.textContent;
  text.textContent = title || page.newChat;
  document.title = title ? `${title} – Zwrotnica` : "Zwrotnica";
}

/** Put words into the message box, as if typed. */
function draft(words) {
  const box = messageBox();
  if (!box) return;
  box.value = words;
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  focusMessage();
}
