"""Generate the labelled prompts that the local detector learns from; same seed, same prompts."""

from dataclasses import dataclass
from random import Random

from chatbot.router.detector.classifier import CLASSES
from evals.training.noise import roughen
from evals.training.slots import Slots
from evals.training.templates import expand, load_templates

SEED = 20_260
PER_TEMPLATE = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One prompt with its class; ``template`` keeps prompts of one origin together in a split."""

    prompt: str
    label: str
    template: str


def generate(*, seed: int = SEED, per_template: int = PER_TEMPLATE) -> tuple[Example, ...]:
    """Make up to ``per_template`` distinct prompts of every template of every class."""
    random = Random(seed)  # noqa: S311 - training examples, no secret
    slots = Slots.load(random)
    examples: list[Example] = []
    for label in CLASSES:
        for template in load_templates(label):
            made = (
                roughen(expand(template, random=random, fill=slots.fill), random)
                for _ in range(per_template)
            )
            distinct = dict.fromkeys(prompt for prompt in made if prompt)
            examples.extend(
                Example(prompt=prompt, label=label, template=template) for prompt in distinct
            )
    return tuple(examples)
