"""Which of the names that our question offers an answer takes: "o Marię", "o tego drugiego"."""

import re
from dataclasses import replace

from chatbot.router.dialogue.mentions import find_mentions, shares_word
from chatbot.router.dialogue.naming import gender_of, is_person
from chatbot.router.dialogue.scene import FollowUp, Scene, call
from chatbot.router.dialogue.state import WIKIPEDIA

_OFFERS = re.compile(r"\b(?:czy|albo|lub) [^?]*\?\s*$")
_ORDER = re.compile(r"\b(pierwsz|drug|trzeci|ostatni)\w*\b")
_RANKS = {"pierwsz": 0, "drug": 1, "trzeci": 2, "ostatni": -1}
_HE, _SHE = re.compile(r"\b(?:niego|jego|on)\b"), re.compile(r"\b(?:o nią|ona|ją|jej)\b")
_SHORT, _LIKE = 5, 3  # words; letters


def chosen(scene: Scene) -> FollowUp | None:
    """Look up the one of two or more names in our last question that a short answer means.

    By a part of its name, by its place among them, or by a pronoun that only one agrees with.
    """
    last = scene.state.last
    if last is None or scene.is_question or scene.size > _SHORT or WIKIPEDIA not in scene.offered:
        return None
    is_looked_up = last.asked is not None and last.asked[0] == WIKIPEDIA
    if not (is_looked_up or scene.is_active(WIKIPEDIA)) or not _OFFERS.search(last.reply):
        return None
    question = re.split(r"(?<=[.!]) ", last.reply)[-1]
    names = tuple(dict.fromkeys(one.name for one in find_mentions(question)))
    name = _ordered(scene, names) or _named(scene, names) or _agreeing(scene, names)
    return None if name is None else replace(call(WIKIPEDIA, query=name), is_settled=True)


def _ordered(scene: Scene, names: tuple[str, ...]) -> str | None:
    told = _ORDER.search(scene.folded)
    rank = _RANKS[told[1]] if told else len(names)
    return names[rank] if len(names) > max(rank, 1) else None


def _named(scene: Scene, names: tuple[str, ...]) -> str | None:
    words = [word.text for word in scene.words if len(word.text) >= _LIKE]
    named = [one for one in names if any(shares_word(one, word) for word in words)]
    return named[0] if len(named) == 1 < len(names) else None


def _agreeing(scene: Scene, names: tuple[str, ...]) -> str | None:
    text = scene.text.lower()
    wanted = "f" if _SHE.search(text) else "m" if _HE.search(text) else None
    found = [one for one in names if is_person(one) and gender_of(one) == wanted]
    return found[0] if wanted and len(found) == 1 else None
