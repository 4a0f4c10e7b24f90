"""Another thing of the same kind, told by its adjective alone: "a ta stuletnia?"."""

import re
from collections.abc import Iterator

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import find_mentions, nouns_of, texts_of, topic_of
from chatbot.router.dialogue.naming import is_first_name, is_surname
from chatbot.router.dialogue.scene import Scene

_LED = re.compile(r"\b(?:a|o|ta|ten|to|te|tej|tym|tego|tamta|tamten) $")
_TAIL = re.compile(r" (pod|w|we|nad|o|na) [A-ZĄĆĘŁŃÓŚŹŻ].*$")
_PLACED = re.compile(r"\b(pod|w|we|nad|o|na) ([A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)*)")
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


def siblings(scene: Scene) -> Iterator[str]:
    """Give what may be another thing of the topic's kind, certain or not.

    "a w Bochni?" after the mine of Wieliczka, "styczniowe" after the November rising, "Carla
    Philippa" after Bach, "chodzi o stan" after our question which Washington is meant.
    """
    topic = topic_of(scene)
    if topic is not None:
        yield from _by_adjective(scene, topic)
        yield from _by_place(scene, topic)
    yield from _by_family(scene)
    yield from _by_kind(scene)


def _by_adjective(scene: Scene, topic: str) -> Iterator[str]:
    words = split_words(topic)
    if not _SIZE[0] <= len(words) <= _SIZE[1]:
        return
    is_first = _is_adjective(words[0])
    old, head = (words[0], words[1]) if is_first else (words[-1], words[-2])
    genders = _genders(head, "subst")
    if not _is_adjective(old) or (len(words) > _SIZE[0] and not is_first):
        return
    for one in scene.words:
        form = (
            _form(one, genders) if _is_adjective(one) and not _ORDINAL.match(one.folded) else None
        )
        if form is not None and form != old.text.lower():
            form = form.capitalize() if old.is_capitalised else form
            yield f"{topic[: old.start]}{form}{topic[old.end :]}"


def _by_place(scene: Scene, topic: str) -> Iterator[str]:
    """Give the topic with the name that the prompt has after a preposition."""
    led = _TAIL.search(topic)
    place = next((one for one in find_mentions(topic) if one.kind == "place" and one.start), None)
    for found in _PLACED.finditer(scene.text):
        if led is not None and (led[1] == found[1] or {led[1], found[1]} == {"w", "we"}):
            yield f"{topic[: led.start()]} {found[1]} {found[2]}"
        elif led is None and place is not None:
            name = lemmatise(found[2], kind="place", preposition=found[1])
            yield f"{topic[: place.start]}{name}{topic[place.end :]}"


def _by_family(scene: Scene) -> Iterator[str]:
    """Give a first name of the prompt with a surname that was said."""
    said = [one.name for text in texts_of(scene) for one in find_mentions(text)]
    surnames = dict.fromkeys(
        name.rsplit(" ", 1)[-1] for name in (topic_of(scene) or "", *said) if name[:1].isupper()
    )
    for one in find_mentions(scene.text):
        if one.kind != "person" or not all(map(is_first_name, one.name.split())):
            continue
        for surname in surnames:
            if is_surname(surname) or not morphology().is_known(surname):
                yield f"{one.name} {surname}"


def _by_kind(scene: Scene) -> Iterator[str]:
    """Give the name that was asked about with the kind that the prompt chooses: "(planeta)"."""
    last = scene.state.last
    if last is None or not last.reply.rstrip().endswith("?"):
        return
    offered = frozenset().union(*(nouns_of(word.text) for word in split_words(last.reply)))
    for name in (one.name for one in find_mentions(last.prompt)):
        for word in scene.words:
            lemma = next((one.lemma for one in _nouns(word)), None)
            if lemma is not None and fold(lemma) in offered:
                yield f"{name} ({lemma})"


def _nouns(word: Span) -> tuple[Reading, ...]:
    readings = morphology().readings(word.text)
    is_noun = bool(readings) and all(one.pos == "subst" for one in readings)
    return tuple(one for one in readings if one.lemma.islower()) if is_noun else ()


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
    if genders == {"n"}:
        return f"{lemma.removesuffix('y')}e"
    stem = lemma[:-1] if lemma.endswith(("y", "ki", "gi")) else lemma
    return f"{stem}a" if genders == {"f"} else None
