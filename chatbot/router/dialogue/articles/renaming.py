"""Corrections of what was looked up: "nie o Henryka, tylko o Karola", "chodzi mi o boga"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import PREPOSITIONS
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import Span, fold_evenly, joined, split_words
from chatbot.router.dialogue.articles.battlefields import other_battle
from chatbot.router.dialogue.articles.bearers import is_womans
from chatbot.router.dialogue.articles.other_bearers import other_bearer
from chatbot.router.dialogue.forecasts.namesakes import lying
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.mentions import find_mentions, nouns_of, shares_word
from chatbot.router.dialogue.naming import is_first_name, is_person, person_name, runs
from chatbot.router.dialogue.scene import Finding, Scene, call
from chatbot.router.dialogue.state import WIKIPEDIA
from chatbot.types import NameKind

_MEANT = regex(
    r"\b(?:mial(?:em|am) na mysli|chodzil?\w* (?:mi )?o|wole o|tylko o|pyta(?:m|lem|lam) o|"
    r"ale o|lecz o)\s+(?=\S)"
)
_LAST_MEANT = regex(
    r"^(?:\w+[, ]+){0,3}?o (?=[^,.]{3,40} (?:(?:mi )?chodzi(?:lo)?|pyta(?:lem|lam|m))\W*$)"
)
_SLIP = regex(
    r"^(?:\w+ )?(?:pomylil\w+ sie|przejezyczyl\w+ sie|sor(?:ki|y|ry)|ups|oj|przepraszam)[,.! ]+"
    r"(?:(?:mial\w* byc|chodzi o|to) )?"
)
_OTHER_KIND = regex(r"^(?:\w+[, ]+)?nie (?:ten |ta |to )?(\w+),? (?:tylko|ale|lecz) (?=\w+\W*$)")
_DENIES = regex(r"^(?:\w+[, ]+)?nie\b")
_ABOUT = regex(r"^(?:nie,? )?o (?!czym|kim|ktor|jak)(?:t\w+ )?(?=\w)")
_RATHER = regex(
    r"^(?:\w+[, ]+)?nie o [^,]{3,30}, (?:tylko |ale |lecz |a )?o (?:t\w+ )?"
    r"(?:\w+(?:[iy]m|[ie]j) )?(?=\w)"
)
_OTHER_WORK = regex(r"\b(?:nie|zamiast) (?:o )?(?:t\w+ )?(\w{3,})")
_MADE = frozenset({
    "film", "serial", "ksiazka", "powiesc", "opowiadanie", "obraz", "gra", "sztuka", "opera",
    "piosenka", "utwor", "dramat", "komiks", "nowela", "wiersz", "plyta", "album", "musical",
    "spektakl", "balet", "rzezba", "ekranizacja", "horror", "thriller", "komedia",
})  # fmt: skip
"""Works, beside which a name in the genitive is their maker's."""

_KINDS = {
    "horror": "film", "thriller": "film", "komedia": "film", "dramat": "film",
    "ekranizacja": "film",
}  # fmt: skip
_FEMININE = regex(r"\b(?:te|ta|tej|tamta|tamtej)\b")
_OPEN_CHOICE = regex(r"\?\s*$")
TITLE = regex(r"[„\"«][^„”\"«»]{2,80}[”\"»]")
_NAMED = regex(r"^[^,.;!?]+, ((?:[A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+ ?)+)[.!]*$")
"""A name behind what its bearer is: "o poetę, Jana Brzechwę"."""

_SHORT, _LIKE = 6, 4


def corrected(scene: Scene) -> Finding:
    """Take a correction ("miałem na myśli ten horror", "nie o Henryka, tylko o Karola")."""
    topics = scene.state.values(WIKIPEDIA, "query")
    last = scene.state.last
    if not scene.is_active(WIKIPEDIA) or not topics or last is None:
        return None
    if (other := lying(topics[0], scene.text)) is not None:
        return call(WIKIPEDIA, query=other)
    if (bearer := other_bearer(scene)) is not None:
        return replace(call(WIKIPEDIA, query=bearer), is_settled=True)
    title, own = TITLE.search(topics[0]), TITLE.search(scene.text)
    if title is not None and own is not None and _DENIES.search(scene.folded):
        return call(WIKIPEDIA, query=topics[0].replace(title[0], own[0]))
    start = _start(scene, last.reply)
    return None if start is None else _from(scene, topics[0], start)


def _from(scene: Scene, topic: str, start: int) -> Finding:
    """What is meant by the words from this place on."""
    rest = re.split(r"[,.;!?]\s|\s(?:a nie|z|od)\s|\s(?:mi )?chodzi", scene.text[start:])[0].strip(
        " .,!?"
    )
    if rest.islower() and (named := _NAMED.search(scene.text[start:])) is not None:
        rest = named[1]
    told = other_battle(topic, scene.text[start:]) or _apposed(scene, topic, start)
    return call(WIKIPEDIA, query=told) if told is not None else _renamed(scene, topic, rest)


def _start(scene: Scene, reply: str) -> int | None:
    """Where the name or the kind stands that is meant; ``None``: nothing is corrected."""
    if told := list(_MEANT.finditer(scene.folded)):
        return told[-1].end()
    if (last := _LAST_MEANT.match(scene.folded)) is not None:
        return last.end()
    slip = _SLIP.match(scene.folded)
    if slip is not None and scene.text[slip.end() : slip.end() + 1].isupper():
        return slip.end()
    kind = _OTHER_KIND.match(scene.folded)
    if kind is not None and _is_kind(scene.text[slice(*kind.span(1))]):
        return kind.end()
    is_answer = scene.size <= _SHORT and not scene.is_question
    is_choice = is_answer and _OPEN_CHOICE.search(reply) is not None
    about = _RATHER.match(scene.folded) or (is_answer and _about(scene, is_choice))
    return about.end() if about else 0 if is_choice else None


def _is_kind(word: str) -> bool:
    """Whether a word is only a common noun: "nie rzeka, tylko miasto"."""
    return word.islower() and noun_in(word) is not None


def _apposed(scene: Scene, topic: str, start: int) -> str | None:
    """Whom a noun introduces: "filozofa Michela Foucaulta", "tej aktorki, Grace Kelly"."""
    words = [word for word in split_words(scene.text[start:]) if word.folded not in _BESIDE]
    kind, *others = words or (None,)
    if kind is None or not (_is_other(kind) or _is_human(kind)):
        return None
    own = [one for one in others[:1] if one.text != ","] or others[1:2]
    is_after_comma = others[:1] != own
    if not own or not (own[0].is_capitalised or (is_after_comma and not _readings(own[0]))):
        return None
    run = next((run for run in runs(scene.text) if run[0].start == start + own[0].start), None)
    phrase = joined(scene.text, run) if run else own[0].text[:1].upper() + own[0].text[1:]
    name = person_name(phrase, "dla")
    return None if shares_word(topic.partition(" (")[0], name) else name


def _is_other(word: Span) -> bool:
    return word.folded.startswith(("drug", "pierwsz", "inn"))


def _is_human(word: Span) -> bool:
    """Whether a common noun says what a person is: "filozofa", "aktorki"."""
    return any(
        one.lemma.islower() and one.pos == "subst" and ("m1" in one.genders or is_womans(one.lemma))
        for one in _readings(word)
    )


def _readings(word: Span) -> tuple[Reading, ...]:
    return morphology().readings(word.text)


def _about(scene: Scene, is_choice: bool) -> re.Match[str] | None:
    """What stands behind "o", where a choice was offered or something is denied.

    Elsewhere "o tym cesarzu" is whom the conversation calls so.
    """
    found = _ABOUT.match(scene.folded)
    is_meant = is_choice or _DENIES.search(scene.folded) is not None
    return found if is_meant else None


def _renamed(scene: Scene, topic: str, rest: str) -> Finding:
    spelled = [joined(scene.text, run) for run in runs(scene.text)]
    near = next((name for name in spelled if _is_like(name, topic)), None)
    if near is not None:
        return call(WIKIPEDIA, query=f"{topic.rsplit(' ', 1)[0]} {near}" if " " in topic else near)
    words = [word for word in split_words(rest) if word.folded not in _BESIDE]
    while words and not words[0].text[0].isalpha():
        words = words[1:]
    if not words:
        return None
    if words[0].is_capitalised:
        phrase = joined(rest, words)
        preposition = None if _is_bare(scene.text, phrase) else "o"
        is_base = preposition is not None and is_place(phrase)
        is_of_place = len(words) > 1 and is_place(words[-1].text)  # "Wisłę Kraków", a club
        kind: NameKind | None = None if is_of_place else "person"
        lemma = lemmatise(phrase, kind=kind, preposition=preposition)
        name = phrase if is_base else lemma
        if " " in topic and len(words) == 1 and is_person(topic) and is_first_name(name):
            return call(WIKIPEDIA, query=f"{name} {topic.rsplit(' ', 1)[1]}")
        return call(WIKIPEDIA, query=name)
    return _of_kind(scene, topic, rest, words)


def _of_kind(scene: Scene, topic: str, rest: str, words: Sequence[Span]) -> Finding:
    """What a noun says of the topic ("ten horror"), or a phrase of its own with the same noun."""
    noun = noun_in(words[0].text)
    if noun is None:
        return None
    if _FEMININE.search(scene.folded):
        noun = next((one for one in _nouns(words[0].text) if one.endswith("a")), noun)
    if len(words) > 1 and fold(noun) == fold(topic) and not words[1].is_capitalised:
        return call(WIKIPEDIA, query=lemmatise(joined(rest, words)))
    if (place := _where(rest, words)) is not None:
        return call(WIKIPEDIA, query=f"{_asked_for(scene, topic) or _head(scene, topic)} ({place})")
    named = _named_after(rest, words, scene.text) or _asked_for(scene, topic)
    kind = noun if named else _KINDS.get(noun, noun)
    return call(WIKIPEDIA, query=f"{named or _bare(topic)} ({kind})")


def _where(rest: str, words: Sequence[Span]) -> str | None:
    """The place at which the thing of a kind is that is meant: "o tę dzielnicę w Krakowie"."""
    is_placed = len(words) > 1 and words[1].folded in PREPOSITIONS
    return next(iter(find_places(rest)), None) if is_placed else None


def _head(scene: Scene, topic: str) -> str:
    """The word of the topic that was asked about, in small letters or not: "Kazimierz"."""
    last, head = scene.state.last, _bare(topic).split(" ", 1)[0]
    is_said = last is not None and any(
        shares_word(head, word.text) for word in split_words(last.prompt)
    )
    return head if is_said else _bare(topic)


def _asked_for(scene: Scene, topic: str) -> str | None:
    """The name that was asked about, where more was found under it: "San", not "San Marino"."""
    last = scene.state.last
    named = find_mentions(last.prompt) if last is not None else ()
    return next((one.name for one in named if topic.startswith(f"{one.name} ")), None)


def _named_after(rest: str, words: Sequence[Span], text: str) -> str | None:
    """The name that a noun of kind has beside it, in its case: "pierwiastek pluton"."""
    kind, *own = words
    if not own or not all(word.is_capitalised or _is_noun(word) for word in own):
        return None
    if _MADE & nouns_of(kind.text) and _is_maker(text, own[0]):
        return None
    cases = _cases(own[0])
    is_beside = not cases or bool(_cases(kind) & cases - {"gen"})
    name = lemmatise(joined(rest, own))
    return name[:1].upper() + name[1:] if is_beside and not is_person(name) else None


def _is_maker(text: str, word: Span) -> bool:
    """Whether a name beside a work's kind is its maker's: "film Wajdy", "serial X, nie powieść"."""
    if not word.is_capitalised:
        return False
    denied = _OTHER_WORK.search(fold_evenly(text))
    readings = [one for one in _readings(word) if "sg" in one.numbers]
    is_surname = any("gen" in one.cases and "nazwisko" in one.labels for one in readings)
    is_name = any("nom" in one.cases for one in readings)
    return (is_surname and not is_name) or (
        denied is not None and bool(_MADE & nouns_of(text[slice(*denied.span(1))]))
    )


def _is_noun(word: Span) -> bool:
    """Whether a word is a noun, and no adjective that also is a surname: "rzymskiego"."""
    return bool(_cases(word)) and not _is_adjective(word.text)


def _cases(word: Span) -> frozenset[str]:
    """The cases that a noun can stand in; none of a word that is no noun or that nobody knows."""
    readings = morphology().readings(word.text)
    return frozenset(case for one in readings if one.pos == "subst" for case in one.cases)


def _is_bare(text: str, phrase: str) -> bool:
    """Whether nothing but a filler stands before a phrase: "tak, tak, Justyna"."""
    before = split_words(text[: max(text.find(phrase), 0)])
    return all(word.folded in _FILLERS or not word.text[0].isalpha() for word in before)


_FILLERS = frozenset({
    "no", "tak", "nie", "a", "ale", "oj", "eee", "yyy", "hmm", "ok", "okej", "dobra", "dobrze",
    "aha", "wlasnie", "jasne", "wiadomo", "pewnie", "oczywiscie", "chyba", "moze",
})  # fmt: skip
_BESIDE = _FILLERS | {
    "te", "ten", "ta", "to", "tego", "tej", "tym", "tylko", "jednak", "o",
}  # fmt: skip
"""What stands beside a name and is no part of it."""


def _is_like(name: str, topic: str) -> bool:
    """Whether a name is another spelling of the topic's last word ("Weil" for "Veil")."""
    last = fold(topic.rsplit(" ", 1)[-1])
    other = fold(name)
    return (
        other != last
        and len(other) == len(last) >= _LIKE
        and sum(a != b for a, b in zip(other, last, strict=True)) == 1
    )


def noun_in(word: str) -> str | None:
    """Return the common noun that a word is a form of."""
    return next(iter(_nouns(word)), None)


def _nouns(word: str) -> tuple[str, ...]:
    """The common nouns that a word can be a form of."""
    return tuple(
        reading.lemma
        for reading in morphology().readings(word)
        if reading.pos == "subst" and reading.lemma.islower() and not _is_adjective(word)
    )


def _is_adjective(word: str) -> bool:
    return any(reading.pos == "adj" for reading in morphology().readings(word))


def _bare(topic: str) -> str:
    return topic.partition(" (")[0]
