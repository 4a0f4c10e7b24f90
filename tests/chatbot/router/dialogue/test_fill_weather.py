"""What a prompt that is known to be about the weather asks for, after what was said before."""

from collections.abc import Sequence
from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detector
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue import DialogueState, FollowUp, follow_up, recall, state
from chatbot.router.dialogue.forecasts.fill_weather import fill
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolOutcome

TODAY = date(2026, 11, 22)
Exchange = tuple[str, str, JsonObject]

PLOCK: Exchange = (
    "Płock w sobotę?",
    "W sobotę w Płocku 9°C.",
    {"city": "Płock", "day": "saturday"},
)
KUTNO: Exchange = ("a w Kutnie?", "W Kutnie 8°C.", {"city": "Kutno", "day": "monday"})
SNIEZNIK: Exchange = (
    "Wejdę jutro na Śnieżnik?",
    "Jutro w Kletnie 3°C.",
    {"city": "Kletno", "day": "tomorrow"},
)
BATTLE: Exchange = ("Kto wygrał pod Cedynią?", "Mieszko I.", {"query": "bitwa pod Cedynią"})
CAPITAL: Exchange = ("stolica Mongolii", "Stolicą Mongolii jest Ułan Bator.", {"query": "Mongolia"})
RANGE: Exchange = (
    "Co to są Góry Bardzkie?",
    "Góry Bardzkie to pasmo w Sudetach Środkowych.",
    {"query": "Góry Bardzkie"},
)
POSTER: Exchange = (
    "Plakat: jarmark w Łowiczu, 5 grudnia",
    "Oto plakat.",
    {"description": "plakat: jarmark w Łowiczu, 5 grudnia"},
)
TIPS: Exchange = ("Gdzie na narty?", "Polecam Szczyrk, Krynicę i Korbielów.", {})
HOME: Exchange = ("Mieszkam w Pile, a brat w Chojnicach. Jak go namówić na szachy?", "Zadzwoń.", {})
TOUR: Exchange = ("W piątek jadę do Mławy, a w niedzielę do Iławy.", "Miłej drogi!", {})
NAME: Exchange = ("Cześć, jestem Bartek.", "Hej! W czym pomóc?", {})
OFFER: Exchange = (
    "Mława w piątek?",
    "W piątek w Mławie 2°C. Czy sprawdzić też sobotę?",
    {"city": "Mława", "day": "friday"},
)
UNKNOWN: Exchange = ("Ile stopni jutro w Xyzowie?", "Nie znam takiej miejscowości. Jaką podać?", {})
NAMESAKES: Exchange = (
    "Pogoda w Aleksandrowie na jutro?",
    "Aleksandrów Łódzki czy Aleksandrów Kujawski?",
    {},
)
SEVERAL: Exchange = (
    "Pogoda w Dąbrowie na piątek",
    "Jest kilka miejscowości o tej nazwie. O którą chodzi?",
    {},
)
SRODA: Exchange = (
    "Pogoda w Środzie na piątek",
    "W piątek w Środzie Wielkopolskiej 6°C.",
    {"city": "Środa Wielkopolska", "day": "friday"},
)
SIGHTS: Exchange = (
    "Co zobaczyć w Kazimierzu Dolnym?",
    "Rynek, Górę Trzech Krzyży, wąwóz Korzeniowy Dół.",
    {},
)
FEAST: Exchange = ("W sobotę mamy festyn w Pułtusku", "Świetnie! W czym pomóc?", {})
ASKED: Exchange = ("Będzie jutro mróz?", "Dla jakiej miejscowości mam sprawdzić?", {})
KIN: Exchange = (
    "Ja mieszkam w Mławie, a wujek w Kutnie, kuzynka w Lesznie.",
    "Miło! W czym pomóc?",
    {},
)
RACE: Exchange = (
    "Mieszkam w Chojnicach, w niedzielę startuję w triathlonie w Suszu",
    "Powodzenia!",
    {},
)
WAY: Exchange = ("Jedziemy dziś z Brzegu do Otmuchowa", "Miłej drogi!", {})
FLIGHT: Exchange = ("Lecę w czwartek z Katowic do Oslo.", "Miłego lotu!", {})
RUN: Exchange = ("Jutro biegnę: start w Gdyni, meta w Sopocie.", "Powodzenia!", {})
RETURN: Exchange = (
    "W poniedziałek mam wykład w Toruniu, a we wtorek wracam do siebie, do Grudziądza.",
    "Powodzenia!",
    {},
)
STOPS: Exchange = ("Plan: poniedziałek Gniew, wtorek Kwidzyn, środa Malbork", "Dobrze!", {})
EXAM: Exchange = ("Mam jutro egzamin w Rypinie.", "Powodzenia!", {})
TRIP: Exchange = ("Gdzie na weekend z Gdańska?", "Świetny będzie Frombork.", {})
ISLANDS: list[Exchange] = [
    ("co to jest Bornholm", "Bornholm to wyspa.", {"query": "Bornholm"}),
    ("a Uznam?", "Uznam to wyspa Polski i Niemiec.", {"query": "Uznam"}),
]
AUTHOR: Exchange = (
    "Kim był Kornel Makuszyński?",
    "Kornel Makuszyński (1884–1953), pisarz, urodził się w Stryju, zmarł w Zakopanem.",
    {"query": "Kornel Makuszyński"},
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def said(exchanges: Sequence[Exchange]) -> tuple[Message, ...]:
    messages: list[Message] = []
    for number, (prompt, reply, arguments) in enumerate(exchanges):
        needed = {"city": "get_weather", "query": "search_wikipedia"}
        name = next((needed[one] for one in arguments if one in needed), "generate_image")
        call = ToolCall(
            call_id=str(number), name=name, arguments=arguments, raw_arguments=arguments
        )
        outcome = ToolOutcome(call_id=str(number), name=name, status="ok", content=reply)
        messages += (
            Message(role="user", parts=(Text(text=prompt),)),
            Message(
                role="assistant",
                parts=(*((call, outcome) if arguments else ()), Text(text=reply)),
            ),
        )
    return tuple(messages)


def scene(exchanges: Sequence[Exchange], prompt: str, detector: Detector) -> Scene:
    known = recall(state(said(exchanges)), TOOLS, today=TODAY, detector=detector)
    return Scene(prompt, known, TOOLS, today=TODAY, detector=detector)


def told(found: FollowUp | None) -> list[str]:
    calls = () if found is None else found.calls
    return [" ".join(map(str, one.arguments.values())) for one in calls]


@every_row(
    ("exchanges", "prompt", "expected"),
    [
        ([PLOCK], "Wiatr mnie bardziej ciekawi, żagiel wytrzyma?", ["Płock saturday"]),
        ([PLOCK], "ale ja wyruszam dobę później", ["Płock sunday"]),
        ([PLOCK], "no i teraz jutro w Kutnie proszę", ["Kutno tomorrow"]),
        ([PLOCK, KUTNO], "Kutno przełożone na ten sam dzień co Płock", ["Kutno saturday"]),
        ([PLOCK, KUTNO], "a w których cieplej?", ["Płock monday", "Kutno monday"]),
        ([SNIEZNIK], "pytałam o sam szczyt, nie o miasteczko", ["Śnieżnik tomorrow"]),
        ([BATTLE], "W sobotę jestem tam na pikniku, zmoknę?", ["Cedynia saturday"]),
        ([CAPITAL], "jak zimno tam dzisiaj", ["Ułan Bator today"]),
        ([RANGE], "Ile stopni szykuje się tam w weekend?", ["Góry Bardzkie weekend"]),
        ([POSTER], "Da się sprawdzić prognozę na dzień jarmarku?", ["Łowicz 2026-12-05"]),
        ([TIPS], "to ostatnie z tych miejsc, ile tam śniegu jutro", ["Korbielów tomorrow"]),
        (
            [TIPS],
            "sprawdź sobotę w tych trzech",
            ["Szczyrk saturday", "Krynica saturday", "Korbielów saturday"],
        ),
        ([HOME], "Podaj pogodę na piątek u mnie i u niego", ["Piła friday", "Chojnice friday"]),
        ([HOME, PLOCK], "a u mnie wtedy ile stopni", ["Piła saturday"]),
        ([HOME, PLOCK], "a tam gdzie mieszkam?", ["Piła saturday"]),
        ([HOME], "w niedzielę jadę do brata, zmoknę?", ["Chojnice sunday"]),
        ([ASKED], "pod Giewontem, czyli Zakopane", ["Zakopane tomorrow"]),
        ([ASKED], "kozia wólka", ["Kozia Wólka tomorrow"]),
        ([ASKED], "Kudowa, wychodzę po obiedzie", ["Kudowa tomorrow"]),
        ([ASKED], "Kortowo, te przy akademikach", ["Kortowo tomorrow"]),
        ([ASKED], "Zalesie, koło szkoły", ["Zalesie tomorrow"]),
        ([PLOCK], "A Porto tego samego dnia?", ["Porto saturday"]),
        ([PLOCK], "czekaj, na piątek, dziś i tak siedzę w domu", ["Płock friday"]),
        ([PLOCK], "a jutro bedize tam padać?", ["Płock tomorrow"]),
        (ISLANDS, "to z tą pierwszą, jaka pogoda w sobotę?", ["Bornholm saturday"]),
        ([ASKED], "mieszkam pod Lublinem, w Bełżycach", ["Bełżyce tomorrow"]),
        ([PLOCK], "kiedy się wreszcie ociepli?", ["Płock next_days"]),
        ([PLOCK], "do kiedy ma padać", ["Płock next_days"]),
        ([PLOCK], "a cały tydzień?", ["Płock next_days"]),
        ([KUTNO], "a na Wszystkich Świętych?", ["Kutno 2027-11-01"]),
        ([KIN], "A u wujka jutro będzie mróz?", ["Kutno tomorrow"]),
        ([KIN], "a u niej pada?", ["Leszno"]),
        ([KIN], "a u mnie leje?", ["Mława"]),
        ([RACE], "będzie padać podczas zawodów?", ["Susz sunday"]),
        ([WAY], "na miejscu pada?", ["Otmuchów today"]),
        ([WAY], "a na starcie leje?", ["Brzeg today"]),
        ([FLIGHT], "ciepło będzie po przylocie?", ["Oslo thursday"]),
        ([RUN], "a na mecie nie będzie wiało?", ["Sopot tomorrow"]),
        ([KIN], "a kuzynka zmoknie?", ["Leszno"]),
        ([RETURN], "a w domu jaka pogoda będzie?", ["Grudziądz tuesday"]),
        ([PLOCK], "nice, a jutro?", ["Płock tomorrow"]),
        ([KUTNO], "na Woli, tej warszawskiej?", ["Wola monday"]),
        ([STOPS], "w Kwidzynie będzie padać?", ["Kwidzyn tuesday"]),
        ([EXAM], "a dzień później w Lipnie będzie mróz?", ["Lipno day_after_tomorrow"]),
        ([FEAST], "w przeddzień będzie tam sucho?", ["Pułtusk friday"]),
        ([FEAST], "a w Mławie wtedy popada?", ["Mława saturday"]),
        ([TRIP], "pogoda dopisze?", ["Frombork weekend"]),
        ([AUTHOR], "A w miejscu jego urodzenia jaka jutro temperatura?", ["Stryj tomorrow"]),
        ([SRODA], "nie wielkopolskiej, śląskiej", ["Środa Śląska friday"]),
        ([KUTNO], "potem jadę do Tylicza, tam też śnieg?", ["Tylicz monday"]),
        ([KUTNO], "a teraz to samo dla Jasła", ["Jasło monday"]),
        ([KUTNO], "a w sb w Iławie?", ["Iława saturday"]),
        ([TOUR], "zimno będzie w tej Iławie?", ["Iława sunday"]),
        ([TOUR], "sprawdź pogodę w obu", ["Mława friday", "Iława sunday"]),
        ([UNKNOWN], "o Mławę mi chodziło", ["Mława tomorrow"]),
        ([SRODA], "Śląska, przepraszam", ["Środa Śląska friday"]),
        ([KUTNO], "a tydzień po tym?", ["Kutno 2026-11-30"]),
        ([KUTNO], "wtorek? środa?", ["Kutno tuesday", "Kutno wednesday"]),
        ([SIGHTS], "a jutro pogoda w sam raz na ten wąwóz?", ["Kazimierz Dolny tomorrow"]),
        ([PLOCK], "a jak tam zwykle bywa w grudniu?", []),
        ([PLOCK], "w lipcu cieplej?", []),
    ],
)
def test_the_likeliest_place_and_day_are_filled_in(
    exchanges: Sequence[Exchange], prompt: str, expected: list[str], detector: Detector
) -> None:
    assert told(fill(scene(exchanges, prompt, detector))) == expected


@pytest.mark.parametrize("exchanges", [[NAME], [("Ile to 2+2?", "4", {})]])
def test_the_place_is_asked_for_where_none_was_spoken_of(
    exchanges: Sequence[Exchange], detector: Detector
) -> None:
    found = fill(scene(exchanges, "czwartek mam w trasie, przewieje mnie?", detector))
    assert found == FollowUp(asks=("get_weather", "city"))


def test_the_place_is_asked_for_where_another_one_has_no_name(detector: Detector) -> None:
    found = fill(scene([PLOCK], "a nad morzem?", detector))
    assert found == FollowUp(asks=("get_weather", "city"))


@every_row(
    ("exchanges", "prompt", "expected"),
    [
        ([OFFER], "no jasne", ["Mława saturday"]),
        ([OFFER], "tak, poproszę!", ["Mława saturday"]),
        ([PLOCK], "no jasne", []),
        ([NAMESAKES], "ten pod Łodzią", ["Aleksandrów Łódzki tomorrow"]),
        ([NAMESAKES], "kujawski", ["Aleksandrów Kujawski tomorrow"]),
        ([SEVERAL], "Tarnowską", ["Dąbrowa Tarnowska friday"]),
        ([FEAST], "powiedz tylko, czy nie zmokniemy", ["Pułtusk saturday"]),
        ([FEAST], "goście nie przemarzną?", ["Pułtusk saturday"]),
        ([PLOCK], "Sanok! literówka", ["Sanok saturday"]),
        ([ASKED], "w Mławie! i narysuj bałwana", ["Mława tomorrow", "bałwan"]),
        ([ASKED], "Zostaw to. Pomóż mi ułożyć SMS do szefowej z Mławy.", []),
    ],
)
def test_offers_are_accepted_and_answers_may_ask_for_more(
    exchanges: Sequence[Exchange], prompt: str, expected: list[str], detector: Detector
) -> None:
    known = state(said(exchanges))
    assert told(follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)) == expected


@pytest.mark.parametrize(
    "prompt", ["A prognoza kursu euro na jutro?", "Kiedy tego dnia jest odpływ?", "a woda w morzu?"]
)
def test_other_services_are_no_certain_weather(prompt: str, detector: Detector) -> None:
    known = state(said([PLOCK]))
    assert told(follow_up(prompt, known, TOOLS, today=TODAY, detector=detector)) == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a w Mławie w te same dni?", ["Mława wednesday", "Mława thursday"]),
        ("a w Mławie w ten drugi dzień?", ["Mława thursday"]),
        ("a w Mławie?", ["Mława wednesday", "Mława thursday"]),
    ],
)
def test_days_asked_about_together_are_meant_together_or_by_their_order(
    prompt: str, expected: list[str], detector: Detector
) -> None:
    days = ("wednesday", "thursday")
    calls = tuple(
        DetectedCall(name="get_weather", arguments={"city": "Iława", "day": day}) for day in days
    )
    turn = Turn(prompt="Iława w środę i w czwartek?", reply="4°C, potem 6°C.", calls=calls)
    known = DialogueState(turns=(turn,), is_recalled=True)
    found = fill(Scene(prompt, known, TOOLS, today=TODAY, detector=detector))
    assert told(found) == expected
