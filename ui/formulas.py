"""Markdown as Gradio's chatbot is given it: formulas found by us, and nothing shown half-written.

Gradio looks for formulas with one pattern over the whole text, code included, and puts what it
finds back as raw HTML. So formulas are found here, outside code and not in prices, escaped, and
handed over between invisible characters of our own, which are the only delimiters it is told.
"""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final

INLINE: Final = ("\N{FUNCTION APPLICATION}", "\N{INVISIBLE TIMES}")
DISPLAY: Final = ("\N{INVISIBLE SEPARATOR}", "\N{INVISIBLE PLUS}")
DELIMITERS: Final[tuple[dict[str, str | bool], ...]] = (
    {"left": DISPLAY[0], "right": DISPLAY[1], "display": True},
    {"left": INLINE[0], "right": INLINE[1], "display": False},
)

_MARKS: Final = str.maketrans(dict.fromkeys("".join((*INLINE, *DISPLAY))))
_TOKEN: Final = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<word>[^\n`]*)$"
    r"|(?P<escape>\\[\\`$])"
    r"|(?P<ticks>`+)"
    r"|(?P<open>\$\$|\\\[|\\\(|\$)",
    re.MULTILINE,
)
_DOLLARS: Final = re.compile(r"\$(?=\S)((?:\\.|[^$\\\n]|\n(?!\s*\n)){1,400}?)(?<=\S)\$(?!\d)")
_PAIRS: Final = {"$$": "$$", r"\[": r"\]", r"\(": r"\)"}
_LONGEST_OPEN: Final = {"$$": 4000, r"\[": 4000, r"\(": 400, "$": 120}
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)
_BOUNDARY: Final = re.compile(r"\n[ \t]*\n(?=[^\s>|*+\-\d])")
_OPENINGS: Final = re.compile(
    rf"^[ \t>]*(?:`{{3,}}|~{{3,}})|[{DISPLAY[0]}{DISPLAY[1]}]", re.MULTILINE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """Markdown with its formulas marked; ``open_at`` is where one begins that is not closed."""

    text: str
    open_at: int | None


def without_marks(text: str) -> str:
    """``text`` without the characters that delimit formulas for Gradio."""
    return text.translate(_MARKS)


def mark_formulas(markdown: str, *, is_growing: bool = False) -> str:
    """``markdown`` with formulas between `DELIMITERS`; an open one is held back while it grows."""
    found = _find(without_marks(markdown))
    if not is_growing:
        return found.text
    return found.text[: found.open_at].removesuffix("\\")


def split_blocks(marked: str) -> tuple[str, ...]:
    """Marked Markdown in pieces that can be drawn one by one, those before the last for good.

    It is cut at a blank line before text that continues nothing; code and formulas stay whole,
    and so does a text that defines link targets, because these may stand anywhere in it.
    """
    if _DEFINITION.search(marked):
        return (marked,)
    whole = tuple(_whole_parts(marked))
    cuts = (cut.end() for cut in _BOUNDARY.finditer(marked))
    edges = (0, *(cut for cut in cuts if not _is_inside(cut, whole)), len(marked))
    pieces = (marked[start:end] for start, end in pairwise(edges))
    return tuple(piece for piece in pieces if piece.strip())


def _whole_parts(marked: str) -> Iterator[tuple[int, int]]:
    """Where code and formulas in lines of their own begin and end, in order."""
    began, closing = 0, ""
    for found in _OPENINGS.finditer(marked):
        mark = found[0].lstrip(" \t>")
        if not closing:
            began, closing = found.start(), DISPLAY[1] if mark == DISPLAY[0] else mark
        elif mark.startswith(closing):
            yield began, found.end()
            closing = ""
    if closing:
        yield began, len(marked) + 1


def _is_inside(at: int, parts: Sequence[tuple[int, int]]) -> bool:
    place = bisect(parts, (at, 0)) - 1
    return place >= 0 and at < parts[place][1]


def _find(markdown: str) -> _Found:
    pieces: list[str] = []
    size, at, open_at = 0, 0, None
    while token := _TOKEN.search(markdown, at):
        piece, end = _read(markdown, token)
        if piece is None:
            piece, end = token[0], token.end()
            if open_at is None and _may_close(markdown, token):
                open_at = size + token.start() - at
        pieces += (markdown[at : token.start()], piece)
        size += token.start() - at + len(piece)
        at = end
    pieces.append(markdown[at:])
    return _Found(text="".join(pieces), open_at=open_at)


def _read(markdown: str, token: re.Match[str]) -> tuple[str | None, int]:
    """What a token with all that belongs to it becomes, and where it ends."""
    if token["fence"]:
        return _read_fence(markdown, token)
    if token["ticks"]:
        closing = re.compile(rf"(?<!`){token['ticks']}(?!`)").search(markdown, token.end())
        end = closing.end() if closing else token.end()
        return markdown[token.start() : end], end
    if token["open"] == "$":
        found = _DOLLARS.match(markdown, token.start())
        return (_mark(found[1], INLINE), found.end()) if found else (None, token.end())
    if opening := token["open"]:
        closing_at = markdown.find(_PAIRS[opening], token.end())
        body = markdown[token.end() : closing_at]
        if closing_at < 0 or not body.strip():
            return None, token.end()
        return _mark(body, INLINE if opening == r"\(" else DISPLAY), closing_at + 2
    return token[0], token.end()


def _read_fence(markdown: str, token: re.Match[str]) -> tuple[str, int]:
    """A block of code as it is; Gradio would draw ``mermaid``, so that is plain text here."""
    closing = re.compile(rf"^[ \t>]*{token['fence']}{token['fence'][0]}*[ \t]*$", re.MULTILINE)
    closed = closing.search(markdown, token.end())
    end = closed.end() if closed else len(markdown)
    word = token["word"]
    if word.strip().lower().startswith("mermaid"):
        word = "text"
    return f"{token['indent']}{token['fence']}{word}{markdown[token.end() : end]}", end


def _may_close(markdown: str, token: re.Match[str]) -> bool:
    opening = token["open"]
    rest = markdown[token.end() :]
    if len(rest) > _LONGEST_OPEN[opening]:
        return False
    if opening == "$" and (rest[:1].isspace() or "$" in rest):
        return False
    return opening in {"$$", r"\["} or "\n\n" not in rest


def _mark(body: str, delimiters: tuple[str, str]) -> str:
    return f"{delimiters[0]}{escape(body, quote=False)}{delimiters[1]}"
