"""Another thing of the same kind, told by its adjective alone: "a ta stuletnia?"."""

from collections.abc import Iterator

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import find_mentions, nouns_of, texts_of, topic_of
from chatbot.router.dialogue.naming import is_first_name, labels_of
from chatbot.router.dialogue.scene import Scene

_LED = regex(r"\b(?:a|o|ta|ten|to|te|tej|tym|tego|tamta|tamten) $")
_TAIL = regex(r" (pod|w|we|nad|o|na) [A-ZĄĆĘŁŃÓŚŹŻ].*$")
_PLACED = regex(r"\b(pod|w|we|nad|o|na) ([A-ZĄĆĘŁŃÓŚŹŻ][\w-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w-]+)*)")
_SHORTEST = 5  # letters
_SIZE = 2, 3  # words of a topic
_OF_PLACE = regex(r"([sc])k(?:i|a|ie|iego|iej|iemu|im|ą)$")
_ORDINAL = regex(
    r"(?:pierwsz|drug|trzec|ostatn|sam|inn|kolejn|nastepn|wiekszy|mniejsz|jak[ia]|ktor|czyj)\w*$"
)


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
    genders = _genders_of_head(head)
    told = (one for at, one in enumerate(scene.words) if _is_alone(scene, at))
    forms = (_form(one, genders) for one in told if genders & _genders(one, "adj"))
    form = next((one for one in forms if one is not None and one != old.text.lower()), None)
    if form is None:
        return None
    form = form.capitalize() if old.is_capitalised else form
    return f"{topic[: old.start]}{form}{topic[old.end :]}"


def siblings(scene: Scene) -> Iterator[tuple[str, str]]:
    """Give what may be another thing of the topic's kind, each with what makes it one.

    "a w Bochni?" after the mine of Wieliczka, "styczniowe" after the November rising, "Carla
    Philippa" after Bach, "chodzi o stan" after our question which Washington is meant.
    """
    topic = topic_of(scene)
    if topic is not None:
        yield from (("adjective", name) for name in _by_adjective(scene, topic))
        yield from (("place", name) for name in _by_place(scene, topic))
    yield from (("family", name) for name in _by_family(scene))
    yield from (("head", name) for name in _by_head(scene))
    yield from (("kind", name) for name in _by_kind(scene))


def _by_adjective(scene: Scene, topic: str) -> Iterator[str]:
    words = split_words(topic)
    if not _SIZE[0] <= len(words) <= _SIZE[1]:
        return
    is_first = _may_be_adjective(words[0])
    old, head = (words[0], words[1]) if is_first else (words[-1], words[-2])
    if not _may_be_adjective(old) or (len(words) > _SIZE[0] and not is_first):
        return
    for form in _forms(scene, _genders_of_head(head)):
        if form != old.text.lower():
            written = form.capitalize() if old.is_capitalised else form
            yield f"{topic[: old.start]}{written}{topic[old.end :]}"


def _forms(scene: Scene, genders: frozenset[str]) -> Iterator[str]:
    """Give the adjectives of the prompt in the gender of a noun, in small letters."""
    for one in scene.words:
        if _may_be_adjective(one) and not _ORDINAL.match(one.folded):
            form = _form(one, genders)
            yield from () if form is None else (form.lower(),)


def _by_head(scene: Scene) -> Iterator[str]:
    """Give the noun of our question with what the prompt adds: "powstanie" "kościuszkowskie"."""
    last = scene.state.last
    if last is None or not last.reply.rstrip().endswith("?"):
        return
    offered = frozenset().union(*(nouns_of(word.text) for word in split_words(last.reply)))
    for word in split_words(last.prompt):
        for head in dict.fromkeys(one.lemma for one in _nouns(word) if fold(one.lemma) in offered):
            genders = _genders_of_head(split_words(head)[0])
            yield from (f"{head} {form}" for form in _forms(scene, genders))
            yield from (f"{head} {found[0]}" for found in _PLACED.finditer(scene.text))


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
        name = lemmatise(scene.text[one.start : one.end], kind="person", preposition="o")
        if not all(map(is_first_name, name.split())):
            continue
        for surname in surnames:
            if "nazwisko" in labels_of(surname) or not morphology().is_known(surname):
                yield f"{name} {surname}"


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
    return tuple(one for one in readings if one.pos == "subst" and one.lemma.islower())


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


def _may_be_adjective(word: Span) -> bool:
    """Whether a word is an adjective, or may be one and ends as those of places do."""
    readings = morphology().readings(word.text)
    is_of_place = _OF_PLACE.search(word.text) is not None
    is_open = not readings or any(one.pos == "adj" for one in readings)
    return _is_adjective(word) or (is_of_place and is_open)


def _genders(word: Span, part: str) -> frozenset[str]:
    """The genders that a common noun or an adjective can have."""
    return frozenset(
        gender[0]
        for one in morphology().readings(word.text)
        if one.pos == part and (one.lemma.islower() or word.is_capitalised)
        for gender in one.genders
    )


def _genders_of_head(noun: Span) -> frozenset[str]:
    """The genders of a topic's noun: a topic stands in the nominative ("kot", never of "kota")."""
    return frozenset(
        gender[0]
        for one in morphology().readings(noun.text)
        if one.pos == "subst"
        and {"nom"} & one.cases
        and (one.lemma.islower() or noun.is_capitalised)
        for gender in one.genders
        if "sg" in one.numbers
    ) or _genders(noun, "subst")


def _form(word: Span, genders: frozenset[str]) -> str | None:
    """The nominative of an adjective in the gender of a noun that has but one."""
    readings = morphology().readings(word.text)
    told = (one.lemma.lower() for one in readings if one.pos == "adj")
    lemma = next(told, None) or _OF_PLACE.sub(r"\1ki", word.text.lower())
    if genders == {"m"}:
        return lemma
    if genders == {"n"}:
        return f"{lemma.removesuffix('y')}e"
    stem = lemma[:-1] if lemma.endswith(("y", "ki", "gi")) else lemma
    return f"{stem}a" if genders == {"f"} else None
