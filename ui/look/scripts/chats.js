// The list of conversations: opening, searching, renaming in place, deleting; on a phone a drawer.

import { send, watch } from "./bridge.js";
import { ask } from "./dialogs.js";
import { say } from "./status.js";

const SEARCH_MS = 250;
const { words } = window.zwrotnica;
const phone = matchMedia("(max-width: 48rem)");
const byId = (id) => document.getElementById(id);
const [sidebar, list, search, opener] = ["sidebar", "chats", "search", "open-chats"].map(byId);

const MOST_PAGES = 100;
let looking = { query: "", pages: 1 };
let seen;
let timer;

export function startChats() {
  watch("chats-drawn", take);
  list.addEventListener("click", press);
  list.addEventListener("keydown", walk);
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, SEARCH_MS);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") list.querySelector("a")?.focus();
    if (event.key === "Enter") look();
    if (event.key === "Escape" && search.value) {
      event.stopPropagation();
      search.value = "";
      look();
    }
  });
  opener.addEventListener("click", openChats);
  byId("close-chats").addEventListener("click", closeChats);
  byId("veil").addEventListener("click", closeChats);
  phone.addEventListener("change", closeChats);
  sidebar.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) {
      event.stopPropagation();
      closeChats();
    }
  });
}

/** On a phone: the list comes in, the rest of the page waits. */
export function openChats() {
  if (!phone.matches || isOpen()) return;
  document.body.classList.add("chats-open");
  sidebar.setAttribute("role", "dialog");
  sidebar.setAttribute("aria-modal", "true");
  opener.setAttribute("aria-expanded", "true");
  byId("stage").inert = true;
  byId("close-chats").focus();
}

export function closeChats() {
  if (!isOpen()) return;
  document.body.classList.remove("chats-open");
  sidebar.removeAttribute("role");
  sidebar.removeAttribute("aria-modal");
  opener.setAttribute("aria-expanded", "false");
  byId("stage").inert = false;
  if (phone.matches) opener.focus();
}

export function focusSearch() {
  openChats();
  search.focus();
  search.select();
}

function isOpen() {
  return document.body.classList.contains("chats-open");
}

function look() {
  clearTimeout(timer);
  const query = search.value.trim();
  if (query !== looking.query) lookFor({ query, pages: 1 });
}

function lookFor(next) {
  looking = next;
  send("look", looking);
}

function take(drawn) {
  const rows = drawn.querySelector(".chats-rows");
  if (!rows || !isWanted(rows.dataset) || list.querySelector(".chat input")) return;
  const held = holdFocus();
  list.replaceChildren(rows.cloneNode(true));
  held();
  markCurrent();
  const current = list.querySelector("[aria-current]");
  if (current && current.href !== seen) current.scrollIntoView({ block: "nearest" });
  seen = current?.href;
  if (rows.dataset.found) say(rows.dataset.found);
  else if (rows.dataset.query) say(rows.textContent);
}

/** A list for what was looked for before may come late; one that could not be read replaces none. */
function isWanted({ query = "", pages, failed }) {
  const isLookedFor = query === looking.query && Number(pages) === looking.pages;
  return isLookedFor && !(failed && list.querySelector(".chat"));
}

/** The conversation of the page's address is the current one. */
export function markCurrent() {
  const id = new URLSearchParams(location.search).get("c");
  for (const link of list.querySelectorAll(".chat a")) {
    if (link.closest(".chat").dataset.id === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** The list is drawn anew: what had the focus gets it back, or its neighbour does. */
function holdFocus() {
  const focused = document.activeElement;
  if (!list.contains(focused) || focused === list) return () => {};
  const row = focused.closest(".chat");
  const links = [...list.querySelectorAll(".chat a")];
  const place = links.indexOf(row?.querySelector("a"));
  const { id } = row?.dataset ?? {};
  const purpose = focused.dataset.row;
  return () => {
    const rows = [...list.querySelectorAll(".chat")];
    const same = rows.find((one) => one.dataset.id === id);
    const near = rows[Math.min(Math.max(place, 0), rows.length - 1)];
    const part = purpose ? `[data-row="${purpose}"]` : "a";
    (same?.querySelector(part) ?? near?.querySelector("a") ?? list).focus();
  };
}

function press(event) {
  const part = event.target.closest("a, button");
  const row = part?.closest(".chat");
  if (!part) return;
  if (part.dataset.action === "more") {
    lookFor({ ...looking, pages: Math.min(looking.pages + 1, MOST_PAGES) });
  } else if (part.dataset.row === "rename") {
    rename(row);
  } else if (part.dataset.row === "delete") {
    remove(row);
  } else if (part.dataset.action === "open" && isPlain(event)) {
    event.preventDefault();
    send("open", { id: row.dataset.id });
    closeChats();
  }
}

function isPlain(event) {
  return !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button);
}

function walk(event) {
  if (event.target.tagName !== "A") return;
  const links = [...list.querySelectorAll("a")];
  const place = links.indexOf(event.target);
  const row = event.target.closest(".chat");
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: links.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    (to < 0 ? search : links[Math.min(to, links.length - 1)]).focus();
  } else if (event.key === "F2") {
    rename(row);
  } else if (event.key === "Delete") {
    remove(row);
  }
}

function rename(row) {
  const link = row.querySelector("a");
  const input = document.createElement("input");
  const before = link.textContent;
  let isDone = false;
  input.value = before;
  input.maxLength = 120;
  input.setAttribute("aria-label", words.rename_label);
  const finish = (isKept) => {
    if (isDone) return;
    isDone = true;
    const title = input.value.trim();
    if (isKept && title && title !== before) {
      send("rename", { id: row.dataset.id, title });
      link.firstChild.textContent = title;
    }
    row.classList.remove("chat-renamed");
    input.replaceWith(link);
    link.focus();
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") finish(true);
    if (event.key === "Escape") finish(false);
  });
  input.addEventListener("blur", () => finish(true));
  row.classList.add("chat-renamed");
  link.replaceWith(input);
  input.select();
  input.focus();
}

async function remove(row) {
  const title = row.querySelector("a").textContent;
  if (await ask(title)) send("delete", { id: row.dataset.id });
}
