"""Generate the labelled prompts that the local detector learns from; same seed, same prompts."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from chatbot.router.detector.classifier import CLASSES
from evals.training.compose import compose
from evals.training.noise import roughen
from evals.training.slots import Slots
from evals.training.templates import expand, load_templates

SEED = 20_260
PER_TEMPLATE = 16

TEMPLATES = "templates"
"""The source of whatever is generated."""

PRACTICE = "practice"
"""The source of practice cases, which have the classes in other shares than prompts do."""

_PLAIN_TO_COMPOSED = 8  # so many plain prompts for one of several parts


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One prompt with its class; ``template`` keeps prompts of one origin together in a split.

    ``source`` says where it comes from; ``weight`` is its share in training beside an example of
    weight 1.
    """

    prompt: str
    label: str
    template: str
    source: str = TEMPLATES
    weight: float = 1.0


def generate(*, seed: int = SEED, per_template: int = PER_TEMPLATE) -> tuple[Example, ...]:
    """Make up to ``per_template`` distinct prompts of every template, and composed ones."""
    random = Random(seed)  # noqa: S311 - training examples, no secret
    maker = _Maker(random)
    plain = (each for label in CLASSES for each in maker.plain(label, per_template))
    composed = (each for label in CLASSES for each in maker.composed(label, per_template))
    return (*plain, *composed)


class _Maker:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._slots = Slots.load(random)
        self._templates = {label: load_templates(label) for label in CLASSES}

    def plain(self, label: str, per_template: int) -> Iterator[Example]:
        for template in self._templates[label]:
            made = (roughen(self._expand(template), self._random) for _ in range(per_template))
            for prompt in dict.fromkeys(prompt for prompt in made if prompt):
                yield Example(prompt=prompt, label=label, template=template)

    def composed(self, label: str, per_template: int) -> Iterator[Example]:
        share = max(1, per_template // _PLAIN_TO_COMPOSED)
        for _ in range(share * len(self._templates[label])):
            prompt, kind = compose(label, self._draw, self._random)
            yield Example(
                prompt=roughen(prompt, self._random), label=label, template=f"{label}/{kind}"
            )

    def _draw(self, label: str) -> str:
        return self._expand(self._random.choice(self._templates[label]))

    def _expand(self, template: str) -> str:
        return expand(template, random=self._random, fill=self._slots.fill)
