"""The faults of engines, E1 to E14, by what any gateway's client can see of them."""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial

from faults.cases import (
    GRACE_S,
    TOKENS,
    Case,
    Play,
    Scene,
    Try,
    judge_told,
    judge_whole,
    tokens_off,
)
from faults.gateways import Limits
from scripted.black_box import Seen
from scripted.fault_matrix import SECRETS
from scripted.line import read_script

DATE = "Wed,_21_Oct_2037_07.28.00_GMT"
RETRY_AFTER = re.compile(r"\d+|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT")
TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
}
MOST_MIB = 32.0
"""By which a gateway may grow while it is sent many times as much."""
Judge = Callable[[Seen], str]


def plays(
    *faults: str,
    judge: Judge = judge_told,
    limit_s: float = 10.0,
    since: str = "request",
    way: str = "fault",
    **fields: object,
) -> Play:
    """Each fault once, together; ``since``: times begin with the ``request`` or the ``fault``."""

    async def play(scene: Scene) -> Sequence[Try]:
        async def one(fault: str) -> Try:
            seed, seen = await scene.ask(fault, limit_s=limit_s, way=way, fields=fields)
            return await _judge(scene, seed, seen, judge=judge, since=since)

        return await asyncio.gather(*map(one, faults))

    return play


async def _judge(scene: Scene, seed: int, seen: Seen, *, judge: Judge, since: str) -> Try:
    told = await scene.log(seed)
    if seen.told_at is None:
        seconds = None
    elif since == "fault":
        ends = [x.ended_at for x in told if x.ended_at and x.ended_at <= seen.told_at]
        seconds = seen.told_at - max(ends, default=seen.told_at)
    else:
        seconds = seen.told_at - seen.began_at
    why = judge(seen)
    if not why and any(one.ended_at is None for one in told):
        why = "the engine goes on"
    off = tokens_off(seen, told) if "usage" not in seen.error else None
    return Try(why=why, seconds=seconds, tokens_off=off)


def whole_answers(*faults: str, checks_usage: bool = False) -> Play:
    """Each fault once; every one has to be answered with the text of its seed."""

    async def play(scene: Scene) -> Sequence[Try]:
        async def one(fault: str) -> Try:
            seed, seen = await scene.ask(fault, limit_s=10.0)
            told = await scene.log(seed)
            text = read_script(f"fault=none;tokens={TOKENS};seed={seed}").text
            why = judge_whole(seen, text) or (_judge_usage(seen) if checks_usage else "")
            is_zero = "zero" in fault
            return Try(why=why, tokens_off=None if is_zero else tokens_off(seen, told))

        return await asyncio.gather(*map(one, faults))

    return play


def _judge_usage(seen: Seen) -> str:
    if len(seen.usages) > 1:
        return "usage shown twice"
    said = seen.completion_tokens
    if said is None or (isinstance(said, int) and 0 <= said <= 1_000):
        return ""
    return "negative or absurd usage shown"


def judge_busy(seen: Seen) -> str:
    """429, and when to come back in a form that clients can read."""
    if seen.status != 429:
        return f"{seen.status} in place of 429"
    after = seen.headers.get("retry-after", "0")
    return "" if RETRY_AFTER.fullmatch(after) else "a Retry-After that is none"


def judge_server_error(seen: Seen) -> str:
    """An error of the server's, by status or event."""
    if seen.status >= 500 or (seen.status == 200 and seen.error):
        return ""
    return judge_told(seen) or f"told as {seen.status}"


def judge_own_fault(seen: Seen) -> str:
    """The client's key and address were right, and it must not be told otherwise."""
    is_accused = seen.status in {401, 403, 404}
    return f"told as the client's {seen.status}" if is_accused else judge_server_error(seen)


def judge_client_error(seen: Seen) -> str:
    return "" if seen.status == 400 else f"{seen.status} in place of 400"


def judge_discreet(seen: Seen) -> str:
    """No key, address or traceback of the engine's in what the client reads (I6)."""
    if any(secret in seen.error + seen.text for secret in SECRETS):
        return "the engine's key, address or traceback is shown"
    return ""


def judge_no_answer(seen: Seen) -> str:
    """What is no answer must be told as an error: no 200, no redirect."""
    if 300 <= seen.status < 400:
        return "a redirect is passed on"
    return judge_told(seen)


def judge_calls(seen: Seen) -> str:
    """Strange calls pass or are told as an error, every event readable."""
    if seen.unreadable:
        return "an event that is no JSON is passed on"
    if seen.is_told and not seen.is_hung:
        return ""
    return "" if "tool_calls" in seen.finishes and seen.is_whole else "neither whole nor an error"


def judge_answered(seen: Seen) -> str:
    """A whole answer of the calm engine."""
    return judge_whole(seen, seen.text) or ("" if seen.text else "no text")


def engine_cases(limits: Limits) -> list[Case]:
    """All of them, for these limits."""
    first_s, idle_s = limits.first_token_s + GRACE_S, limits.idle_s + GRACE_S
    quick = partial(plays, limit_s=5.0)
    return [
        Case(
            name="–", what="no fault: the whole answer", play=whole_answers(*["none"] * 4), least=40
        ),
        Case(
            name="E1",
            what="connect refused: told",
            play=quick("none", "none", way="dead"),
            limit_s=3.0,
        ),
        Case(
            name="E1",
            what="connect never answered: told",
            play=quick(*["none"] * 4, way="hole"),
            limit_s=3.0,
        ),
        Case(
            name="E1",
            what="one of two engines refuses: the other answers",
            play=quick(*["none"] * 4, judge=judge_answered, way="pair"),
            least=40,
        ),
        Case(
            name="E2",
            what="accepts, says nothing: told, engine closed",
            play=plays(*["silent"] * 8, limit_s=first_s),
            limit_s=first_s,
        ),
        Case(
            name="E3",
            what="header, then nothing",
            play=plays(*["headers"] * 8, limit_s=first_s),
            limit_s=first_s,
        ),
        Case(
            name="E3",
            what="header, then comments without a token",
            play=plays(*["heartbeats"] * 8, limit_s=first_s),
            limit_s=first_s,
        ),
        Case(
            name="E4",
            what="silent after 1, 17, 19 of 20 tokens",
            play=plays(*[f"stall:after={k}" for k in (1, 17, 19)] * 3, limit_s=first_s),
            limit_s=first_s,
        ),
        Case(
            name="E4",
            what="comments without a token after 3 tokens",
            play=plays(*["heartbeats:after=3"] * 8, limit_s=first_s),
            limit_s=max(idle_s, first_s),
        ),
        *(
            Case(
                name="E5",
                what=f"{words} in mid-stream",
                play=quick(*[f"cut:how={how}"] * 4, since="fault"),
                least=20,
                limit_s=1.0,
            )
            for how, words in (("rst", "RST"), ("fin", "FIN"), ("end", "HTTP's proper end"))
        ),
        Case(
            name="E6",
            what="finish_reason, no [DONE], HTTP's end: success",
            play=whole_answers(*["no_done"] * 4),
            least=20,
        ),
        Case(
            name="E6",
            what="the same, FIN without HTTP's end",
            play=whole_answers(*["no_done:how=fin"] * 4),
            least=20,
        ),
        Case(
            name="E7",
            what="one event of broken JSON, then all the rest",
            play=whole_answers(*["malformed"] * 4),
            least=20,
        ),
        Case(
            name="E7",
            what="one event of broken JSON, then the end",
            play=quick(*["malformed:then=cut"] * 4),
            least=20,
            limit_s=1.0,
        ),
        Case(
            name="E8",
            what="1-byte writes; CR, CRLF; BOM; comments; split lines",
            play=whole_answers(
                "split:by=1",
                "split:by=2:ends=cr:bom=1",
                "split:by=3:ends=crlf:bom=1:comments=2:lines=1",
            ),
            least=18,
        ),
        Case(
            name="E9",
            what="8 MB without an event's end: bounded, told",
            play=plays("endless:of=line:kib=8192", "endless:of=event:kib=8192", limit_s=first_s),
            limit_s=first_s,
            memory_mib=MOST_MIB,
        ),
        Case(
            name="E10",
            what="429, Retry-After 1, 3600, a date: 429",
            play=quick(
                *[f"status:code=429:after={after}" for after in (1, 3600, DATE)], judge=judge_busy
            ),
            least=9,
            limit_s=limits.busy_s * 2 + 2.0,
        ),
        Case(
            name="E10",
            what="429, Retry-After garbage or negative",
            play=quick(
                *[f"status:code=429:after={after}" for after in ("x", -5)], judge=judge_busy
            ),
            limit_s=limits.busy_s * 2 + 2.0,
        ),
        Case(
            name="E11",
            what="500, 502, 503: 5xx",
            play=quick(
                *[f"status:code={code}" for code in (500, 502, 503)], judge=judge_server_error
            ),
            least=18,
            limit_s=3.0,
        ),
        Case(
            name="E11",
            what="an error event, first or after 3 tokens",
            play=quick("error_event:after=0", "error_event", judge=judge_told),
            least=20,
            limit_s=3.0,
        ),
        Case(
            name="E11",
            what="401, 404 of the engine: not told as the client's",
            play=quick(*[f"status:code={code}" for code in (401, 404)], judge=judge_own_fault),
            least=20,
            limit_s=3.0,
        ),
        Case(
            name="E11",
            what="400: 400",
            play=quick(
                "status:code=400",
                "status:code=400:say=maximum_context_length",
                judge=judge_client_error,
            ),
            least=20,
            limit_s=3.0,
        ),
        Case(
            name="E11",
            what="the engine's key, address, traceback stay inside",
            play=quick(
                *[f"status:code={code}" for code in (400, 401, 404, 500)], judge=judge_discreet
            ),
            least=20,
        ),
        Case(
            name="E12a",
            what="calls of a client's tools: duplicate, out of order, broken",
            play=quick(
                *[f"calls:kind={kind}" for kind in ("duplicate", "reordered", "invalid")],
                judge=judge_calls,
                tools=[TOOL],
            ),
            least=18,
        ),
        Case(
            name="E13",
            what="usage missing, zero, negative, twice, 10^12: never shown wrong",
            play=whole_answers(
                *[f"usage:kind={k}" for k in ("missing", "zero", "negative", "twice", "huge")],
                checks_usage=True,
            ),
            least=20,
        ),
        Case(
            name="E14",
            what="HTML, wrong type, redirect, HTTP/0.9: told",
            play=quick("html", "wrong_type", "redirect", "http09", judge=judge_no_answer),
            least=20,
            limit_s=3.0,
        ),
        Case(
            name="E14",
            what="64 MB in 64 kB of gzip, 1 MB of header: told, bounded",
            play=quick("bomb", "huge_headers", "huge_headers:of=many", judge=judge_no_answer),
            least=9,
            limit_s=3.0,
            memory_mib=MOST_MIB,
        ),
    ]
