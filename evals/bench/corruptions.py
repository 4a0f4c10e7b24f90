"""What a router model does to Polish names, done to order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from chatbot.language import fold

_FOREIGN = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "åčêlñòšžžÅČÊLÑÒŠŽŽ")
_MISREAD = ("cp1252", "cp1250", "latin-1")
_LETTERS = "aeiorntszkw"
_SHORTEST = 4  # letters of a name that is misspelt
_CUT_FROM = 6  # letters of a name that is cut
_CUT_TO = 0.7


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A name: its base form, the form that a prompt has (empty: unknown), its foreign names."""

    name: str
    form: str = ""
    foreign: tuple[str, ...] = ()


def corruptions(mention: Mention, seed: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of a corruption's name and the corrupted name, the same for the same seed."""
    chance = Random(f"{seed}/{mention.name}")  # noqa: S311 - repeatable
    for label, corrupt in _CORRUPTIONS.items():
        corrupted = corrupt(mention, chance)
        if corrupted and corrupted != mention.name:
            yield label, corrupted
    yield from (("exonym", name) for name in mention.foreign)


def _plain(mention: Mention, _: Random) -> str:
    folded = fold(mention.name)
    pairs = zip(mention.name, folded, strict=False)
    return "".join(new.upper() if old.isupper() else new for old, new in pairs)


def _lower(mention: Mention, _: Random) -> str:
    return mention.name.lower()


def _foreign(mention: Mention, _: Random) -> str:
    return mention.name.translate(_FOREIGN)


def _misread(mention: Mention, chance: Random) -> str:
    raw = mention.name.encode()
    return raw.decode(chance.choice(_MISREAD), errors="replace")


def _typo(mention: Mention, chance: Random) -> str:
    name = mention.name
    if len(name) < _SHORTEST:
        return ""
    at = chance.randrange(1, len(name) - 1)
    if not name[at : at + 2].isalpha():
        return ""
    return chance.choice((
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        name[:at] + chance.choice(_LETTERS) + name[at + 1 :],
    ))


def _truncated(mention: Mention, _: Random) -> str:
    name = mention.name
    return name[: round(len(name) * _CUT_TO)].strip(" -") if len(name) >= _CUT_FROM else ""


def _inflected(mention: Mention, _: Random) -> str:
    return mention.form


def _half(mention: Mention, _: Random) -> str:
    """Only the first word in its base form; a single word inflected and without diacritics."""
    own, form = mention.name.split(" "), mention.form.split(" ")
    if len(own) != len(form):
        return ""
    if len(own) == 1:
        return _plain(Mention(name=mention.form), Random(0)) if mention.form else ""  # noqa: S311
    return " ".join((own[0], *form[1:]))


def _unjoined(mention: Mention, _: Random) -> str:
    return mention.name.replace("-", " ")


_CORRUPTIONS: Mapping[str, Callable[[Mention, Random], str]] = MappingProxyType({
    "no diacritics": _plain,
    "lower case": _lower,
    "foreign letters": _foreign,
    "mojibake": _misread,
    "typo": _typo,
    "truncated": _truncated,
    "inflected": _inflected,
    "half inflected": _half,
    "no hyphen": _unjoined,
})
