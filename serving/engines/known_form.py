"""The form that a server's events have, learnt from one of them: the next ones need no parsing.

Servers write event after event that differ in one text alone. Once one has been parsed, all before
and all behind that text is known; another event that begins and ends so, with one JSON string in
between, means the same with another text. That is proved when the form is learnt and checked at
each event, never guessed: what does not fit is parsed whole.
"""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final, cast

from pydantic_core import from_json

from serving.engines.deltas import choices_of, index_of
from serving.engines.events import EVENT_END, PREFIX, read_object

_CONTENT: Final = "content"
_FIELDS: Final = (_CONTENT, "reasoning_content", "reasoning")
_TEXTS: Final = {
    field: re.compile(rb'"%b"[ ]?:[ ]?("(?:[^"\\]|\\.)*")' % field.encode()) for field in _FIELDS
}

_PLAIN: Final = re.compile(rb"[ !#-\[\]-~]*")
"""Text that stands in JSON as it is, and is ASCII."""
_LINE_END: Final = b"\r\n"
_LONGEST_SIZE: Final = 10
_PROBE: Final = "probe"
_TRIES: Final = 8
"""How often a form is learnt in vain before parsing is what the stream is left to."""
_LONGEST: Final = 4_096
"""The longest event that is worth learning from, in bytes."""
_SIZE: Final = re.compile(rb"[1-9a-f][0-9a-f]*\r\n")
_MOST_SIZES: Final = 64
"""How many first lines of chunks are remembered."""
_PLACES: Final = 4
"""In how many places of an event the text is looked for."""


class KnownForm:
    """Reads the text of events of the form last learnt; see the module.

    ``is_reasoning``: the text is the model's reasoning.
    """

    __slots__ = ("_after", "_before", "_chunk_end", "_sizes", "_tries", "is_reasoning")

    def __init__(self) -> None:
        """Know nothing yet."""
        self.is_reasoning = False
        self._before = self._after = self._chunk_end = b""
        self._sizes: dict[bytes, int] = {}
        self._tries = _TRIES

    def learn(self, event: bytes, chunk: Mapping[str, object]) -> None:
        """Take the form of an event that has been parsed, if it is one of text and nothing else."""
        if self._tries == 0 or len(event) > _LONGEST or b"\n" in event or b"\r" in event:
            return
        if (field := _find_field(chunk)) is None:
            return
        self._tries -= 1
        if (form := _find_form(event, chunk, field)) is not None:
            self._before, self._after = PREFIX + form[0], form[1] + EVENT_END
            self._chunk_end = self._after + _LINE_END
            self.is_reasoning = field != _CONTENT

    def read(self, piece: bytes) -> str | None:
        """The text of the events that ``piece`` holds, whole and one after the other.

        ``None``: they are not all of the known form.
        """
        before, after = self._before, self._after
        if not (before and piece.startswith(before) and piece.endswith(after)):
            return None
        try:
            text = from_json(piece[len(before) - 1 : 1 - len(after)])
        except ValueError:
            return self._read_several(piece)
        self._tries = _TRIES
        return text if isinstance(text, str) else None

    def measure_chunks(self, chunks: bytes) -> int | None:
        """The UTF-8 bytes of the text of whole events, each in one chunk of HTTP (RFC 9112, 7.1).

        ``None``: they are not exactly that, with their sizes in the plain form.
        """
        before, after = self._before, self._chunk_end
        if not before:
            return None
        at = size = 0
        while at < len(chunks):
            start = chunks.find(_LINE_END, at, at + _LONGEST_SIZE) + 2
            length = self._sizes.get(head := chunks[at:start]) or self._read_size(head)
            at = start + length
            begin, stop = start + len(before), at - len(after)
            if not (
                begin <= stop
                and chunks.startswith(before, start)
                and chunks.startswith(after, stop)
            ):
                return None
            if _PLAIN.fullmatch(chunks, begin, stop) is not None:
                size += stop - begin
            elif (said := _read_text(chunks[begin:stop])) is not None:
                size += len(said.encode())
            else:
                return None
        return size

    def _read_size(self, head: bytes) -> int:
        """How long a chunk with that first line is, the line end behind it included; 0: none."""
        if _SIZE.fullmatch(head) is None:
            return 0
        if len(self._sizes) >= _MOST_SIZES:
            self._sizes.clear()
        length = self._sizes[head] = int(head, 16) + len(_LINE_END)
        return length

    def _read_several(self, piece: bytes) -> str | None:
        *events, _ = piece.split(EVENT_END)
        if len(events) == 1:
            return None
        texts: list[str] = []
        for event in events:
            if (text := self.read(event + EVENT_END)) is None:
                return None
            texts.append(text)
        return "".join(texts)


def _read_text(text: bytes) -> str | None:
    """What stands between the quotes of a JSON string, or nothing where it is none."""
    try:
        said: str = from_json(b'"%b"' % text)
    except ValueError:
        return None
    return said


def _find_field(chunk: Mapping[str, object]) -> str | None:
    """The one field of the first choice's delta that holds text, where nothing else is told."""
    choices = choices_of(chunk)
    if len(choices) != 1 or chunk.get("error") or chunk.get("usage") is not None:
        return None
    delta = choices[0].get("delta")
    if choices[0].get("finish_reason") or not isinstance(delta, Mapping):
        return None
    fields = [field for field in _FIELDS if delta.get(field)]
    if len(fields) != 1 or not isinstance(delta[fields[0]], str):
        return None
    says_more = delta.get("tool_calls") or delta.get("refusal")
    has_more = says_more or choices[0].get("token_ids") or index_of(choices[0])
    return None if has_more else fields[0]


def _find_form(event: bytes, chunk: Mapping[str, object], field: str) -> tuple[bytes, bytes] | None:
    """What stands before and behind the text, its quotes included: put another one in, and see."""
    choice = choices_of(chunk)[0]
    delta = cast("Mapping[str, object]", choice["delta"])
    wanted = {**chunk, "choices": [{**choice, "delta": {**delta, field: _PROBE}}]}
    for found in islice(_TEXTS[field].finditer(event), _PLACES):
        before, after = event[: found.start(1)] + b'"', b'"' + event[found.end(1) :]
        if read_object(before + _PROBE.encode() + after) == wanted:
            return before, after
    return None
