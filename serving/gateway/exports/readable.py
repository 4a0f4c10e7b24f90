"""Conversations as Markdown: what the page shows of them, to be read."""

from collections.abc import Iterator, Sequence
from typing import Final

from chatbot.sanitizer import Guard, closing_of, map_frame_characters
from chatbot.types import JsonObject
from serving.gateway.exports.cleaning import remove_unwritable
from serving.gateway.exports.entries import Entry, number_in, text_in
from serving.gateway.exports.rows import name_source
from serving.gateway.exports.words import Words

_NAME: Final = "Zwrotnica"
_FAILED: Final = frozenset({"failed", "cancelled"})


class Readable:
    """Implements `formats.Writer`: the branch that is shown, with calls and sources.

    All of it passes one output guard, the users' words too: whatever a reader opens it with fetches
    nothing and runs nothing. What a message leaves open is closed before the next one.
    """

    def __init__(self, words: Words) -> None:
        """Nothing is written yet."""
        self._words = words
        self._guard = Guard()
        self._conversation: str | None = None

    def add(self, entries: Sequence[Entry]) -> bytes:
        """The shown messages among ``entries``."""
        shown = [block for entry in entries if entry.is_shown for block in self._blocks(entry)]
        text = "".join(f"{remove_unwritable(block)}\n\n" for block in shown)
        return self._guard.feed(text).encode()

    def finish(self) -> Iterator[bytes]:
        """What the guard held back."""
        yield self._guard.finish().encode()

    def close(self) -> None:
        """Nothing is held."""

    def _blocks(self, entry: Entry) -> Iterator[str]:
        """The paragraphs of one message; a conversation begins with its title."""
        words, message = self._words, entry.message
        if entry.conversation.conversation_id != self._conversation:
            self._conversation = entry.conversation.conversation_id
            yield f"# {_line(entry.conversation.title) or words.untitled}"
        who = words.you if message.role == "user" else _NAME
        yield f"## {who} · {words.say_time(message.created_at)}"
        results = {text_in(part, "call_id"): part for part in entry.parts("tool_result")}
        for call in entry.parts("tool_call"):
            yield self._call(call, results.get(text_in(call, "call_id"), {}))
        if text := entry.text.strip("\n"):
            yield text + closing_of(text)
        for image in entry.parts("image"):
            yield f"*{words.picture}: {_line(text_in(image, 'alt'))}*"
        if message.state == "incomplete":
            yield f"*{words.incomplete}*"
        if sources := [_line(name_source(part)) for part in entry.parts("attribution")]:
            yield "\n".join((f"{words.sources}:\n", *(f"- {one}" for one in sources)))

    def _call(self, call: JsonObject, result: JsonObject) -> str:
        summary = _line(text_in(call, "summary") or text_in(call, "name"))
        told = [f"> **{summary}**"]
        if (status := text_in(result, "status")) in _FAILED:
            told.append(self._words.value(status) or status)
        if (milliseconds := number_in(result, "ms")) is not None:
            told.append(self._words.say_seconds(milliseconds))
        return " · ".join(told)


def _line(text: str) -> str:
    """``text`` on one line."""
    return " ".join(map_frame_characters(text).split())
