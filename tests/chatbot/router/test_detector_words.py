"""Arithmetic in words: steps, nouns within nouns, fractions, percentages, given values."""

import pytest
import sympy

from chatbot.router.detector.formulas import read_formula

WORDS = [
    ("od 120 odejmij 3 razy 15", "75"),
    ("od iloczynu 7 i 8 odejmij sumę 9 i 11", "36"),
    ("do połowy z 90 dodaj trzecią część z 60", "65"),
    ("iloczyn sumy 5 i 7 oraz różnicy 10 i 4", "72"),
    ("suma iloczynu 3 i 4 i ilorazu 20 i 5", "16"),
    ("suma pierwiastków z 49 i 64", "15"),
    ("połowa sumy 14 i 26", "20"),
    ("trzykrotność sumy 4 i 6", "30"),
    ("różnica między 40% z 350 a jedną czwartą z 500", "15"),
    ("o ile 30% z 200 jest większe od 20% z 150", "30"),
    ("o 20% więcej niż 150", "180"),
    ("z jakiej liczby 15% to 63", "420"),
    ("jaka to liczba, której 40% wynosi 52", "130"),
    ("2 1/3 + 1 1/2", "23/6"),
    ("podziel 3/4 przez 2/5", "15/8"),
    ("logarytm o podstawie 3 z 1/81", "-4"),
    ("15 plus 5, a potem razy 3", "60"),
    ("480 przez 8 i jeszcze przez 3", "20"),
    ("weź 20, dodaj 15, pomnóż przez 2 i odejmij 10", "60"),
    ("pomyśl 7, podwój, dodaj 6, podziel na 2", "10"),
    ("ile to 5 tuzinów", "60"),
    ("kopa minus tuzin", "48"),
    ("wiela to je pińć razy sześć", "30"),
    ("F = m·a, m = 12 kg, a = 3 m/s²", "36"),
    ("Ek = mv²/2, m = 4, v = 5", "50"),
    ("Zgadza się? 3,6 : 0,12 = 30", "30"),
    ("odwrotność 2/5", "5/2"),
    ("bok kwadratu o obwodzie 36", "9"),
    ("Sześcian ma pole całkowite 150. Krawędź?", "5"),
    ("krawędź sześcianu o objętości 64", "4"),
    ("Przekątne rombu 18 i 24, bok?", "15"),
    ("pole kuli o średnicy 12", "144*pi"),
    ("stożek o promieniu 5 i wysokości 12, jaka tworząca?", "13"),
]


@pytest.mark.parametrize(("prompt", "value"), WORDS)
def test_what_is_said_in_words_comes_to_its_value(prompt: str, value: str) -> None:
    found = read_formula(prompt)

    assert found is not None
    assert (
        sympy.simplify(sympy.sympify(found.expression, rational=True) - sympy.sympify(value)) == 0
    )


@pytest.mark.parametrize(
    ("prompt", "expression"),
    [
        ("zaokrąglij 2749 do setek", "round(2749, -2)"),
        ("zaokrąglij 128 do dziesiątek", "round(128, -1)"),
    ],
)
def test_a_number_is_rounded_to_what_is_said(prompt: str, expression: str) -> None:
    found = read_formula(prompt)

    assert found is not None
    assert found.expression == expression
