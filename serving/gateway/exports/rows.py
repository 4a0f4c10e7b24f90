"""The rows of a table of conversations: one a message, one a tool call."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from chatbot.sanitizer import map_frame_characters
from chatbot.types import JsonObject, JsonValue
from serving.gateway.exports.entries import Entry, list_in, number_in, objects_in, text_in
from serving.gateway.exports.words import Language, Words

Cell: TypeAlias = str | int | datetime | None
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column; ``width`` in characters."""

    name: str
    polish: str
    english: str
    width: int = 14

    def header(self, language: Language) -> str:
        """What stands above it."""
        return self.polish if language == "pl" else self.english


COLUMNS: Final = (
    Column(name="conversation", polish="Rozmowa", english="Conversation", width=26),
    Column(name="title", polish="Tytuł", english="Title", width=30),
    Column(name="message", polish="Wiadomość", english="Message", width=26),
    Column(name="parent", polish="Odpowiada na", english="Answers", width=26),
    Column(name="time", polish="Czas (Warszawa)", english="Time (Warsaw)", width=20),
    Column(name="kind", polish="Rodzaj", english="Kind", width=20),
    Column(name="text", polish="Treść", english="Text", width=60),
    Column(name="route", polish="Trasa", english="Route", width=16),
    Column(name="reason", polish="Powód", english="Reason", width=18),
    Column(name="tool", polish="Narzędzie", english="Tool", width=18),
    Column(name="arguments", polish="Argumenty", english="Arguments", width=30),
    Column(name="raw_arguments", polish="Argumenty modelu", english="Model's arguments", width=30),
    Column(name="status", polish="Wynik", english="Result"),
    Column(name="error", polish="Błąd", english="Error", width=24),
    Column(name="verdict_ms", polish="Decyzja [ms]", english="Verdict [ms]"),
    Column(name="first_text_ms", polish="Pierwsze słowo [ms]", english="First word [ms]", width=18),
    Column(name="total_ms", polish="Całość [ms]", english="Total [ms]"),
    Column(name="router_in", polish="Tokeny routera, wejście", english="Router tokens, in"),
    Column(name="router_out", polish="Tokeny routera, wyjście", english="Router tokens, out"),
    Column(name="answer_in", polish="Tokeny odpowiedzi, wejście", english="Answer tokens, in"),
    Column(name="answer_out", polish="Tokeny odpowiedzi, wyjście", english="Answer tokens, out"),
    Column(name="phrase_in", polish="Tokeny redakcji, wejście", english="Phrase tokens, in"),
    Column(name="phrase_out", polish="Tokeny redakcji, wyjście", english="Phrase tokens, out"),
    Column(name="other_in", polish="Inne tokeny, wejście", english="Other tokens, in"),
    Column(name="other_out", polish="Inne tokeny, wyjście", english="Other tokens, out"),
    Column(name="estimated", polish="Tokeny oszacowane", english="Tokens estimated", width=18),
    Column(name="engines", polish="Silniki", english="Engines", width=30),
    Column(name="pictures", polish="Obrazy", english="Pictures", width=30),
    Column(name="sources", polish="Źródła", english="Sources", width=40),
    Column(name="parameters", polish="Parametry", english="Parameters", width=30),
    Column(name="rating", polish="Ocena", english="Rating"),
    Column(name="comment", polish="Komentarz", english="Comment", width=30),
    Column(name="state", polish="Stan", english="State"),
    Column(name="shown", polish="Pokazana", english="Shown"),
)
_OWN_TOKENS: Final = ("router", "answer", "phrase")
_OTHER: Final = "other"


def rows_of(entry: Entry, words: Words) -> Iterator[Row]:
    """The message's row, then one for each of its tool calls, in the order of `COLUMNS`."""
    shared = _shared(entry, words)
    yield _row(shared | (_question(entry) if _is_question(entry) else _answer(entry, words)))
    results = {text_in(part, "call_id"): part for part in entry.parts("tool_result")}
    for call in entry.parts("tool_call"):
        result = results.get(text_in(call, "call_id"), {})
        yield _row(shared | _call(call, result, words))


def as_text(value: JsonValue) -> str:
    """A JSON value on one line."""
    return json.dumps(value, ensure_ascii=False, default=dict)


def _row(cells: dict[str, Cell]) -> Row:
    return tuple(cells.get(column.name) for column in COLUMNS)


def _is_question(entry: Entry) -> bool:
    return entry.message.role == "user"


def _shared(entry: Entry, words: Words) -> dict[str, Cell]:
    message = entry.message
    return {
        "conversation": message.conversation_id,
        "title": entry.conversation.title,
        "message": message.message_id,
        "parent": message.parent,
        "time": message.created_at,
        "kind": words.value("question" if _is_question(entry) else "answer"),
        "shown": words.value("yes" if entry.is_shown else "no"),
    }


def _question(entry: Entry) -> dict[str, Cell]:
    return {"text": entry.text}


def _answer(entry: Entry, words: Words) -> dict[str, Cell]:
    message, route = entry.message, entry.part("route")
    return {
        "text": entry.text,
        "route": words.value(text_in(route, "decision") or None),
        "reason": text_in(route, "reason") or None,
        "tool": ", ".join(map(str, list_in(route, "tools"))) or None,
        "error": None if message.error is None else text_in(message.error, "code"),
        "verdict_ms": number_in(route, "verdict_ms"),
        "first_text_ms": message.first_text_ms,
        "total_ms": message.total_ms,
        **_tokens(entry, words),
        "pictures": "; ".join(text_in(one, "alt") for one in entry.parts("image")) or None,
        "sources": "\n".join(map(name_source, entry.parts("attribution"))) or None,
        "parameters": as_text(message.parameters) if message.parameters else None,
        "rating": words.value(message.rating),
        "comment": message.comment,
        "state": words.value(message.state),
    }


def _given(result: JsonObject) -> str:
    """What a tool gave, as it came from wherever it asked."""
    return text_in(result, "plain") or text_in(result, "content")


def _call(call: JsonObject, result: JsonObject, words: Words) -> dict[str, Cell]:
    return {
        "kind": words.value("call"),
        "text": map_frame_characters(_given(result)) or None,
        "tool": text_in(call, "name"),
        "arguments": as_text(call.get("arguments")),
        "raw_arguments": as_text(call.get("raw_arguments")),
        "status": words.value(text_in(result, "status") or None),
        "error": text_in(result, "error") or None,
        "total_ms": number_in(result, "ms"),
    }


def _tokens(entry: Entry, words: Words) -> dict[str, Cell]:
    """Tokens summed by the role of the engine call; what was drawn or tried is "other"."""
    legs = tuple(objects_in(entry.part("usage"), "legs"))
    if not legs:
        return {}
    sums: dict[str, Cell] = {}
    for leg in legs:
        role = text_in(leg, "role")
        group = role if role in _OWN_TOKENS else _OTHER
        for end, field in (("in", "prompt_tokens"), ("out", "completion_tokens")):
            name = f"{group}_{end}"
            before = sums.get(name)
            sums[name] = (before if isinstance(before, int) else 0) + (number_in(leg, field) or 0)
    engines = dict.fromkeys(
        f"{words.value(text_in(leg, 'role'))}: {text_in(leg, 'engine')}" for leg in legs
    )
    is_estimated = any(text_in(leg, "source") == "estimate" for leg in legs)
    return {
        **sums,
        "engines": "; ".join(engines),
        "estimated": words.value("yes" if is_estimated else "no"),
    }


def name_source(part: JsonObject) -> str:
    """A source on one line: name, title, licence, address."""
    title = text_in(part, "title")
    told = (
        text_in(part, "source"),
        f"„{title}”" if title else "",
        text_in(part, "licence"),
        text_in(part, "url"),
    )
    return ", ".join(filter(None, told))
