"""Solves cases: lets the chatbot's router decide each prompt, without running a tool."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from chatbot.bot import Routing
from chatbot.types import JsonObject, Message, RouteReason, Text, TurnRequest
from evals.cases import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class DecidedCall:
    """One call that was decided."""

    tool: str
    arguments: JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Solution:
    """What was decided for one case; times in milliseconds.

    ``tool`` is ``None`` for the default model; ``asked`` names the argument that the router asks
    for. ``decision_ms`` includes the arguments.
    """

    tool: str | None
    calls: tuple[DecidedCall, ...] = ()
    asked: str | None = None
    reason: RouteReason
    verdict_ms: int
    decision_ms: float
    confirmed: bool | None = None


class Routes(Protocol):
    """What is evaluated: `chatbot.bot.Chatbot`, or a stand-in for it."""

    async def route(self, request: TurnRequest) -> Routing:
        """Decide without acting."""
        ...


class Solver(Protocol):
    """Turns a case into its solution."""

    async def solve(self, case: Case) -> Solution:
        """Decide for ``case``."""
        ...


class RouteSolver:
    """Asks the same code that ``POST /api/route`` runs: views, router, checked arguments."""

    def __init__(self, chatbot: Routes, monotonic: Callable[[], float]) -> None:
        """Ask ``chatbot``; ``monotonic`` gives seconds for the duration."""
        self._chatbot = chatbot
        self._monotonic = monotonic

    async def solve(self, case: Case) -> Solution:
        """Decide for the case's prompt, said after its history."""
        prompt = Message(role="user", parts=(Text(text=case.prompt),))
        request = TurnRequest(
            messages=(*case.history, prompt),
            message_id=f"eval-{case.id}",
            request_id=f"eval-{case.id}",
        )
        started = self._monotonic()
        routing = await self._chatbot.route(request)
        took = 1000 * (self._monotonic() - started)
        return Solution(
            tool=routing.tool,
            calls=tuple(
                DecidedCall(tool=call.name, arguments=call.arguments) for call in routing.calls
            ),
            asked=routing.question.argument if routing.question else None,
            reason=routing.reason,
            verdict_ms=routing.verdict_ms,
            decision_ms=took,
            confirmed=routing.decision.confirmed,
        )
