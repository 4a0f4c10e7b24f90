"""Another thing of the same kind, told by its adjective alone: "a ta stuletnia?"."""

import re

from chatbot.language.morphology import morphology
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import topic_of
from chatbot.router.dialogue.scene import Scene

_LED = re.compile(r"\b(?:a|o|ta|ten|to|te|tej|tym|tego|tamta|tamten) $")
_SHORTEST = 5  # letters
_SIZE = 2, 3  # words of a topic
_ORDINAL = re.compile(r"(?:pierwsz|drug|trzec|ostatn|sam|inn|kolejn|nastepn|wiekszy|mniejsz)\w*$")


def sibling_meant(scene: Scene) -> str | None:
    """Return the topic with the prompt's adjective: "wojna stuletnia" after the thirty years' one.

    Only an adjective that no noun follows, and whose gender is that of the topic's noun.
    """
    topic = topic_of(scene)
    words = split_words(topic) if topic else ()
    if topic is None or not _SIZE[0] <= len(words) <= _SIZE[1]:
        return None
    is_first = _is_adjective(words[0])  # "Biebrzański Park Narodowy"
    old, head = (words[0], words[1]) if is_first else (words[-1], words[-2])
    if not _is_adjective(old) or (len(words) > _SIZE[0] and not is_first):
        return None
    genders = _genders(head, "subst")
    told = (one for at, one in enumerate(scene.words) if _is_alone(scene, at))
    forms = (_form(one, genders) for one in told if genders & _genders(one, "adj"))
    form = next((one for one in forms if one is not None and one != old.text.lower()), None)
    if form is None:
        return None
    form = form.capitalize() if old.is_capitalised else form
    return f"{topic[: old.start]}{form}{topic[old.end :]}"


def _is_alone(scene: Scene, at: int) -> bool:
    """Whether an adjective stands for its noun: after "ta" or "to", and no noun follows."""
    word, after = scene.words[at], scene.words[at + 1 : at + 2]
    if not _LED.search(scene.folded[: word.start]) or _ORDINAL.match(word.folded):
        return False
    is_bound = bool(after) and after[0].text[0].isalpha() and bool(_genders(after[0], "subst"))
    return not is_bound and _is_adjective(word)


def _is_adjective(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return (
        len(word.text) >= _SHORTEST and bool(readings) and {one.pos for one in readings} == {"adj"}
    )


def _genders(word: Span, part: str) -> frozenset[str]:
    """The genders that a common noun or an adjective can have."""
    return frozenset(
        gender[0]
        for one in morphology().readings(word.text)
        if one.pos == part and (one.lemma.islower() or word.is_capitalised)
        for gender in one.genders
    )


def _form(word: Span, genders: frozenset[str]) -> str | None:
    """The nominative of an adjective in the gender of a noun that has but one."""
    lemma = next(one.lemma for one in morphology().readings(word.text))
    if genders == {"m"}:
        return lemma
    stem = lemma[:-1] if lemma.endswith(("y", "ki", "gi")) else lemma
    return f"{stem}a" if genders == {"f"} else None
