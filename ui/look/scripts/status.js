// What the page says aloud (the live region) and, for a moment, shows.

const SHOWN_MS = 3500;
let timer;

/** Tell a screen reader; the same words twice are told twice. */
export function say(words) {
  const region = document.getElementById("status");
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/** Tell everybody: also shown above the message box for a while. */
export function notify(words) {
  say(words);
  const notice = document.getElementById("notice");
  notice.textContent = words;
  notice.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (notice.hidden = true), SHOWN_MS);
}
