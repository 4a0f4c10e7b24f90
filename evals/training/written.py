"""Prompts that people wrote, as examples: the half of the test set that is to develop with."""

from random import Random

from chatbot.router.detector.detector import FUNCTIONS
from evals.cases import ZWROTNICA_PL, Case, read_cases, select
from evals.training.noise import roughen
from evals.training.prompts import SEED, Example

WEIGHT = 4.0
COPIES = 3
"""Further copies of each prompt with the noise that generated prompts have."""


def read_written(*, seed: int = SEED) -> tuple[Example, ...]:
    """Read the single prompts of the *dev* half; the test half and dialogues are left alone."""
    random = Random(seed)  # noqa: S311 - training examples, no secret
    labels = {name: label for label, name in FUNCTIONS.items()}
    cases = select(read_cases(ZWROTNICA_PL), "dev").cases
    return tuple(
        example
        for case in cases
        if not case.history
        for example in _examples(case, labels.get(case.tool or "", "none"), random)
    )


def _examples(case: Case, label: str, random: Random) -> tuple[Example, ...]:
    copies = dict.fromkeys(roughen(case.prompt, random) for _ in range(COPIES))
    copies.pop(case.prompt, None)
    own = Example(prompt=case.prompt, label=label, template=case.id, is_written=True, weight=WEIGHT)
    return (own, *(Example(prompt=copy, label=label, template=case.id) for copy in copies))
