"""Persons and topics in a model's arguments are put right by what the user wrote."""

import pytest
from scripted.tables import every_row

from chatbot.router.grounding import Grounded, ground


@every_row(
    ("damaged", "prompt", "right"),
    [
        ("Mikolaj Kopernik", "kim był Mikołaj Kopernik", "Mikołaj Kopernik"),
        ("Mikołaj Kopernika", "brat Mikołaja Kopernika", "Mikołaj Kopernik"),
        ("Mikołaja Kopernika", "brat Mikołaja Kopernika", "Mikołaj Kopernik"),
        ("Andrzej Dudy", "co wiesz o Andrzeju Dudzie", "Andrzej Duda"),
        ("Annie German", "artykuł o Annie German", "Anna German"),
        ("Zeromski", "wiersze Żeromskiego", "Żeromski"),
        ("anna german", "artykuł o Annie German", "Anna German"),
        ("Wisława Szymbo", "wiersze Wisławy Szymborskiej", "Wisława Szymborska"),
        ("Stanisław", "Ile lat miał Stanisław Lem?", "Stanisław Lem"),
        ("henryk viii", "Ile miał żon Henryk VIII?", "Henryk VIII"),
    ],
)
def test_a_damaged_person_is_the_base_form_of_who_was_named(
    damaged: str, prompt: str, right: str
) -> None:
    assert ground(damaged, "person", [prompt]) == Grounded(value=right, state="repaired")


@every_row(
    ("person", "prompt"),
    [
        ("Mikołaj Kopernik", "kiedy żył Kopernik"),
        ("Jacques Chirac", "rząd Jacques'a Chiraca"),
        ("Maria Skłodowska-Curie", "o Marii Skłodowskiej-Curie"),
        ("Hedy Lamarr", "Hedy Lamarr — aktorka czy wynalazczyni?"),
        ("Mieszko Plątonogi", "kim byl mieszko platonogi"),
    ],
)
def test_a_good_person_is_kept_and_may_be_completed(person: str, prompt: str) -> None:
    assert ground(person, "person", [prompt]) == Grounded(value=person, state="kept")


def test_a_person_whom_nobody_named_is_invented() -> None:
    grounded = ground("Adam Małysz", "person", ["jaka pogoda w Wiśle"])
    assert grounded == Grounded(value="Adam Małysz", state="invented")


@every_row(
    ("damaged", "prompt", "right"),
    [
        ("rownanie rozniczkowe", "co to jest równanie różniczkowe", "równanie różniczkowe"),
        ("równanie różniczkowego", "def. równania różniczkowego", "równanie różniczkowe"),
        ("bitwa pod Grun", "Opowiedz o bitwie pod Grunwaldem", "bitwa pod Grunwaldem"),
        ("Lalkę", "kto napisał Lalkę", "Lalka"),
        ("woja stuletnia", "Ile trwała wojna stuletnia?", "wojna stuletnia"),
        ("Zeromski (pisarz)", "wiersze Żeromskiego", "Żeromski (pisarz)"),
    ],
)
def test_a_damaged_topic_is_the_base_form_of_what_was_said(
    damaged: str, prompt: str, right: str
) -> None:
    assert ground(damaged, "topic", [prompt]) == Grounded(value=right, state="repaired")


@every_row(
    ("topic", "prompt"),
    [
        ("Adam Mickiewicz", "kto jest autorem Pana Tadeusza"),
        ("Lalka (powieść)", "kto napisał Lalkę"),
        ("Szał uniesień", "Co widać na „Szale uniesień” Podkowińskiego?"),
        ("równanie różniczkowe", "definicja równania rózniczkowego"),
        ("historia Wejherowa", "Od kiedy Wejherowo ma prawa miejskie?"),
        ("planeta Układu Słonecznego z największą liczbą księżyców", "która planeta?"),
        ("Battle of Monte Cassino", "en wiki: Battle of Monte Cassino"),
        ("okno Overtona", "co to jest „Overton window”?"),
        ("PKP", "co to jest pkp"),
        ("film „Dyktator”", "w którym roku był ten film z Chaplinem?"),
        ("przyspieszenie 9,81 m/s²", "ile wynosi przyspieszenie ziemskie?"),
        ("AT&T", "kiedy założono AT&T?"),
        ("&nbsp;", "co to jest &nbsp; w HTML"),
        ("Simone Weil", "Nie Simone Veil, tylko ta druga, przez W: Weil."),
        ("Czocha", "Gdzie stoi zamek Czocha?"),
    ],
)
def test_a_good_topic_and_what_a_model_knows_are_kept(topic: str, prompt: str) -> None:
    assert ground(topic, "topic", [prompt]) == Grounded(value=topic, state="kept")


@pytest.mark.parametrize(
    ("topic", "prompt"),
    [
        ("Bajki robotów", "Kto wymyślił tytuł i napisał „Bajki robotów”?"),
        ("Alternatywy 4", "kiedy leciał pierwszy odcinek serialu „Alternatywy 4”"),
        ("Ludwika Maria Gonzaga", "Kim dla króla była Ludwika Maria Gonzaga?"),
    ],
)
def test_a_topic_that_can_stand_in_the_nominative_is_kept(topic: str, prompt: str) -> None:
    assert ground(topic, "topic", [prompt]) == Grounded(value=topic, state="kept")


def test_a_name_that_two_first_names_share_is_brought_to_the_nominative() -> None:
    prompt = "Ulica jest Filipa de Girarda i nikt nie wie, kto zacz."
    assert ground("Filipa de Girarda", "topic", [prompt]) == Grounded(
        value="Filip de Girard", state="repaired"
    )


@every_row(
    ("name", "prompt"),
    [
        ("Lady Gaga", "hej, daj info o Lady Gaga, skąd pochodzi"),
        ("Simone de Beauvoir", "Opowiedz o Simone de Beauvoir, byle krótko"),
        ("Nanga Parbat", "Kto pierwszy wszedł zimą na Nanga Parbat?"),
        ("Mazurek Dąbrowskiego", "czyja jest melodia Mazurka Dąbrowskiego?"),
        ("Arka Przymierza", "co sie stalo z arka przymierza"),
    ],
)
def test_a_name_that_an_encyclopaedia_has_is_no_case_of_another(name: str, prompt: str) -> None:
    assert ground(name, "topic", [prompt]) == Grounded(value=name, state="kept")


def test_a_name_of_an_encyclopaedia_is_put_right_where_it_is_damaged() -> None:
    found = ground("Mazurka Dąbrowskiego", "topic", ["czyja jest melodia Mazurka Dąbrowskiego?"])
    assert found.value.startswith("Mazurek ")


@pytest.mark.parametrize(
    ("word", "prompt"),
    [
        ("lempira", "W którym państwie płaci się lempirą?"),
        ("czurczchela", "kierowca poczęstował nas czurczchelą, co to jest?"),
    ],
)
def test_the_nominative_in_a_has_lost_no_accent(word: str, prompt: str) -> None:
    assert ground(word, "topic", [prompt]) == Grounded(value=word, state="kept")


def test_the_surname_of_a_woman_tells_that_her_name_is_in_the_nominative() -> None:
    prompt = "Mnie interesuje Ryksa Lotaryńska: gdzie spoczywa?"
    assert ground("Ryksa Lotaryńska", "topic", [prompt]).state == "kept"


@pytest.mark.parametrize(
    "prompt",
    [
        "Nie chodzi mi o Jana Pawła II, tylko o Jana Pawła I, ile trwał jego pontyfikat?",
        "Ile trwał pontyfikat Jana Pawła I, a ile Jana Pawła II?",
    ],
)
def test_the_first_of_a_name_is_none_of_the_second(prompt: str) -> None:
    assert ground("Jan Paweł I", "topic", [prompt]) == Grounded(value="Jan Paweł I", state="kept")
