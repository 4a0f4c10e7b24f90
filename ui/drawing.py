"""A conversation as messages of Gradio's chatbot: Markdown of answers, and markup of our own.

Gradio's sanitizer leaves ``class``, ``id``, ``title`` and ``role`` in our markup and drops
``data-*`` and ``aria-*``; so a button carries what it does in its id, ``zw:ACTION:…``, and its
name as text. Our markup is one HTML block: no blank line in it, every foreign text escaped.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, TypeAlias, assert_never
from urllib.parse import urlsplit

from ui.client import LOST, UNREACHABLE
from ui.conversation import (
    DEFAULT_TRACK,
    NEW_ANSWER,
    NEW_QUESTION,
    Answer,
    Call,
    ConversationView,
    Failure,
    Item,
    Picture,
    Question,
    Shown,
    Source,
    Words,
)
from ui.fields import JsonObject, text_of, texts_of
from ui.formulas import mark_formulas, split_blocks, without_marks
from ui.texts import (
    Texts,
    say_duration,
    say_error,
    say_moment,
    say_not_about,
    say_tool,
)

DrawnMessage: TypeAlias = dict[str, object]
"""A message in the form in which Gradio sends it to the browser."""

_WEB: Final = frozenset({"http", "https"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """A tool that a question can be sent to instead."""

    name: str
    title: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """Draws in the words of one language, knowing the tools there are."""

    texts: Texts
    tools: tuple[Tool, ...] = field(default=())

    def conversation(self, view: ConversationView) -> list[DrawnMessage]:
        """The shown branch."""
        return [drawn for shown in view.branch for drawn in self.message(shown)]

    def message(self, shown: Shown) -> list[DrawnMessage]:
        """One message with its controls."""
        match shown.message:
            case Question() as question:
                return [_as_message("user", [self._question(question, shown)])]
            case Answer() as answer:
                return [_as_message("assistant", self._answer(answer, shown))]
            case _:
                assert_never(shown.message)

    def _question(self, question: Question, shown: Shown) -> str:
        text = f'<div class="zw-said">{_inert(question.text)}</div>'
        controls = (
            *self._versions(shown),
            self._button("edit", question.message_id, self.texts.edit),
        )
        return (
            f'<div class="zw-user">{text}<div class="zw-controls">{"".join(controls)}</div></div>'
        )

    def _answer(self, answer: Answer, shown: Shown) -> list[str]:
        is_growing = answer.state == "running"
        pieces = [piece for item in answer.items for piece in self._item(item, answer, is_growing)]
        if not answer.is_routed:
            pieces.append(self._waiting(self.texts.status_reading))
        elif is_growing and not _is_telling(answer.items):
            pieces.append(self._waiting(self.texts.status_writing))
        pieces += self._notes(answer)
        if answer.sources:
            pieces.append(self._sources(answer.sources))
        if not is_growing and answer.message_id != NEW_ANSWER:
            pieces.append(self._controls(answer, shown))
        return pieces

    def _item(self, item: Item, answer: Answer, is_growing: bool) -> Iterable[str]:
        match item:
            case Words(channel="reasoning"):
                yield self._reasoning(item, answer)
            case Words() if _is_told_by_a_card(item, answer):
                return
            case Words():
                is_last = is_growing and item is answer.items[-1]
                yield from split_blocks(mark_formulas(item.text, is_growing=is_last))
            case Call():
                yield self._card(item, answer)
            case Picture():
                yield self._picture(item)
            case _:
                assert_never(item)

    # --- tool calls ----------------------------------------------------------------------------

    def _card(self, call: Call, answer: Answer) -> str:
        head = (
            f'<div class="zw-card-head"><span class="zw-card-mark"></span>'
            f'<span class="zw-card-title">{_inert(self._title(call))}</span>'
            f'<span class="zw-card-state">{_inert(self._state(call))}</span></div>'
        )
        body = "".join((*self._progress(call), *self._outcome(call), self._details(call, answer)))
        reroute = "" if answer.state == "running" else self._reroute(call, answer)
        return f'<div class="zw-card zw-card-{call.status}">{head}{body}{reroute}</div>'

    def _title(self, call: Call) -> str:
        return call.summary or say_tool(self.texts, call.tool, call.title)

    def _state(self, call: Call) -> str:
        match call.status:
            case "running":
                return self.texts.card_running
            case "ok":
                return say_duration(self.texts, call.ms)
            case "failed":
                return self.texts.card_failed
            case "cancelled":
                return self.texts.card_cancelled
            case _:
                assert_never(call.status)

    def _progress(self, call: Call) -> Iterable[str]:
        if call.status != "running":
            return
        if call.steps:
            words = self.texts.picture_step.format(step=call.step, of=call.steps)
            yield (
                f'<div class="zw-card-progress"><progress value="{call.step}" max="{call.steps}">'
                f"</progress><span>{_inert(words)}</span></div>"
            )
        elif call.progress or call.fraction is not None:
            value = "" if call.fraction is None else f' value="{call.fraction:.3f}"'
            yield (
                f'<div class="zw-card-progress"><progress{value} max="1"></progress>'
                f"<span>{_inert(call.progress)}</span></div>"
            )

    def _outcome(self, call: Call) -> Iterable[str]:
        if call.error:
            yield f'<p class="zw-card-error">{_inert(call.error)}</p>'
        for notice in call.notices:
            yield f'<p class="zw-card-notice">{_inert(notice)}</p>'

    def _details(self, call: Call, answer: Answer) -> str:
        parts = [(self.texts.card_arguments, call.arguments)]
        if call.raw_arguments and call.raw_arguments != call.arguments:
            parts.append((self.texts.card_raw_arguments, call.raw_arguments))
        listed = "".join(
            f'<div class="zw-card-label">{_inert(label)}</div><pre>{_inert(_as_json(value))}</pre>'
            for label, value in parts
        )
        summary = f"<summary>{_inert(self.texts.card_details)}</summary>"
        return (
            f'<details class="zw-card-details" {_fold(answer, call.call_id)}>{summary}'
            f"<code>{_inert(call.tool)}</code>{listed}</details>"
        )

    def _reroute(self, call: Call, answer: Answer) -> str:
        words = say_not_about(self.texts, call.tool, call.title)
        others = "".join(
            self._button("force", f"{answer.message_id}:{tool.name}", tool.title)
            for tool in self._other_tracks(call.tool)
        )
        choose = f"<summary>{_inert(self.texts.choose_other)}</summary>"
        return (
            f'<div class="zw-reroute">'
            f"{self._button('force', f'{answer.message_id}:{DEFAULT_TRACK}', words)}"
            f'<details class="zw-menu" {_fold(answer, f"{call.call_id}:menu")}>{choose}'
            f'<div class="zw-menu-items">{others}</div></details></div>'
        )

    def _other_tracks(self, tool: str) -> Iterable[Tool]:
        for other in self.tools:
            if other.name != tool:
                title = say_tool(self.texts, other.name, other.title)
                words = self.texts.answer_with.format(title=title)
                yield Tool(name=other.name, title=words)

    # --- what stands beside the words ----------------------------------------------------------

    def _reasoning(self, words: Words, answer: Answer) -> str:
        summary = f"<summary>{_inert(self.texts.reasoning)}</summary>"
        return (
            f'<details class="zw-reasoning" {_fold(answer, "reasoning")}>{summary}'
            f"<div>{_inert(words.text)}</div></details>"
        )

    def _picture(self, picture: Picture) -> str:
        if not picture.path:
            return f'<p class="zw-note">{_inert(self.texts.picture_gone)}</p>'
        name, url = _id(picture.image_id), escape(picture.path)
        alt = _inert(picture.alt or self.texts.picture)
        size = f'width="{picture.width}" height="{picture.height}"'
        return (
            f'<figure class="zw-picture"><button type="button" class="zw-picture-open" '
            f'id="zw:view:{name}" title="{_inert(self.texts.picture_open)}">'
            f'<img class="zw-image-{name}" src="{url}" alt="{alt}" loading="lazy" {size}></button>'
            f"<figcaption><span>{_inert(self.texts.picture_by_ai)}</span>"
            f'<a class="zw-image-{name}" href="{url}" download="{name}.png">'
            f"{_inert(self.texts.picture_download)}</a></figcaption></figure>"
        )

    def _sources(self, sources: Sequence[Source]) -> str:
        badges = "".join(self._badge(source) for source in dict.fromkeys(sources))
        label = _inert(self.texts.sources)
        return f'<div class="zw-sources"><span class="zw-label">{label}</span>{badges}</div>'

    def _badge(self, source: Source) -> str:
        name = source.source + (f" · {source.title}" if source.title else "")
        words = f'<span class="zw-badge-name">{_inert(name)}</span>'
        if source.licence:
            words += f'<span class="zw-badge-licence">{_inert(source.licence)}</span>'
        when = source.retrieved_at and say_moment(self.texts, source.retrieved_at)
        title = f' title="{_inert(self.texts.retrieved.format(when=when))}"' if when else ""
        if source.url and urlsplit(source.url).scheme in _WEB:
            link = f'href="{escape(source.url)}" target="_blank" rel="noopener noreferrer"'
            return f'<a class="zw-badge" {link}{title}>{words}</a>'
        return f'<span class="zw-badge"{title}>{words}</span>'

    def _notes(self, answer: Answer) -> Iterable[str]:
        if note := self.texts.route_notes.get(answer.reason):
            yield f'<p class="zw-note">{_inert(note)}</p>'
        if answer.failure:
            yield self._failure(answer.failure, answer)
        elif answer.finish_reason == "length":
            yield f'<p class="zw-note">{_inert(self.texts.cut_short)}</p>'
        elif answer.state == "incomplete":
            yield f'<p class="zw-note">{_inert(self.texts.incomplete)}</p>'

    def _failure(self, failure: Failure, answer: Answer) -> str:
        words = say_failure(self.texts, failure.code, failure.message)
        number = self.texts.error_id.format(id=failure.request_id) if failure.request_id else ""
        shown = f' <span class="zw-error-id">{_inert(number)}</span>' if number else ""
        return f'<div class="zw-error"><p>{_inert(words)}{shown}</p>{self._retry(answer)}</div>'

    def _retry(self, answer: Answer) -> str:
        """The way on after a failure: answer again, or send again what was never taken."""
        if answer.message_id != NEW_ANSWER:
            return self._button("again", answer.message_id, self.texts.try_again)
        if answer.parent == NEW_QUESTION:
            return self._button("resend", NEW_QUESTION, self.texts.try_again)
        return self._button("again", answer.parent or "", self.texts.try_again)

    def _waiting(self, words: str) -> str:
        return f'<p class="zw-waiting"><span class="zw-dots"></span>{_inert(words)}</p>'

    # --- controls ------------------------------------------------------------------------------

    def _controls(self, answer: Answer, shown: Shown) -> str:
        good = "zw-is-on" if answer.rating == "up" else ""
        bad = "zw-is-on" if answer.rating == "down" else ""
        buttons = (
            *self._versions(shown),
            self._button("copy", answer.message_id, self.texts.copy),
            self._button("again", answer.message_id, self.texts.regenerate),
            self._button("up", answer.message_id, self.texts.good_answer, good),
            self._button("down", answer.message_id, self.texts.bad_answer, bad),
        )
        return f'<div class="zw-controls">{"".join(buttons)}</div>'

    def _versions(self, shown: Shown) -> Iterable[str]:
        if len(shown.versions) < 2:  # noqa: PLR2004 - a single version has no neighbours
            return
        count, number = len(shown.versions), shown.number
        before = shown.versions[max(number - 2, 0)]
        after = shown.versions[min(number, count - 1)]
        words = self.texts.version.format(number=number, count=count)
        texts, is_first, is_last = self.texts, number == 1, number == count
        yield self._button("show", before, texts.previous_version, "zw-previous", is_off=is_first)
        yield f'<span class="zw-version">{_inert(words)}</span>'
        yield self._button("show", after, texts.next_version, "zw-next", is_off=is_last)

    def _button(
        self, action: str, target: str, words: str, look: str = "", *, is_off: bool = False
    ) -> str:
        state = " disabled" if is_off else ""
        return (
            f'<button type="button" class="zw-button zw-{action} {look}" '
            f'id="zw:{action}:{_inert(target)}" title="{_inert(words)}"{state}>'
            f"<span>{_inert(words)}</span></button>"
        )


def say_failure(texts: Texts, code: str, message: str) -> str:
    """What a reader gets for an error of the gateway, or of the way to it."""
    own = {UNREACHABLE: texts.error_unreachable, LOST: texts.error_lost}
    return own.get(code) or say_error(texts, code, message)


def read_tools(listed: Iterable[JsonObject]) -> tuple[Tool, ...]:
    """The tools that `Gateway.tools` told of."""
    return tuple(
        Tool(
            name=text_of(fields, "name"),
            title=text_of(fields, "title"),
            examples=texts_of(fields, "examples"),
        )
        for fields in listed
    )


def _as_message(role: str, pieces: Iterable[str]) -> DrawnMessage:
    content = [{"type": "text", "text": piece} for piece in pieces]
    return {"role": role, "metadata": None, "content": content, "options": None}


def _fold(answer: Answer, part: str) -> str:
    """The name by which `conversation.js` unfolds a part again that was drawn anew."""
    return f'id="zw-fold:{_inert(answer.message_id)}:{_inert(part)}"'


def _is_told_by_a_card(words: Words, answer: Answer) -> bool:
    """Whether these are, or are becoming, the words of a failed call, which its card shows."""
    text, is_growing = words.text.strip(), answer.state == "running"
    errors = (item.error.strip() for item in answer.items if isinstance(item, Call) and item.error)
    return any(text == error or (is_growing and error.startswith(text)) for error in errors)


def _is_telling(items: Sequence[Item]) -> bool:
    """Whether the end of an unfinished answer shows by itself that something goes on."""
    match items[-1] if items else None:
        case Words(channel="answer"):
            return True
        case Call(status="running"):
            return True
        case _:
            return False


def _as_json(value: JsonObject) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _inert(text: str) -> str:
    """Text that stays text: escaped, in one line, so that no Markdown begins in it."""
    lines = without_marks(text).replace("\r\n", "\n").replace("\r", "\n")
    return escape(lines).replace("\n", "&#10;")


def _id(text: str) -> str:
    """An id as a part of a class or an id: letters, digits, ``-`` and ``_``."""
    return "".join(
        letter for letter in text if letter.isascii() and (letter.isalnum() or letter in "-_")
    )
