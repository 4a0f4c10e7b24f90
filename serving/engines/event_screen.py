"""Applies the operator's rules to a reply that passes through, parsing only what they concern."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from pydantic_core import from_json

from chatbot.errors import SensitiveContent
from chatbot.sanitizer.sensitive import Rule, Safety, Screen, screen_json
from serving.engines.deltas import TEXT_FIELDS, choices_of, index_of
from serving.engines.events import EVENT_END, PREFIX, Chunk
from serving.engines.readable import Object, readable_reply

_CONTENT: Final = "content"
_REASONING: Final = "reasoning_content"
_TEXTS: Final = ((_CONTENT,), (_REASONING, "reasoning"), ("refusal",))


class EventScreen:
    """Screens every choice and every kind of text of one reply by itself.

    Text is held back only while it may become a match. The arguments of a tool call are held until
    the choice has finished: only then they can be read. What no rule can read is left out.
    ``refusal`` is the error that the reply ends with where a rule forbids it; what stood before
    that has been given.
    """

    def __init__(self, safety: Safety) -> None:
        """Nothing has been said yet."""
        self.refusal: SensitiveContent | None = None
        self._rules: Sequence[Rule] = safety.outgoing
        self._safety = safety
        self._screens: dict[tuple[int, str], Screen] = {}
        self._arguments: dict[int, dict[int, list[str]]] = {}
        self._names: dict[tuple[int, str], list[str]] = {}
        self._last: Mapping[str, object] = {}
        self._is_readable = True

    def pass_text(self, events: bytes, text: str, *, is_reasoning: bool) -> bytes:
        """Events of the first choice that hold ``text`` and tell nothing else.

        As long as no rule is concerned they pass as they are, unparsed. All else in them stood in
        an event that was parsed, so it may pass while each of those could be read whole.
        """
        shown = self._feed(0, _REASONING if is_reasoning else _CONTENT, text)
        if shown == text and self._is_readable:
            return events
        if not shown:
            return b""
        last = events.removesuffix(EVENT_END).rpartition(EVENT_END)[2].removeprefix(PREFIX)
        chunk = self._read(from_json(last))
        choice = choices_of(chunk)[0]
        said = cast("Object", choice["delta"])
        delta = {
            field: shown if field in TEXT_FIELDS and value else value
            for field, value in said.items()
        }
        return PREFIX + _encode({**chunk, "choices": [{**choice, "delta": delta}]}) + EVENT_END

    def screen(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks as the client may see them; one in which nothing changes stays as it is."""
        shown: list[Chunk] = []
        for text, chunk in chunks:
            if self.refusal is not None:
                break
            known = self._read(chunk)
            screened = (
                {**known, "choices": list(self._choices(known))} if choices_of(known) else known
            )
            if self.refusal is not None and not _has_text(screened):
                break
            shown.append((text, chunk) if screened == chunk else (_encode(screened), screened))
        return shown

    def finish(self) -> list[Chunk]:
        """What is still held back where the engine ended without finishing its choices."""
        rest: list[Chunk] = []
        for index in sorted({*(owner for owner, _ in self._screens), *self._arguments}):
            delta: Object = {}
            self._close(index, delta)
            if delta:
                choice = {"index": index, "delta": delta, "finish_reason": None}
                chunk = {**self._last, "choices": [choice], "usage": None}
                rest.append((_encode(chunk), chunk))
        return rest

    def report(self) -> None:
        """Tell the log what was found; call it once, at the end."""
        for screen in self._screens.values():
            self._safety.report(screen, direction="out")

    def _read(self, chunk: Mapping[str, object]) -> Object:
        """The chunk without what no rule can read."""
        self._last = known = readable_reply(chunk, said_in="delta")
        self._is_readable = self._is_readable and known == chunk
        return known

    def _choices(self, chunk: Mapping[str, object]) -> Iterator[Object]:
        for choice in choices_of(chunk):
            index, delta = index_of(choice), choice.get("delta")
            shown = dict(delta) if isinstance(delta, Mapping) else {}
            self._screen_texts(index, shown)
            self._hold_arguments(index, shown)
            finish = choice.get("finish_reason")
            if finish:
                self._close(index, shown)
            is_cut = self.refusal is not None
            yield {
                **choice,
                **({"delta": shown} if shown or delta is not None else {}),
                **({"finish_reason": None} if finish and is_cut else {}),
            }

    def _screen_texts(self, index: int, delta: Object) -> None:
        """Servers name the reasoning in two ways, or in both at once: it is one text."""
        for names in _TEXTS:
            told = [name for name in names if isinstance(delta.get(name), str)]
            text = next((str(delta[name]) for name in told if delta[name]), None)
            if text is not None:
                self._names[index, names[0]] = told
                delta.update(dict.fromkeys(told, self._feed(index, names[0], text)))

    def _feed(self, index: int, field: str, text: str) -> str:
        if (screen := self._screens.get((index, field))) is None:
            screen = self._screens[index, field] = Screen(self._rules)
        shown = screen.feed(text)
        self._look_at(screen)
        return shown

    def _look_at(self, screen: Screen) -> None:
        if screen.refused is not None and self.refusal is None:
            self.refusal = SensitiveContent(screen.refused.name, in_answer=True)

    def _hold_arguments(self, index: int, delta: Object) -> None:
        """Take the arguments of calls out of ``delta``; they come with the choice's finish."""
        calls = delta.get("tool_calls")
        if not isinstance(calls, list):
            return
        shown: list[object] = []
        for place, call in enumerate(calls):
            function = call.get("function") if isinstance(call, dict) else None
            if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
                shown.append(call)
                continue
            number = call.get("index")
            held = self._arguments.setdefault(index, {})
            key = number if type(number) is int else place
            held.setdefault(key, []).append(function["arguments"])
            shown.append({**call, "function": {**function, "arguments": ""}})
        delta["tool_calls"] = shown

    def _close(self, index: int, delta: Object) -> None:
        """Add to the last delta of a choice what was still held back of it."""
        for (owner, field), screen in self._screens.items():
            if owner == index and (rest := screen.finish()):
                names = self._names.get((owner, field), [field])
                delta.update({name: f"{delta.get(name) or ''}{rest}" for name in names})
            self._look_at(screen)
        held = self._arguments.pop(index, {})
        try:
            calls = [
                {
                    "index": number,
                    "function": {"arguments": screen_json("".join(pieces), self._safety.show)},
                }
                for number, pieces in held.items()
            ]
        except SensitiveContent as refusal:
            self.refusal = refusal
            return
        if calls:
            delta["tool_calls"] = [*cast("list[object]", delta.get("tool_calls") or []), *calls]


def screen_reply(reply: Mapping[str, object], safety: Safety) -> Mapping[str, object]:
    """A whole reply as people may read it.

    Raises:
        SensitiveContent: a rule forbids what it says.
    """
    if not safety.outgoing:
        return reply
    known = readable_reply(reply, said_in="message")
    return {**known, "choices": [_screen_choice(one, safety) for one in choices_of(known)]}


def _screen_choice(choice: Mapping[str, object], safety: Safety) -> Object:
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return dict(choice)
    shown = {
        field: safety.show(value) if field in TEXT_FIELDS and isinstance(value, str) else value
        for field, value in message.items()
    }
    if isinstance(calls := shown.get("tool_calls"), list):
        shown["tool_calls"] = [_screen_call(call, safety) for call in calls]
    return {**choice, "message": shown}


def _screen_call(call: object, safety: Safety) -> object:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        return call
    arguments = screen_json(str(function.get("arguments") or ""), safety.show)
    return {**call, "function": {**function, "arguments": arguments}}


def _has_text(chunk: Mapping[str, object]) -> bool:
    deltas = (choice.get("delta") for choice in choices_of(chunk))
    return any(
        delta.get(field) for delta in deltas if isinstance(delta, dict) for field in TEXT_FIELDS
    )


def _encode(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
