"""Whom or what of one name or kind a prompt means: chosen, put right, or pointed at."""

import pytest
from scripted.guessing import guessed

KOSSAK = ("Kiedy urodził się Wojciech Kossak?", "Wojciech Kossak, malarz, urodził się w 1856 roku.")
DELUGE = ("W którym roku powstał „Potop”?", "„Potop” Sienkiewicza ukazywał się od 1884 roku.")
CRANE = ("Gdzie zimuje żuraw?", "Żurawie zimują w Hiszpanii i północnej Afryce.")
CASTLES = (
    "Które zamki na Mazowszu warto zobaczyć?",
    "Polecam zamki w Ciechanowie, w Czersku i Liwie.",
)
FINAL = (
    "Gdzie grano finał mundialu 1950?",
    "Decydujący mecz rozegrano w Rio de Janeiro, na Maracanã.",
    "Kto wygrał?",
    "Urugwaj pokonał Brazylię 2:1.",
)
NOWICKI = ("kim jest Nowicki", "Jana, aktora, czy Pawła, młociarza ze Śląska?")
KRALL = ("Kim jest Krall?", "Czy chodzi o Hannę, reporterkę, czy o Dianę, pianistkę jazzową?")
KORNIK = ("jutro w Kórniku sucho?", "Tak, jutro w Kórniku sucho, 17°C.")


def article(*texts: str) -> str | None:
    """What the last text asks for after the others, where that is one article."""
    queries = [one.arguments.get("query") for one in guessed(*texts)]
    return str(queries[0]) if len(queries) == 1 else None


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*NOWICKI, "tego aktora"), "Jan Nowicki"),
        ((*NOWICKI, "od młota oczywiście"), "Paweł Nowicki"),
        ((*NOWICKI, "o tego drugiego, proszę"), "Paweł Nowicki"),
        ((*NOWICKI, "nie o aktora, o młociarza"), "Paweł Nowicki"),
        ((*KRALL, "chodzi mi o tę panią od jazzu"), "Diana Krall"),
        ((*KRALL, "Hannę"), "Hanna Krall"),
    ],
)
def test_of_several_persons_the_one_is_meant_who_is_described(
    texts: tuple[str, ...], query: str
) -> None:
    assert article(*texts) == query


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("Nie ten! Juliusz, jego ojciec", "Juliusz Kossak"),
        ("nie nie, jerzy, ten od koni", "Jerzy Kossak"),
        ("Zły Kossak. Chodziło mi o Karola.", "Karol Kossak"),
        ("Nie o niego pytałam! Zofia, ta pisarka", "Zofia Kossak"),
        ("a nie, karol miał być, jego bratanek", "Karol Kossak"),
        ("Nie, nie, a Jerzy?", "Jerzy Kossak"),
        ("A Jan Matejko?", "Jan Matejko"),
        ("A gdzie umarł?", "Wojciech Kossak"),
    ],
)
def test_a_first_name_alone_puts_right_who_bears_the_surname(prompt: str, query: str) -> None:
    assert article(*KOSSAK, prompt) == query


def test_a_surname_agrees_with_the_first_name() -> None:
    said = ("Kim był Jerzy Kowalski?", "Jerzy Kowalski był architektem.")
    assert article(*said, "nie ten, Zofia, ta od mebli") == "Zofia Kowalska"


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("Chodziło mi o film Hoffmana, nie o powieść.", "Potop (film)"),
        ("miałam na myśli film Wajdy", "Potop (film)"),
        ("pytałem o serial Bera, nie o powieść", "Potop (serial)"),
        ("Miałem na myśli film Rejs", "Rejs (film)"),
    ],
)
def test_a_name_beside_a_work_in_the_genitive_is_its_maker(prompt: str, query: str) -> None:
    assert article(*DELUGE, prompt) == query


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("Kiedy zbudowano ten trzeci?", "zamek w Liwie"),
        ("kto postawił ten drugi zamek", "zamek w Czersku"),
        ("Ilu mieszkańców ma to pierwsze miasto?", "Ciechanów"),
    ],
)
def test_things_told_by_their_places_keep_their_noun(prompt: str, query: str) -> None:
    assert article(*CASTLES, prompt) == query


def test_a_verb_may_stand_before_the_places() -> None:
    said = ("Gdzie w Polsce są opery?", "Ważne opery działają w Warszawie, w Łodzi i w Bytomiu.")
    assert article(*said, "A kiedy otwarto tę drugą?") == "opera w Łodzi"


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*FINAL, "Ile osób mieści się na tym stadionie?"), "Maracanã"),
        (
            (
                "Gdzie kręcono „Krzyżaków”?",
                "Zdjęcia kręcono pod Grunwaldem i na zamku w Malborku.",
                "a kto zbudował ten zamek?",
            ),
            "zamek w Malborku",
        ),
        ((*KORNIK, "Siostra zachwalała ten zamek tam, z którego on jest wieku?"),
         "zamek w Kórniku"),
        ((*KORNIK, "a kiedy powstało to miasto?"), "Kórnik"),
    ],
)  # fmt: skip
def test_a_building_is_the_one_told_with_its_place(texts: tuple[str, ...], query: str) -> None:
    assert article(*texts) == query


@pytest.mark.parametrize(("prompt", "query"), [("a czajka?", "czajka"), ("a waga?", "żuraw")])
def test_another_animal_is_no_part_of_the_first(prompt: str, query: str) -> None:
    assert article(*CRANE, prompt) == query


def test_what_the_edition_of_others_says_is_of_the_same_topic() -> None:
    said = ("Kiedy powstał zakon krzyżacki?", "Zakon krzyżacki powstał w 1190 roku pod Akką.")
    (found,) = guessed(*said, "A co na ten temat podaje niemiecka Wikipedia?")
    assert found.arguments == {"query": "zakon krzyżacki", "language": "de"}
