"""Solves cases: lets the chatbot's router decide each prompt, without running a tool."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from anyio import to_thread

from chatbot.bot import Routing
from chatbot.types import JsonObject, Leg, Message, RouteReason, Text, TurnRequest
from evals.cases import Case
from serving.settings import EMBEDDED


@dataclass(frozen=True, kw_only=True, slots=True)
class DecidedCall:
    """One call that was decided; ``raw_arguments`` are the model's own (``None``: the same)."""

    tool: str
    arguments: JsonObject
    raw_arguments: JsonObject | None = None

    @property
    def raw(self) -> "DecidedCall":
        """The call before grounding and validation."""
        if self.raw_arguments is None:
            return self
        return DecidedCall(tool=self.tool, arguments=self.raw_arguments)


@dataclass(frozen=True, kw_only=True, slots=True)
class Solution:
    """What was decided for one case; times in milliseconds.

    ``tool`` is ``None`` for the default model; ``asked`` names the argument that the router asks
    for. ``decision_ms`` includes the arguments. ``legs`` are the calls of models it took to
    decide; ``confidence`` is how probable the switch held its tool, where it tells. ``rewritten``
    is the prompt that was decided in place of the case's own, ``written`` what the router model
    called, where one was asked. ``verified`` says whether the local detector agreed with it.
    ``is_answered`` is false where an engine failed as often as it was asked.
    """

    tool: str | None
    calls: tuple[DecidedCall, ...] = ()
    asked: str | None = None
    reason: RouteReason
    verdict_ms: int
    decision_ms: float
    confirmed: bool | None = None
    verified: bool | None = None
    legs: tuple[Leg, ...] = ()
    confidence: float | None = None
    rewritten: str | None = None
    written: tuple[DecidedCall, ...] | None = None
    is_answered: bool = True

    @property
    def raw_calls(self) -> tuple[DecidedCall, ...]:
        """The calls before grounding and validation."""
        return tuple(call.raw for call in self.calls)

    @property
    def written_calls(self) -> tuple[DecidedCall, ...]:
        """The calls as the model wrote them, repeated ones too; without a model the raw ones."""
        return self.raw_calls if self.written is None else self.written

    @property
    def prompt_tokens(self) -> int:
        """Tokens that were read to decide."""
        return sum(leg.prompt_tokens for leg in self.legs)

    @property
    def completion_tokens(self) -> int:
        """Tokens that were written to decide."""
        return sum(leg.completion_tokens for leg in self.legs)


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


def request_of(case: Case) -> TurnRequest:
    """The turn in which the case's prompt is said after its history."""
    prompt = Message(role="user", parts=(Text(text=case.prompt),))
    return TurnRequest(
        messages=(*case.history, prompt),
        message_id=f"eval-{case.id}",
        request_id=f"eval-{case.id}",
    )


class RouteSolver:
    """Asks the same code that ``POST /api/route`` runs: views, router, checked arguments."""

    def __init__(
        self,
        chatbot: Routes,
        monotonic: Callable[[], float],
        *,
        confidence: Callable[[str], float] | None = None,
    ) -> None:
        """Ask ``chatbot``; ``monotonic`` gives seconds; ``confidence`` that of a prompt."""
        self._chatbot = chatbot
        self._monotonic = monotonic
        self._confidence = confidence

    async def solve(self, case: Case) -> Solution:
        """Decide for the case's prompt, said after its history."""
        request = request_of(case)
        started = self._monotonic()
        routing = await self._chatbot.route(request)
        took = 1000 * (self._monotonic() - started)
        return Solution(
            tool=routing.tool,
            calls=tuple(
                DecidedCall(
                    tool=call.name, arguments=call.arguments, raw_arguments=call.raw_arguments
                )
                for call in routing.calls
            ),
            asked=routing.question.argument if routing.question else None,
            reason=routing.reason,
            verdict_ms=routing.verdict_ms,
            decision_ms=took,
            confirmed=routing.decision.confirmed,
            verified=routing.decision.verified,
            legs=tuple(leg for leg in routing.decision.legs if leg.engine != EMBEDDED),
            confidence=await self._ask_confidence(case, routing),
        )

    async def _ask_confidence(self, case: Case, routing: Routing) -> float | None:
        """What decided is asked once more, after the time was taken; a rule has no confidence."""
        if self._confidence is None or routing.reason == "fast_path":
            return None
        return await to_thread.run_sync(self._confidence, case.prompt)
