"""What a prompt points at with a noun or an order: "ten lekarz", "o tym chemiku", "ta druga"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.dialogue.articles.headed_lists import headed_meant
from chatbot.router.dialogue.articles.notions import notion_meant
from chatbot.router.dialogue.articles.roles import done_by
from chatbot.router.dialogue.articles.surroundings import range_meant
from chatbot.router.dialogue.enumerations import listed_names, listed_things, pick
from chatbot.router.dialogue.mentions import (
    find_mentions,
    mentioned_in,
    nouns_of,
    said_of,
    texts_of,
    topic_of,
)
from chatbot.router.dialogue.naming import surname_in
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE, WIKIPEDIA
from chatbot.router.dialogue.subjects import is_relation

_THIS = regex(
    r"\b(?:t(?:en|a|o|ego|ej|emu|ym|e|ych)|tamt\w+|ow(?:a|o|ego|ej|ym)?|sam\w*) "
    r"(?:(?:drug|pierwsz|ostatn|mlodsz|starsz|sam|slynn|znan)\w+ )?(\w{3,})"
)
_FROM = regex(r"\bt(?:en|a|ego|ej|o) od (\w{4,})|\bto za (\w{4,})")
_BARE = regex(r"^(?:(?:a|i|no|to|tak|nie|aha|ok)[, ]+)*(?:t\w+ \w+, )?(\w{3,})(?: to\b|[.,!?]|$)")
_SECOND = regex(
    r"\b(?:t\w+|a|i|o|z|tym|tej) (?:drug\w+|ostatn\w+)\b|^drug\w+\b|"
    r"\b(?:jest|ma|mial\w*|by\w+|lezy) drug(?:i|a|ie)\W*$"
)
_FIRST = regex(r"\b(?:t\w+|a|i|o|z|tym|tej) pierwsz\w+\b(?! \w+ (?:raz|lat))|^pierwsz\w+\b")
_THIRD = regex(
    r"\b(?:pierwsz\w+|drug\w+|trzeci\w*|ostatni\w*) z (?:nich|tych|wymienion\w+)\b|"
    r"\b(?:t\w+|a|i|o|z) (?:trzeci\w*|czwart\w+)\b|^(?:trzeci|czwart)\w*\b"
)
_ORDERED = regex(r"\bt(?:en|a|o|ego|ej|ym|e) (?:pierwsz|drug|trzeci|ostatni)\w* \w{3,}")
_LAST = regex(r"\bt(?:en|a|o|ego|ej|ym) ostatni\w*")
_FEW_NAMES = 3
_TURNS = 2  # exchanges back in which names may be listed
_MIDDLE = regex(r"\bt(?:en|a|o|ego|ej|ym) srodkow\w+\b")
_STYLES = frozenset({"im", "sw", "ks", "gen", "bl", "kard", "o", "bp"})
_INSIDE = frozenset({"w", "we", "na", "nad", "pod", "przy", "z", "ze", ".", *_STYLES})
_FEW = 9
_OF_HIM = regex(
    r"\b(?:jego|jej|ich) (?:(?:drug|pierwsz|ostatn|mlodsz|starsz)\w+ )?"
    r"(zon[aey]|mez\w*|maz|syn\w*|cor\w+|bra(?:t|ci)\w*|siostr\w*|matk\w+|oj(?:ca|ciec|cu)|"
    r"\w+(?:arz|ista|istka|yk|ek|ent|er|or|orka)\w{0,2})\b"
)
_ABOUT = regex(r"\bo (?:t\w+ )?(\w{4,})")
_APPOSED = regex(r"\b(?:t\w+ (?:drug|pierwsz)\w+), (\w{4,})")
_WORKS = frozenset({
    "piosenka", "film", "ksiazka", "powiesc", "wiersz", "utwor", "basn", "legenda", "sentencja",
    "obraz", "serial", "album", "sztuka", "dramat", "opera", "bajka", "motto", "cytat",
})  # fmt: skip
_FAMILIAR = frozenset({
    "zona", "maz", "syn", "corka", "brat", "siostra", "matka", "ojciec", "dziecko", "rodzic",
})  # fmt: skip
_BANDS = frozenset({
    "zespol", "grupa", "klub", "druzyna", "duet", "kabaret", "kapela", "firma", "trio",
})  # fmt: skip
_THEY = regex(r"\b(?:oni|one|nich|nimi)\b")
_VAGUE = frozenset({
    "co", "kto", "rok", "raz", "czas", "nazwa", "sprawa", "temat", "samo", "sam", "jeden", "drugi",
    "pierwszy", "ostatni", "mozliwy", "prawda", "pora", "moment", "okres", "powod",
})  # fmt: skip


def thing_meant(scene: Scene) -> str | None:
    """Return whom the last exchanges call what the prompt calls: "ten lekarz", "o tym chemiku"."""
    topic = topic_of(scene)
    if _ORDERED.search(scene.folded) and (one := _listed_meant(scene)) is not None:
        return one
    if (mountains := range_meant(scene)) is not None:
        return mountains
    meant = (_shown_or_told(scene, topic, clue) for clue in _clues(scene))
    return next((one for one in meant if one is not None), None)


def _shown_or_told(scene: Scene, topic: str | None, clue: frozenset[str]) -> str | None:
    """What a picture, the topic or a text has under one of the prompt's nouns."""
    if scene.is_active(IMAGE) and (shown := shown_as(scene.state.pictures[0], clue)):
        return shown
    if topic and " " in topic and clue is not _BANDS and _speaks_of(topic, clue):
        return topic
    told = (_told_under(scene, text, clue) for text in texts_of(scene))
    if (found := next((one for one in told if one), None)) is not None:
        return found
    name = _of_kind(scene, clue)
    return None if name is None else _whole(scene, name)


def _told_under(scene: Scene, text: str, clue: frozenset[str]) -> str | None:
    """What a text calls so: a noun with its genitive, a notion, else who bears a name."""
    if not any(map(is_relation, clue)) and (phrase := _told_as(text, clue)):
        return phrase
    if (notion := notion_meant(text, clue)) is not None:
        return notion
    found = said_of(text, clue)
    return None if found is None else _whole(scene, found.name)


def points_at(scene: Scene, name: str) -> bool:
    """Whether a name is only the noun with which the prompt points at something: "ta baśń"."""
    clues = frozenset().union(*_clues(scene))
    said = " ".join(texts_of(scene))
    if any(clues & nouns_of(word.text) for word in split_words(said)):
        return False
    return all(nouns_of(word.text) & clues for word in split_words(name))


def _speaks_of(name: str, clue: frozenset[str]) -> bool:
    return any(clue & nouns_of(word.text) for word in split_words(name))


def _told_as(text: str, clue: frozenset[str]) -> str | None:
    """The noun with its genitive: "przekop Mierzei Wiślanej"."""
    words = split_words(text)
    for at, (word, after) in enumerate(pairwise(words)):
        if clue & nouns_of(word.text) and after.folded in _STYLES and _belongs(words, at + 1):
            return shown_as(text[word.start :], clue)
        if clue & nouns_of(word.text) and after.is_capitalised:
            cases = {case for one in morphology().readings(after.text) for case in one.cases}
            return shown_as(text[word.start :], clue) if "gen" in cases else None
    return None


def _of_kind(scene: Scene, clue: frozenset[str]) -> str | None:
    """The work for "ta piosenka", the person for "ten malarz", by whose name a picture is told."""
    last = scene.state.last
    if last is None:
        return None
    if clue & _WORKS:
        return next((one.name for one in find_mentions(last.reply) if one.kind == "work"), None)
    if (doer := done_by(last.reply, clue)) is not None:
        return doer
    if any(map(is_relation, clue)) and not clue & _FAMILIAR:
        shown = scene.state.pictures[:1] if scene.is_active(IMAGE) else ()
        return next((name for text in (*shown, last.reply) if (name := surname_in(text))), None)
    return None


def shown_as(picture: str, clue: frozenset[str]) -> str | None:
    """Return what a picture shows under this noun: "most imienia Piłsudskiego w Toruniu"."""
    words = split_words(picture)
    at = next((at for at, one in enumerate(words) if clue & nouns_of(one.text)), None)
    if at is None:
        return None
    before = words[at - 1].text if at else None
    return lemmatise(phrase_at(picture, words, at), preposition=before)


def phrase_at(picture: str, words: Sequence[Span], at: int) -> str:
    """Return a noun with what belongs to its name, up to a mark, a deed, or a time of day."""
    end = at + 1
    while end < len(words) and _belongs(words, end):
        end += 1
    while end > at + 1 and _is_small(words[end - 1]):
        end -= 1
    return joined(picture, words[at:end])


def _belongs(words: Sequence[Span], at: int) -> bool:
    word = words[at]
    if word.is_capitalised:
        return True
    if word.folded in _INSIDE:
        following = words[at + 1 : at + 3]
        return any(one.is_capitalised for one in following)
    readings = morphology().readings(word.text)
    return any(
        one.pos == "adj" or (one.pos in {"subst", "ger"} and "gen" in one.cases) for one in readings
    )


def _is_small(word: Span) -> bool:
    return word.folded in _INSIDE or not word.text[0].isalnum()


def other_meant(scene: Scene) -> str | None:
    """Return which of those named together "ten drugi" means."""
    at = 1 if _SECOND.search(scene.folded) else 0 if _FIRST.search(scene.folded) else None
    last = scene.state.last
    is_middle = _MIDDLE.search(scene.folded) is not None
    is_third = _THIRD.search(scene.folded) is not None
    if last is None or (at is None and not is_middle and not is_third):
        return None
    if (one := _listed_meant(scene)) is not None:
        return one
    topics = scene.state.values(WIKIPEDIA, "query")
    named = [
        one for one in find_mentions(last.reply) if fold(one.name) != fold("".join(topics[:1]))
    ]
    kinds = [one.kind for one in named]
    alike = [one.name for one in named if kinds.count(one.kind) > 1 and one.kind == _most(kinds)]
    alike = list(dict.fromkeys(alike)) or list(reversed(topics[:2]))
    if at is None:
        return alike[1] if len(alike) == 3 else None  # noqa: PLR2004 - the one in the middle
    if _LAST.search(scene.folded):
        return alike[-1] if len(alike) > 1 else None
    return alike[at] if 1 < len(alike) <= _FEW_NAMES else None


def order_meant(scene: Scene) -> str | None:
    """Return which name of a list its place means, where no noun stands beside: "trzeci z nich"."""
    return _listed_meant(scene) if is_other_alone(scene) else None


def _listed_meant(scene: Scene) -> str | None:
    """Which name of the last list an ordinal means."""
    if (thing := headed_meant(scene)) is not None:
        return thing
    lists = (
        listed(text)
        for turn in reversed(scene.state.turns[-_TURNS:])
        for text in (turn.reply, turn.prompt)
        for listed in (listed_names, listed_things)
    )
    return pick(next((found for found in lists if found), ()), scene.folded)


def _most(kinds: Sequence[str]) -> str:
    return max(kinds, key=kinds.count)


def is_other_alone(scene: Scene) -> bool:
    """Whether "ten drugi" stands without a noun of its own."""
    told = (
        _SECOND.search(scene.folded)
        or _FIRST.search(scene.folded)
        or _MIDDLE.search(scene.folded)
        or _THIRD.search(scene.folded)
    )
    after = split_words(scene.text[told.end() :])[:1] if told else ()
    return told is not None and not (
        after and any(one.pos == "subst" for one in morphology().readings(after[0].text))
    )


def _clues(scene: Scene) -> Iterator[frozenset[str]]:
    """Give the nouns by which the prompt calls what it means, as sets of base forms."""
    found = [
        *_OF_HIM.finditer(scene.folded),
        *_THIS.finditer(scene.folded),
        *_ABOUT.finditer(scene.folded),
        *_FROM.finditer(scene.folded),
    ]
    if scene.size <= _FEW and (bare := _BARE.match(scene.folded)) is not None:
        found.append(bare)
    found += _APPOSED.finditer(scene.folded)
    if _THEY.search(scene.folded):
        yield _BANDS
    for one in found:
        said = scene.text[slice(*one.span(one.lastindex or 1))]
        if said.islower() and (nouns := nouns_of(said) - _VAGUE):
            yield nouns


def _whole(scene: Scene, name: str) -> str:
    """The fuller name that the conversation has for this one."""
    names = (one.name for one in mentioned_in(scene))
    wider = (one for one in names if " " not in name and f" {name}" in one)
    return next(wider, name)
