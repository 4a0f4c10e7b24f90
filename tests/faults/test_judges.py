"""The judges of the fault table, on what a gateway would show that hands every byte on."""

import json

import pytest
from faults.cases import Try, in_time, judge_told, judge_whole
from faults.engine_cases import judge_busy, judge_discreet, judge_no_answer, judge_own_fault
from faults.rendering import Row
from scripted.black_box import Seen, listen
from scripted.bystanders import Calm
from scripted.fault_server import FaultServer
from scripted.hostile import CHAT
from scripted.http_client import post
from scripted.line import read_script
from scripted.patience import PATIENCE_S

TEXT = read_script("fault=none;tokens=20;seed=3").text


async def hear(fault: str, *, limit_s: float = PATIENCE_S) -> Seen:
    body = {
        "messages": [{"role": "user", "content": f"fault={fault};tokens=20;seed=3"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    async with FaultServer() as server:
        return await listen(server.port, post(CHAT, json.dumps(body).encode()), limit_s=limit_s)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("none", "partial answer shown as complete"),
        ("cut:how=end", "ends as 200 without an error"),
        ("cut:how=fin", ""),
        ("cut:how=rst", ""),
        ("error_event", ""),
        ("error_event:after=0", ""),
        ("status:code=500", ""),
        ("html", "ends as 200 without an error"),
        ("malformed:then=cut", "ends as 200 without an error"),
    ],
)
async def test_who_is_told_and_who_is_not(fault: str, why: str) -> None:
    assert judge_told(await hear(fault)) == why


async def test_silence_is_neither_error_nor_end() -> None:
    seen = await hear("stall:after=3", limit_s=0.3)

    assert judge_told(seen) == "neither error nor end"
    assert (seen.told_at, seen.is_hung) == (None, True)
    assert seen.first_at is not None


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("none", ""),
        ("no_done", ""),
        ("split:by=1", ""),
        ("split:by=2:ends=cr:bom=1", ""),
        ("split:by=3:ends=crlf:bom=1:comments=2:lines=1", ""),
        ("malformed", "an event that is no JSON is passed on"),
        ("no_finish", "no finish_reason"),
        ("no_done:how=fin", "200, error or broken off in place of the answer"),
        ("status:code=500", "500, error or broken off in place of the answer"),
    ],
)
async def test_who_has_the_whole_answer(fault: str, why: str) -> None:
    seen = await hear(fault)

    assert judge_whole(seen, TEXT) == why
    assert judge_whole(seen, f"{TEXT}x") != ""


async def test_usage_is_read_and_an_answer_of_other_words_is_not_it() -> None:
    seen = await hear("none")

    assert seen.completion_tokens == 20
    assert judge_whole(seen, "Nic.") == "another text"


@pytest.mark.parametrize(
    ("after", "is_right"), [("1", True), ("3600", True), ("x", False), ("-5", False)]
)
async def test_a_retry_after_has_to_be_readable(after: str, is_right: bool) -> None:
    seen = await hear(f"status:code=429:after={after}")

    assert (judge_busy(seen) == "") == is_right


async def test_what_is_judged_of_refusals() -> None:
    refused, lost = await hear("status:code=401"), await hear("status:code=502")
    redirected = await hear("redirect")

    assert (judge_own_fault(refused), judge_own_fault(lost)) == ("told as the client's 401", "")
    assert judge_discreet(refused) != ""
    assert judge_no_answer(redirected) == "a redirect is passed on"


def test_only_all_tries_are_a_hundred_percent() -> None:
    row = Row(name="C5", what="x", n=1000, passed=999, whys={"waits on": 1})

    assert row.percent == "99"


def test_a_try_that_took_too_long_has_failed() -> None:
    assert in_time(Try(seconds=2.0), 1.0).why == "too late"
    assert in_time(Try(seconds=1.0), 1.0).why == ""


def test_a_row_shows_every_figure() -> None:
    calm = Calm(answers=40, lost=1, p50_s=0.004, p99_s=0.02)
    row = Row(
        name="E4", what="x", n=9, passed=9, worst_s=1.5, tokens_off=0, grown_mib=0.26, calm=calm
    )

    assert row.cells() == ["9", "100", "1.50", "0", "0.3", "4.0 / 20.0", "1"]
