"""Where things stand on a page, and with which letters they are written."""

from typing import cast

from playwright.sync_api import Locator, Page

WIDEST_LINE = 900
POLISH_LETTERS = "ĄĆĘŁŃÓŚŹŻąćęłńóśźż„”–…×°−"
SLACK = 1

SPILLED = """([slack]) => {
  const wide = document.documentElement.clientWidth + slack;
  const scrolls = node => {
    for (let at = node.parentElement; at; at = at.parentElement) {
      const flow = getComputedStyle(at).overflowX;
      if (flow !== 'visible' && at !== document.body && at !== document.documentElement
          && at.getBoundingClientRect().right <= wide) return true;
    }
    return false;
  };
  const isSeen = node => node.checkVisibility({opacityProperty: true, visibilityProperty: true});
  return [...document.body.querySelectorAll('*')].filter(node => {
    const box = node.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && isSeen(node) && !scrolls(node)
      && (box.right > wide && box.left < wide || box.left < -slack && box.right > slack);
  }).map(node => node.outerHTML.slice(0, 160));
}"""
"""Elements of which a part stands beside the window, where no box of their own scrolls."""

COVERED = """node => {
  const box = node.getBoundingClientRect();
  const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5]];
  return points.some(([across, down]) => {
    const [x, y] = [box.left + box.width * across, box.top + box.height * down];
    const top = document.elementFromPoint(x, y);
    return !top || !(node.contains(top) || top.contains(node));
  });
}"""

GLYPHS = """async ([letters, weight, italic, named]) => {
  const spoken = document.querySelector('[data-testid=bot]') || document.body;
  const family = named || getComputedStyle(spoken).fontFamily.split(',')[0];
  const style = italic ? 'italic' : 'normal';
  await document.fonts.load(`${style} ${weight} 40px ${family}`, letters);
  const pen = document.createElement('canvas').getContext('2d');
  const width = (letter, fonts) => {
    pen.font = `${style} ${weight} 400px ${fonts}`;
    return pen.measureText(letter).width;
  };
  return [...letters].filter(letter => {
    const widths = ['monospace', 'serif', 'sans-serif'].map(
      fallback => width(letter, `${family}, ${fallback}`));
    return new Set(widths).size > 1;  // it came from the fallback
  }).join('');
}"""
"""The letters that the page's own font lacks: their width depends on the font named after it."""


GROUND = """() => {
  for (const name of ['.gradio-container', 'body', 'html']) {
    const found = getComputedStyle(document.querySelector(name)).backgroundColor.match(/[\\d.]+/g);
    if (found && found[3] !== '0')
      return found.slice(0, 3).reduce((sum, one) => sum + Number(one), 0) / 3;
  }
  return 255;
}"""


def spilled(page: Page) -> list[str]:
    """What stands partly outside the window."""
    return cast("list[str]", page.evaluate(SPILLED, [SLACK]))


def is_covered(locator: Locator) -> bool:
    """Whether something else lies over it."""
    return bool(locator.evaluate(COVERED))


def missing_letters(page: Page, weight: int, *, italic: bool = False, family: str = "") -> str:
    """Polish letters that ``family`` (by default the page's font) lacks in this weight."""
    return cast("str", page.evaluate(GLYPHS, [POLISH_LETTERS, weight, italic, family]))


def luminance(page: Page) -> float:
    """How light the ground of the page is, from 0 to 255."""
    return cast("float", page.evaluate(GROUND))
