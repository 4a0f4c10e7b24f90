"""Whole decisions and error patterns: what went wrong, in the words of ToolScan and for Polish."""

from collections.abc import Mapping
from dataclasses import replace

from scripted.tables import every_row

from chatbot.tools.builtin import BUILT_IN
from chatbot.types import JsonValue, Message, RouteReason, Text
from evals.cases import Case, Expected, ExpectedCall
from evals.scorers import Score, Scorer, match_name
from evals.solver import DecidedCall, Solution
from evals.wrong_values import name_wrong_value

SPECS = [tool.spec for tool in BUILT_IN]
SCORER = Scorer({"day": match_name}, SPECS)
HEL = ExpectedCall(tool="get_weather", arguments={"city": "Hel"})
PROMPT = "Czy w Kudowie-Zdroju jutro pada?"


def weather(**arguments: JsonValue) -> DecidedCall:
    return DecidedCall(tool="get_weather", arguments=arguments)


def score(
    *calls: DecidedCall, expected: Expected | None = None, reason: RouteReason = "called"
) -> Score:
    case = Case(id="c", prompt="Pogoda na Helu", expected=expected or Expected(calls=(HEL,)))
    solution = Solution(
        tool=calls[0].tool if calls else None,
        calls=calls,
        reason=reason,
        verdict_ms=1,
        decision_ms=1.0,
    )
    return SCORER.score(case, solution)


def patterns(*calls: DecidedCall, reason: RouteReason = "called") -> list[str]:
    return [str(pattern) for pattern in score(*calls, reason=reason).patterns]


def test_a_whole_decision_has_every_call_and_no_argument_besides() -> None:
    assert score(weather(city="Hel", day="today")).polish
    assert not score(weather(city="Hel", day="tomorrow")).polish
    assert not score(weather(city="Hel"), weather(city="Hel")).polish
    assert score(expected=Expected()).polish
    assert not score(weather(city="Hel"), expected=Expected()).polish


def test_a_question_is_right_where_nothing_is_said_of_arguments() -> None:
    case = Case(
        id="c",
        prompt="Jaka pogoda?",
        expected=Expected(calls=(ExpectedCall(tool="get_weather", arguments={}),)),
    )
    asking = Solution(
        tool="get_weather",
        asked="city",
        reason="missing_argument",
        verdict_ms=1,
        decision_ms=1.0,
    )
    assert SCORER.score(case, asking).polish
    elsewhere = replace(asking, tool="search_wikipedia", asked="query")
    assert not SCORER.score(case, elsewhere).polish


def test_bfcl_forgives_case_and_punctuation_and_polish_does_not() -> None:
    found = score(weather(city="HEL."))
    assert (found.bfcl, found.polish) == (True, False)
    assert not score(weather(city="Heł")).bfcl


def test_the_models_own_arguments_are_scored_beside_the_grounded_ones() -> None:
    call = DecidedCall(
        tool="get_weather", arguments={"city": "Hel"}, raw_arguments={"city": "Helu"}
    )
    found = score(call)
    assert (found.polish, found.raw_polish, found.arguments_right) == (True, False, True)
    assert found.raw_right is False
    assert [str(one) for one in found.raw_patterns] == ["IAV.inflection get_weather.city"]
    assert found.patterns == ()


def test_a_description_keeps_every_content_word_in_any_form() -> None:
    drawn = ExpectedCall(tool="generate_image", arguments={"description": "pies i kot przed domem"})
    expected = Expected(calls=(drawn,))

    def keeps(text: str) -> bool | None:
        call = DecidedCall(tool="generate_image", arguments={"description": text})
        return score(call, expected=expected).every_word

    assert keeps("psa i kota przed domem") is True
    assert keeps("Psa i Kota Przed Domem") is True
    assert keeps("pies i kot") is False
    assert score(weather(city="Hel")).every_word is None


def test_a_capital_letter_loses_no_word_of_a_description() -> None:
    drawn = ExpectedCall(tool="generate_image", arguments={"description": "herb gminnej drużyny"})
    call = DecidedCall(tool="generate_image", arguments={"description": "Herb dla gminnej drużyny"})
    assert score(call, expected=Expected(calls=(drawn,))).every_word is True


def test_each_of_two_descriptions_is_whole_in_one_of_the_pictures() -> None:
    dog, cat = (
        ExpectedCall(tool="generate_image", arguments={"description": what})
        for what in ("pies przed domem", "kot na dachu")
    )

    def keep(*texts: str) -> bool | None:
        calls = [
            DecidedCall(tool="generate_image", arguments={"description": one}) for one in texts
        ]
        return score(*calls, expected=Expected(calls=(dog, cat))).every_word

    assert keep("pies przed domem", "kot na dachu") is True
    assert keep("pies przed domem", "kot") is False


@every_row(
    ("calls", "reason", "found"),
    [
        ((), "plain_text", ["IAC"]),
        ((), "unusable_call", ["IAC", "IFE"]),
        ((), "unknown_tool", ["IAC", "IFN"]),
        ((weather(city="Hel"), weather(city="Hel")), "called", ["RAC"]),
        ((weather(city="Hel", hour="8"),), "called", ["IAN get_weather.hour"]),
        (
            (weather(city=7),),
            "called",
            ["IAV.value get_weather.city", "IAT get_weather.city"],
        ),
        ((weather(),), "called", ["IAV.missing get_weather.city"]),
        ((weather(city="Hel", day="sunday"),), "called", ["IAV.invention get_weather.day"]),
    ],
)
def test_the_seven_patterns(
    calls: tuple[DecidedCall, ...], reason: RouteReason, found: list[str]
) -> None:
    assert patterns(*calls, reason=reason) == found


def test_a_decision_that_can_be_defended_shows_no_error() -> None:
    case = Case(id="c", prompt="p", expected=Expected(calls=(HEL,)), also=(Expected(),))
    solution = Solution(tool=None, reason="plain_text", verdict_ms=1, decision_ms=1.0)
    assert SCORER.score(case, solution).patterns == ()


@every_row(
    ("right", "given", "kind"),
    [
        ("Kudowa-Zdrój", "kudowa zdrój", "letter_case"),
        ("Kudowa-Zdrój", "Kudowa-Zdroj", "diacritics"),
        ("Lądek-Zdrój", "Lådek-Zdrój", "diacritics"),
        ("Kudowa-Zdrój", "Kudowie-Zdroju", "inflection"),
        ("Kudowa-Zdrój", "Kudowa", "truncation"),
        ("Kudowa-Zdrój", "pada Kudowa-Zdrój", "surplus"),
        ("Kudowa-Zdrój", "Zakopane", "context"),
        ("Kudowa-Zdrój", "Sosnowiec", "invention"),
        ("Kudowa-Zdrój", "the resort", "language"),
        ("Kudowa-Zdrój", "jutro", "other"),
        ("Kudowa-Zdrój", None, "missing"),
    ],
)
def test_the_kind_of_a_wrong_name(right: str, given: JsonValue, kind: str) -> None:
    texts = ("Jedziemy do Zakopanego", PROMPT)
    assert name_wrong_value([right], given, texts, "name") == kind


def test_what_others_call_a_place_is_another_language() -> None:
    assert name_wrong_value(["Wiedeń"], "Vienna", ["pogoda w Wiedniu"], "name") == "language"
    assert name_wrong_value(["Wiedeń"], "Prague", ["pogoda w Wiedniu"], "name") == "invention"


def test_a_description_in_the_other_language_is_told_from_one_that_lost_words() -> None:
    right = ["czerwony dom nad jeziorem"]
    kinds: Mapping[str, str] = {
        "a red house by the lake": "language",
        "dom nad jeziorem": "truncation",
    }
    assert {given: name_wrong_value(right, given, right, "description") for given in kinds} == kinds


def test_an_expression_is_no_words() -> None:
    assert name_wrong_value(["2 + 2"], "2 + 3", ["ile to 2 + 2"], None) == "value"


def test_what_was_said_before_is_read_with_the_prompt() -> None:
    before = Message(role="user", parts=(Text(text="Byłem w Radomiu"),))
    radom = ExpectedCall(tool="get_weather", arguments={"city": "Radom"})
    case = Case(
        id="c", prompt="Jaka tam pogoda?", history=(before,), expected=Expected(calls=(radom,))
    )
    solution = Solution(
        tool="get_weather",
        calls=(weather(city="Tam"),),
        reason="called",
        verdict_ms=1,
        decision_ms=1.0,
    )
    [found] = SCORER.score(case, solution).patterns
    assert found.kind == "context"
