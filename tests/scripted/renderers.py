"""Six Markdown renderers, plain and with their extensions, and what is active in what they give."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias
from xml.etree.ElementTree import Element

import cmarkgfm
import commonmark
import html5lib
import markdown
import markdown_it
import mistletoe
import mistune
from cmarkgfm.cmark import Options

Renderer: TypeAlias = Callable[[str], str]

FORMATTING = frozenset({
    *("html", "head", "body", "p", "a", "code", "pre", "em", "strong", "ul", "ol", "li"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "hr", "br", "del", "div", "span"),
    *("table", "thead", "tbody", "tr", "th", "td", "input"),
})
"""``input`` only as the box of a task list."""
ATTRIBUTES = frozenset({
    *("href", "title", "class", "lang", "start", "align", "type", "disabled", "checked"),
})
EXTENDED_FORMATTING = frozenset({
    *("dl", "dt", "dd", "abbr", "sup", "section", "s", "ruby", "rt", "rb", "rp"),
})
EXTENDED_ATTRIBUTES = frozenset({
    *("id", "name", "role", "rel", "rev", "hidden"),
    *("aria-label", "aria-describedby", "data-footnote-ref", "data-footnotes"),
    *("data-footnote-backref", "data-footnote-backref-idx", "width", "tabindex", "autofocus"),
})
"""What the extensions add."""

MISTUNE = mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])
PYTHON_MARKDOWN = markdown.Markdown(extensions=["fenced_code", "tables"])
RENDERERS: Mapping[str, Renderer] = {
    "markdown-it": markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render,
    "mistune": lambda text: str(MISTUNE(text)),
    "python-markdown": lambda text: PYTHON_MARKDOWN.reset().convert(text),
    "commonmark.py": commonmark.commonmark,
    "mistletoe": mistletoe.markdown,
    "cmark-gfm": lambda text: cmarkgfm.github_flavored_markdown_to_html(
        text.replace("\0", ""), options=Options.CMARK_OPT_UNSAFE
    ),
}

_PLUGINS = ["table", "strikethrough", "url", "footnotes", "task_lists", "def_list", "abbr", "math"]
MISTUNE_EXTENDED = mistune.create_markdown(escape=False, plugins=[*_PLUGINS, "ruby", "spoiler"])
PYTHON_MARKDOWN_EXTENDED = markdown.Markdown(
    extensions=["extra", "nl2br", "sane_lists", "toc", "wikilinks", "admonition"]
)
_LINKIFY = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": True, "typographer": True})
_FOOTNOTES = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES | Options.CMARK_OPT_SMART
EXTENDED: Mapping[str, Renderer] = {
    **RENDERERS,
    "markdown-it": _LINKIFY.render,
    "mistune": lambda text: str(MISTUNE_EXTENDED(text)),
    "python-markdown": lambda text: PYTHON_MARKDOWN_EXTENDED.reset().convert(text),
    "cmark-gfm": lambda text: cmarkgfm.github_flavored_markdown_to_html(
        text.replace("\0", ""), options=_FOOTNOTES
    ),
}
"""With autolinks, attribute lists, footnotes and whatever else each renderer brings."""


def active(html: str, *, is_extended: bool = False) -> list[str]:
    """Elements, and attributes with a value, that ordinary formatting does not have."""
    tree = _read(html)
    elements = FORMATTING | EXTENDED_FORMATTING if is_extended else FORMATTING
    attributes = ATTRIBUTES | EXTENDED_ATTRIBUTES if is_extended else ATTRIBUTES
    return [found for one in tree.iter() for found in _active_in(one, elements, attributes)]


def addresses(html: str) -> list[str]:
    """Where the links of a page lead."""
    return [one.attrib["href"] for one in _read(html).iter() if "href" in one.attrib]


@lru_cache(maxsize=64)  # many renderers agree on the page of one text
def _read(html: str) -> Element:
    page: Element = html5lib.parse(html, namespaceHTMLElements=False)
    return page


def _active_in(
    element: Element, elements: frozenset[str], attributes: frozenset[str]
) -> Iterator[str]:
    name = str(element.tag)
    is_box = name != "input" or element.attrib.get("type") == "checkbox"
    if (name not in elements or not is_box) and "Comment" not in name:
        yield name
    for attribute, value in element.attrib.items():
        is_alignment = attribute == "style" and re.fullmatch(r"text-align: ?\w+;?", value)
        if attribute not in attributes and not is_alignment and value:
            yield f"{name}@{attribute}"
