"""Read a name or noun phrase: its case, its head with what agrees, and the tail that does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chatbot.language.guesses import (
    guess,
    guess_adjective,
    undeclined,
)
from chatbot.language.morphology import Case, Morphology, Reading
from chatbot.language.odds import inflection_odds
from chatbot.language.pieces import (
    Piece,
    begins_like_a_person,
    is_first_half,
    is_last_noun,
    is_literal,
)
from chatbot.language.prices import STRANGE, Prices
from chatbot.language.rendering import match_case, render
from chatbot.language.vocabulary import (
    COMMON,
    CONJUNCTIONS,
    FEMALE_ENDINGS,
    FEMALE_TITLES,
    FOREIGN_NAMES,
    GEOGRAPHIC,
    LOCAL_HEADS,
    OFFICES,
    PERSONAL,
    PROPER,
    QUOTES,
    REALMS,
    TERRAIN,
)
from chatbot.types import NameKind

_BEFORE_TAILS = frozenset({"z", "ze", "od", "w", "we", "na", "nad", "pod", "przy", "do", "dla"})
_SIDE_BY_SIDE = frozenset({"dat", "loc", "inst"})
_INFLECTED = 2.4  # the odds of an ending that hardly any nominative has

PricedCases = tuple[tuple[Case, float], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """A piece that changes with the phrase's case: its reading, its number and gender."""

    position: int
    reading: Reading
    number: str
    genders: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Parse:
    """A phrase read in one case; pieces that are not bound stay. Lower cost is better."""

    case: Case
    bound: tuple[Bound, ...]
    cost: float


def parse_phrase(
    pieces: Sequence[Piece], *, kind: NameKind | None, cases: PricedCases
) -> Parse | None:
    """Find the best reading of a phrase, each case at its own price; ``None``: there is none."""
    is_person = kind == "person" or (kind != "place" and begins_like_a_person(pieces))
    literal = frozenset(place for place in range(len(pieces)) if is_literal(pieces, place))
    is_governed = all(price > 0 for case, price in cases if case == "nom")
    found = [
        replace(parse, cost=parse.cost + price)
        for case, price in cases
        for parse in _Reader(
            pieces, kind, case, is_person=is_person, is_governed=is_governed, literal=literal
        ).parses()
    ]
    best = min(found, key=lambda parse: parse.cost, default=None)
    return best if best is not None and best.cost < 2 * STRANGE else None


def write_phrase(
    words: Morphology, pieces: Sequence[Piece], parse: Parse, case: Case
) -> str | None:
    """Write a parsed phrase in another case; ``None`` if a word of it has no such form."""
    texts = [piece.text for piece in pieces]
    for bound in parse.bound if parse.case != case else ():
        form = render(words, bound.reading, case, number=bound.number, genders=bound.genders)
        if form is None:
            return None
        texts[bound.position] = match_case(pieces[bound.position].text, form)
    return "".join(piece.before + text for piece, text in zip(pieces, texts, strict=True))


class _Reader:
    """Reads one phrase in one case, from left to right."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        kind: NameKind | None,
        case: Case,
        *,
        is_person: bool,
        is_governed: bool,
        literal: frozenset[int],
    ) -> None:
        self._pieces = pieces
        self._case = case
        self._kind = kind
        self._is_person = is_person
        self._is_governed = is_governed
        self._literal = literal
        self._joined: dict[int, Parse | None] = {}
        self._price = Prices(pieces, kind=kind, case=case, is_person=self._is_person)

    def parses(self) -> Iterator[Parse]:
        """Give a parse for each possible head among the first words."""
        for position in range(len(self._pieces)):
            for head in self._heads(position):
                before = self._before(position, head)
                if before is None:
                    continue
                bound, cost = self._after(position, head)
                cost += self._price.of(position, head.reading)
                yield Parse(case=self._case, bound=(*before, head, *bound), cost=cost)
            if not self._may_precede(position):
                return

    def _stays(self, position: int) -> bool:
        return position in self._literal or is_first_half(self._pieces, position)

    def _may_precede(self, position: int) -> bool:
        """Whether the head may still come after this word: an adjective or a number."""
        piece = self._pieces[position]
        if self._stays(position) or self._is_epithet(piece):
            return True
        return any(one.is_adjectival and self._case in one.cases for one in piece.readings)

    def _is_epithet(self, piece: Piece) -> bool:
        """Whether a strange word before the head may go with it: "w Szpindlerowym Młynie"."""
        is_strange = self._kind == "place" and piece.is_capitalised and not piece.is_adjectival
        return is_strange and bool(guess_adjective(piece.text, "m3"))

    def _heads(self, position: int) -> Iterator[Bound]:
        if position in self._literal and position + 1 < len(self._pieces):
            return
        is_last = is_last_noun(self._pieces, position)
        for reading in self._options(self._pieces[position]):
            is_head = reading.is_nominal or (reading.is_adjectival and is_last)
            for number in sorted(reading.numbers, reverse=True) if is_head else ():
                if self._case in reading.cases:
                    yield Bound(
                        position=position, reading=reading, number=number, genders=reading.genders
                    )

    def _options(self, piece: Piece) -> tuple[Reading, ...]:
        """Return all readings of a word; of a strange one also guesses and that it is foreign."""
        if piece.readings and not self._is_strange(piece):
            return piece.readings
        if piece.text.isdigit() or not piece.is_capitalised:
            bare = undeclined(piece.text, self._case, frozenset({"m3", "n"}))
            return (*piece.readings, *self._common_guesses(piece), bare)
        kind = "person" if self._is_person else self._kind or "topic"
        may_guess = self._is_person or (not piece.readings and self._kind is not None)
        guesses = guess(piece.text, self._case, kind=kind) if may_guess else ()
        genders = frozenset({"m1", "f"} if self._is_person else {"m3", "n", "f"})
        return (*piece.readings, *guesses, undeclined(piece.text, self._case, genders))

    def _common_guesses(self, piece: Piece) -> tuple[Reading, ...]:
        """Guess what a common noun may be that looks inflected after a preposition: "larimarem"."""
        is_new = self._is_governed and not piece.readings and not piece.text.isdigit()
        if not is_new or inflection_odds(piece.text, kind="topic") < _INFLECTED:
            return ()
        return guess(piece.text, self._case, kind="topic")

    def _is_strange(self, piece: Piece) -> bool:
        """Whether a word of a name is known, but not as such a name in this case."""
        if not piece.is_capitalised or self._kind == "place":
            return False
        if self._is_person and piece.text in FOREIGN_NAMES:
            return True
        if self._kind != "person" and sum(one.is_capitalised for one in self._pieces) <= 1:
            return False
        return not any(
            self._case in reading.cases
            and (not self._is_person or reading.is_adjectival or _is_someone(reading))
            for reading in piece.readings
            if reading.is_nominal or reading.is_adjectival
        )

    def _before(self, position: int, head: Bound) -> tuple[Bound, ...] | None:
        """Bind the words before the head; ``None`` if one of them does not agree with it."""
        bound: list[Bound] = []
        for earlier in range(position):
            if self._stays(earlier):
                continue
            agreed = self._agree(earlier, head)
            if agreed is None:
                return None
            bound.append(agreed)
        return tuple(bound)

    def _agree(self, position: int, head: Bound) -> Bound | None:
        """Bind an adjective to the head if case, number and gender agree."""
        piece = self._pieces[position]
        is_place = head.reading.lemma in LOCAL_HEADS  # "jezioro Łańskie" is of no Mr Łański
        is_open = not piece.readings or (is_place and not piece.is_adjectival)
        is_behind = position > head.position
        may_guess = not self._is_person and (is_open if is_behind else self._is_epithet(piece))
        guessed = [
            reading
            for gender in sorted(head.genders if may_guess else ())
            for reading in guess_adjective(piece.text, gender)
        ]
        for reading in (*piece.readings, *guessed):
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
            if self._stays(later):
                continue
            is_joint = self._pieces[later].text in CONJUNCTIONS
            if is_joint and (joined := self._coordinate(later + 1)) is not None:
                return (*bound, *joined.bound), cost + joined.cost
            if is_joint and self._case == "nom":
                return tuple(bound), cost + self._price.of_joined(later + 1)
            step = self._attach(later, head, last)
            if step is None:
                return tuple(bound), cost + self._price.of_tail(later)
            added, price = step
            cost += price
            if added is not None:
                bound.append(added)
                last = last if added.reading.is_adjectival else added
        return tuple(bound), cost

    def _coordinate(self, start: int) -> Parse | None:
        """Read "Julii" of "Romea i Julii" in the case of the first part."""
        if start not in self._joined:
            self._joined[start] = self._read_joined(start)
        return self._joined[start]

    def _read_joined(self, start: int) -> Parse | None:
        rest = self._pieces[start:]
        if not rest or self._case == "nom":
            return None
        best = parse_phrase(rest, kind=self._kind, cases=((self._case, 0.0),))
        if best is None or best.cost >= STRANGE / 2:
            return None
        moved = tuple(replace(one, position=one.position + start) for one in best.bound)
        return replace(best, bound=moved)

    def _attach(self, position: int, head: Bound, last: Bound) -> tuple[Bound | None, float] | None:
        """Bind one word after the head: an agreeing adjective, an apposition, a surname."""
        is_after = self._pieces[position - 1].text in _BEFORE_TAILS  # "Hypatia z Aleksandrii"
        if is_after or QUOTES.intersection(self._pieces[position].before):
            return None
        agreed = self._agree(position, last) or self._agree(position, head)
        if agreed is not None and self._belongs_to_next(position, head):
            return None
        is_joined = self._is_apposition(position, head)
        if agreed is not None and not (is_joined and self._is_person):
            return agreed, 0.0
        if not is_joined:
            return None
        options = [
            (self._price.of(position, reading), order, reading)
            for order, reading in enumerate(self._options(self._pieces[position]))
            if (reading.is_nominal or reading.is_adjectival) and self._case in reading.cases
        ]
        priced = [
            (price + self._price.of_disagreement(position, reading, head.genders), order, reading)
            for price, order, reading in options
        ]
        if not priced:
            return None, STRANGE / 2
        price, _, reading = min(priced, key=lambda option: option[:2])
        return _bind(position, reading, head), price

    def _belongs_to_next(self, position: int, head: Bound) -> bool:
        """Whether an adjective is of the noun after it: "Wielkiej Orkiestry Świątecznej Pomocy"."""
        after = self._pieces[position + 1 : position + 2]
        is_open = bool(head.position) and self._pieces[head.position - 1].is_adjectival
        if not is_open or not after or after[0].text.isupper():
            return False
        return any(
            one.is_adjectival
            and "gen" in one.cases
            and "gen" in noun.cases
            and noun.is_nominal
            and one.genders & noun.genders
            and one.numbers & noun.numbers
            for one in self._pieces[position].readings
            for noun in after[0].readings
        )

    def _is_apposition(self, position: int, head: Bound) -> bool:
        """Whether a noun here stands in the head's own case, not in the genitive after it."""
        piece = self._pieces[position]
        lemma = head.reading.lemma.lower()
        if piece.is_hyphenated or not piece.is_capitalised:
            return piece.is_hyphenated or self._is_beside(piece)
        if self._is_person:
            first = self._pieces[head.position]
            return not (first.readings and not first.has({"imię"}) and _is_thing(piece))
        if lemma in REALMS | TERRAIN:
            return False
        if lemma in LOCAL_HEADS or self._kind == "place":
            return any(
                reading.labels & GEOGRAPHIC and self._case in reading.cases
                for reading in piece.readings
            )
        if lemma in OFFICES and not piece.has({"imię"}):
            return not piece.has(COMMON)
        return _is_title(head.reading) and piece.has(PERSONAL)

    def _is_beside(self, piece: Piece) -> bool:
        """Whether a noun in small letters shares the head's case: "o kaczce krzyżówce"."""
        nouns = [one for one in piece.readings if one.is_nominal]
        is_same = self._case in _SIDE_BY_SIDE and any(self._case in one.cases for one in nouns)
        return is_same and not any("gen" in one.cases for one in nouns)


def _is_thing(piece: Piece) -> bool:
    """Whether a word is the genitive of a thing and no name: "Prymas Tysiąclecia"."""
    nouns = [reading for reading in piece.readings if reading.is_nominal]
    is_thing = all(COMMON & one.labels and "m1" not in one.genders for one in nouns)
    return is_thing and any("gen" in one.cases for one in nouns) and not piece.is_adjectival


def _is_someone(reading: Reading) -> bool:
    """Whether a noun names a person, by name or otherwise: "Ojciec", "Prymas"."""
    is_common = bool(reading.labels & COMMON) and "m1" in reading.genders
    return bool(reading.labels & PERSONAL) or is_common


def _bind(position: int, reading: Reading, head: Bound) -> Bound:
    is_same = head.number in reading.numbers
    number = head.number if is_same else min(reading.numbers, default="sg")
    genders = reading.genders & head.genders or reading.genders
    return Bound(position=position, reading=reading, number=number, genders=genders)


def _is_title(reading: Reading) -> bool:
    """Whether a common noun is a person's title, after which the name takes the same case."""
    if reading.labels & PROPER:
        return False
    is_woman = reading.lemma in FEMALE_TITLES or reading.lemma.endswith(FEMALE_ENDINGS)
    return "m1" in reading.genders or ("f" in reading.genders and is_woman)
