"""A number of the last calculation made larger or smaller by so much: "o 3 zł droższy"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.exchanges import marked
from chatbot.router.dialogue.calculations.figures import is_number, last_expression
from chatbot.router.dialogue.calculations.measures import is_same
from chatbot.router.dialogue.calculations.quantities import Quantity, nouns_in, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_MORE = (
    r"drozsz\w+|drozej|wieksz\w+|dluzsz\w+|dluzej|wyzsz\w+|wyzej|szersz\w+|grubsz\w+|ciezsz\w+|"
    r"starsz\w+|szybsz\w+|szybciej|glebsz\w+|wiecej"
)
_LESS = (
    r"tansz\w+|taniej|mniejsz\w+|krotsz\w+|krocej|nizsz\w+|nizej|wezsz\w+|ciensz\w+|lzejsz\w+|"
    r"mlodsz\w+|wolniejsz\w+|wolniej|plytsz\w+|mniej"
)
_RISES = r"wzros\w+|podroz\w+|zwieksz\w+|powieksz\w+|wydluz\w+|urosn\w+|podnios\w+|poszerz\w+"
_FALLS = r"spad\w+|stani\w+|potani\w+|zmniejsz\w+|skroc\w+|obniz\w+|zmalej\w+|pomniejsz\w+|zwez\w+"
_UNIT = r"(?: [a-z]{1,12}\.?)?"
_SIGNS = (
    (1, regex(rf"\bo #0{_UNIT} (?:{_MORE})|\b(?:{_MORE}) o #0|\b(?:{_RISES})[^#]* o #0")),
    (-1, regex(rf"\bo #0{_UNIT} (?:{_LESS})|\b(?:{_LESS}) o #0|\b(?:{_FALLS})[^#]* o #0")),
)
_PRICED = regex(r"\b(?:drozsz|drozej|tansz|taniej|podroz|stani|potani)\w*")
_THAN = regex(rf"\b(?:niz|ile|razy)\b|%|\bproc|\b(?:{_MORE}|{_LESS}) od\b")
_SUPPOSED = regex(
    r"\b(?:gdyby|jakby|jak|jesli|jezeli|gdy|kiedy|zalozmy|przy|mial\w* byc)\b|"
    r"^(?:a|i) (?:z|ze|dla|o)\b"
)
_LARGER, _SMALLER = (
    regex(r"\b(?:dluzsz|wieksz)\w+ (?!o\b)\w{3,}"),
    regex(r"\b(?:krotsz|mniejsz)\w+ (?!o\b)\w{3,}"),
)
_ALL = regex(r"\b(?:oba|obie|obydw\w+|wszystkie|kazdy bok|kazda krawedz|boki)\b")
_MOST = 14


def shifted_by(scene: Scene) -> str | None:
    """Raise or lower the operand that is meant, where only it may be: by its unit, noun, size."""
    expression, last = last_expression(scene.state), scene.state.last
    amounts = read_amounts(scene.text)
    if expression is None or last is None or not scene.is_active(MATHEMATICS):
        return None
    if len(amounts) != 1 or scene.size > _MOST or _THAN.search(scene.folded):
        return None
    if not _SUPPOSED.search(scene.folded):
        return None
    text = marked(scene, amounts)
    sign = next((sign for sign, said in _SIGNS if said.search(text)), 0)
    if not sign or not is_number(expression):
        return None
    told = [
        one
        for one in read_quantities(last.prompt)
        if exchange(expression, one.value, one.value) is not None
    ]
    change = sign * amounts[0].value
    for old in _meant(scene, amounts[0], told):
        made = exchange(expression, old.value, old.value + change)
        if made is None or old.value + change <= 0:
            return None
        expression = made
    return expression if expression != last_expression(scene.state) else None


def _meant(scene: Scene, amount: Amount, told: Sequence[Quantity]) -> Sequence[Quantity]:
    """The operands that a change is for; none where several may be."""
    if _ALL.search(scene.folded):
        return told if len({one.unit for one in told}) == 1 else ()
    if _PRICED.search(scene.folded) or amount.unit == "zl":
        priced = [one for one in told if one.unit == "zl"]
        return priced if len(priced) == 1 else ()
    named = [one for one in told if any(one.is_of(noun) for noun in nouns_in(scene.text))]
    if len(named) == 1:
        return named
    for pick, said in ((max, _LARGER), (min, _SMALLER)):
        if told and said.search(scene.folded):
            return (pick(told, key=lambda one: one.value),)
    alike = [one for one in told if amount.unit and is_same(one.unit, amount.unit)]
    if len(alike) == 1:
        return alike
    return told if len(told) == 1 else ()
