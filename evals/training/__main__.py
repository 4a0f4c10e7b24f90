"""Train the local detector and write its weights: ``python -m evals.training``."""

from hashlib import sha256
from io import BytesIO
from pathlib import Path

import click
import numpy as np

import chatbot.router.detector.classifier as trained
from evals.training.fit import Quality, fit
from evals.training.prompts import PER_TEMPLATE, generate
from evals.training.written import read_written


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path(trained.__file__).with_name(trained.WEIGHTS),
    help="Where the weights go; by default into the package.",
)
@click.option("--per-template", default=PER_TEMPLATE, show_default=True, help="Fewer are quicker.")
def train(out: Path, per_template: int) -> None:
    """Make the prompts, fit, report the quality on what was held out, write the weights."""
    examples = (*generate(per_template=per_template), *read_written())
    click.echo(f"{len(examples)} prompts of {len({e.template for e in examples})} origins")
    found = fit(examples)
    for source, quality in found.quality.items():
        _report(f"{source}, held out", quality)
    for (label, guess), count in sorted(found.confusion.items(), key=lambda item: -item[1]):
        click.echo(f"  {label} taken for {guess}: {count}")
    packed = BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **found.arrays)
    out.write_bytes(packed.getvalue())
    click.echo(
        f"{out.name}: {len(packed.getvalue())} bytes, {sha256(packed.getvalue()).hexdigest()}"
    )


def _report(name: str, quality: Quality) -> None:
    click.echo(
        f"{name}: {quality.examples} prompts, accuracy {quality.accuracy:.3f}, "
        f"expected calibration error {quality.calibration_error:.3f}"
    )


if __name__ == "__main__":
    train()
