"""The rule of three, simple and compound, direct and inverse."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.amount import Amount
from chatbot.router.detector.formulas.problems.amounts.asked import nouns_asked, read_asked
from chatbot.router.detector.formulas.problems.amounts.extraction import find_amounts
from chatbot.router.detector.formulas.problems.amounts.units import Dimensions
from chatbot.router.detector.formulas.problems.amounts.words import Words
from chatbot.router.detector.formulas.problems.statement import Statement

_WORKER = regex(
    r"#(?:szwacz|robotn|malarz|pracown|murarz|kopar|pomp|kran|trakt|kombajn|drukar|maszyn|kopacz|"
    r"ogrodn|chlop|kosiar|drwal|piekarz|kuchar|krawc|monter|elektr|hydraul|stolarz|wolont|kur|"
    r"kot|krow|osob|kobiet|uczni|krawcow|ludzi|panow|glazurn|automat|koni|zuraw|dziec)"
)
_VETO = regex(r"%|\b(?:razem|zosta\w*|reszt\w*|drozej|taniej|wiecej|srednio)\b")
_FEWEST = 3
_PAIR = 2


def read_rule_of_three(statement: Statement) -> str | None:
    """Return the new amount of what is asked, all others being told before and after."""
    if _VETO.search(statement.words) or not statement.question:
        return None
    story = Words(statement.words, nouns_asked(statement.question, statement.words))
    asked = read_asked(statement.question, statement.words, story)
    amounts = find_amounts(story)
    if asked.dimensions is None or not _FEWEST <= len(amounts) <= 5:  # noqa: PLR2004 - three kinds
        return None
    factors = [one for one in amounts if not one.dimensions and not one.is_bare]
    amounts = [one for one in amounts if one not in factors]
    kinds = [_kind(one) for one in amounts]
    wanted = [
        one for one, kind in zip(amounts, kinds, strict=True) if kind == _kind_of(asked.dimensions)
    ]
    others = [one for one in amounts if one not in wanted]
    pairs = _pairs(others, wanted[0]) if len(wanted) == 1 else None
    if pairs is None:
        return None
    found = _written(wanted[0], pairs)
    return "*".join((found, *(one.text for one in factors))) if found else None


def _kind(one: Amount) -> str:
    return _kind_of(one.dimensions)


def _kind_of(dimensions: Dimensions) -> str:
    """The one dimension of an amount, empty for rates."""
    if len(dimensions) != 1:
        return ""
    name, power = next(iter(dimensions.items()))
    return f"{name}{power if power > 1 else ''}" if power > 0 else ""


def _pairs(others: Sequence[Amount], wanted: Amount) -> list[tuple[Amount, Amount]] | None:
    """Each other kind twice: as it was, told beside what is wanted, and as it is to be."""
    by_kind: dict[str, list[Amount]] = {}
    for one in others:
        by_kind.setdefault(_kind(one), []).append(one)
    if "" in by_kind or any(
        len(two) != _PAIR or two[0].is_sum or two[1].is_sum for two in by_kind.values()
    ):
        return None
    ordered = (
        sorted(two, key=lambda one: abs(one.start - wanted.start)) for two in by_kind.values()
    )
    return [(old, new) for old, new in ordered]


def _written(wanted: Amount, pairs: Sequence[tuple[Amount, Amount]]) -> str | None:
    kinds = [_kind(old) for old, _ in pairs]
    above, below = [wanted.text], []
    for (old, new), kind in zip(pairs, kinds, strict=True):
        if not old.value or not new.value:
            return None
        scale = new.scale / old.scale
        is_inverse = _is_inverse(_kind(wanted), kind)
        up, down = (old, new) if is_inverse else (new, old)
        ratio = 1 / scale if is_inverse else scale
        above.append(up.factor if ratio == 1 else f"{up.factor}*{ratio}")
        below.append(down.factor)
    bottom = below[0] if len(below) == 1 else f"({'*'.join(below)})"
    return f"{'*'.join(above)}/{bottom}"


def _is_inverse(wanted: str, kind: str) -> bool:
    """Whether more of this means less of what is wanted: workers and the time they need."""
    return (wanted == "time" and bool(_WORKER.match(kind))) or (
        bool(_WORKER.match(wanted)) and kind == "time"
    )
