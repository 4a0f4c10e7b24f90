"""Whom a prompt means by a role that the conversation tells: "a mąż jak zginął?"."""

import re
from collections.abc import Iterator, Sequence

from chatbot.language.first_names import Gender
from chatbot.language.morphology import Reading, morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.articles.bearers import bearers, is_womans
from chatbot.router.dialogue.mentions import (
    Mention,
    find_mentions,
    nouns_of,
    texts_of,
    topic_of,
)
from chatbot.router.dialogue.naming import PEOPLE, gender_of, is_people, is_person
from chatbot.router.dialogue.scene import Scene

_POINTING = frozenset({
    "ten", "ta", "te", "tego", "tej", "temu", "tym", "tamten", "tamta", "tamtego", "tamtej",
    "tamtym", "ow", "owa", "owego", "owej", "owemu", "owym", "sam", "sama",
})  # fmt: skip
_PRONOUNS = frozenset({"kto", "ktoś", "nikt", "co", "coś", "nic", "ktokolwiek"})
_ANYONE = frozenset({
    "facet", "gosc", "koles", "czlowiek", "mezczyzna", "typ", "kobieta", "babka", "kobitka",
    "laska", "jegomosc", "chlop",
})  # fmt: skip
_ASKING = regex(r"(?:jak(?:i|a|iego|iej|im|is|as)|ktor\w+|czyj\w*|ile|ilu|inn\w+|kazd\w+|nie)$")
_OWN_END = regex(
    r"\s+(?:(?:od|z|ze)\s+(?!kim|czym|jak|kt[óo]r|nich|nim|ni[ąa])\w|(?:w|we|na|do)\s+[A-ZĄĆĘŁŃÓŚŹŻ])"
)
_LINKS = r"(?:a|i|oraz|ale|lecz|lub|w|we|na|z|ze|o|od|do|u|za|dla|przez|któr\w+|jak)\b"
_SMALL = rf"(?:(?:po )?(?!{_LINKS})[a-ząćęłńóśźż-]+ ){{0,3}}"
_IS = r"(?:był[aoy]?|jest|to|został[ao]?|pozostaje)"
_AT_ONCE = regex(rf"(?:,| –| -|:)? (?:{_IS} )?{_SMALL}$")
_AFTER_OTHER = regex(rf"(?:,| –)? {_IS} {_SMALL}$")
_BEFORE = regex(rf"(?: \([^()]*\))?(?:,| –| {_IS}) {_SMALL}$")
_BOUND = regex(r"\b(?:z|ze|o|od|do|dla|przez|u|za|przed|po|przy|przeciw) $")
_STOP = regex(r"[.!?;](?:\s|$)")
_DEEDS = {
    "kompozytor": r"\b(?:muzyk|skompon)", "rezyser": r"rezyser", "odkrywca": r"odkry",
    "aktor": r"\b(?:za|wy)?gra(?:l\w*|ja)?\b", "aktorka": r"\b(?:za|wy)?gra(?:l\w*|ja)?\b",
    "malarz": r"malowa", "wynalazca": r"\b(?:wynal|skonstru)", "architekt": r"projekt",
    "zalozyciel": r"\bzaloz", "pisarz": r"\bnapisal", "autor": r"\bnapisal", "poeta": r"\bnapisal",
    "autorka": r"\bnapisal", "pisarka": r"\bnapisal", "rezyserka": r"rezyser",
    "tlumacz": r"przeloz|przetlumacz", "scenarzysta": r"\bscenari", "rzezbiarz": r"rzezb",
    "astronom": r"odkry", "badacz": r"odkry", "uczony": r"odkry|wynal", "lekarz": r"odkry",
    "chemik": r"odkry|wynal", "fizyk": r"odkry|wynal", "naukowiec": r"odkry|wynal",
    "podroznik": r"odkry|dotar|oplyn", "zwyciezca": r"\bwygra",
    "wokalista": r"\b(?:za)?spiewa", "wokalistka": r"\b(?:za)?spiewa",
}  # fmt: skip
_KIN = frozenset({"syn", "brat", "ojciec", "corka", "siostra"})
_POINTS = regex(
    r"\b(?:t(?:en|a|ego|ej|emu|ym)|tamt(?:en|a|ego|ej|ym)|ow(?:a|ego|ej|emu|ym)?) (?=\w{4})"
)
_FEW, _MANY = 12, 20  # words of a prompt, and of one that points


def role_meant(scene: Scene) -> str | None:
    """Return who bears the role that a prompt names instead of a name.

    "Mężem Marii był Piotr Curie" tells whom "a mąż jak zginął?" means, "odkrył je Asaph Hall"
    whom "ten odkrywca" does. ``None`` where the prompt has a name, where the role has its other
    end beside it ("mąż królowej"), or where nobody is told to bear it.
    """
    longest = _MANY if _POINTS.search(scene.folded) else _FEW
    if scene.size > longest or _names_subject(scene.text):
        return None
    roles = tuple(_roles(scene.words, scene.text))
    if len(roles) != 1:
        return None
    (role,) = roles
    tell = _anyone if role & _ANYONE else _bearer
    found = (tell(text, role) for text in texts_of(scene))
    name = next((one for one in found if one is not None), None) or _pointed_at(scene, role)
    return None if name is None else _with_surname(scene, name, role)


def _pointed_at(scene: Scene, role: frozenset[str]) -> str | None:
    """The only person of the latest text with any, where a prompt points: "ten kosmonauta"."""
    pointed = (
        _nouns(scene.text[found.end() :].split(" ", 1)[0])
        for found in _POINTS.finditer(scene.folded)
    )
    if role & _KIN or not any(role & nouns for nouns in pointed):
        return None
    told = (
        {one.name for one in find_mentions(text) if one.kind == "person"}
        for text in texts_of(scene)
    )
    people = next((one for one in told if one), set[str]())
    name = next(iter(people)) if len(people) == 1 else None
    return name if name and " " in name and _fits(name, role) else None


def kin_meant(scene: Scene, role: frozenset[str]) -> str | None:
    """Return who is told to bear a role that belongs to the one spoken of: "jej męża"."""
    found = (_bearer(text, role) for text in texts_of(scene))
    return next((one for one in found if one is not None), None)


def _names_subject(text: str) -> bool:
    """Whether a name may be the subject itself: "Eiffel co zbudował?", but not "dostała Nobla"."""
    return any(
        one.kind == "work" or (form == one.name and not is_people(form))
        for one in find_mentions(text)
        if (form := text[one.start : one.end])
    )


def _roles(words: Sequence[Span], text: str) -> Iterator[frozenset[str]]:
    """Give the nouns that say what somebody is, as subjects or pointed at, without another end."""
    for at, word in enumerate(words):
        before = words[at - 1].folded if at else ""
        is_pointed = before in _POINTING
        form = word.text if is_people(word.text) else word.text.lower()
        nouns = [one for one in readings_of(form) if one.pos == "subst" and "sg" in one.numbers]
        nouns = [one for one in nouns if one.lemma not in _PRONOUNS and _is_common(one)]
        roles = [one for one in nouns if "m1" in one.genders or is_womans(one.lemma)]
        lemmas = frozenset(one.lemma for one in roles)
        is_subject = is_pointed or any("nom" in one.cases for one in roles)
        is_doubtful = form.islower() and any(one.lemma not in lemmas for one in nouns)
        is_doubtful |= any(one.pos == "adv" for one in readings_of(form))  # "tam"
        if not lemmas or not is_subject or is_doubtful:
            continue
        if not _ASKING.match(before) and not _has_other_end(words, at, text):
            yield frozenset(map(fold_evenly, lemmas))


def _is_common(noun: Reading) -> bool:
    """Whether a noun is no name, but for that of a people: "Szwed", not "Jakim"."""
    return noun.lemma[:1].islower() or PEOPLE in noun.labels


def _has_other_end(words: Sequence[Span], at: int, text: str) -> bool:
    """Whether a role is somebody's: "mąż królowej", "aktorka od Yennefer", "brat Kaina"."""
    if _OWN_END.match(text, words[at].end):
        return True
    after = words[at + 1 : at + 3]
    if after and after[0].folded in {"jego", "jej", "ich"}:
        return any("gen" in _shared_cases(one.text) for one in after[1:])
    readings = morphology().readings(after[0].text) if after else ()
    return any(one.pos in {"subst", "adj"} and "gen" in one.cases for one in readings) and not any(
        one.pos in {"praet", "fin", "adv", "qub", "part"} or "nom" in one.cases for one in readings
    )


def _anyone(text: str, role: frozenset[str]) -> str | None:
    """The only person of whom a text tells, where the prompt says no more: "facet", "babka"."""
    told = {one.name for one in find_mentions(text) if one.kind == "person"}
    told |= {name for name, _ in bearers(text)}
    people = [one for one in told if _fits(one, role)]
    return people[0] if len(people) == 1 else None


def _bearer(text: str, role: frozenset[str]) -> str | None:
    return _borne(text, role) or done_by(text, role)


def _borne(text: str, role: frozenset[str]) -> str | None:
    """Whom a text calls so: beside the role, behind "był", or before it."""
    words = split_words(text)
    named = [one for one in find_mentions(text) if one.kind in {"person", "thing"}]
    for word in words:
        if not role & _nouns(word.text):
            continue
        for one in (_named_after(text, word, named), _named_before(text, word, named)):
            if one is not None and _fits(one.name, role):
                return one.name
    return None


def _nouns(word: str) -> frozenset[str]:
    """The nouns that a word can be a form of, names of peoples as well: "Szwed"."""
    peoples = (one.lemma for one in morphology().readings(word) if PEOPLE in one.labels)
    return nouns_of(word) | frozenset(map(fold_evenly, peoples))


def _named_after(text: str, word: Span, named: Sequence[Mention]) -> Mention | None:
    """The name in apposition to a role, or that of whom it is said: "żoną króla była Bona"."""
    after = [one for one in named if one.start >= word.end]
    if not after:
        return None
    first, *others = after
    is_copular = others and _AFTER_OTHER.match(text[first.end : others[0].start])
    if is_copular and _shared_cases(word.text) == {"inst"}:
        return others[0]
    is_next = _AT_ONCE.match(text[word.end : first.start]) is not None
    if is_next and not _is_complement(text, word, first):
        return first
    return others[0] if is_copular else None


def _is_complement(text: str, role: Span, one: Mention) -> bool:
    """Whether a name says whose role it is: "żoną Zygmunta"."""
    form = text[one.start : one.end]
    cases = _shared_cases(form)
    is_bound = _BOUND.search(fold_evenly(text[: role.start])) is not None
    if not cases:
        return form != one.name and not is_bound
    return not cases & _shared_cases(role.text) and ("nom" not in cases or is_bound)


def _shared_cases(name: str) -> frozenset[str]:
    """The cases that all words of a name can have; none where one of them is strange."""
    told = [_cases(word) for word in name.split()]
    return told[0].intersection(*told[1:])


def _cases(word: str) -> frozenset[str]:
    return frozenset({case for one in morphology().readings(word) for case in one.cases})


def _named_before(text: str, word: Span, named: Sequence[Mention]) -> Mention | None:
    """The subject of which a text says that it is one: "Nobel, Szwed", "Bona była żoną"."""
    before = [one for one in named if one.end <= word.start]
    is_told = bool(before) and _BEFORE.match(text[before[-1].end : word.start]) is not None
    return before[-1] if is_told else None


def done_by(text: str, role: frozenset[str]) -> str | None:
    """Return who does what one with this role does: "muzykę napisał Penderecki", a composer.

    The first name behind the deed within its sentence, else the last one before it.
    """
    deed = next((found for noun, found in _DEEDS.items() if noun in role), None)
    told = re.search(deed, fold_evenly(text)) if deed else None
    if told is None:
        return None
    stops = [one.start() for one in _STOP.finditer(text)]
    start = max((at for at in stops if at < told.start()), default=0)
    end = min((at for at in stops if at >= told.end()), default=len(text))
    named = [one for one in find_mentions(text) if one.kind in {"person", "thing"}]
    people = [one for one in named if start <= one.start < end and _fits(one.name, role)]
    after = [one.name for one in people if one.start > told.start()]
    before = [one.name for one in people if one.start <= told.start()]
    return next(iter((*after[:1], *before[-1:])), None)


def _fits(name: str, role: frozenset[str]) -> bool:
    """Whether somebody can bear a role: no man is a daughter."""
    gender: Gender = "f" if any(map(_is_womans, role)) else "m"
    return gender_of(name) in {None, gender}


def _is_womans(folded: str) -> bool:
    return any(is_womans(one.lemma) for one in readings_of(folded))


def _with_surname(scene: Scene, name: str, role: frozenset[str]) -> str:
    """A first name with the surname of the family that is spoken of."""
    topic = topic_of(scene)
    if " " in name or not role & _KIN or topic is None or not is_person(topic):
        return name
    surname = topic.rsplit(" ", 1)[1]
    is_alike = gender_of(topic) == gender_of(name) or not surname.endswith("a")
    return f"{name} {surname}" if is_alike and surname.isalpha() and not surname.isupper() else name
