"""Word problems read by the trained model: templates, measures, bounds, and when it is asked."""

import math

import numpy as np
import pytest
from scripted.tables import every_row

from chatbot.router.detector.formulas import Reading, read_formula
from chatbot.router.detector.formulas.problems.statement import state
from chatbot.router.detector.formulas.stories import read_story, story_model
from chatbot.router.detector.formulas.stories.layout import lay_out, pairs_of
from chatbot.router.detector.formulas.stories.measures import measure
from chatbot.router.detector.formulas.stories.reading import PARTLY, statement_of
from chatbot.router.detector.formulas.stories.sums import comes_to, total_of
from chatbot.router.detector.formulas.stories.templates import JOINS, ROLES, parse
from chatbot.router.detector.formulas.stories.weighing import Told, weigh


@every_row(
    ("code", "quantities", "written"),
    [
        ("a b * c -", ("3", "4.50", "20"), "3*4.50 - 20"),
        ("c a b * -", ("3", "4.50", "20"), "20 - 3*4.50"),
        ("a 1 b - *", ("120", "15/100"), "120*(1 - 15/100)"),
        ("a b /", ("120", "3/4"), "120/(3/4)"),
        ("a b + c /", ("7", "8", "3"), "(7 + 8)/3"),
        ("a b / ceiling", ("50", "8"), "ceiling(50/8)"),
        ("a 1 b + c ** *", ("1000", "5/100", "3"), "1000*(1 + 5/100)**3"),
        ("a b - c -", ("9", "2", "3"), "9 - 2 - 3"),
        ("a b c - -", ("9", "2", "3"), "9 - (2 - 3)"),
        ("a b ** c **", ("2", "3", "2"), "(2**3)**2"),
    ],
)
def test_a_template_is_written_with_the_brackets_that_it_needs(
    code: str, quantities: tuple[str, ...], written: str
) -> None:
    assert parse(code).write(quantities) == written


@pytest.mark.parametrize(
    ("code", "value"),
    [("a b * c -", 7.0), ("c a b * -", -7.0), ("a b / ceiling", 2.0), ("b 2 ** c + 2 + sqrt", 4.0)],
)
def test_a_template_has_the_value_of_what_it_writes(code: str, value: float) -> None:
    numbers = [np.array([each], dtype=np.float64) for each in (4, 3, 5)]

    assert parse(code).value(numbers).tolist() == [value]


def test_roles_and_joins_are_those_of_the_whole_sum_or_product() -> None:
    template = parse("a b * c - d -")
    joins = {(one, two): JOINS[join] for one, two, join in template.joins}

    assert [ROLES[role] for _, role in template.roles] == [
        "factor.in", "factor.in", "taken", "taken",
    ]  # fmt: skip
    assert joins[0, 1] == "times"
    assert joins[0, 2] == joins[1, 3] == "take"
    assert joins[2, 3] == "add"


def test_candidates_are_all_choices_of_quantities_for_every_template() -> None:
    layout = lay_out([parse("a b *"), parse("a b c + +")], 4)

    assert len(layout.chosen) == math.comb(4, 2) + math.comb(4, 3)
    assert layout.cells.max() == layout.size - 1


def test_a_candidate_adds_up_its_quantities_roles_its_joins_and_its_template() -> None:
    layout = lay_out([parse("a b c + +"), parse("a b *")], 4)
    at = next(at for at, one in enumerate(layout.chosen) if one == (1, 3))
    roles, pairs = len(ROLES), len(pairs_of(4))
    table = np.zeros(layout.size)
    table[[0, 2 * roles]] = 1  # unused
    table[[roles + ROLES.index("factor"), 3 * roles + ROLES.index("factor")]] = 10
    table[4 * roles + pairs_of(4).index((1, 3)) * len(JOINS) + JOINS.index("times")] = 100
    table[4 * roles + pairs * len(JOINS) + 1] = 1_000

    assert layout.template[at] == 1
    assert layout.scores(table)[at] == 2 + 20 + 100 + 1_000


def test_a_price_for_each_times_so_many_measures_the_money_that_is_asked_for() -> None:
    dimensions = measure(state("Kupuję 3 kg jabłek po 4,50 zł za kg, ile zapłacę?"))[:, 0].tolist()
    product, _ = parse("a b *").measure(dimensions[:2], scales=False)
    quotient, _ = parse("b a /").measure(dimensions[:2], scales=False)

    assert product == dimensions[2]
    assert quotient != dimensions[2]


def test_unlike_measures_that_are_added_clash() -> None:
    dimensions = measure(state("Mam 3 kg jabłek i 5 m sznurka, ile razem?"))[:, 0].tolist()
    _, clashes = parse("a b +").measure(dimensions[:2], scales=False)

    assert clashes == 1


@every_row(
    "prompt",
    [
        "Opowiedz mi coś o jabłkach",
        "ile razem " + " ".join(f"{n} zł" for n in range(2, 40)),
        "mam 7/0 jabłek i 3 gruszki, ile to razem",
        "mam " + "9" * 400 + " jabłek po 2 zł, ile zapłacę",
        "Ile metrów brakuje do dwóch tysięcy?",
        "pokaż krok po kroku, dlaczego suma 3 jabłek i 4 gruszek to 7",
        "",
    ],
)
def test_what_is_no_story_of_a_few_numbers_is_not_read(prompt: str) -> None:
    assert read_story(prompt, None) is None


def test_a_formula_in_signs_is_no_story() -> None:
    assert statement_of("policz 3x + 4 = 19") is None


def test_a_sure_reading_of_the_rules_stays() -> None:
    found = Reading(expression="2 + 2", share=1.0, reader="mixing")

    assert read_story("Kupuję 3 kg jabłek po 4,50 zł za kg, ile zapłacę?", found) is found


def test_an_unlikely_guess_is_no_reading() -> None:
    prompt = "ile dni potrwa 17 bitew, w których 23 rycerzy ma 5 koni i 3 wozy?"
    statement = statement_of(prompt)
    assert statement is not None
    guess = story_model().guess(statement)

    assert guess is not None
    assert guess.share < 0.5
    assert read_story(prompt, None) is None


def test_values_near_the_largest_float_are_weighed_too() -> None:
    told = Told(numbers=np.array([19.0, 240.0]), measures=np.full((3, 3), np.nan), asked="money")

    values, marks = weigh(told, [(parse("a b **"), (0, 1))])  # warnings are errors

    assert values[0] == pytest.approx(19.0**240)
    assert marks.shape == (1, 5)


def test_shares_of_values_are_probabilities() -> None:
    statement = statement_of("Kupuję 3 kg jabłek po 4,50 zł za kg, ile zapłacę?")
    assert statement is not None
    guess = story_model().guess(statement)

    assert guess is not None
    assert guess.value == pytest.approx(13.5)
    assert 0.5 < guess.share <= 1.0


@every_row(
    ("expression", "value"),
    [
        ("3*4.5 - 2", 11.5),
        ("2 - 3 - 4", -5.0),
        ("120*(1 - 15/100)", 102.0),
        ("2**3**2", 512.0),
        ("(2 + 4)/3*2", 4.0),
    ],
)
def test_a_plain_expression_comes_to_its_value(expression: str, value: float) -> None:
    assert comes_to(expression, value)


@every_row("expression", ["x + 1", "2/0", "(2 + 3", "9**9**9**9", "2 3", "", "2 +"])
def test_what_is_no_plain_sum_comes_to_no_value(expression: str) -> None:
    assert not comes_to(expression, 5.0)


def test_a_reading_of_the_same_value_stays_as_the_rules_wrote_it() -> None:
    found = Reading(expression="4.50*3", share=1.0, reader="story")

    assert read_story("Kupuję 3 kg jabłek po 4,50 zł za kg, ile zapłacę?", found) is found


def test_a_formula_that_is_most_of_what_was_said_stays() -> None:
    prompt = "ile to minus osiem razy dwanascie"
    found = read_formula(prompt)

    assert found is not None
    assert read_story(prompt, found) is found


def test_a_value_that_the_rules_read_too_is_likelier() -> None:
    statement = statement_of("Mam 2140 zł, czynsz 680, leki 210. Połowę reszty odkładam, ile to?")
    assert statement is not None
    alone = story_model().guess(statement)
    agreed = story_model().guess(statement, reader="story", read=625.0)

    assert alone is not None
    assert agreed is not None
    assert agreed.value == 625.0
    assert agreed.share > alone.share


def test_a_formula_with_a_function_is_not_replaced() -> None:
    prompt = "Mądra z niej sówka, ale ja pilnie potrzebuję log2 z 4096"
    found = read_formula(prompt)

    assert found is not None
    assert found.expression == "log(4096, 2)"
    assert read_story(prompt, found) is found


def test_a_sum_of_more_numbers_than_the_model_weighs_is_not_replaced() -> None:
    prompt = "Średnia arytmetyczna: 12, 15, 9, 22, 17, 15"
    found = read_formula(prompt)

    assert found is not None
    assert found.reader == "list"
    assert read_story(prompt, found) is found


def test_a_part_of_a_prompt_is_read_only_where_it_is_surer() -> None:
    prompt = "Na chomika 9 g dziennie, mam 270 g, na ile dni?"
    statement = statement_of(prompt)
    assert statement is not None
    guess = story_model().guess(statement)

    assert guess is not None
    assert (read_story(prompt, None, is_part=True) is not None) == (guess.share >= PARTLY)


@pytest.mark.parametrize(
    ("prompt", "expression"),
    [
        (
            "auto spala 6,5 l na 100 km, litr kosztuje 6 zł, ile wydam na 300 km",
            "6.5*6*300/100",
        ),
    ],
)
def test_a_pattern_that_leaves_numbers_out_gives_way_to_the_model(
    prompt: str, expression: str
) -> None:
    found = read_story(prompt, read_formula(prompt))

    assert found is not None
    assert found.reader == "story model"
    assert comes_to(found.expression, total_of(expression))


def test_one_number_alone_is_no_calculation_of_a_story() -> None:
    prompt = "czy 13 to pechowa liczba?"

    assert read_story(prompt, read_formula(prompt)) is None
