"""What is seen of how well each name fits the words of a prompt: its kind, the nouns beside it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.detector.topic import plain_question
from chatbot.router.dialogue.articles.candidates import Candidate, likely_spans
from chatbot.router.dialogue.articles.name_kinds import name_kind
from chatbot.router.dialogue.articles.question_kinds import base, question_kinds, read_words
from chatbot.router.dialogue.contrasts import read_contrast
from chatbot.router.dialogue.mentions import Mention, find_mentions, shares_word
from chatbot.router.dialogue.scene import Scene

_WORST, _BEST = -4, 3
_SHARES = 5  # steps of a probability
_BEFORE, _AFTER = 3, 4  # words beside a name
_CROSSED = ("topic0", "told0", "own!", "retold0", "only0", "first0")
_ROLES = (*_CROSSED, "said!", "span0", "topic1")
_STRANGE = frozenset({"thing", "notion", "animal"})
_PARTICLES = frozenset({"prep", "conj"})


def read_fits(scene: Scene, candidates: Sequence[Candidate]) -> tuple[tuple[str, ...], ...]:
    """Return the signs of each candidate, shape (candidates, any)."""
    fits = question_kinds().fits(read_words(scene.words))
    lemmas = _lemmas(scene.words)
    nouns = _nouns(scene.words)
    topic = next((one for one in candidates if "topic0" in one.sources), None)
    shares = _shares(scene)
    found = list[tuple[str, ...]]()
    for one in candidates:
        kind = _sort_of(one)
        signs = [f"fit={min(max(round(fits[kind]), _WORST), _BEST)}"]
        signs += _own(one, shares)
        signs += _beside_topic(one, topic)
        signs += _beside_noun(scene, one, nouns)
        signs += _contrasted(scene, one)
        sources = {*one.sources, "own!" if one.words else "said!"}
        crossed = [f"{source}&{sign}" for source in _CROSSED if source in sources for sign in signs]
        roles = [f"kind={one.kind}", *(source for source in _ROLES if source in sources)]
        said = [f"{role}&says={lemma}" for role in roles for lemma in lemmas]
        found.append((f"sort={kind}", *signs, *crossed, *said))
    return tuple(found)


def _sort_of(one: Candidate) -> str:
    """The kind of what a candidate names; of strange names the conversation may tell it."""
    kind = name_kind(one.name)
    is_strange = one.kind == "person" and kind in _STRANGE
    return "person" if one.gender is not None or is_strange else kind


def _shares(scene: Scene) -> dict[str, float]:
    """How likely the words of the prompt are its topic, were it said alone."""
    spans = likely_spans(plain_question(scene.text))
    return {word.text: share for words, share in spans for word in words}


def _own(one: Candidate, shares: dict[str, float]) -> Iterator[str]:
    if one.words:
        share = max(shares.get(word.text, 0.0) for word in one.words)
        yield f"share={int(share * _SHARES)}"


def _beside_topic(one: Candidate, topic: Candidate | None) -> Iterator[str]:
    """Give whether a candidate is of the topic's kind: "a tchórz?" after the badger."""
    if topic is not None and topic is not one:
        kind, other = _sort_of(one), _sort_of(topic)
        yield f"sorts={other}>{kind}"
        if kind == other:
            yield "same_sort"


def _contrasted(scene: Scene, one: Candidate) -> Iterator[str]:
    """Give whether the prompt puts a name in the place of another."""
    if contrast := read_contrast(scene.text):
        yield "meant_instead" if contrast.means(one.name) else "not_instead"


def _beside_noun(scene: Scene, one: Candidate, nouns: frozenset[str]) -> Iterator[str]:
    """Give whether the prompt has a noun that stood beside the name: "kanclerz Jan Zamoyski"."""
    last = scene.state.last
    if last is None or one.words or not nouns:
        return
    is_topic = "topic0" in one.sources
    for text in (last.reply, last.prompt):
        words = [word for word in split_words(text) if word.text[0].isalnum()]
        for mention in find_mentions(text):
            if not _is_named(mention, one, is_topic=is_topic):
                continue
            before = [word for word in words if word.end <= mention.start][-_BEFORE:]
            after = [word for word in words if word.start >= mention.end][:_AFTER]
            if nouns & _nouns(before[-1:]):
                yield "noun_before"
            if nouns & _nouns((*before, *after)):
                yield "noun_beside"


def _is_named(mention: Mention, one: Candidate, *, is_topic: bool) -> bool:
    first = mention.name.split(" ", 1)[0]
    return mention.name == one.name or (is_topic and shares_word(one.name, first))


def _lemmas(words: Sequence[Span]) -> tuple[str, ...]:
    """The words of a prompt in base form, without prepositions and conjunctions."""
    found = {
        base(word)
        for word in words
        if word.text[0].isalpha()
        and not any(one.pos in _PARTICLES for one in readings_of(word.text))
    }
    return tuple(sorted(found - {"?"}))


def _nouns(words: Sequence[Span]) -> frozenset[str]:
    return frozenset().union(*(_nouns_of(word.text) for word in words))


@lru_cache(maxsize=4_096)
def _nouns_of(word: str) -> frozenset[str]:
    """The common nouns that a word can be."""
    return frozenset(
        one.lemma.lower()
        for one in readings_of(word)
        if one.pos in {"subst", "ger", "depr"} and one.lemma.islower()
    )
