"""Ask each reader of word problems in turn: the most particular first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts import read_story
from chatbot.router.detector.formulas.problems.areas import read_area
from chatbot.router.detector.formulas.problems.arrangements import read_arrangement
from chatbot.router.detector.formulas.problems.balance import read_balance
from chatbot.router.detector.formulas.problems.borders import read_border
from chatbot.router.detector.formulas.problems.chances import read_chance
from chatbot.router.detector.formulas.problems.choices import read_choice
from chatbot.router.detector.formulas.problems.comparatives import read_comparative
from chatbot.router.detector.formulas.problems.counting import read_counting
from chatbot.router.detector.formulas.problems.currencies import read_exchange
from chatbot.router.detector.formulas.problems.divisibility import read_divisibility
from chatbot.router.detector.formulas.problems.doubling import read_doubling
from chatbot.router.detector.formulas.problems.endless import read_endless
from chatbot.router.detector.formulas.problems.fences import read_fence
from chatbot.router.detector.formulas.problems.figures import read_figure
from chatbot.router.detector.formulas.problems.functions import read_function
from chatbot.router.detector.formulas.problems.growth import read_growth
from chatbot.router.detector.formulas.problems.instalments import read_dues, read_instalments
from chatbot.router.detector.formulas.problems.integers import read_integer
from chatbot.router.detector.formulas.problems.joint import read_joint
from chatbot.router.detector.formulas.problems.journeys import (
    read_fuel,
    read_journey,
    read_proportion,
)
from chatbot.router.detector.formulas.problems.leftovers import read_leftover
from chatbot.router.detector.formulas.problems.levels import read_level
from chatbot.router.detector.formulas.problems.lists import read_list, read_other_mean
from chatbot.router.detector.formulas.problems.measured_sums import read_measured_sum
from chatbot.router.detector.formulas.problems.mixing import read_mixing
from chatbot.router.detector.formulas.problems.number_sentences import read_number_sentence
from chatbot.router.detector.formulas.problems.paces import read_pace
from chatbot.router.detector.formulas.problems.percentages import (
    read_percentage,
    read_told_percentage,
)
from chatbot.router.detector.formulas.problems.physics import read_physics
from chatbot.router.detector.formulas.problems.portions import read_portion
from chatbot.router.detector.formulas.problems.proportions import read_rule_of_three
from chatbot.router.detector.formulas.problems.purchases import read_purchase
from chatbot.router.detector.formulas.problems.receipts import read_receipt
from chatbot.router.detector.formulas.problems.rests import read_rest
from chatbot.router.detector.formulas.problems.riddles import read_part, read_riddle
from chatbot.router.detector.formulas.problems.rules import read_rule
from chatbot.router.detector.formulas.problems.sequences import read_sequence
from chatbot.router.detector.formulas.problems.shares import read_share
from chatbot.router.detector.formulas.problems.solids import read_solid
from chatbot.router.detector.formulas.problems.stages import read_stages
from chatbot.router.detector.formulas.problems.statement import Statement, state
from chatbot.router.detector.formulas.problems.unknown_operands import read_unknown_operand
from chatbot.router.detector.formulas.problems.unknowns import read_unknown
from chatbot.router.detector.formulas.problems.vectors import read_vectors
from chatbot.router.detector.formulas.problems.vouchers import read_voucher
from chatbot.router.detector.formulas.problems.wages import read_wage
from chatbot.router.detector.formulas.problems.yields import read_yield

_LONG_NUMBER = regex(r"\d{60}")
_PARTICULAR: tuple[Callable[[Statement], str | None], ...] = (
    read_function,
    read_physics,
    read_area,
    read_endless,
    read_unknown_operand,
    read_chance,
    read_divisibility,
    read_integer,
    read_joint,
    read_unknown,
    read_counting,
    read_number_sentence,
    read_choice,
    read_arrangement,
    read_receipt,
    read_measured_sum,
    read_sequence,
    read_other_mean,
    read_vectors,
    read_comparative,
    read_rest,
    read_instalments,
    read_riddle,
)
_STORIES: tuple[Callable[[Statement], str | None], ...] = (
    read_exchange,
    read_rule,
    read_doubling,
    read_growth,
    read_leftover,
    read_voucher,
    read_fence,
    read_border,
    read_level,
    read_balance,
    read_mixing,
    read_stages,
    read_told_percentage,
    read_dues,
    read_wage,
    read_story,
    read_pace,
    read_yield,
    read_rule_of_three,
    read_solid,
    read_figure,
    read_fuel,
    read_journey,
    read_part,
    read_proportion,
    read_share,
    read_portion,
    read_purchase,
    read_percentage,
    read_list,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """The expression of a word problem, and the name of the function that read it."""

    expression: str
    reader: str


def read_problem(prompt: str) -> Problem | None:
    """Return a word problem that is one calculation; ``None`` without one."""
    if _LONG_NUMBER.search(prompt):
        return None
    statement = state(prompt)
    if not any(character.isdigit() for character in statement.words):
        return _first([read_counting, read_chance], statement)
    is_formula = statement.has_formula and not statement.has_box
    return _first(_PARTICULAR if is_formula else (*_PARTICULAR, *_STORIES), statement)


def _first(
    readers: Sequence[Callable[[Statement], str | None]], statement: Statement
) -> Problem | None:
    for reader in readers:
        if (expression := reader(statement)) is not None:
            return Problem(expression=expression, reader=reader.__name__.removeprefix("read_"))
    return None
