from dataclasses import replace
from pathlib import Path

import click
import pytest
from scripted.tables import every_row

from evals.bench.gateway.figures import CellFigures, Spread, sum_up
from evals.bench.gateway.meter import settled
from evals.bench.gateway.plots import list_charts
from evals.bench.gateway.record import Header, Record, begin_record, read_record
from evals.bench.gateway.rounds import Load, Round, describe_failure, is_whole, rate
from evals.bench.gateway.tables import report
from evals.bench.gateway.targets import DIRECT, PASS_THROUGH, ROUTED, Target
from evals.bench.native import Sample
from evals.bench.soak import Count, judge

LOAD = Load(streams=2, tokens=10, requests=4)
ROUND = Round(
    target=DIRECT,
    load=LOAD,
    round=0,
    requests=4,
    tokens=40,
    seconds=2.0,
    speed=20.0,
    first_ms=(20.0, 20.0, 20.0, 20.0),
    total_ms=(100.0, 100.0, 100.0, 100.0),
    failures={},
    gateway_cpu_s=None,
    engine_cpu_s=0.2,
    load_cpu_s=0.1,
    other_cpu_s=0.0,
    resident_mib=None,
)
THROUGH = replace(
    ROUND,
    target=PASS_THROUGH,
    speed=19.0,
    first_ms=(21.0, 21.0, 21.0, 25.0),
    total_ms=(125.0, 125.0, 125.0, 125.0),
    gateway_cpu_s=0.004,
    resident_mib=50.0,
)
NGINX = replace(THROUGH, target="nginx", gateway_cpu_s=0.002)
TARGETS = (
    Target(name=DIRECT, url="http://127.0.0.1:1/v1"),
    Target(name=PASS_THROUGH, url="http://127.0.0.1:2/v1"),
    Target(name=ROUTED, url="http://127.0.0.1:2/v1", own_ms=60.0),
    Target(name="nginx", url="http://127.0.0.1:3/v1"),
)
HEADER = Header(
    targets=TARGETS,
    idle_shares={"nginx": 0.0012},
    first_ms=20.0,
    gap_ms=10.0,
    rounds=1,
    seed=1,
    together=False,
    limit_s=20.0,
    cores=((1,), (0,), (0,)),
    is_shared=True,
)
WHOLE = Sample(
    connection=0,
    sent_ms=0.0,
    first_ms=20.0,
    ended_ms=100.0,
    tokens=10,
    status=200,
    is_done=True,
    was_left=False,
)
COUNT = Count(requests=10_000, failed=0, resident_mib=100.0, descriptors=50, threads=40)


def report_of(*rounds: Round, header: Header = HEADER) -> str:
    return report(Record(label="run", header=header, rounds=rounds))


def figures_of(name: str, *rounds: Round) -> CellFigures:
    (found,) = [one for one in sum_up(rounds, TARGETS, references=["nginx"]) if one.target == name]
    return found


def test_what_is_added_is_less_the_direct_calls_of_the_same_round() -> None:
    slow = replace(ROUND, round=1, first_ms=(30.0,) * 4)
    slow_through = replace(THROUGH, round=1, first_ms=(33.0,) * 4)
    found = figures_of(PASS_THROUGH, ROUND, THROUGH, slow, slow_through)

    assert found.added_p50 == Spread(median=2.0, low=1.0, high=3.0)
    assert found.added_p99 is not None
    assert found.added_p99.low == 3.0


def test_the_router_models_own_time_is_not_the_gateways() -> None:
    routed = replace(THROUGH, target=ROUTED, first_ms=(85.0,) * 4, total_ms=(170.0,) * 4)
    found = figures_of(ROUTED, ROUND, routed)

    assert found.added_p50 == Spread(median=5.0, low=5.0, high=5.0)
    assert found.latency is not None
    assert (found.latency.gateway_ms, found.latency.engine_ms) == (10.0, 160.0)


def test_a_whole_answers_time_is_split_into_gateway_and_engine() -> None:
    found = figures_of(PASS_THROUGH, ROUND, THROUGH)

    assert found.latency is not None
    assert found.latency.gateway_share == 0.2


def test_processor_time_is_by_token_by_request_and_by_another_gateway() -> None:
    found = figures_of(PASS_THROUGH, ROUND, THROUGH, NGINX)

    assert found.token_us == Spread(median=100.0, low=100.0, high=100.0)
    assert found.request_us == Spread(median=1000.0, low=1000.0, high=1000.0)
    assert found.times["nginx"].median == 2.0


def test_speed_is_compared_within_a_round() -> None:
    found = figures_of(PASS_THROUGH, ROUND, THROUGH)

    assert found.speed_ratio == Spread(median=0.95, low=0.95, high=0.95)


def test_shares_of_the_measuring_programs_are_of_one_core() -> None:
    found = figures_of(DIRECT, ROUND)

    assert (found.engine_share, found.load_share, found.gateway_share) == (0.1, 0.05, None)


def test_a_target_without_a_whole_answer_has_no_times() -> None:
    broken = replace(
        THROUGH, first_ms=(), total_ms=(), tokens=0, speed=0.0, failures={"HTTP 503": 4}
    )
    found = figures_of(PASS_THROUGH, ROUND, broken)

    assert (found.first, found.added_p50, found.token_us, found.latency) == (None,) * 4
    assert found.failed == 4


def test_connections_are_timed_each_from_its_first_request_to_its_last_answer() -> None:
    samples = [
        WHOLE,
        replace(WHOLE, sent_ms=100.0, ended_ms=200.0),
        replace(WHOLE, connection=1, sent_ms=150.0, ended_ms=250.0),
    ]

    assert rate(samples) == pytest.approx(100.0 + 100.0)


@every_row(
    ("sample", "said"),
    [
        (replace(WHOLE, status=503), "HTTP 503"),
        (replace(WHOLE, status=0, is_done=False), "no HTTP answer"),
        (replace(WHOLE, is_done=False), "cut off"),
        (replace(WHOLE, tokens=9), "fewer tokens than were sent"),
        (replace(WHOLE, tokens=11), "more tokens than were sent"),
    ],
)
def test_an_answer_that_is_not_whole_says_why(sample: Sample, said: str) -> None:
    assert describe_failure(sample, 10) == said


def test_an_answer_with_every_token_and_its_end_is_whole() -> None:
    assert is_whole(WHOLE, 10)
    assert not is_whole(replace(WHOLE, tokens=9), 10)


def test_tables_hold_every_target_and_what_it_cost() -> None:
    text = report_of(ROUND, THROUGH, NGINX)

    assert "| 2 | 10 | pass-through | 4 | 0 | 21.0 / 24.4 / 24.9 | +1.00 |" in text
    assert (
        "| 2 | 10 | pass-through | 100.0 | 1,000 | 1.00 | 2.00 | 50 | 0% | 10% | 5% | 0% |" in text
    )
    assert "| nginx | – | 0.12% |" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"engine_cpu_s": 1.0, "load_cpu_s": 0.7}, "direct at 2 streams: simulator and load"),
        ({"other_cpu_s": 0.3}, "Other work ran on this machine"),
    ],
)
def test_a_run_that_measured_something_else_says_so(change: dict[str, float], said: str) -> None:
    busy = replace(ROUND, **change)  # type: ignore[arg-type]  # floats all of them

    assert said in report_of(busy)
    assert said not in report_of(ROUND)


def test_programs_on_cores_of_their_own_have_a_whole_one_each() -> None:
    busy = replace(ROUND, engine_cpu_s=1.0, load_cpu_s=0.7)

    assert "measured themselves" not in report_of(busy, header=replace(HEADER, is_shared=False))


def test_what_failed_is_told_with_its_reason() -> None:
    text = report_of(replace(ROUND, failures={"HTTP 503": 3}))

    assert "Failed: direct at 2 streams, round 1: 3 × HTTP 503." in text


def test_one_core_is_told() -> None:
    header = replace(HEADER, cores=(None, None, None))

    assert "This machine has one core" in report_of(ROUND, header=header)


def test_a_record_reads_as_it_was_written_without_the_key(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    secret = replace(TARGETS[3], key="tajny-klucz")
    with begin_record(path, replace(HEADER, targets=(secret,))) as record:
        record.add("round", THROUGH)

    assert "tajny" not in path.read_text()
    assert read_record(path).header == replace(HEADER, targets=(TARGETS[3],))
    assert read_record(path).rounds == (THROUGH,)


def test_another_file_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"kind": "sample"}\n')

    with pytest.raises(click.ClickException, match="no record of 'zwrotnica bench gateway'"):
        read_record(path)


def test_a_chart_shows_a_gateway_by_streams_with_the_range_of_its_rounds() -> None:
    wide = replace(LOAD, streams=64)
    rounds = [
        *(ROUND, THROUGH, replace(ROUND, round=1), replace(THROUGH, round=1, speed=18.0)),
        *(replace(one, load=wide) for one in (ROUND, THROUGH)),
    ]
    _, _, speed, _ = list_charts(sum_up(rounds, TARGETS))
    _, through = speed.curves

    assert (through.label, through.places) == (PASS_THROUGH, (2.0, 64.0))
    assert through.values == pytest.approx((0.925, 0.95))
    assert through.spread == ((0.9, 0.95), (0.95, 0.95))


def test_what_a_target_does_not_have_is_not_drawn() -> None:
    added, _, _, cost = list_charts(sum_up([ROUND, THROUGH], TARGETS))

    assert [one.label for one in added.curves] == [PASS_THROUGH]
    assert [one.label for one in cost.curves] == [PASS_THROUGH]


@every_row(
    ("last", "said"),
    [
        (replace(COUNT, resident_mib=104.0), ()),
        (replace(COUNT, resident_mib=106.0), ("memory grew by 6.0%",)),
        (replace(COUNT, descriptors=56), ("56 descriptors after 50",)),
        (replace(COUNT, threads=45), ("45 threads after 40",)),
        (replace(COUNT, failed=1), ("1 answers failed",)),
    ],
)
def test_a_soak_tells_what_grew(last: Count, said: tuple[str, ...]) -> None:
    early = replace(COUNT, requests=1_000, resident_mib=60.0)

    assert judge([early, COUNT, replace(last, requests=100_000)]).faults == said


def test_the_share_at_rest_is_that_after_the_start() -> None:
    assert settled([0.42, 0.09, 0.009, 0.0095, 0.5]) == pytest.approx(0.009)
    assert settled([0.1, 0.11, 0.01]) == pytest.approx(0.1)
    assert settled([0.0, 0.0]) == 0.0
