"""Bring an inflected name or phrase to its base form."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.morphology import Case, morphology
from chatbot.language.phrases import Piece, parse_phrase, split_phrase, write_phrase
from chatbot.language.places import Sighting, gazetteer
from chatbot.types import NameKind

Prices = tuple[tuple[Case, float], ...]

_OTHERWISE = 6.0  # the price of a case that the preposition does not govern
_FREE: Prices = (
    ("nom", 0.0),
    ("gen", 1.0),
    ("acc", 1.1),
    ("loc", 1.2),
    ("inst", 1.3),
    ("dat", 1.4),
)


def _governs(*cases: Case) -> Prices:
    wanted = {case: 0.3 * order for order, case in enumerate(cases)}
    return tuple((case, wanted.get(case, _OTHERWISE)) for case, _ in _FREE)


_GENITIVE = _governs("gen")
_PREPOSITIONS: Mapping[str, Prices] = MappingProxyType({
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
    **dict.fromkeys(("przez", "poprzez", "przeze"), _governs("acc")),
    **dict.fromkeys(("ku", "dzięki", "wbrew", "przeciw", "przeciwko"), _governs("dat")),
})
_QUOTES = "„”“\"«»'‚’ \t\n"
_STOPS = ".,;:!?…"


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
    bare = phrase.strip(_QUOTES).rstrip(_STOPS).strip(_QUOTES)
    pieces, rest = split_phrase(words, bare)
    pieces, found = _without_preposition(pieces, kind)
    if not pieces:
        return bare
    prices = _PREPOSITIONS.get((preposition or found or "").lower(), _FREE)
    known = _known_place(
        "".join(piece.before + piece.text for piece in pieces).strip(), kind, prices
    )
    if known is not None:
        return known + rest
    parse = parse_phrase(pieces, kind=kind, cases=prices)
    written = None if parse is None else write_phrase(words, pieces, parse, "nom")
    return (bare if written is None else written + rest).strip()


def _known_place(name: str, kind: NameKind | None, prices: Prices) -> str | None:
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


def _without_preposition(
    pieces: Sequence[Piece], kind: NameKind | None
) -> tuple[tuple[Piece, ...], str | None]:
    """Take a leading preposition off; a title such as „W pustyni i w puszczy” keeps its own."""
    if len(pieces) < 2 or pieces[0].text.lower() not in _PREPOSITIONS:  # noqa: PLR2004 - and a name
        return tuple(pieces), None
    if pieces[0].is_capitalised and kind != "place":
        return tuple(pieces), None
    return tuple(pieces[1:]), pieces[0].text
