"""Several wishes in one prompt: each is a call of its own, and one stays one."""

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import Detection, Detector
from chatbot.router.detector.formulas import read_formula, read_formulas
from chatbot.router.detector.formulas.separate import ways_by_words
from chatbot.types import JsonObject

_MOST_READINGS = 60  # of a prompt and its clauses; there were hundreds


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def calls(found: Detection) -> list[tuple[str, JsonObject]]:
    return [(call.name, call.arguments) for call in found.calls]


def test_several_places_are_several_calls(detector: Detector) -> None:
    assert calls(detector.detect("pogoda w Łodzi i w Radomiu", TOOLS)) == [
        ("get_weather", {"city": "Łódź"}),
        ("get_weather", {"city": "Radom"}),
    ]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "Poszukaj, kim był Jan z Kolna, albo zostaw, mam w książce. Za to policz 7/16 z 800.",
            [("calculate", {"expression": "7/16*800"})],
        ),
        (
            "Narysuj mi smoka, choć zostaw, brat narysuje. Lepiej powiedz, ile to 17*19.",
            [("calculate", {"expression": "17*19"})],
        ),
        (
            "tylko nie maluj mi tu zaraz sowy w lesie, pytam jak długo żyje puszczyk",
            [("search_wikipedia", {"query": "puszczyk"})],
        ),
        (
            "Prognozy dla Bergen nie chcę. Powiedz raczej, kiedy przyszedł tam na świat Grieg.",
            [("search_wikipedia", {"query": "Edvard Grieg"})],
        ),
        (
            "Nie maluj Wawelu, powiedz, kto go zbudował",
            [("search_wikipedia", {"query": "Wawel"})],
        ),
    ],
)
def test_a_withdrawn_wish_is_left_out(
    detector: Detector, prompt: str, expected: list[tuple[str, JsonObject]]
) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == expected


def test_a_rule_to_be_minded_is_no_second_wish(detector: Detector) -> None:
    prompt = "Wyznacz 96 ÷ (4·3) + 5², pamiętając, co liczy się pierwsze"

    assert calls(detector.detect(prompt, TOOLS)) == [
        ("calculate", {"expression": "96/(4*3) + 5**2"})
    ]


def test_a_calculation_of_one_word_is_a_wish_of_its_own(detector: Detector) -> None:
    prompt = "sqrt(7921) i potem sprawdź, kim był Pitagoras"

    assert calls(detector.detect(prompt, TOOLS)) == [
        ("calculate", {"expression": "sqrt(7921)"}),
        ("search_wikipedia", {"query": "Pitagoras"}),
    ]


def test_several_requests_are_several_calls(detector: Detector) -> None:
    prompt = "Jaka jest pogoda w Łodzi i kim był Julian Tuwim?"

    assert calls(detector.detect(prompt, TOOLS)) == [
        ("get_weather", {"city": "Łódź"}),
        ("search_wikipedia", {"query": "Julian Tuwim"}),
    ]


@every_row(
    ("prompt", "expected"),
    [
        (
            "Pogoda w Siedlcach na jutro i od razu podziel mi 1870 przez 34.",
            [
                ("get_weather", {"city": "Siedlce", "day": "tomorrow"}),
                ("calculate", {"expression": "1870/34"}),
            ],
        ),
        (
            "3^7 policz, potem narysuj zielonego smoka",
            [
                ("calculate", {"expression": "3**7"}),
                ("generate_image", {"description": "zielony smok"}),
            ],
        ),
        (
            "Granica (1 + 1/n)^n przy n→∞, no i kto to był Euler",
            [
                ("calculate", {"expression": "limit((1 + 1/n)**n, n, oo)"}),
                ("search_wikipedia", {"query": "Leonhard Euler"}),
            ],
        ),
        (
            "Narysuj Polskę zimą i sprawdź, jaka jutro pogoda w Łodzi",
            [
                ("generate_image", {"description": "Polska zimą"}),
                ("get_weather", {"city": "Łódź", "day": "tomorrow"}),
            ],
        ),
        (
            "Narysuj zamek w Malborku i napisz, jaka tam będzie jutro pogoda",
            [
                ("generate_image", {"description": "zamek w Malborku"}),
                ("get_weather", {"city": "Malbork", "day": "tomorrow"}),
            ],
        ),
        (
            "Kim była Helena Modrzejewska? I narysuj jej portret w oleju",
            [
                ("search_wikipedia", {"query": "Helena Modrzejewska"}),
                ("generate_image", {"description": "Helena Modrzejewska, portret w oleju"}),
            ],
        ),
        (
            "Kim była Helena Modrzejewska? I narysuj też psa",
            [
                ("search_wikipedia", {"query": "Helena Modrzejewska"}),
                ("generate_image", {"description": "pies"}),
            ],
        ),
        (
            "Czym żywi się rosiczka? I wygeneruj mi jedną, z muchą na liściu",
            [
                ("search_wikipedia", {"query": "rosiczka"}),
                ("generate_image", {"description": "rosiczka z muchą na liściu"}),
            ],
        ),
        (
            "Proszę o informacje o latarni w Rozewiu oraz o narysowanie tej latarni nocą.",
            [
                ("search_wikipedia", {"query": "latarnia w Rozewiu"}),
                ("generate_image", {"description": "latarnia w Rozewiu nocą"}),
            ],
        ),
        (
            "Zrób plakat z Fryderykiem Chopinem i podaj, gdzie się urodził",
            [
                ("generate_image", {"description": "plakat z Fryderykiem Chopinem"}),
                ("search_wikipedia", {"query": "Fryderyk Chopin"}),
            ],
        ),
        (
            "pogoda kielce sobota + kim byl stefan zeromski",
            [
                ("get_weather", {"city": "Kielce", "day": "saturday"}),
                ("search_wikipedia", {"query": "Stefan Żeromski"}),
            ],
        ),
        (
            "Lecę w środę do Tunisu. Upał? I co to jest ta Kartagina?",
            [
                ("get_weather", {"city": "Tunis", "day": "wednesday"}),
                ("search_wikipedia", {"query": "Kartagina"}),
            ],
        ),
        (
            "Podaj prognozę na jutro dla Mrągowa oraz informacje o Mazurskim Parku Krajobrazowym.",
            [
                ("get_weather", {"city": "Mrągowo", "day": "tomorrow"}),
                ("search_wikipedia", {"query": "Mazurski Park Krajobrazowy"}),
            ],
        ),
        (
            "A kim była Maria Czubaszek? Jeszcze Wojciecha Karolaka sprawdź.",
            [
                ("search_wikipedia", {"query": "Maria Czubaszek"}),
                ("search_wikipedia", {"query": "Wojciech Karolak"}),
            ],
        ),
        (
            "Czy możesz mi powiedzieć, co to jest rak nieborak i narysować go w kapeluszu?",
            [
                ("search_wikipedia", {"query": "rak nieborak"}),
                ("generate_image", {"description": "rak nieborak w kapeluszu"}),
            ],
        ),
        (
            "Zrób mi obrazek cytryny z mieczem, a na przyszłość – jutro w Tarnowie dalej mróz?",
            [
                ("generate_image", {"description": "cytryna z mieczem"}),
                ("get_weather", {"city": "Tarnów", "day": "tomorrow"}),
            ],
        ),
        (
            "Jaka pogoda w Bari pojutrze, a jaka w Palermo?",
            [
                ("get_weather", {"city": place, "day": "day_after_tomorrow"})
                for place in ("Bari", "Palermo")
            ],
        ),
        (
            "temp w krk na jutro + ile to 3/4 z 560",
            [
                ("get_weather", {"city": "Kraków", "day": "tomorrow"}),
                ("calculate", {"expression": "3/4*560"}),
            ],
        ),
        (
            "Pogoda: Bergen, czwartek. Encyklopedia: Edvard Grieg.",
            [
                ("get_weather", {"city": "Bergen", "day": "thursday"}),
                ("search_wikipedia", {"query": "Edvard Grieg"}),
            ],
        ),
        (
            "co to jest ryś iberyjski a co to manul",
            [
                ("search_wikipedia", {"query": "ryś iberyjski"}),
                ("search_wikipedia", {"query": "manul"}),
            ],
        ),
        (
            "Narysuj żółwia w todze, bo lecimy do Rzymu. Jaka tam pogoda w sobotę?",
            [
                ("generate_image", {"description": "żółw w todze"}),
                ("get_weather", {"city": "Rzym", "day": "saturday"}),
            ],
        ),
        (
            "Logo pralni poproszę – bańki i wieszak. Gdzie urodził się Jan Kiepura?",
            [
                ("generate_image", {"description": "Logo pralni – bańki i wieszak"}),
                ("search_wikipedia", {"query": "Jan Kiepura"}),
            ],
        ),
        (
            "Przetłumacz na czeski „dobry wieczór”, a oprócz tego ile wynosi 15% z 268?",
            [("calculate", {"expression": "15/100*268"})],
        ),
        (
            "Napisz SMS-a do szefa, że się spóźnię, i sprawdź, czy w Tychach jutro pada",
            [("get_weather", {"city": "Tychy", "day": "tomorrow"})],
        ),
    ],
)
def test_each_request_is_read_beside_another(
    detector: Detector, prompt: str, expected: list[tuple[str, JsonObject]]
) -> None:
    assert calls(detector.detect(prompt, TOOLS)) == expected


@pytest.mark.parametrize(
    "prompt",
    [
        "Kto napisał Lalkę? I jeszcze w którym roku?",
        "Rafał Olbiński, ten od surrealistycznych plakatów i ilustracji. Gdzie studiował?",
        "Suma dwóch liczb to 50, a ich różnica 14, jaka jest większa z nich?",
        "Liczbę pomnożono przez 5, odjęto 3 i wyszło 42. Co to za liczba?",
        "Gitara 1450 zł, struny 38 zł co 2 miesiące. Ile wydam łącznie przez rok?",
        "Prostokąt ma obwód 54 cm, a jeden bok 11 cm. Jaką ma długość drugi bok?",
        "Jutro kolokwium, a ja nie wiem, co to transformata Fouriera. Masz to w wiki?",
        "Ile to trzy czwarte z 92? Czekaj, źle przeczytałam, trzy piąte z 95.",
    ],
)
def test_one_request_stays_one(detector: Detector, prompt: str) -> None:
    assert len(calls(detector.detect(prompt, TOOLS))) == 1


def test_the_same_is_asked_of_two_names(detector: Detector) -> None:
    found = calls(detector.detect("Kim była Maria Dąbrowska, kim Zofia Nałkowska?", TOOLS))

    assert found == [
        ("search_wikipedia", {"query": "Maria Dąbrowska"}),
        ("search_wikipedia", {"query": "Zofia Nałkowska"}),
    ]


def test_there_is_the_place_that_was_asked_about_before(detector: Detector) -> None:
    found = calls(detector.detect("gdzie leży Brodnica i jaka tam jutro pogoda", TOOLS))

    assert found == [
        ("search_wikipedia", {"query": "Brodnica"}),
        ("get_weather", {"city": "Brodnica", "day": "tomorrow"}),
    ]


def test_each_place_has_its_own_day(detector: Detector) -> None:
    prompt = "Jaka pogoda: w Iławie jesteśmy w piątek, w Ostródzie w niedzielę?"

    assert calls(detector.detect(prompt, TOOLS)) == [
        ("get_weather", {"city": "Iława", "day": "friday"}),
        ("get_weather", {"city": "Ostróda", "day": "sunday"}),
    ]


@pytest.mark.parametrize("prompt", ["Ile to " + "i ile to 9+9 " * 153, "ile to 9+9? " * 158])
def test_calculations_without_end_are_not_cut_at_each_joint(
    detector: Detector, prompt: str
) -> None:
    before = read_formula.cache_info().misses
    detector.detect(prompt, TOOLS)

    assert read_formula.cache_info().misses - before < _MOST_READINGS


def test_brackets_of_a_formula_are_no_list() -> None:
    assert list(ways_by_words("Uprość wyrażenie (x^2 - 1)/(x - 1).")) == []
    assert list(ways_by_words("Oblicz 1) 2+2 2) 3*4")) == [["Oblicz 2+2", "Oblicz 3*4"]]


def test_four_calculations_of_one_prompt_are_apart_and_five_are_not() -> None:
    four = "2+2 oraz 3*4 oraz 5-1 oraz 6/3"

    assert (len(read_formulas(four)), len(read_formulas(f"{four} oraz 7*7"))) == (4, 0)
