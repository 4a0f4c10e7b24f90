"""A sum that was shared out, with one who gets another part: "a jak Ola ma mieć 50 więcej?"."""

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import is_same
from chatbot.router.dialogue.calculations.quantities import nouns_in
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_EVENLY = regex(r"^(?:Rational\((?P<a>\d+), (?P<m>\d+)\)|(?P<b>\d+|\(.+\))/(?P<n>\d+))$")
_OTHERS = r"(?:pozosta\w+|reszt\w+|inn\w+|kazd\w+|drugi\w*|tamt\w+)"
_SHARED = regex(rf"\b{_OTHERS}\b")
_THAN = regex(
    rf"^(?: ?(?:zl\w*|pln|zlotych))? (?P<way>wiecej|mniej) (?:niz|od|co) (?:\w+ )?{_OTHERS}"
)
_TIMES = regex(
    rf"\b(?:(?P<n>\w+) razy|(?P<two>dwukrotnie|podwojn\w+)|(?P<three>trzykrotnie)) "
    rf"(?:tyle|wiecej|wiecej kasy) (?:co|ile|niz|od) (?:\w+ )?{_OTHERS}"
)
_REST = regex(
    r"\b(?:ma(?:ja)? dostac|dosta\w+|bierze|wezmie|otrzyma\w*|bedzie mia\w+|ma miec|nalezy sie|dam|"
    rf"damy)\b[^?]*\b{_OTHERS}\b"
)
_EVEN = regex(r"\b(?:po rowno|rowno|dziel\w+|po ile|ile)\b")
_ASKED = regex(r"\bil[eu]\b(?P<whom>[^?]*)\??\W*$")


def unevenly(scene: Scene) -> str | None:
    """Share the last amount again with one who gets more, less, so many times or so much."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    shared = _EVENLY.match(expression) if expression else None
    if shared is None or not _SHARED.search(scene.folded):
        return None
    whole, count = shared["a"] or shared["b"], int(shared["m"] or shared["n"])
    numbers = read_amounts(scene.text)
    if (times := _times(scene)) is not None and count > 1:
        part = f"{whole}/{count - 1 + times}"
        return f"{times}*{part}" if _asks_for_one(scene, scene.text) else part
    for one in numbers:
        if (than := _THAN.match(scene.folded[one.end :])) is not None:
            return _with_more(scene, whole, count, one, is_less=than["way"] == "mniej")
    told = [one for one in numbers if one.unit in {"", "zl"} and one.value > count]
    is_rest = _REST.search(scene.folded) and _EVEN.search(scene.folded)
    if len(told) != 1 or not is_rest or count < 2 or "%" in scene.text:  # noqa: PLR2004 - two share
        return None
    return f"({whole} - {told[0].text})/{count - 1}"


def _with_more(scene: Scene, whole: str, count: int, more: Amount, *, is_less: bool) -> str:
    """What each of the others gets, or the one who has so much more or less than they."""
    part = f"({whole} {'+' if is_less else '-'} {more.text})/{count}"
    if not _asks_for_one(scene, scene.text[: more.start]):
        return part
    return f"{part} {'-' if is_less else '+'} {more.text}"


def _times(scene: Scene) -> int | None:
    found = _TIMES.search(scene.folded)
    if found is None:
        return None
    number = read_number(found["n"]) if found["n"] else 2 if found["two"] else 3
    return int(number) if number is not None and number == int(number) > 1 else None


def _asks_for_one(scene: Scene, told: str) -> bool:
    """Whether the question is for whom the prompt tells about, not for the others."""
    asked = _ASKED.search(scene.folded)
    if asked is None or _SHARED.search(asked["whom"]):
        return False
    begin = asked.start("whom")
    named = nouns_in(f"x {scene.text[: min(begin, len(told))]}")
    return any(is_same(one, word) for one in named for word in nouns_in(scene.text[begin:]))
