// Words that were not sent yet survive a reload: the browser keeps them for as long as the tab lives.

import { whenever } from "./bridge.js";

const KEY = "draft";
const messageBox = () => document.querySelector("#message textarea");
let isLookedFor = false;

/** Keep what stands in the message box, and give `draft` what an earlier page kept. */
export function startDrafts(draft) {
  document.addEventListener("input", ({ target }) => {
    if (target === messageBox()) keep(target.value);
  });
  whenever(() => {
    const box = messageBox();
    if (!box || isLookedFor) return;
    isLookedFor = true;
    const kept = read();
    if (kept && !box.value) draft(kept);
  });
}

function read() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(words) {
  try {
    sessionStorage.setItem(KEY, words);
  } catch {
    // Storage may be closed to pages, or full; the words are then only in the box.
  }
}
