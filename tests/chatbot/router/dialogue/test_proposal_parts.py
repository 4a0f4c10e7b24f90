"""What the numbers of an expression do in it, and of which parts it is made."""

from fractions import Fraction

from scripted.tables import every_row

from chatbot.router.dialogue.calculations.proposal_parts import addends, parts, summed
from chatbot.router.dialogue.calculations.proposal_roles import roles, root


@every_row(
    ("expression", "number", "role"),
    [
        ("320/4*7", Fraction(4), "divisor"),
        ("320/4*7", Fraction(7), "factor"),
        ("24*15 - 287", Fraction(287), "taken added"),
        ("(2400 + 150)/30", Fraction(150), "in factor"),
        ("100/(9 - 2)", Fraction(2), "taken in divisor"),
        ("100/(10/2)", Fraction(2), "factor"),
        ("Rational(3, 4)*80", Fraction(3, 4), "factor"),
        ("sqrt(16)", Fraction(16), "inside"),
    ],
)
def test_the_role_of_a_number(expression: str, number: Fraction, role: str) -> None:
    assert roles(expression)[number] == role


@every_row(
    "expression", ["", "3 +", "1e999", "Rational(1, 0)", "Rational('x', 2)", "(" * 300, "-" * 600]
)
def test_what_cannot_be_read_has_no_role_of_its_own(expression: str) -> None:
    assert roles(expression).keys() <= {Fraction(0), Fraction(1), Fraction(2)}


@every_row(
    ("expression", "sign"),
    [
        ("3*4 - 2", "+-"),
        ("3*(4 - 2)", "*"),
        ("100/7", "/"),
        ("Rational(3, 4)", "/"),
        ("sqrt(2)", "f"),
        ("2 +", "f"),
        (None, "none"),
    ],
)
def test_what_an_expression_does_last(expression: str | None, sign: str) -> None:
    assert root(expression) == sign


def test_an_expression_is_summed_up_of_its_terms_again() -> None:
    terms = addends("4300 - 1450 - (620 - 20) + 3*5")

    assert [one.text for one in terms] == ["4300", "1450", "620", "20", "3*5"]
    assert summed(terms) == "4300 + 20 + 3*5 - 1450 - 620"
    assert summed(terms[1:3]) == "1450 + 620"


def test_the_parts_of_an_expression_are_those_inside_it_that_do_something() -> None:
    found = parts("(320 - 272)/320*100")

    assert [one.text for one in found] == ["(320 - 272)/320", "(320 - 272)"]
