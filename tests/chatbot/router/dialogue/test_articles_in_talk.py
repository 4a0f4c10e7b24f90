"""Tests of the article that a follow-up finds, as the embedded engine finds it."""

import pytest
from scripted.guessing import guessed

FARADAY = (
    "Kim był Michael Faraday?",
    "Michael Faraday (1791–1867) był angielskim fizykiem, odkrywcą indukcji elektromagnetycznej.",
)
WAJDA = (
    "Kim był Andrzej Wajda?",
    "Andrzej Wajda był reżyserem, twórcą „Popiołu i diamentu” oraz „Człowieka z marmuru”.",
)
WEATHER = ("Jaka pogoda dziś w Reykjaviku?", "W Reykjaviku dziś deszcz, 3°C.")


CECORA = ("kiedy była bitwa pod Cecorą", "Bitwa pod Cecorą rozegrała się w 1620 roku.")
FORECAST = ("Jaka pogoda w Zielonej Górze w niedzielę?", "W niedzielę w Zielonej Górze 22°C.")
NIGHTS = ("Kto wyreżyserował „Noce i dnie”?", "„Noce i dnie” wyreżyserował Jerzy Antczak.")


def article(*texts: str) -> str | None:
    """What the last text asks for after the others, where that is one article."""
    queries = [one.arguments.get("query") for one in guessed(*texts)]
    return str(queries[0]) if len(queries) == 1 else None


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*FARADAY, "na czym ta indukcja polega?"), "indukcja elektromagnetyczna"),
        (
            (
                "Kim był Dżyngis-chan?",
                "Był twórcą imperium mongolskiego.",
                "kiedy to imperium upadło?",
            ),
            "imperium mongolskie",
        ),
    ],
)
def test_a_notion_told_in_passing_is_meant_by_its_noun(texts: tuple[str, ...], query: str) -> None:
    assert article(*texts) == query


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (("Kim była Coco Chanel?", "Coco Chanel była projektantką.", "a Dior?"), "Dior"),
        (
            ("Kto gra Sherlocka w serialu BBC?", "Gra go Benedict Cumberbatch.", "a Watsona?"),
            "Watson",
        ),
        (
            ("Kto wymyślił Sherlocka?", "Wymyślił go Conan Doyle.", "a Moriarty’ego?"),
            "Moriarty",
        ),
    ],
)
def test_a_strange_name_stands_in_the_case_of_the_name_before_it(
    texts: tuple[str, ...], query: str
) -> None:
    assert article(*texts) == query


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("A ten drugi film to o czym jest?", "Człowiek z marmuru"),
        ("ten pierwszy film kiedy powstał?", "Popiół i diament"),
    ],
)
def test_titles_with_and_are_counted_whole(prompt: str, query: str) -> None:
    assert article(*WAJDA, prompt) == query


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("Nie fizyk. Miałam na myśli filozofa Michela Foucaulta.", "Michel Foucault"),
        ("nie, chodzilo mi o tego drugiego, federera", "Federer"),
    ],
)
def test_a_correction_may_tell_what_somebody_is_before_his_name(prompt: str, query: str) -> None:
    assert article(*FARADAY, prompt) == query


def test_a_question_word_makes_no_other_animal() -> None:
    said = ("Ile żyje żółw słoniowy?", "Żółw słoniowy żyje ponad 100 lat.")
    assert article(*said, "Na których wyspach występuje?") == "żółw słoniowy"


def test_where_somebody_comes_from_is_a_place_of_its_own() -> None:
    said = ("Kto założył zakon franciszkanów?", "Zakon założył Franciszek z Asyżu.")
    assert article(*said, "gdzie leży Asyż?") == "Asyż"


def test_what_somebody_did_once_is_no_forecast() -> None:
    assert article(*WEATHER, "a kiedy Litwa wstąpiła do NATO?") == "Litwa"


def test_a_clause_that_says_which_is_meant_is_no_wish_of_its_own() -> None:
    assert article(*WEATHER, "Jak się nazywa ten kościół wysoki, co tam stoi?") == "Reykjavik"


def test_a_name_is_spelled_as_the_conversation_has_it() -> None:
    said = (
        "kim byla simone de beauvoir",
        "Simone de Beauvoir była filozofką, autorką „Drugiej płci”.",
    )
    assert article(*said, "o czym jest ta druga plec") == "Druga płeć"


FINLAND = ("Jaka jest stolica Finlandii?", "Stolicą Finlandii są Helsinki.")
TORUN = ("Nad jaką rzeką leży Toruń?", "Toruń leży nad Wisłą.")


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*FINLAND, "opowiedz o tym kraju"), "Finlandia"),
        ((*FINLAND, "a jaka tam waluta?"), "Finlandia"),
        ((*FINLAND, "ile ludzi tam mieszka?"), "Helsinki"),
        ((*FINLAND, "a Estonii?"), "Estonia"),
        ((*TORUN, "a gdzie uchodzi?"), "Wisła"),
        ((*TORUN, "kto założył to miasto?"), "Toruń"),
        (
            (
                "Jaka jest najwyższa góra w Polsce?",
                "Najwyższe są Rysy w Tatrach.",
                "opowiedz coś o tych górach",
            ),
            "Tatry",
        ),
        (
            (
                "Gdzie urodził się Fryderyk Chopin?",
                "Urodził się w Żelazowej Woli.",
                "co to za miejscowość?",
            ),
            "Żelazowa Wola",
        ),
    ],
)
def test_the_kind_of_a_place_tells_which_is_meant(texts: tuple[str, ...], query: str) -> None:
    assert article(*texts) == query


LEM = ("Kim był Stanisław Lem?", "Stanisław Lem był pisarzem, autorem „Solaris”.")
CURIE = ("Opowiedz mi o Curie", "O kogo chodzi: o Marię Skłodowską-Curie czy o Piotra Curie?")
JASLO = ("Opowiedz o Jaśle", "Chodzi Ci o miasto Jasło czy o rzekę Jasiołkę?")


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        ((*CURIE, "o Marię"), "Maria Skłodowska-Curie"),
        ((*CURIE, "o tego drugiego"), "Piotr Curie"),
        ((*CURIE, "o nią"), "Maria Skłodowska-Curie"),
        ((*JASLO, "o rzekę"), "Jasiołka"),
        ((*JASLO, "o Jasiołkę"), "Jasiołka"),
        ((*JASLO, "o to pierwsze"), "Jasło"),
        (
            ("Opowiedz o Zamku Królewskim", "W Warszawie czy w Krakowie?", "w Warszawie"),
            "Zamek Królewski w Warszawie",
        ),
    ],
)
def test_an_answer_takes_one_of_the_names_offered(texts: tuple[str, ...], query: str) -> None:
    assert article(*texts) == query


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("nie pisarz, tylko księżyc", "Stanisław Lem (księżyc)"),
        ("o Legię Warszawa mi chodziło", "Legia Warszawa"),
        ("sorki, Mrożek", "Mrożek"),
        ("a Polska wygrała?", "Polska"),
        ("a kto odkrył insulinę?", "insulina"),
    ],
)
def test_a_slip_or_another_kind_is_corrected(prompt: str, query: str) -> None:
    assert article(*LEM, prompt) == query


SONG = ("Kto śpiewa Małomiasteczkowy?", "„Małomiasteczkowy” to utwór Dawida Podsiadły.")


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("jakie ma inne piosenki?", "Dawid Podsiadło"),
        ("skąd pochodzi?", "Dawid Podsiadło"),
        ("kto w nim gra?", "Małomiasteczkowy"),
    ],
)
def test_after_a_work_its_maker_has_an_age_and_other_works(prompt: str, query: str) -> None:
    assert article(*SONG, prompt) == query


@pytest.mark.parametrize("prompt", ["jak jest pisarz po angielsku?", "przeczytałbyś Solaris?"])
def test_what_asks_for_words_or_for_us_is_no_article(prompt: str) -> None:
    assert article(*LEM, prompt) is None


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (("Narysuj „Krzyk” Muncha z klocków.", "Oto „Krzyk” Muncha.", "a oryginał gdzie wisi?"),
         "Krzyk"),
        ((*CECORA, "nie ta, chodziło mi o chocim 1621"), "Bitwa pod Chocimiem (1621)"),
        ((*CECORA, "miałem na myśli Chocim z 1673"), "Bitwa pod Chocimiem (1673)"),
        ((*CECORA, "oj nie, o Kłuszyn pytałem"), "Bitwa pod Kłuszynem"),
        ((*CECORA, "a Kircholm?"), "Bitwa pod Kircholmem"),
        ((*FORECAST, "to git. a falubaz to w ktorym roku powstal?"), "Falubaz"),
        ((*FORECAST, "a miasto w którym roku powstało?"), "Zielona Góra"),
        ((*NIGHTS, "a scenariusz to czyj właściwie?"), "Noce i dnie"),
        ((*NIGHTS, "a co to jest scenopis?"), "scenopis"),
    ],
)  # fmt: skip
def test_a_topic_is_named_by_a_part_of_it_or_by_its_place(
    texts: tuple[str, ...], query: str
) -> None:
    assert article(*texts) == query
