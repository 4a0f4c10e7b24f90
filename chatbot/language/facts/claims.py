"""Everything that a text claims and that can be compared with another text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from chatbot.language.facts.names import read_names
from chatbot.language.facts.quantities import Quantity, read_quantities
from chatbot.language.facts.scenes import day_of, read_aspects, read_clauses, read_days
from chatbot.language.facts.tokens import Token, tokenise
from chatbot.language.facts.units import DEGREE, month_of
from chatbot.language.facts.weather import Sight, read_directions, read_weather


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A number with the days it belongs to and what it is said to be."""

    quantity: Quantity
    days: frozenset[str]
    aspects: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A word that is a name, with what its clause speaks of."""

    word: str
    aspects: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """Something said of the weather, with the days it belongs to."""

    sight: Sight
    days: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claims:
    """What a text says in numbers, days, months, names, links, weather, points of the compass."""

    numbers: tuple[Measured, ...]
    days: frozenset[str]
    months: frozenset[int]
    names: tuple[Named, ...]
    words: tuple[Named, ...] = field(repr=False)
    links: frozenset[str]
    weather: tuple[Seen, ...]
    directions: frozenset[frozenset[str]]

    @property
    def degrees(self) -> tuple[Measured, ...]:
        """The temperatures."""
        return tuple(one for one in self.numbers if one.quantity.unit == DEGREE)


def read_claims(text: str) -> Claims:
    """Read ``text``; the time it takes grows with its length alone ."""
    tokens = tokenise(text)
    quantities = read_quantities(tokens)
    days = read_days(tokens, quantities)
    clauses = read_clauses(tokens)
    taken = frozenset(at for one in quantities for at in range(one.start, one.end))
    return Claims(
        numbers=tuple(
            Measured(
                quantity=one,
                days=days[one.start],
                aspects=_life(clauses.get(tokens[one.start].clause)) | dict(aspects),
            )
            for one, aspects in zip(quantities, read_aspects(tokens, quantities), strict=True)
        ),
        days=frozenset(filter(None, map(day_of, _words(tokens)))),
        months=frozenset(_months(tokens)),
        names=tuple(_named(tokens[at], clauses) for at in read_names(tokens, taken=taken)),
        words=tuple(_named(token, clauses) for token in _words(tokens)),
        links=frozenset(token.text for token in tokens if token.kind == "link"),
        weather=tuple(Seen(sight=one, days=days[one.at]) for one in read_weather(tokens)),
        directions=frozenset(letters for _, letters in read_directions(tokens)),
    )


def _words(tokens: tuple[Token, ...]) -> Iterator[Token]:
    return (token for token in tokens if token.kind == "word")


def _named(token: Token, clauses: Mapping[int, Mapping[str, str]]) -> Named:
    return Named(word=token.text, aspects=clauses.get(token.clause, {}))


def _life(clause: Mapping[str, str] | None) -> dict[str, str]:
    """Whose birth or death a clause tells belongs to all its numbers: "ur. 19 lutego 1473"."""
    return {key: said for key, said in (clause or {}).items() if key == "life"}


def _months(tokens: tuple[Token, ...]) -> Iterator[int]:
    return (month for token in tokens if (month := month_of(token.folded)) is not None)
