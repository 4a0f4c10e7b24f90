"""Inflected names and phrases come back in their base form."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st
from scripted.tables import check_rows, every_row

from chatbot.language import lemmatise
from chatbot.types import NameKind

TABLES = ("inflected_names.tsv", "inflected_names_2.tsv", "inflected_regions.tsv")

Row = tuple[str, NameKind | None, str | None, str]


def read_table() -> tuple[Row, ...]:
    files = [Path(__file__).with_name(table) for table in TABLES]
    lines = [line for one in files for line in one.read_text(encoding="utf-8").splitlines()]
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple(
        (
            text,
            None if kind == "-" else cast("NameKind", kind),
            None if preposition == "-" else preposition,
            gold,
        )
        for text, kind, preposition, gold in rows
    )


ROWS = read_table()


def is_right(row: Row) -> bool:
    text, kind, preposition, gold = row
    return lemmatise(text, kind=kind, preposition=preposition) == gold


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(ROWS) >= 200


def test_at_least_98_in_100_names_of_the_table_are_right() -> None:
    wrong = [row for row in ROWS if not is_right(row)]
    assert len(wrong) <= 0.02 * len(ROWS), wrong


def test_every_place_of_the_table_is_right() -> None:
    def check(row: Row) -> None:
        text, kind, preposition, gold = row
        assert lemmatise(text, kind=kind, preposition=preposition) == gold

    check_rows((row for row in ROWS if row[1] == "place"), check)


def test_names_in_the_nominative_stay() -> None:
    def check(gold: str) -> None:
        kind = next(row[1] for row in ROWS if row[3] == gold)
        assert lemmatise(gold, kind=kind) == gold

    check_rows(sorted({row[3] for row in ROWS if row[1] != "topic"}), check)


def test_topics_in_the_nominative_stay() -> None:
    def check(gold: str) -> None:
        assert lemmatise(gold, kind="topic") == gold

    check_rows(sorted({row[3] for row in ROWS if row[1] == "topic"}), check)


@every_row(
    ("text", "base"),
    [
        ("Kudowie-Zdroju", "Kudowa-Zdrój"),
        ("Ireny Sendlerowej", "Irena Sendlerowa"),
        ("w Nałęczowie", "Nałęczów"),
        ("„Panu Tadeuszu”", "Pan Tadeusz"),
        ("filmie „Ida”", "film „Ida”"),
        ("czarnych dziurach.", "czarne dziury"),
        ("Diego Maradona", "Diego Maradona"),
        ("New York Times", "New York Times"),
        ("planety Układu Słonecznego", "planety Układu Słonecznego"),
        ("Nagrody Nobla", "Nagroda Nobla"),
        ("", ""),
        ("???", "???"),
    ],
)
def test_a_phrase_of_no_stated_kind_is_read(text: str, base: str) -> None:
    assert lemmatise(text) == base


def test_the_preposition_tells_the_case() -> None:
    assert lemmatise("Tychy", kind="place", preposition="na") == "Tychy"
    assert lemmatise("Hogwarcie", kind="place", preposition="w") in {"Hogwart", "Hogwarta"}


def test_words_typed_without_diacritics_are_restored() -> None:
    assert lemmatise("Marii Sklodowskiej-Curie", kind="person") == "Maria Skłodowska-Curie"
    assert lemmatise("slonce", kind="topic") == "słońce"


@every_row(
    ("text", "base"),
    [
        ("jozefie pilsudskim", "Józef Piłsudski"),
        ("kazimierzu wielkim", "Kazimierz Wielki"),
        ("bitwie pod grunwaldem", "bitwa pod Grunwaldem"),
        ("kopernika", "Kopernik"),
        ("czarne dziury", "czarne dziury"),
    ],
)
def test_names_typed_in_small_letters_get_capitals(text: str, base: str) -> None:
    assert lemmatise(text, kind="topic") == base


@every_row(
    ("text", "base"),
    [
        ("króla jana iii sobieskiego", "król Jan III Sobieski"),
        ("andrzejem dudą", "Andrzej Duda"),
        ("św. franciszka z asyżu", "św. Franciszek z Asyżu"),
        ("ludwika van beethovena", "Ludwik van Beethoven"),
        ("j. kowalskiego", "J. Kowalski"),
        ("joanny d'arc", "Joanna d'arc"),
        ("papież", "papież"),
    ],
)
def test_a_person_typed_in_small_letters_gets_capitals(text: str, base: str) -> None:
    assert lemmatise(text, kind="person") == base


@every_row(
    ("text", "base"),
    [
        ("Uniwersytetu Jagiellonskiego", "Uniwersytet Jagielloński"),
        ("Organizacji Narodow Zjednoczonych", "Organizacja Narodów Zjednoczonych"),
        ("Malego Ksiecia", "Mały Książę"),
        ("GNU General Public License", "GNU General Public License"),
        ("Arsenal Londyn", "Arsenal Londyn"),
        ("Snow Patrol", "Snow Patrol"),
    ],
)
def test_adjectives_and_nouns_of_a_name_get_their_diacritics_but_foreign_ones_none(
    text: str, base: str
) -> None:
    assert lemmatise(text, kind="topic") == base


@pytest.mark.parametrize("text", ["gorzow wlkp", "Gorzowie Wlkp."])
def test_an_abbreviated_town_is_known(text: str) -> None:
    assert lemmatise(text, kind="place") == "Gorzów Wielkopolski"


@every_row(
    ("text", "base"),
    [
        ("Gladwella", "Gladwell"),
        ("Wiktora Juszczenki", "Wiktor Juszczenko"),
        ("Benito Mussoliniego", "Benito Mussolini"),
        ("Malcolma Gladwella", "Malcolm Gladwell"),
        ("Harry ’ ego Pottera", "Harry Potter"),
        ("Agnieszki Chłoń - Domińczak", "Agnieszka Chłoń-Domińczak"),
        ("Ojcem Świętym", "Ojciec Święty"),
        ("Shakira", "Shakira"),
        ("Barack Obama", "Barack Obama"),
        ("Dulce Pontes", "Dulce Pontes"),
    ],
)
def test_a_person_that_no_dictionary_knows_is_read_by_the_ending(text: str, base: str) -> None:
    assert lemmatise(text, kind="person") == base


@every_row(
    ("text", "base"),
    [
        ("Radę Ministrów", "Rada Ministrów"),
        ("Ligi Mistrzów", "Liga Mistrzów"),
        ("Pucharu Polski", "Puchar Polski"),
        ("Wydziale Prawa", "Wydział Prawa"),
        ("Ruchu Chorzów", "Ruch Chorzów"),
        ("Teatru Rampa", "Teatr Rampa"),
        ("Wojska Polskiego", "Wojsko Polskie"),
        ("Gazpromu", "Gazprom"),
        ("148 Dywizji Piechoty", "148 Dywizja Piechoty"),
        ("Prawa i Sprawiedliwości", "Prawo i Sprawiedliwość"),
    ],
)
def test_an_organisation_is_read(text: str, base: str) -> None:
    assert lemmatise(text, kind="topic") == base


@every_row(
    ("text", "base"),
    [
        ("PiS-u", "PiS"),
        ("ZUS-owi", "ZUS"),
        ("MOSiRu", "MOSiR"),
        ("LED", "LED"),
        ("MAM Forum Pismaków", "MAM Forum Pismaków"),
        ("www.wroclaw.pl", "www.wroclaw.pl"),
        ("jan.nowak@example.pl", "jan.nowak@example.pl"),
        ("MiG - 21", "MiG-21"),
    ],
)
def test_acronyms_codes_and_addresses_are_not_inflected(text: str, base: str) -> None:
    assert lemmatise(text, kind="topic") == base


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("amerykańskich", "amerykański"),
        ("internetowej", "internetowy"),
        ("polska", "polska"),
        ("królowej", "królowa"),
    ],
)
def test_a_lone_adjective_becomes_masculine_and_a_noun_stays_itself(text: str, base: str) -> None:
    assert lemmatise(text, kind="topic") == base


@every_row(
    ("text", "base"),
    [
        ("Parku Krajobrazowego Doliny Baryczy", "Park Krajobrazowy Doliny Baryczy"),
        ("Strefy Gazy", "Strefa Gazy"),
        ("Stanach Zjednoczonych Ameryki", "Stany Zjednoczone Ameryki"),
        ("Wolfsburgu", "Wolfsburg"),
        ("Bielsku - Białej", "Bielsko-Biała"),
        ("Mönchengladbach", "Mönchengladbach"),
        ("New York", "New York"),
    ],
)
def test_a_place_keeps_its_complement_and_its_foreign_name(text: str, base: str) -> None:
    assert lemmatise(text, kind="place") == base


@every_row(
    ("text", "preposition", "base"),
    [
        ("Zatoce Grynwaldzkiej", "w", "Zatoka Grynwaldzka"),
        ("Jeziorem Brzuśnickim", "nad", "Jezioro Brzuśnickie"),
        ("Puszczy Wdeckiej", "do", "Puszcza Wdecka"),
        ("Szpindlerowym Młynie", "w", "Szpindlerowy Młyn"),
        ("Szczyrbskiego Jeziora", "do", "Szczyrbskie Jezioro"),
        ("Jańskich Łaźniach", "w", "Jańskie Łaźnie"),
        ("Młynie Wdowym", "w", "Młyn Wdowy"),
        ("Brzuśnej", "w", "Brzuśna"),
        ("Wdzieńcu", "w", "Wdzieniec"),
    ],
)
def test_an_unknown_place_or_adjective_is_read_by_its_ending(
    text: str, preposition: str, base: str
) -> None:
    assert lemmatise(text, kind="place", preposition=preposition) == base


@pytest.mark.parametrize("kind", ["person", "place", "topic", None])
def test_a_word_of_any_length_is_survived(kind: NameKind | None) -> None:
    text = "Ab-" * 2_000 + "A" * 20_000 + "u"
    assert isinstance(lemmatise(text, kind=kind), str)


def test_a_long_chain_of_names_is_read_in_one_pass() -> None:
    assert lemmatise(" i ".join(["Romea"] * 11)).startswith("Romeo i Romeo")


def test_a_text_that_is_no_name_comes_back_unchanged() -> None:
    text = "słowo " * 30
    assert lemmatise(text) == text.strip()


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40), st.sampled_from([None, "place", "person", "topic"]))
def test_any_text_is_survived(text: str, kind: NameKind | None) -> None:
    assert isinstance(lemmatise(text, kind=kind), str)


def test_threads_share_the_dictionary() -> None:
    rows = ROWS[::4] * 4
    expected = [is_right(row) for row in rows]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(is_right, rows)) == expected


@every_row(
    ("phrase", "base"),
    [
        ("żółwiach morskich", "żółwie morskie"),
        ("orłach przednich", "orły przednie"),
        ("lisach polarnych", "lisy polarne"),
        ("rycerzach zakonnych", "rycerze zakonni"),
        ("królach elekcyjnych", "królowie elekcyjni"),
    ],
)
def test_animals_are_no_people(phrase: str, base: str) -> None:
    assert lemmatise(phrase, kind="topic", preposition="o") == base
