"""Measures how often grounding puts corrupted names right, and what it costs."""

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from random import Random
from statistics import median, quantiles
from typing import Literal, TypeAlias

from chatbot.language import fold, in_place, of_place, town_names
from chatbot.language.places import gazetteer
from chatbot.router.grounding import Grounded, ground
from chatbot.types import NameKind
from evals.bench.corruptions import Mention, corruptions
from evals.cases import ZWROTNICA_PL, Case, read_cases, select

Part: TypeAlias = Literal["tune", "unseen"]
PARTS: tuple[Part, ...] = ("tune", "unseen")
GOOD, ELSEWHERE = "good", "place elsewhere"
_KINDS: Mapping[str, NameKind] = {"city": "place", "query": "topic"}
_BRACES = re.compile(r"\{([^}]*)\}")
_TOWNS = 250  # of the register, in each part
_STEM = 4  # letters by which a word of a name is found in a text
_WHERE: Mapping[Part, tuple[str, ...]] = {
    "tune": (
        "Jaka pogoda {in_} jutro?",
        "Czy {in_} pada teraz deszcz?",
        "Prognoza dla {of} na weekend, proszę",
        "jadę do {of}, ile tam jest stopni i czy brać parasol",
        "Hej, mam jutro wesele {in_}, powiedz, czy zmoknę",
    ),
    "unseen": (
        "Będzie {in_} mróz w nocy?",
        "Sprawdzisz, czy {in_} wieje? Chcę puszczać latawce z synem.",
        "Wracam z {of} o północy, droga będzie śliska?",
        "co pokazuje termometr {in_}",
        "Potrzebna mi temperatura dla {of} na pojutrze",
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """Texts that name something: its kind, the name in the texts, all values that are right."""

    kind: NameKind
    texts: tuple[str, ...]
    mention: Mention
    right: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """One grounded value: ``label`` is its corruption, or `GOOD`, or `ELSEWHERE`."""

    sample: Sample
    label: str
    value: str
    grounded: Grounded
    ms: float

    @property
    def is_right(self) -> bool:
        """Whether the value is right now; of a place elsewhere, whether it was flagged."""
        found, sample = self.grounded.value, self.sample
        if self.grounded.state == "invented":
            return self.label == ELSEWHERE
        return found in sample.right or (
            sample.kind == "topic" and found.lower() in map(str.lower, sample.right)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class GroundingCost:
    """How many values of one ``label`` were right, how many were flagged as invented.

    Times are milliseconds of the processor for a call.
    """

    part: str
    label: str
    values: int
    right: int
    flagged: int
    p50_ms: float
    p95_ms: float


def measure_grounding(part: Part, *, seed: int) -> tuple[list[GroundingCost], list[Outcome]]:
    """Ground every value of every sample of a part; the second value has each outcome."""
    samples = [*_written(part), *_towns(part, seed), *(_dev() if part == "tune" else ())]
    ground("Warszawa", "place", ("w Warszawie",))  # what is loaded at first is no cost of a call
    outcomes = [outcome for sample in samples for outcome in _play(sample, seed)]
    labels = Counter(outcome.label for outcome in outcomes)
    spoilt = [one for one in outcomes if one.label not in {GOOD, ELSEWHERE}]
    return [
        *(
            _sum_up(part, label, [o for o in outcomes if o.label == label])
            for label in sorted(labels)
        ),
        _sum_up(part, "all corrupted", spoilt),
        _sum_up(part, "all", outcomes),
    ], outcomes


def _play(sample: Sample, seed: int) -> Iterator[Outcome]:
    for value in sorted(sample.right):
        yield _ground(sample, sample.kind, GOOD, value)
    if _stands(sample.mention, sample.texts):
        for label, value in corruptions(sample.mention, seed):
            if value not in sample.right:
                yield _ground(sample, sample.kind, label, value)
    yield _ground(sample, "place", ELSEWHERE, _elsewhere(sample, seed))


def _ground(sample: Sample, kind: NameKind, label: str, value: str) -> Outcome:
    start = time.thread_time()
    grounded = ground(value, kind, sample.texts)
    ms = (time.thread_time() - start) * 1000
    return Outcome(sample=sample, label=label, value=value, grounded=grounded, ms=ms)


def _elsewhere(sample: Sample, seed: int) -> str:
    """Choose a known place of which the texts do not speak, however like it may be to others."""
    chance = Random(f"{seed}/{sample.mention.name}/{sample.texts[0]}")  # noqa: S311 - repeatable
    names = gazetteer().names
    while True:
        name = chance.choice(names)
        if not _stands(Mention(name=name), sample.texts):
            return name


def _stands(mention: Mention, texts: Sequence[str]) -> bool:
    """Whether the texts have each word of the name, by its first letters."""
    text = fold(" ".join(texts))
    words = re.split(r"[\s-]+", fold(mention.name))
    return bool(mention.form) or all(word[:_STEM].rstrip("aeiouy") in text for word in words)


def _written(part: Part) -> Iterator[Sample]:
    text = (files("evals.bench") / "grounding.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        own, *row = line.split("\t")
        if own == part:
            kind, prompt, name, others, foreign = row
            form = _BRACES.search(prompt)
            yield Sample(
                kind="place" if kind == "place" else "person" if kind == "person" else "topic",
                texts=(_BRACES.sub(r"\1", prompt),),
                mention=Mention(
                    name=name,
                    form=form[1] if form else "",
                    foreign=tuple(filter(None, foreign.split("|"))),
                ),
                right=frozenset((name, *filter(None, others.split("|")))),
            )


def _towns(part: Part, seed: int) -> Iterator[Sample]:
    """Towns of the register in made prompts; each town is in one part only."""
    wanted = int(part == "tune")
    own = [name for name in town_names() if sha256(name.encode()).digest()[0] % 2 == wanted]
    chance = Random(seed)  # noqa: S311 - repeatable
    for name in chance.sample(own, _TOWNS):
        pattern = chance.choice(_WHERE[part])
        where, whose = in_place(name), of_place(name)
        yield Sample(
            kind="place",
            texts=(pattern.format(in_=where, of=whose),),
            mention=Mention(
                name=name, form=whose if "{of}" in pattern else where.partition(" ")[2]
            ),
            right=frozenset({name}),
        )


def _dev() -> Iterator[Sample]:
    """Yield the names in the arguments of the developing half of zwrotnica-pl."""
    for case in select(read_cases(ZWROTNICA_PL), "dev").cases:
        for call in case.expected.calls:
            for argument, kind in _KINDS.items():
                name = call.arguments.get(argument)
                if isinstance(name, str):
                    right = (name, *map(str, call.accept.get(argument, ())))
                    yield Sample(
                        kind=kind,
                        texts=(case.prompt, *_said(case)),
                        mention=Mention(name=name),
                        right=frozenset(right),
                    )


def _said(case: Case) -> Sequence[str]:
    return [message.text for message in reversed(case.history)]


def _sum_up(part: Part, label: str, outcomes: Sequence[Outcome]) -> GroundingCost:
    times = [outcome.ms for outcome in outcomes]
    return GroundingCost(
        part=part,
        label=label,
        values=len(outcomes),
        right=sum(outcome.is_right for outcome in outcomes),
        flagged=sum(outcome.grounded.state == "invented" for outcome in outcomes),
        p50_ms=median(times),
        p95_ms=quantiles(times, n=20)[-1],
    )
