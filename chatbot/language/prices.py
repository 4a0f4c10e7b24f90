"""What a reading of a word costs within a phrase: the less likely, the more."""

from collections.abc import Sequence

from chatbot.language.morphology import Case, Reading
from chatbot.language.odds import inflection_odds
from chatbot.language.pieces import Piece, is_last_noun
from chatbot.language.places import gazetteer
from chatbot.language.vocabulary import (
    ADJECTIVE_ENDING,
    COMMON,
    FAMILIAR,
    FOREIGN_NAMES,
    GEOGRAPHIC,
    ITALIAN_PARTICLES,
    MARKS,
    PERSONAL,
    PROPER,
    RARE,
    WOMEN,
)
from chatbot.types import NameKind

STRANGE = 6.0  # no reasonable reading

_MARKED = 1.0  # "dated", "dialectal", "rare" …
_RARE = 1.5
_OBSCURE = 1.5  # a rare name that begins a phrase, where it is a common word as well
_GUESSED = 0.6
_FOREIGN = 1.5  # an unknown word that does not inflect, in a case other than the nominative
_VOWEL = 0.8  # … if it ends in a vowel: "Otto", "Joe"
_WOMANS = 0.8  # what is taken off for a woman's surname: "Henriety von Grunburg"
_UNINFLECTED = 1.5  # a known word taken for a foreign one
_STRAY = 1.5
_BYNAME = 0.5  # "Kazimierz Wielki"
_SEVERAL = 2.5  # a proper name in the plural
_HOMONYM = 1.2
_UNCHANGING = 0.3
_FAVOURED = 0.4
_FIGURATIVE = 0.6  # an animal taken for people: "orłowie" beside "orły"
_ZOOLOGICAL = "zool."


class Prices:
    """Prices the readings of one phrase in one case."""

    def __init__(
        self, pieces: Sequence[Piece], *, kind: NameKind | None, case: Case, is_person: bool
    ) -> None:
        """Keep the phrase; ``is_person`` is true where it reads like first name and surname."""
        self._pieces = pieces
        self._kind = kind
        self._case = case
        self._is_person = is_person
        self._has_capitals = any(piece.is_capitalised for piece in pieces)

    def of(self, position: int, reading: Reading) -> float:
        """Price one reading of the word at ``position``."""
        piece = self._pieces[position]
        if "guessed" in reading.labels:
            return _GUESSED
        if "unknown" in reading.labels:
            return self._of_unknown(piece)
        cost = _MARKED * is_marked(reading) - self._bonus(position, reading)
        cost += _RARE if reading.lemma in RARE else 0.0
        is_proper = bool(reading.labels & PROPER)
        if is_proper and "sg" not in reading.numbers and self._is_rather_one(piece, reading):
            cost += _SEVERAL  # "Warszawy" is one Warsaw in the genitive, not several
        if reading.is_adjectival:
            return cost + (_BYNAME if self._is_person and position else _STRAY)
        cost += self._of_homonym(position, reading) + self._of_unchanging(piece, reading)
        cost += _FIGURATIVE if _is_figurative(piece, reading) else 0.0
        if is_proper and self._is_obscure(position, reading):
            cost += _OBSCURE
        return cost + self._of_kind(piece, reading, is_proper=is_proper)

    def _of_unchanging(self, piece: Piece, reading: Reading) -> float:
        """Price a surname that does not inflect where one that does fits: "Jandy" is Janda."""
        if self._case == "nom" or reading.lemma != piece.text or not reading.labels & PERSONAL:
            return 0.0
        is_rival = any(
            one.lemma != piece.text
            and one.labels & PERSONAL
            and self._case in one.cases
            and "sg" in one.numbers
            for one in piece.readings
        )
        return _UNCHANGING if is_rival else 0.0

    def _is_rather_one(self, piece: Piece, reading: Reading) -> bool:
        """Whether a name in the plural is unlikely, other than "Tychy" and "Kossaków"."""
        is_surname = "nazwisko" in reading.labels and "imię" not in reading.labels
        is_family = self._is_person and is_surname and piece.text.endswith("ów")
        return reading.lemma[-1:] not in "yei" and not (is_family and len(self._pieces) == 1)

    def _is_obscure(self, position: int, reading: Reading) -> bool:
        """Whether a rare name is less likely than the common noun: "Ligi Mistrzów" is no Ligi."""
        if self._kind == "place" or self._is_person or len(self._pieces) == 1:
            return False
        piece = self._pieces[position]
        if piece.text.endswith("ów") and reading.lemma == piece.text:
            return False  # "Raków Częstochowa"
        is_common = any(one.labels & COMMON for one in piece.readings)
        return is_common and gazetteer().find(reading.lemma) is None

    def of_tail(self, position: int) -> float:
        """Price what cannot follow a noun: a lonely adjective, or a noun in a wrong case."""
        piece = self._pieces[position]
        is_complement = not piece.readings or any(
            "gen" in reading.cases and reading.is_nominal for reading in piece.readings
        )
        if is_complement and not (piece.is_adjectival and ADJECTIVE_ENDING.search(piece.text)):
            return 0.0
        if piece.is_adjectival and is_last_noun(self._pieces, position):
            return _STRAY
        is_topic = self._kind != "place" and not self._is_person
        is_label = piece.is_capitalised and is_topic  # "Teatru Rampa", "Ruchu Chorzów"
        is_noun = all(reading.cases and reading.is_nominal for reading in piece.readings)
        return 0.0 if self._case == "nom" or is_label or not is_noun else 1.0

    def of_joined(self, position: int) -> float:
        """Price a name after "i" that is no singular nominative: "Prawa i Sprawiedliwości"."""
        after = self._pieces[position : position + 1]
        is_fitting = any(
            not piece.is_capitalised
            or not piece.readings
            or any("nom" in one.cases and "sg" in one.numbers for one in piece.readings)
            for piece in after
        )
        return 0.0 if is_fitting or not after else _STRAY

    def of_disagreement(self, position: int, reading: Reading, genders: frozenset[str]) -> float:
        """Price a surname whose gender is not that of the first name, more if it was inflected."""
        if not self._is_person:
            return 0.0
        is_foreign = "unknown" in reading.labels and self._case != "nom"
        if reading.genders & genders:
            is_womans = genders == {"f"} and not self._pieces[position].readings
            looks_bare = inflection_odds(reading.lemma, kind="person") < _GUESSED
            return -_WOMANS if is_foreign and is_womans and looks_bare else 0.0
        return STRANGE / 4 if reading.lemma == self._pieces[position].text else STRANGE / 2

    def _of_unknown(self, piece: Piece) -> float:
        if self._is_person and piece.text in FOREIGN_NAMES:
            return 0.0 if self._case == "nom" else _VOWEL
        if self._is_person and piece.text.endswith("escu"):
            return 0.0
        is_first = self._is_person and self._case != "nom" and piece is self._pieces[0]
        if is_first and len(self._pieces) > 1 and _is_unchanging(piece):
            return _VOWEL
        if piece.readings:
            certain = [one for one in piece.readings if _is_certain(one, as_person=self._is_person)]
            is_polish = self._case == "nom" and bool(certain)
            return _UNINFLECTED * (2 if is_polish else 1) + inflection_odds(piece.text, kind=None)
        if self._case != "nom":
            return _FOREIGN
        return inflection_odds(piece.text, kind="person" if self._is_person else self._kind)

    def _bonus(self, position: int, reading: Reading) -> float:
        """Prefer well-known surnames, Jacek to Jack, and Leonardo before "da Vinci"."""
        after = self._pieces[position + 1 : position + 2]
        is_italian = any(piece.text in ITALIAN_PARTICLES for piece in after)
        is_likely = (
            reading.lemma in FAMILIAR
            or reading.lemma in WOMEN
            or (is_italian and reading.lemma.endswith("o"))
            or ("imię" in reading.labels and reading.lemma.endswith("ek"))
        )
        is_likelier = self._kind == "place" and reading.lemma.endswith("rze")  # Podgórze, Niechorze
        return _FAVOURED if is_likely or is_likelier else 0.0

    def _of_homonym(self, position: int, reading: Reading) -> float:
        """Price "druga" as a noun before "wojna", "Jana" as a woman, "Rady" as several."""
        piece = self._pieces[position]
        if piece.is_adjectival and not is_last_noun(self._pieces, position):
            return _STRAY
        if self._case != "nom":
            return 0.0
        is_female = bool(PERSONAL & reading.labels) and reading.lemma.endswith("a")
        if is_female and reading.lemma not in WOMEN and _is_man(piece):
            return _HOMONYM
        is_many = "sg" not in reading.numbers and _has_genitive(piece, of=reading)
        return _HOMONYM if is_many and self._is_definite(position) else 0.0

    def _is_definite(self, position: int) -> bool:
        """Whether a noun is one certain thing: "Rady …", "prawa Ohma", "bitwy pod Wiedniem"."""
        if self._pieces[position].is_capitalised:
            return True
        after = self._pieces[position + 1 : position + 3]
        names = [piece for piece in after if piece.is_capitalised]
        if len(names) == 1 and after[0].text in {"pod", "nad"}:
            return True
        is_eponym = (
            names[:1] == list(after[:1]) and not after[0].has(GEOGRAPHIC) if after else False
        )
        return is_eponym and after[0].has(PERSONAL)

    def _of_kind(self, piece: Piece, reading: Reading, *, is_proper: bool) -> float:
        """Price a name of another kind than wanted, and a name for a common word or vice versa."""
        wanted = GEOGRAPHIC if self._kind == "place" else PERSONAL
        if self._kind != "place" and not self._is_person:
            if piece.is_capitalised:
                return 0.0 if is_proper else 0.3
            return 1.5 if is_proper else 0.0
        if not piece.is_capitalised and self._has_capitals:
            return 3.0 if is_proper else 0.0
        if reading.labels & wanted:
            return 0.0
        return 3.0 if is_proper else 1.2


def _is_figurative(piece: Piece, reading: Reading) -> bool:
    """Whether people are meant by a noun in the plural that rather is animals: "orłowie"."""
    if reading.genders != {"m1"} or "pl" not in reading.numbers or not reading.lemma.islower():
        return False
    return any(
        one.lemma == reading.lemma
        and "m2" in one.genders
        and "pl" in one.numbers
        and (one.key == reading.key or _ZOOLOGICAL in _parts(one))
        for one in piece.readings
        if one.is_nominal
    )


def is_marked(reading: Reading) -> bool:
    """Whether the dictionary calls a reading dated, dialectal, rare, or the like."""
    return any(MARKS & set(one.split(".")) for one in _parts(reading))


def _parts(reading: Reading) -> tuple[str, ...]:
    return tuple(part for one in reading.qualifiers for part in one.split(","))


def _is_certain(reading: Reading, *, as_person: bool) -> bool:
    """Whether a reading is a plain form of a Polish word that no foreign word matches by chance."""
    is_bare = reading.numbers == {"pl"} and reading.cases == {"gen"}
    is_common = bool(reading.labels & COMMON) and not (as_person and "m1" not in reading.genders)
    return (is_common or "imię" in reading.labels) and not is_bare and not is_marked(reading)


def _is_unchanging(piece: Piece) -> bool:
    """Whether a foreign first name ends in a vowel that no Polish ending replaces: "Joe"."""
    looks_bare = inflection_odds(piece.text, kind="person") < _GUESSED
    return piece.text[-1:] in "oeiu" and looks_bare


def _is_man(piece: Piece) -> bool:
    """Whether the word may be the genitive of a man's first name."""
    return any(
        "imię" in reading.labels and "m1" in reading.genders and "gen" in reading.cases
        for reading in piece.readings
    )


def _has_genitive(piece: Piece, *, of: Reading) -> bool:
    """Whether the word, a nominative plural, may be a genitive singular as well."""
    return any(
        "gen" in reading.cases and "sg" in reading.numbers and reading.key == of.key
        for reading in piece.readings
    )
