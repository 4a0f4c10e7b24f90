"""Everything that a question to the encyclopaedia may be about, within its conversation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from chatbot.language.first_names import Gender
from chatbot.language.folding import fold
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import PREPOSITIONS
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined, split_words
from chatbot.router.detector.topic import base_of, plain_question
from chatbot.router.detector.topic_model import topic_model
from chatbot.router.dialogue.articles.bearers import bearers
from chatbot.router.dialogue.articles.called import name_meant, own_name
from chatbot.router.dialogue.articles.pointing import other_meant, thing_meant
from chatbot.router.dialogue.articles.referents import answer_meant, pronoun_meant
from chatbot.router.dialogue.articles.siblings import sibling_meant, siblings
from chatbot.router.dialogue.articles.surroundings import place_meant
from chatbot.router.dialogue.contrasts import read_contrast
from chatbot.router.dialogue.forecasts.places import is_place, latest
from chatbot.router.dialogue.mentions import find_mentions, shares_word, texts_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import NEEDED, WEATHER, WIKIPEDIA

_RULES = {
    "name": name_meant, "clue": thing_meant, "sibling": sibling_meant, "other": other_meant,
    "place": place_meant, "pronoun": pronoun_meant, "answer": answer_meant,
}  # fmt: skip
_PLACED = regex(r" (?:w|we|na|z|ze|nad|pod|przy|przed|obok|za) [a-ząćęłńóśźż]")
_ORDINAL = regex(r"(?:pierwsz|drug|trzec|czwart|piat|ostatn)\w*$")
_INTERROGATIVE = regex(r"(?:czyj\w*|ktor(?:y|a|e|ego|ej|ym|ych|zy)|jak(?:i|a|iego|iej|ich)|kiedy)$")
_PRONOUNS = frozenset({"ppron3", "ppron12", "siebie"})
_SPANS = 3
_PHRASES = 3
_TOPICS = 3
_PICTURES = 1
_EXCHANGES = 2
MOST = 40


@dataclass(kw_only=True, slots=True)
class Candidate:
    """A name in its base form, and every way in which it came up.

    ``words`` are those of the prompt that name it, if it stands there. ``gender`` is that of a
    person, where the conversation tells it.
    """

    name: str
    kind: str
    sources: set[str] = field(default_factory=set)
    words: tuple[Span, ...] = ()
    gender: Gender | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Picked:
    """What the rules take for the topic; ``is_certain`` where they would ask no model."""

    name: str
    is_certain: bool


def find_candidates(scene: Scene, picked: Picked | None) -> tuple[Candidate, ...]:
    """Return what the prompt may be about, each name once.

    Args:
        scene: The prompt and its conversation.
        picked: What the rules take for it, if they do.
    """
    found: dict[str, Candidate] = {}
    if picked is not None:
        source = "certain" if picked.is_certain else "picked"
        words = _words_of(scene, picked.name)
        one = Candidate(name=picked.name, kind=kind_of(picked.name), sources={source}, words=words)
        found[fold(picked.name)] = one
    for name, kind, source, words in _named(scene):
        same = (one for one in found.values() if words and one.words == words)
        one = found.get(fold(name)) or next(same, None) or Candidate(name=name, kind=kind)
        found.setdefault(fold(one.name), one)
        one.sources.add(source)
        one.name = _spelled(one, name, source, words)
        one.kind = kind if kind == "person" else one.kind
        one.words = one.words or words
    contrast = read_contrast(scene.text)
    kept = [one for one in found.values() if not contrast.denies(one.name)]
    candidates = tuple(kept or found.values())[:MOST]
    _tell_genders(scene, candidates)
    return candidates


def _spelled(one: Candidate, name: str, source: str, words: Sequence[Span]) -> str:
    """A name as the conversation spells it, where the prompt has it without diacritics."""
    is_told = bool(one.words) or source.startswith(("told", "retold"))
    return name if is_told and not words and fold(name) == fold(one.name) else one.name


def _tell_genders(scene: Scene, candidates: Sequence[Candidate]) -> None:
    """Make persons of those of whom the conversation says so."""
    told = {fold(name): gender for text in texts_of(scene) for name, gender in bearers(text)}
    for one in candidates:
        if not one.words and (gender := told.get(fold(one.name))) is not None:
            one.kind, one.gender = "person", gender


@lru_cache(maxsize=64)
def likely_spans(question: str) -> tuple[tuple[tuple[Span, ...], float], ...]:
    """Return the phrases that a question may be about, were it said alone, with their shares."""
    return topic_model().ranked(question, most=_SPANS)


def kind_of(name: str) -> str:
    """Tell what a name names: a person, a place, a thing with a name, a notion."""
    if is_person(name):
        return "person"
    if is_place(name):
        return "place"
    return "thing" if name[:1].isupper() else "notion"


def _named(scene: Scene) -> Iterator[tuple[str, str, str, tuple[Span, ...]]]:
    """Give names with their kind, their source and their words in the prompt."""
    for name, source, words in (
        *_own(scene),
        *_looked_up(scene),
        *_meant(scene),
        *_of_reply(scene),
    ):
        yield name, kind_of(name), source, words
    yield from _said(scene)


def _own(scene: Scene) -> Iterator[tuple[str, str, tuple[Span, ...]]]:
    """What the prompt itself names."""
    text = plain_question(scene.text)
    for rank, (words, _) in enumerate(likely_spans(text)):
        if _may_name(words):
            yield base_of(text, words), f"span{rank}", words
    for found in scene.detected(WIKIPEDIA):
        query = str(found.arguments.get(NEEDED[WIKIPEDIA], ""))
        if query and _may_name(split_words(query)):
            yield query, "detected", _words_of(scene, query)
    for one in find_mentions(scene.text):
        words = tuple(word for word in scene.words if one.start <= word.start < one.end)
        yield one.name, "mentioned", words
    if name := own_name(scene):
        yield name, "own", _words_of(scene, name)
    if meant := read_contrast(scene.text).meant:
        yield _base_of_meant(scene, meant), "meant", meant


def _may_name(words: Sequence[Span]) -> bool:
    """Whether words can be a name: no order alone, no question or pronoun beside a noun."""
    if len(words) == 1:
        return _ORDINAL.match(words[0].folded) is None
    if words[0].is_capitalised:
        return _INTERROGATIVE.match(words[-1].folded) is None
    return not any(map(_asks_or_points, words))


def _asks_or_points(word: Span) -> bool:
    """Whether a word asks, or stands for something said: "czyje", "ją"."""
    readings = readings_of(word.text) if word.text.islower() else ()
    is_pronoun = bool(readings) and all(one.pos in _PRONOUNS for one in readings)
    return is_pronoun or _INTERROGATIVE.match(word.folded) is not None


def _base_of_meant(scene: Scene, meant: Sequence[Span]) -> str:
    before = [word for word in scene.words if word.end <= meant[0].start][-1:]
    preposition = next((word.folded for word in before if word.folded in PREPOSITIONS), None)
    return lemmatise(joined(scene.text, meant), preposition=preposition)


def _of_reply(scene: Scene) -> Iterator[tuple[str, str, tuple[Span, ...]]]:
    """The likeliest phrases of the last reply, names or not: "zakon krzyżacki"."""
    text = scene.state.last.reply if scene.state.last else ""
    for words, _ in topic_model().ranked(text, most=_PHRASES):
        yield base_of(text, words), "phrase", ()


def _words_of(scene: Scene, name: str) -> tuple[Span, ...]:
    return tuple(
        word for word in scene.words if len(word.text) > 1 and shares_word(name, word.text)
    )


def _looked_up(scene: Scene) -> Iterator[tuple[str, str, tuple[Span, ...]]]:
    """What was looked up, drawn, or asked for as a place."""
    topics = scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA])[:_TOPICS]
    for rank, topic in enumerate(topics):
        yield topic, f"topic{rank}", ()
    for place in latest(scene.state) if scene.is_active(WEATHER) else ():
        yield place, "weather", ()
    for picture in scene.state.pictures[:_PICTURES]:
        text = plain_question(picture)
        for words, _ in topic_model().ranked(text, most=1):
            yield _head(base_of(text, words)), "picture", ()


def _head(shown: str) -> str:
    """What a picture shows without where it is: "żyrafa w windzie", but "zamek w Malborku"."""
    found = _PLACED.search(shown)
    return shown[: found.start()] if found else shown


def _meant(scene: Scene) -> Iterator[tuple[str, str, tuple[Span, ...]]]:
    """What a rule takes for meant."""
    for way, kin in siblings(scene):
        yield kin, f"kin_{way}", ()
    for source, rule in _RULES.items():
        if (name := rule(scene)) is not None:
            yield name, source, ()


def _said(scene: Scene) -> Iterator[tuple[str, str, str, tuple[Span, ...]]]:
    """What was named by either side, replies first."""
    for age, turn in enumerate(reversed(scene.state.turns[-_EXCHANGES:])):
        asked = find_mentions(turn.prompt)
        queries = (str(value) for one in turn.calls for value in one.arguments.values())
        known = fold(" ".join((turn.prompt, *queries)))
        fresh = [
            one
            for one in find_mentions(turn.reply)
            if not any(shares_word(known, word) for word in one.name.split())
        ]
        for one in find_mentions(turn.reply):
            source = "told" if one in fresh else "retold"
            yield one.name, one.kind, f"{source}{age}", ()
            if one in fresh[:1]:
                yield one.name, one.kind, f"first{age}", ()
            if one in fresh and len(fresh) == 1:
                yield one.name, one.kind, f"only{age}", ()
        for one in asked:
            yield one.name, one.kind, f"asked{age}", ()
