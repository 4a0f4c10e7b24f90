"""What a prompt says of what it only points at, put to the thing itself: "tego misia w lesie"."""

import re
from itertools import zip_longest

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture import read_description
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.requests import ASKED
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import bare, clauses_of, is_object, nominative
from chatbot.router.dialogue.drawings.editing import join_up
from chatbot.router.dialogue.drawings.fresh import names_thing
from chatbot.router.dialogue.drawings.reactions import is_reaction, without_reactions
from chatbot.router.dialogue.mentions import nouns_of

_POINTED = regex(
    r"(?:ale |a |i |wlasnie |dokladnie )?(?:t(?:en|a|o|e|ego|ej|ych|ymi|ym|emu|amt\w+)|ci|"
    r"tak(?:i|a|ie|iego|iej|ich|im|imi))(?= \w{2,})"
)
"""What points at a thing that is named beside it: "ten miś", "takiego misia"."""

_OWNED = regex(r"\b(?:jego|jej|ich) (?=[^\W\d]{3})")
_INNER = regex(
    r"\b(?:t(?:en|a|o|e|ego|ej|ych|ymi|ym|emu)|tak(?:i|a|ie|iego|iej|ich|im|imi)|tamtejsz\w+) "
    r"(?=[^\W\d]{3})(?!sam\w{0,3}\b)|(?<=, )to (?=(?:na|do|dla) )|"
    r" ?\bna (?:obrazku|obrazie|rysunku|ilustracji|grafice)$|"
    rf"\b(?:na|dla|o|do|z) (?:nie|niego|niej|nich|nim|nia|nimi|tego|to) (?={MEDIUM})"
)
_PRONOUNS = regex(
    r"^(?:(?:go|ja|je|jego|jej|ich|on|ona|oni|one|nim|nia|niej|nimi|to|tego|tej|ten|ta|te|tym|tych|"
    r"tak(?:i|a|ie|iego|iej|ich|im|imi)|jedn(?:ego|a|ej|o)|z (?:nim|nia|nimi|niego|niej|nich|tego)|"
    r"o (?:nim|niej|nich|tym)|oraz|ale|tylko|po prostu|wlasnie|dokladnie|jak "
    r"(?:to|on|ona) (?:by )?(?:mogl\w* )?wyglad\w*)(?:[\s,.:]+|$))+"
)
_ORDINAL = regex(r"(?:pierwsz|drug|trzeci|ostatni|poprzedni)\w*(?: z nich)?(?=,|$)")
_AS = regex(r"jako (?=\w)")
_AGAIN = regex(r"(?:to )?(?:jeszcze raz|od nowa|od poczatku|na nowo|ponownie|znow\w*)\W*")
_ANY_MEDIUM = regex(rf"(?:\W|na|to|go|ja|je|prosze|teraz|mi|no|{MEDIUM})*")
_KINDS = frozenset({
    "zwierz", "zwierze", "zwierzatko", "zwierzak", "ptak", "ptaszek", "ryba", "roslina", "kwiat",
    "kwiatek", "drzewo", "owad", "gad", "plaz", "ssak", "miasto", "miasteczko", "miejsce", "osoba",
    "postac", "pan", "pani", "facet", "gosc", "kobieta", "czlowiek", "budynek", "budowla", "gora",
    "rzeka", "jezioro", "wyspa", "zjawisko", "rzecz", "stwor", "stworek", "stworzenie",
})  # fmt: skip
"""What a thing is called that was named before: "narysuj tę rybę" after the pike."""
_QUALITIES = frozenset({"adj", "ppas", "pact", "num"})
_LONGEST_NAME = 4  # words


def said_of(text: str) -> str:
    """Return what a prompt says of a picture, without asking, praise and pronouns."""
    rest = _without(_OWNED, without_reactions(text))
    asked = ASKED.search(fold_evenly(rest))
    said = _asked_for(rest, asked) if asked is not None else _told(rest)
    if _POINTED.match(fold_evenly(said)) is not None:
        return said
    led = _PRONOUNS.match(fold_evenly(said))
    said = said[led.end() :] if led is not None else said
    if is_object(said) and _may_be_accusative(said):
        return nominative(said)
    way = _AS.match(fold_evenly(said))
    return f"{way[0]}{nominative(said[way.end() :])}" if way is not None else said


def shown(subject: str, said: str) -> str:
    """Return a picture of ``subject`` of which a prompt says ``said``.

    A noun that only names the subject once more is left out, unless an adjective tells more.
    """
    pointed = _POINTED.match(fold_evenly(said))
    rest = said[pointed.end() :].strip() if pointed is not None else said
    if pointed is not None and (order := _ORDINAL.match(fold_evenly(rest))) is not None:
        rest = rest[order.end() :].strip(" ,")
    if (head := _head(rest)) is not None and len(subject.split()) <= _LONGEST_NAME:
        before, after = rest[: head.start].strip(), rest[head.end :].strip(" ,")
        is_same = _names(head.text, subject)
        if before and is_same and " " not in subject:
            return unpointed(f"{before} {subject.lower()} {after}".strip())
        if not before and (is_same or (pointed is not None and _KINDS & nouns_of(head.text))):
            rest = after
    return join_up(subject, [unpointed(rest)] if rest else [])


def unpointed(said: str) -> str:
    """Leave out what points at things that are named beside it: "plakat z tym łazikiem"."""
    return _without(_INNER, said)


def _without(pattern: re.Pattern[str], text: str) -> str:
    while (found := pattern.search(fold_evenly(text))) is not None:
        text = text[: found.start()] + text[found.end() :]
    return text


def _asked_for(text: str, asked: re.Match[str]) -> str:
    """What is asked for; an object before the request goes on behind it: "tego psa zrób dużego"."""
    before, after = text[: asked.start()].strip(" ,"), text[asked.end() :].strip()
    if before and _AGAIN.fullmatch(fold_evenly(after)):
        return _told(before)
    if is_reaction(before):
        return read_description(text[asked.start() :]) or ""
    if after and _POINTED.match(fold_evenly(before)) and not names_thing(after):
        return bare(f"{nominative(before)} {nominative(after)}")
    return read_description(text) or _manner(after)


def _manner(after: str) -> str:
    """What is asked for where it names no thing: "portret ołówkiem", "tuszem"."""
    said = bare(after)
    return "" if _ANY_MEDIUM.fullmatch(fold_evenly(said)) else said


def _told(text: str) -> str:
    return ", ".join(one for clause in clauses_of(text) if (one := bare(clause)))


def _may_be_accusative(phrase: str) -> bool:
    readings = morphology().readings(split_words(phrase)[0].text)
    return any("acc" in one.cases for one in readings)


def _head(phrase: str) -> Span | None:
    """The noun with which a phrase begins, adjectives before it or not."""
    words = split_words(phrase)
    for word, after in zip_longest(words, words[1:]):
        readings = [one for one in morphology().readings(word.text) if one.pos != "brev"]
        is_adjective = any(one.pos in _QUALITIES for one in readings)
        if not word.text[0].isalpha() or not (is_adjective or _may_be_noun(word)):
            return None
        if _may_be_noun(word) and not (is_adjective and after and _may_be_noun(after)):
            return word
    return None


def _may_be_noun(word: Span) -> bool:
    readings = [one for one in morphology().readings(word.text) if one.pos != "brev"]
    return not readings or any(one.pos in {"subst", "depr"} for one in readings)


def _names(noun: str, subject: str) -> bool:
    """Whether a noun is one of the subject's, or its diminutive in all but the nominative."""
    if any(nouns_of(noun) & nouns_of(word.text) for word in split_words(subject)):
        return True
    return " " not in subject and bool(_forms(noun.lower()) & _forms(subject.lower()))


def _forms(noun: str) -> frozenset[str]:
    readings = (one for one in morphology().readings(noun) if one.pos == "subst")
    return frozenset(form.text.lower() for one in readings for form in morphology().forms(one.key))
