"""Read a name or noun phrase: its case, its head with what agrees, and the tail that does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chatbot.language.guesses import PERSON_ENDINGS, PLACE_ENDINGS, guess, undeclined
from chatbot.language.morphology import Case, Morphology, Reading
from chatbot.language.rendering import match_case, render
from chatbot.types import NameKind

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
_HYPHENS = frozenset({"-", "–"})
_CONJUNCTIONS = frozenset({"i", "oraz", "lub", "a"})
_PARTICLES = frozenset(
    {"de", "da", "di", "du", "del", "della", "van", "von", "der", "den", "la", "le", "el", "al"}
    | {"bin", "ibn", "of", "the", "y", "e", "zu", "św"}
)
_GEOGRAPHIC = frozenset({"nazwa_geograficzna", "człon_nazwy_geograficznej"})
_PERSONAL = frozenset({"imię", "nazwisko"})
_PROPER = _GEOGRAPHIC | _PERSONAL | {"nazwa_organizacji", "nazwa_własna_budowli", "marka"}
_LOCAL_HEADS = frozenset({
    "miasto",
    "miasteczko",
    "wieś",
    "rzeka",
    "góra",
    "państwo",
    "wyspa",
    "kraj",
    "gmina",
    "planeta",
})
_FEMALE_HEADS = frozenset(
    {
        "królowa",
        "księżna",
        "księżniczka",
        "cesarzowa",
        "święta",
        "pani",
        "siostra",
        "matka",
        "papieżyca",
    }
    | {"bogini", "ksieni", "caryca"}
)
_FEMALE_SUFFIXES = ("rka", "tka", "stka", "żka", "czka", "nka", "yni", "ini")
_ROMAN = re.compile(r"[IVXLCDM]+\.?")
_STRANGE = 6.0  # a cost that says: no reasonable reading


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One word of a phrase, with what stood before it and all its readings."""

    text: str
    before: str
    readings: tuple[Reading, ...]

    @property
    def is_capitalised(self) -> bool:
        """Whether the word was written with a capital letter."""
        return self.text[:1].isupper()

    @property
    def is_hyphenated(self) -> bool:
        """Whether a hyphen joins the word to the one before."""
        return self.before in _HYPHENS


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """A piece that changes with the phrase's case: its reading and the number and gender it has."""

    position: int
    reading: Reading
    number: str
    genders: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Parse:
    """A phrase read in one case; pieces that are not bound stay as they are. Lower cost is better."""

    case: Case
    bound: tuple[Bound, ...]
    cost: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    """What one word adds to a phrase: how it is bound (if it is) and at what cost."""

    bound: Bound | None
    cost: float


def split_phrase(words: Morphology, phrase: str) -> tuple[tuple[Piece, ...], str]:
    """Cut a phrase into its words with their readings; the second value is what follows the last."""
    pieces: list[Piece] = []
    end = 0
    for match in _WORD.finditer(phrase):
        readings = words.readings(match[0])
        pieces.append(Piece(text=match[0], before=phrase[end : match.start()], readings=readings))
        end = match.end()
    return tuple(pieces), phrase[end:]


def parse_phrase(
    pieces: Sequence[Piece], *, kind: NameKind | None, cases: Sequence[tuple[Case, float]]
) -> Parse | None:
    """Find the best reading of a phrase, each case having its own price; ``None`` if there is none."""
    found = [
        replace(parse, cost=parse.cost + price)
        for case, price in cases
        for parse in _Reader(pieces, kind, case).parses()
    ]
    best = min(found, key=lambda parse: parse.cost, default=None)
    return best if best is not None and best.cost < 2 * _STRANGE else None


def write_phrase(
    words: Morphology, pieces: Sequence[Piece], parse: Parse, case: Case
) -> str | None:
    """Write a parsed phrase in another case; ``None`` if a word of it has no such form."""
    texts = [piece.text for piece in pieces]
    for bound in parse.bound:
        form = render(words, bound.reading, case, number=bound.number, genders=bound.genders)
        if form is None:
            return None
        texts[bound.position] = match_case(pieces[bound.position].text, form)
    return "".join(piece.before + text for piece, text in zip(pieces, texts, strict=True))


class _Reader:
    """Reads one phrase in one case, from left to right."""

    def __init__(self, pieces: Sequence[Piece], kind: NameKind | None, case: Case) -> None:
        self._pieces = pieces
        self._case = case
        self._kind = kind
        self._is_person = kind == "person" or (kind != "place" and _begins_like_a_person(pieces))

    def parses(self) -> Iterator[Parse]:
        """Give a parse for each possible head among the first words."""
        for position in range(len(self._pieces)):
            for head in self._heads(position):
                before = self._before(position, head)
                if before is None:
                    continue
                bound, cost = self._after(position, head)
                yield Parse(
                    case=self._case,
                    bound=(*before, head, *bound),
                    cost=cost + self._cost(position, head.reading),
                )
            if not self._may_precede(position):
                return

    def _may_precede(self, position: int) -> bool:
        """Whether the head may still come after this word: an adjective or an ordinal stands here."""
        piece = self._pieces[position]
        if _ROMAN.fullmatch(piece.text) or piece.text.isdigit():
            return True
        return any(
            reading.is_adjectival and self._case in reading.cases for reading in piece.readings
        )

    def _heads(self, position: int) -> Iterator[Bound]:
        piece = self._pieces[position]
        for reading in self._options(piece):
            is_alone = reading.is_adjectival and (self._is_last_noun(position))
            if (reading.is_nominal or is_alone) and self._case in reading.cases:
                for number in sorted(reading.numbers, reverse=True):
                    yield Bound(
                        position=position, reading=reading, number=number, genders=reading.genders
                    )

    def _is_last_noun(self, position: int) -> bool:
        """Whether no noun follows that an adjective here could belong to."""
        after = self._pieces[position + 1 : position + 2]
        return not any(reading.is_nominal for piece in after for reading in piece.readings)

    def _options(self, piece: Piece) -> tuple[Reading, ...]:
        if piece.readings:
            return piece.readings
        if piece.text.isdigit() or not piece.is_capitalised:
            return (undeclined(piece.text, self._case, frozenset({"m3", "n"})),)
        endings = PLACE_ENDINGS if self._kind == "place" else PERSON_ENDINGS
        guesses = guess(piece.text, self._case, endings) if self._kind or self._is_person else ()
        genders = frozenset({"m1", "f"} if self._is_person else {"m3", "n", "f"})
        return (*guesses, undeclined(piece.text, self._case, genders))

    def _before(self, position: int, head: Bound) -> tuple[Bound, ...] | None:
        """Bind the words before the head; ``None`` if one of them does not agree with it."""
        bound: list[Bound] = []
        for earlier in range(position):
            piece = self._pieces[earlier]
            if _ROMAN.fullmatch(piece.text) or piece.text.isdigit():
                continue
            agreed = self._agree(earlier, head)
            if agreed is None:
                return None
            bound.append(agreed)
        return tuple(bound)

    def _agree(self, position: int, head: Bound) -> Bound | None:
        """Bind an adjective to the head if case, number and gender agree."""
        for reading in self._pieces[position].readings:
            if (
                reading.is_adjectival
                and self._case in reading.cases
                and head.number in reading.numbers
                and (common := reading.genders & head.genders)
            ):
                return Bound(position=position, reading=reading, number=head.number, genders=common)
        return None

    def _after(self, position: int, head: Bound) -> tuple[tuple[Bound, ...], float]:
        """Bind what follows the head as long as it agrees; the rest is the tail."""
        bound: list[Bound] = []
        cost = 0.0
        last = head
        for later in range(position + 1, len(self._pieces)):
            piece = self._pieces[later]
            if self._is_literal(piece):
                continue
            if piece.text in _CONJUNCTIONS and (joined := self._coordinate(later + 1)):
                return (*bound, *joined.bound), cost + joined.cost
            step = self._attach(later, head, last)
            if step is None:
                return tuple(bound), cost + self._tail_cost(later)
            cost += step.cost
            if step.bound is not None:
                bound.append(step.bound)
                last = last if step.bound.reading.is_adjectival else step.bound
        return tuple(bound), cost

    def _tail_cost(self, position: int) -> float:
        """Price an adjective that agrees with nothing before it and has no noun after it."""
        readings = self._pieces[position].readings
        is_stray = any(reading.is_adjectival for reading in readings)
        return 1.5 if is_stray and self._is_last_noun(position) else 0.0

    def _is_literal(self, piece: Piece) -> bool:
        is_numeral = piece.text.isdigit() or _ROMAN.fullmatch(piece.text) is not None
        return is_numeral or piece.text.lower() in _PARTICLES

    def _coordinate(self, start: int) -> Parse | None:
        """Read "Julii" of "Romea i Julii" in the case of the first part."""
        rest = self._pieces[start:]
        if not rest or self._case == "nom":
            return None
        best = parse_phrase(rest, kind=self._kind, cases=((self._case, 0.0),))
        if best is None or best.cost >= _STRANGE / 2:
            return None
        moved = tuple(replace(one, position=one.position + start) for one in best.bound)
        return replace(best, bound=moved)

    def _attach(self, position: int, head: Bound, last: Bound) -> _Step | None:
        """Bind one word after the head: an agreeing adjective, an apposition, a surname."""
        agreed = self._agree(position, last) or self._agree(position, head)
        is_joined = self._is_apposition(position, head)
        if agreed is not None and not (is_joined and self._is_person):
            return _Step(bound=agreed, cost=0.0)
        if not is_joined:
            return None
        options = [
            (self._cost(position, reading) + self._disagreement(reading, head), order, bound)
            for order, reading in enumerate(self._options(self._pieces[position]))
            if (reading.is_nominal or reading.is_adjectival) and self._case in reading.cases
            for bound in (self._bind(position, reading, head),)
        ]
        if not options:
            return _Step(bound=None, cost=_STRANGE / 2)
        cost, _, bound = min(options, key=lambda option: option[:2])
        return _Step(bound=bound, cost=cost)

    def _bind(self, position: int, reading: Reading, head: Bound) -> Bound:
        is_same = head.number in reading.numbers
        number = head.number if is_same else min(reading.numbers, default="sg")
        genders = reading.genders & head.genders or reading.genders
        return Bound(position=position, reading=reading, number=number, genders=genders)

    def _is_apposition(self, position: int, head: Bound) -> bool:
        """Whether a noun here stands in the head's own case, not in the genitive after it."""
        piece = self._pieces[position]
        if piece.is_hyphenated:
            return True
        if not piece.is_capitalised:
            return False
        if self._is_person:
            return True
        if head.reading.lemma in _LOCAL_HEADS:
            return _has(piece.readings, _GEOGRAPHIC)
        if self._kind == "place":
            return _has(piece.readings, _GEOGRAPHIC) and self._pieces[0].is_capitalised
        return _is_title(head.reading) and _has(piece.readings, _PERSONAL)

    def _disagreement(self, reading: Reading, head: Bound) -> float:
        if not self._is_person:
            return 0.0
        return 0.0 if reading.genders & head.genders else _STRANGE / 2

    def _cost(self, position: int, reading: Reading) -> float:
        piece = self._pieces[position]
        cost = float(len(reading.qualifiers) > 0)
        if reading.labels & {"guessed", "unknown"}:
            return 0.8 if "guessed" in reading.labels else self._foreign_cost()
        is_proper = bool(reading.labels & _PROPER)
        if is_proper and "sg" not in reading.numbers and reading.lemma[-1:] not in "yei":
            cost += 2.5  # "Warszawy" is one Warsaw in the genitive, not several
        if reading.is_adjectival:
            return cost + 1.5
        cost += self._homonym_cost(position, reading)
        return cost + self._kind_cost(piece, reading, is_proper=is_proper)

    def _homonym_cost(self, position: int, reading: Reading) -> float:
        """Price "druga" as a noun before "wojna", and "Jana" as a woman where it is Jan's genitive."""
        others = self._pieces[position].readings
        if not self._is_last_noun(position) and any(other.is_adjectival for other in others):
            return 1.5
        is_woman = "imię" in reading.labels and "f" in reading.genders and self._case == "nom"
        is_man = any(
            "imię" in other.labels and "m1" in other.genders and "gen" in other.cases
            for other in others
        )
        return 1.2 if is_woman and is_man else 0.0

    def _foreign_cost(self) -> float:
        return 0.5 if self._case == "nom" else 1.5

    def _kind_cost(self, piece: Piece, reading: Reading, *, is_proper: bool) -> float:
        match self._kind:
            case "place":
                wanted = _GEOGRAPHIC
            case "person":
                wanted = _PERSONAL
            case _ if self._is_person:
                wanted = _PERSONAL
            case _:
                if piece.is_capitalised:
                    return 0.0 if is_proper else 0.3
                return 1.5 if is_proper else 0.0
        if reading.labels & wanted:
            return 0.0
        return 3.0 if is_proper else 1.2


def _has(readings: Sequence[Reading], labels: frozenset[str]) -> bool:
    return any(reading.labels & labels for reading in readings)


def _is_title(reading: Reading) -> bool:
    """Whether a common noun is a person's title, after which the name takes the same case."""
    if reading.labels & _PROPER:
        return False
    lemma = reading.lemma
    is_woman = lemma in _FEMALE_HEADS or lemma.endswith(_FEMALE_SUFFIXES)
    return "m1" in reading.genders or ("f" in reading.genders and is_woman)


def _begins_like_a_person(pieces: Sequence[Piece]) -> bool:
    """Whether the phrase starts with a first name and another capitalised word."""
    capitalised = [piece for piece in pieces if piece.is_capitalised]
    return len(capitalised) > 1 and any("imię" in reading.labels for reading in pieces[0].readings)
