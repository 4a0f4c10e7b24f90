"""Finds out why a router model's call was not read: asks again, and reads in every dialect."""

from dataclasses import dataclass, replace
from typing import Final

from chatbot.errors import InvalidRequest
from chatbot.ports import Clock
from chatbot.router import DIALECTS, Dialect, Router, RouterLimits, request_verdict
from chatbot.types import ToolSpec
from serving.engines.checking.canary import canary_view
from serving.engines.checking.explanation import Evidence, explain
from serving.engines.checking.findings import Finding, explain_failure
from serving.engines.checking.recording import Recording, record
from serving.engines.openai_api import OpenAIEngine
from serving.settings import EMBEDDED

PATIENT: Final = RouterLimits(verdict_s=20.0, call_s=30.0)
"""Limits of a check: an engine that nobody has asked yet may be slow."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspect:
    """An engine whose call was not read, offered ``canary`` in ``dialect``.

    ``setting`` names the setting from which the dialect comes.
    """

    engine: OpenAIEngine
    dialect: Dialect
    setting: str
    canary: ToolSpec
    clock: Clock


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """``sees_tools``: the model named the tool, in whatever form; ``finding`` says what to do."""

    sees_tools: bool
    finding: Finding


async def diagnose(suspect: Suspect) -> Diagnosis:
    """Ask for the canary once more, then as every other dialect does.

    The answers are recorded, and read by the router itself. A failing engine never raises.
    """
    own = await _ask(suspect, suspect.dialect)
    sees_tools = suspect.canary.name in own.text
    if await _is_read(suspect, own, suspect.dialect):
        return Diagnosis(sees_tools=True, finding=_late())
    if own.error is not None and not isinstance(own.error, InvalidRequest):
        failure = explain_failure(own.error, engine=suspect.engine.name, noted=())
        return Diagnosis(sees_tools=sees_tools, finding=failure)
    others = [one for one in DIALECTS.values() if one.name not in {EMBEDDED, suspect.dialect.name}]
    asked = await _ask_each(suspect, own, others)
    prompted = [one for one in others if one.offer == "in_prompt"]
    evidence = Evidence(
        engine=suspect.engine.name,
        kind=suspect.engine.kind.name,
        dialect=suspect.dialect,
        setting=suspect.setting,
        own=own,
        sees_tools=sees_tools,
        written=[one.name for one in others if await _is_read(suspect, own, one)],
        fitting=[one.name for one in others if await _is_read(suspect, asked[one.name], one)],
        named_in_prompt=any(suspect.canary.name in asked[one.name].text for one in prompted),
        reaches_model=None if sees_tools else await _reaches_model(suspect, own),
    )
    return Diagnosis(sees_tools=sees_tools, finding=explain(evidence))


def _late() -> Finding:
    text = f"it calls the tool, but not within {PATIENT.verdict_s:g} s: is it overloaded?"
    return Finding(code="late_verdict", text=text)


async def _ask(suspect: Suspect, dialect: Dialect) -> Recording:
    request = request_verdict(canary_view(suspect.canary), dialect, PATIENT)
    return await record(suspect.engine, request, within_s=PATIENT.call_s)


async def _ask_each(
    suspect: Suspect, own: Recording, dialects: list[Dialect]
) -> dict[str, Recording]:
    """An answer for each dialect; those that offer the tool in the same words share one."""
    known = [own]
    asked: dict[str, Recording] = {}
    for dialect in dialects:
        request = request_verdict(canary_view(suspect.canary), dialect, PATIENT)
        same = next((one for one in known if one.request == request), None)
        if same is None:
            same = await record(suspect.engine, request, within_s=PATIENT.call_s)
            known.append(same)
        asked[dialect.name] = same
    return asked


async def _is_read(suspect: Suspect, recording: Recording, dialect: Dialect) -> bool:
    """Whether the router, in ``dialect``, reads a call of the canary in what was recorded."""
    router = Router(engine=recording, dialect=dialect, clock=suspect.clock, limits=PATIENT)
    decision = await router.decide(canary_view(suspect.canary))
    return [call.name for call in decision.calls] == [suspect.canary.name]


async def _reaches_model(suspect: Suspect, own: Recording) -> bool | None:
    """Whether tools on the wire make the model's prompt longer; ``None`` where nothing tells."""
    if not own.request.tools or own.prompt_tokens is None:
        return None
    bare = await record(suspect.engine, replace(own.request, tools=()), within_s=PATIENT.call_s)
    return None if bare.prompt_tokens is None else bare.prompt_tokens != own.prompt_tokens
