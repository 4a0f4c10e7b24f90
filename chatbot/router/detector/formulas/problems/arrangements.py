"""In how many ways offices are filled, things of several kinds combined, digits put in a row."""

import re
from math import prod

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_ASKED = regex(
    r"\bna ile (?:\w+ ){0,2}sposob|\bile (?:\w+ ){0,3}(?:sposob|ustawien|mozliwosc|kombinacj|"
    r"zestaw|stroj|"
    r"komplet|ubran|obiad|menu|kanap|wersj|wariant|konfigurac|tras|deser|koktajl|poczest|wybor)"
)
_ROLES = (
    "wiceprzewod", "wiceprez", "przewodn", "zastepc", "sekretarz", "skarbnik", "prezes", "kapitan",
    "kierowni", "kronikarz", "dyrektor", "bramkarz", "lider", "protokolant", "gospodarz",
)  # fmt: skip
_MEDALS = regex(
    r"\b(?:podium|trzy medale|3 medale|zlot\w+,? (?:\w+ )?srebrn\w+,? (?:i |oraz )?(?:\w+ )?braz|"
    r"3 (?:pierwsz\w+ )?miejsc|pierwsz\w+,? drug\w+ i trzeci\w+ (?:miejsc|nagrod))"
)
_KINDS = regex(
    r"\b(?:bluz|koszul|spodni|par\b|pary\b|but|czapk|czapek|szalik|krawat|sukien|marynar|kurt|"
    r"swetr|kapelus|zup|dan|drugi|deser|przystaw|napoj|napoi|salat|ciast|smak|polew|posyp|kolor|"
    r"rozmiar|model|felg|silnik|wersj|bul|ser|sos|wedlin|dodatk|rodzaj|typ|tapicer|lakier|wafl|"
    r"ow[oc]|kaw|mlek|syrop|gatunk|okladk|plecak|torebk|pask|kubk|tapet|panel|mies|surow|pieczyw|"
    r"drozd|lod|przypraw|drog|tras|sciezk|szlak|most|film|seans|ksztalt|opcj|material)"
)
_DIGITS = regex(
    r"\b(?:(?:z|ze|uzywajac|majac) (?:\w+ )?cyfr|cyframi):? "
    r"(?P<list>\d(?: ?[,;i] ?\d| i \d| \d)+|\d ?- ?\d|"
    r"od \d do \d)"
)
_LENGTH = regex(r"\b(\d) ?-? ?cyfrow\w*|\b(\d) cyfr\w*")
_NO_REPEATS = regex(
    r"\bbez powt|\broznych cyfr|\brozne cyfry|\broznymi|\bnie (?:moga |mog )?sie powt"
)
_REPEATS = regex(r"\b(?:moga|mozna|moze|z) (?:sie )?powt|\bpowtarzac\b")
_RESTRICTED = regex(
    r"\b(?:parzyst|podzieln|wieks|mniejs|zaczyn|koncz|obok|suma|musi|prawdop|szans|przynajmniej|"
    r"co najmniej|pierwsz\w+ cyfr)"
)
_SIDE_BY_SIDE = regex(
    r"\b(?:obok siebie|kolo siebie|przy sobie|razem|ramie w ramie|jedno za drugim|"
    r"jedna za druga|jeden za drugim|sasiadowac|nierozlaczn\w+|obok (?!siebie)[a-z]+)"
)
_MUST = regex(
    r"\b(?:mus[iz]\w*|chc[ea]\w*|maja|ma|powinn\w+|zawsze|koniecznie|stoja|stal\w|siedza|siedzial\w|byl\w|upar\w+)\b"
)
_MAY_NOT = regex(r"\bnie (?:mog\w*|moze|chc\w+|wolno|moga|stoja|siedza|mialy|maja)\b|\bosobno\b")
_IN_ORDER = regex(
    r"\b(?:ustaw|usta[nw]|stan|posadz|usias|usiad|uloz|uporzadk|kolej\w+|rzad|rzedzie|szereg|polc\w|polk\w|law\w+|kolejk|mozliwosc|sposob)\w*"
)
_ROUND = regex(r"\b(?:okragl|stole|w kolku|w kregu)\w*")
_MOST = 60
_PAIR = 2


def read_arrangement(statement: Statement) -> str | None:
    """Return the number of ways, if one of these is asked for."""
    words = statement.words
    if digits := _DIGITS.search(words):
        return None if _RESTRICTED.search(words) else _of_digits(words, digits["list"])
    if not _ASKED.search(words):
        return None
    if _SIDE_BY_SIDE.search(words):
        return _of_neighbours(words, statement)
    if _RESTRICTED.search(words):
        return None
    return _of_roles(words, statement) or _of_kinds(statement)


def _of_neighbours(words: str, statement: Statement) -> str | None:
    """Read "5 osób w kolejce, dwie muszą stać obok siebie": these are first taken for one."""
    numbers = [int(one.text) for one in statement.quantities if one.text.isdigit()]
    is_order = _IN_ORDER.search(words) and not _ROUND.search(words)
    if not 1 <= len(numbers) <= _PAIR or not is_order:
        return None
    count, together = max(numbers), min(numbers) if len(numbers) == _PAIR else _PAIR
    if not together < count <= _MOST or together < _PAIR:
        return None
    inside = f"factorial({together})*factorial({count - together + 1})"
    if _MAY_NOT.search(words):
        return f"factorial({count}) - {inside}" if together == _PAIR else None
    return inside if _MUST.search(words) else None


def _of_roles(words: str, statement: Statement) -> str | None:
    """Read "przewodniczącego i zastępcę z 25 osób": one fewer to choose from each time."""
    found = {role for word in words.split() for role in _ROLES if word.startswith(role)}
    medals = _MEDALS.search(words)
    count = 3 if medals else len(found)
    told = [one for one in statement.quantities if not medals or one.text != "3"]
    if count < _PAIR or len(told) != 1 or not told[0].text.isdigit():
        return None
    return "*".join(str(int(told[0].text) - at) for at in range(count))


def _of_kinds(statement: Statement) -> str | None:
    """Read "5 bluzek, 3 spódnice i 2 pary butów": one of each."""
    numbers = statement.quantities
    if len(numbers) < _PAIR or not all(map(_is_kind, numbers)):
        return None
    if len({one.kind for one in numbers}) < len(numbers):
        return None
    return "*".join(one.text for one in numbers)


def _is_kind(one: Quantity) -> bool:
    near = " ".join(one.after.split()[:3])
    is_whole = one.text.isdigit() and 0 < int(one.text) <= _MOST
    return is_whole and not one.is_each and bool(_KINDS.match(near) or _KINDS.search(near))


def _of_digits(words: str, listed: str) -> str | None:
    """Read "trzycyfrowych liczb z cyfr 1, 2, 3, 4, 5 bez powtórzeń"; nought is never the first."""
    digits = [int(digit) for digit in re.findall(r"\d", listed)]
    if "-" in listed or listed.startswith("od"):
        digits = list(range(digits[0], digits[-1] + 1))
    length = _LENGTH.search(words)
    is_once = bool(_NO_REPEATS.search(words))
    if length is None or not (is_once or _REPEATS.search(words)) or len(set(digits)) < len(digits):
        return None
    places, count = int(length[1] or length[2]), len(digits)
    first = count - (0 in digits)
    factors = [first, *(count - (at if is_once else 0) for at in range(1, places))]
    return "*".join(map(str, factors)) if prod(factors) > 0 else None
