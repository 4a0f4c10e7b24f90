"""Makes HTML of an operator's Markdown, in which nothing is active."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

UNFILLED: Final = re.compile(r"\{\{[^{}]{1,200}\}\}")
"""A field of a template that nobody has filled in."""
_ID: Final = r"\{#([a-z][a-z0-9-]{0,63})\}"
_MARKED: Final = re.compile(r"\[([^\[\]]{1,200})\]" + _ID)
_OF_LINK: Final = re.compile(_ID)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_SCHEMES: Final = frozenset({"", "http", "https", "mailto", "tel"})


def render(markdown: str) -> str:
    """CommonMark with tables; ``[words]{#id}`` gives words an id, ``[words](url){#id}`` a link.

    HTML in it is shown as text, pictures as their source.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    reader.validateLink = _is_harmless  # type: ignore[method-assign]  # as its documentation says
    tokens = reader.parse(markdown)
    for token in tokens:
        if token.children:
            token.children = list(_mark(token.children))
    return str(reader.renderer.render(tokens, reader.options, {}))


def _is_harmless(url: str) -> bool:
    try:
        return urlsplit(url.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _mark(tokens: Sequence[Token]) -> Iterator[Token]:
    """The same with ids: of a link, of the words that are marked."""
    link, is_behind = None, False
    for token in tokens:
        if token.type == "text" and is_behind and link and (own := _OF_LINK.match(token.content)):
            link.attrSet("id", own[1])
            token.content = token.content[own.end() :]
        link = token if token.type == "link_open" else link
        is_behind = token.type == "link_close"
        if token.type == "text" and _MARKED.search(token.content):
            yield Token("html_inline", "", 0, content=_span(token.content))
        else:
            yield token


def _span(text: str) -> str:
    pieces, end = [], 0
    for found in _MARKED.finditer(text):
        pieces.append(escape(text[end : found.start()]))
        pieces.append(_name(found[1], found[2]))
        end = found.end()
    return "".join((*pieces, escape(text[end:])))


def _name(words: str, own_id: str) -> str:
    """A day is a time, as the rules for statements want it."""
    if _DAY.fullmatch(words):
        return f'<time id="{own_id}" datetime="{words}">{words}</time>'
    return f'<span id="{own_id}">{escape(words)}</span>'
