"""How busy a model server is by its own metrics: requests running and waiting, cache in use."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from serving.engines.status.load_metrics import LoadMetrics
from serving.engines.status.short_reply import NoReply, read_short
from serving.settings import EngineSettings

_TEXT: Final = "text/plain"
_API_PATH: Final = "/v1"
_OK: Final = 200
_TURNED_OFF: Final = frozenset({404, 501})
"""How servers answer that have no metrics as they were started: SGLang, and llama.cpp."""
_MOST_LINES: Final = 256
_LINE_CHARS: Final = 2_048
_MOST_REQUESTS: Final = 1_000_000


class LoadUnreadable(Exception):
    """A server does not tell how busy it is; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineLoad:
    """Requests being generated for and waiting; the share of the KV cache in use, from 0 to 1.

    ``None`` is a figure that the server does not tell.
    """

    running: int | None = None
    waiting: int | None = None
    cache_share: float | None = None


async def read_load(
    session: aiohttp.ClientSession, settings: EngineSettings, metrics: LoadMetrics
) -> EngineLoad:
    """Ask the server of ``settings`` for its metrics.

    Raises:
        LoadUnreadable: it does not answer in time, refuses, or tells none of the figures.
    """
    url = (settings.url or "").rstrip("/").removesuffix(_API_PATH) + metrics.path
    key = settings.api_key.get_secret_value() if settings.api_key is not None else None
    try:
        reply = await read_short(session, url, accept=_TEXT, api_key=key)
    except NoReply as error:
        raise _unreadable(str(error), metrics) from error
    if reply.status != _OK:
        remedy = metrics.switch if reply.status in _TURNED_OFF else None
        raise _unreadable(f"status {reply.status}", metrics, remedy)
    load = parse_load(reply.body.decode(errors="replace"), metrics)
    if load == EngineLoad():
        raise _unreadable(f"no {metrics.running!r} in what came", metrics, metrics.switch)
    return load


def parse_load(text: str, metrics: LoadMetrics) -> EngineLoad:
    """The figures in ``text``, which may be anything; never raises.

    Where a server has several engines, their requests are added up, and the fullest cache counts.
    """
    counts = [_values(text, name) for name in (metrics.running, metrics.waiting)]
    shares = _values(text, metrics.cache_share) if metrics.cache_share is not None else []
    running, waiting = (_whole(_within(found, _MOST_REQUESTS, sum)) for found in counts)
    return EngineLoad(running=running, waiting=waiting, cache_share=_within(shares, 1, max))


def _values(text: str, name: str) -> list[float]:
    """The values of the samples called ``name``, as far as they can be read."""
    starts = (f"{name}{{", f"{name} ", f"{name}\t")
    lines = [line for line in text.splitlines() if line.startswith(starts)]
    return [value for line in lines[:_MOST_LINES] for value in _read_line(line[:_LINE_CHARS])]


def _read_line(line: str) -> Iterable[float]:
    """The value of one sample; the parser is lax, and what it chokes on has none."""
    try:
        families = list(text_string_to_metric_families(line))
    except (ValueError, IndexError):
        return ()
    return [sample.value for family in families for sample in family.samples]


def _within(
    values: list[float], largest: float, combine: Callable[[list[float]], float]
) -> float | None:
    """The ``values`` as one; ``None`` where there is none, or one that cannot be."""
    if not values or not all(0 <= value <= largest for value in values):
        return None
    return combine(values)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _unreadable(reason: str, metrics: LoadMetrics, switch: str | None = None) -> LoadUnreadable:
    remedy = f"; start the server with {switch}" if switch is not None else ""
    return LoadUnreadable(f"its figures at {metrics.path} cannot be read: {reason}{remedy}")
