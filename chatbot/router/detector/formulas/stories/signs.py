"""What speaks for a calculation in a story: signs of it all, of each quantity, of each pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement
from chatbot.router.detector.formulas.stories.quantities import (
    Seen,
    cues_in,
    measure_of,
    see,
    signs_of,
    stem,
    words_of,
)

_MOST_WORDS = 60
_MOST_ASKING = 14
_MOST_BETWEEN = 14
_FEW_BETWEEN = 6
_ASKED = regex(
    r"\b(?:ile|ilu|iloma|wiela)\b(?: (?:to|jest|bedzie|wyjdzie|w|mi|sie|razem|lacznie|pelnych|"
    r"minimum|co najmniej))* ([a-z]+|%)"
)
_MONEY = regex(
    r"zaplac|koszt|zarob|wyda|reszt|kwot|cen[aey]|rachun|utarg|zysk|przych|dopla|oszcze|wyplat|"
    r"pensj|podat|rat[aey]|doplac|naleznos"
)
_PERCENT = regex(r"proc\w*|%")
_RATE = regex(r"\d ?%")


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """The signs of a statement: of the whole, of every quantity, of every pair of them.

    ``asked`` is what the question asks for: a measure, "things", "%", or "open".
    """

    whole: tuple[str, ...]
    quantities: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, ...], ...]
    asked: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Context:
    """What the signs of all quantities share: stems and cues of the question, the words."""

    asking: tuple[str, ...]
    cues: tuple[str, ...]
    asked: str
    words: str
    count: int


def describe(statement: Statement, reader: str = "") -> Story:
    """Return the signs of a statement, and of which reader of the rules has read it."""
    asking = words_of(statement.question)[:_MOST_ASKING]
    seen = [see(one) for one in statement.quantities]
    context = _Context(
        asking=tuple(map(stem, asking)),
        cues=cues_in(asking),
        asked=_asked(statement.question),
        words=statement.words,
        count=len(seen),
    )
    return Story(
        whole=(*_whole(context, seen), *([f"r {reader}"] if reader else ())),
        quantities=tuple(
            tuple(signs_of(one, at, seen, context.asking, context.asked, cues=context.cues))
            for at, one in enumerate(seen)
        ),
        pairs=tuple(
            tuple(_pair(seen[one], seen[two], (one, two), context))
            for one, two in combinations(range(len(seen)), 2)
        ),
        asked=context.asked,
    )


@lru_cache(maxsize=256)
def _asked(question: str) -> str:
    if _PERCENT.search(question) and not _RATE.search(question):
        return "%"
    is_money = bool(_MONEY.search(question))
    found = _ASKED.search(question)
    if found is not None and (measure := measure_of(found[1])) != "things":
        return measure
    return "money" if is_money else "open" if found is None else "things"


def _whole(context: _Context, seen: Sequence[Seen]) -> Iterator[str]:
    many = min(len(seen), 6)
    measures = " ".join(sorted({one.measure for one in seen}))
    yield from ("1", f"n {many}", f"ask {context.asked}")
    yield from dict.fromkeys(f"q {word}" for word in context.asking)
    yield from dict.fromkeys(f"q {one} {two}" for one, two in pairwise(context.asking))
    for cue in context.cues:
        yield from (f"qc {cue}", f"qc {cue} n {many}", f"qc {cue} {measures}")
    words = words_of(context.words)[:_MOST_WORDS]
    for cue in cues_in(words):
        yield from (f"wc {cue}", f"wc {cue} ask {context.asked}")
    yield from dict.fromkeys(f"w {stem(word)}" for word in words)
    yield from dict.fromkeys(f"u {one.shape}" for one in seen)
    yield "us " + " ".join(sorted(one.measure for one in seen[:4]))


def _pair(one: Seen, two: Seen, places: tuple[int, int], context: _Context) -> Iterator[str]:
    gap = min(places[1] - places[0], 3)
    is_same = one.unit == two.unit
    kinds = f"{one.shape} {two.shape}"
    per = f"{_is_per(one, two)} {_is_per(two, one)}"
    yield from ("1", f"k {kinds}", f"k {kinds} {gap} {context.count == 2}")  # noqa: PLR2004
    yield from (f"k {kinds} ask {context.asked}", f"us {one.unit} {two.unit}")
    yield f"s {is_same} {gap} {one.is_each}{two.is_each}"
    yield f"g {gap} of {min(context.count, 5)} {places[0]}"
    yield from (f"per {per}", f"per {per} {kinds}")
    for cue in context.cues:
        yield f"qc {cue} {one.measure} {two.measure}"
        yield f"qc {cue} {is_same} {gap} {context.count}"
    yield from _pair_cues(one, two, kinds, is_next=gap == 1)
    yield from dict.fromkeys(f"q {word} {is_same}" for word in context.asking)
    yield from dict.fromkeys(f"b {word}" for word in one.before[-2:])
    yield from dict.fromkeys(f"i {word}" for word in one.after[:3])
    yield from dict.fromkeys(f"j {word}" for word in two.before)
    yield from dict.fromkeys(f"e {word}" for word in two.after[:3])
    yield from _between(words_of(context.words[one.end : two.start]), gap)
    if two.value:
        ratio = one.value / two.value
        alike = f"{is_same} {one.measure == two.measure}"
        yield f"r {ratio > 1} {ratio == round(ratio)} {alike}"


def _pair_cues(one: Seen, two: Seen, kinds: str, *, is_next: bool) -> Iterator[str]:
    for cue in one.cues_before:
        yield f"cb {cue} {kinds}"
    for cue in one.cues_after:
        yield from (f"ci {cue} {kinds}", f"ci {cue} {is_next}")
    for cue in two.cues_before:
        yield from (f"cj {cue} {kinds}", f"cj {cue} {is_next}")
    for cue in two.cues_after:
        yield f"ce {cue} {kinds}"


def _between(words: Sequence[str], gap: int) -> Iterator[str]:
    """What stands between two quantities."""
    if gap == 1 and len(words) <= _FEW_BETWEEN:
        yield "t " + " ".join(map(stem, words))
    yield from dict.fromkeys(f"m {stem(word)} {gap == 1}" for word in words[:_MOST_BETWEEN])
    yield f"dots {any(word in '.?!;' for word in words)} {gap}"


def _is_per(one: Seen, two: Seen) -> bool:
    """Whether one is so much for each of what the other counts: "30 zł za kg" and "2 kg"."""
    return bool(two.unit) and two.unit in {word[:4] for word in one.after[1:]}
