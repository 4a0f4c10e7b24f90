"""Words the solutions of equations, inequalities and systems."""

from typing import assert_never

import sympy
from sympy import Expr, S

from chatbot.tools.mathematics.answer import Answer
from chatbot.tools.mathematics.expression import Expression, Group, is_relation
from chatbot.tools.mathematics.formulas import write
from chatbot.tools.mathematics.number_sets import images, word_set
from chatbot.tools.mathematics.results import SHORT, describe, escape
from chatbot.tools.mathematics.solving import Assignments, Range, Roots, Solution
from chatbot.tools.mathematics.wording import Wording, word_name


def word_solution(conditions: Expression, solution: Solution) -> Answer:
    """The conditions, then what satisfies them, as formulas and as a sentence."""
    latex, sentence = _word(solution)
    asked = _word_conditions(conditions)
    formulas = f"$${asked}$$" + (f"\n\n$${latex}$$" if latex else "")
    return Answer(content=f"{formulas}\n\n{escape(sentence)}", plain=sentence, result=sentence)


def _word(solution: Solution) -> tuple[str, str]:
    match solution:
        case Roots():
            return _word_roots(solution)
        case Range():
            return _word_range(solution)
        case Assignments():
            return _word_assignments(solution)
        case _:
            assert_never(solution)


def _word_conditions(conditions: Expression) -> str:
    if isinstance(conditions, Group) and len(conditions.items) == 1:
        return _word_conditions(conditions.items[0])
    if isinstance(conditions, Group):
        rows = " \\\\ ".join(map(_word_conditions, conditions.items))
        return f"\\begin{{cases}} {rows} \\end{{cases}}"
    return write(conditions) if is_relation(conditions) else f"{write(conditions)} = 0"


def _word_roots(roots: Roots) -> tuple[str, str]:
    named = [
        _name(word_name(roots.unknown, n if len(roots.values) > 1 else None), value)
        for n, value in enumerate(roots.values, 1)
    ]
    latex = ",\\quad ".join(one.latex for one in named)
    sentence = ("; " if _has_commas(named) else ", ").join(one.plain for one in named)
    if not roots.is_real:
        beyond = f"; zespolone: {sentence}" if named else ""
        return latex, f"Brak rozwiązań rzeczywistych{beyond}"
    return latex, sentence if roots.is_complete else f"{sentence} (mogą istnieć inne rozwiązania)"


def _has_commas(named: list[Wording]) -> bool:
    return any("," in one.plain for one in named)


def _name(name: Wording, value: Expr) -> Wording:
    """``x = √2 ≈ 1,414214``; a root too long to be read only as a decimal."""
    result = describe(value, longest=SHORT)
    wording = result.value
    return Wording(
        f"{name.latex} {result.latex_sign}{wording.latex}",
        " ".join(filter(None, (name.plain, result.sign, wording.plain))),
    )


def _word_range(solution: Range) -> tuple[str, str]:
    name = word_name(solution.unknown)
    if solution.values == S.Reals:
        return f"{name.latex} \\in \\mathbb{{R}}", "Spełnia to każda liczba rzeczywista."
    if solution.values == S.EmptySet:
        return "", "Brak rozwiązań rzeczywistych"
    counter = sympy.Symbol("n" if solution.unknown.name == "k" else "k", integer=True)
    repeated = images(solution.values, counter)
    if repeated is None:
        values = word_set(solution.values)
        return f"{name.latex} \\in {values.latex}", f"{name.plain} ∈ {values.plain}"
    latex = " \\;\\lor\\; ".join(f"{name.latex} = {one.latex}" for one in repeated)
    text = " lub ".join(f"{name.plain} = {one.plain}" for one in repeated)
    return (
        f"{latex},\\quad {counter.name} \\in \\mathbb{{Z}}",
        f"{text}, gdzie {counter.name} jest liczbą całkowitą",
    )


def _word_assignments(solution: Assignments) -> tuple[str, str]:
    if not solution.rows:
        return "", "Układ nie ma rozwiązań."
    rows = [[_name(word_name(name), value) for name, value in row] for row in solution.rows]
    latex = " \\quad\\text{lub}\\quad ".join(",\\; ".join(one.latex for one in r) for r in rows)
    joint = "; " if any(map(_has_commas, rows)) else ", "
    sentence = " lub ".join(joint.join(one.plain for one in row) for row in rows)
    free = len(solution.unknowns) - len(solution.rows[0])
    if not solution.is_real:
        sentence = f"Brak rozwiązań rzeczywistych; zespolone: {sentence}"
    if free:
        sentence += " (nieskończenie wiele rozwiązań)"
    return (
        latex,
        sentence if solution.is_complete else f"{sentence} (mogą istnieć inne rozwiązania)",
    )
