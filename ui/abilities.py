"""What the gateway can do for somebody: tools and bounds of parameters, asked for now and then."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ui.client import Gateway, GatewayError
from ui.drawing import Tool, read_tools
from ui.fields import NOTHING, JsonObject, object_of

FRESH_S: Final = 30.0
MOST_KEPT: Final = 1000
"""Keys whose answers are kept; one more empties that."""
_NEEDS_KEY: Final = frozenset({"invalid_api_key", "insufficient_scope"})

Credential: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(kw_only=True, slots=True)
class _Answers:
    """What the gateway told one key last."""

    until: float = 0.0
    tools: tuple[Tool, ...] = ()
    bounds: JsonObject = field(default_factory=lambda: NOTHING)
    refusal: GatewayError | None = None


class Abilities:
    """The last answers of the gateway, to each key; while it is gone, they stay as they were."""

    def __init__(self, gateway: Gateway, *, now: Callable[[], float] = time.monotonic) -> None:
        """``now`` counts seconds."""
        self._gateway = gateway
        self._now = now
        self._answers: dict[Credential, _Answers] = {}

    async def tools(self) -> tuple[Tool, ...]:
        """Every tool that may be used."""
        return (await self._renew()).tools

    async def bounds(self) -> JsonObject:
        """The bounds of every parameter by its name."""
        return (await self._renew()).bounds

    async def check(self) -> None:
        """Go on where the gateway lets the running event's key in.

        Raises:
            GatewayError: it does not: ``invalid_api_key`` or ``insufficient_scope``.
        """
        refusal = (await self._renew()).refusal
        if refusal is not None:
            raise refusal

    async def _renew(self) -> _Answers:
        answers = self._answers_to(tuple(sorted(self._gateway.credential().items())))
        if answers.tools and self._now() < answers.until:
            return answers
        answers.until = self._now() + FRESH_S
        try:
            answers.tools = read_tools(await self._gateway.tools())
            answers.bounds = object_of(await self._gateway.me(), "bounds")
        except GatewayError as error:
            answers.refusal = error if error.code in _NEEDS_KEY else answers.refusal
        else:
            answers.refusal = None
        return answers

    def _answers_to(self, credential: Credential) -> _Answers:
        if credential not in self._answers and len(self._answers) >= MOST_KEPT:
            self._answers.clear()
        return self._answers.setdefault(credential, _Answers())
