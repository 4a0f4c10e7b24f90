"""Whom or what a question means after an article: names, nouns, pronouns, the other one."""

from collections.abc import Mapping
from functools import cache

import pytest
from scripted.tables import every_row

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue.articles.fill_topics import fill
from chatbot.router.dialogue.mentions import find_mentions
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import DialogueState
from chatbot.router.dialogue.turns import Turn
from chatbot.types import ToolSpec

NEEDED: Mapping[str, str] = {"search_wikipedia": "query", "generate_image": "description"}
TOOLS = tuple(
    ToolSpec(name=name, title=name, description=name, parameters={"required": [argument]})
    for name, argument in NEEDED.items()
)
BROTHERS = ("Gierymscy", "Braćmi byli Maksymilian Gierymski, pejzażysta, i Aleksander Gierymski.")
NOVEL = ("Ferdydurke", "„Ferdydurke” napisał Witold Gombrowicz, dramaturg urodzony w Małoszycach.")
SONS = ("Jan Kochanowski", "Brat Jana Kochanowskiego, Mikołaj, był tłumaczem.")
LAKE = ("najdłuższe jezioro w Polsce", "Najdłuższe jest jezioro Jeziorak koło Iławy.")
POET = ("Julian Przyboś", "Julian Przyboś urodził się w Gwoźnicy Dolnej i znał Marię Kuncewiczową.")
CANAL = ("Nil", "Statki omijają go, odkąd otwarto przekop Kanału Sueskiego.")


@cache
def detector() -> Detector:
    return Detector.load()


def scene(prompt: str, topic: str, reply: str, *, shown: str = "") -> Scene:
    name = "generate_image" if shown else "search_wikipedia"
    call = DetectedCall(name=name, arguments={NEEDED[name]: shown or topic})
    turn = Turn(prompt=topic, reply=reply, calls=(call,), is_told=True)
    state = DialogueState(turns=(turn,), is_recalled=True)
    return Scene(prompt, state, TOOLS, today=None, detector=detector())


@every_row(
    ("prompt", "before", "query"),
    [
        ("a ten pejzażysta kiedy zmarł?", BROTHERS, "Maksymilian Gierymski"),
        ("ten drugi, gdzie studiował?", BROTHERS, "Aleksander Gierymski"),
        ("Gombrowicza to gdzie pochowali?", NOVEL, "Witold Gombrowicz"),
        ("A ten dramaturg ile miał lat?", NOVEL, "Witold Gombrowicz"),
        ("jego brat Mikołaj czym się zajmował, ten Kochanowski", SONS, "Mikołaj Kochanowski"),
        ("a głębokość?", LAKE, "Jeziorak"),
        ("A ona gdzie mieszkała?", POET, "Maria Kuncewiczowa"),
        ("kiedy umarł?", POET, "Julian Przyboś"),
        ("ile kilometrów ma ten przekop", CANAL, "przekop Kanału Sueskiego"),
        ("A teraz opowiedz o Brunonie Schulzu", NOVEL, "Bruno Schulz"),
    ],
)
def test_a_question_means(prompt: str, before: tuple[str, str], query: str) -> None:
    found = fill(scene(prompt, *before))

    assert found is not None
    assert [call.arguments["query"] for call in found.calls] == [query]


@pytest.mark.parametrize(
    ("prompt", "picture", "query"),
    [
        ("kto zbudował ten zamek?", "zamek Czocha nocą, akwarela", "zamek Czocha"),
        ("a w którym roku ją wzniesiono?", "szkic: wieża Eiffla we mgle", "wieża Eiffla"),
    ],
)
def test_a_question_means_what_a_picture_shows(prompt: str, picture: str, query: str) -> None:
    found = fill(scene(prompt, "obraz", "Gotowe.", shown=picture))

    assert found is not None
    assert [call.arguments["query"] for call in found.calls] == [query]


@every_row(
    ("text", "names"),
    [
        ("Od Ludwika Zamenhofa, lekarza z Białegostoku.", ["Ludwik Zamenhof", "Białystok"]),
        ("Sprawdź barszcz Sosnowskiego.", ["barszcz Sosnowskiego"]),
        ("Zagrał w filmie „Rejs” w XX wieku.", ["Rejs"]),
        ("Profesor Kuryłowicz badał hetycki.", ["Kuryłowicz"]),
        ("Zaprojektował go Julian Brzuchowski.", ["Julian Brzuchowski"]),
        ("Prezydentem jest od 2019 roku Wołodymyr Zełenski.", ["Wołodymyr Zełenski"]),
        ("Był to mąż poetki Zinaidy Gippius.", ["Zinaida Gippius"]),
        ("Dowodził pod Kircholmem Jan Karol Chodkiewicz.", ["Kircholm", "Jan Karol Chodkiewicz"]),
    ],
)
def test_a_text_mentions(text: str, names: list[str]) -> None:
    assert [one.name for one in find_mentions(text)] == names


@every_row(
    ("reply", "name"),
    [
        ("Gmach powstał według projektu Jørna Utzona.", "Jørn Utzon"),
        ("Ruiny odkryto dzięki wyprawie Hirama Binghama.", "Hiram Bingham"),
        ("Zbiór mitów jest autorstwa J.R.R. Tolkiena.", "J.R.R. Tolkien"),
        ("Obraz namalował Caravaggio.", "Caravaggio"),
        ("Wyścig wygrał Tadej Pogačar.", "Tadej Pogačar"),
    ],
)
def test_a_strange_name_is_a_persons(reply: str, name: str) -> None:
    assert (name, "person") in [(one.name, one.kind) for one in find_mentions(reply)]


@pytest.mark.parametrize("place", ["Ułan Bator", "Machu Picchu"])
def test_a_strange_place_is_no_person(place: str) -> None:
    assert all(one.kind != "person" for one in find_mentions(f"Zwiedzano wtedy {place}."))
