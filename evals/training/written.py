"""Prompts that were written, not generated: our own lists, and the dev half of the test set."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from chatbot.router.detector.classifier import CLASSES
from chatbot.router.detector.detector import FUNCTIONS
from evals.cases import ZWROTNICA_PL, read_cases, select
from evals.training.noise import roughen
from evals.training.prompts import SEED, Example

WEIGHT = 16.0
COPIES = 3
"""Further copies of each prompt with the noise that generated prompts have."""

_LISTS = Path(__file__).parent / "written"


def read_written(*, seed: int = SEED) -> tuple[Example, ...]:
    """Read all written prompts; the test half and dialogues are left alone."""
    random = Random(seed)  # noqa: S311 - training examples, no secret
    return tuple(
        example
        for source, prompts in (("lists", _lists()), ("dev half", _dev_half()))
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
    labels = {name: label for label, name in FUNCTIONS.items()}
    for case in select(read_cases(ZWROTNICA_PL), "dev").cases:
        if not case.history:
            yield case.id, labels.get(case.tool or "", "none"), case.prompt


def _examples(
    source: str, origin: str, label: str, prompt: str, random: Random
) -> tuple[Example, ...]:
    copies = dict.fromkeys(roughen(prompt, random) for _ in range(COPIES))
    copies.pop(prompt, None)
    own = Example(prompt=prompt, label=label, template=origin, source=source, weight=WEIGHT)
    return (own, *(Example(prompt=copy, label=label, template=origin) for copy in copies))
