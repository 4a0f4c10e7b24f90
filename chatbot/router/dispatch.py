"""Decides a message by the cheapest way that is sure: rules, the router model, a second look."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import TypeVar

from anyio import to_thread

from chatbot.ports import Clock, Tracer, Untraced
from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import DialogueState, FollowUp, follow_up, guess, recall, state
from chatbot.router.grounding import ground
from chatbot.router.limits import RouterLimits
from chatbot.router.router import Router
from chatbot.types import (
    Decision,
    Doubt,
    JsonValue,
    Message,
    NameKind,
    RouterView,
    ToolCall,
    ToolSpec,
)

T = TypeVar("T")

_UNUSABLE = frozenset({"unusable_call", "unknown_tool"})
_FAILED = frozenset({"timeout", "router_down"})
_MS = 1000

QUICK_CHARS = 160
"""So much text is read at once, in 2 ms as a rule: a thread, which would hold the interpreter for
as long, costs more than many a reading. More of it is read in a thread, and other turns go on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DispatchPolicy:
    """Which ways are open beside the router model.

    ``dialogue`` reads what was said before the prompt, ``fast_path`` decides certain first
    messages without the model, ``verify`` compares its choice with the local detector's,
    ``grounding`` looks for its names in what was said. ``local``: nobody better can be asked, so
    what is likely within a dialogue is taken.
    """

    dialogue: bool = True
    fast_path: bool = True
    verify: bool = True
    grounding: bool = True
    local: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    """One router model's decision; ``invented``: it named something that nobody spoke of."""

    decision: Decision
    invented: bool = False

    @property
    def doubt(self) -> Doubt | None:
        if self.decision.reason in _UNUSABLE:
            return "unusable"
        if self.invented:
            return "invented"
        return "disagreement" if self.decision.verified is False else None


class Dispatcher:
    """Decides messages; without a detector the router model alone does, and names are grounded."""

    def __init__(
        self,
        *,
        router: Router,
        clock: Clock,
        detector: Detector | None = None,
        second: Router | None = None,
        policy: DispatchPolicy = DispatchPolicy(),
        limits: RouterLimits = RouterLimits(),  # noqa: B008 - frozen
        tracer: Tracer | None = None,
    ) -> None:
        """Take the router model, and ``second``, a larger one that is asked in doubt."""
        self._tracer = tracer or Untraced()
        self._router = router
        self._clock = clock
        self._detector = detector
        self._second = second
        self._policy = policy
        self._limits = limits

    async def recall(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, today: date
    ) -> DialogueState:
        """What ``messages`` spoke of; where they are text alone, what must have been called."""
        known = state(messages) if self._policy.dialogue else DialogueState()
        detector = self._detector
        if detector is None or not known.turns:
            return known
        work = partial(recall, known, tools, today=today, detector=detector)
        return await _beside(_size("", known), work)

    async def decide(self, view: RouterView, dialogue: DialogueState, *, today: date) -> Decision:
        """Decide which tools ``view.prompt`` needs, and with which arguments.

        A name that nobody spoke of is left out of its call, so that it is asked for like any
        other that is missing; ``raw_arguments`` keep it.

        Args:
            view: The tools, the state's lines and the prompt.
            dialogue: What was said before, from `recall`.
            today: The user's date.
        """
        if view.tools and len(view.prompt) <= self._limits.prompt_chars:
            decision = await self._decide_by_rule(view, dialogue, today)
            if decision is not None:
                return decision
        first = await self._look(self._router, view, dialogue)
        if self._second is None or first.doubt is None:
            return first.decision
        second = await self._look(self._second, view, dialogue)
        return _join(first, second.decision)

    async def _decide_by_rule(
        self, view: RouterView, dialogue: DialogueState, today: date
    ) -> Decision | None:
        """What needs no model; ``None`` where no rule is certain."""
        detector = self._detector
        if detector is None or not (dialogue.turns or self._policy.fast_path):
            return None
        started = self._clock.monotonic()
        work = partial(self._find_calls, detector, view, dialogue, today)
        calls = await _beside(_size(view.prompt, dialogue), work)
        if calls is None:
            return None
        took = round(_MS * (self._clock.monotonic() - started))
        return Decision(reason="fast_path", calls=calls, verdict_ms=took)

    def _find_calls(
        self, detector: Detector, view: RouterView, dialogue: DialogueState, today: date
    ) -> tuple[ToolCall, ...] | None:
        if dialogue.turns:
            found = follow_up(view.prompt, dialogue, view.tools, today=today, detector=detector)
            if self._policy.local:
                found = guess(
                    view.prompt,
                    dialogue,
                    view.tools,
                    today=today,
                    detector=detector,
                    certain=found,
                )
            return None if found is None else _number(_calls_of(found))
        if not self._policy.fast_path or view.state:
            return None
        sure = detector.sure(view.prompt, view.tools, today=today)
        return None if sure is None else _number(sure)

    async def _look(self, router: Router, view: RouterView, dialogue: DialogueState) -> _Look:
        """One router model's decision, verified and grounded."""
        decision = await router.decide(view)
        if decision.reason in _FAILED:
            return _Look(decision=decision)
        work = partial(self._examine, decision, view, dialogue)
        return await _beside(_size(view.prompt, dialogue), work)

    def _examine(self, decision: Decision, view: RouterView, dialogue: DialogueState) -> _Look:
        calls = decision.calls
        verified = self._verify(decision, view, dialogue)
        if not calls and verified is None:
            return _Look(decision=decision)
        if self._policy.grounding and calls:
            calls = self._ground(calls, view, dialogue)
        invented = any(call.arguments.keys() != call.raw_arguments.keys() for call in calls)
        return _Look(decision=replace(decision, calls=calls, verified=verified), invented=invented)

    def _ground(
        self, calls: Sequence[ToolCall], view: RouterView, dialogue: DialogueState
    ) -> tuple[ToolCall, ...]:
        texts = (view.prompt, *dialogue.texts)
        with self._tracer.step("grounding", calls=len(calls)) as step:
            grounded = tuple(_ground_call(call, view.tools, texts) for call in calls)
            step.tell(**_compare(calls, grounded))
        return grounded

    def _verify(self, decision: Decision, view: RouterView, dialogue: DialogueState) -> bool | None:
        """Whether the detector agrees; of a dialogue it knows nothing."""
        if self._detector is None or not self._policy.verify or dialogue.turns:
            return None
        names = frozenset(call.name for call in decision.calls)
        return self._detector.agrees(view.prompt, view.tools, names)


def _join(first: _Look, second: Decision) -> Decision:
    """The larger model's decision, unless it failed; the tokens and the time are those of both."""
    chosen = first.decision if second.reason in _FAILED else second
    return replace(
        chosen,
        doubt=first.doubt,
        verdict_ms=first.decision.verdict_ms + second.verdict_ms,
        legs=(*first.decision.legs, *second.legs),
    )


def _calls_of(found: FollowUp) -> tuple[DetectedCall, ...]:
    """Its calls; what has to be asked for is a call without that argument."""
    if found.asks is None:
        return found.calls
    return (*found.calls, DetectedCall(name=found.asks[0], arguments={}))


def _number(calls: Sequence[DetectedCall]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            call_id=f"call_{number}",
            name=call.name,
            arguments=call.arguments,
            raw_arguments=call.arguments,
        )
        for number, call in enumerate(calls, start=1)
    )


def _ground_call(call: ToolCall, tools: Sequence[ToolSpec], texts: Sequence[str]) -> ToolCall:
    """The call with its names put right, and without those that nobody spoke of."""
    kinds = next((_kinds(spec) for spec in tools if spec.name == call.name), {})
    arguments: dict[str, JsonValue] = {}
    for name, value in call.arguments.items():
        if name not in kinds or not isinstance(value, str):
            arguments[name] = value
            continue
        grounded = ground(value, kinds[name], texts)
        if grounded.state != "invented":
            arguments[name] = grounded.value
    return replace(call, arguments=arguments)


def _compare(before: Sequence[ToolCall], after: Sequence[ToolCall]) -> dict[str, int]:
    """How many arguments were put right and how many nobody had spoken of."""
    given = [(one.arguments, other.arguments) for one, other in zip(before, after, strict=True)]
    return {
        "repaired": sum(
            name in right and right[name] != value
            for left, right in given
            for name, value in left.items()
        ),
        "invented": sum(name not in right for left, right in given for name in left),
    }


def _kinds(spec: ToolSpec) -> Mapping[str, NameKind]:
    """Which arguments of a tool are names, and of what (``x-name``)."""
    return {
        name: kind
        for name, schema in spec.properties.items()
        if isinstance(schema, Mapping)
        for kind in _KINDS
        if schema.get("x-name") == kind
    }


_KINDS: tuple[NameKind, ...] = ("place", "person", "topic")


def _size(prompt: str, dialogue: DialogueState) -> int:
    """Characters of what is read for a decision."""
    return len(prompt) + sum(map(len, dialogue.texts))


async def _beside(chars: int, work: Callable[[], T]) -> T:
    """``work`` on so many characters: at once where they are few, else in a thread."""
    return work() if chars <= QUICK_CHARS else await to_thread.run_sync(work)
