"""Reads the meanings of a name from the wikitext of the page that lists them."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from chatbot.language import fold
from chatbot.tools.wikipedia.replies import Listing
from chatbot.tools.wikipedia.titles import base_title

LONGEST_WHAT = 120
_LONGEST_LINE = 1000
_LINK = re.compile(r"\[\[([^\[\]|#]{1,255})(?:#[^\[\]|]{0,255})?(?:\|([^\[\]]{0,255}))?\]\]")
_REMOVED = re.compile(
    r"<!--.*?-->|<ref\b[^<>]*/>|<ref\b.*?</ref>|\{\{[^{}]*\}\}|\[\[(?:Plik|File):[^\[\]]*\]\]|"
    r"<[^<>]{1,100}>|'{2,5}",
    re.IGNORECASE,
)
_HEADING = re.compile(r"={2,6}(.{1,200}?)={2,6}")
_ELSEWHERE = ("zobacz też", "zobacz także", "przypisy", "see also", "references")
_EDGES = " \t–—-:,;."


@dataclass(frozen=True, kw_only=True, slots=True)
class Meaning:
    """One article that the name may mean, and what it is about in a few words."""

    title: str
    what: str


def read_meanings(listing: Listing, name: str) -> tuple[Meaning, ...]:
    """The meanings in the order of the page, each article once, without those not yet written.

    Only links that carry the name count: a line also links to what explains it.
    """
    written = {_key(link.title) for link in listing.links if link.exists and link.ns == 0}
    stem = fold(base_title(name))
    found: dict[str, Meaning] = {}
    for line in _items(listing.wikitext):
        meaning = _read_item(line, stem)
        if meaning is not None and _key(meaning.title) in written:
            found.setdefault(_key(meaning.title), meaning)
    return tuple(found.values())


def _items(wikitext: str) -> Iterator[str]:
    """The lines of lists, up to the part that only refers elsewhere."""
    for line in wikitext.splitlines():
        heading = _HEADING.fullmatch(line.strip())
        if heading is not None and heading[1].strip().lower().startswith(_ELSEWHERE):
            return
        if line.startswith(("*", "#")):
            yield line[:_LONGEST_LINE].lstrip("*#: \t")


def _read_item(line: str, stem: str) -> Meaning | None:
    item = _REMOVED.sub("", line)
    for link in _LINK.finditer(item):
        target, label = link[1].strip(), (link[2] or link[1]).strip()
        if stem in fold(f"{target} {label}"):
            return Meaning(title=_upper(target.replace("_", " ")), what=_say(item[link.end() :]))
    return None


def _say(rest: str) -> str:
    words = _LINK.sub(lambda link: link[2] or link[1], rest)
    text = " ".join(html.unescape(words).split()).strip(_EDGES)
    if len(text) <= LONGEST_WHAT:
        return text
    return text[: LONGEST_WHAT - 1].rsplit(None, 1)[0].rstrip(_EDGES) + "…"


def _upper(title: str) -> str:
    return title[:1].upper() + title[1:]


def _key(title: str) -> str:
    return _upper(title.replace("_", " "))
