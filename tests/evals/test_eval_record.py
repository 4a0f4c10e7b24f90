"""A record holds whatever an engine said, and gives it back."""

from datetime import date
from pathlib import Path

import pytest

from chatbot.types import CallDelta, Delta, Usage
from evals.exchanges import End, Failure
from evals.record import CaseRecord, Header, SavedExchange, open_record, read_record

HEADER = Header(
    cases="own",
    fingerprint="f",
    runner="route",
    today=date(2026, 11, 18),
    settings={"router": {"engine": "Łódź", "limits": [1, 2.5, None]}},
)
FAILURE = Failure(error="EngineBusy", message="later\u2028or never", retry_after_s=7.0)
WHOLE = Delta(
    text="Łódź",
    calls=(CallDelta(index=0, name="get_weather", arguments='{"city"'),),
    token_ids=(1, 2),
    finish="stop",
    usage=Usage(prompt_tokens=3, completion_tokens=2),
)


def a_case(delta: Delta, end: End | Failure) -> CaseRecord:
    exchange = SavedExchange(request="r", engine="e", deltas=((1.5, delta),), end=end)
    return CaseRecord(
        case="c", mode="state", exchanges=(exchange,), verdict_ms=1, decision_ms=2.25, failed=True
    )


@pytest.mark.parametrize(
    ("delta", "end"),
    [
        (WHOLE, "finished"),
        (WHOLE, FAILURE),
        (Delta(text="a\u2028b\u2029c\x85d\re\nf"), "left"),
        (Delta(text="half \ud83d of a picture", reasoning="\ude00"), "timeout"),
    ],
)
def test_what_was_added_is_read_again(tmp_path: Path, delta: Delta, end: End | Failure) -> None:
    path, case = tmp_path / "record.jsonl", a_case(delta, end)
    record = open_record(path, HEADER)
    with record.writing(path):
        record.add(case)
    again = read_record(path)
    assert again.header == HEADER
    assert again.find("state", "c") == case
