"""Asks each server a few prompts before the run: to wake it, and to check its count of tokens."""

from collections.abc import Sequence
from typing import cast

import aiohttp
import click

from evals.bench.engine.client import ask
from evals.bench.engine.prompts import Prompt
from evals.bench.engine.record import Server
from evals.bench.engine.runs import Plan, build_body
from evals.bench.engine.targets import Target

TRIALS = 3


async def try_target(session: aiohttp.ClientSession, plan: Plan, target: Target) -> Server:
    """Ask the target its first prompts, streamed, and count their tokens again.

    Raises:
        click.ClickException: it does not answer.
    """
    reported, retokenized = 0, cast("int | None", 0)
    for prompt in _choose(plan.prompts):
        answer = await ask(session, target, build_body(plan, target, prompt, "stream"))
        if answer.error is not None:
            raise click.ClickException(
                f"{target.name!r} at {target.url} does not answer: {answer.error}. Is the server "
                "up, its address whole (with /v1), and the key's variable named by --key-env?"
            )
        reported += answer.completion_tokens or 0
        counted = await _count_tokens(session, target, answer.text)
        retokenized = None if counted is None or retokenized is None else retokenized + counted
    return Server(
        name=target.name,
        url=target.url,
        model=target.model or "",
        reported=reported,
        retokenized=retokenized,
    )


def _choose(prompts: Sequence[Prompt]) -> Sequence[Prompt]:
    """Those with the shortest answers."""
    return sorted(prompts, key=lambda prompt: prompt.max_tokens)[:TRIALS]


async def _count_tokens(session: aiohttp.ClientSession, target: Target, text: str) -> int | None:
    """The tokens of ``text`` by the server's own tokenizer, as vLLM's ``/tokenize`` tells them."""
    body = {"model": target.model, "prompt": text, "add_special_tokens": False}
    address = f"{target.url.removesuffix('/v1')}/tokenize"
    try:
        async with session.post(address, json=body, headers=target.headers) as reply:
            counted = (await reply.json())["count"] if reply.ok else None
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError):
        return None
    return counted if isinstance(counted, int) else None
