import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import click
import pytest
from click.testing import CliRunner, Result
from scripted.fault_server import FaultServer
from scripted.paced_engine import MODEL, PacedEngine
from scripted.patience import PATIENCE_S

from chatbot.types import JsonValue
from evals.bench.cli import bench
from evals.bench.engine.client import GONE, Answer, ask, open_session
from evals.bench.engine.experience import Reader
from evals.bench.engine.figures import sum_up
from evals.bench.engine.loads import Load, read_loads
from evals.bench.engine.prompts import Prompt, read_prompts, shuffled_repeats
from evals.bench.engine.record import read_record
from evals.bench.engine.runs import Plan, Step, run_step
from evals.bench.engine.samples import Replies, Round, Sample
from evals.bench.engine.targets import Target, read_target
from evals.bench.engine.trial import TRIALS

PROMPTS = read_prompts()
LEAST = ["--batches", "1", "--requests", "1", "--plots", "none"]
SMALL = ["--batches", "1,2", "--requests", "2", "--rounds", "2", "--replies", "stream"]
SMALL += ["--plots", "none"]
LIMITS = {"short": (1, 30), "medium": (31, 300), "long": (301, 1_000)}


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable order


def written_in(folder: Path) -> dict[str, str]:
    """What every file of a folder holds, by suffix."""
    return {path.suffix: path.read_text() for path in folder.iterdir()}


def only_record(folder: Path) -> Path:
    (path,) = folder.glob("*.jsonl")
    return path


async def ask_once(url: str, model: str, *, stream: bool = True) -> Answer:
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": [{"role": "user", "content": "Opowiedz coś."}],
        "max_tokens": 20,
        "stream": stream,
        "stream_options": {"include_usage": True},
    }
    async with open_session(limit_s=PATIENCE_S) as session:
        return await ask(session, Target(name="one", url=url), body)


async def run_once(
    engine: PacedEngine,
    load: Load,
    *,
    replies: Replies = "stream",
    requests: int = 8,
    prompts: Sequence[Prompt] = PROMPTS,
) -> tuple[Round, list[Sample]]:
    target = Target(name="one", url=engine.url, model=MODEL)
    plan = Plan(
        targets=(target,),
        loads=(load,),
        replies=(replies,),
        prompts=tuple(prompts),
        rounds=1,
        requests=requests,
        seed=1,
    )
    samples: list[Sample] = []
    step = Step(round=0, load=load, replies=replies, target=target)
    async with open_session(limit_s=PATIENCE_S) as session:
        done = await run_step(session, plan, step, samples.append)
    return done, samples


async def hold_up() -> None:
    """Keep the loop of everybody for 50 ms at a time."""
    while True:
        time.sleep(0.05)  # noqa: ASYNC251 - holding up is the point
        await asyncio.sleep(0)


async def command(*words: str) -> Result:
    """Run the command in a thread, since the server of the test runs in this one."""
    return await asyncio.to_thread(CliRunner().invoke, bench, list(words))


def test_there_are_fifty_prompts_of_every_length_in_two_languages() -> None:
    assert len({prompt.id for prompt in PROMPTS}) == len({one.text for one in PROMPTS}) == 50
    assert set(Counter(prompt.language for prompt in PROMPTS).values()) == {25}
    assert all(LIMITS[one.length][0] <= one.max_tokens <= LIMITS[one.length][1] for one in PROMPTS)


def test_repeats_hold_every_prompt_equally_often_in_an_order_of_the_seed() -> None:
    repeats = shuffled_repeats(PROMPTS, 100, chance(3))

    assert set(Counter(prompt.id for prompt in repeats).values()) == {2}
    assert repeats == shuffled_repeats(PROMPTS, 100, chance(3))
    assert repeats != shuffled_repeats(PROMPTS, 100, chance(4))


@pytest.mark.parametrize(("arrivals", "variation"), [("poisson:4", 1.0), ("gamma:4:2", 2.0)])
def test_requests_come_at_the_rate_and_as_bursty_as_told(arrivals: str, variation: float) -> None:
    (load,) = read_loads([arrivals], [])
    moments = list(islice(load.moments(chance(1)), 20_000))
    gaps = [later - earlier for earlier, later in pairwise(moments)]

    assert fmean(gaps) == pytest.approx(1 / 4, rel=0.05)
    assert pstdev(gaps) / fmean(gaps) == pytest.approx(variation, rel=0.05)


def test_a_closed_loop_has_one_load_for_each_batch_and_fills_it() -> None:
    loads = read_loads(["closed", "closed"], [1, 64])

    assert [load.name for load in loads] == ["1", "64"]
    assert [load.count_requests(50) for load in loads] == [50, 64]


@pytest.mark.parametrize(
    "text", ["poisson", "poisson:0", "poisson:nan", "gamma:4", "gamma:x:2", "open", "gamma:1:inf"]
)
def test_arrivals_of_no_known_form_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is none of"):
        read_loads([text], [1])


@pytest.mark.parametrize("text", ["vllm", "=http://x/v1", "vllm=ftp://x", "a=http://u:p@x/v1"])
def test_targets_of_no_known_form_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        read_target(text)


def test_a_target_keeps_its_key_to_itself() -> None:
    target = read_target("vllm=http://127.0.0.1:1/v1/,bielik", key="tajny")

    assert (target.url, target.model) == ("http://127.0.0.1:1/v1", "bielik")
    assert "tajny" not in repr(target)


async def test_an_answer_is_counted_by_the_servers_usage() -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, "fault=none;tokens=12")

    assert (answer.error, answer.finish, answer.completion_tokens) == (None, "stop", 12)
    assert len(answer.pieces) == 12


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("fault=cut:after=3", "ClientPayloadError"),
        ("fault=cut:after=3:how=end", "broke off"),
        ("fault=status:code=503", "HTTP 503"),
    ],
)
async def test_what_is_no_whole_answer_has_failed(fault: str, said: str) -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, fault)

    assert answer.error is not None
    assert said in answer.error


async def test_a_reply_without_end_is_not_read_to_its_end() -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, "fault=bomb", stream=False)

    assert "the reply has more than 16,777,216 bytes" in str(answer.error)


async def test_a_server_that_is_not_there_is_an_error_of_the_answer() -> None:
    answer = await ask_once("http://127.0.0.1:9/v1", "bielik")

    assert str(answer.error).startswith(GONE)


@pytest.mark.parametrize("replies", ["stream", "whole"])
async def test_the_pace_of_the_engine_comes_out(replies: Replies) -> None:
    long = [prompt for prompt in PROMPTS if prompt.length == "long"]
    async with PacedEngine(first_s=0.05, gap_s=0.01, tokens=11).serve() as engine:
        done, samples = await run_once(engine, Load(batch=4), replies=replies, prompts=long)
    (figures,) = sum_up(samples, [done], Reader())
    firsts = [sample.first_ms for sample in samples if sample.first_ms is not None]

    assert figures.failed == 0
    assert figures.latency is not None
    assert figures.latency.p50 >= 140
    assert len(firsts) == (8 if replies == "stream" else 0)
    assert all(first >= 45 for first in firsts)
    assert done.tokens == sum(sample.tokens for sample in samples) == 8 * 11


async def test_a_batch_is_asked_at_a_time_and_no_more() -> None:
    async with PacedEngine(first_s=0.04, tokens=1).serve() as engine:
        one, _ = await run_once(engine, Load(batch=1))
        eight, _ = await run_once(engine, Load(batch=8))

    assert one.seconds >= 8 * 0.035
    assert eight.throughput > 2 * one.throughput


async def test_a_client_that_is_held_up_knows_by_how_much() -> None:
    async with PacedEngine(first_s=0.2, tokens=1).serve() as engine:
        holding = asyncio.create_task(hold_up())
        done, _ = await run_once(engine, Load(batch=1), requests=2)
        holding.cancel()

    assert done.client_late_ms >= 40


async def test_waiting_in_the_servers_queue_is_part_of_the_time() -> None:
    async with PacedEngine(first_s=0.03, tokens=1, places=1).serve() as engine:
        _, samples = await run_once(engine, Load(batch=8))

    assert max(sample.ended_ms for sample in samples) >= 8 * 25


async def test_random_arrivals_do_not_wait_for_answers() -> None:
    async with PacedEngine(first_s=0.2, tokens=1).serve() as engine:
        done, samples = await run_once(engine, Load(rate=200.0), requests=10)

    assert done.seconds < 10 * 0.2
    assert len({sample.due_s for sample in samples}) == 10


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
        words = [
            "--batches",
            "1",
            "--requests",
            "1",
            "--rounds",
            "1",
            "--plots",
            "none",
            "--folder",
            str(tmp_path),
        ]
        done = await command("engine", "--target", f"liar={engine.url}", *words)

    assert "do not trust its usage" in done.output


async def test_tokens_that_no_text_shows_do_not_make_usage_wrong(tmp_path: Path) -> None:
    async with PacedEngine(tokens=4, miscounts=1, unseen=9).serve() as engine:
        words = [
            "--batches",
            "1",
            "--requests",
            "1",
            "--rounds",
            "1",
            "--plots",
            "none",
            "--folder",
            str(tmp_path),
        ]
        done = await command("engine", "--target", f"one={engine.url}", "--ignore-eos", *words)

    assert engine.bodies[0]["ignore_eos"] is True
    assert "15 tokens reported in 3 trial answers, 12 by its tokenizer" in done.output
    assert "they agree" in done.output


@pytest.mark.parametrize("replies", ["stream", "whole"])
async def test_an_idle_connection_that_the_server_ends_is_no_failure(replies: Replies) -> None:
    async with PacedEngine(tokens=2, ends_idle=True).serve() as engine:
        done, samples = await run_once(engine, Load(batch=2), replies=replies, requests=6)

    assert (done.failed, len(samples)) == (0, 6)
    assert len(engine.bodies) > 6


async def test_a_connection_of_its_own_that_the_server_ends_is_a_failure() -> None:
    came: list[bytes] = []

    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async with await asyncio.start_server(leave, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        answer = await ask_once(f"http://127.0.0.1:{port}/v1", "bielik")

    assert answer.error is not None
    assert len(came) == 1


async def test_a_server_that_goes_away_ends_the_run_and_keeps_what_was_measured(
    tmp_path: Path,
) -> None:
    async with PacedEngine(tokens=2, leaves_after=5).serve() as engine:
        words = [
            "--batches",
            "1",
            "--requests",
            "1",
            "--rounds",
            "9",
            "--plots",
            "none",
            "--folder",
            str(tmp_path),
        ]
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


async def test_the_key_reaches_the_server_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCH_KEY", "tajny-klucz")
    async with PacedEngine(tokens=2).serve() as engine:
        words = [
            "--batches",
            "1",
            "--requests",
            "1",
            "--rounds",
            "1",
            "--plots",
            "none",
            "--folder",
            str(tmp_path),
        ]
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
