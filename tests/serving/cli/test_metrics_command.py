"""`zwrotnica metrics` over lines as a gateway keeps them, whole and torn."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted.gateway import wait_until
from scripted.stage import open_stage
from scripted.tables import every_row

from serving.cli.main import zwrotnica
from serving.settings import TelemetrySettings
from serving.telemetry.history.report import quantile

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
ASKED = 'zwrotnica_http_requests_total{route="/v1/chat/completions",status="200"}'
TOOL = 'zwrotnica_routes_total{decision="tool",reason="called"}'
PLAIN = 'zwrotnica_routes_total{decision="default",reason="plain_text"}'
FORCED = 'zwrotnica_routes_total{decision="default",reason="forced"}'
FULL = 'zwrotnica_turns_refused_total{code="queue_full"}'
PROMPT = 'zwrotnica_tokens_total{engine="bielik",kind="prompt",role="answer"}'
ROUTER = 'zwrotnica_tokens_total{engine="bielik",kind="prompt",role="router"}'
BREAKER = 'zwrotnica_engine_breakers_open{engine="bielik"}'
MEMORY = "zwrotnica_memory_bytes"
DAY = ("--since", "2026-11-01", "--until", "2026-11-02")

Figures = Mapping[str, float]
Run = Callable[..., Result]


def tool_calls(status: str) -> str:
    return f'zwrotnica_tool_seconds_count{{status="{status}",tool="calculate"}}'


def first_texts(engine: str, counts: Mapping[str, float]) -> Figures:
    """Cumulated counts of a histogram by upper bound."""
    name = "zwrotnica_first_text_seconds_bucket"
    return {
        f'{name}{{engine="{engine}",le="{bound}",path="default"}}': count
        for bound, count in counts.items()
    }


@pytest.fixture
def keep(tmp_path: Path) -> Callable[..., None]:
    """Keep one line for each of ``figures``, a minute apart from ``begin`` on."""

    def write(*figures: Figures, begin: datetime = NOON) -> None:
        folder = tmp_path / "metrics"
        folder.mkdir(exist_ok=True)
        for number, one in enumerate(figures):
            at = begin + timedelta(minutes=number)
            with (folder / f"{at:%Y-%m-%d}.jsonl").open("a") as file:
                file.write(json.dumps({"at": at.isoformat(), "figures": one}) + "\n")

    return write


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def invoke(*words: str) -> Result:
        environ = {"ZWROTNICA_DATA_DIR": str(tmp_path)}
        return CliRunner().invoke(zwrotnica, ["metrics", *words], env=environ)

    return invoke


def reports(run: Run, *words: str) -> list[dict[str, object]]:
    result = run(*DAY, "--json", *words)
    assert result.exit_code == 0, result.output
    loaded: list[dict[str, object]] = json.loads(result.stdout)
    return loaded


def requests_of(run: Run, *words: str) -> list[object]:
    return [one["requests"] for one in reports(run, *words)]


def test_counters_are_told_by_their_growth(run: Run, keep: Callable[..., None]) -> None:
    keep({ASKED: 100}, {ASKED: 130}, {ASKED: 145})
    assert requests_of(run) == [45]


def test_a_counter_that_was_zero_grows_from_there(run: Run, keep: Callable[..., None]) -> None:
    keep({}, {ASKED: 7})
    assert requests_of(run) == [7]


def test_after_a_new_start_counters_grow_from_zero(run: Run, keep: Callable[..., None]) -> None:
    keep({ASKED: 100}, {ASKED: 130}, {ASKED: 5}, {ASKED: 9})
    assert requests_of(run) == [39]


def test_a_new_start_is_seen_by_any_counter_that_fell(run: Run, keep: Callable[..., None]) -> None:
    keep({ASKED: 100, FULL: 3}, {ASKED: 140})
    assert requests_of(run) == [140]


def test_what_grew_before_the_time_is_not_counted(run: Run, keep: Callable[..., None]) -> None:
    keep({ASKED: 60}, {ASKED: 80}, begin=NOON - timedelta(days=1))
    keep({ASKED: 90}, {ASKED: 95})
    keep({ASKED: 500}, begin=NOON + timedelta(days=1))
    assert requests_of(run) == [15]


def test_each_interval_has_what_grew_in_it(run: Run, keep: Callable[..., None]) -> None:
    keep(*({ASKED: number} for number in (0, 1, 3, 6, 10)))
    found = reports(run, "--every", "2m")
    assert [one["requests"] for one in found] == [1, 5, 4]
    assert [str(one["begin"])[11:16] for one in found] == ["12:00", "12:02", "12:04"]
    assert found[0]["per_s"] == 1 / 120


def test_labels_that_nobody_asks_for_are_added_up(run: Run, keep: Callable[..., None]) -> None:
    """Also those of workers."""
    first, second = (ASKED.replace("}", f',pid="{pid}"}}') for pid in (1, 2))
    keep({}, {first: 4, second: 5, TOOL: 2, PLAIN: 3, FORCED: 4})
    (found,) = reports(run)
    assert (found["requests"], found["turns"]) == (9, {"default": 7, "tool": 2})


def test_tokens_refusals_and_failures_are_told_by_name(run: Run, keep: Callable[..., None]) -> None:
    keep({}, {PROMPT: 40, ROUTER: 2, FULL: 3, tool_calls("ok"): 5, tool_calls("failed"): 2})
    (found,) = reports(run)
    assert found["tokens"] == {"bielik": {"prompt": 42}}
    assert found["refusals"] == {"queue_full": 3}
    assert found["tools"] == [{"tool": "calculate", "calls": 7, "failures": 2}]


def test_levels_are_told_by_their_peak(run: Run, keep: Callable[..., None]) -> None:
    keep({MEMORY: 5e8}, {MEMORY: 7e8, BREAKER: 2}, {MEMORY: 6e8})
    (found,) = reports(run)
    assert (found["memory_bytes"], found["open_breakers"]) == (700_000_000, {"bielik": 2})


def test_first_text_is_told_by_path_and_engine_and_of_all(
    run: Run, keep: Callable[..., None]
) -> None:
    quick = first_texts("bielik", {"0.1": 10, "0.25": 10, "0.5": 10, "+Inf": 10})
    slow = first_texts("llama", {"0.25": 10, "0.5": 10, "+Inf": 10})  # what is zero is not kept
    keep({}, {**quick, **slow})
    (found,) = reports(run)
    by_engine = {one["engine"]: one["p50_s"] for one in found["first_texts"]}  # type: ignore[attr-defined]  # JSON
    assert by_engine == pytest.approx({"bielik": 0.075, "llama": 0.175})
    assert found["first_text"]["p50_s"] == pytest.approx(0.1)  # type: ignore[index]  # JSON


@every_row(
    ("share", "buckets", "expected"),
    [
        (0.5, {}, None),
        (0.5, {1.0: 0, float("inf"): 0}, None),
        (0.5, {1.0: 2, 2.0: 4, float("inf"): 4}, 1.0),
        (0.75, {1.0: 2, 2.0: 4, float("inf"): 4}, 1.5),
        (0.95, {1.0: 1, 2.0: 1, float("inf"): 10}, 2.0),
        (0.5, {1.0: 0, 2.0: 0, 4.0: 2, float("inf"): 2}, 3.0),
    ],
)
def test_quantiles_are_those_of_prometheus(
    share: float, buckets: Mapping[float, float], expected: float | None
) -> None:
    assert quantile(share, buckets) == expected


def test_lines_that_a_crash_tore_are_counted_and_left_out(
    run: Run, keep: Callable[..., None], tmp_path: Path
) -> None:
    keep({ASKED: 1}, {ASKED: 2})
    with (tmp_path / "metrics" / "2026-11-01.jsonl").open("a") as file:
        file.write('{"at": "2026-11-01T13:00:00+00:00", "figures": {"zwro\n\0\0\0\n[]\n')
    result = run(*DAY, "--json")
    assert json.loads(result.stdout)[0]["requests"] == 1
    assert "3 lines could not be read" in result.stderr


def test_the_table_has_a_row_for_each_interval(run: Run, keep: Callable[..., None]) -> None:
    keep({}, {ASKED: 120, TOOL: 3, MEMORY: 5e8}, {ASKED: 180})
    lines = run(*DAY, "--every", "1m").stdout.splitlines()
    assert lines[0].split()[:4] == ["FROM", "(UTC)", "REQUESTS", "PER"]
    assert [line.split()[:4] for line in lines[1:]] == [
        ["2026-11-01", "12:00:00", "0", "0.00"],
        ["2026-11-01", "12:01:00", "120", "2.00"],
        ["2026-11-01", "12:02:00", "180", "3.00"],
    ]


def test_the_table_of_one_time_tells_what_it_is_made_of(
    run: Run, keep: Callable[..., None]
) -> None:
    keep({}, {**first_texts("bielik", {"0.1": 4, "+Inf": 4}), PROMPT: 40, FULL: 2, BREAKER: 1})
    shown = run(*DAY).stdout
    assert "default  bielik  4            75      98" in shown
    assert "queue_full    2" in shown


def test_csv_has_a_line_for_each_figure(run: Run, keep: Callable[..., None]) -> None:
    keep({}, {ASKED: 6, PROMPT: 40, TOOL: 3})
    rows = list(csv.DictReader(StringIO(run(*DAY, "--csv").stdout)))
    found = {(row["figure"], row["engine"], row["kind"], row["decision"]): row for row in rows}
    assert found["requests", "", "", ""]["value"] == "6"
    assert found["tokens", "bielik", "prompt", ""]["value"] == "40"
    assert found["turns", "", "", "tool"]["from"] == "2026-11-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--since", "gestern"), "'gestern' is no time"),
        (("--every", "5"), "'5' is no duration"),
        (("--every", "0m"), "'0m' is no duration"),
        (("--since", "1h", "--until", "2h"), "--since must be before --until"),
        (("--since", "7d", "--every", "1s"), "more than 10000 rows"),
        (("--json", "--csv"), "not both"),
        ((), "no metrics of this time are kept in"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_the_reason(
    run: Run, words: Sequence[str], told: str
) -> None:
    result = run(*words)
    assert result.exit_code != 0
    assert told in result.output


def test_what_a_gateway_keeps_can_be_read(run: Run, tmp_path: Path) -> None:
    with open_stage(tmp_path) as stage:
        often = TelemetrySettings(snapshot_s=3600)
        stage.settings = stage.settings.model_copy(update={"telemetry": often})
        client = stage.client()
        wait_until(lambda: any((tmp_path / "metrics").glob("*.jsonl")))
        client.chat.completions.create(
            model="zwrotnica", messages=[{"role": "user", "content": "Dzień dobry"}]
        )
    (found,) = json.loads(run("--since", "1h", "--json").stdout)
    assert (found["requests"], found["turns"]) == (1, {"default": 1})
    assert found["memory_bytes"] > 10_000_000
