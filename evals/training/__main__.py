"""Train the local detector and write its weights: ``python -m evals.training``."""

from pathlib import Path

import click

import chatbot.router.detector.classifier as trained
import chatbot.router.dialogue.intent as trained_intent
from chatbot.router.detector import Detector
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from evals.training.fit import Quality, fit
from evals.training.fit_intent import fit_intent
from evals.training.prompts import PER_TEMPLATE, generate
from evals.training.sayings import Sayings
from evals.training.weight_file import write_weights
from evals.training.written import read_written

_TOOLS = (get_weather, calculate, search_wikipedia, generate_image)


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the weights go; by default into the package.",
)
@click.option("--per-template", default=PER_TEMPLATE, show_default=True, help="Fewer are quicker.")
@click.option("--dialogues", is_flag=True, help="Train the classifier of prompts in dialogues.")
def train(out: Path | None, per_template: int, *, dialogues: bool) -> None:
    """Make the prompts, fit, report the quality on what was held out, write the weights."""
    if dialogues:
        _train_intent(out or Path(trained_intent.__file__).with_name(trained_intent.WEIGHTS))
    else:
        _train_detector(out or Path(trained.__file__).with_name(trained.WEIGHTS), per_template)


def _train_detector(out: Path, per_template: int) -> None:
    examples = (*generate(per_template=per_template), *read_written())
    click.echo(f"{len(examples)} prompts of {len({e.template for e in examples})} origins")
    found = fit(examples)
    for source, quality in found.quality.items():
        _report(f"{source}, held out", quality)
    for (label, guess), count in sorted(found.confusion.items(), key=lambda item: -item[1]):
        click.echo(f"  {label} taken for {guess}: {count}")
    write_weights(out, found.arrays)


def _train_intent(out: Path) -> None:
    sayings = Sayings(Detector.load(), [tool.spec for tool in _TOOLS]).read()
    click.echo(f"{len(sayings)} prompts within conversations")
    found = fit_intent(sayings)
    for source, quality in found.quality.items():
        _report(f"{source}, held out", quality)
    write_weights(out, found.arrays)


def _report(name: str, quality: Quality) -> None:
    click.echo(
        f"{name}: {quality.examples} prompts, accuracy {quality.accuracy:.3f}, "
        f"expected calibration error {quality.calibration_error:.3f}"
    )


if __name__ == "__main__":
    train()
