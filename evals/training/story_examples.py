"""Stories with their right calculations: our own list, and cases to practise with."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.problems.statement import Statement
from chatbot.router.detector.formulas.stories.measures import measure
from chatbot.router.detector.formulas.stories.model import is_readable
from chatbot.router.detector.formulas.stories.quantities import value_of
from chatbot.router.detector.formulas.stories.reading import statement_of
from chatbot.router.detector.formulas.stories.signs import Story, describe
from chatbot.router.detector.formulas.stories.sums import total_of
from chatbot.router.detector.formulas.stories.weighing import Told
from chatbot.router.dialogue.calculations.rereading import is_same_value
from chatbot.types import Message, Text, ToolCall
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, CaseSet, read_cases, select
from evals.training.prompts import SEED
from evals.training.spellings import KEPT
from evals.training.story_frames import FRAMES, frame_rows
from evals.training.story_trees import (
    Calculation,
    right_calculation,
    value_of_expression,
)
from evals.training.talks import TALKS, first_rows
from evals.values import have_same_value

OWN = Path(__file__).with_name("calculations")
"""Stories a line each, in files of which no rule was made."""

FURTHER = OWN / "further"
"""More of them, for a model that has room for more."""

_DIALOGUES = Path(__file__).with_name("dialogues")
_UNRULED = ("mathematics_5",)
"""Practice cases that no rule was made from, so that the rules' readings of them can be weighed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A story that the model may read, what it comes to, and what the rules make of it.

    ``calculation`` is what its first right expression is made of, if a template makes it;
    ``is_own`` is true for the list that no rule was made from. ``reader`` is the rules' reader,
    empty where they read nothing.
    """

    statement: Statement
    story: Story
    told: Told
    right: tuple[float, ...]
    calculation: Calculation | None
    is_own: bool
    reader: str
    is_read_right: bool

    def is_right(self, value: float) -> bool:
        """Whether this is a value of the right expressions."""
        return any(is_same_value(value, one) for one in self.right)


def read_examples(*, with_further: bool = False) -> tuple[Example, ...]:
    """Read all stories that have quantities, not too many, and a value.

    Args:
        with_further: Whether to read those of `FURTHER`, and what talks begin with, too.
    """
    practice = [path for path in sorted(PRACTICE_PL.glob("*.jsonl")) if path.stem not in KEPT]
    dialogues = [*practice, *sorted(_DIALOGUES.rglob("*.jsonl"))]
    own = [*sorted(OWN.glob("*.tsv")), *(sorted(FURTHER.glob("*.tsv")) if with_further else ())]
    sources = [
        (path.stem in _UNRULED, *row) for path in practice for row in _rows_of(read_cases(path))
    ]
    sources += [(False, *row) for row in _rows_of(select(read_cases(ZWROTNICA_PL), "dev"))]
    sources += [(True, *row) for path in own for row in own_rows(path)]
    sources += [(True, *row) for path in dialogues for row in _told_before(read_cases(path))]
    if with_further:
        sources += [
            (True, *row) for path in sorted(TALKS.glob("*.txt")) for row in first_rows(path)
        ]
    sources += [(True, *row) for row in frame_rows(FRAMES, seed=SEED)]
    # of a prompt that stands twice the first stays
    once = {prompt: (is_own, right) for is_own, prompt, right in reversed(sources)}
    found = (example_of(prompt, right, is_own=is_own) for prompt, (is_own, right) in once.items())
    return tuple(one for one in found if one is not None)


def own_rows(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """One story a line: the prompt and right expressions."""
    with path.open(encoding="utf-8", newline="") as lines:
        for prompt, *right in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield prompt.replace("\\n", "\n"), right


def _rows_of(cases: CaseSet) -> Iterator[tuple[str, Sequence[str]]]:
    for case in cases.cases:
        if right := _expressions(case):
            yield case.prompt, right


def _told_before(cases: CaseSet) -> Iterator[tuple[str, Sequence[str]]]:
    """The calculations that dialogues begin with."""
    for case in cases.cases:
        match case.history[:2]:
            case [Message(parts=[Text(text=prompt)]), Message(parts=[ToolCall() as call, *_])]:
                if expression := call.arguments.get("expression"):
                    yield prompt, [str(expression)]


def _expressions(case: Case) -> list[str]:
    calls = case.expected.calls
    if case.history or case.tool != "calculate" or len(calls) > 1:
        return []
    first = calls[0].arguments.get("expression")
    accepted = calls[0].accept.get("expression", ())
    return [] if first is None else [*map(str, (first, *accepted))]


def example_of(prompt: str, right: Sequence[str], *, is_own: bool) -> Example | None:
    """Return one story with its right expressions; ``None`` if the model cannot read it.

    Args:
        prompt: What was said.
        right: Expressions that are right.
        is_own: Whether no rule was made from it.
    """
    statement = statement_of(prompt)
    values = [value for each in right if (value := value_of_expression(each)) is not None]
    if statement is None or not values or not is_readable(statement):
        return None
    numbers = [value_of(one) for one in statement.quantities]
    shares = [one.unit == "%" for one in statement.quantities]
    reading = read_formula(prompt)
    reader = reading.reader if reading is not None and is_own else ""
    story = describe(statement, reader)
    return Example(
        statement=statement,
        story=story,
        told=Told(
            numbers=np.array(numbers),
            measures=measure(statement),
            asked=story.asked,
            reader=reader,
            read=total_of(reading.expression) if reading is not None and reader else math.nan,
        ),
        right=tuple(values),
        calculation=right_calculation(right[0], numbers, shares, values),
        is_own=is_own,
        reader="" if reading is None else reading.reader,
        is_read_right=reading is not None and _is_right(reading.expression, right, values),
    )


def _is_right(expression: str, right: Sequence[str], values: Sequence[float]) -> bool:
    value = value_of_expression(expression)
    if value is not None:
        return any(is_same_value(value, one) for one in values)
    return any(have_same_value(expression, one) for one in right)
