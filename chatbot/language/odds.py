"""How much an unknown word looks like an inflected form, by its ending."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.types import NameKind

_CONSONANT = "[bcdfghjklmnprstwvxzłżźćńśq]"
_PLAINLY = 3.2
_SURELY = 2.4
_LIKELY = 2.0
_POSSIBLY = 1.5
_HARDLY = 0.5
_PLAINLY_INFLECTED = regex(
    rf".{{2}}(?:[’'´]\w{{1,4}}|[^d]iego|[^i]ego|emu|owi|{_CONSONANT}i?em|[sc]kim)$"
)
_INFLECTED = regex(
    rf".{{2}}(?:[ęą]|owej|(?<!b)ach|ami"
    rf"|ówny|owie|ii|(?:dz|ś?c|{_CONSONANT}rz|kl)ie)$"
)
# Endings of men's names, mostly foreign, that are seen in "-a" as the genitive of an unknown one …
_MEN = tuple(
    f"{ending}a"
    for ending in """
    er ing ig yg rg gg son mon ton ilon man mayn llan xan ben ten een kin nin un ld rd mond bus lus
    tus uus ns rs us ius aeus es os ys cis ris vis wis x ks ez rrick duck beck brock rack ak ek yk
    ch ph sh th icz owic esz usz ysz aj ej well lt rt lbot ham lm tz au ff vel mel nel ael iel yal
    aal ual ul yl gal ij oop if of uf oleksandr ołeksandr min
    """.split()  # noqa: SIM905 - one ending a line would be 70 lines
)
# … and of women's names and others that end in "-a" themselves.
_WOMEN = tuple(
    f"{ending}a"
    for ending in ("i", "lin", "tin", "sk", "ck", "zk", "ell", "tt", "lis", "ówn", "lind")
)
_INFLECTED_AS: Mapping[NameKind | None, tuple[tuple[float, re.Pattern[str]], ...]] = (
    MappingProxyType({
        "place": (
            (_SURELY, regex(rf"{_CONSONANT}ie$|[iy]cy$|iej$")),
            (_SURELY, regex(r"[bcfghjklmnprswzłżźćńśq]u$")),
            (_POSSIBLY, regex(r"[dt]u$|[^iy]ce$|dze$")),
            (_LIKELY, regex(r"[uei]rze$")),
        ),
        "person": (
            (_LIKELY, regex(rf".{_CONSONANT}{{2}}ie$|(?:[ai]n|[rg]ad|rid|[^aei]w|rt|own)y$")),
            (_LIKELY, regex(r"([lrstz])\1im$|enki$")),
            (_POSSIBLY, regex(rf".{_CONSONANT}[au]$")),
        ),
        "topic": (
            (_SURELY, regex(r"iej$|[bcfghklmnprswxzłżźćńśq]u$|[mnrpst]ie$|[^n]dze$|rze$")),
            (_LIKELY, regex(r"(?:[iou]ng|sh|x|ks|[io]p|(?:st|ck|tl|tt|yk)er)a$")),
        ),
    })
)


def inflection_odds(word: str, *, kind: NameKind | None) -> float:
    """Price an unknown word as a nominative, by how much its ending looks like another case."""
    lower = word.lower()
    if _PLAINLY_INFLECTED.search(lower):
        return _PLAINLY
    if _INFLECTED.search(lower):
        return _SURELY
    if kind == "person" and lower.endswith(_MEN):
        return _LIKELY
    if kind == "person" and lower.endswith(_WOMEN):
        return _HARDLY
    for price, ending in _INFLECTED_AS.get(kind, ()):
        if ending.search(lower):
            return price
    return _HARDLY
