"""Bring an inflected name or phrase to its base form."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from chatbot.language.acronyms import is_acronym, is_address, without_ending
from chatbot.language.counted import read_counted
from chatbot.language.foreigners import JOINTS, Foreigner, read_foreigner
from chatbot.language.mending import mend
from chatbot.language.morphology import Case, Morphology, morphology
from chatbot.language.patterns import regex
from chatbot.language.phrases import PricedCases, parse_phrase, write_phrase
from chatbot.language.pieces import Piece, split_phrase
from chatbot.language.places import Sighting, gazetteer
from chatbot.language.rendering import render
from chatbot.language.spacing import close_gaps
from chatbot.language.vocabulary import ORIGINS, PROPER
from chatbot.types import NameKind

# Without a preposition, a reading that costs more is worse than none.
_DOUBTFUL: Mapping[NameKind | None, float] = MappingProxyType({
    "place": 3.5,
    "topic": 3.5,
    None: 3.5,
    "person": 6.0,
})
_OTHERWISE = 6.0  # the price of a case that the preposition does not govern
_OTHERWISE_NAMED = 0.4  # … of a subject where a genitive is likelier
_FREE: PricedCases = (
    ("nom", 0.0),
    ("gen", 1.0),
    ("acc", 1.1),
    ("loc", 1.2),
    ("inst", 1.3),
    ("dat", 1.4),
)


def _governs(*cases: Case) -> PricedCases:
    wanted = {case: 0.3 * order for order, case in enumerate(cases)}
    return tuple((case, wanted.get(case, _OTHERWISE)) for case, _ in _FREE)


OF_A_NOUN = "czyj"
"""Stands for a preposition after a noun: a genitive follows ("ludność Sieradza") or the subject."""

_GENITIVE = _governs("gen")
_PREPOSITIONS: Mapping[str, PricedCases] = MappingProxyType({
    **dict.fromkeys(("w", "we", "na", "o", "po"), _governs("loc", "acc")),
    "przy": _governs("loc"),
    **dict.fromkeys(("z", "ze"), _governs("gen", "inst")),
    **dict.fromkeys(
        ("do", "od", "ode", "dla", "bez", "u", "koło", "obok", "wokół", "dookoła", "blisko"),
        _GENITIVE,
    ),
    **dict.fromkeys(
        ("niedaleko", "około", "podczas", "według", "spod", "znad", "sprzed", "wśród", "zza"),
        _GENITIVE,
    ),
    **dict.fromkeys(
        ("nad", "nade", "pod", "pode", "przed", "przede", "między"), _governs("inst", "acc")
    ),
    "za": _governs("inst", "acc", "gen"),
    OF_A_NOUN: tuple(
        (case, {"gen": 0.0, "nom": _OTHERWISE_NAMED}.get(case, _OTHERWISE)) for case, _ in _FREE
    ),
    **dict.fromkeys(("przez", "poprzez", "przeze"), _governs("acc")),
    **dict.fromkeys(("ku", "dzięki", "wbrew", "przeciw", "przeciwko"), _governs("dat")),
})
_TITLES: Mapping[str, str] = MappingProxyType({  # works whose base form no rule gives
    **dict.fromkeys(("Dziadów", "Dziadom", "Dziadami", "Dziadach"), "Dziady"),
    **{
        title: title
        for title in (
            "Ogniem i mieczem",
            "W pustyni i w puszczy",
            "Nad Niemnem",
            "O psie, który jeździł koleją",
            "W 80 dni dookoła świata",
            "Trędowata",
        )
    },
})
_LONGEST = 24  # words; what is longer is no name
_QUOTES = "„”“\"«»'‚’ \t\n"
_INITIAL = regex(r"(?<!\w)\w\.$")
_STOPS = ".,;:!?…"
_NUMBERED = regex(r"(\d{1,3}\.?) ([A-ZĆŁŚŹŻ]\w+ .+)")  # "1 Armii Wojska Polskiego"


@lru_cache(maxsize=2_048)  # a decision within a dialogue asks for the same names many times
def lemmatise(phrase: str, *, kind: NameKind | None = None, preposition: str | None = None) -> str:
    """Return an inflected name or phrase in its base form: "Kudowie-Zdroju" → "Kudowa-Zdrój".

    The head and what agrees with it are put into the nominative of their number; genitives and
    prepositional phrases after it stay. What is already a nominative, and what cannot be read,
    comes back unchanged, without quotation marks and closing punctuation around it.

    Args:
        phrase: The name as it stands in a text. It may begin with its preposition.
        kind: What the name names, if that is known; it decides between homonyms.
        preposition: The preposition before the phrase; it tells the case.
    """
    words = morphology()
    bare = without_ending(_bare(close_gaps(phrase.strip(), kind=kind)))
    if kind not in {"place", "person"} and (bare in _TITLES or is_acronym(bare)):
        return _TITLES.get(bare, bare)
    if (led := _led(bare, kind, preposition)) is not None:
        return led
    kind = "person" if kind is None and _is_strange_object(bare) else kind
    pieces, rest = split_phrase(words, bare)
    if not pieces or len(pieces) > _LONGEST or is_address(bare):
        return bare
    pieces, found = _without_preposition(pieces, kind)
    prices = _PREPOSITIONS.get((preposition or found or "").lower(), _FREE)
    known = _known_place(_join(pieces), kind, prices) or _strange_instrumental(bare, prices)
    if known is not None:
        return known + rest
    pieces = mend(words, pieces, kind, may_end=prices is not _FREE)
    if kind not in {"place", "person"} and (adjective := _lone_adjective(words, pieces)):
        return adjective + rest
    parse = parse_phrase(pieces, kind=kind, cases=prices)
    is_doubtful = parse is None or (prices is _FREE and parse.cost > _DOUBTFUL[kind])
    written = None if parse is None or is_doubtful else write_phrase(words, pieces, parse, "nom")
    return (written or _join(pieces)).strip() + rest


def _is_strange_object(bare: str) -> bool:
    """Whether a name that nobody knows stands in no base form: "Bredę", "Shakirą", "Curyłowej"."""
    is_name = bare[:1].isupper() and bare[1:].islower() and bare.endswith(("ę", "ą", "owej"))
    return is_name and not morphology().is_known(bare)


def _strange_instrumental(bare: str, prices: PricedCases) -> str | None:
    """The base form of a name that nobody knows, after a preposition: "Helsingborgiem"."""
    is_strange = bare.endswith("giem") and bare.isalpha() and not morphology().is_known(bare)
    return bare.removesuffix("iem") if is_strange and prices is not _FREE else None


def _led(bare: str, kind: NameKind | None, preposition: str | None) -> str | None:
    """A name that begins with a foreign first name or a number, whose other words go with it."""
    if kind != "place" and (foreigner := read_foreigner(bare)) is not None:
        origin = next((at for at, one in enumerate(foreigner.others) if one in ORIGINS), None)
        others = [_surname(one, foreigner) for one in foreigner.others[:origin]]
        others += foreigner.others[origin:] if origin is not None else ()
        return " ".join((foreigner.first, *others))
    if kind != "person" and (numbered := _NUMBERED.fullmatch(bare)) is not None:
        return f"{numbered[1]} {lemmatise(numbered[2], kind=kind, preposition=preposition)}"
    counted = read_counted(bare) if kind != "person" else None
    return f"{counted[0]} {lemmatise(counted[1], preposition='do')}" if counted else None


def _surname(word: str, of: Foreigner) -> str:
    """A surname in its base form; joints ("von", "K.") and many women's names have but one."""
    is_joint = not word[:1].isupper() or word.endswith(".") or word.lower() in JOINTS
    is_kept = (
        of.is_woman and not word.endswith(("ej", "ą", "ę")) and not morphology().is_known(word)
    )
    if is_joint or is_kept:
        return word
    return lemmatise(word, kind="person", preposition=of.preposition)


def _bare(phrase: str) -> str:
    """Take quotation marks and closing punctuation off; an initial keeps its full stop."""
    bare = phrase.strip()
    stripped = bare.strip(_QUOTES)
    if not any(quote in stripped for quote in "„”«»"):  # „Wesele” Wyspiańskiego keeps its own
        bare = stripped
    return bare if _INITIAL.search(bare) else bare.rstrip(_STOPS) or phrase


def _join(pieces: Sequence[Piece]) -> str:
    return "".join(piece.before + piece.text for piece in pieces).strip()


def _known_place(name: str, kind: NameKind | None, prices: PricedCases) -> str | None:
    """Look a place up by any of its forms; without diacritics only if a place is expected."""
    if kind == "person" or (kind is None and not name[:1].isupper()):
        return None
    price = dict(prices)

    def cost(sighting: Sighting) -> float:
        is_plain = sighting.form.lower() != name.lower()
        return price.get(sighting.case, _OTHERWISE) + (2.0 if is_plain else 0.0)

    found = [
        sighting
        for sighting in gazetteer().sightings(name)
        if kind == "place" or sighting.form == name
    ]
    return min(found, key=cost).place.name if found else None


def _lone_adjective(words: Morphology, pieces: Sequence[Piece]) -> str | None:
    """Return the base form of an adjective that stands alone: "amerykańskich" → "amerykański"."""
    common = [one for one in pieces[0].readings if not one.labels & PROPER]
    is_alone = len(pieces) == 1 and not pieces[0].is_capitalised
    if not is_alone or not common or not all(one.pos == "adj" for one in common):
        return None
    if gazetteer().sightings(pieces[0].text):
        return None
    return render(words, common[0], "nom", number="sg", genders=frozenset({"m3"}))


def _without_preposition(
    pieces: Sequence[Piece], kind: NameKind | None
) -> tuple[tuple[Piece, ...], str | None]:
    """Take a leading preposition off; a title such as „W pustyni i w puszczy” keeps its own."""
    if not pieces[1:] or pieces[0].text.lower() not in _PREPOSITIONS:
        return tuple(pieces), None
    if pieces[0].is_capitalised and kind != "place":
        return tuple(pieces), None
    return tuple(pieces[1:]), pieces[0].text
