"""Follow-ups that name a role, an order, a kind of place or another of the kind."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState, follow_up
from chatbot.router.dialogue.guess import guess
from chatbot.router.dialogue.turns import Turn

TODAY = date(2026, 11, 18)
CURIE = (
    "Kto był mężem Marii Skłodowskiej-Curie?",
    "Mężem Marii Skłodowskiej-Curie był fizyk Piotr Curie, a starszą córką – Irène Joliot-Curie.",
    "Maria Skłodowska-Curie",
)
CRUISE = (
    "Kto wyreżyserował Rejs?",
    (
        "„Rejs” wyreżyserował Marek Piwowski, a główną rolę zagrał Stanisław Tym. "
        "Scenariusz napisał z reżyserem Janusz Głowacki."
    ),
    "Rejs (film)",
)
DYNAMITE = (
    "Kto wynalazł dynamit?",
    "Dynamit wynalazł Alfred Nobel, Szwed, w 1867 roku.",
    "Dynamit",
)
EVEREST = (
    "Kto zdobył pierwszy Mount Everest?",
    "Pierwsi na szczycie stanęli Nowozelandczyk Edmund Hillary i Szerpa Tenzing Norgay.",
    "Mount Everest",
)
POETS = (
    "Wymień polskich noblistów",
    "To Henryk Sienkiewicz, Władysław Reymont, Czesław Miłosz i Olga Tokarczuk.",
    "Nagroda Nobla",
)
TOWER = (
    "W jakim mieście jest Big Ben?",
    "Big Ben to dzwon w wieży pałacu westminsterskiego w Londynie, nad Tamizą.",
    "Big Ben",
)
CHURCH = ("Co jest w Gnieźnie?", "Katedra, kościół św. Jana i jezioro Jelonek.", "Gniezno")
BATS = ("Czy nietoperze są ssakami?", "Tak, nietoperze to ssaki.", "Nietoperze")
SWITZERLAND = ("jaką walutę ma Szwajcaria", "Frank szwajcarski.", "Szwajcaria")
SECRETARY = (
    "Kiedy zmarła Wisława Szymborska?",
    "Wisława Szymborska zmarła w 2012 roku. Jej sekretarzem był Michał Rusinek.",
    "Wisława Szymborska",
)
PAINTERS = (
    "Kim był Zdzisław Beksiński?",
    "Zdzisław Beksiński był malarzem. Jego syn Tomasz był dziennikarzem muzycznym.",
    "Zdzisław Beksiński",
)


def topics(said: tuple[str, str, str], prompt: str) -> list[str]:
    """The articles that a prompt asks for after one was looked up."""
    asked, reply, topic = said
    calls = (DetectedCall(name="search_wikipedia", arguments={"query": topic}),)
    known = DialogueState(turns=(Turn(prompt=asked, reply=reply, calls=calls),), is_recalled=True)
    detector = Detector.load()
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    return [str(one.arguments.get("query")) for one in found.calls] if found else []


@pytest.mark.parametrize(
    ("said", "prompt", "name"),
    [
        (CURIE, "a mąż jak zginął?", "Piotr Curie"),
        (CURIE, "starsza córka za co dostała Nobla?", "Irène Joliot-Curie"),
        (CRUISE, "aktor jeszcze żyje?", "Stanisław Tym"),
        (CRUISE, "A scenarzysta co jeszcze napisał?", "Janusz Głowacki"),
        (CRUISE, "a reżyser gdzie się urodził?", "Marek Piwowski"),
        (DYNAMITE, "a skąd ten Szwed miał pieniądze?", "Alfred Nobel"),
        (EVEREST, "ten Nowozelandczyk jeszcze żyje?", "Edmund Hillary"),
        (PAINTERS, "a syn na co umarł?", "Tomasz Beksiński"),
        (DYNAMITE, "facet miał dzieci?", "Alfred Nobel"),
        (SECRETARY, "a sekretarz co wydał?", "Michał Rusinek"),
    ],
)
def test_a_role_is_borne_by_whom_the_reply_says(
    said: tuple[str, str, str], prompt: str, name: str
) -> None:
    assert topics(said, prompt) == [name]


@pytest.mark.parametrize(
    ("said", "prompt", "name"),
    [
        (CURIE, "a mąż jej siostry kim był?", "Piotr Curie"),
        (CRUISE, "kto był reżyserem zdjęć?", "Marek Piwowski"),
        (CRUISE, "jaki aktor zagrał kaowca?", "Stanisław Tym"),
    ],
)
def test_a_role_with_another_end_or_one_that_is_asked_for_is_nobodys(
    said: tuple[str, str, str], prompt: str, name: str
) -> None:
    assert topics(said, prompt) != [name]


@pytest.mark.parametrize(
    ("said", "prompt", "name"),
    [
        (EVEREST, "ten drugi skąd pochodził?", "Tenzing Norgay"),
        (POETS, "w którym roku pierwszy z nich dostał nobla?", "Henryk Sienkiewicz"),
        (POETS, "ostatnia z nich co ostatnio wydała?", "Olga Tokarczuk"),
        (TOWER, "a ile mieszkańców ma to miasto?", "Londyn"),
        (TOWER, "jak długa jest ta rzeka?", "Tamiza"),
        (TOWER, "ile waży?", "Big Ben"),
        (CHURCH, "ten kościół kto zbudował?", "kościół św. Jana"),
        (SECRETARY, "ile miala lat?", "Wisława Szymborska"),
    ],
)
def test_an_order_a_kind_or_a_gender_tells_which_name_is_meant(
    said: tuple[str, str, str], prompt: str, name: str
) -> None:
    assert topics(said, prompt) == [name]


@pytest.mark.parametrize(
    ("said", "prompt", "names"),
    [
        (BATS, "a dziobak też?", ["dziobak"]),
        (BATS, "wieloryby też?", ["wieloryby"]),
        (BATS, "ogon też mają?", ["Nietoperze"]),
        (SWITZERLAND, "w andorze też?", ["Andora"]),
        (SWITZERLAND, "a w andorze i monako?", ["Andora", "Monako"]),
        (SWITZERLAND, "a w Gruzji i Armenii?", ["Gruzja", "Armenia"]),
        (BATS, "To jeszcze znajdź łosia i renifera.", ["łoś", "renifer"]),
        (SWITZERLAND, "A Norwegia i Islandia też?", ["Norwegia", "Islandia"]),
    ],
)
def test_what_is_asked_likewise_is_looked_up_itself(
    said: tuple[str, str, str], prompt: str, names: list[str]
) -> None:
    assert topics(said, prompt) == names


def test_the_last_topic_is_looked_up_in_the_edition_that_is_asked_for() -> None:
    asked, reply, topic = DYNAMITE
    calls = (DetectedCall(name="search_wikipedia", arguments={"query": topic}),)
    known = DialogueState(turns=(Turn(prompt=asked, reply=reply, calls=calls),), is_recalled=True)
    prompt, detector = "masz to może z angielskiej wikipedii? uczę się", Detector.load()
    certain = follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, known, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert found is not None
    assert [one.arguments for one in found.calls] == [{"query": "Dynamit", "language": "en"}]
