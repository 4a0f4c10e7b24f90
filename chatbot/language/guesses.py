"""Guess the readings of words that the dictionary does not know, by their endings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from chatbot.language.morphology import Reading
from chatbot.language.patterns import regex
from chatbot.types import NameKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """One inflected ending, the nominative ending it comes from, and when it can be so."""

    form: str
    base: str
    cases: str
    gender: str
    number: str = "sg"


def _rows(gender: str, table: str, *, number: str = "sg") -> Iterator[Ending]:
    for row in table.split():
        form, base, cases = row.split(":")
        yield Ending(
            form=form.strip("_"),
            base=base.strip("_"),
            cases=cases,
            gender=gender,
            number=number,
        )


# Longer endings stand first: the first that fits a case is taken for it. "_" is no ending.
_PERSON_ENDINGS: tuple[Ending, ...] = (
    *_rows(
        "m1",
        "enki:enko:gen enkę:enko:acc.gen enką:enko:inst ence:enko:dat.loc yego:y:gen.acc "
        "yemu:y:dat yem:y:inst.loc "
        "skiego:ski:gen.acc skiemu:ski:dat skim:ski:inst.loc ckiego:cki:gen.acc ckiemu:cki:dat "
        "ckim:cki:inst.loc dzkiego:dzki:gen.acc dzkim:dzki:inst.loc 'ego:_:gen.acc 'emu:_:dat "
        "'em:_:inst 'm:_:inst.loc 'a:_:gen.acc 'owi:_:dat 'ie:_:loc 'u:_:loc kiego:ki:gen.acc "
        "kiemu:ki:dat giego:gi:gen.acc "
        "iego:i:gen.acc iemu:i:dat im:i:inst.loc ego:y:gen.acc emu:y:dat ym:y:inst.loc",
    ),
    *_rows(
        "m1",
        "owi:_:dat kiem:k:inst giem:g:inst niem:ń:inst cem:c:inst em:_:inst ą:a:inst "
        "szka:szek:gen.acc czka:czek:gen.acc rka:rek:gen.acc lka:lek:gen.acc "
        "pka:pek:gen.acc tka:tek:gen.acc čka:ček:gen.acc pkiem:pek:inst tkiem:tek:inst "
        "čkiem:ček:inst pkowi:pek:dat tkowi:tek:dat čkowi:ček:dat "
        "ńca:niec:gen.acc wca:wiec:gen.acc a:_:gen.acc ę:a:acc "
        "cie:t:loc dzie:d:loc rze:r:loc le:ł:loc wie:w:loc nie:n:loc mie:m:loc pie:p:loc "
        "bie:b:loc zie:z:loc sie:s:loc fie:f:loc ku:k:loc gu:g:loc chu:ch:loc u:_:loc "
        "ki:ka:gen gi:ga:gen li:la:gen y:a:gen",
    ),
    *_rows(
        "f",
        "skiej:ska:gen.dat.loc ską:ska:acc.inst ckiej:cka:gen.dat.loc cką:cka:acc.inst "
        "owej:owa:gen.dat.loc ową:owa:acc.inst ej:a:gen.dat.loc ą:a:acc.inst",
    ),
    *_rows(
        "f",
        "ównie:ówna:loc.dat ówny:ówna:gen ównę:ówna:acc ówną:ówna:inst ę:a:acc ą:a:inst "
        "ii:ia:gen.dat.loc ki:ka:gen gi:ga:gen ce:ka:dat.loc dze:ga:dat.loc rze:ra:dat.loc "
        "le:ła:dat.loc cie:ta:dat.loc dzie:da:dat.loc nie:na:dat.loc wie:wa:dat.loc mie:ma:dat.loc "
        "sie:sa:dat.loc zie:za:dat.loc li:la:gen.dat.loc ni:nia:gen.dat.loc y:a:gen",
    ),
)
_PLACE_ENDINGS: tuple[Ending, ...] = (
    *_rows(
        "n",
        "icach:ice:loc ycach:yce:loc icami:ice:inst icom:ice:dat ic:ice:gen yc:yce:gen",
        number="pl",
    ),
    *_rows("n", "ach:y:loc ami:y:inst om:y:dat", number="pl"),
    *_rows(
        "m3",
        "anie:an:loc enie:en:loc rcie:rt:loc lcie:lt:loc ncie:nt:loc odzie:od:loc ardzie:ard:loc "
        "urze:ur:loc erze:er:loc irze:ir:loc "
        "ńcu:niec:loc ńca:niec:gen ńcem:niec:inst wcu:wiec:loc wca:wiec:gen wcem:wiec:inst "
        "akiem:ak:inst ikiem:ik:inst ykiem:yk:inst okiem:ok:inst ukiem:uk:inst "
        "aku:ak:loc iku:ik:loc yku:yk:loc oku:ok:loc uku:uk:loc aka:ak:gen ika:ik:gen yka:yk:gen "
        "owie:ów:loc owem:ów:inst owowi:ów:dat owa:ów:gen inie:in:loc ynie:yn:loc ku:ek:loc "
        "cu:ec:loc ka:ek:gen ca:ec:gen kiem:ek:inst cem:ec:inst",
    ),
    *_rows("f", "unie:una:loc.dat onie:ona:loc.dat"),
    *_rows(
        "n",
        "ewie:ewo:loc ewa:ewo:gen nie:no:loc na:no:gen sku:sko:loc ska:sko:gen cku:cko:loc "
        "nem:ne:loc skiem:skie:loc ckiem:ckie:loc nego:ne:gen skiego:skie:gen ckiego:ckie:gen "
        "em:o:inst iu:ie:loc ia:ie:gen",
    ),
    *_rows(
        "f",
        "nicy:nica:gen.dat.loc nicę:nica:acc nicą:nica:inst ówce:ówka:dat.loc ce:ka:dat.loc "
        "ki:ka:gen dze:ga:dat.loc rze:ra:dat.loc ii:ia:gen.dat.loc yi:ya:gen.dat.loc "
        "cie:ta:dat.loc dzie:da:dat.loc wie:wa:dat.loc le:ła:dat.loc ę:a:acc ą:a:inst y:a:gen "
        "kiej:ka:gen.dat.loc giej:ga:gen.dat.loc ej:a:gen.dat.loc i:ia:gen.dat.loc",
    ),
    *_rows(
        "m3",
        "cie:t:loc dzie:d:loc rze:r:loc le:ł:loc wie:w:loc mie:m:loc pie:p:loc bie:b:loc "
        "zie:z:loc sie:s:loc gu:g:loc chu:ch:loc u:_:loc em:_:inst owi:_:dat a:_:gen u:_:gen",
    ),
)
_TOPIC_ENDINGS: tuple[Ending, ...] = (
    *_rows(
        "m3",
        "'owi:_:dat 'em:_:inst 'u:_:gen.loc 'a:_:gen owi:_:dat kiem:k:inst giem:g:inst em:_:inst "
        "cie:t:loc ście:st:loc dzie:d:loc rze:r:loc le:l:loc wie:w:loc nie:n:loc mie:m:loc "
        "pie:p:loc bie:b:loc zie:z:loc sie:s:loc fie:f:loc u:_:gen.loc a:_:gen",
    ),
    *_PERSON_ENDINGS,
)


def _by_letter(endings: tuple[Ending, ...]) -> Mapping[str, tuple[Ending, ...]]:
    """Group endings by their last letter, in their order."""
    letters = sorted({ending.form[-1] for ending in endings})
    return MappingProxyType({
        letter: tuple(ending for ending in endings if ending.form[-1] == letter)
        for letter in letters
    })


_BY_LETTER: Mapping[NameKind, Mapping[str, tuple[Ending, ...]]] = MappingProxyType({
    "person": _by_letter(_PERSON_ENDINGS),
    "place": _by_letter(_PLACE_ENDINGS),
    "topic": _by_letter(_TOPIC_ENDINGS),
})
_SHORTEST_STEM = 2
_SHORTER_BY = 2


# Endings of adjectives: the form, its cases, number and genders.
_ADJECTIVES = (
    ("ego", "gen", "sg", "m1.m2.m3.n"),
    ("ego", "acc", "sg", "m1.m2"),
    ("emu", "dat", "sg", "m1.m2.m3.n"),
    ("ym", "inst.loc", "sg", "m1.m2.m3.n"),
    ("ym", "dat", "pl", "m1.m2.m3.f.n"),
    ("em", "inst.loc", "sg", "n"),
    ("ej", "gen.dat.loc", "sg", "f"),
    ("ą", "acc.inst", "sg", "f"),
    ("ych", "gen.loc", "pl", "m1.m2.m3.f.n"),
    ("ymi", "inst", "pl", "m1.m2.m3.f.n"),
    ("e", "acc", "pl", "m2.m3.f.n"),
)
_ADJECTIVE = regex(r"(.{2}(?:(?:s|c|dz)k(?=[ią])|ow(?!i)))i?(?:ego|emu|ej|em|y?mi|y?ch|y?m|e|ą)$")


def guess_adjective(word: str, gender: str) -> tuple[Reading, ...]:
    """Return the readings of an unknown word as an adjective in -ski, -cki or -owy."""
    found = _ADJECTIVE.search(word)
    if found is None:
        return ()
    nominative = {"sg": {"f": "a", "n": "e"}.get(gender, "y"), "pl": "e"}
    return tuple(
        _adjective(_ended(word[: found.end(1)], nominative[number]), cases, number, gender)
        for form, cases, number, genders in _ADJECTIVES
        if _ended(word[: found.end(1)], form) == word and gender in genders.split(".")
    )


def _ended(stem: str, ending: str) -> str:
    """Put an ending to a stem; after "k" it has "i": "-skie", "-ski"."""
    is_soft = stem.endswith("k") and ending[0] in "ey"
    return f"{stem}i{ending.removeprefix('y')}" if is_soft else stem + ending


def _adjective(nominative: str, cases: str, number: str, gender: str) -> Reading:
    return Reading(
        lemma=nominative,
        key=nominative,
        pos="adj",
        cases=frozenset(cases.split(".")),
        numbers=frozenset({number}),
        genders=frozenset({gender}),
        labels=frozenset({"guessed"}),
        qualifiers=frozenset(),
        nominative=nominative,
    )


def guess(word: str, case: str, *, kind: NameKind) -> tuple[Reading, ...]:
    """Return what an unknown word may be in ``case``: the first fitting ending of each gender.

    Where a long ending fits ("-skiemu"), the short ones within it ("-u") are not considered.
    """
    found: dict[tuple[str, str], Reading] = {}
    for ending, stem in _fitting(word.replace("’", "'"), kind):
        place = (ending.gender, ending.number)
        if place not in found and case in ending.cases.split("."):
            found[place] = _guessed(f"{stem}{ending.base}", case, ending)
    return tuple(found.values())


@lru_cache(maxsize=4_096)
def _fitting(word: str, kind: NameKind) -> tuple[tuple[Ending, str], ...]:
    """Return the endings that a word may have, with its stem before each; not much shorter ones."""
    fitting = [
        (ending, word.removesuffix(ending.form))
        for ending in _BY_LETTER[kind].get(word[-1:], ())
        if word.endswith(ending.form) and len(word) - len(ending.form) >= _SHORTEST_STEM
    ]
    longest = max((len(ending.form) for ending, _ in fitting), default=0)
    return tuple(pair for pair in fitting if len(pair[0].form) >= longest - _SHORTER_BY)


def undeclined(word: str, case: str, genders: frozenset[str]) -> Reading:
    """Read an unknown word as one that does not inflect."""
    return Reading(
        lemma=word,
        key=word,
        pos="subst",
        cases=frozenset({case}),
        numbers=frozenset({"sg"}),
        genders=genders,
        labels=frozenset({"unknown"}),
        qualifiers=frozenset(),
        nominative=word,
    )


def _guessed(nominative: str, case: str, ending: Ending) -> Reading:
    return Reading(
        lemma=nominative,
        key=nominative,
        pos="subst",
        cases=frozenset({case}),
        numbers=frozenset({ending.number}),
        genders=frozenset({ending.gender}),
        labels=frozenset({"guessed"}),
        qualifiers=frozenset(),
        nominative=nominative,
    )


_LOCATIVES = (
    ("ów", "owie"),
    ("owo", "owie"),
    ("ewo", "ewie"),
    ("ice", "icach"),
    ("yce", "ycach"),
    ("nica", "nicy"),
    ("in", "inie"),
    ("yn", "ynie"),
    ("sko", "sku"),
    ("cko", "cku"),
    ("ówka", "ówce"),
    ("nka", "nce"),
    ("ówek", "ówku"),
    ("owa", "owej"),
    ("szcze", "szczach"),
    ("no", "nie"),
)


def guess_locative(name: str) -> str | None:
    """Return the locative of an unknown name with a typically Polish ending, else ``None``."""
    if " " in name or "-" in name:
        return None
    for ending, locative in _LOCATIVES:
        if name.endswith(ending) and len(name) > len(ending) + 1:
            return name.removesuffix(ending) + locative
    return None
