"""Tells of which day each word of a text speaks, and what each of its numbers is said to be."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from chatbot.language.facts.quantities import Quantity
from chatbot.language.facts.tokens import Token

_DAYS: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("teraz", "obecnie", "aktualnie", "chwili"), "now"),
    **dict.fromkeys(("dzis", "dzisiaj"), "today"),
    "jutro": "tomorrow",
    "jutra": "tomorrow",
    "pojutrze": "day_after_tomorrow",
    "wczoraj": "yesterday",
    "przedwczoraj": "day_before_yesterday",
    **dict.fromkeys(("weekend", "weekendu", "weekendowi", "weekendem"), "weekend"),
})
_DAY_STEMS: tuple[tuple[str, str], ...] = (
    ("dzisiejsz", "today"),
    ("jutrzejsz", "tomorrow"),
    ("pojutrzejsz", "day_after_tomorrow"),
    ("wczorajsz", "yesterday"),
    ("weekendow", "weekend"),
    ("poniedzial", "monday"),
    ("wtor", "tuesday"),
    ("czwartk", "thursday"),
    ("czwartek", "thursday"),
    ("piatek", "friday"),
    ("piatk", "friday"),
    ("sobot", "saturday"),
    ("niedziel", "sunday"),
)
_WEDNESDAYS = frozenset({"środa", "środę", "środy", "środzie", "środą", "środowy", "środowe"})

# What a number may be: a stem, the question that it answers, and the answer.
_ASPECTS: tuple[tuple[str, str, str], ...] = (
    ("odczu", "measure", "felt"),
    ("wilgotn", "measure", "humidity"),
    ("cisnien", "measure", "pressure"),
    ("szans", "measure", "chance"),
    ("prawdopodob", "measure", "chance"),
    ("ryzyk", "measure", "chance"),
    ("wiatr", "measure", "wind"),
    ("wiac", "measure", "wind"),
    ("wieje", "measure", "wind"),
    ("poryw", "measure", "gusts"),
    ("najniz", "bound", "low"),
    ("minim", "bound", "low"),
    ("najmniej", "bound", "low"),
    ("najchlod", "bound", "low"),
    ("najzim", "bound", "low"),
    ("spad", "bound", "low"),
    ("najwyz", "bound", "high"),
    ("maks", "bound", "high"),
    ("najciepl", "bound", "high"),
    ("najwiec", "bound", "high"),
    ("urodz", "life", "birth"),
    ("narodz", "life", "birth"),
    ("zmar", "life", "death"),
    ("smier", "life", "death"),
    ("zgin", "life", "death"),
    ("zgon", "life", "death"),
    ("umar", "life", "death"),
)
_ASPECT_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "ur": ("life", "birth"),
    "zm": ("life", "death"),
})
_BEFORE_ONLY: Mapping[str, tuple[str, str]] = MappingProxyType({
    "od": ("bound", "low"),
    "do": ("bound", "high"),
})

_NEAR = 3


def read_days(
    tokens: Sequence[Token], quantities: Sequence[Quantity]
) -> tuple[frozenset[str], ...]:
    """For each token the days named last before it in its clause, else in it, else before it.

    Days named together ("w sobotę, 28 listopada") count as one; a new line parts them.
    """
    groups = _group(tokens, dict(_named_days(tokens, quantities)))
    first: dict[int, frozenset[str]] = {}
    for at, days in groups.items():
        first.setdefault(tokens[at].clause, days)
    result: list[frozenset[str]] = []
    last, clause = frozenset[str](), -1  # what was named last, and in which clause
    for at, token in enumerate(tokens):
        if at in groups:
            last, clause = groups[at], token.clause
        result.append(last if token.clause == clause else first.get(token.clause, last))
    return tuple(result)


def day_of(token: Token) -> str | None:
    """The day that a word names: relative, a weekday, the weekend; ``None``: none."""
    if token.text.lower() in _WEDNESDAYS:
        return None if token.is_capitalised and not token.opens else "wednesday"
    if (day := _DAYS.get(token.folded)) is not None:
        return day
    return next((day for stem, day in _DAY_STEMS if token.folded.startswith(stem)), None)


def _named_days(
    tokens: Sequence[Token], quantities: Sequence[Quantity]
) -> Iterator[tuple[int, str]]:
    for at, token in enumerate(tokens):
        if token.kind == "word" and (day := day_of(token)) is not None:
            yield at, day
    for quantity in quantities:
        if quantity.is_date:
            yield quantity.start, f"{quantity.readings[0].value} {quantity.unit}"


def _group(tokens: Sequence[Token], named: Mapping[int, str]) -> dict[int, frozenset[str]]:
    """Each named day with its neighbours: at most two words or marks stand between them."""
    groups: dict[int, frozenset[str]] = {}
    members: list[int] = []
    end = -_NEAR - 1
    for at in sorted(named):
        is_near = at - end <= _NEAR and tokens[at].line == tokens[members[-1]].line
        members = [*members, at] if is_near else [at]
        days = frozenset(named[one] for one in members)
        groups.update(dict.fromkeys(members, days))
        end = at
    return groups


def read_aspects(
    tokens: Sequence[Token], quantities: Sequence[Quantity]
) -> tuple[Mapping[str, str], ...]:
    """What each number is said to be: a measure, a bound, a date of a life.

    The words of its clause between it and the numbers beside it tell; those before it first.
    """
    borders = [0, *(one.end for one in quantities)]
    starts = [*(one.start for one in quantities), len(tokens)]
    return tuple(
        _read_aspects(tokens, one, begin, end)
        for one, begin, end in zip(quantities, borders, starts[1:], strict=False)
    )


def _read_aspects(
    tokens: Sequence[Token], one: Quantity, begin: int, end: int
) -> Mapping[str, str]:
    clause = tokens[one.start].clause
    before = [it.folded for it in tokens[begin : one.start] if it.clause == clause]
    after = [it.folded for it in tokens[one.end : end] if it.clause == clause]
    found: dict[str, str] = {}
    for folded in (*reversed(before), *after):
        aspect = _sun_of(folded) if one.unit == "clock" else aspect_of(folded)
        if aspect is not None:
            found.setdefault(*aspect)
    for folded in before:
        if folded in _BEFORE_ONLY:
            found.setdefault(*_BEFORE_ONLY[folded])
    return found


def _sun_of(folded: str) -> tuple[str, str] | None:
    """Sunrise or sunset, which only a time can be; else the words are points of the compass."""
    suns = (("wschod", "sunrise"), ("wzejdz", "sunrise"), ("zachod", "sunset"), ("zajdz", "sunset"))
    return next((("measure", sun) for stem, sun in suns if folded.startswith(stem)), None)


def read_clauses(tokens: Sequence[Token]) -> Mapping[int, Mapping[str, str]]:
    """What each clause speaks of, in the same terms."""
    clauses: dict[int, dict[str, str]] = {}
    for token in tokens:
        if (aspect := aspect_of(token.folded)) is not None:
            clauses.setdefault(token.clause, {}).setdefault(*aspect)
    return clauses


def aspect_of(folded: str) -> tuple[str, str] | None:
    """What a word says of the numbers beside it."""
    if folded in _ASPECT_WORDS:
        return _ASPECT_WORDS[folded]
    return next(((key, name) for stem, key, name in _ASPECTS if folded.startswith(stem)), None)
