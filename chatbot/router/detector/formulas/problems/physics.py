"""Laws of school physics: energies, forces, currents, densities, pressure, momentum."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_OF_PHYSICS = Guarded(
    r"\b(?:energi\w+ (?:kinet|poten)|sil[aeęy]\b|natezeni|napieci|opor|gestos|cisnieni|"
    r"prac[eay]\b|moc\b|ped\b|przyspieszeni)"
)
_UNITS: tuple[tuple[str, str, str], ...] = (
    (r"mpskw", "acceleration", ""),
    (r"mps", "speed", ""),
    (r"kmh", "speed", "/3.6"),
    (r"k?g / (?:c m|d m|m) ?(?:\^ )?(?:3|s z)|k?g / (?:cmsz|litrow)", "density", ""),
    (r"cmsz|cm ?\^? ?3|c m \^ 3|cm szescienn\w+|centymetr\w* szescienn\w*", "volume", ""),
    (r"msz", "volume", ""),
    (r"mkw", "area", ""),
    (r"kg|kilo\w*", "mass", ""),
    (r"t|ton\w*", "mass", "*1000"),
    (r"g|gram\w*", "mass", "/1000"),
    (r"km|kilometr\w*", "length", "*1000"),
    (r"cm|centymetr\w*", "length", "/100"),
    (r"m|metr\w*", "length", ""),
    (r"kn|kiloniuton\w*", "force", "*1000"),
    (r"n|niuton\w*", "force", ""),
    (r"kv", "voltage", "*1000"),
    (r"v|wolt\w*", "voltage", ""),
    (r"ma|miliamper\w*", "current", "/1000"),
    (r"a|amper\w*", "current", ""),
    (r"om\w{0,2}|Ω|ω", "resistance", ""),
    (r"kw|kilowat\w*", "power", "*1000"),
    (r"w|wat\w*", "power", ""),
    (r"kj|kilodzul\w*", "work", "*1000"),
    (r"j|dzul\w*", "work", ""),
    (r"s|sekund\w*|sek", "time", ""),
    (r"min|minut\w*", "time", "*60"),
    (r"h|godzin\w*", "time", "*3600"),
)
_ANY_UNIT = "|".join(f"(?P<u{at}>{unit})" for at, (unit, _, _) in enumerate(_UNITS))
_QUANTITY = regex(rf"(?<![\w.]){NUMBER} (?:{_ANY_UNIT})(?![\w.])")
_LAWS: tuple[tuple[str, tuple[str, str], str], ...] = (
    (r"energi\w+ kinetyczn", ("mass", "speed"), "{0}*{1}**2/2"),
    (r"sil[aeęy]", ("mass", "acceleration"), "{0}*{1}"),
    (r"przyspieszeni", ("force", "mass"), "{0}/{1}"),
    (r"prac[aeęy]", ("force", "length"), "{0}*{1}"),
    (r"prac[aeęy]", ("power", "time"), "{0}*{1}"),
    (r"moc", ("work", "time"), "{0}/{1}"),
    (r"moc", ("voltage", "current"), "{0}*{1}"),
    (r"natezeni|prad", ("voltage", "resistance"), "{0}/{1}"),
    (r"natezeni|prad", ("power", "voltage"), "{0}/{1}"),
    (r"napieci", ("current", "resistance"), "{0}*{1}"),
    (r"opor", ("voltage", "current"), "{0}/{1}"),
    (r"gestos", ("mass", "volume"), "{0}/{1}"),
    (r"mas[aeęy]|wazy|ciezar", ("density", "volume"), "{0}*{1}"),
    (r"objetos", ("mass", "density"), "{0}/{1}"),
    (r"cisnieni", ("force", "area"), "{0}/{1}"),
    (r"ped\b", ("mass", "speed"), "{0}*{1}"),
)
_FREE_FALL = regex(r"\bg ?=? (?:=|rowne|to|wynosi)? ?(\d+(?:\.\d+)?)")
_RESISTORS = regex(r"\b(?P<way>szeregow|rownolegl)\w*")
_AS_TOLD = frozenset({"gestos", "objetos"})
_PAIR = 2


def read_physics(statement: Statement) -> str | None:
    """Return what a law makes of two quantities told with their units."""
    words = statement.words
    if not _OF_PHYSICS.search(words):
        return None
    if resistors := _read_resistors(words, statement):
        return resistors
    told = _told(words)
    if fallen := _read_potential(words, told):
        return fallen
    if len(told) != _PAIR or len(statement.quantities) > _most(words):
        return None
    for asked, kinds, written in _LAWS:
        if set(kinds) == set(told) and re.search(rf"\b(?:{asked})", words):
            keeps = asked in _AS_TOLD
            return written.format(*(told[kind][0 if keeps else 1] for kind in kinds))
    return None


def _most(words: str) -> int:
    """How many numbers there may be: "cm3" has one of its own."""
    return _PAIR + len(re.findall(r"\b[cd] ?m ?\^? ?[23]\b", words))


def _told(words: str) -> Mapping[str, tuple[str, str]]:
    """The quantities by their kind: as told, and in basic units."""
    found: dict[str, tuple[str, str]] = {}
    for one in _QUANTITY.finditer(words):
        at = next(at for at in range(len(_UNITS)) if one[f"u{at}"])
        _, kind, factor = _UNITS[at]
        found[kind] = (one[1], f"({one[1]}{factor})" if factor else one[1])
    return MappingProxyType(found)


def _read_potential(words: str, told: Mapping[str, tuple[str, str]]) -> str | None:
    """Read "energia potencjalna 5 kg na wysokości 10 m, g = 10"."""
    free = _FREE_FALL.search(words)
    if "potencjaln" not in words or free is None or not {"mass", "length"} <= told.keys():
        return None
    return f"{told['mass'][1]}*{free[1]}*{told['length'][1]}"


def _read_resistors(words: str, statement: Statement) -> str | None:
    """Read "trzy oporniki 4, 6 i 10 omów szeregowo"."""
    found = _RESISTORS.search(words)
    if found is None or not re.search(r"\b(?:opor\w*|rezystor\w*|om\w{0,2})\b", words):
        return None
    values = [
        one.text for one in statement.quantities if not one.unit.startswith(("opor", "rezys"))
    ]
    if len(values) < _PAIR:
        return None
    if found["way"] == "szeregow":
        return " + ".join(values)
    return f"1/({' + '.join(f'1/{one}' for one in values)})"
