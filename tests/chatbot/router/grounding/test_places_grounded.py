"""Places in a model's arguments are put right by what the user wrote."""

from scripted.tables import every_row

from chatbot.router.grounding import Grounded, ground


def grounded(value: str, *texts: str) -> Grounded:
    return ground(value, "place", texts)


@every_row(
    ("damaged", "prompt", "right"),
    [
        ("Ladek", "jaka pogoda w Lądku?", "Lądek"),
        ("Lådek", "jaka pogoda w Lądku?", "Lądek"),
        ("Lądku", "jaka pogoda w Lądku?", "Lądek"),
        ("Lodz", "pogoda w Łodzi", "Łódź"),
        ("Łodzi", "pogoda w Łodzi", "Łódź"),
        ("w Krakowie", "czy w Krakowie pada?", "Kraków"),
        ("warszawa", "w Warszawie leje?", "Warszawa"),
        ("Tychach", "w Tychach pada", "Tychy"),
        ("Skarżysko Kamienne", "Pogoda w Skarżysku-Kamiennej na jutro", "Skarżysko-Kamienna"),
        ("Skarżysko", "Pogoda w Skarżysku-Kamiennej na jutro", "Skarżysko-Kamienna"),
        ("Wrocł", "Będzie padać we Wrocławiu?", "Wrocław"),
        ("Korbielow", "Jedziemy do Korbielowa", "Korbielów"),
        ("Stuposian", "Wracam ze Stuposian, pada tam?", "Stuposiany"),
        ("Warszawa, Polska", "pogoda w Warszawie", "Warszawa"),
        ("Rabka-Zdroj", "Śnieg w Rabce?", "Rabka-Zdrój"),
        ("Gorzow Wielkopolski", "deszcz w Gorzowie Wlkp.?", "Gorzów Wielkopolski"),
    ],
)
def test_a_damaged_place_is_the_base_form_of_what_was_said(
    damaged: str, prompt: str, right: str
) -> None:
    assert grounded(damaged, prompt) == Grounded(value=right, state="repaired")


@every_row(
    "spoilt", ["ĹĂłdĹş", "Å\x81Ã³dÅº", "\\u0141\\u00f3d\\u017a", "&#321;ódź", "„Łódź”", "Ｌｏｄｚ"]
)
def test_what_an_encoding_spoilt_is_put_right(spoilt: str) -> None:
    assert grounded(spoilt, "pogoda w Łodzi").value == "Łódź"


@every_row(
    ("right", "prompt"),
    [
        ("Łódź", "pogoda w Łodzi"),
        ("Łódź", "pogoda w lodzi"),
        ("Radom", "w Radomiu czy w Radomsku?"),
        ("Radomsko", "w Radomiu czy w Radomsku?"),
        ("Stuposiany", "Jadę do Stuposian"),
        ("Ostróda", "Czy w Ostródzei bedze dzisiaj cieplo"),
        ("Katowice", "W Katowcach dalej szaro?"),
        ("Warszawa Mokotów", "pada na Mokotowie?"),
        ("Nowy Sącz", "leje w Sączu?"),
        ("Radom", "погода в Радомі"),
        ("Ustronie Morskie", "jadę do Ustronia, ciepło tam?"),
        ("Lahti", "Jak zimno jest w Lahti?"),
        ("Cisna", "Prognoza dla Cisnej"),
    ],
)
def test_a_good_place_is_never_touched(right: str, prompt: str) -> None:
    assert grounded(right, prompt) == Grounded(value=right, state="kept")


@every_row(
    ("foreign", "prompt", "polish"),
    [
        ("Vienna", "a we Wiedniu?", "Wiedeń"),
        ("Vídeň", "a we Wiedniu?", "Wiedeń"),
        ("Warsaw", "czy w Warszawie pada", "Warszawa"),
        ("Danzig", "weather in Danzig", "Gdańsk"),
        ("Gdańsk", "weather in Danzig", "Gdańsk"),
        ("Lviv", "погода у Львові", "Lwów"),
        ("Львів", "погода у Львові", "Lwów"),
        ("Варшава", "погода у Варшаві", "Warszawa"),
        ("Wawa", "Wawa śnieg jutro?", "Warszawa"),
        ("Germany", "pogoda w Niemczech", "Niemcy"),
        ("Warsaw, Poland", "w Warszawie pada?", "Warszawa"),
        ("city of Warsaw", "w Warszawie pada?", "Warszawa"),
    ],
)
def test_a_foreign_name_becomes_the_polish_one(foreign: str, prompt: str, polish: str) -> None:
    assert grounded(foreign, prompt).value == polish
    assert grounded(foreign, prompt).state != "invented"


def test_a_foreign_name_says_that_it_was_translated() -> None:
    assert grounded("Vienna", "a we Wiedniu?").state == "translated"


@every_row(
    ("place", "prompt"),
    [
        ("Warszawa", "Wawa śnieg jutro?"),
        ("Warszawa", "no w stolicy"),
        ("Paryż", "pogoda w stolicy Francji"),
        ("Bratysława", "a w słowackiej stolicy?"),
        ("Gdynia", "W Trójmieście nadal tak duje?"),
        ("Poznań", "A na Jeżycach leje?"),
        ("Zakopane", "Deptanie po Krupówkach jutro"),
        ("Kraków", "jaka jest krakowska pogoda"),
        ("Bałtyk", "jak ciepło jest nad morzem?"),
    ],
)
def test_what_a_model_knows_is_not_invented(place: str, prompt: str) -> None:
    assert grounded(place, prompt) == Grounded(value=place, state="kept")


@every_row(
    ("place", "prompt"),
    [
        ("Kraków", "jaka jutro pogoda?"),
        ("Kraków", "pada w Gdańsku?"),
        ("Berlin", "no w stolicy"),
        ("Londyn", "pogoda w stolicy Francji"),
        ("Kielce", "pada na Mokotowie?"),
        ("Vienna", "pada w Gdańsku?"),
        ("Hel", "czy jej będzie zimno?"),
        ("Warszawa", "jaka pogoda w stolicy Mongolii?"),
        ("Warszawa", "ja wolę fotkę z plaży"),
        ("Kraków", "wytłumacz mi jak krowie na rowie"),
        ("Kraków", "Zimny prysznic w Częstochowie, przegrany mecz Rakowa"),
        ("Piła", "powiedz mi cos o jozefie pilsudskim"),
        ("Springfield", ""),
    ],
)
def test_a_place_of_which_no_text_speaks_is_invented(place: str, prompt: str) -> None:
    assert grounded(place, prompt) == Grounded(value=place, state="invented")


def test_a_place_may_come_from_any_text() -> None:
    texts = ("a pojutrze?", "W Lądku-Zdroju jest 5 stopni.")
    assert grounded("Ladek-Zdroj", *texts).value == "Lądek-Zdrój"


def test_the_capital_of_a_country_that_was_spoken_of_before_is_known() -> None:
    texts = ("A jaka pogoda w jej stolicy?", "Słowenia leży nad Adriatykiem.")
    assert grounded("Lublana", *texts).state == "kept"


def test_what_the_user_said_outweighs_a_place_that_is_spelt_alike() -> None:
    assert grounded("Lublin", "pogoda w Lubinie").value == "Lubin"
    assert grounded("Lubin", "pogoda w Lublinie").value == "Lublin"


def test_of_a_long_text_both_ends_are_read() -> None:
    filler = " bla" * 5_000
    assert grounded("Lodz", f"pogoda w Łodzi{filler}").value == "Łódź"
    assert grounded("Lodz", f"{filler} pogoda w Łodzi").value == "Łódź"
    assert grounded("Lodz", f"{filler} pogoda w Łodzi{filler}").state == "invented"


@every_row("value", ["", "   ", "x" * 5_000, "\ud800", "((((", "Ł" * 119, "a " * 60])
def test_no_value_breaks_it(value: str) -> None:
    assert grounded(value, "pogoda w Łodzi", value * 3).state in {"kept", "repaired", "invented"}
