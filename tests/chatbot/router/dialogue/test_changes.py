"""A subject that changes without a word, and a prompt that goes on: told apart."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import check_rows, every_row

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.dialogue import DialogueState, follow_up, state
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolOutcome

TODAY = date(2026, 11, 22)
SAID: dict[str, tuple[str, str, str, JsonObject]] = {
    "weather": (
        "Będzie jutro padać w Kielcach?",
        "Jutro w Kielcach 7°C i przelotny deszcz.",
        "get_weather",
        {"city": "Kielce", "day": "tomorrow"},
    ),
    "calculation": ("Ile to 48 razy 15?", "48 · 15 = 720.", "calculate", {"expression": "48*15"}),
    "woman": (
        "Kim była Maria Konopnicka?",
        "Maria Konopnicka (1842–1910) – polska poetka, urodzona w Suwałkach.",
        "search_wikipedia",
        {"query": "Maria Konopnicka"},
    ),
    "castle": (
        "Opowiedz o zamku w Malborku",
        "Zamek w Malborku to gotycka twierdza krzyżacka nad Nogatem.",
        "search_wikipedia",
        {"query": "Zamek w Malborku"},
    ),
    "picture": (
        "Namaluj wiatrak na wzgórzu",
        "Oto wiatrak na wzgórzu.",
        "generate_image",
        {"description": "wiatrak na wzgórzu"},
    ),
}
ALONE = (
    "Czym jest fotosynteza?",
    "Na czym polega efekt Dopplera?",
    "Kto wynalazł żarówkę?",
    "Co to jest inflacja?",
    "Jak działa silnik Diesla?",
    "Ile nóg ma pająk?",
    "kiedy wybuchla pierwsza wojna swiatowa",
    "jak nazywa sie najdluzsza rzeka afryki",
    "kim byl chopin",
    "Kto napisał „Lalkę”?",
    "Jakie są objawy grypy?",
    "Jak ugotować jajko na miękko?",
    "Napisz wiersz o jesieni.",
    "Ułóż plan nauki na tydzień.",
    "Co sądzisz o pracy zdalnej?",
    "jak sie masz?",
    "Opowiedz mi jakiś dowcip.",
    "Czy koty widzą w ciemności?",
    "Dlaczego niebo jest niebieskie?",
    "Kto to jest Robert Lewandowski?",
    "Jaka jest stolica Mongolii?",
    "Ile mieszkańców ma Tokio?",
    "Jak nazywa się żona króla Karola?",
    "Jaka będzie jutro pogoda w Rzeszowie?",
    "Czy w piątek w Zamościu będzie mróz?",
    "Ile stopni jest teraz w Oslo?",
    "Ile to jest 17 razy 23?",
    "Oblicz pierwiastek z 1764.",
    "Policz 12% z 850.",
    "Rozwiąż równanie 3x + 5 = 20.",
    "Narysuj smoka nad jeziorem.",
    "Wygeneruj obraz latarni morskiej o świcie.",
    "Jutro mam egzamin z fizyki, jak się uspokoić?",
    "Polecisz książkę na weekend?",
    "Jak napisać podanie o urlop na przyszły tydzień?",
    "Gdzie w Krakowie zjeść dobry obiad?",
    "Czym różni się mitoza od mejozy?",
    "Co oznacza skrót NATO?",
    "Jak po angielsku powiedzieć „dzień dobry”?",
    "Ile kalorii ma banan?",
    "Jak zrobić ładne zdjęcie zachodu słońca?",
    "Skąd wzięła się nazwa tygodnia?",
    "Jak obliczyć pole trójkąta?",
    "Czy liczba zero jest parzysta?",
    "Jestem dziś bardzo zmęczony i nic mi się nie chce.",
    "Jak powstaje tęcza?",
    "Co to znaczy „ad hoc”?",
    "Czy pingwiny latają?",
    "Kto był pierwszym prezydentem Polski?",
    "kiedy byla bitwa pod grunwaldem",
    "Jak nazywa się największy ocean?",
    "co to jest blockchain",
    "Wyjaśnij mi teorię względności.",
    "Jakie witaminy ma marchewka?",
    "Podaj przepis na sernik.",
    "Gdzie leży Madagaskar?",
    "ile wazy slon",
    "Kim jest Olga Tokarczuk?",
    "Jak się liczy odsetki?",
    "Co robić w deszczowy dzień?",
    "Która godzina jest w Nowym Jorku?",
    "jaka temperatura jest na marsie",
    "Czy w Zakopanem leży śnieg?",
    "pogoda Gdynia weekend",
    "Jak ubrać dziecko zimą?",
    "Podziel 144 przez 12.",
    "2+2*2",
    "Ile to jest 3 do potęgi 5?",
    "oblicz pochodną x^3 + 2x",
    "Pomnóż 12 przez 14",
    "Ile sekund ma doba?",
    "namaluj zamek w stylu bajkowym",
    "Stwórz grafikę z rowerem na plaży",
    "Jak namalować paznokcie?",
    "Przetłumacz „good morning” na polski.",
    "Popraw błędy: „Poszłem do sklepu”.",
    "Napisz maila do szefa z prośbą o podwyżkę.",
    "Wymyśl imię dla psa.",
    "nudzi mi sie",
    "Jaki film obejrzeć wieczorem?",
    "Kocham Cię",
    "Ile ludzi mieszka w Indiach?",
    "Kiedy urodził się Fryderyk Chopin?",
    "Z czego robi się piwo?",
    "Jak wygląda żubr?",
    "Jaką książkę napisał Orwell?",
    "W którym roku upadł mur berliński?",
    "Co jedzą jeże?",
)


def _weather(city: str, day: str = "tomorrow") -> tuple[str, JsonObject]:
    return "get_weather", {"city": city, "day": day}


def _sum(expression: str) -> tuple[str, JsonObject]:
    return "calculate", {"expression": expression}


def _article(query: str) -> tuple[str, JsonObject]:
    return "search_wikipedia", {"query": query}


def _picture(description: str) -> tuple[str, JsonObject]:
    return "generate_image", {"description": description}


POET, CASTLE = _article("Maria Konopnicka"), _article("Zamek w Malborku")
GOES_ON = (
    ("weather", "a w Sandomierzu?", _weather("Sandomierz")),
    ("weather", "a pojutrze?", _weather("Kielce", "day_after_tomorrow")),
    ("weather", "a w sobotę?", _weather("Kielce", "saturday")),
    ("weather", "i w Olkuszu", _weather("Olkusz")),
    ("weather", "będzie tam mróz?", _weather("Kielce")),
    ("weather", "a czy będzie wiało?", _weather("Kielce")),
    ("weather", "nie w Kielcach, tylko w Końskich", _weather("Końskie")),
    ("weather", "A dzisiaj?", _weather("Kielce", "today")),
    ("weather", "To może w Busku-Zdroju?", _weather("Busko-Zdrój")),
    ("weather", "Brać parasol?", _weather("Kielce")),
    ("weather", "sprawdź jeszcze Tarnów", _weather("Tarnów")),
    ("weather", "a w niedzielę w Tarnowie?", _weather("Tarnów", "sunday")),
    ("calculation", "podziel to przez 9", _sum("(48*15)/9")),
    ("calculation", "a razy dwa?", _sum("(48*15)*2")),
    ("calculation", "dodaj do tego 30", _sum("(48*15) + 30")),
    ("calculation", "a pierwiastek z tego?", _sum("sqrt(48*15)")),
    ("calculation", "odejmij od wyniku 20", _sum("(48*15) - 20")),
    ("calculation", "teraz minus 100", _sum("(48*15) - 100")),
    ("calculation", "a połowa z tego?", _sum("(48*15)/2")),
    ("calculation", "podnieś wynik do kwadratu", _sum("(48*15)**2")),
    ("woman", "Gdzie się urodziła?", POET),
    ("woman", "a kiedy zmarła?", POET),
    ("woman", "Ile miała dzieci?", POET),
    ("woman", "Jakie są jej najważniejsze utwory?", POET),
    ("woman", "kto był jej mężem?", POET),
    ("woman", "Gdzie jest pochowana?", POET),
    ("woman", "a jej rodzice?", POET),
    ("woman", "Z kim się przyjaźniła?", POET),
    ("woman", "Co jeszcze napisała?", POET),
    ("woman", "A kim był Adam Asnyk?", _article("Adam Asnyk")),
    ("castle", "Kto go zbudował?", CASTLE),
    ("castle", "A kiedy powstał?", CASTLE),
    ("castle", "Ile ma wież?", CASTLE),
    ("castle", "Z czego jest zbudowany?", CASTLE),
    ("castle", "Kto tam mieszkał?", CASTLE),
    ("castle", "W którym roku został zdobyty?", CASTLE),
    ("castle", "opowiedz o nim więcej", CASTLE),
    ("castle", "narysuj go", _picture("Zamek w Malborku")),
    ("picture", "dodaj krowy", _picture("wiatrak na wzgórzu, krowy")),
    ("picture", "a teraz zimą", _picture("wiatrak na wzgórzu zimą")),
    ("picture", "bez wzgórza", _picture("wiatrak, bez wzgórza")),
    ("picture", "niech będzie noc", _picture("wiatrak na wzgórzu, noc")),
    ("picture", "w stylu van Gogha", _picture("wiatrak na wzgórzu w stylu van Gogha")),
    ("woman", "W jakim wieku zmarła?", POET),
    ("woman", "Skąd pochodziła?", POET),
    ("woman", "A co napisała dla dzieci?", POET),
    ("woman", "Czy miała męża?", POET),
    ("woman", "W jakim języku pisała?", POET),
    ("woman", "Kiedy wydała pierwszy tomik?", POET),
    ("castle", "kto zbudował zamek?", CASTLE),
    ("castle", "A gdzie leży?", CASTLE),
    ("castle", "Jak jest duży?", CASTLE),
    ("castle", "co można tam zobaczyć?", CASTLE),
    ("weather", "A w weekend?", _weather("Kielce", "weekend")),
    ("weather", "a co z Radomiem?", _weather("Radom")),
    ("weather", "Czy tam popada w piątek?", _weather("Kielce", "friday")),
    ("calculation", "a teraz podziel przez trzy", _sum("(48*15)/3")),
    ("calculation", "a 10% z tego?", _sum("(48*15)*10/100")),
    ("picture", "zmień wiatrak na zamek", _picture("zamek na wzgórzu")),
    ("picture", "jeszcze raz", _picture("wiatrak na wzgórzu")),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def after(kind: str) -> DialogueState:
    prompt, reply, name, arguments = SAID[kind]
    parts = (
        ToolCall(call_id="1", name=name, arguments=arguments, raw_arguments=arguments),
        ToolOutcome(call_id="1", name=name, status="ok", content=reply),
        Text(text=reply),
    )
    user = Message(role="user", parts=(Text(text=prompt),))
    return state((user, Message(role="assistant", parts=parts)))


@pytest.mark.parametrize("kind", SAID)
def test_what_stands_alone_is_left_alone(detector: Detector, kind: str) -> None:
    def check(prompt: str) -> None:
        found = follow_up(prompt, after(kind), TOOLS, today=TODAY, detector=detector)
        alone = detector.detect(prompt, TOOLS, today=TODAY).calls
        assert found is None or (found.calls == alone and found.asks is None)

    check_rows(ALONE, check)


@every_row(("kind", "prompt", "expected"), GOES_ON)
def test_what_goes_on_is_completed(
    detector: Detector, kind: str, prompt: str, expected: tuple[str, JsonObject]
) -> None:
    found = follow_up(prompt, after(kind), TOOLS, today=TODAY, detector=detector)
    name, arguments = expected
    assert found is not None
    assert found.calls == (DetectedCall(name=name, arguments=arguments),)


@pytest.mark.parametrize("prompt", ["Czy jutro jest święto?", "Czy można jeść śnieg?"])
def test_no_place_is_lent_to_what_is_no_question_about_the_weather(
    detector: Detector, prompt: str
) -> None:
    found = follow_up(prompt, after("weather"), TOOLS, today=TODAY, detector=detector)
    assert found is None or not found.calls


@pytest.mark.parametrize("prompt", ["Gdzie się urodził?", "Kiedy wybuchła wojna?", "Ile miał lat?"])
def test_a_verb_of_another_gender_or_with_its_own_noun_is_not_certain(
    detector: Detector, prompt: str
) -> None:
    assert follow_up(prompt, after("woman"), TOOLS, today=TODAY, detector=detector) is None
