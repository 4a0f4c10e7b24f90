"""A prompt's numbers put into the formula that was asked for just before: "a dla 5 kg i 3 m/s?"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.reading import Reading
from chatbot.router.detector.formulas.stories.reading import GUESSING
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS
from chatbot.router.dialogue.turns import Turn

_ASKED = regex(
    r"\b(?:wzor\w*(?: matematyczn\w+| fizyczn\w+)? (?:na|dla)|praw[oa]\b(?= \w)|"
    r"(?:jak|sposob)\w*(?: \w+)? (?:(?:ob|po|wy|prze)?licz\w*|wyznacz\w*)(?: sie)?)"
    r" (?P<topic>[^?!.;,\d]{3,60})"
)
_TAIL = regex(r",? (?:jest na to|masz|znasz|podasz|prosze|w fizyce|w matematyce)\b.*$")
_TERM = (
    r"(?:[A-Za-zπρωλμηΔ]{1,3}[₀-₉²³⁴]{0,2}|[\d½√()^*/·×+−–-]|[₀-₉²³⁴°]|"
    r" (?=[\d½√()*/·×+−–-]|[A-Za-zπρωλμη][₀-₉²³⁴)]{0,2}(?![^\W_])))"
)
_FORMULA = regex(
    rf"(?:(?<![\w(])[A-Za-zΔρωλμη]\w{{0,2}} ?= ?(?P<product>[A-Za-z]{{2,3}}(?!\w))?|"
    rf"(?:\b(?:to|wynosi|jako|wzor\w*)|:) )"
    rf"(?P<right>(?(product)|(?=[^,;:?!=]*[-+*/·×√²³^)−]){_TERM}+))"
)
_LETTER = regex(r"[A-Za-zρωλμη][₀-₉]?")
_WORKED_OUT = regex(
    r"\b(?:ile|il[eu]|policz\w*|oblicz\w*|wylicz\w*|wych\w+|wyjd\w+|dla|przy|gdy|jak\w*|czyli|to|"
    r"jesli|jezeli|gdyby|podstaw\w*)\b|="
)
_ASIDE = regex(
    r"\b(?:co to|dlaczego|czemu|skad|po co|kto|kiedy|wyjasnij|wytlumacz|narysuj|wzor\w*)\b"
)
_NAMED: tuple[tuple[str, str], ...] = (
    ("m", r"mas\w*|waz\w*|wag\w*"), ("v", r"predkos\w*|szybkos\w*"),
    ("s", r"drog\w*|dystans\w*|odleglos\w*|przesuni\w*"), ("t", r"czas\w*"),
    ("h", r"wysokos\w*|wzros\w*"), ("r", r"promie\w*"), ("d", r"srednic\w*"),
    ("a", r"bok\w*|podstaw\w*|krawedz\w*|przyspiesz\w*|przyprost\w*"), ("F", r"sil[aey]"),
    ("U", r"napieci\w*"), ("I", r"nateze\w*|prad\w*"), ("R", r"opor\w*"),
    ("P", r"moc\w*|pol[ae]"), ("V", r"objetos\w*"), ("K", r"kapital\w*"), ("p", r"procent\w*"),
    ("g", r"grawit\w*"), ("n", r"wyraz\w*|bok\w*|kat\w*"),
)  # fmt: skip
_NAMES: Mapping[str, re.Pattern[str]] = MappingProxyType({
    letter: regex(rf"\b(?:{words})") for letter, words in _NAMED
})
_UNITS: Mapping[str, re.Pattern[str]] = MappingProxyType({
    letter: regex(rf"[ .-]?(?:{units})(?![\w/])")
    for letter, units in (
        ("m", "kg|kilo\\w*|g|t"), ("v", "m/s|km/h"), ("s", "m|km|metr\\w*|kilometr\\w*"),
        ("t", "s|sek\\w*|h|godz\\w*|min\\w*|lat\\w*|rok\\w*"), ("h", "m|cm|metr\\w*"),
        ("F", "n|niuton\\w*"), ("U", "v|wolt\\w*"), ("I", "a|amper\\w*"), ("R", "om\\w*|Ω|ω"),
        ("P", "w|wat\\w*"), ("K", "zl\\w*"), ("p", "%|proc\\w*"), ("a", "m/s²|m/s2|m/s\\^2"),
    )
})  # fmt: skip
_SAYS = regex(r"\s?=\s?|\s(?:to|wez|przyjmij|wynosi|rowne|jako|bierz|niech bedzie)\s")
_EXPLAINED = r"(?<![\w]){letter}\s(?:to|[–—-]|oznacza)\s(?P<name>[^\W\d]{{4,}})"
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_REACH, _STEM = 24, 5
_MOST_TURNS, _MOST = 3, 4
_BY_SIGN, _BY_NAME, _BY_UNIT = 8, 4, 3


def in_told_formula(scene: Scene) -> str | None:
    """Put every number of the prompt into what the last exchanges gave as a formula."""
    numbers = read_amounts(scene.text)
    turn = _told_in(scene) if 0 < len(numbers) <= _MOST else None
    if turn is None or _ASIDE.search(scene.folded):
        return None
    joined = _joined(scene, turn, numbers)
    if joined is not None and joined.reader not in GUESSING:
        return joined.expression
    if (found := _substituted(scene, turn.reply, numbers)) is not None:
        return found
    is_asked = _WORKED_OUT.search(scene.folded) and read_formula(scene.text) is None
    return joined.expression if joined is not None and is_asked else None


def _told_in(scene: Scene) -> Turn | None:
    """The exchange that asked for a formula or told one, nothing calculated since."""
    for turn in reversed(scene.state.turns[-_MOST_TURNS:]):
        if turn.uses(MATHEMATICS):
            return None
        if _ASKED.search(fold_evenly(turn.prompt)) and not read_amounts(turn.prompt):
            return turn
        if _ASIDE.search(fold_evenly(turn.prompt)) and _FORMULA.search(turn.reply):
            return turn
    return None


def _joined(scene: Scene, turn: Turn, numbers: Sequence[Amount]) -> Reading | None:
    """Read what the formula is for and the prompt as one question."""
    asked = _ASKED.search(fold_evenly(turn.prompt))
    if asked is None:
        return None
    topic = turn.prompt[asked.start("topic") : asked.end("topic")]
    topic = topic[: found.start()] if (found := _TAIL.search(fold_evenly(topic))) else topic
    read = read_formula(f"{topic.strip()} {scene.text}")
    is_whole = read is not None and all(holds(read.expression, one.value) for one in numbers)
    return read if is_whole else None


def _substituted(scene: Scene, reply: str, numbers: Sequence[Amount]) -> str | None:
    """Give each letter of the reply's formula one of the prompt's numbers."""
    found = _FORMULA.search(reply)
    if found is None:
        return None
    right = found["product"] or found["right"].strip(" .")
    letters = list(dict.fromkeys(_LETTER.findall(right.replace("π", " "))))
    values = _bound(scene, reply, letters, numbers)
    if values is None:
        return None
    told = ", ".join(f"{letter} = {value}" for letter, value in values)
    read = read_formula(f"Q = {right}, {told}")
    is_whole = read is not None and all(holds(read.expression, one.value) for one in numbers)
    return read.expression if read is not None and is_whole else None


def _bound(
    scene: Scene, reply: str, letters: Sequence[str], numbers: Sequence[Amount]
) -> list[tuple[str, str]] | None:
    """Which letter is which number: by its sign, its name or its unit; the last one by itself."""
    if len(letters) != len(numbers):
        return None
    scores = {
        (at, letter): score
        for letter in letters
        for at, score in enumerate(_likeness(scene, reply, letter, numbers))
    }
    best = max(
        permutations(range(len(numbers))),
        key=lambda order: sum(
            scores[at, letter] for at, letter in zip(order, letters, strict=True)
        ),
    )
    unsure = [each for each in zip(best, letters, strict=True) if not scores[each]]
    if len(unsure) > bool(_WORKED_OUT.search(scene.folded)):
        return None
    said = scene.text
    return [
        (letter, said[numbers[at].start : numbers[at].end])
        for at, letter in zip(best, letters, strict=True)
    ]


def _likeness(scene: Scene, reply: str, letter: str, numbers: Sequence[Amount]) -> Iterator[int]:
    """How much each number looks like the value of a letter."""
    names, unit = _names(reply, letter), _UNITS.get(letter[0])
    begin = 0
    for one in numbers:
        before = scene.text[max(begin, one.start - _REACH) : one.start]
        said = re.search(rf"(?<!\w){letter.translate(_LOWERED)}(\W.{{0,14}})$", before)
        score = _BY_SIGN * bool(said and _SAYS.fullmatch(fold_evenly(said[1])))
        score += _BY_NAME * any(each.search(fold_evenly(before)) for each in names)
        score += _BY_UNIT * bool(unit and unit.match(fold_evenly(scene.text[one.end :])))
        yield score
        begin = one.end


def _names(reply: str, letter: str) -> list[re.Pattern[str]]:
    """The words for what a letter stands for: as the reply has them, and the usual ones."""
    told = re.search(_EXPLAINED.format(letter=letter), reply)
    if told is not None:
        return [regex(rf"\b{fold_evenly(told['name'])[:_STEM]}")]
    return [_NAMES[letter[0]]] if letter[0] in _NAMES else []
