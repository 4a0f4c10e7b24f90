"""Makes OpenAI's chat completion, whole or in chunks, of what the events of a turn told."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias, assert_never

from pydantic_core import to_json

from chatbot.events import (
    AttributionEvent,
    DoneEvent,
    ErrorEvent,
    Event,
    ImageEvent,
    ImageProgressEvent,
    QuestionEvent,
    RouteEvent,
    TextEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
    UsageEvent,
)
from chatbot.sanitizer import Trust
from chatbot.types import Attribution, FinishReason, JsonValue, Leg
from serving.gateway.events import event_fields
from serving.gateway.frames import FrameSigner

Step: TypeAlias = (
    RouteEvent
    | QuestionEvent
    | ToolCallEvent
    | ToolProgressEvent
    | ToolResultEvent
    | AttributionEvent
    | ImageProgressEvent
)

_ROLE: Final = b'{"role":"assistant","content":"","refusal":null}'
_PLACE: Final = {"\0": "a delta"}
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_ANSWERING: Final = frozenset({"answer", "phrase"})
_ALT_BREAKERS: Final = str.maketrans({
    "[": "(",
    "]": ")",
    "\n": " ",
    "\r": " ",
    "\\": "/",
    "`": "'",  # code and formulas would reach across the link
    "$": "＄",
})


@dataclass(kw_only=True, slots=True)
class Told:
    """What a turn has told so far; grows with each event.

    ``history`` is what the frames in the conversation before it were worth, ``rebuilt`` how many
    of its answers got their calls again; ``appended`` follows the answer's own text.
    """

    message_id: str
    image_base: str
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    route: Mapping[str, JsonValue] | None = None
    question: Mapping[str, JsonValue] | None = None
    calls: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    sources: list[Mapping[str, JsonValue]] = field(default_factory=list)
    attributions: list[Attribution] = field(default_factory=list)
    images: list[Mapping[str, JsonValue]] = field(default_factory=list)
    legs: tuple[Leg, ...] = ()
    finish: FinishReason | None = None
    error: ErrorEvent | None = None
    appended: str = ""
    history: Trust = field(default_factory=Trust)
    rebuilt: int = 0

    def take(self, event: Event) -> str:
        """Keep what ``event`` tells; return the answer's text that it adds."""
        match event:
            case TextEvent(channel="reasoning"):
                self.reasoning.append(event.text)
                return ""
            case TextEvent():
                added = event.text
            case ImageEvent():
                self.images.append(event_fields(event))
                added = ("\n\n" if self.text else "") + _draw(event, self.image_base)
            case UsageEvent() | DoneEvent() | ErrorEvent():
                self._take_end(event)
                return ""
            case _:
                self._take_step(event)
                return ""
        self.text.append(added)
        return added

    def _take_end(self, event: UsageEvent | DoneEvent | ErrorEvent) -> None:
        match event:
            case UsageEvent():
                self.legs = event.legs
            case DoneEvent():
                self.finish = event.finish_reason
            case ErrorEvent():
                self.error = event
            case _:
                assert_never(event)

    def _take_step(self, event: Step) -> None:
        match event:
            case RouteEvent():
                self.route = event_fields(event)
            case QuestionEvent():
                self.question = event_fields(event)
            case ToolCallEvent() | ToolResultEvent():
                self.calls.setdefault(event.call_id, {}).update(event_fields(event))
            case AttributionEvent():
                self.sources.append(event_fields(event))
                self.attributions.append(_attribution(event))
            case ToolProgressEvent() | ImageProgressEvent():
                pass
            case _:
                assert_never(event)

    def append_sources(self, signer: FrameSigner) -> str:
        """Put the sources of a turn that ended well behind its text, as frames; return them."""
        self.appended = signer.append_to(
            "".join(self.text), self.attributions, message_id=self.message_id
        )
        return self.appended

    def annotations(self) -> list[JsonValue]:
        """The sources that have an address, as OpenAI's citations of the whole answer."""
        end = sum(map(len, self.text))
        return [
            {
                "type": "url_citation",
                "url_citation": {
                    "start_index": 0,
                    "end_index": end,
                    "title": source["title"] or source["source"],
                    "url": source["url"],
                },
            }
            for source in self.sources
            if source["url"]
        ]

    def extension(self) -> dict[str, JsonValue]:
        """Everything that OpenAI's format has no place for."""
        return {
            "message_id": self.message_id,
            "route": self.route,
            "question": self.question,
            "tool_calls": list(self.calls.values()),
            "sources": self.sources,
            "images": self.images,
            "history_frames": self.history.counts(),
            "history_rebuilt": self.rebuilt,
            "usage": {"legs": [leg_fields(leg) for leg in self.legs]},
        }

    def usage(self) -> dict[str, JsonValue]:
        """Tokens of the answering legs; zero where a tool answered without a model."""
        legs = [leg for leg in self.legs if leg.role in _ANSWERING]
        prompt = sum(leg.prompt_tokens for leg in legs)
        completion = sum(leg.completion_tokens for leg in legs)
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }


def leg_fields(leg: Leg) -> dict[str, JsonValue]:
    """A usage leg as it leaves."""
    return {
        "engine": leg.engine,
        "role": leg.role,
        "prompt_tokens": leg.prompt_tokens,
        "completion_tokens": leg.completion_tokens,
        "source": leg.source,
    }


class Chunks:
    """The chunks of one streamed completion as events; a text costs one ``json.dumps`` of it."""

    def __init__(self, *, told: Told, model: str, created: datetime, with_usage: bool) -> None:
        """``with_usage``: every chunk has a ``usage`` field, null but in the last."""
        self._told = told
        self._head: dict[str, JsonValue] = {
            "id": f"chatcmpl-{told.message_id}",
            "object": "chat.completion.chunk",
            "created": int(created.timestamp()),
            "model": model,
        }
        self._rest: dict[str, JsonValue] = {"usage": None} if with_usage else {}
        before, after = self._choice(_PLACE).split(encode(_PLACE))
        self._role = before + _ROLE + after
        self._before, self._after = before + b'{"content":', b"}" + after

    def role(self) -> bytes:
        """The first chunk."""
        return self._role

    def content(self, text: str) -> bytes:
        """A piece of the answer."""
        return b"%b%b%b" % (self._before, to_json(text), self._after)

    def reasoning(self, text: str) -> bytes:
        """A piece of the model's reasoning, in the field that vLLM and its clients use."""
        return self._choice({"reasoning_content": text})

    def finish(self) -> bytes:
        """The chunk with ``finish_reason``, the sources and everything else."""
        delta: dict[str, JsonValue] = {}
        if annotations := self._told.annotations():
            delta["annotations"] = annotations
        return self._choice(delta, finish=self._told.finish, x_zwrotnica=self._told.extension())

    def usage(self) -> bytes:
        """The chunk with the usage, asked for by ``stream_options.include_usage``."""
        return _event({**self._head, "choices": [], "usage": self._told.usage()})

    def _choice(
        self,
        delta: Mapping[str, JsonValue],
        *,
        finish: FinishReason | None = None,
        **more: JsonValue,
    ) -> bytes:
        choice: dict[str, JsonValue] = {
            "index": 0,
            "delta": delta,
            "logprobs": None,
            "finish_reason": finish,
        }
        return _event({**self._head, "choices": [choice], **self._rest, **more})


def whole_completion(told: Told, *, model: str, created: datetime) -> dict[str, JsonValue]:
    """The completion of a turn that has ended well."""
    message: dict[str, JsonValue] = {
        "role": "assistant",
        "content": "".join(told.text) + told.appended,
        "refusal": None,
        "annotations": told.annotations(),
    }
    if told.reasoning:
        message["reasoning_content"] = "".join(told.reasoning)
    choice: dict[str, JsonValue] = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": told.finish,
    }
    return {
        "id": f"chatcmpl-{told.message_id}",
        "object": "chat.completion",
        "created": int(created.timestamp()),
        "model": model,
        "choices": [choice],
        "usage": told.usage(),
        "x_zwrotnica": told.extension(),
    }


def encode(value: object) -> bytes:
    """Compact JSON in UTF-8."""
    return _JSON.encode(value).encode()


def _attribution(event: AttributionEvent) -> Attribution:
    return Attribution(source=event.source, title=event.title, url=event.url, licence=event.licence)


def _event(value: JsonValue) -> bytes:
    return b"data: " + encode(value) + b"\n\n"


def _draw(event: ImageEvent, base: str) -> str:
    """A true picture as Markdown; what follows it begins with a blank line of its own."""
    alt = event.alt.translate(_ALT_BREAKERS)
    return f"![{alt}]({base}{event.url})"
