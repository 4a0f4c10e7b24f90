"""Runs every target under every load, interleaved: in each round each, in random order."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

import aiohttp

from chatbot.types import JsonValue
from evals.bench.engine.client import Answer, ask
from evals.bench.engine.loads import Load
from evals.bench.engine.prompts import Prompt, shuffled_repeats
from evals.bench.engine.samples import Cell, Replies, Round, Sample
from evals.bench.engine.targets import Target

_TICK_S = 0.01
_SHARE = 0.95


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One round of one cell."""

    round: int
    load: Load
    replies: Replies
    target: Target

    @property
    def cell(self) -> Cell:
        """What is measured."""
        return Cell(target=self.target.name, load=self.load.name, replies=self.replies)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to measure; ``requests`` is the least number of them in each round of a cell."""

    targets: tuple[Target, ...]
    loads: tuple[Load, ...]
    replies: tuple[Replies, ...]
    prompts: tuple[Prompt, ...]
    rounds: int
    requests: int
    seed: int
    temperature: float = 0.0
    ignore_eos: bool = False

    def steps(self) -> Iterator[Step]:
        """What is run when: each target right after the others, in random order."""
        order = Random(self.seed)  # noqa: S311 (the order of measurements, not a secret)
        for number, load, replies in product(range(self.rounds), self.loads, self.replies):
            for target in order.sample(self.targets, len(self.targets)):
                yield Step(round=number, load=load, replies=replies, target=target)

    def order(self, step: Step) -> Random:
        """The chance of one round, which is the same for every target."""
        name = f"{self.seed}/{step.round}/{step.load.name}/{step.replies}"
        return Random(name)  # noqa: S311 (as above)


def build_body(
    plan: Plan, target: Target, prompt: Prompt, replies: Replies
) -> dict[str, JsonValue]:
    """The chat completion that asks ``prompt``."""
    body: dict[str, JsonValue] = {
        "model": target.model,
        "messages": [{"role": "user", "content": prompt.text}],
        "max_tokens": prompt.max_tokens,
        "temperature": plan.temperature,
        "seed": plan.seed,
        "stream": replies == "stream",
    }
    if replies == "stream":
        body["stream_options"] = {"include_usage": True}
    if plan.ignore_eos:
        body["ignore_eos"] = True
    return body


async def run_step(
    session: aiohttp.ClientSession, plan: Plan, step: Step, tick: Callable[[Sample], None]
) -> Round:
    """Send the requests of one cell in one round; ``tick`` is given each as it ends."""
    running = _Running(session=session, plan=plan, step=step, tick=tick)
    cpu = time.process_time()
    lags: list[float] = []
    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_watch(lags))
        await running.run()
        watch.cancel()
    done = running.samples
    return Round(
        cell=step.cell,
        round=step.round,
        seconds=time.monotonic() - running.began,
        client_cpu_s=time.process_time() - cpu,
        client_late_ms=_milliseconds(sorted(lags)[int(_SHARE * len(lags))]) if lags else 0.0,
        tokens=sum(sample.tokens for sample in done if sample.error is None),
        failed=sum(sample.error is not None for sample in done),
    )


async def _watch(lags: list[float]) -> None:
    """Note by how many seconds this program comes late, tick by tick."""
    while True:
        due_at = time.monotonic() + _TICK_S
        await asyncio.sleep(_TICK_S)
        lags.append(time.monotonic() - due_at)


class _Running:
    """One round of one cell under way."""

    def __init__(
        self,
        *,
        session: aiohttp.ClientSession,
        plan: Plan,
        step: Step,
        tick: Callable[[Sample], None],
    ) -> None:
        self._session, self._plan, self._step, self._tick = session, plan, step, tick
        self.samples: list[Sample] = []
        self.began = time.monotonic()

    async def run(self) -> None:
        order, load = self._plan.order(self._step), self._step.load
        count = load.count_requests(self._plan.requests)
        asked = enumerate(shuffled_repeats(self._plan.prompts, count, order))
        self.began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            if load.batch is None:
                for (place, prompt), at in zip(asked, load.moments(order), strict=False):
                    group.create_task(self._ask_at(place, prompt, at))
            for _ in range(load.batch or 0):
                group.create_task(self._ask_on(asked))

    async def _ask_on(self, asked: Iterator[tuple[int, Prompt]]) -> None:
        """Ask one prompt after the other, as long as there are some."""
        for place, prompt in asked:
            await self._ask(place, prompt, time.monotonic())

    async def _ask_at(self, place: int, prompt: Prompt, at: float) -> None:
        due_at = self.began + at
        await asyncio.sleep(max(0.0, due_at - time.monotonic()))
        await self._ask(place, prompt, due_at)

    async def _ask(self, place: int, prompt: Prompt, due_at: float) -> None:
        step = self._step
        body = build_body(self._plan, step.target, prompt, step.replies)
        answer = await ask(self._session, step.target, body)
        sample = Sample(
            cell=step.cell,
            round=step.round,
            place=place,
            prompt=prompt.id,
            due_s=round(due_at - self.began, 4),
            pieces_ms=tuple(_milliseconds(at - due_at) for at in answer.pieces),
            ended_ms=_milliseconds(answer.ended_at - due_at),
            prompt_tokens=answer.prompt_tokens,
            tokens=_count(answer),
            is_counted=answer.completion_tokens is not None,
            finish=answer.finish,
            error=answer.error,
        )
        self.samples.append(sample)
        self._tick(sample)


def _count(answer: Answer) -> int:
    counted = answer.completion_tokens
    return len(answer.pieces) if counted is None else counted


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1e3, 3)
