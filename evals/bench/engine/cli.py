"""The commands ``zwrotnica bench engine``, ``bench report`` and ``bench compare``."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import cast

import click

from evals.bench.engine.comparison import Side, choose_side
from evals.bench.engine.experience import Reader
from evals.bench.engine.loads import ARRIVALS, BATCHES, read_loads
from evals.bench.engine.measurement import Circumstances, measure
from evals.bench.engine.prompts import read_prompts
from evals.bench.engine.record import read_record
from evals.bench.engine.reference import Published, list_references, read_reference
from evals.bench.engine.runs import Plan
from evals.bench.engine.samples import Replies
from evals.bench.engine.tables import report, report_comparison
from evals.bench.engine.targets import FORM, read_target
from evals.bench.plotting import PLOTS, load_plots
from serving.settings import read_variable

_BOTH: tuple[Replies, ...] = ("stream", "whole")
_BATCHES = ",".join(map(str, BATCHES))
_POSITIVE = click.FloatRange(0, min_open=True)
_RECORD = click.Path(path_type=Path, dir_okay=False, exists=True)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_shown = partial(click.option, show_default=True)


@click.command()
@click.option("--target", "targets", multiple=True, required=True, metavar=FORM, help="A server.")
@click.option("--key-env", metavar="VARIABLE", help="Environment variable with the servers' key.")
@click.option("--arrivals", multiple=True, default=["closed"], metavar=ARRIVALS, show_default=True)
@_shown("--batches", metavar="1,2,…", default=_BATCHES, help="Requests at a time, closed loop.")
@_shown("--replies", type=click.Choice([*_BOTH, "both"]), default="both", help="Streamed or not.")
@_shown("--rounds", type=click.IntRange(1), default=3, help="Intervals need three.")
@_shown("--requests", type=click.IntRange(1), default=50, help="At least, in each round.")
@_shown("--seed", type=int, default=1, help="Of the order, and sent to the servers.")
@_shown("--temperature", type=click.FloatRange(0), default=0.0, help="Sent to the servers.")
@click.option("--ignore-eos", is_flag=True, help="Let answers run to their limit (vLLM, SGLang).")
@_shown("--limit-s", type=_POSITIVE, default=600.0, help="Seconds for one answer.")
@_shown("--reader-first-s", type=_POSITIVE, default=1.0, help="A reader expects the first token.")
@_shown("--reader-speed", type=_POSITIVE, default=5.0, help="Tokens a second that one reads.")
@_shown("--hardware", default="not said", help="What the servers run on, for the record.")
@_shown("--folder", type=_FOLDER, default=Path(".cache/bench"), help="For record and tables.")
@click.option("--resume", type=_RECORD, help="Go on with this record of the same run.")
@_shown("--plots", type=PLOTS, default="svg", help="Pictures, beside the record.")
def engine(
    *,
    targets: tuple[str, ...],
    key_env: str | None,
    arrivals: tuple[str, ...],
    batches: str,
    replies: str,
    rounds: int,
    requests: int,
    seed: int,
    temperature: float,
    ignore_eos: bool,
    limit_s: float,
    reader_first_s: float,
    reader_speed: float,
    hardware: str,
    folder: Path,
    resume: Path | None,
    plots: str,
) -> None:
    """Speed, throughput, latency and experience of engines, in one interleaved run."""
    key = None if key_env is None else read_key(key_env)
    read = tuple(read_target(text, key) for text in targets)
    if len({one.name for one in read}) < len(read):
        raise click.BadParameter("two targets have the same name", param_hint="--target")
    plan = Plan(
        targets=read,
        loads=read_loads(arrivals, read_batches(batches)),
        replies=_BOTH if replies == "both" else (cast("Replies", replies),),
        prompts=read_prompts(),
        rounds=rounds,
        requests=requests,
        seed=seed,
        temperature=temperature,
        ignore_eos=ignore_eos,
    )
    reader = Reader(first_s=reader_first_s, speed=reader_speed)
    told = Circumstances(limit_s=limit_s, hardware=hardware, reader=reader)
    path = resume or folder / f"engine-{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl"
    asyncio.run(measure(plan, path, told, is_resumed=resume is not None))
    text = report(read_record(path))
    path.with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    click.echo(f"{text}\n\n{path}\n{path.with_suffix('.md')}")
    _draw(path, plots)


def read_key(variable: str) -> str:
    """The servers' key out of the environment variable that the user names.

    Raises:
        click.BadParameter: it is not set.
    """
    key = read_variable(variable)
    if not key:
        raise click.BadParameter(f"the variable {variable!r} is not set", param_hint="--key-env")
    return key


def read_batches(text: str, *, option: str = "--batches") -> tuple[int, ...]:
    """Numbers of requests at a time, as ``1,16,64``; ``option`` is how they were given.

    Raises:
        click.BadParameter: it is no such list.
    """
    try:
        batches = tuple(int(word) for word in text.split(","))
    except ValueError:
        batches = (0,)
    if min(batches) < 1:
        raise click.BadParameter(f"{text!r} is no list such as 1,16,64", param_hint=option)
    return batches


@click.command(name="report")
@click.argument("record", type=_RECORD)
@click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="NAME|FILE",
    help=f"Published figures beside: {', '.join(list_references())}, or a file of that form.",
)
@_shown("--plots", type=PLOTS, default="none", help="Pictures, beside the record.")
def report_run(record: Path, references: tuple[str, ...], plots: str) -> None:
    """The tables of a record of 'bench engine', also of one that was broken off."""
    published = [read_reference(text) for text in references]
    click.echo(report(read_record(record), published))
    _draw(record, plots, published)


def _draw(path: Path, shape: str, published: Sequence[Published] = ()) -> None:
    """Draw what is wanted, or say what it lacks."""
    plots = load_plots("evals.bench.engine.plots", shape, f"zwrotnica bench report {path}")
    if plots is None:
        return
    for written in plots.draw(read_record(path), path, shape, published):
        click.echo(written)


@click.command(name="compare")
@click.argument("first", metavar="FILE[:NAME]")
@click.argument("second", metavar="FILE[:NAME]")
def compare_runs(first: str, second: str) -> None:
    """Ratios of two engines, the second by the first, with 95 % bootstrap intervals."""
    sides = _read_side(first), _read_side(second)
    click.echo(report_comparison(*sides))


def _read_side(text: str) -> Side:
    path, _, target = text.partition(":")
    return choose_side(read_record(Path(path)), target or None)
