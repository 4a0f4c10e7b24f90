"""Read what an encyclopaedia is asked about, in its base form."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.language.sentences import sentence_ends
from chatbot.router.detector.agreements import agreement_at
from chatbot.router.detector.aspects import without_aspects
from chatbot.router.detector.bases import (
    first_name_first,
    one_of_its_kind,
    place_named,
    small_place,
    without_ending,
)
from chatbot.router.detector.battles import battle_at
from chatbot.router.detector.capitals import with_capitals
from chatbot.router.detector.cases import base_in_context, rather
from chatbot.router.detector.entries import entry_told
from chatbot.router.detector.enumerations import enumerated
from chatbot.router.detector.extents import completed
from chatbot.router.detector.frames import ASKING
from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.full_names import known_in_full, named_in_full
from chatbot.router.detector.headings import heading_told
from chatbot.router.detector.naming import names_nothing
from chatbot.router.detector.nouns import CATEGORIES, KEEPING
from chatbot.router.detector.peoples import thing_of_people
from chatbot.router.detector.phrases import align, with_year
from chatbot.router.detector.place_facts import place_of_climate
from chatbot.router.detector.questions import (
    TITLES,
    is_framed,
    is_list,
    read_sentence,
    read_title,
)
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.several_topics import are_beside, topics_beside
from chatbot.router.detector.spans import Span, compose, fold_evenly, joined, split_words
from chatbot.router.detector.speech import standard
from chatbot.router.detector.subjects import find_subjects
from chatbot.router.detector.superlatives import described_by_most
from chatbot.router.detector.titles import find_titles, name_at
from chatbot.router.detector.topic_model import topic_model
from chatbot.router.detector.trimming import named_after, operation_named, trimmed, work_shown_with
from chatbot.router.detector.unchanged import foreign_title
from chatbot.router.detector.verbs import is_clause

MOST = 4
_PASTED = regex(
    r"<(\w{1,20})>.{0,2000}?</\1>|```.{0,2000}?```|„[^”\"]{61,2000}[”\"]|\"[^\"]{61,2000}\"|"
    r"«[^»]{61,2000}»",
    re.DOTALL,
)
_SIGNS = regex(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+")
_DENIED = regex(
    r"(?:\w+ ){0,2}nie [^,.?!]{2,200}, (?:tylko|ale|lecz) |"
    r"(?:\w+ ){0,2}(?:zamiast|nie chce|nie potrzebuje|nie szukam) [^,.?!]{2,80}?,? "
    r"(?=(?:opowiedz|powiedz|podaj|znajdz|wyszukaj|pokaz|daj|wole|poprosze|prosze|szukam)\b)"
)
_ASKED_NEXT = (
    r"(?=(?:czym|kto|kim|co|kiedy|gdzie|ile|ilu|jak|jak[aie]\w*|skad|ktor\w+|powiedz|podaj|opowiedz|"
    r"pytam|szukam|sprawdz|znajdz|w ktor\w+|w jak\w+|od kiedy) )"
)
_CORRECTED = regex(
    rf"(?:\.\.\.|…|[.?!]) ?(?:(?:a|albo) (?:(?:w sumie|jednak) )?nie|wroc|pomylka|poprawka)[,:.]? |"
    rf"(?:\.\.\.|…) ?(?:nie|(?:no )?dobra|(?:no )?dobrze|ok|okej),? {_ASKED_NEXT}|"
    r"[.?!] nie! |[.?!] nie,? (?:jednak|inaczej|lepiej|prosciej)[,:]? |"
    r"(?:\.\.\.|…) ?nie, (?=o |w |na )|"
    r"(?:\.\.\.|…|,| -| –) ?(?:nie|wroc|dobra|znaczy|stop|moment),? "
    r"(?:(?:po prostu|inaczej|serio|raczej|jednak|lepiej|zle)[:,]? )+|"
    r"(?:\.\.\.|…|,| -| –) ?(?:nie,? )?(?:czekaj|pomylka|sor+y|przepraszam),? "
)
_THIS_ONE = regex(r"\W*co to (?:jest|sa|za|byl[aoy]?) \w+, t(?:en|a|o|e) (\w+)\W*$")
_FIRST_OF_KIND = regex(r"\W*(?:ktor|jak)[yaei]+ (\w+) (?:jako )?pierwsz[ya] (?=\w)")
_MEANT = regex(r"\bchodzi(?:lo)? (?:mi )?(?=o \w)")
_BARE = regex(r"\W*(?:rok|dat[ae]|miejsce|dzien|autor\w*|adres) [a-z]{3,20}\W*")
_TELLING = frozenset({"definicja", "opis", "wyjaśnienie", "informacja", "streszczenie", "dane"})
_BEING = frozenset({"byli", "byly", "byla", "bylo", "bedzie", "maja", "mieli", "zyli", "zyja"})
_CLOSED_QUOTES = (["”"], ['"'], ["»"])
_CORRECTIONS = 3
_LIKELY = 1.2
_SURE = 3.0
_OPEN = -1.0  # "kim była z wykształcenia" names nobody
_HERE = frozenset({
    "on", "ona", "ono", "oni", "go", "jego", "jej", "ja", "nim", "niej", "nia", "tam", "tego",
    "wtedy", "ten", "ta", "te", "ich", "im", "nich", "jemu", "taki", "taka", "takie", "to",
})  # fmt: skip
_PERSONS = _HERE - {"ten", "ta", "te", "to", "tego", "taki", "taka", "takie"}


def read_topic(prompt: str) -> str | None:
    """Return the thing or person asked about ("Irena Sendlerowa"); ``None`` if there is none."""
    return next(iter(read_topics(prompt)), None)


def read_topics(prompt: str) -> tuple[str, ...]:
    """Return all things and persons asked about, each once: "Płock i Radom" are two.

    Rules find them; where they find one at most, a trained model says which phrase it is.
    """
    text = plain_question(prompt)
    told = battle_at(text) or agreement_at(text) or described_by_most(text)
    if told is not None:
        return (told,)
    bases = (
        first_name_first(without_ending(one_of_its_kind(with_capitals(one))))
        for one in _topics(text)
    )
    found = tuple(dict.fromkeys(known_in_full(text, one) for one in bases))
    return () if len(found) == 1 and names_nothing(text, found[0]) else found


def _topics(text: str) -> tuple[str, ...]:
    """Return what a question is about, not what it lists to be told of it."""
    text = _affirmed(text)
    found = _found(text)
    named = without_aspects(text)
    places = [align(split_words(text), one) for one in found]
    is_listed = any(place and split_words(text)[place[0]].start > len(named) for place in places)
    return _found(named) if is_listed and _own_subject(named) else found


def _found(text: str) -> tuple[str, ...]:
    words = split_words(text)
    entry = entry_told(text, words) or heading_told(text, words) or place_of_climate(text, words)
    listed = (entry,) if entry else enumerated(text, words)
    found = tuple(_base(text, words, words[slice(*one)]) for one in listed) or _by_rules(text)
    if listed:
        return found[:MOST]
    found = _joined_by_title(words, found)
    places = [align(words, one) for one in found]
    is_list = None in places or _are_beside(text, words, [one for one in places if one])
    picked = places[-1] if found else None
    if (len(found) > 1 and is_list) or (
        found and picked is None
    ):  # put together: "język baskijski"
        return found
    weighed = topic_model().weigh(text, picked)
    place = weighed.best or picked
    if (
        picked
        and weighed.best
        and (_only_asks(words[slice(*weighed.best)]) or _follows_title(words, picked, weighed.best))
    ):
        place = picked
    if place is None:
        return ()
    place = foreign_title(words, *place) or thing_of_people(words, place) or place
    place = work_shown_with(text, words, named_after(words, place))
    beside = topics_beside(text, weighed, place)
    if len(beside) > 1:
        return _bases_of_pair(text, words, beside)
    place = completed(words, named_in_full(words, trimmed(words, place)))
    best = with_year(words, words[slice(*operation_named(words, place))])
    if picked is not None and best == words[slice(*picked)]:
        known = name_at(words, *picked)
        return (known or rather(text, best, found[-1]),)
    return (_base(text, words, best),)


def _joined_by_title(words: Sequence[Span], found: tuple[str, ...]) -> tuple[str, ...]:
    """Put together what one known name joins: "Bośnia i Hercegowina"."""
    places = [align(words, one) for one in found]
    for one in find_titles(words) if len(found) > 1 else ():
        if all(place and one.start <= place[0] and place[1] <= one.end for place in places):
            return (one.name,)
    return found


def _only_asks(phrase: Sequence[Span]) -> bool:
    """Whether a phrase says only what is asked of something: "definicja prosta"."""
    first, *others = phrase
    if not others and first.folded in _BEING:  # "Kim byli wikingowie?"
        return True
    if not others or not {one.lemma for one in readings_of(first.text)} & _TELLING:
        return False
    return all(any(one.is_adjectival for one in readings_of(word.text)) for word in others)


def _follows_title(words: Sequence[Span], picked: tuple[int, int], best: tuple[int, int]) -> bool:
    """Whether only the author is named right behind a quoted title: "„Rok 1984” Orwella"."""
    between = [word.text for word in words[picked[1] : best[0]]]
    return between in _CLOSED_QUOTES


def _bases_of_pair(
    text: str, words: Sequence[Span], places: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Return base forms of what stands beside each other: of two one a place, both are places."""
    phrases = [words[slice(*one)] for one in places]
    found = [_base(text, words, phrase) for phrase in phrases]
    if not any(place_named(one) == one for one in found):
        return tuple(found)
    return tuple(
        place_named(joined(text, phrase)) or one for phrase, one in zip(phrases, found, strict=True)
    )


def _are_beside(text: str, words: Sequence[Span], places: Sequence[tuple[int, int]]) -> bool:
    """Whether the same is asked of all that was found."""
    pairs = pairwise(sorted(places))
    return all(are_beside(fold_evenly(text), words, *pair) for pair in pairs)


def base_of(text: str, phrase: Sequence[Span]) -> str:
    """Return the base form of some words of a plain question, with its capital letters."""
    return with_capitals(_base(text, split_words(text), phrase))


def _base(text: str, words: Sequence[Span], phrase: Sequence[Span]) -> str:
    first = words.index(phrase[0])
    known = name_at(words, first, first + len(phrase)) or small_place(text, phrase)
    return known or base_in_context(text, words, phrase)


def plain_question(prompt: str) -> str:
    """Return a prompt without what was pasted and without pictures, in standard words."""
    text = compose(_SIGNS.sub(" ", compose(_PASTED.sub(" ", prompt)) or prompt))
    return standard(text)


def pick_topic(prompt: str) -> tuple[int, int] | None:
    """Return first word and end of what the rules alone take for the topic, if they do."""
    text = plain_question(prompt)
    found = _by_rules(_affirmed(text))
    return align(split_words(text), found[-1]) if found else None


def _by_rules(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for asked in _asked_sentences(text):
        found += [topic for topic in _topics_of(asked, is_first=not found) if topic]
    if not found:
        others = (one for sentence in _sentences(text) for one in _topics_of(sentence))
        found = [topic for topic in others if topic][:1]
    whole = [one for one in found if not any(other.startswith(f"{one} ") for other in found)]
    return tuple(dict.fromkeys(whole))[:MOST]


def _affirmed(text: str) -> str:
    """Leave out what is not wanted: "nie pytam o pogodę, tylko kiedy powstało molo"."""
    for _ in range(_CORRECTIONS):
        folded = fold_evenly(text)
        denied = _CORRECTED.search(folded) or _DENIED.match(folded)
        rest = text[denied.end() :] if denied else ""
        if not rest or not _own_subject(rest):
            break
        text = rest
    first = _FIRST_OF_KIND.match(fold_evenly(text))
    if first and {one.lemma for one in readings_of(first[1])} & CATEGORIES:
        text = f"kto pierwszy {text[first.end() :]}"
    return _meant_by_kind(text)


def _meant_by_kind(text: str) -> str:
    """Leave out the kind before the name of a thing: "co to jest chusta, ten hidżab"."""
    found = _THIS_ONE.match(fold_evenly(text))
    said = readings_of(found[1]) if found else ()
    is_other = any(one.is_adjectival or one.lemma in CATEGORIES | KEEPING for one in said)
    is_thing = found is not None and not is_other
    return f"co to jest {text[found.start(1) :]}" if found and is_thing else text


def _sentences(text: str) -> list[str]:
    ends = [0, *sentence_ends(text), len(text)]
    parts = (text[start:end].strip() for start, end in pairwise(ends))
    return [part for part in parts if any(letter.isalpha() for letter in part)]


def _asked_sentences(text: str) -> list[str]:
    """Return the sentences that ask; where they only point back, what stands before them."""
    sentences = _sentences(text)
    asking = [at for at, one in enumerate(sentences) if ASKING.search(fold_evenly(one))]
    if len(sentences) == 1 or not asking:
        return sentences[:1]
    for one in sentences:
        meant = _MEANT.search(fold_evenly(one))
        if meant and any(word.is_capitalised for word in split_words(one[meant.end() :])):
            return [one[meant.end() :]]
    strong = [at for at in asking if _asks_itself(sentences[at])]
    asking = strong or asking
    own = [sentences[at] for at in asking if _own_subject(sentences[at])]
    sure = [one for one in own if one.endswith("?") or is_framed(one)]
    return sure or own or _told(sentences[: asking[0]])


def _asks_itself(sentence: str) -> bool:
    """Whether a sentence asks, not only a clause in it: "…, której akcja …" asks nothing."""
    is_asking = ASKING.match(fold_evenly(strip_opening(sentence))) is not None
    return sentence.endswith("?") or is_asking


def _told(sentences: list[str]) -> list[str]:
    """Return what a question that only points may mean: the nearest name, else the last noun."""
    for sentence in reversed(sentences):
        if _titles(sentence):
            return [sentence]
        for one in find_subjects(strip_opening(sentence)):
            is_named = any(word.is_capitalised and word.start for word in one.words)
            if is_named or one.preposition == "o":
                return [f"{one.preposition} {one.text}" if one.preposition else one.text]
    return sentences[-1:]


def _titles(sentence: str) -> list[re.Match[str]]:
    """Return what is quoted as a title; "proszę, narysuj mapę" is something that was said."""
    quoted = TITLES.finditer(sentence)
    return [one for one in quoted if "," not in one[1] or not is_clause(one[1])]


def _own_subject(sentence: str) -> bool:
    """Whether a sentence names what it asks about, not only "jego" or "wtedy"."""
    if _titles(sentence):
        return True
    if _BARE.fullmatch(fold_evenly(sentence)):
        return False
    told, colon, asked = sentence.rpartition(": ")
    if told and colon and ASKING.match(fold_evenly(asked)):
        sentence = asked
    subjects = find_subjects(strip_opening(strip_closing(sentence)))
    if not subjects:
        return False
    points = {word.folded for word in split_words(sentence)} & _HERE
    is_open = bool(points & _PERSONS)  # "jaka jest jej powierzchnia"
    return subjects[0].weight >= (_SURE if points else _LIKELY) or (
        is_framed(sentence) and not is_open and subjects[0].weight > _OPEN
    )


def _topics_of(sentence: str, *, is_first: bool = True) -> Iterator[str | None]:
    """Give the topic of a sentence, and of what is asked after "a kim", "i czym"."""
    titles = [read_title(sentence, found) for found in _titles(sentence)]
    if titles:
        yield from titles if len(titles) > 1 and is_list(sentence) else titles[:1]
        return
    if not is_first and not is_framed(sentence) and find_subjects(sentence)[0].weight < _SURE:
        return
    yield from read_sentence(sentence)
