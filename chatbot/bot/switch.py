"""Sets the switch of a turn: asks the router, checks the arguments, words the missing one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from chatbot.bot.equipment import Equipment
from chatbot.errors import ToolArgumentError
from chatbot.sanitizer import router_view
from chatbot.types import Decision, Question, RouteReason, ToolCall, TurnRequest

FORCE_DEFAULT = "default"


@dataclass(frozen=True, kw_only=True, slots=True)
class Routing:
    """Where the switch stands: calls to run, or a question to ask, or (neither) the default model.

    ``calls`` carry checked arguments. ``tool`` is the first tool concerned, also with a question.
    """

    decision: Decision
    calls: tuple[ToolCall, ...] = ()
    question: Question | None = None

    @property
    def reason(self) -> RouteReason:
        """Why the switch stands so."""
        return self.decision.reason

    @property
    def verdict_ms(self) -> int:
        """Milliseconds until the router model's verdict was known."""
        return self.decision.verdict_ms

    @property
    def tool(self) -> str | None:
        """The name of the first tool concerned, or ``None`` for the default model."""
        if self.question is not None:
            return self.question.tool
        return self.calls[0].name if self.calls else None

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of all tools concerned, in the order asked."""
        if self.question is not None:
            return (self.question.tool,)
        return tuple(call.name for call in self.calls)


async def set_switch(equipment: Equipment, request: TurnRequest) -> Routing:
    """Decide the turn; faults of the router end in the default model, never in an exception.

    Raises:
        InvalidRequest: ``tools`` or ``force`` names a tool that does not exist.
    """
    with equipment.tracer.step("route") as step:
        routing = await _set_switch(equipment, request)
        decision = routing.decision
        step.tell(
            decision="tool" if routing.tools else "default",
            reason=decision.reason,
            tools=routing.tools,
            engine=decision.engine,
            dialect=decision.dialect,
            verdict_ms=decision.verdict_ms,
            fast_path=decision.reason == "fast_path",
            verified=decision.verified,
            doubt=decision.doubt,
        )
    return routing


async def _set_switch(equipment: Equipment, request: TurnRequest) -> Routing:
    if request.force == FORCE_DEFAULT:
        return Routing(decision=Decision(reason="forced"))
    names = request.tools if request.force is None else (request.force,)
    specs = equipment.tools.specs(names)
    today = equipment.clock.now().astimezone(ZoneInfo(request.timezone)).date()
    dialogue = await equipment.dispatcher.recall(request.messages[:-1], specs, today=today)
    view = router_view(request.messages, specs, dialogue.lines)
    routing = _check(equipment, await equipment.dispatcher.decide(view, dialogue, today=today))
    return routing if request.force is None else _force(equipment, routing, request.force)


def _check(equipment: Equipment, decision: Decision) -> Routing:
    """Validate the calls: keep the usable ones; without any, ask for what is missing."""
    usable: list[ToolCall] = []
    faults: list[tuple[ToolCall, ToolArgumentError]] = []
    for call in decision.calls[: equipment.limits.calls]:
        try:
            arguments = equipment.tools.get(call.name).validate(call.arguments)
        except ToolArgumentError as error:
            faults.append((call, error))
        else:
            usable.append(replace(call, call_id=equipment.new_id(), arguments=arguments))
    if usable or not faults:
        return Routing(decision=decision, calls=tuple(usable))
    return _ask_or_give_up(equipment, decision, faults)


def _ask_or_give_up(
    equipment: Equipment, decision: Decision, faults: list[tuple[ToolCall, ToolArgumentError]]
) -> Routing:
    for call, error in faults:
        if error.is_missing:
            asked = replace(decision, reason="missing_argument", calls=())
            return Routing(decision=asked, question=_question(equipment, call.name, error.argument))
    return Routing(decision=replace(decision, reason="invalid_arguments", calls=()))


def _question(equipment: Equipment, tool: str, argument: str) -> Question:
    text = equipment.tools.get(tool).ask(argument)
    return Question(tool=tool, argument=argument, text=text)


def _force(equipment: Equipment, routing: Routing, tool: str) -> Routing:
    """The user chose the tool: run its call, or ask for what the router could not find."""
    if routing.calls:
        calls = tuple(call for call in routing.calls if call.name == tool)
        return replace(routing, decision=replace(routing.decision, reason="forced"), calls=calls)
    question = routing.question
    required = _required(equipment, tool)
    if question is None and required:
        question = _question(equipment, tool, required[0])
    if question is not None:
        asked = replace(routing.decision, reason="missing_argument", calls=())
        return Routing(decision=asked, question=question)
    call = ToolCall(call_id=equipment.new_id(), name=tool, arguments={}, raw_arguments={})
    return _check(equipment, replace(routing.decision, reason="forced", calls=(call,)))


def _required(equipment: Equipment, tool: str) -> tuple[str, ...]:
    names = equipment.tools.get(tool).spec.parameters.get("required", ())
    return tuple(map(str, names)) if isinstance(names, Sequence) else ()
