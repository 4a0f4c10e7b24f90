"""What is said on the page in its tests, and what each frame of it shows."""

from typing import cast

from playwright.sync_api import Page

RHYME = "Ułóż krótką bajkę o smoku"
INTEGRAL = "Ile to całka z x^2 od 0 do 3?"
PERSON = "Kim był Mikołaj Kopernik?"
RAIN = "Jaka będzie jutro pogoda w Łodzi?"
PICTURE = "Narysuj latarnię morską o zachodzie słońca"

TALE = (
    "Dawno temu nad Wisłą mieszkał smok, który zamiast owiec wolał pierogi. Pewnego dnia szewc "
    "Skuba przyniósł mu cały kosz, a smok z wdzięczności ogrzewał odtąd miasto przez całą zimę."
)
FORMULA = (
    "Pierwiastki $x_1$ i $x_2$ równania kwadratowego są takie:\n\n"
    "$$x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$\n\nTo wszystko."
)
RICH = """\
Oto **zestawienie**:

| Miasto | Ludność |
|---|---|
| Łódź | 655 tys. |
| Gdynia | 240 tys. |

- jabłka
- gruszki
- śliwki

```python
def podwój(a: int) -> int:
    return 2 * a
```
"""

WATCH = """() => {
  window.seenFrames = [];
  const skipped = '.katex, [data-testid=user], script, style, textarea, [role=dialog]';
  const look = () => {
    let text = '';
    for (const log of document.querySelectorAll('[data-testid=bot]')) {
      const walker = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        if (!walker.currentNode.parentElement.closest(skipped)) text += walker.currentNode.data;
    }
    const last = window.seenFrames.length - 1;
    if (text !== window.seenFrames[last]) window.seenFrames.push(text);
  };
  const painted = new MessageChannel();  // answers after the frame has been painted
  painted.port1.onmessage = () => { look(); requestAnimationFrame(next); };
  const next = () => painted.port2.postMessage(0);
  requestAnimationFrame(next);
}"""
"""Writes down what the answers show in each frame, but for drawn formulas."""


def watch_frames(page: Page) -> None:
    """Begin to write down what the answers show."""
    page.evaluate(WATCH)


def frames(page: Page) -> list[str]:
    """What they showed, each change once."""
    return cast("list[str]", page.evaluate("window.seenFrames"))


ACTIVE = """() => {
  const own = node => node.matches('[class^=zw-] img, img[class^=zw-], svg, svg *');
  const wanted = 'img, picture, source, svg image, svg use[href], iframe, frame, object, embed,'
    + ' video, audio, track, script, style, link, base, meta, form, input:not([type=checkbox]),'
    + ' [style*="url("], [background], [srcdoc], [poster], a[href^="javascript:" i]';
  const spoken = document.querySelectorAll(
    '[data-testid=bot], [data-testid=user], #chats, #title, [role=status]');
  return [...spoken].flatMap(place => [...place.querySelectorAll('*')].filter(node =>
    node.matches(wanted) && !own(node)
    || [...node.attributes].some(one => one.name.startsWith('on'))
  )).map(node => node.outerHTML.slice(0, 200));
}"""
"""Whatever fetches or runs, in messages and lists, that the page did not put there itself."""


def active_elements(page: Page) -> list[str]:
    """Elements in messages, titles and the status that fetch something or run."""
    return cast("list[str]", page.evaluate(ACTIVE))
