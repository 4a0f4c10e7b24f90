"""Keeps the pictures that a call made, before anything is said of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.errors import ToolError
from chatbot.tools import ToolRun
from chatbot.types import Artifact, Image, Leg, TurnRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A run that may be shown, with its pictures stored and linked."""

    run: ToolRun
    images: tuple[Image, ...] = ()


async def keep(
    equipment: Equipment,
    request: TurnRequest,
    record: Record,
    run: ToolRun,
    descriptions: Mapping[str, str],
) -> Kept:
    """Store the pictures of ``run``; where one cannot be stored, the call has failed.

    ``descriptions`` maps the words that a picture was drawn from to those that people know. Each
    picture that a model drew is a leg of the turn: engines tell no tokens of it.
    """
    artifacts = () if run.result is None else run.result.artifacts
    record.legs += [_leg(one.model) for one in artifacts if one.model is not None]
    try:
        images = [
            await equipment.images.save(_describe(one, descriptions), account=request.account)
            for one in artifacts
        ]
    except ToolError as error:
        return Kept(run=_fail(run, error.message))
    return Kept(run=run, images=tuple(images))


def _leg(model: str) -> Leg:
    return Leg(engine=model, role="image", prompt_tokens=0, completion_tokens=0, source="zero")


def _describe(artifact: Artifact, descriptions: Mapping[str, str]) -> Artifact:
    return replace(artifact, alt=descriptions.get(artifact.alt, artifact.alt))


def _fail(run: ToolRun, error: str) -> ToolRun:
    outcome = replace(run.outcome, status="failed", content="", plain=None, state=(), error=error)
    return ToolRun(outcome=outcome, result=None)
