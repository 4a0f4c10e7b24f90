"""Train the local detector and write its weights: ``python -m evals.training``."""

from hashlib import sha256
from io import BytesIO
from pathlib import Path

import click
import numpy as np

import chatbot.router.detector.classifier as trained
from evals.training.fit import fit
from evals.training.prompts import generate


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path(trained.__file__).with_name(trained.WEIGHTS),
    help="Where the weights go; by default into the package.",
)
def train(out: Path) -> None:
    """Generate the prompts, fit, report accuracy on unseen templates, write the weights."""
    examples = generate()
    click.echo(f"{len(examples)} prompts of {len({e.template for e in examples})} templates")
    found = fit(examples)
    click.echo(f"accuracy on unseen templates: {found.accuracy:.3f}")
    for (label, guess), count in sorted(found.confusion.items(), key=lambda item: -item[1]):
        click.echo(f"  {label} taken for {guess}: {count}")
    packed = BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **found.arrays)
    out.write_bytes(packed.getvalue())
    click.echo(
        f"{out.name}: {len(packed.getvalue())} bytes, {sha256(packed.getvalue()).hexdigest()}"
    )


if __name__ == "__main__":
    train()
