"""Changes the description of a picture as a prompt wishes: adds, removes, replaces, restyles."""

import re

from chatbot.language.locatives import inflect_locative
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.spelling import mend_words
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import KINDS, bare, clauses_of, lowered, nominative
from chatbot.router.dialogue.drawings.colours import recoloured
from chatbot.router.dialogue.drawings.counting import recast, recounted
from chatbot.router.dialogue.drawings.more_or_fewer import regraded
from chatbot.router.dialogue.drawings.wishes import plain_wish
from chatbot.router.dialogue.mentions import nouns_of

LONGEST = 600
_SWAPS = (
    regex(
        r"\b(?:zamien|zmien|podmien)\w* (?:(?:mi|te|ten|ta|to|tego) )*"
        r"(?P<old>[\w -]+?) na (?P<new>.+)$"
    ),
    regex(
        r"\bzamiast (?:t\w+ )?(?P<old>\w+)[ ,]+"
        r"(?:(?:niech|to|daj|zrob|narysuj|wstaw|bedzie|beda|poprosze) )*"
        r"(?P<new>.+)$"
    ),
    regex(r"(?P<new>[^,.;]+?),? zamiast (?:t\w+ )?(?P<old>\w+)"),
    regex(r"\bnie (?P<old>[\w ]+?),? (?:tylko|lecz|ale|a) (?P<new>.+)$"),
    regex(r"(?:^|, |: )(?P<new>[^,.;:]+?),? (?:a )?nie (?P<old>[\w ]+?)(?=$|[,.;!?])"),
    regex(r"^\W*(?:(?:ale|no|oj|ej) )?nie (?P<old>\w+)(?:,| –) (?P<new>[^,.;]+)$"),
)
_GONE = regex(
    r"\b(?:bez|wywal\w*|usun\w*|wyrzuc\w*|skasuj|wytnij|zdejmij|wymaz|pozbadz sie|nie chce|zabierz|"
    r"wyrzucic)(?: (?:mu|jej|im|z niego|z niej|stamtad|te|ten|ta|to|tego|tej|tych|"
    r"wszystki\w+|zadn\w+))* "
    r"(?P<gone>[\w-]+(?: i [\w-]+)?)"
)
_VANISHES = regex(
    r"(?:t\w+ )?(?P<gone>\w+),? (?:niech |ma(?:ja)? )?(?:znik\w+|wyleci|odpadaj?a?|sa zbedn\w+|"
    r"jest zbedn\w+|do usuniecia)\b"
)
_JOINS = regex(r"(?:w|we|na|nad|pod|przy|z|ze|o|noca|zima|latem|wiosna|jesienia)\b")
_FIRST = regex(r" (?:i|oraz) ")
_IN_PLACE = regex(r"(?:^|\s)[Ww]e? $")
_UNSURE, _FEW = 3, 3  # of the ways to swap, those in which "nie" may deny a verb; words
_ASPECTS = frozenset({"tlo", "kolor", "styl", "kolorystyka", "pora", "nastroj", "oswietlenie"})
_ENDS = regex(
    r"(?: (?=z|ze|w|we|na|nad|pod|przy|przed|i|oraz|za|obok|bez|który|która|które)\b)|,|:|;"
)


def edit(picture: str, prompt: str) -> str:
    """Return the description with the changes that a prompt asks for, clause by clause.

    What nothing in it explains is added at the end: rather a word too many than one lost.
    """
    added: list[str] = []
    for clause in clauses_of(plain_wish(prompt)):
        picture, addition = _change(picture, clause)
        if addition and not _is_said(picture, addition):
            added.append(addition)
    return mend_words(join_up(picture, added), typed=prompt)


def _change(picture: str, clause: str) -> tuple[str, str]:
    """Return the picture with one change, and what is to be added to it."""
    picture, clause = regraded(picture, clause) or (picture, clause)
    if not clause:
        return picture, ""
    for change in (recounted, recast, recoloured, _swapped, _removed):
        if (changed := change(picture, clause)) is not None:
            return changed
    addition = bare(clause)
    return _restated(_without_kinds(picture, addition), addition)


def join_up(picture: str, added: list[str]) -> str:
    """Join additions to a picture, without a comma before a preposition."""
    for addition in added:
        is_joined = "," not in picture and _JOINS.match(fold_evenly(addition))
        picture = f"{picture}{' ' if is_joined else ', '}{addition}" if picture else addition
    return picture[:LONGEST]


def _swapped(picture: str, clause: str) -> tuple[str, str] | None:
    """Put one thing in the place of another; what stands around them is added."""
    folded = fold_evenly(clause)
    for number, pattern in enumerate(_SWAPS):
        if (told := pattern.search(folded)) is None:
            continue
        old, new = (clause[slice(*told.span(one))] for one in ("old", "new"))
        before, new = _after_same(old, new)
        rest = bare(f"{clause[: told.start()]} {before} {clause[told.end() :]}")
        place = _place_of(picture, old)
        if not new or (place is None and number >= _UNSURE):
            continue
        if place is None:
            return picture, ", ".join(one for one in (_told(old, new), rest) if one)
        start, end = place
        return f"{picture[:start]}{_as_before(picture, place, new)}{picture[end:]}", rest
    return None


def _after_same(old: str, new: str) -> tuple[str, str]:
    """Split off what stands before the new thing: "siedzi na kozie" for "na koniu"."""
    first = fold_evenly(old).partition(" ")[0]
    at = fold_evenly(f" {new}").rfind(f" {first} ") if " " in old else -1
    if at > 0:
        return "", new[at:]
    head, joint, tail = new.rpartition(" i ")
    return (head, bare(tail)) if joint and len(head.split()) > 1 else ("", bare(new))


def _told(old: str, new: str) -> str:
    """What is put in place of something that the description does not name: "tło: las"."""
    lemmas = (one.lemma for one in morphology().readings(old))
    aspect = next((one for one in lemmas if fold_evenly(one) in _ASPECTS), None)
    return f"{aspect}: {nominative(new)}" if aspect else new


def _removed(picture: str, clause: str) -> tuple[str, str] | None:
    folded = fold_evenly(clause)
    told = _GONE.search(folded) or _VANISHES.search(folded)
    if told is None:
        return None
    gone = clause[slice(*told.span("gone"))]
    rest = bare(f"{clause[: told.start()]} {clause[told.end() :]}")
    addition = f"bez {_genitive(gone)}"
    picture = _without(picture, gone)
    return picture, ", ".join(one for one in (addition, rest) if one)


def _without(picture: str, thing: str) -> str:
    """Leave out the part of a list that a thing heads, or "z X" and "i X" about it."""
    parts = picture.split(", ")
    kept = [
        part for part in parts if not (words := split_words(part)) or not _same(words[0], thing)
    ]
    if kept and len(kept) < len(parts):
        return ", ".join(kept)
    place = _place_of(picture, thing)
    if place is None:
        return picture
    start = _with_adjectives(picture, place)[0]
    first = _FIRST.match(picture[place[1] :])
    if first is not None and (not start or picture[:start].endswith((", ", ": "))):
        return picture[:start] + picture[place[1] + first.end() :]
    led = re.search(r" (?:z|ze|i|oraz|w|na) $", picture[:start])
    if led is None:
        return picture
    after = _ENDS.search(picture, place[1])
    rest = picture[after.start() :] if after else ""
    is_list = led[0].strip() not in {"i", "oraz"} and rest.startswith((" i ", " oraz "))
    kept_joint = led[0].rstrip() if is_list else ""
    return picture[: led.start()] + kept_joint + (rest.replace(" i ", " ", 1) if is_list else rest)


def _restated(picture: str, addition: str) -> tuple[str, str]:
    """Put what is newly said of a thing in the place of the thing: "siedem gęsi" for "gęsi".

    Where all things of an addition are in the picture, it replaces what was said of them.
    """
    words = [word for word in split_words(addition) if word.text[0].isalnum()]
    nouns = [word for word in words if is_noun(word)]
    places = [place for word in nouns if (place := _place_of(picture, word.text)) is not None]
    if not places or len(places) < len(nouns):
        return picture, addition
    if len(nouns) == 1:
        if len(words) > _FEW or not all(word in nouns or _says_how(word) for word in words):
            return picture, addition
        start, end = _with_adjectives(picture, places[0])
    else:
        start, end = min(place[0] for place in places), max(place[1] for place in places)
        if not any(_is_verb(word) for word in words) or "," in picture[start:end]:
            return picture, addition
    return f"{picture[:start]}{addition}{picture[end:]}", ""


def _with_adjectives(picture: str, place: tuple[int, int]) -> tuple[int, int]:
    """Widen a place over the adjectives and numbers beside it."""
    words = split_words(picture)
    first = next(at for at, one in enumerate(words) if one.end > place[0])
    last = next(at for at, one in enumerate(words) if one.end >= place[1])
    while first and _says_how(words[first - 1]):
        first -= 1
    while last + 1 < len(words) and _says_how(words[last + 1]):
        last += 1
    return words[first].start, words[last].end


def is_noun(word: Span) -> bool:
    """Whether a word can be a noun; what nobody knows can."""
    readings = morphology().readings(word.text)
    return not readings or any(one.pos in {"subst", "ger"} for one in readings if one.pos != "brev")


def _says_how(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return any(one.pos in {"adj", "ppas", "num"} for one in readings)


def _is_verb(word: Span) -> bool:
    return any(one.pos in {"fin", "praet"} for one in morphology().readings(word.text))


def _without_kinds(picture: str, addition: str) -> str:
    """Drop the old time of day, season or style where the addition tells a new one."""
    for kind in KINDS:
        if not kind.search(fold_evenly(addition)):
            continue
        if (found := kind.search(fold_evenly(picture))) and found.start():
            picture = f"{picture[: found.start()]}{picture[found.end() :]}"
    return picture


def _place_of(picture: str, thing: str) -> tuple[int, int] | None:
    """Where a picture has a thing, in any form, with all words that were said of it."""
    wanted = [word for word in split_words(thing) if word.text[0].isalnum()]
    words = split_words(picture)
    for at in range(len(words) - len(wanted) + 1):
        part = words[at : at + len(wanted)]
        if wanted and all(_same(one, each.text) for one, each in zip(part, wanted, strict=True)):
            return part[0].start, part[-1].end
    single = [one for one in words if len(wanted) > 1 and _same(one, wanted[-1].text)]
    return (single[0].start, single[0].end) if single else None


def _same(word: Span, other: str) -> bool:
    return word.folded == fold_evenly(other) or bool(nouns_of(word.text) & nouns_of(other))


def _as_before(picture: str, place: tuple[int, int], new: str) -> str:
    """Bring the new thing into the case that the old one had: a place, or a nominative."""
    start, end = place
    if _IN_PLACE.search(picture[:start]) and " " not in new and new[:1].isupper():
        return inflect_locative(new)
    readings = morphology().readings(split_words(picture[start:end])[-1].text)
    cases = frozenset(case for one in readings for case in one.cases)
    if not cases or "nom" in cases:
        return lowered(nominative(new))
    common = (one for one in morphology().readings(new) if one.lemma.islower())
    said = frozenset(case for one in common for case in one.cases)
    return lowered(new if " " in new or said & cases else _in_case(new, cases))


def _is_said(picture: str, addition: str) -> bool:
    """Whether a picture has every noun of an addition that is no more than nouns."""
    words = [word for word in split_words(addition) if word.text[0].isalnum()]
    return bool(words) and all(
        any(_same(one, word.text) for one in split_words(picture)) for word in words
    )


def _genitive(phrase: str) -> str:
    """A single noun in the genitive; anything longer as it was said."""
    nouns = [one for one in morphology().readings(phrase) if one.pos == "subst"]
    is_object = any("acc" in one.cases and "gen" not in one.cases for one in nouns)
    if not is_object or any({"acc", "gen"} <= one.cases for one in nouns):
        return phrase
    return _in_case(phrase, frozenset({"gen"}))


def _in_case(noun: str, cases: frozenset[str]) -> str:
    """A single noun in one of these cases, in its own number; anything else as it was said."""
    nouns = [one for one in morphology().readings(noun) if one.pos == "subst"]
    for reading in nouns:
        for form in morphology().forms(reading.key):
            if cases & form.reading.cases and form.reading.numbers & reading.numbers:
                return form.text
    return noun
