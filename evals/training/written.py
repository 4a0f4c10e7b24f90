"""Prompts that were written, not generated: own lists, the dev half of the test set, practice."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import MappingProxyType

from chatbot.router.detector.classifier import CLASSES
from chatbot.router.detector.detector import FUNCTIONS
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, CaseSet, read_cases, select
from evals.training.noise import roughen
from evals.training.prompts import PRACTICE, SEED, Example

WEIGHT = 16.0
COPIES = 3
"""Further copies of each prompt with the noise that generated prompts have."""

_LISTS = Path(__file__).parent / "written"
_FILES = (
    "asking_a", "border_lines", "border_lines_2", "everything_else_3", "everything_else_4",
    "mathematics_4", "mathematics_6", "mathematics_7", "mathematics_8", "mathematics_9",
    "mathematics_10", "single_alike_a", "single_a", "wikipedia_4", "wikipedia_5", "wikipedia_6",
    "wikipedia_7", "wikipedia_8",
)  # fmt: skip
"""Practice cases whose prompts the lists do not have."""

_LABELS = MappingProxyType({name: label for label, name in FUNCTIONS.items()})


def read_written(*, seed: int = SEED) -> tuple[Example, ...]:
    """Read all written prompts, each once; the test half and dialogues are left alone."""
    random = Random(seed)  # noqa: S311 - training examples, no secret
    lists, dev_half = tuple(_lists()), tuple(_dev_half())
    seen = {prompt for *_, prompt in (*lists, *dev_half)}
    practice = (one for one in _practice() if one[-1] not in seen)
    return tuple(
        example
        for source, prompts in (("lists", lists), ("dev half", dev_half), (PRACTICE, practice))
        for origin, label, prompt in prompts
        for example in _examples(source, origin, label, prompt, random)
    )


def _lists() -> Iterator[tuple[str, str, str]]:
    """One prompt a line, one class a file; backslash and n stand for a line break within it."""
    for label in CLASSES:
        path = _LISTS / f"{label}.txt"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            yield f"{path.name}:{number}", label, line.replace("\\n", "\n")


def _dev_half() -> Iterator[tuple[str, str, str]]:
    return _single_prompts(select(read_cases(ZWROTNICA_PL), "dev"))


def _practice() -> Iterator[tuple[str, str, str]]:
    return (
        one for name in _FILES for one in _single_prompts(read_cases(PRACTICE_PL / f"{name}.jsonl"))
    )


def _single_prompts(cases: CaseSet) -> Iterator[tuple[str, str, str]]:
    for case in cases.cases:
        if not case.history:
            yield case.id, _LABELS.get(case.tool or "", "none"), case.prompt


def _examples(
    source: str, origin: str, label: str, prompt: str, random: Random
) -> tuple[Example, ...]:
    copies = dict.fromkeys(roughen(prompt, random) for _ in range(COPIES))
    copies.pop(prompt, None)
    own = Example(prompt=prompt, label=label, template=origin, source=source, weight=WEIGHT)
    return (own, *(Example(prompt=copy, label=label, template=origin) for copy in copies))
