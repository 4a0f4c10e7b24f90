"""Follow-ups of calculations drawn from frames: questions, their answers, what is asked next."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from chatbot.types import Message, Text, ToolCall, ToolOutcome
from evals.cases import Case, Expected, ExpectedCall
from evals.training.story_frames import draw
from evals.training.story_trees import value_of_expression

FRAMES = Path(__file__).with_name("follow_up_frames.txt")
COPIES = 2
"""How many dialogues are drawn from each follow-up."""

_TOOL = "calculate"
_RESULT = "{=}"


def frame_cases(path: Path, *, seed: int, copies: int = COPIES) -> Iterator[Case]:
    """Draw dialogues with right expressions, in the notation of `story_frames`.

    A line ``> question, tab, expression, tab, reply`` opens a conversation, ``>>`` goes on with
    it; without an expression nothing was calculated, ``{=}`` in the reply is the result. Each line
    after it is a follow-up, a tab, its expression with the same letters.
    """
    random = Random(seed)  # noqa: S311 - training examples, no secret
    said: list[list[str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith(">"):
            mark, _, exchange = line.partition(" ")
            said = [*(said if mark == ">>" else ()), exchange.split("\t")]
        elif line and not line.startswith("#"):
            for copy in range(copies):
                yield _case(f"frame-{number}-{copy}", [*said, line.split("\t")], random)


def _case(name: str, lines: Sequence[Sequence[str]], random: Random) -> Case:
    texts = [text for one in lines for text in (one[0], *one[2:])]
    told, results = draw(texts, [one[1] for one in lines], random)
    history: list[Message] = []
    for at, expression in enumerate(results[:-1]):
        question, reply = told[2 * at], told[2 * at + 1].replace(_RESULT, _said(expression))
        parts = _called(f"{name}-{at}", expression, reply) if expression else ()
        history += (
            Message(role="user", parts=(Text(text=question),)),
            Message(role="assistant", parts=(*parts, Text(text=reply))),
        )
    right = ExpectedCall(tool=_TOOL, arguments={"expression": results[-1]})
    return Case(
        id=name,
        prompt=told[-1],
        expected=Expected(calls=(right,)),
        history=tuple(history),
    )


def _called(name: str, expression: str, reply: str) -> tuple[ToolCall, ToolOutcome]:
    given = {"expression": expression}
    call = ToolCall(call_id=name, name=_TOOL, arguments=given, raw_arguments=given)
    return call, ToolOutcome(call_id=name, name=_TOOL, status="ok", content=reply)


def _said(expression: str) -> str:
    """A result as a reply has it: at most two decimals, with a comma."""
    value = value_of_expression(expression)
    return f"{value or 0.0:.2f}".rstrip("0").rstrip(".").replace(".", ",")
