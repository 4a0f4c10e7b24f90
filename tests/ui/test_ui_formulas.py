"""Formulas are found outside code, handed over escaped, and never shown half-written."""

import re

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from ui.formulas import DISPLAY, INLINE, mark_formulas, split_blocks, without_marks


def inline(body: str) -> str:
    return f"{INLINE[0]}{body}{INLINE[1]}"


def display(body: str) -> str:
    return f"{DISPLAY[0]}{body}{DISPLAY[1]}"


@every_row(
    ("written", "marked"),
    [
        ("wzór $x^2$ i dalej", f"wzór {inline('x^2')} i dalej"),
        (r"wzór \(x_1\).", f"wzór {inline('x_1')}."),
        ("$$\nx\n$$", display("\nx\n")),
        (r"\[ a < b \]", display(" a &lt; b ")),
        (r"$\frac{a}{b} \$ c$", inline(r"\frac{a}{b} \$ c")),
        ("$a$-$b$", f"{inline('a')}-{inline('b')}"),
        (r"$a & b$", inline("a &amp; b")),
    ],
)
def test_formulas_of_every_form_are_marked(written: str, marked: str) -> None:
    assert mark_formulas(written) == marked


@every_row(
    "text",
    [
        "Cena to $5, a potem $6.",
        "Od 5 $ do 6 $ za sztukę.",
        "To kosztuje 5$ albo 10$.",
        r"\$x\$ to nie wzór",
        "`$x$` oraz ``a ` $y$``",
        "```\n$$x$$\n```\n",
        "~~~python\nprint('$$', r'\\(')\n~~~",
        "- punkt\n\n  ```\n  $x$\n  ```",
        "```\notwarty $$x$$ kod",
        "$ x$ i $x $",
        "$a\n\nb$",
    ],
)
def test_code_and_prices_stay_as_they_are(text: str) -> None:
    assert mark_formulas(text) == text


def test_mermaid_is_shown_as_plain_code() -> None:
    assert mark_formulas("```mermaid\ngraph TD\n```\n") == "```text\ngraph TD\n```\n"


def test_a_text_cannot_bring_marks_of_its_own() -> None:
    assert mark_formulas(f"a {inline('<img src=x>')} b") == "a <img src=x> b"


@every_row(
    ("received", "shown"),
    [
        ("Wzór: $$\\frac{a", "Wzór: "),
        ("Wzór: \\[ x", "Wzór: "),
        ("Wzór: \\(x_", "Wzór: "),
        ("Wzór: $x^", "Wzór: "),
        ("Wzór: $", "Wzór: "),
        ("Wzór: \\", "Wzór: "),
        ("$a$ oraz $$b", f"{inline('a')} oraz "),
        ("```\n$$ kod", "```\n$$ kod"),
    ],
)
def test_a_growing_text_holds_an_open_formula_back(received: str, shown: str) -> None:
    assert mark_formulas(received, is_growing=True) == shown


@pytest.mark.parametrize("text", ["Cena: $ 5", "Cena: $5 \n\ni dalej", "Cena: $" + "5" * 200])
def test_what_can_be_no_formula_is_not_held_back(text: str) -> None:
    assert mark_formulas(text, is_growing=True) == text


PIECES = st.sampled_from([
    *("$", "$$", "\\[", "\\]", "\\(", "\\)", "x^2", " ", "\n", "\n\n", "`", "```", "~~~", "kod"),
    *("\\", "a", "5", "- ", "1. ", "> ", "| a |", "<b>", "mermaid", "[r]: x", *INLINE, *DISPLAY),
])


@given(st.lists(PIECES, max_size=40).map("".join))
def test_marks_come_in_pairs_and_nothing_else_changes(text: str) -> None:
    marked = mark_formulas(text)
    opened = re.findall("|".join((*INLINE, *DISPLAY)), marked)
    pairs = {tuple(opened[at : at + 2]) for at in range(0, len(opened), 2)}
    assert pairs <= {INLINE, DISPLAY}


@given(st.lists(st.sampled_from(["$$", "\\[", "\\(", "x", " ", "$"]), max_size=9).map("".join))
def test_a_growing_text_never_ends_in_an_opening(text: str) -> None:
    growing = mark_formulas(f"a {text}", is_growing=True)
    assert not growing.endswith(("$$", "\\", "\\(", "\\["))


@given(st.lists(PIECES, max_size=60).map("".join))
def test_blocks_are_the_whole_text_in_order(text: str) -> None:
    marked = mark_formulas(text)
    assert "".join("".join(split_blocks(marked)).split()) == "".join(marked.split())


def test_blocks_that_are_complete_never_change_while_a_text_grows() -> None:
    text = (
        "Wstęp.\n\nDrugi akapit $x$.\n\n- a\n- b\n\n  c\n\nPo liście.\n\n```\na\n\nb\n```\n\n"
        "$$\na\n\nb\n$$\n\nKoniec."
    )
    whole = split_blocks(mark_formulas(text))
    for cut in range(len(text)):
        *done, _ = split_blocks(mark_formulas(text[:cut], is_growing=True)) or ("",)
        assert tuple(done) == whole[: len(done)]


def test_a_text_with_link_targets_stays_whole() -> None:
    text = "Patrz [tu][1].\n\nAkapit.\n\n[1]: https://a.example"
    assert split_blocks(text) == (text,)


def test_marks_can_be_taken_out() -> None:
    assert without_marks(inline("x") + display("y")) == "xy"
