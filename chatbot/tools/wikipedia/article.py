"""An article as plain text, taken apart into its lead and its sections."""

import re
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import quote

from chatbot.tools.wikipedia.headings import match_heading

_HEADING = re.compile(r"(={2,6})(.{1,300}?)\1")
LONGEST_SECTION = 20_000
"""Characters; nobody is shown more, and what is longer is not worth tidying."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """One section with its subsections; ``anchor`` is its percent-encoded place in the page."""

    heading: str
    anchor: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Article:
    """The whole of an article."""

    lead: str
    sections: tuple[Section, ...]

    def about(self, rest: str) -> Section | None:
        """The section that the words ``rest`` ask for, unless it is empty."""
        filled = [section for section in self.sections if section.text]
        found = match_heading(rest, [section.heading for section in filled])
        return None if found is None else filled[found]

    def at(self, fragment: str) -> Section | None:
        """The section that a link with this ``#fragment`` leads to."""
        wanted = _anchor(fragment)
        return next((s for s in self.sections if s.anchor == wanted and s.text), None)


@dataclass(kw_only=True, slots=True)
class _Draft:
    """A section that is being read."""

    heading: str
    anchor: str
    depth: int
    lines: list[str] = field(default_factory=list)


def read_article(extract: str) -> Article:
    """Take apart a plain-text extract whose headings look like ``== this ==``."""
    lead: list[str] = []
    open_sections: list[_Draft] = []
    drafts: list[_Draft] = []
    seen: Counter[str] = Counter()
    for line in extract.splitlines():
        heading = _HEADING.fullmatch(line.strip())
        if heading is None or not heading[2].strip():
            for lines in [draft.lines for draft in open_sections] or [lead]:
                lines.append(line)
            continue
        title, depth = heading[2].strip(), len(heading[1])
        seen[title] += 1
        number = f"_{seen[title]}" if seen[title] > 1 else ""
        draft = _Draft(heading=title, anchor=_anchor(title + number), depth=depth)
        open_sections = [*(one for one in open_sections if one.depth < depth), draft]
        drafts.append(draft)
    return Article(lead="\n".join(lead).strip(), sections=tuple(map(_finish, drafts)))


def _finish(draft: _Draft) -> Section:
    text = "\n".join(draft.lines).strip()[:LONGEST_SECTION]
    return Section(heading=draft.heading, anchor=draft.anchor, text=text)


def _anchor(heading: str) -> str:
    return quote(heading.strip().replace(" ", "_"), safe="")
