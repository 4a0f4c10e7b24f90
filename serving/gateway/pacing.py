"""Takes what a request needs of its caller's limits a minute, and tells what is left of them."""

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Final

from starlette.requests import Request

from chatbot.errors import ErrorCode, ZwrotnicaError
from serving.billing import Reservation
from serving.gateway.authorization import caller_of
from serving.gateway.budgets import rates_of
from serving.gateway.services import services_of
from serving.http.errors import LONGEST_RETRY_AFTER_S, Refusal
from serving.http.request_scope import HEADERS
from serving.limits import NOTHING_HELD, Hold, Kind, Standing, Verdict, Want

_MS: Final = 1000
_MINUTE_S: Final = 60


async def paced(request: Request, reserved: Reservation) -> Reservation:
    """``reserved``, which has taken its share of the caller's limits and corrects it at its end.

    Raises:
        Refusal: the caller has asked too much in the last minute (``rate_limit_exceeded``).
    """
    hold = await _take(request, reserved.tokens)
    return reserved if hold is None else replace(reserved, on_end=hold.end)


async def pace(request: Request, tokens: int) -> AbstractContextManager[Hold]:
    """As `paced`, for ``tokens``; an error in the block gives them back.

    Raises:
        Refusal: the caller has asked too much in the last minute (``rate_limit_exceeded``).
    """
    hold = await _take(request, tokens)
    return _held(hold or NOTHING_HELD)


@contextmanager
def _held(hold: Hold) -> Iterator[Hold]:
    try:
        yield hold
    except ZwrotnicaError:
        hold.end(0)
        raise


async def _take(request: Request, tokens: int) -> Hold | None:
    """What was taken; ``None`` where nothing limits the caller."""
    rates = rates_of(caller_of(request))
    if not rates:
        return None
    wants = [Want(rate, 1 if rate.kind == "requests" else tokens) for rate in rates]
    verdict = await services_of(request).pacer.take(wants)
    request.scope[HEADERS] = headers_of(verdict.standings)
    if verdict.wait_s:
        services_of(request).metrics.refused.labels(ErrorCode.RATE_LIMIT_EXCEEDED.value).inc()
        raise _refuse(verdict)
    return Hold(wants, verdict.correct)


def headers_of(standings: Sequence[Standing]) -> list[tuple[bytes, bytes]]:
    """OpenAI's headers: of the limit of each kind of which the least is left."""
    headers: list[tuple[bytes, bytes]] = []
    for kind in ("requests", "tokens"):
        if (one := tightest(standings, kind)) is not None:
            told = {
                "limit": str(one.rate.per_minute),
                "remaining": str(one.left),
                "reset": duration(one.whole_in_s),
            }
            headers += [
                (f"x-ratelimit-{name}-{kind}".encode(), value.encode())
                for name, value in told.items()
            ]
    return headers


def tightest(standings: Sequence[Standing], kind: Kind) -> Standing | None:
    """The limit of a kind of which the least is left."""
    found = [one for one in standings if one.rate.kind == kind]
    return min(found, key=lambda one: one.left, default=None)


def duration(seconds: float) -> str:
    """A time as those headers have it, rounded up: ``20ms``, ``7.5s``, ``1m30s``."""
    ms = math.ceil(seconds * _MS)
    if ms < _MS:
        return f"{ms}ms"
    minutes, rest = divmod(ms, _MINUTE_S * _MS)
    text = f"{rest / _MS:g}s"
    return f"{minutes}m{text}" if minutes else text


def _refuse(verdict: Verdict) -> Refusal:
    wait_s = math.ceil(min(verdict.wait_s, LONGEST_RETRY_AFTER_S))
    return Refusal(
        f"Zbyt wiele zapytań w krótkim czasie. Spróbuj ponownie za {wait_s} s. / "
        f"Too many requests or tokens in a minute; try again in {wait_s} s.",
        code=ErrorCode.RATE_LIMIT_EXCEEDED,
        retry_after_s=wait_s,
    )
