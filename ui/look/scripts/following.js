// The conversation scrolls with a growing answer, unless the reader has scrolled away from its end.

import { whenever } from "./bridge.js";

const NEAR_PX = 96;
const SLACK_PX = 2;
const button = document.getElementById("to-bottom");

let scroller;
let isFollowing = true;
let last = 0;

export function startFollowing() {
  button.addEventListener("click", () => {
    isFollowing = true;
    toBottom();
    document.querySelector("#message textarea")?.focus();
  });
  const heights = new ResizeObserver(([composer]) => {
    const height = `${composer.target.offsetHeight}px`;
    document.documentElement.style.setProperty("--z-composer", height);
  });
  let composer;
  whenever(() => {
    const drawn = document.getElementById("composer");
    if (drawn && drawn !== composer) heights.observe((composer = drawn));
    const found = document.querySelector("#conversation [role='log']");
    if (found && found !== scroller) take(found);
    if (scroller) keepUp();
  });
}

/** Follow again, as after sending a message. */
export function follow() {
  isFollowing = true;
  if (scroller) toBottom();
}

function take(found) {
  scroller = found;
  last = 0;
  scroller.addEventListener("scroll", keepUp);
  const sizes = new ResizeObserver(keepUp);
  for (const part of [scroller, ...scroller.children]) sizes.observe(part);
}

/** Stay at the end, or tell that there is more below; the reader scrolls with whatever there is. */
function keepUp() {
  const top = scroller.scrollTop;
  if (top < last - SLACK_PX && below() > SLACK_PX) isFollowing = false;
  else if (top > last && below() < NEAR_PX) isFollowing = true;
  last = top;
  if (isFollowing && below() > SLACK_PX) toBottom();
  button.hidden = below() < NEAR_PX;
}

function below() {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}

function toBottom() {
  scroller.scrollTo({ top: scroller.scrollHeight, behavior: "instant" });
  last = scroller.scrollTop;
}
