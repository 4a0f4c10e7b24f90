"""The list of conversations: its frame, which is static, and its rows, which Python draws.

How it is wired: `ui.look.hidden.build_list` makes the component that takes `draw_list(...)`. The
browser sends these actions, and the page answers each with a new list:

- ``open {id}`` · ``new {}`` · ``search {q}`` (debounced; also with ``""``) · ``more {cursor}``
- ``rename {id, title}`` · ``delete {id}`` (already confirmed)
- ``imported {…}``: what the gateway answered to a file of conversations

Titles are hostile text: everything is escaped here, and the browser only ever reads them as text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from html import escape
from itertools import groupby
from urllib.parse import quote, urlencode

from ui.look.icons import draw_icon
from ui.texts import WARSAW, Texts, say_count, say_group, say_moment


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One conversation of the list; ``updated_at`` is aware."""

    conversation_id: str
    title: str
    updated_at: datetime
    is_busy: bool = False


def draw_list(
    texts: Texts,
    rows: Sequence[Row],
    *,
    today: date,
    is_more: bool = False,
    query: str = "",
    pages: int = 1,
) -> str:
    """Rows under headings of time, newest first, and where there ``is_more`` the button for it.

    ``today`` is the reader's; ``query`` and ``pages`` are what was looked for, and how far.
    """
    groups = groupby(rows, key=lambda row: say_group(texts, _day(row), today))
    drawn = "".join(_draw_group(texts, name, inside) for name, inside in groups)
    if not rows:
        drawn = (
            f'<p class="chats-none">{escape(texts.nothing_found if query else texts.no_chats)}</p>'
        )
    found = say_count(texts, texts.found, len(rows)) if query and rows else ""
    more = _draw_more(texts) if is_more else ""
    return _draw_rows(drawn + more, query, pages, {"data-found": found})


def draw_no_list(texts: Texts, *, query: str, pages: int) -> str:
    """What stands there as long as the list could never be read."""
    failed = f'<p class="chats-none">{escape(texts.chats_failed)}</p>'
    return _draw_rows(failed, query, pages, {"data-failed": "true"})


def draw_export(texts: Texts, conversation_id: str | None) -> str:
    """Links that download one conversation, or all of them, in each format."""
    path = f"conversations/{quote(conversation_id, safe='')}/" if conversation_id else ""
    return "".join(
        f'<li><a download href="/api/{path}export?{urlencode({"format": name})}">'
        f"{escape(label)}</a></li>"
        for name, label in texts.export_formats.items()
    )


def draw_frame(texts: Texts) -> str:
    """The frame around the list: logo, new chat, search, the list's place, and below it tools."""
    return (
        f'<nav id="sidebar" aria-label="{escape(texts.chats)}">'
        f'<div class="side-head">{_draw_brand(texts)}{_draw_close(texts)}</div>'
        f'<button type="button" class="button side-new" data-action="new">{draw_icon("plus")}'
        f"<span>{escape(texts.new_chat)}</span></button>"
        f'<div class="side-search">{draw_icon("search")}<input id="search" type="search" '
        f'aria-label="{escape(texts.search)}" placeholder="{escape(texts.search_placeholder)}" '
        'autocomplete="off" spellcheck="false" maxlength="200"></div>'
        f'<div id="chats" tabindex="-1"></div>{_draw_foot(texts)}</nav>'
    )


def _draw_rows(drawn: str, query: str, pages: int, more: Mapping[str, str]) -> str:
    wish = {"class": "chats-rows", "data-query": query, "data-pages": str(pages)}
    return f"<div {_attributes({**wish, **more})}>{drawn}</div>"


def _draw_group(texts: Texts, name: str, rows: Iterable[Row]) -> str:
    drawn = "".join(_draw_row(texts, row) for row in rows)
    return f'<section class="chats-group"><h2>{escape(name)}</h2><ul>{drawn}</ul></section>'


def _draw_row(texts: Texts, row: Row) -> str:
    title = " ".join(row.title.split()) or texts.untitled
    link = _attributes({
        "href": f"{texts.path}?{urlencode({'c': row.conversation_id})}",
        "title": f"{title}\n{say_moment(texts, row.updated_at)}",
        "data-action": "open",
    })
    classes = "chat chat-busy" if row.is_busy else "chat"
    return (
        f"<li {_attributes({'class': classes, 'data-id': row.conversation_id})}>"
        f"<a {link}><bdi>{escape(title)}</bdi></a>"
        f"{_draw_button('rename', 'pencil', texts.rename, title)}"
        f"{_draw_button('delete', 'trash', texts.delete, title)}</li>"
    )


def _draw_button(purpose: str, icon: str, label: str, title: str) -> str:
    words = _attributes({
        "class": "icon-button",
        "data-row": purpose,
        "aria-label": label,
        "aria-description": title,
        "title": label,
    })
    return f'<button type="button" {words}>{draw_icon(icon)}</button>'


def _draw_more(texts: Texts) -> str:
    words = _attributes({"class": "button chats-more", "data-action": "more"})
    return f'<button type="button" {words}>{escape(texts.load_more)}</button>'


def _draw_brand(texts: Texts) -> str:
    return (
        f'<a class="brand" href="{escape(texts.path)}">{draw_icon("mark")}'
        f"<span>{escape(texts.name)}</span></a>"
    )


def _draw_close(texts: Texts) -> str:
    label = escape(texts.close)
    return (
        f'<button type="button" id="close-chats" class="icon-button" aria-label="{label}" '
        f'title="{label}">{draw_icon("close")}</button>'
    )


def _draw_foot(texts: Texts) -> str:
    keys, other = escape(texts.keys), texts.other_language_code
    return (
        f'<div class="side-foot"><div class="side-row">{_draw_theme(texts)}'
        f'<button type="button" class="icon-button" data-dialog="keys" aria-label="{keys}" '
        f'title="{keys}">{draw_icon("keys")}</button></div><div class="side-tools">'
        f'<button type="button" class="quiet" popovertarget="export-all">{draw_icon("export")}'
        f"<span>{escape(texts.export_all)}</span></button>"
        f'<ul id="export-all" class="menu" popover>{draw_export(texts, None)}'
        f'<li><button type="button" id="import">{escape(texts.import_chats)}</button></li></ul>'
        '<input type="file" id="import-file" accept=".json,application/json" hidden>'
        f'<a class="quiet" href="{escape(texts.path.rstrip("/"))}/usage">{draw_icon("chart")}'
        f"<span>{escape(texts.account)}</span></a>"
        f'<a class="quiet" href="{escape(texts.other_path)}" lang="{other}" hreflang="{other}">'
        f"{draw_icon('globe')}<span>{escape(texts.other_language)}</span></a></div></div>"
    )


def _draw_theme(texts: Texts) -> str:
    choices = (
        ("light", "sun", texts.theme_light),
        ("dark", "moon", texts.theme_dark),
        ("system", "screen", texts.theme_system),
    )
    drawn = "".join(
        f'<label title="{escape(texts.theme)}: {escape(label)}">'
        f'<input type="radio" name="theme" value="{value}" aria-label="{escape(label)}">'
        f"{draw_icon(icon)}</label>"
        for value, icon, label in choices
    )
    return f'<div class="theme" role="radiogroup" aria-label="{escape(texts.theme)}">{drawn}</div>'


def _day(row: Row) -> date:
    return row.updated_at.astimezone(WARSAW).date()


def _attributes(values: Mapping[str, str]) -> str:
    """Attributes that have a value, without line breaks: an empty line would end the markup.

    Markdown ends a block of HTML there, so a break is written as a reference.
    """
    return " ".join(
        f'{name}="{escape(value).replace(chr(10), "&#10;").replace(chr(13), "")}"'
        for name, value in values.items()
        if value
    )
