"""Asks a router for every entry and judges what it calls."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from chatbot.ports import ChatEngine
from chatbot.router import Router, RouterLimits
from chatbot.router.detector import Detector
from chatbot.types import Decision, RouterView
from evals.bfcl.checker import Fault, find_fault
from evals.bfcl.entries import Entry
from evals.solver import DecidedCall
from serving.assembly import choose_dialect
from serving.clock import SystemClock
from serving.engines.embedded import EmbeddedEngine
from serving.engines.remote import open_chat_engines
from serving.settings import EMBEDDED, Settings

LIMITS = RouterLimits(
    verdict_s=60.0,
    call_s=120.0,
    max_tokens=1_024,
    max_calls=32,
    undecided_chars=256,
    prompt_chars=50_000,
    long_text_chars=100_000,
)
"""Wide enough that BFCL measures the model and how its calls are read, not our bounds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What was called for one entry; ``fault`` is ``None`` where it is right."""

    entry: Entry
    decision: Decision
    fault: Fault | None


@asynccontextmanager
async def open_router(settings: Settings) -> AsyncIterator[Router]:
    """The configured router model alone, with its dialect: no tools, no rules of our own.

    Raises:
        SettingsError: the engine's dialect is not known.
    """
    clock, name = SystemClock(), settings.router.engine
    dialect = choose_dialect(settings)
    configured = settings.engines.get(name)

    def route(engine: ChatEngine) -> Router:
        return Router(engine=engine, dialect=dialect, clock=clock, limits=LIMITS)

    if configured is None or configured.kind == EMBEDDED:
        yield route(EmbeddedEngine(detector=Detector.load(), clock=clock))
        return
    async with open_chat_engines({name: configured}, clock=clock) as engines:
        yield route(engines[name])


async def run_entries(
    entries: Sequence[Entry],
    router: Router,
    *,
    parallel: int = 1,
    on_entry: Callable[[Entry], None] | None = None,
) -> tuple[Result, ...]:
    """Ask for every entry, ``parallel`` of them at once; the results are in their order."""
    limiter = anyio.CapacityLimiter(parallel)
    results: dict[str, Result] = {}

    async def ask(entry: Entry) -> None:
        view = RouterView(
            tools=tuple(function.spec for function in entry.functions), prompt=entry.prompt
        )
        async with limiter:
            decision = await router.decide(view)
        results[entry.id] = Result(entry=entry, decision=decision, fault=judge(entry, decision))
        if on_entry is not None:
            on_entry(entry)

    async with anyio.create_task_group() as tasks:
        for entry in entries:
            tasks.start_soon(ask, entry)
    return tuple(results[entry.id] for entry in entries)


def judge(entry: Entry, decision: Decision) -> Fault | None:
    """What is wrong with a decision; an engine that gave no answer is never right.

    A call of a function that does not exist is a call, too, where only its presence counts.
    """
    if decision.reason in {"router_down", "timeout"}:
        return "no reply"
    calls = [DecidedCall(tool=call.name, arguments=call.arguments) for call in decision.calls]
    if decision.reason == "unknown_tool" and not entry.right:
        calls = [DecidedCall(tool="", arguments={})]
    return find_fault(entry, calls)
