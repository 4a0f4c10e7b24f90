"""Finds what a text says of the weather beyond its numbers: rain, wind, sun, fog, or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from chatbot.language.facts.tokens import Token

PRECIPITATION = "precipitation"

_STEMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("downpour", ("ulew",)),
    ("drizzle", ("mzaw", "mzy")),
    ("rain", ("deszcz",)),
    ("snow", ("snieg", "sniez", "osniez")),
    ("sleet", ("krup",)),
    ("hail", ("grad",)),
    (PRECIPITATION, ("opad", "pada", "popada")),
    ("umbrella", ("parasol",)),
    ("storm", ("burz", "piorun", "grzm", "blysk", "wyladowan")),
    ("fog", ("mgl", "zamgl")),
    ("rime", ("szron", "szadz", "osadz")),
    ("ice", ("goloed", "sliski", "slisk", "oblodz", "zamarz", "marzn", "lodow", "lodem")),
    ("frost", ("mroz", "przymroz")),
    ("heat", ("upal", "gorac", "skwar")),
    ("warmth", ("ciepl",)),
    ("cold", ("zimn", "chlod")),
    ("sun", ("slon", "naslon")),
    ("clear", ("bezchmur", "pogodn", "rozpogod", "przejasn")),
    ("clouds", ("chmur", "pochmur", "zachmur")),
    ("calm", ("bezwietrz",)),
    ("wind", ("wiatr", "wietrz", "wiac", "wieje", "wial", "powiew", "podmuch")),
    ("gusts", ("poryw",)),
    ("gale", ("wichur", "huragan", "orkan", "tornad", "halny", "halnego")),
    ("blizzard", ("zamiec", "zamieci", "zawiej")),
    ("dust", ("smog", "pyl")),
    ("rainbow", ("tecz",)),
    ("flood", ("powodz", "podtop", "lawin")),
    ("thaw", ("odwilz", "roztop")),
    ("drought", ("susz",)),
    ("mugginess", ("dusz", "parno")),
    ("water", ("wody", "woda", "wode", "wodzie", "morz", "jezior")),
    ("warning", ("ostrzez", "ostrzeg", "alert")),
    ("strong", ("siln", "mocn", "gwaltown", "intensywn", "obfit")),
    ("evening", ("wieczor",)),
    ("night", ("noc", "nocy")),
    ("morning", ("rano", "ranek", "rankiem", "poran", "switem")),
    ("afternoon", ("popoludni",)),
)
_IMPLIED: Mapping[str, frozenset[str]] = MappingProxyType({
    "downpour": frozenset({"rain", PRECIPITATION, "umbrella", "strong"}),
    "drizzle": frozenset({PRECIPITATION, "umbrella"}),
    "rain": frozenset({PRECIPITATION, "umbrella"}),
    "snow": frozenset({PRECIPITATION}),
    "sleet": frozenset({PRECIPITATION}),
    "hail": frozenset({PRECIPITATION}),
    PRECIPITATION: frozenset({"umbrella"}),
    "storm": frozenset({"umbrella"}),
    "clear": frozenset({"sun"}),
    "sun": frozenset({"clear"}),
    "gusts": frozenset({"wind"}),
    "gale": frozenset({"wind", "strong"}),
    "blizzard": frozenset({"snow", PRECIPITATION, "wind"}),
})
_MAYBE = ("szans", "prawdopodob", "mozliw", "moze", "mog", "ryzyk", "niewykluczon", "ewentualn")
_ADVICE = ("przyda", "warto", "wez", "zabier", "zabra", "wzia", "potrzeb", "zapomn")
_NEGATIONS = frozenset({"nie", "bez", "brak", "braku", "zadnego", "zadnych", "zadnej", "ani"})
_REACH = 4
_DIRECTIONS: Mapping[str, str] = MappingProxyType({
    "polnoc": "N",
    "poludni": "S",
    "wschod": "E",
    "zachod": "W",
})
_SUN_MOVES = ("wschod", "wzejd", "zachod", "zajd")
_DRESSING = ("ubier", "ubra", "odzie")
_OF_THE_DAY = frozenset({"po", "przed", "w", "o"})
_HOURS = frozenset({"poludniu", "poludnie", "poludniem", "polnocy", "polnoc", "polnoca"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """One thing said of the weather, at the token ``at``: surely or maybe, there or not there."""

    concept: str
    at: int
    is_maybe: bool = False
    is_negated: bool = False

    @property
    def concepts(self) -> frozenset[str]:
        """What is said with it: rain is precipitation, and calls for an umbrella."""
        return frozenset({self.concept}) | _IMPLIED.get(self.concept, frozenset())


def read_weather(tokens: Sequence[Token]) -> Iterator[Sight]:
    """All that is said of the weather, in order."""
    maybe = {token.clause for token in tokens if token.folded.startswith(_MAYBE + _ADVICE)}
    for at, token in enumerate(tokens):
        concept = _concept(tokens, at) if token.kind == "word" else None
        if concept is not None:
            yield Sight(
                concept=concept,
                at=at,
                is_maybe=token.clause in maybe,
                is_negated=_is_negated(tokens, at),
            )


def read_directions(tokens: Sequence[Token]) -> Iterator[tuple[int, frozenset[str]]]:
    """The points of the compass; neighbours are one: "północno-zachodni", "północny zachód"."""
    said: set[str] = set()
    begin = last = -_REACH
    for at, token in enumerate(tokens):
        letter = _direction(token)
        if letter is None or _is_of_the_sun(tokens, at) or _is_hour(tokens, at):
            continue
        if said and at - last > 1 + tokens[at - 1].is_dash:
            yield begin, frozenset(said)
            said = set()
        begin = begin if said else at
        said.add(letter)
        last = at
    if said:
        yield begin, frozenset(said)


def _direction(token: Token) -> str | None:
    if token.folded.startswith(("wschodz", "zachodz")):  # the sun rises and sets
        return None
    return next((one for stem, one in _DIRECTIONS.items() if token.folded.startswith(stem)), None)


def _concept(tokens: Sequence[Token], at: int) -> str | None:
    folded = tokens[at].folded
    if folded.startswith("slon") and _has_sunrise(tokens, at):
        return None
    if folded.startswith("ciepl") and _is_of_clothes(tokens, at):
        return None
    if _is_hour(tokens, at):
        return "afternoon" if folded.startswith("polud") else "night"
    return next((name for name, stems in _STEMS if folded.startswith(stems)), None)


def _has_sunrise(tokens: Sequence[Token], at: int) -> bool:
    near = tokens[max(0, at - 1) : at + 2]
    return any(one.folded.startswith(_SUN_MOVES) for one in near)


def _is_of_clothes(tokens: Sequence[Token], at: int) -> bool:
    """Whether people are advised to dress warmly."""
    near = tokens[max(0, at - _REACH) : at + 2]
    return any(one.folded.startswith(_DRESSING) for one in near)


def _is_hour(tokens: Sequence[Token], at: int) -> bool:
    """Whether noon or midnight is meant: "po południu", "o północy"."""
    return at > 0 and tokens[at].folded in _HOURS and tokens[at - 1].folded in _OF_THE_DAY


def _is_of_the_sun(tokens: Sequence[Token], at: int) -> bool:
    """Whether sunrise or sunset is meant: "wschód słońca", "słońce zachodzi"."""
    return any(one.folded.startswith("slon") for one in tokens[max(0, at - 1) : at + 2])


def _is_negated(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[max(0, at - _REACH) : at]
    after = tokens[at + 1 : at + 3]
    clause = tokens[at].clause
    return any(one.folded in _NEGATIONS and one.clause == clause for one in before) or any(
        one.folded == "nie" and one.clause == clause for one in after
    )
