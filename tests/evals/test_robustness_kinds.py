"""Prompts written otherwise: what is right for them stays right."""

import re
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from chatbot.language import fold, morphology
from chatbot.types import Message, Text
from evals.cases import EVERYDAY, ZWROTNICA_PL, Case, Expected, ExpectedCall, read_cases, select
from evals.robustness.kinds import KINDS, perturb
from evals.robustness.words import unnamed_words

DEV = select(read_cases(ZWROTNICA_PL), "dev").cases
FRAMES = (
    "emoji",
    "polite_before",
    "polite_after",
    "distraction",
    "injection",
    "english_frame",
    "ukrainian_frame",
)
LETTERS = ("no_diacritics", "typos", "lower_case", "upper_case", "no_punctuation", "code_switch")
EXAMPLES: Final = 30
"""Of each kind: six and seven of them share what rewrites a text."""
QUOTED = re.compile(r'[„“"«][^„“”"«»]*[”"»]')

FORMULAS = st.sampled_from([
    "2x+3=7", "sqrt(2)", "3,5", "5!", "1/2", "x^2", "10:30", "12.", "sin(x),", "\\frac{1}{2}",
    "$a + b$", "7", "x", "ln", "√2?", "mm", "0,5;", "z", "NWD(8,12)",
])  # fmt: skip
WORDS = st.sampled_from([
    "Proszę", "policz", "pierwiastek", "równania", "żółty", "Łódź", "jutro", "siedemnaście",
    "zadanie", "Kudowa-Zdrój", "pogoda,", "dzisiaj?", "Ile", "będzie", "razem:", "e-mail",
])  # fmt: skip
QUOTES = st.sampled_from(["„Stoi na stacji 5 lokomotyw.”", '"Zażółć, gęślą!"', "„Oblicz 2+2”,"])
PROMPTS = st.lists(st.one_of(WORDS, FORMULAS, QUOTES), min_size=1, max_size=12).map(" ".join)
COMPUTED = Expected(calls=(ExpectedCall(tool="calculate", arguments={"expression": "2 + 2"}),))


def computed(prompt: str) -> Case:
    return Case(id="x", prompt=prompt, expected=COMPUTED)


def chunks(prompt: str) -> list[str]:
    """What has a figure or a sign of a formula in it, as it stands."""
    return re.findall(r"\S*[\d+*/^=√\\$(){}]\S*", prompt)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_prompt_and_id_changes_and_always_in_the_same_way(kind: str) -> None:
    for case in DEV:
        other = perturb(case, kind)
        assert other == perturb(case, kind)
        if other is not None:
            assert other.prompt != case.prompt
            assert (other.expected, other.also) == (case.expected, case.also)
            assert (other.history, other.tags) == (case.history, case.tags)
            assert other.id == f"{case.id}~{kind}"


@pytest.mark.parametrize("kind", FRAMES)
@settings(max_examples=EXAMPLES)
@given(prompt=st.one_of(PROMPTS, st.text(min_size=1)))
def test_a_frame_holds_the_prompt_as_it_is(kind: str, prompt: str) -> None:
    other = perturb(Case(id="x", prompt=prompt), kind)
    assert other is not None
    assert prompt in other.prompt


@pytest.mark.parametrize("kind", LETTERS)
@settings(max_examples=EXAMPLES)
@given(prompt=PROMPTS)
def test_formulas_numbers_and_quotations_stay_as_they_are(kind: str, prompt: str) -> None:
    other = perturb(computed(prompt), kind)
    after = prompt if other is None else other.prompt
    assert chunks(after) == chunks(prompt)
    assert QUOTED.findall(after) == QUOTED.findall(prompt)


@pytest.mark.parametrize("kind", LETTERS)
def test_so_they_do_in_every_case(kind: str) -> None:
    for case in DEV:
        other = perturb(case, kind)
        if other is not None:
            assert re.findall(r"\d", other.prompt) == re.findall(r"\d", case.prompt), case.id
            assert QUOTED.findall(other.prompt) == QUOTED.findall(case.prompt), case.id


@pytest.mark.parametrize("kind", LETTERS)
@settings(max_examples=EXAMPLES)
@given(prompt=st.text())
def test_any_text_can_be_rewritten(kind: str, prompt: str) -> None:
    perturb(Case(id="x", prompt=prompt), kind)
    perturb(computed(prompt), kind)


@pytest.mark.parametrize("kind", ["typos", "lower_case", "upper_case", "no_diacritics"])
@given(name=st.sampled_from(["x", "dx", "sin", "NWD", "mm", "siedemnaście", "log", "Ax"]))
def test_variables_functions_units_and_number_words_stay_where_something_is_computed(
    kind: str, name: str
) -> None:
    other = perturb(computed(f"{name} Oblicz {name}, proszę, żebym zrozumiała {name}"), kind)
    assert other is not None
    assert other.prompt.split()[0] == name
    assert len(re.findall(rf"\b{name}\b", other.prompt)) == 3


def test_typing_errors_are_few_and_leave_the_first_letter() -> None:
    for case in DEV:
        other = perturb(case, "typos")
        if other is None:
            continue
        pairs = zip(case.prompt.split(), other.prompt.split(), strict=True)
        changed = [(before, after) for before, after in pairs if before != after]
        assert 1 <= len(changed) <= 2
        assert all(len(before) == len(after) for before, after in changed)


def test_typing_errors_make_no_other_word() -> None:
    cases = [case for case in DEV if perturb(case, "typos")]
    for case in cases:
        typed = {word.text for word in unnamed_words(perturb(case, "typos") or case)}
        new = typed - {word.text for word in unnamed_words(case)}
        assert not any(morphology().is_known(word) for word in new), case.id


def test_typing_errors_are_not_in_names() -> None:
    call = ExpectedCall(tool="get_weather", arguments={"city": "Radom"})
    prompts = ("pogoda w radomiu", "Radomiu pogoda", "co w Pcimiu i w radomiu słychać")
    for number in range(30):
        for prompt in prompts:
            case = Case(id=str(number), prompt=prompt, expected=Expected(calls=(call,)))
            other = perturb(case, "typos")
            words = (prompt if other is None else other.prompt).split()
            assert {"radomiu", "Radomiu"} & set(words)
            assert ("Pcimiu" in words) == ("Pcimiu" in prompt)


def test_only_a_keyboard_neighbour_or_two_letters_that_changed_places() -> None:
    seen = {
        other.prompt
        for number in range(300)
        if (other := perturb(Case(id=str(number), prompt="pogoda"), "typos"))
    }
    assert {"opgoda", "gpogoda"} & seen == set()
    assert {"pgooda", "pohoda"} <= seen


def test_marks_of_a_title_stay() -> None:
    call = ExpectedCall(tool="search_wikipedia", arguments={"query": "Czy leci z nami pilot?"})
    case = Case(id="x", prompt="Czy leci z nami pilot?, o czym?", expected=Expected(calls=(call,)))
    assert perturb(case, "no_punctuation") is None


def test_marks_between_words_go_and_those_of_formulas_stay() -> None:
    other = perturb(
        computed("Policz proszę, ile to: 2,5 + 5! Dziękuję, miłego dnia!"), "no_punctuation"
    )
    assert other is not None
    assert other.prompt == "Policz proszę ile to: 2,5 + 5! Dziękuję miłego dnia"


def test_an_injected_order_is_quoted_and_wants_another_tool() -> None:
    words = {
        "get_weather": r"pogod|prognoz",
        "search_wikipedia": r"Wikipedi|kim był",
        "calculate": r"oblicz|policz",
        "generate_image": r"narysuj|obraz",
    }
    for case in DEV:
        other = perturb(case, "injection")
        if other is None:
            continue
        added = other.prompt.removeprefix(case.prompt)
        order = QUOTED.findall(added)[0]
        asked = {call.tool for right in (case.expected, *case.also) for call in right.calls}
        assert not any(re.search(words[tool], order) for tool in asked), other.prompt


def test_in_a_dialogue_the_aside_stands_behind() -> None:
    said = Message(role="user", parts=(Text(text="Pogoda w Łodzi?"),))
    alone = Case(id="x", prompt="A tam?")
    assert (perturb(alone, "distraction") or alone).prompt.endswith(" A tam?")
    in_dialogue = Case(id="x", prompt="A tam?", history=(said,))
    assert (perturb(in_dialogue, "distraction") or in_dialogue).prompt.startswith("A tam? ")


def test_what_is_added_names_no_place_and_no_day() -> None:
    for kind in ("polite_before", "polite_after", "distraction"):
        added = {
            fold((perturb(Case(id=str(number), prompt="#"), kind) or DEV[0]).prompt)
            for number in range(100)
        }
        assert not any(
            re.search(r"\b(dzis|dzisiaj|jutro|pogod\w+|rysun\w+)\b", one) for one in added
        )


def test_the_everyday_cases_can_be_written_otherwise_too() -> None:
    cases = read_cases(EVERYDAY).cases
    counts = {kind: sum(perturb(case, kind) is not None for case in cases) for kind in KINDS}
    assert min(counts.values()) >= 50, counts
