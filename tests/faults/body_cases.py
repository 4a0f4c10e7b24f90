"""Bodies that nobody should send, P1 to P5: refused, and never handed on to the engine."""

import asyncio
from collections.abc import Sequence

from faults.cases import Case, Play, Scene, Try
from faults.gateways import OURS
from scripted.black_box import Seen, listen
from scripted.fault_process import small_fields
from scripted.hostile import CONTROL_TOKENS, P1, P2, P3, P4, Hostile

SPEAKS = "fault=none;tokens=20"


async def send_hostile(scene: Scene, hostile: Hostile) -> Try:
    """4xx, or for an option that is out of bounds an answer without it."""
    body = hostile.body.replace(b'"zwrotnica"', b'"default"')
    request = Hostile(name=hostile.name, body=body).request()
    before = len(await scene.logs())
    seen = await listen(scene.gateway.port, request, limit_s=10.0)
    why = _judge_hostile(seen)
    reached = (await scene.logs())[before:]
    field, _, _ = hostile.name.partition("=")
    if why == "answered with 200" and "=" in hostile.name and field != "stream":
        asked = small_fields(body)
        is_passed = any(one.fields.get(field) == asked.get(field) for one in reached)
        why = f"{field} is passed on" if is_passed else ""
    return Try(why=why, seconds=seen.seconds)


def _judge_hostile(seen: Seen) -> str:
    if seen.is_hung:
        return "no answer"
    if 400 <= seen.status < 500:
        return ""
    return f"answered with {seen.status}" if seen.status else "no response"


def sends(group: Sequence[Hostile]) -> Play:
    async def play(scene: Scene) -> Sequence[Try]:
        return [await send_hostile(scene, hostile) for hostile in group]

    return play


async def control_tokens(scene: Scene) -> Sequence[Try]:
    """None of a tokenizer's control tokens reaches the engine as it was written."""
    return await asyncio.gather(*(_send_token(scene, token) for token in CONTROL_TOKENS))


async def _send_token(scene: Scene, token: str) -> Try:
    seed = next(scene.seeds)
    raw = scene.gateway.request("fault", f"{SPEAKS};seed={seed} a {token} b{token}")
    seen = await listen(scene.gateway.port, raw, limit_s=5.0)
    told = await scene.log(seed)
    if not told:
        return Try(why=f"not asked of the engine: {seen.status}")
    is_there = any(token.removesuffix("system") in one.text for one in told)
    return Try(why="a control token is passed on" if is_there else "")


def body_cases() -> list[Case]:
    """P1 to P5."""
    groups = (
        ("P1", "1 MB, 10^6 tokens, 2,000 messages, 10^5 parts, 10 MB", P1),
        ("P2", "text that is no UTF-8, lone surrogates, NUL, U+FFFE", P2),
        ("P3", "depth 10^5, 10^6 keys, NaN, 1e999, 5,000 digits", P3),
        ("P4", "options unknown or out of bounds: 4xx, or not passed on", P4),
    )
    return [
        *(
            Case(
                name=name,
                what=what if ":" in what else f"{what}: 4xx",
                play=sends(group),
                least=len(group),
                limit_s=2.0,
                absent=lambda kind: "" if kind.reads_bodies else "reads no bodies",
            )
            for name, what, group in groups
        ),
        Case(
            name="P5",
            what="control tokens in text do not reach the engine as such",
            play=control_tokens,
            least=len(CONTROL_TOKENS),
            absent=lambda kind: "" if kind.name == OURS else "hands text on as it is, by design",
        ),
    ]
