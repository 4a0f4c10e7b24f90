"""Brings what a tool returned into its final form: collected, bounded, completed."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias, assert_never

from chatbot.errors import ToolError
from chatbot.tools.echo import echo
from chatbot.types import Artifact, Attribution, Entity, Text, ToolResult

RESULT_BYTES = 64 * 1024
ARTIFACT_BYTES = 32 * 1024 * 1024
MAX_ITEMS = 32
LABEL_LENGTH = 300
ADDRESS_LENGTH = 2000
ENTITY_LENGTH = 2000
CUT = "\n\n… (wynik skrócono)"

_WEB_ADDRESS = re.compile(rf"https?://[!-~]{{1,{ADDRESS_LENGTH}}}", re.IGNORECASE)

ToolPart: TypeAlias = Text | Attribution | Artifact | Entity
"""What an async generator tool may yield."""


async def collect(parts: AsyncIterator[ToolPart]) -> ToolResult:
    """Gather the parts of an async generator into one result.

    Raises:
        TypeError: it yielded something that is no part of a result.
    """
    texts: list[str] = []
    sources: list[Attribution] = []
    artifacts: list[Artifact] = []
    state: list[Entity] = []
    async for part in parts:
        match part:
            case Text(text=text):
                texts.append(text)
            case Attribution():
                sources.append(part)
            case Artifact():
                artifacts.append(part)
            case Entity():
                state.append(part)
            case _:
                assert_never(part)
    return ToolResult(
        content="".join(texts),
        attribution=tuple(sources),
        artifacts=tuple(artifacts),
        state=tuple(state),
    )


def bound_result(result: ToolResult, *, max_bytes: int = RESULT_BYTES) -> ToolResult:
    """Cut text to ``max_bytes`` of UTF-8 and lists to 32 items; make every label one clean line.

    Raises:
        ToolError: the pictures are larger than 32 MiB together.
        TypeError: a part is none, or holds something else than text.
    """
    if sum(len(artifact.data) for artifact in result.artifacts) > ARTIFACT_BYTES:
        raise ToolError("Wynik narzędzia jest zbyt duży, żeby go pokazać.")
    return replace(
        result,
        content=_cut(result.content, max_bytes),
        plain=None if result.plain is None else _cut(result.plain, max_bytes),
        attribution=tuple(map(_bound_source, result.attribution[:MAX_ITEMS])),
        artifacts=tuple(
            replace(artifact, alt=_label(artifact.alt)) for artifact in result.artifacts[:MAX_ITEMS]
        ),
        state=tuple(map(_bound_entity, result.state[:MAX_ITEMS])),
        notices=tuple(map(_label, result.notices[:MAX_ITEMS])),
    )


def complete_result(result: ToolResult, *, call_id: str, now: datetime) -> ToolResult:
    """Give every attribution its call and, where the tool named none, its time."""
    sources = tuple(
        replace(source, call_id=call_id, retrieved_at=source.retrieved_at or now)
        for source in result.attribution
    )
    return replace(result, attribution=sources)


def _bound_source(source: Attribution) -> Attribution:
    """Labels on one line each, an address only where it is one of the web, times in UTC."""
    return replace(
        source,
        source=_label(source.source),
        title=source.title and _label(source.title),
        licence=source.licence and _label(source.licence),
        retrieved_at=source.retrieved_at and source.retrieved_at.astimezone(UTC),
        url=source.url if source.url and _WEB_ADDRESS.fullmatch(source.url) else None,
    )


def _bound_entity(entity: object) -> Entity:
    """What follow-ups will read: text, of which they need no more than the beginning."""
    if not isinstance(entity, Entity) or not isinstance(entity.value, str):
        raise TypeError(f"{entity!r:.100} is no entity with a text.")
    return replace(entity, value=_encodable(entity.value[:ENTITY_LENGTH]))


def _label(text: str) -> str:
    return echo(text, longest=LABEL_LENGTH)


def _cut(text: str, max_bytes: int) -> str:
    text = _encodable(text)
    raw = text.encode()
    if len(raw) <= max_bytes:
        return text
    return raw[: max_bytes - len(CUT.encode())].decode("utf-8", "ignore") + CUT


def _encodable(text: str) -> str:
    """Halves of surrogate pairs, which nothing can send or store, become question marks."""
    return text.encode("utf-8", "replace").decode()
