"""The command `bench engine`: what it measures, reports and refuses."""

from pathlib import Path

import pytest
from scripted.bench_command import command, only_record, written_in
from scripted.paced_engine import MODEL, PacedEngine

from evals.bench.engine.record import read_record

LEAST = ["--batches", "1", "--requests", "1", "--rounds", "1", "--plots", "none"]


async def test_engines_are_measured_in_turn_and_reported(tmp_path: Path) -> None:
    fast, slow = PacedEngine(tokens=4), PacedEngine(first_s=0.02, tokens=4, has_tokenizer=False)
    async with fast.serve(), slow.serve():
        words = ["--batches", "2,4", "--requests", "4", "--rounds", "3", "--replies", "stream"]
        targets = ["--target", f"fast={fast.url}", "--target", f"slow={slow.url},{MODEL}"]
        done = await command("engine", *targets, *words, "--folder", str(tmp_path))
    path = only_record(tmp_path)
    record = read_record(path)
    orders = [
        [
            one.prompt
            for one in sorted(record.samples, key=lambda one: (one.round, one.place))
            if one.cell.target == name and one.cell.load == "4"
        ]
        for name in ("fast", "slow")
    ]
    compared = await command("compare", f"{path}:fast", f"{path}:slow")

    assert done.exit_code == 0, done.output
    assert "| fast | 4 | stream | 12 | 0 |" in done.output
    assert "fast 1.2.3: 12 tokens reported in 3 trial answers, 12 by its tokenizer" in done.output
    assert "slow: 12 tokens reported in 3 trial answers; the server has no /tokenize" in done.output
    turns = [one.cell.target for one in record.rounds]
    assert [set(pair) for pair in zip(turns[::2], turns[1::2], strict=True)] == [
        {"fast", "slow"}
    ] * 6
    assert orders[0] == orders[1]
    assert {body["seed"] for body in fast.bodies} == {1}
    assert written_in(tmp_path)[".md"] in done.output
    assert str(path.with_name(f"{path.stem}-throughput.svg")) in done.output
    assert compared.exit_code == 0, compared.output
    assert "| second / first (95 %) |" in compared.output
    assert "| 4 | stream | first token, ms, median |" in compared.output


async def test_a_server_whose_usage_is_wrong_is_not_trusted(tmp_path: Path) -> None:
    async with PacedEngine(tokens=4, miscounts=5).serve() as engine:
        words = [*LEAST, "--folder", str(tmp_path)]
        done = await command("engine", "--target", f"liar={engine.url}", *words)

    assert "do not trust its usage" in done.output


async def test_tokens_that_no_text_shows_do_not_make_usage_wrong(tmp_path: Path) -> None:
    async with PacedEngine(tokens=4, miscounts=1, unseen=9).serve() as engine:
        words = [*LEAST, "--folder", str(tmp_path)]
        done = await command("engine", "--target", f"one={engine.url}", "--ignore-eos", *words)

    assert engine.bodies[0]["ignore_eos"] is True
    assert "15 tokens reported in 3 trial answers, 12 by its tokenizer" in done.output
    assert "they agree" in done.output


async def test_the_key_reaches_the_server_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCH_KEY", "tajny-klucz")
    async with PacedEngine(tokens=2).serve() as engine:
        words = [*LEAST, "--folder", str(tmp_path)]
        target = ["--target", f"one={engine.url}", "--key-env", "BENCH_KEY"]
        done = await command("engine", *target, *words)

    assert (done.exit_code, engine.keys) == (0, {"Bearer tajny-klucz"})
    assert "tajny" not in done.output + "".join(written_in(tmp_path).values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "a=http://127.0.0.1:9/v1"], "lists no model"),
        (["--target", "a=http://127.0.0.1:9/v1,m"], "does not answer"),
        (["--target", "a=http://x/v1", "--target", "a=http://y/v1"], "the same name"),
        (["--target", "a=http://x/v1", "--batches", "1,x"], "is no list"),
        (["--target", "a=http://x/v1", "--key-env", "NOBODY_SET_THIS"], "is not set"),
    ],
)
async def test_what_cannot_be_measured_is_said(words: list[str], said: str, tmp_path: Path) -> None:
    done = await command("engine", *words, "--folder", str(tmp_path))

    assert done.exit_code != 0
    assert said in done.output
