"""Counts the prompts that a rule of the dialogue spoils after an exchange about something else.

Run by hand: ``PYTHONPATH=. python tests/chatbot/router/dialogue/measure_changes.py [-v]``. Every
single prompt of the dev half of ``evals/cases/zwrotnica_pl`` is decided by the detector alone, then
after each of four exchanges it has nothing to do with; where no rule claims it, it counts as
decided alone, or by the likeliest tool where nobody better can be asked. The dialogues of the same
half are scored too. ``-v`` lists what is wrong.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import TypeAlias

from chatbot.router.detector import DetectedCall, Detection, Detector
from chatbot.router.dialogue import DialogueState, FollowUp, follow_up, guess, recall, state
from chatbot.router.dialogue.state import NEEDED
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from chatbot.types import JsonObject, JsonValue, Message, Text, ToolCall, ToolOutcome
from evals.cases import ZWROTNICA_PL, Case, read_cases, select
from evals.scorers import Scorer, measures
from evals.solver import DecidedCall, Solution
from evals.values import have_same_value

Wrong: TypeAlias = tuple[Case, Solution]

TODAY = date(2026, 11, 22)
TOOLS = tuple(tool.spec for tool in (get_weather, calculate, search_wikipedia, generate_image))
EXCHANGES: dict[str, tuple[str, str, str, JsonObject]] = {
    "weather": (
        "Jaka będzie jutro pogoda w Łodzi?",
        "Jutro w Łodzi 4°C, pochmurno, możliwy deszcz.",
        "get_weather",
        {"city": "Łódź", "day": "tomorrow"},
    ),
    "calculation": (
        "Ile to jest 18% z 2450?",
        "18% z 2450 to 441.",
        "calculate",
        {"expression": "2450*18/100"},
    ),
    "article": (
        "Kim był Mikołaj Kopernik?",
        "Mikołaj Kopernik (1473–1543) był astronomem, urodzonym w Toruniu.",
        "search_wikipedia",
        {"query": "Mikołaj Kopernik"},
    ),
    "picture": (
        "Narysuj rudego kota na dachu",
        "Oto rudy kot na dachu.",
        "generate_image",
        {"description": "rudy kot na dachu"},
    ),
}


class Remembering(Detector):
    """A detector that reads every prompt once."""

    def __init__(self, detector: Detector) -> None:
        """Take the detector to ask."""
        self._ask = cache(lambda prompt: detector.detect(prompt, TOOLS, today=TODAY))
        self._judge = cache(detector.probabilities)

    def detect(self, prompt: str, *_: object, **__: object) -> Detection:
        """What the detector makes of the prompt with all tools."""
        return self._ask(prompt)

    def probabilities(self, prompt: str) -> Mapping[str, float]:
        """How likely each class is."""
        return self._judge(prompt)


def after(kind: str) -> tuple[Message, ...]:
    """One exchange of this kind."""
    prompt, reply, name, arguments = EXCHANGES[kind]
    parts = (
        ToolCall(call_id="1", name=name, arguments=arguments, raw_arguments=arguments),
        ToolOutcome(call_id="1", name=name, status="ok", content=reply),
        Text(text=reply),
    )
    return (
        Message(role="user", parts=(Text(text=prompt),)),
        Message(role="assistant", parts=parts),
    )


def decide(found: FollowUp | None, prompt: str, detector: Detector) -> Solution:
    """The decision that no model takes part in."""
    calls = found.calls if found else detector.detect(prompt, TOOLS, today=TODAY).calls
    if found is not None and found.asks is not None:
        calls = (DetectedCall(name=found.asks[0], arguments={}),)
    whole = tuple(one for one in calls if NEEDED[one.name] in one.arguments)
    tool = (whole or calls)[0].name if calls else None
    return Solution(
        tool=tool,
        calls=tuple(DecidedCall(tool=one.name, arguments=one.arguments) for one in whole),
        asked=NEEDED[tool] if tool and not whole else None,
        reason="called",
        verdict_ms=0,
        decision_ms=0.0,
    )


def is_right(scorer: Scorer, case: Case, solution: Solution) -> bool:
    """Whether tool, calls and arguments are right."""
    score = scorer.score(case, solution)
    return score.tool_right and score.arguments_right is not False


def say(line: str) -> None:
    """Write one line."""
    sys.stdout.write(f"{line}\n")


def show(label: str, wrong: Sequence[tuple[Case, Solution]], total: int) -> None:
    """Write one figure, and with ``-v`` what is wrong."""
    say(f"{label}: {len(wrong)} of {total} wrong ({1 - len(wrong) / total:.1%} right)")
    for case, solution in wrong if "-v" in sys.argv else ():
        given = [dict(one.arguments) for one in solution.calls]
        say(f"    {case.prompt!r}: {solution.asked or given}")


def without_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same conversation as text alone."""
    return tuple(
        Message(role=one.role, parts=tuple(part for part in one.parts if isinstance(part, Text)))
        for one in messages
    )


def _is_same(left: JsonValue, right: JsonValue) -> bool:
    return have_same_value(str(left), str(right))


def constant(said: DialogueState) -> Callable[[Case], DialogueState]:
    """Say the same before every case."""
    return lambda _: said


def main() -> None:
    """Write all figures."""
    detector = Remembering(Detector.load())
    measure(detector, is_local=False)
    measure(detector, is_local=True)


def measure(detector: Detector, *, is_local: bool) -> None:
    """Write the figures of the rules, or of the rules and the classifier."""
    scorer = Scorer({**measures(TODAY), "expression": _is_same})

    def decided(case: Case, said: DialogueState) -> Solution:
        found = follow_up(case.prompt, said, TOOLS, today=TODAY, detector=detector)
        if is_local:
            found = guess(case.prompt, said, TOOLS, today=TODAY, detector=detector, certain=found)
        return decide(found, case.prompt, detector)

    def wrong(cases: Sequence[Case], said: Callable[[Case], DialogueState]) -> list[Wrong]:
        solved = ((case, decided(case, said(case))) for case in cases)
        return [each for each in solved if not is_right(scorer, *each)]

    way = "rules and classifier" if is_local else "rules"
    cases = select(read_cases(ZWROTNICA_PL), "dev").cases
    dialogues = [case for case in cases if case.history]
    show(f"{way}: dialogues", wrong(dialogues, lambda case: state(case.history)), len(dialogues))
    alone = wrong(dialogues, lambda case: state(without_calls(case.history)))
    show(f"{way}: dialogues, text alone", alone, len(dialogues))
    nothing = state(())
    known = [
        case
        for case in cases
        if not case.history and is_right(scorer, case, decided(case, nothing))
    ]
    for kind in EXCHANGES:
        said = recall(state(after(kind)), TOOLS, today=TODAY, detector=detector)
        show(f"{way}: after {kind}", wrong(known, constant(said)), len(known))


if __name__ == "__main__":
    main()
