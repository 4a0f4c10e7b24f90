from dataclasses import replace
from pathlib import Path

import click
import pytest
from scripted.benchmarks import HEADER, READER, record_of, sample, whole_round

from evals.bench.engine.comparison import choose_side, compare
from evals.bench.engine.experience import rate_experience
from evals.bench.engine.figures import sum_up
from evals.bench.engine.record import begin_record, read_record
from evals.bench.engine.tables import report, report_comparison

ON_TIME = [1_000.0 + 200 * place for place in range(10)]


@pytest.mark.parametrize(
    ("pieces", "rate"),
    [
        (ON_TIME, 1.0),
        ([10.0] * 10, 1.0),
        ([at - 100 for at in ON_TIME], 1.0),
        ([*ON_TIME[:2], *[ON_TIME[2] - 300] * 8], 1.0),
    ],
)
def test_tokens_on_time_or_early_are_a_whole_experience(pieces: list[float], rate: float) -> None:
    assert rate_experience(pieces, 10, READER) == pytest.approx(rate)


def test_a_late_beginning_costs_the_delay_of_every_token_by_all_of_its_time() -> None:
    late = [at + 1_000 for at in ON_TIME]  # read from 2.0 to 3.8 s: 29 s of 10 tokens, 10 s late

    assert rate_experience(late, 10, READER) == pytest.approx(1 - 10 / 29)


def test_one_token_that_comes_late_keeps_those_after_it_waiting() -> None:
    stalled = [1_000.0, 2_200.0, 2_200.0]  # read at 1.0, 2.2 and 2.4 s in place of 1.0, 1.2, 1.4

    assert rate_experience(stalled, 3, READER) == pytest.approx(1 - 2 / 5.6)


def test_waiting_later_costs_less_than_waiting_from_the_beginning() -> None:
    stalled = [*ON_TIME[:5], *(at + 1_000 for at in ON_TIME[5:])]
    late = [at + 1_000 for at in ON_TIME]
    stall, delay = (rate_experience(pieces, 10, READER) for pieces in (stalled, late))

    assert stall is not None
    assert delay is not None
    assert delay < stall < 1


def test_an_answer_that_was_not_streamed_has_no_experience() -> None:
    assert rate_experience([], 10, READER) is None


def test_several_tokens_in_one_piece_are_spread_over_the_pieces() -> None:
    assert rate_experience(ON_TIME[::2], 10, READER) == pytest.approx(1.0)


def test_answers_fall_into_the_intervals_of_their_length() -> None:
    samples = [sample(30, 300.0), sample(31, 310.0), sample(300, 6_000.0), sample(301, 3_010.0)]
    (figures,) = sum_up(samples, [whole_round(0)], READER)

    assert [speed and speed.answers for speed in figures.intervals] == [1, 2, 1]
    assert [speed and round(speed.speed) for speed in figures.intervals] == [100, 75, 100]
    assert [speed and round(speed.total_s, 2) for speed in figures.intervals] == [0.3, 6.31, 3.01]


def test_throughput_is_of_all_rounds_together() -> None:
    rounds = [whole_round(0, seconds=1.0), whole_round(1, seconds=4.0)]
    (figures,) = sum_up([sample(10, 100.0)], rounds, READER)

    assert figures.throughput == 40
    assert figures.throughputs == (100, 25)


def test_failures_and_late_answers_are_counted_and_not_measured() -> None:
    broken = replace(sample(1, 5.0), error="HTTP 500", tokens=0, pieces_ms=())
    (figures,) = sum_up([sample(10, 70_000.0), broken], [whole_round(0)], READER)

    assert (figures.requests, figures.failed, figures.late) == (2, 1, 0.5)
    assert figures.latency is not None
    assert figures.latency.p50 == 70_000


def test_time_between_tokens_is_that_of_all_tokens() -> None:
    twice = replace(sample(10, 1_000.0), tokens=19)  # ten pieces, and nine with two tokens
    (figures,) = sum_up([twice], [whole_round(0)], READER)

    assert figures.between is not None
    assert figures.between.p50 == pytest.approx(50)


def test_a_record_is_read_as_it_was_written_without_what_broke_off(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with begin_record(path, HEADER) as file:
        file.add_sample(sample(3, 30.0))
        file.add_round(whole_round(0))
        file.add_sample(sample(3, 30.0, turn=1))
    with path.open("a", encoding="utf-8") as torn:
        torn.write('{"kind": "sam')

    read = read_record(path)

    assert read.header == HEADER
    assert read.samples == (sample(3, 30.0),)
    assert read.rounds == (whole_round(0),)
    assert "hardware: two cores" in report(read)


def test_a_record_is_never_written_over(tmp_path: Path) -> None:
    begin_record(tmp_path / "run.jsonl", HEADER).__exit__(None, None, None)
    with pytest.raises(FileExistsError):
        begin_record(tmp_path / "run.jsonl", HEADER)


@pytest.mark.parametrize("text", ["", "{}\n", "nothing\n", '{"kind": "header"}\n'])
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(click.ClickException):
        read_record(path)


def test_an_engine_twice_as_slow_is_found_to_be_so() -> None:
    first = choose_side(record_of("a", slowness=1.0), None)
    second = choose_side(record_of("b", slowness=2.0), "one")
    ratios = {ratio.figure: ratio for ratio in compare(first, second)}

    throughput = ratios["throughput, tokens/s"]
    assert throughput.value == pytest.approx(0.5)
    assert throughput.interval == pytest.approx((0.5, 0.5))
    assert ratios["whole answer, ms, median"].value == pytest.approx(2)
    assert ratios["first token, ms, median"].interval == pytest.approx((2, 2))


def test_the_interval_holds_the_ratio_where_pairs_differ() -> None:
    base = record_of("a", slowness=1.0)
    noisy = tuple(
        replace(one, ended_ms=one.ended_ms * (1.2 + one.place / 10)) for one in base.samples
    )
    sides = choose_side(base, None), choose_side(replace(base, label="b", samples=noisy), None)
    (ratio,) = (one for one in compare(*sides) if one.figure.startswith("whole answer"))

    assert ratio.interval is not None
    assert ratio.interval[0] < ratio.value < ratio.interval[1]
    assert ratio.interval[0] > 1


def test_two_rounds_are_too_few_for_an_interval() -> None:
    base = record_of("a", slowness=1.0)
    side = choose_side(replace(base, rounds=base.rounds[:2]), None)

    assert next(compare(side, side)).interval is None


def test_runs_without_a_common_load_are_not_compared() -> None:
    base = record_of("a", slowness=1.0)
    side = choose_side(base, None)

    with pytest.raises(click.ClickException, match="no load in common"):
        list(compare(side, choose_side(replace(base, rounds=()), None)))


def test_runs_of_other_prompts_are_not_compared() -> None:
    base = record_of("a", slowness=1.0)
    other = replace(base, header=replace(HEADER, prompts="0"))

    with pytest.raises(click.ClickException, match="different prompts"):
        list(compare(choose_side(base, None), choose_side(other, None)))


def test_an_engine_that_was_not_measured_is_refused() -> None:
    with pytest.raises(click.ClickException, match="has the engines one"):
        choose_side(record_of("a", slowness=1.0), "two")


def test_a_round_without_any_answer_has_no_ratio_of_throughput() -> None:
    base = record_of("a", slowness=1.0)
    silent = replace(base, rounds=(replace(base.rounds[0], tokens=0), *base.rounds[1:]))
    figures = [one.figure for one in compare(choose_side(silent, None), choose_side(base, None))]

    assert "throughput, tokens/s" not in figures
    assert "whole answer, ms, median" in figures


def test_a_client_that_came_late_itself_is_told() -> None:
    base = record_of("a", slowness=1.0)
    late = replace(base, rounds=(replace(base.rounds[0], client_late_ms=42.0), *base.rounds[1:]))

    assert "At load 2 this program itself came up to 42 ms late" in report(late)
    assert "itself came up to" not in report(base)


def test_a_comparison_says_whose_client_came_late() -> None:
    base = record_of("a", slowness=1.0)
    late = replace(base, rounds=(replace(base.rounds[0], client_late_ms=42.0), *base.rounds[1:]))
    sides = choose_side(base, None), replace(choose_side(late, None), label="b")

    told = report_comparison(*sides)
    assert told.count("itself came up to 42 ms late") == 1
    assert "b: At load 2" in told
