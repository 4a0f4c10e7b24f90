"""Measures a visit to the page with an empty cache, as its visitors would feel it."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from parts.chat_page import ChatPage
from parts.chromium_page import Chromium
from parts.page_product import PageProduct

PUBLISHED = Path(__file__).parents[2] / ".cache" / "parts" / "page.json"
WATCH = """() => {
  window.usable = null;
  const look = () => {
    const box = document.querySelector('textarea:not([disabled])');
    if (box && box.checkVisibility({opacityProperty: true, visibilityProperty: true}))
      window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
FIRST_WORD = """word => {
  window.firstWord = null;
  const look = () => {
    const answer = [...document.querySelectorAll('#conversation .bot-row')].at(-1);
    if (!answer?.textContent.includes(word)) return;
    watch.disconnect();
    const painted = () => { window.firstWord = performance.timeOrigin + performance.now(); };
    requestAnimationFrame(() => setTimeout(painted));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""Notes when a word of an answer has been painted, in milliseconds since the epoch."""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Milliseconds from the click to the first paint and to the field for messages; bytes sent."""

    painted_ms: float
    usable_ms: float
    transferred: int
    requests: int


def time_first_word(chat: ChatPage, product: PageProduct, question: str, word: str) -> float:
    """Milliseconds from the model's first word, which is `word`, to its being painted."""
    product.model.lines = {question: f"{word} i jeszcze kilka słów."}
    chat.page.evaluate(FIRST_WORD, word)
    chat.say(question)
    chat.wait_for(lambda: chat.page.evaluate("window.firstWord") is not None)
    chat.wait_answered(2)
    shown_ms = cast("float", chat.page.evaluate("window.firstWord"))
    return shown_ms - 1000 * (product.model.answers[-1].began_at or 0.0)


def measure(chromium: Chromium, url: str) -> Figures:
    """Visit the page in a new profile."""
    with chromium.window(url) as window:
        sent: list[float] = []
        session = window.page.context.new_cdp_session(window.page)
        session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
        session.send("Network.enable")
        window.page.add_init_script(f"({WATCH})()")
        chat = ChatPage(window=window, url=url).open()
        chat.wait_for(lambda: window.page.evaluate("window.usable") is not None)
        window.page.wait_for_timeout(1_000)  # what comes later counts, too
        return Figures(
            painted_ms=round(cast("float", window.page.evaluate(PAINTED))),
            usable_ms=round(cast("float", window.page.evaluate("window.usable"))),
            transferred=round(sum(sent)),
            requests=len(window.requests),
        )


def publish(figures: Figures, *, first_word_ms: float) -> None:
    """Leave the figures where whoever writes them down finds them."""
    fields = {**asdict(figures), "first_word_ms": round(first_word_ms)}
    PUBLISHED.write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
