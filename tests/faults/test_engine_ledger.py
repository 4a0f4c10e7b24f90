"""I1 and I2 after each fault of an engine: one row for a request, with what the engine has sent."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from scripted.billed import estimates, tokens_of
from scripted.fault_matrix import FAULTS, WAYS, request
from scripted.fault_report import Figure, Publish
from scripted.fault_server import Exchange
from scripted.gateway_under_test import gateway_against
from scripted.http_client import ask, wait_for
from scripted.opened_ledger import rows_in, states_in

pytestmark = pytest.mark.faults

LEFT_S = 5.0
TOGETHER = 24


def off_by(exchanges: Sequence[Exchange], legs: Sequence[Mapping[str, object]]) -> int:
    """How many tokens more or fewer its row counts than the engine has sent, or is said to have."""
    tokens, source = tokens_of(legs)
    if source in {"", "zero"} or not exchanges:
        return max(tokens, *(one.sent_tokens for one in exchanges), 0)
    *_, answered = exchanges
    sent, options = answered.sent_tokens, answered.script.options
    if source == "engine":  # its own figure counts: none is kept where it says so
        return abs(tokens - (0 if options.get("kind") == "zero" else sent))
    known = estimates(answered.script, sent)
    allowed = known if options.get("how") == "rst" else known[-1:]  # unread ones go with a reset
    return min(abs(tokens - one) for one in allowed)


async def test_i1_and_i2_every_request_has_one_row_with_what_the_engine_sent(
    tmp_path: Path, publish: Publish
) -> None:
    asked = [(fault, model, stream) for fault in FAULTS for model, stream in WAYS]
    with gateway_against(tmp_path, speed=1.0) as served:
        bodies = [
            request(f"{fault};tokens=20;seed={seed}", model=model, stream=stream)
            for seed, (fault, model, stream) in enumerate(asked)
        ]
        replies = [
            reply
            for start in range(0, len(bodies), TOGETHER)
            for reply in await asyncio.gather(
                *(ask(served.port, body) for body in bodies[start : start + TOGETHER])
            )
        ]
        took = await wait_for(lambda: "reserved" not in states_in(tmp_path))
        exchanges = served.engine.exchanges
    book = rows_in(tmp_path)
    entries = {
        seed: [e for e, row in book.requests.items() if row["request_id"] == request_id]
        for seed, request_id in enumerate(one.headers["x-request-id"] for one in replies)
    }
    off = [
        off_by([one for one in exchanges if one.script.seed == seed], book.legs.get(entry, ()))
        for seed, found in entries.items()
        for entry in found
    ]
    what = "faults of engines E1 to E14, four ways each"
    one_row = [len(found) == 1 for found in entries.values()]
    publish(Figure(case="I1", what=f"{what}: one row", n=len(one_row), passed=sum(one_row)))
    publish(
        Figure(
            case="I1",
            what=f"{what}: none is left open",
            n=1,
            passed=1,
            times=(took,),
            limit_s=LEFT_S,
        )
    )
    what = f"{what}: tokens of its legs are those sent; off by {sum(off)}"
    publish(Figure(case="I2", what=what, n=len(off), passed=off.count(0)))
