"""Reads what an image server answers: one JSON object, or events with the steps and the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from chatbot.errors import EngineLost, ZwrotnicaError
from serving.engines.address import EVENT_STREAM
from serving.engines.events import ChunkReader, EventTooLong, read_object
from serving.engines.failures import UnfitReply, read_error_event
from serving.engines.reply import UnreadReply, read_whole

OnStep: TypeAlias = Callable[[int, int], None]

MOST_STEPS: Final = 1_000
_STEP: Final = "image_generation.step"
_COMPLETED: Final = "image_generation.completed"
_PROMPT_CHARS: Final = 10_000
_MODEL_CHARS: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """One picture as the server gave it: base64, or a link.

    ``prompt`` is what was drawn where it was changed, ``model`` what drew it where that is told.
    """

    encoded: str | None = None
    url: str | None = None
    prompt: str | None = None
    model: str | None = None


async def read_drawn(
    reply: UnreadReply, *, engine: str, max_bytes: int, on_step: OnStep | None
) -> Drawn:
    """The one picture of a reply; each step that the server reports is told at once.

    Raises:
        UnfitReply: it holds no picture, or more than ``max_bytes``.
        EngineLost: its events broke off before the picture.
        ZwrotnicaError: the server told an error in its events.
    """
    if reply.headers["content-type"].startswith(EVENT_STREAM[0]):
        event = await _follow(reply, engine, max_bytes, on_step)
        return _as_drawn(event, event.get("model"))
    said = read_object(await read_whole(reply, max_bytes=max_bytes)) or {}
    pictures = said.get("data")
    picture = pictures[0] if isinstance(pictures, list) and pictures else None
    return _as_drawn(picture, said.get("model"))


async def _follow(
    reply: UnreadReply, engine: str, max_bytes: int, on_step: OnStep | None
) -> Mapping[str, object]:
    """Read events up to the one that brings the picture."""
    reader = ChunkReader(max_bytes=max_bytes)
    try:
        while (piece := await reply.read()) is not None:
            for _, event in reader.feed(piece):
                if event.get("type") == _COMPLETED:
                    return event
                _take(event, engine, on_step)
        for _, event in reader.finish():
            if event.get("type") == _COMPLETED:
                return event
            _take(event, engine, on_step)
    except EventTooLong as error:
        raise UnfitReply(str(error)) from error
    raise EngineLost(f"engine {engine!r} broke off before the picture was ready", engine=engine)


def _take(event: Mapping[str, object], engine: str, on_step: OnStep | None) -> None:
    match event:
        case {"type": str(kind), "step": int(step), "of": int(of)} if (
            kind == _STEP and 0 <= step <= of <= MOST_STEPS
        ):
            if on_step is not None and of:
                on_step(step, of)
        case {"error": error}:
            raise _told(error, engine)
        case {"type": "error"}:
            raise _told(event, engine)


def _told(error: object, engine: str) -> ZwrotnicaError:
    return read_error_event(error, engine=engine, has_begun=False).error


def _as_drawn(picture: object, model: object) -> Drawn:
    match picture:
        case {"b64_json": str(encoded), **rest} if encoded:
            drawn = Drawn(encoded=encoded)
        case {"url": str(url), **rest} if url:
            drawn = Drawn(url=url)
        case _:
            raise UnfitReply("no picture")
    return replace(
        drawn,
        prompt=_read_text(rest.get("revised_prompt"), _PROMPT_CHARS),
        model=_read_text(model, _MODEL_CHARS),
    )


def _read_text(value: object, longest: int) -> str | None:
    return value[:longest].strip() or None if isinstance(value, str) else None
