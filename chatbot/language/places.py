"""Known places with all their forms: Polish towns, countries, regions, foreign cities."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.morphology import Case
from chatbot.language.patterns import regex

READ_TABLES = ("towns.tsv", "places.tsv")  # where several have a name, the first wins
SAID_TABLES = ("farther.tsv",)  # found by name, but by no form of it that a text may hold

_EPITHETS = MappingProxyType({
    "wielkopolsk": "wlkp",
    "mazowieck": "maz",
    "slask": "sl",
    "gdansk": "gd",
    "trybunalsk": "tryb",
    "swietokrzysk": "sw",
    "podlask": "podl",
    "pomorsk": "pom",
    "kujawsk": "kuj",
    "malopolsk": "mlp",
})
_FIRST = regex(r"[-–\s.]")
_GAPS = regex(r"[-–\s]+")
_SIMILAR = 0.8  # of 1, by `difflib`: one wrong letter in five
_COLUMNS: tuple[Case, ...] = ("gen", "dat", "acc", "inst", "loc")


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """One place: its name, the preposition that says "in it" (empty: w or we), its forms."""

    name: str
    preposition: str
    forms: Mapping[Case, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """One form of a place, as a text may hold it."""

    place: Place
    case: Case
    form: str


class Gazetteer:
    """All known places, found by name or by any form; immutable."""

    def __init__(self, places: tuple[Place, ...], *, only_said: tuple[Place, ...] = ()) -> None:
        """Index ``places``; of two with one name the first is kept.

        ``only_said`` are found by their names alone: as words of a text they mean something else
        too often ("woli" is mostly no district of Warsaw).
        """
        self._by_name: dict[str, Place] = {}
        self._by_form: dict[str, list[Sighting]] = {}
        for place in places:
            if self._by_name.setdefault(_plain(place.name), place) is place:
                for case, form in place.forms.items():
                    sighting = Sighting(place=place, case=case, form=form)
                    key = _key(form)
                    for each in {key, _abbreviate(key)}:
                        self._by_form.setdefault(each, []).append(sighting)
        for place in only_said:
            self._by_name.setdefault(_plain(place.name), place)

    def find(self, name: str) -> Place | None:
        """Return the place of this name: nominative, any case of letters, hyphen or space."""
        return self._by_name.get(_plain(name))

    def sightings(self, text: str) -> tuple[Sighting, ...]:
        """Return every place that ``text`` may be a form of, diacritics or not."""
        return tuple(self._by_form.get(_key(text).replace(".", ""), ()))

    @property
    def forms(self) -> Mapping[str, Sequence[Sighting]]:
        """Every form, folded, in lower case, with spaces for hyphens: what it may be a form of."""
        return MappingProxyType(self._by_form)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, towns first."""
        return tuple(place.name for place in self._by_name.values())


@cache
def gazetteer() -> Gazetteer:
    """Load the packaged tables (a few milliseconds), once per process."""
    return Gazetteer(
        tuple(place for table in READ_TABLES for place in _read(table)),
        only_said=tuple(place for table in SAID_TABLES for place in _read(table)),
    )


def begins_place(word: str) -> bool:
    """Whether a folded word begins a form of a known place, so that most need no look-up."""
    return _FIRST.split(word, 1)[0] in _first_words()


@cache
def _first_words() -> frozenset[str]:
    places = (gazetteer().find(name) for name in gazetteer().names)
    forms = (fold(form) for place in places if place for form in place.forms.values())
    return frozenset(_FIRST.split(form, 1)[0] for form in forms)


def town_names() -> tuple[str, ...]:
    """Return the names of all Polish towns (TERYT, Statistics Poland), in alphabetical order."""
    return tuple(place.name for place in _read("towns.tsv"))


def similar_places(name: str, *, most: int = 3) -> tuple[str, ...]:
    """Return known places whose names look like ``name``, best first: "Wrocłw" → Wrocław."""
    by_key = {_key(known): known for known in gazetteer().names}
    keys = get_close_matches(_key(name), by_key, n=most, cutoff=_SIMILAR)
    return tuple(by_key[key] for key in keys)


def _plain(text: str) -> str:
    return _GAPS.sub(" ", text.lower())


def _key(text: str) -> str:
    return _plain(fold(text))


def _abbreviate(key: str) -> str:
    """Shorten the epithet as people do: "gorzow wielkopolski" → "gorzow wlkp"."""
    name, _, epithet = key.rpartition(" ")
    for stem, short in _EPITHETS.items():
        if name and epithet.startswith(stem):
            return f"{name} {short}"
    return key


def _read(table: str) -> Iterator[Place]:
    text = (files("chatbot.language") / table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, preposition, *forms = line.split("\t")
        forms = forms or [name] * len(_COLUMNS)
        cases: dict[Case, str] = {"nom": name, **dict(zip(_COLUMNS, forms, strict=True))}
        yield Place(name=name, preposition=preposition, forms=MappingProxyType(cases))
