"""Runs of the engine benchmark that were broken off, and records that they go on with."""

from pathlib import Path

import pytest
from scripted.bench_command import command, only_record
from scripted.paced_engine import PacedEngine

from evals.bench.engine.record import read_record
from evals.bench.engine.trial import TRIALS

LEAST = ["--batches", "1", "--requests", "1", "--rounds", "1", "--plots", "none"]
SMALL = ["--batches", "1,2", "--requests", "2", "--rounds", "2", "--replies", "stream"]
SMALL += ["--plots", "none"]


async def test_a_server_that_goes_away_ends_the_run_and_keeps_what_was_measured(
    tmp_path: Path,
) -> None:
    async with PacedEngine(tokens=2, leaves_after=5).serve() as engine:
        words = [*LEAST, "--rounds", "9", "--folder", str(tmp_path)]
        done = await command("engine", "--target", f"one={engine.url}", *words)
    read = await command("report", str(only_record(tmp_path)))

    assert done.exit_code == 1
    assert "is gone; for what was measured before" in done.output
    assert f"the same command with --resume {only_record(tmp_path)}" in done.output
    assert "| one | 1 | stream | 1 | 0 |" in read.output


async def test_a_run_that_was_broken_off_repeats_half_a_round_and_goes_on(tmp_path: Path) -> None:
    async with PacedEngine(tokens=2).serve() as engine:
        words = ["engine", "--target", f"one={engine.url}", *SMALL]
        await command(*words, "--folder", str(tmp_path))
        path = only_record(tmp_path)
        *lines, sample, _round = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines) + sample[:20])
        before = len(engine.bodies)
        resumed = await command(*words, "--resume", str(path))
        asked = [body["max_tokens"] for body in engine.bodies[before:]]
    record = read_record(path)

    assert resumed.exit_code == 0, resumed.output
    assert len(asked) == 1 + TRIALS + 2
    assert len(record.rounds) == 4
    assert len({(one.cell, one.round, one.place) for one in record.samples}) == 8
    assert len(record.samples) == 8
    assert "| one | 2 | stream | 4 | 0 |" in resumed.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seed", "2"], "seed: 1 there, 2 here"),
        (["--batches", "1,4"], "loads: ('1', '2') there, ('1', '4') here"),
        (["--hardware", "other"], "hardware: not said there, other here"),
        (["--target", "two=http://{host}/v1"], "servers: one=http://{host}/v1,paced (1.2.3) there"),
    ],
)
async def test_another_run_does_not_go_on_with_a_record(
    words: list[str], said: str, tmp_path: Path
) -> None:
    async with PacedEngine(tokens=2).serve() as engine:
        begun = ["engine", "--target", f"one={engine.url}", *SMALL]
        host = engine.url.removeprefix("http://").removesuffix("/v1")
        await command(*begun, "--folder", str(tmp_path))
        path = only_record(tmp_path)
        before = path.read_text()
        again = [word.format(host=host) for word in words]
        refused = await command(*begun, *again, "--resume", str(path))

    assert refused.exit_code == 1
    assert said.format(host=host) in refused.output
    assert path.read_text() == before
