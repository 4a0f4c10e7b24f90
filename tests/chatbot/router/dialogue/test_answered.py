"""Tests of names that a reply gave as its answer, or without anything being looked up."""

import pytest
from scripted.guessing import guessed

RIEDEL = ("W jakim zespole śpiewał Ryszard Riedel?", "Ryszard Riedel śpiewał w Dżemie.")
NAPOLEON = ("Na której wyspie zmarł Napoleon?", "Napoleon zmarł na Wyspie Świętej Heleny.")
FLEMING = ("Kto odkrył penicylinę?", "Penicylinę odkrył Alexander Fleming.")
INSULIN = ("Kto odkrył insulinę?", "Insulinę odkryli Frederick Banting i Charles Best.")


def articles(*texts: str) -> list[str]:
    """What the last text asks for after the others."""
    return [str(one.arguments.get("query")) for one in guessed(*texts)]


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*RIEDEL, "A kiedy powstał ten zespół?"), "Dżem"),
        ((*RIEDEL, "A kiedy zmarł?"), "Ryszard Riedel"),
        (
            (
                "W jakim klubie grał Ebi Smolarek na początku?",
                "Euzebiusz Smolarek zaczynał w Feyenoordzie.",
                "A kiedy powstał ten klub?",
            ),
            "Feyenoord",
        ),
        (
            (
                "Na jaką chorobę zmarł Chopin?",
                "Fryderyk Chopin zmarł najpewniej na gruźlicę.",
                "jak się leczy tę chorobę?",
            ),
            "gruźlica",
        ),
        (
            (
                "Powiedz mi coś o Merkurym.",
                "„Merkury” może oznaczać planetę Układu Słonecznego albo boga. O które chodzi?",
                "O boga.",
                "Merkury to w mitologii rzymskiej bóg handlu i kupiectwa.",
                "Albo nie, jednak wolę o tej planecie.",
            ),
            "Merkury (planeta)",
        ),
        (
            (
                "Na której uczelni uczył Stefan Banach?",
                "Stefan Banach wykładał na Politechnice Lwowskiej.",
                "kiedy założono tę uczelnię?",
            ),
            "Politechnika Lwowska",
        ),
        (
            (
                "Kim był Stanisław Żółkiewski?",
                "Stanisław Żółkiewski pokonał Rosjan pod Kłuszynem.",
                "ilu żołnierzy było w tej bitwie?",
            ),
            "bitwa pod Kłuszynem",
        ),
    ],
)
def test_a_noun_points_at_what_was_told_under_it(texts: tuple[str, ...], query: str) -> None:
    assert articles(*texts) == [query]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("do kogo ona teraz należy?", "Wyspa Świętej Heleny"),
        ("a gdzie on się urodził?", "Napoleon Bonaparte"),
    ],
)
def test_a_pronoun_means_the_answer_that_agrees_with_it(prompt: str, query: str) -> None:
    assert articles(*NAPOLEON, prompt) == [query]


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (
            (
                "Idziemy zwiedzać katedrę.",
                "Koniecznie obejrzyjcie Drzwi Gnieźnieńskie.",
                "Z którego one są wieku?",
            ),
            "Drzwi Gnieźnieńskie",
        ),
        (
            (
                "Jak się nazywa ten instrument, na którym grają górale?",
                "Pewnie chodzi o dudy podhalańskie, nazywane też kozą.",
                "A skąd one w ogóle są, od kiedy na Podhalu się na nich gra?",
            ),
            "dudy podhalańskie",
        ),
        (("Ile waży żubr?", "Żubr waży do 900 kg.", "a ile one żyją?"), "żubr"),
    ],
)
def test_a_plural_means_the_only_thing_that_is_one(texts: tuple[str, ...], query: str) -> None:
    assert articles(*texts) == [query]


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (("Poleć mi kryminał.", "Polecam „Uwikłanie”.", "a kto to napisał?"), "Uwikłanie"),
        (
            (
                "streść mi Zbrodnię i karę",
                "Student Raskolnikow zabija lichwiarkę.",
                "a kiedy to wyszło?",
            ),
            "Zbrodnia i kara",
        ),
        (
            (
                "Dokąd iść we Wrocławiu?",
                "Warto zobaczyć Halę Stulecia.",
                "kto ją zaprojektował?",
            ),
            "Hala Stulecia",
        ),
    ],
)
def test_what_was_talked_of_is_asked_about(texts: tuple[str, ...], query: str) -> None:
    assert articles(*texts) == [query]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("a ten od penicyliny gdzie się urodził?", "Alexander Fleming"),
        ("a kiedy ten od penicyliny zmarł?", "Alexander Fleming"),
    ],
)
def test_somebody_is_known_by_what_he_made(prompt: str, query: str) -> None:
    assert articles(*FLEMING, *INSULIN, prompt) == [query]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("a ten kosmonauta jeszcze żyje?", "Mirosław Hermaszewski"),
        (
            "aha, no to jeszcze o tym lotniku mi powiedz, skąd on był i co tam jeszcze robił",
            "Mirosław Hermaszewski",
        ),
        ("ile osób mieszka w tym mieście?", "Poznań"),
    ],
)
def test_somebody_is_pointed_at_behind_a_forecast(prompt: str, query: str) -> None:
    said = (
        "Kto był pierwszym Polakiem w kosmosie?",
        "Pierwszym był Mirosław Hermaszewski.",
        "Jaka jutro pogoda w Poznaniu?",
        "Jutro w Poznaniu 5°C.",
    )
    assert articles(*said, prompt) == [query]


def test_two_surnames_are_two_well_known_persons() -> None:
    said = ("Kiedy urodził się Leśmian?", "Bolesław Leśmian urodził się w 1877 roku.")
    assert articles(*said, "a Tuwim i Brzechwa?") == ["Julian Tuwim", "Jan Brzechwa"]


@pytest.mark.parametrize(
    ("prompt", "queries"),
    [
        ("To jeszcze Kochanowskiego i Reja proszę sprawdzić.", ["Jan Kochanowski", "Mikołaj Rej"]),
        ("to samo dla Sienkiewicza oraz Prusa", ["Henryk Sienkiewicz", "Bolesław Prus"]),
        ("teraz Chopina i Moniuszkę", ["Fryderyk Chopin", "Stanisław Moniuszko"]),
        ("i Piłsudskiego z Dmowskim sprawdź też", ["Józef Piłsudski", "Roman Dmowski"]),
        ("dragonów i kirasjerów też sprawdź", ["dragoni", "kirasjerzy"]),
        ("a kiedy się urodził?", ["Jan Długosz"]),
    ],
)
def test_two_persons_are_looked_up_in_their_order(prompt: str, queries: list[str]) -> None:
    said = ("Kiedy zmarł Jan Długosz?", "Jan Długosz zmarł 19 maja 1480 roku w Krakowie.")
    assert articles(*said, prompt) == queries


def test_the_place_of_a_battle_is_told_by_the_prompt_itself() -> None:
    said = ("1683-1410", "1683 − 1410 = 273.")
    prompt = "a w tym 1683 pod Wiedniem kto dowodził Turkami?"
    assert articles(*said, prompt) == ["bitwa pod Wiedniem"]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("A słowa czyje, bo nie pamiętam?", "Małgośka"),
        ("która wytwórnia ją wydała?", "Małgośka"),
        ("Muzyka czyja?", "Małgośka"),
    ],
)
def test_a_question_word_is_no_part_of_a_topic(prompt: str, query: str) -> None:
    said = ("Kto śpiewał „Małgośkę”?", "Piosenkę „Małgośka” śpiewa Maryla Rodowicz.")
    assert articles(*said, prompt) == [query]


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (
            (
                "Znajdź mi coś w Wikipedii, do referatu z biologii.",
                "Jakie hasło mam odszukać?",
                "torfowiec",
            ),
            "torfowiec",
        ),
        (
            (
                "znajdź mi w encyklopedii kogoś do referatu z oświecenia",
                "O kim ma być referat?",
                "no o Kołłątaju",
            ),
            "Hugo Kołłątaj",
        ),
    ],
)
def test_an_open_question_is_answered_by_the_topic(texts: tuple[str, ...], query: str) -> None:
    assert articles(*texts) == [query]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("sprawdź go jeszcze w angielskiej Wikipedii", "Pałac Kultury i Nauki"),
        ("znajdź go też po angielsku na wiki", "Pałac Kultury i Nauki"),
    ],
)
def test_what_was_looked_up_is_looked_up_in_another_edition(prompt: str, query: str) -> None:
    said = ("Kto zaprojektował Pałac Kultury i Nauki?", "Zaprojektował go Lew Rudniew.")
    (found,) = guessed(*said, prompt)
    assert dict(found.arguments) == {"query": query, "language": "en"}


def test_a_pronoun_is_no_code_of_a_language() -> None:
    said = ("Kto odkrył rad?", "Rad odkryła Maria Skłodowska-Curie.")
    (found,) = guessed(*said, "zobacz ją też w angielskiej wikipedii")
    assert dict(found.arguments) == {"query": "Maria Skłodowska-Curie", "language": "en"}
