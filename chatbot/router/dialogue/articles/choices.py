"""Which of the names that our question offers an answer takes: "o Marię", "o tego drugiego"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz.distance import Prefix

from chatbot.language.locatives import in_place
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.articles.offered import described, offered
from chatbot.router.dialogue.contrasts import read_contrast
from chatbot.router.dialogue.forecasts.places import is_place
from chatbot.router.dialogue.mentions import Mention, find_mentions, nouns_of, shares_word
from chatbot.router.dialogue.naming import gender_of, is_person
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import NEEDED, WIKIPEDIA
from chatbot.router.dialogue.turns import Turn

_OFFERS = regex(r"\b(?:czy|albo|lub) [^?]*\?\s*$")
_ORDER = regex(r"\b(pierwsz|drug|trzeci|ostatni)\w*\b")
_RANKS = {"pierwsz": 0, "drug": 1, "trzeci": 2, "ostatni": -1}
_HE, _SHE = regex(r"\b(?:niego|jego|on)\b"), regex(r"\b(?:o nią|ona|ją|jej)\b")
_SHORT, _LIKE = 5, 3  # words; letters
_DESCRIBES = 9  # words of an answer that tells which of several persons is meant


def chosen(scene: Scene) -> FollowUp | None:
    """Look up the one of two or more names in our last question that a short answer means.

    By a part of its name, by the noun beside it, by what the question tells of it, by its place
    among them, or by a pronoun that only one agrees with. Where they are places, what was asked
    about is meant there.
    """
    last = scene.state.last
    if last is None or scene.is_question or scene.size > _DESCRIBES:
        return None
    is_choice = WIKIPEDIA in scene.offered and _OFFERS.search(last.reply) is not None
    if not is_choice or not _is_of_article(scene, last):
        return None
    question = re.split(r"(?<=[.!:]) ", last.reply)[-1]
    query = _person(scene, question) or (_one_of(scene, question) if scene.size <= _SHORT else None)
    return None if query is None else replace(call(WIKIPEDIA, query=query), is_settled=True)


def _one_of(scene: Scene, question: str) -> str | None:
    """The one of all names in a question that a short answer takes."""
    named = [one for one in find_mentions(question) if len(one.name) >= _LIKE]
    ends = tuple(one.name for one in named)
    named = [one for one in named if not any(end.endswith(f" {one.name}") for end in ends)]
    names = tuple(dict.fromkeys(one.name for one in named))
    rules = (_ordered(scene, names), _named(scene, names), _beside(scene, question, named))
    name = next((one for one in rules if one), None) or _agreeing(scene, names)
    if name is None:
        return None
    return _there(scene, name) if all(one.kind == "place" for one in named) else name


def _person(scene: Scene, question: str) -> str | None:
    """The one of several persons whom an answer names, or describes as our question does."""
    offers = offered(question, _asked_surname(scene))
    if not offers:
        return None
    denied = read_contrast(scene.text).denied
    meant = tuple(word for word in scene.words if word not in denied)
    names = tuple(one.name for one in offers)
    is_short = scene.size <= _SHORT and not denied
    named = (_ordered(scene, names) or _named(scene, names)) if is_short else None
    return named or described(offers, meant)


def _asked_surname(scene: Scene) -> str | None:
    """The surname that was asked about, and that several persons bear."""
    last = scene.state.last
    found = scene.within(last.prompt).detected(WIKIPEDIA) if last is not None else ()
    query = str(found[0].arguments.get(NEEDED[WIKIPEDIA], "")) if found else ""
    name = query.partition(" (")[0].rsplit(" ", 1)[-1]
    is_said = last is not None and shares_word(last.prompt, name)
    return name if is_said and name[:1].isupper() else None


def _is_of_article(scene: Scene, last: Turn) -> bool:
    """Whether the question was about what is to be looked up."""
    is_asked = last.asked is not None and last.asked[0] == WIKIPEDIA
    is_called = is_asked or last.uses(WIKIPEDIA)
    return is_called or (not last.calls and bool(scene.within(last.prompt).detected(WIKIPEDIA)))


def _there(scene: Scene, place: str) -> str:
    """What was asked about at one of the places: "Zamek Królewski w Warszawie"."""
    last = scene.state.last
    found = scene.within(last.prompt).detected(WIKIPEDIA) if last is not None else ()
    query = str(found[0].arguments.get(NEEDED[WIKIPEDIA], "")) if found else ""
    is_apart = bool(query) and not is_place(query) and not shares_word(query, place)
    return f"{query} {in_place(place)}" if is_apart else place


def _ordered(scene: Scene, names: tuple[str, ...]) -> str | None:
    told = _ORDER.search(scene.folded)
    rank = _RANKS[told[1]] if told else len(names)
    return names[rank] if len(names) > max(rank, 1) else None


def _named(scene: Scene, names: tuple[str, ...]) -> str | None:
    words = [word for word in scene.words if len(word.text) >= _LIKE]
    scores = [(_shared(one, words), _alike(one, words)) for one in names]
    best = max(scores, default=(0, 0))
    return names[scores.index(best)] if best[0] and scores.count(best) == 1 < len(names) else None


def _shared(name: str, words: Sequence[Span]) -> int:
    return sum(shares_word(name, word.text) for word in words)


def _alike(name: str, words: Sequence[Span]) -> int:
    """How many letters a word and the name begin with alike: "Jasiołkę" is no "Jasło"."""
    folded = fold_evenly(name)
    return max((int(Prefix.similarity(folded, word.folded)) for word in words), default=0)


def _beside(scene: Scene, question: str, named: Sequence[Mention]) -> str | None:
    """The name that the question has after a noun of the answer: "o rzekę"."""
    nouns = frozenset().union(*(nouns_of(w.text) for w in scene.words if len(w.text) >= _LIKE))
    for one in named:
        before = split_words(question[: one.start])[-1:]
        if before and nouns & nouns_of(before[0].text):
            return one.name
    return None


def _agreeing(scene: Scene, names: tuple[str, ...]) -> str | None:
    text = scene.text.lower()
    wanted = "f" if _SHE.search(text) else "m" if _HE.search(text) else None
    found = [one for one in names if is_person(one) and gender_of(one) == wanted]
    return found[0] if wanted and len(found) == 1 else None
