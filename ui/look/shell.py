"""The page's frame as static HTML: everything but the conversation itself."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final

from ui.look.icons import draw_icon
from ui.parameters import draw_form
from ui.sidebar import draw_export, draw_frame
from ui.texts import Texts

COMMENT_CHARS: Final = 2000
"""Longest words beside a rating, as docs/chat-api.md says."""

ACCOUNT: Final = "account"
"""The gateway's page for whoever is signed in."""
NOTICES: Final[Mapping[str, Callable[[Texts], str]]] = MappingProxyType({
    "privacy": lambda texts: texts.privacy,
    "accessibility": lambda texts: texts.accessibility,
    ACCOUNT: lambda texts: texts.sign_out,
})
"""Pages at the gateway that the page links to, by their paths; what a link to each says."""


def draw_opening(texts: Texts) -> str:
    """What stands before Gradio's part of the page: list of chats, heading, begin of the room."""
    return (
        f'<a class="skip" href="#message">{escape(texts.skip_to_message)}</a>'
        f'<div id="frame">{draw_frame(texts)}<div id="veil"></div><div id="stage">'
        f'{_draw_top(texts)}<div id="room">'
        f"{_draw_greeting(texts)}"
    )


def draw_closing(texts: Texts, notices: Sequence[str] = ()) -> str:
    """What stands behind it: the line about AI, links to ``notices``, dialogs, the live region."""
    return (
        f'<button type="button" id="to-bottom" class="round" hidden>{draw_icon("down")}'
        f"<span>{escape(texts.to_bottom)}</span></button></div>"
        f'<footer class="ai-line"><p>{escape(texts.ai_line)}</p>'
        f"{_draw_notices(texts, notices)}</footer></div></div>"
        f"{draw_form(texts)}{_draw_confirm(texts)}{_draw_opinion(texts)}{_draw_picture(texts)}"
        f"{_draw_keys(texts)}"
        '<div id="status" role="status" aria-live="polite" class="unseen"></div>'
        '<div id="notice" aria-hidden="true" hidden></div>'
        f"<noscript>{escape(texts.page_failed)}</noscript>"
    )


def _draw_notices(texts: Texts, notices: Sequence[str]) -> str:
    links = (_draw_link(texts, name) for name in NOTICES if name in notices)
    told = " · ".join(links)
    return f'<p class="notices">{told}</p>' if told else ""


def _draw_link(texts: Texts, name: str) -> str:
    """In a tab of its own, but for the account's, which may end this one's session."""
    says = escape(NOTICES[name](texts))
    if name == ACCOUNT:
        return f'<a href="/{name}">{says}</a>'
    hint = f'<span class="unseen"> ({escape(texts.new_tab)})</span>'
    return f'<a href="/{name}" target="_blank">{says}{hint}</a>'


def _draw_top(texts: Texts) -> str:
    settings, export = escape(texts.settings), escape(texts.export)
    return (
        '<header id="top">'
        '<button type="button" id="open-chats" class="quiet" aria-controls="sidebar" '
        f'aria-expanded="false">{draw_icon("menu")}<span>{escape(texts.chats)}</span></button>'
        f'<h1 id="title"><span class="unseen">{escape(texts.name)}: </span>'
        f'<bdi id="title-text">{escape(texts.new_chat)}</bdi></h1>'
        f'<button type="button" class="quiet top-new" data-action="new">{draw_icon("plus")}'
        f"<span>{escape(texts.new_chat)}</span></button>"
        '<button type="button" class="quiet" id="export-open" popovertarget="export-one" hidden>'
        f"{draw_icon('export')}<span>{export}</span></button>"
        f'<ul id="export-one" class="menu" popover>{draw_export(texts, "ID")}</ul>'
        '<button type="button" class="quiet" data-dialog="settings">'
        f"{draw_icon('sliders')}<span>{settings}</span></button></header>"
    )


def _draw_greeting(texts: Texts) -> str:
    return (
        f'<section id="greeting" aria-labelledby="greeting-title"><div>'
        f'<h2 id="greeting-title">{escape(texts.greeting)}</h2>'
        f"<p>{escape(texts.greeting_hint)}</p>"
        f'<p class="suggestions-title" id="suggestions-title">{escape(texts.suggestions)}</p>'
        '<ul id="suggestions" aria-labelledby="suggestions-title"></ul></div></section>'
    )


def _draw_confirm(texts: Texts) -> str:
    return (
        '<dialog id="confirm" role="alertdialog" aria-labelledby="confirm-title" '
        'aria-describedby="confirm-text"><form method="dialog">'
        f'<h2 id="confirm-title">{escape(texts.delete_question)}</h2>'
        f'<p id="confirm-text" data-words="{escape(texts.delete_warning)}"></p>'
        '<div class="dialog-foot">'
        f'<button type="submit" value="" class="button">{escape(texts.cancel)}</button>'
        '<button type="submit" value="yes" class="button danger">'
        f"{escape(texts.delete_confirm)}</button></div></form></dialog>"
    )


def _draw_opinion(texts: Texts) -> str:
    return (
        '<dialog id="opinion" aria-labelledby="opinion-title"><form method="dialog">'
        f'<h2 id="opinion-title">{escape(texts.feedback_thanks)}</h2>'
        f'<div class="field"><label for="opinion-text">{escape(texts.feedback_comment)}</label>'
        f'<textarea id="opinion-text" rows="3" maxlength="{COMMENT_CHARS}"></textarea></div>'
        '<div class="dialog-foot">'
        f'<button type="submit" value="" class="button">{escape(texts.feedback_skip)}</button>'
        f'<button type="submit" value="yes" class="button primary">{escape(texts.feedback_send)}'
        "</button></div></form></dialog>"
    )


def _draw_picture(texts: Texts) -> str:
    close = escape(texts.close)
    return (
        f'<dialog id="picture" aria-label="{escape(texts.picture)}"><form method="dialog">'
        '<img id="picture-full" alt=""><div class="dialog-foot"><p id="picture-words"></p>'
        '<a id="picture-download" class="button" download>'
        f"{escape(texts.picture_download)}</a>"
        f'<button type="submit" value="" class="button">{close}</button></div></form></dialog>'
    )


def _draw_keys(texts: Texts) -> str:
    close = escape(texts.close)
    rows = "".join(
        f"<div><dt>{_draw_chord(chord)}</dt><dd>{escape(does)}</dd></div>"
        for chord, does in texts.keys_list
    )
    return (
        '<dialog id="keys" aria-labelledby="keys-title"><form method="dialog">'
        f'<div class="dialog-head"><h2 id="keys-title">{escape(texts.keys)}</h2>'
        f'<button type="submit" value="" class="icon-button" aria-label="{close}" '
        f'title="{close}">{draw_icon("close")}</button></div><dl>{rows}</dl></form></dialog>'
    )


def _draw_chord(chord: str) -> str:
    return "<span>+</span>".join(f"<kbd>{escape(key)}</kbd>" for key in chord.split("+"))
