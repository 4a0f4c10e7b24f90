"""What there is after things came and went: "było 430, wywieziono 85, dowieziono 60"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_LOST = regex(
    r"\b(?:(?:wy|od|roz)(?:wie[zz]|jech|jez|siad|sz[el]|szed|esz|lecia|plyn|sprzed|da[lnw]|"
    r"plac|la[lnw]|ci[aen]|rzuc|pad|licz|nies|nios|pi[lj]|pompow|parow|sypa)|odesz|"
    r"ode?jm|odj[ae]|sprzeda|zgub|strac|zj[ae]d|podarow|zabra|zabier|ukra|skrad|zuzy|spad|obniz|"
    r"schud|ubyl|ubyw|usch|uwi[ae]d|zdech|zgin|umar|zmar|polam|potluk|stluk|zepsu|wycof|uci[ae]|zniszcz|"
    r"zrezygnow|przegra|zaplac|zjech|zszed|zesz|opad|zmniejsz|rozbi|zwolni|wysla|zdj[ae]|uciek|"
    r"zezar|przekaza|rozda|odda|wyda|utopi|zachorow|da[lw](?:a|am|em|es|as|i|ismy)?\b|skasow)\w*"
)
_GAINED = regex(
    r"\b(?:(?:do|przy|w)(?:wie[zz]|jech|jez|sz[el]|szed|esz|siad|lecia|plyn|plac|la[lnw]|sypa|"
    r"kup|loz|rzuc|da[lnj]|nies|nios|pisa|ros)|dosta(?!rcz|w)|otrzym|zarob|znala|urodz|przyby|"
    r"zatrudn|przyj[aem]|wzros|podnio|przyty|wjech|zebra|uzbier|wygra|zwieksz|zyska|wyklu|"
    r"posadz|nala[lw]|wlozy|zapisa\w+ sie|wpuszcz|podros|odzyska)\w*"
)
_BOUGHT = regex(r"\b(?:za)?kupi\w*")
_CUT = regex(
    r" [,;.?!–-] |,|(?<= )(?:i|a|oraz|potem|nastepnie|ale|lecz|zas|pozniej|wieczorem|po poludniu|"
    r"w poludnie)(?= )"
)
_NUMBER = regex(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_STATE = regex(
    r"\b(?:by[lo]\w*|mi?al\w*|mam|ma|mamy|maja|jest|sta[lo]\w*|jecha\w*|jedzie|siedz\w*|licz[ya]\w*|"
    r"wazy\w*|znajd\w+|lez\w+|mieszka\w*|zawiera\w*|w|na|rano|temperatura|pracowal\w*)\b"
)
_ASKED = regex(
    r"\b(?:ile|ilu|jak[ia]\w*|ktory\w*)\b(?!.*(?:\bo ile\b|%|procent|srednio|lacznie|razem|kazd|"
    r"razy|na (?:osobe|glowe)|kosztow|wiecej|mniej|przed|na poczatku|najpierw))"
)
_WORDS = frozenset({
    "od", "w", "na", "z", "ze", "do", "i", "a", "o", "po", "dla", "mu", "mi", "jej", "nich", "je",
    "sie", "sztuk", "kolejn",
})  # fmt: skip
_FEWEST, _MOST = 3, 7
_PREFIX = 3
_WORDS_OF_MORE = 2


def read_balance(statement: Statement) -> str | None:
    """Return the first number with all that came added and all that went subtracted."""
    quantities = statement.quantities
    told = statement.words.removesuffix(statement.question)
    is_asked = _ASKED.search(statement.question) and not _NUMBER.search(statement.question)
    if not _FEWEST <= len(quantities) <= _MOST or not is_asked or not _are_plain(quantities):
        return None
    asked = statement.question
    if (_LOST.search(asked) or _GAINED.search(asked)) and "zosta" not in asked:
        return None
    pieces = [piece for piece in _CUT.split(told) if piece.strip()]
    first = next((at for at, piece in enumerate(pieces) if _NUMBER.search(piece)), None)
    if first is None or not _is_start(pieces[first]):
        return None
    return _added(pieces[first:], is_money=quantities[0].unit.startswith(("zl", "pln")))


def _are_plain(quantities: tuple[Quantity, ...]) -> bool:
    """Whether all numbers count the same kind of thing, none of it for each of another."""
    kind = quantities[0].unit[:_PREFIX]
    return not any(
        one.is_each or "/" in one.text or one.unit in {"%", "razy", "raz"} for one in quantities
    ) and all(not _is_noun(one.unit) or one.unit[:_PREFIX] == kind for one in quantities[1:])


def _is_noun(unit: str) -> bool:
    is_verb = _LOST.match(unit) or _GAINED.match(unit) or _BOUGHT.match(unit)
    return unit not in _WORDS and len(unit) > 1 and not is_verb and not unit.endswith("ych")


def _is_start(piece: str) -> bool:
    is_moved = _LOST.search(piece) or _GAINED.search(piece) or _BOUGHT.search(piece)
    return not is_moved and bool(_STATE.search(piece))


def _added(pieces: list[str], *, is_money: bool) -> str | None:
    """Add up the numbers of the pieces by their verbs; a piece without one goes on as before."""
    text, sign = "", ""
    for piece in pieces:
        numbers = _NUMBER.findall(piece)
        if len(numbers) > 1:
            return None
        if text:
            is_short = len(piece.split()) <= _WORDS_OF_MORE
            sign = _sign(piece, is_money=is_money) or (sign if is_short else "")
        if numbers and text and not sign:
            return None
        if numbers:
            text = f"{text} {sign} {numbers[0]}" if text else numbers[0]
    return text


def _sign(piece: str, *, is_money: bool) -> str:
    """The sign of what a piece tells; nothing where it says both or neither."""
    is_bought = bool(_BOUGHT.search(piece))
    is_lost = bool(_LOST.search(piece)) or (is_bought and is_money)
    is_gained = bool(_GAINED.search(piece)) or (is_bought and not is_money)
    return "" if is_lost == is_gained else "-" if is_lost else "+"
