"""The simulator, the load generator and the bench, compiled and run."""

import json
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import which
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner, Result
from scripted.missing import stop_without

from evals.bench.cli import bench
from evals.bench.gateway.record import read_record
from evals.bench.gateway.targets import DIRECT, NO_LEDGER, PASS_THROUGH, ROUTED, Target
from evals.bench.native import (
    FLAGS,
    SOURCES,
    Pace,
    Programs,
    Sample,
    Simulator,
    Work,
    compile_programs,
    load,
    simulator,
)
from evals.bench.soak import soak

pytestmark = pytest.mark.parts

PACE = Pace(first_ms=5.0, gap_ms=1.0, tokens=6)
OURS = (PASS_THROUGH, ROUTED, PASS_THROUGH + NO_LEDGER, ROUTED + NO_LEDGER)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    if which("cc") is None:
        stop_without("a C compiler is missing: apt-get install gcc libc6-dev")
    return compile_programs(tmp_path_factory.mktemp("programs"))


@pytest.fixture
def engine(programs: Programs) -> Iterator[Simulator]:
    with simulator(programs.simulator, PACE) as running:
        yield running


def work_for(port: int, *, tokens: int = PACE.tokens, model: str = "default") -> Work:
    target = Target(name="one", url=f"http://127.0.0.1:{port}/v1", model=model)
    address, _, path = target.endpoint
    return Work(
        address=address,
        port=port,
        path=path,
        warm_body=target.body(1),
        body=target.body(tokens),
        streams=4,
        requests=12,
        spread_ms=10.0,
    )


def samples_of(programs: Programs, work: Work) -> tuple[Sample, ...]:
    return load(programs.load, work, lambda: None).samples


def ask(engine: Simulator, **fields: object) -> list[str]:
    """The events of one answer."""
    body = {"model": "default", "stream": True, "messages": [], **fields}
    request = Request(f"{engine.url}/chat/completions", data=json.dumps(body).encode())  # noqa: S310
    with urlopen(request) as reply:  # noqa: S310 (our own simulator)
        return [one.removeprefix("data: ") for one in reply.read().decode().split("\n\n") if one]


def content_of(events: Sequence[str]) -> list[str]:
    deltas = [json.loads(one)["choices"] for one in events[:-1]]
    return [text for one in deltas if one and (text := one[0]["delta"].get("content"))]


@contextmanager
def server_that_says(answer: bytes) -> Iterator[int]:
    """The port of a server that says the same to everyone, and hangs up."""

    def talk() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                client.recv(65536)
                client.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=talk)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    thread.join()


def run_bench(*words: str) -> Result:
    return CliRunner().invoke(bench, words)


@pytest.mark.parametrize("name", ["simulator", "load"])
def test_the_programs_compile_without_a_warning(
    name: str, programs: Programs, tmp_path: Path
) -> None:
    source, program = SOURCES / f"{name}.c", tmp_path / name
    subprocess.run(["cc", *FLAGS, "-Werror", "-o", program, source, "-lm"], check=True)

    assert program.exists()


def test_every_request_is_counted_with_all_its_tokens(
    programs: Programs, engine: Simulator
) -> None:
    samples = samples_of(programs, work_for(engine.port))

    assert [(one.tokens, one.status, one.is_done) for one in samples] == [(6, 200, True)] * 12
    assert {one.connection for one in samples} == {0, 1, 2, 3}


def test_the_first_token_comes_after_the_engines_time(
    programs: Programs, engine: Simulator
) -> None:
    samples = samples_of(programs, work_for(engine.port))
    waited = [one.first_ms - one.sent_ms for one in samples if one.first_ms is not None]

    assert len(waited) == len(samples)
    assert min(waited) >= PACE.first_ms


def test_a_request_that_is_left_is_told_apart(programs: Programs, engine: Simulator) -> None:
    samples = samples_of(programs, replace(work_for(engine.port), leave=3))

    assert sum(one.was_left for one in samples) == 4
    assert all(one.is_done != one.was_left for one in samples)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", 503),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwyraz\r\n", 200),
        (b"no such protocol\r\n\r\n", 0),
        (b"", 0),
    ],
)
def test_an_answer_that_is_none_is_no_success(
    programs: Programs, answer: bytes, status: int
) -> None:
    with server_that_says(answer) as port:
        samples = samples_of(programs, work_for(port))

    assert {(one.status, one.is_done) for one in samples} == {(status, False)}


def test_tokens_cut_by_chunks_are_counted_once(programs: Programs) -> None:
    pieces = [b"data: wyr", b"az wyraz", b" [DO", b"NE]\n\n"]
    chunks = b"".join(b"%x;note=1\r\n%b\r\n" % (len(one), one) for one in pieces)
    answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"
    with server_that_says(answer) as port:
        samples = samples_of(programs, work_for(port))

    whole = [one for one in samples if one.is_done]
    assert whole
    assert {one.tokens for one in whole} == {2}


def test_a_server_that_is_gone_fails_every_connection(programs: Programs) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert [one.status for one in samples_of(programs, work_for(port))] == [0] * 4


def test_the_simulator_streams_as_many_tokens_as_were_asked_for(engine: Simulator) -> None:
    events = ask(engine, max_tokens=3)

    assert len(content_of(events)) == 3
    assert (events[-1], json.loads(events[-2])["choices"][0]["finish_reason"]) == ("[DONE]", "stop")


def test_the_simulator_tells_usage_when_asked(engine: Simulator) -> None:
    asked = ask(engine, stream_options={"include_usage": True})

    assert json.loads(asked[-2])["usage"]["completion_tokens"] == PACE.tokens
    assert not any('"usage"' in one for one in ask(engine))


def test_the_simulated_router_calls_the_default_function(engine: Simulator) -> None:
    said = "".join(content_of(ask(engine, model="router")))

    assert said == '<|python_tag|>{"name": "default_function", "parameters": {}}'


def test_other_gateways_find_models_and_health(engine: Simulator) -> None:
    with urlopen(f"{engine.url}/models") as models:  # noqa: S310 (our own simulator)
        names = [one["id"] for one in json.load(models)["data"]]
    with urlopen(f"http://127.0.0.1:{engine.port}/health") as health:
        status = health.status

    assert (names, status) == (["default", "router"], 200)


def test_a_run_measures_every_target_in_every_round(programs: Programs, tmp_path: Path) -> None:
    pace = ("--first-ms", "5", "--gap-ms", "1", "--tokens", "6")
    sizes = ("--streams", "1,4", "--rounds", "2", "--repeats", "1")
    done = run_bench("gateway", "--folder", str(tmp_path), *pace, *sizes)
    (path,) = tmp_path.glob("gateway-*.jsonl")
    rounds = read_record(path).rounds

    assert done.exit_code == 0, done.output
    assert {(one.target, one.load.streams, one.load.tokens) for one in rounds} == {
        (name, streams, tokens)
        for name in (DIRECT, *OURS)
        for streams, tokens in ((1, 6), (4, 6), (16, 1))
    }
    assert [one.failures for one in rounds] == [{}] * 30
    assert path.with_suffix(".md").read_text().strip() in done.output
    assert path.with_suffix(".svg").read_text().startswith("<?xml")
    assert run_bench("gateway", "--report", str(path)).output.strip() in done.output


def test_a_soak_counts_what_the_gateway_holds(programs: Programs, tmp_path: Path) -> None:
    counts = list(soak(programs, tmp_path, requests=100, batch=32))

    assert [(one.requests, one.failed) for one in counts] == [(128, 0)]
    assert counts[0].resident_mib > 1
    assert counts[0].descriptors > 0
    assert counts[0].threads > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--with", "apache"], "none of nginx, vllm-router, litellm"),
        (["--with", "nginx=/nowhere/nginx"], "is not installed"),
        (["--target", "mine=http://127.0.0.1:1/v1"], "has to stand before the simulator"),
        (["--streams", "0"], "is no list"),
    ],
)
def test_what_cannot_be_measured_is_said(
    programs: Programs, words: list[str], said: str, tmp_path: Path
) -> None:
    done = run_bench("gateway", "--folder", str(tmp_path), *words)

    assert done.exit_code != 0
    assert said in done.output
