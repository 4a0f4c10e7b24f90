"""Asks each server a few prompts before the run: to wake it, and to check its count of tokens."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import aiohttp
import click

from evals.bench.engine.bodies import read_reply
from evals.bench.engine.client import Answer, ask
from evals.bench.engine.prompts import Prompt
from evals.bench.engine.record import Server
from evals.bench.engine.runs import Plan, build_body
from evals.bench.engine.targets import Target

TRIALS = 3
_VERSION_CHARS = 100


async def try_target(session: aiohttp.ClientSession, plan: Plan, target: Target) -> Server:
    """Ask the target its first prompt as the run will, then some whose tokens are counted again.

    These may end where they like: forced on beyond its end, a model goes on with special tokens,
    which count and stand in no text.

    Raises:
        click.ClickException: it does not answer.
    """
    await _ask(session, plan, target, plan.prompts[0])
    reported, retokenized = 0, cast("int | None", 0)
    for prompt in _choose(plan.prompts):
        answer = await _ask(session, replace(plan, ignore_eos=False), target, prompt)
        reported += answer.completion_tokens or 0
        counted = await _count_tokens(session, target, answer.text)
        retokenized = None if counted is None or retokenized is None else retokenized + counted
    return Server(
        name=target.name,
        url=target.url,
        model=target.model or "",
        answers=TRIALS,
        reported=reported,
        retokenized=retokenized,
        version=await _read_version(session, target),
    )


async def _ask(
    session: aiohttp.ClientSession, plan: Plan, target: Target, prompt: Prompt
) -> Answer:
    answer = await ask(session, target, build_body(plan, target, prompt, "stream"))
    if answer.error is not None:
        raise click.ClickException(
            f"{target.name!r} at {target.url} does not answer: {answer.error}. Is the server "
            "up, its address whole (with /v1), and the key's variable named by --key-env?"
        )
    return answer


def _choose(prompts: Sequence[Prompt]) -> Sequence[Prompt]:
    """Those with the shortest answers that are long enough to be counted by."""
    counted = [prompt for prompt in prompts if prompt.length == "medium"]
    return sorted(counted, key=lambda prompt: prompt.max_tokens)[:TRIALS]


async def _count_tokens(session: aiohttp.ClientSession, target: Target, text: str) -> int | None:
    """The tokens of ``text`` by the server's own tokenizer, as vLLM's ``/tokenize`` tells them."""
    body = {"model": target.model, "prompt": text, "add_special_tokens": False}
    try:
        async with session.post(
            f"{target.root}/tokenize", json=body, headers=target.headers
        ) as reply:
            counted = (await read_reply(reply))["count"] if reply.ok else None
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError):
        return None
    return counted if isinstance(counted, int) else None


async def _read_version(session: aiohttp.ClientSession, target: Target) -> str | None:
    """What the server says of its version, as vLLM does at ``/version``."""
    try:
        async with session.get(f"{target.root}/version", headers=target.headers) as reply:
            said = (await read_reply(reply))["version"] if reply.ok else None
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError):
        return None
    return said[:_VERSION_CHARS] if isinstance(said, str) else None
