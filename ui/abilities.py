"""What the gateway can do: its tools and the bounds of parameters, asked for now and then."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ui.client import Gateway, GatewayError
from ui.drawing import Tool, read_tools
from ui.fields import NOTHING, JsonObject, object_of

FRESH_S: Final = 30.0


class Abilities:
    """The last answers of the gateway; while it is gone, they stay as they were."""

    def __init__(self, gateway: Gateway, *, now: Callable[[], float] = time.monotonic) -> None:
        """``now`` counts seconds."""
        self._gateway = gateway
        self._now = now
        self._until = 0.0
        self._tools: tuple[Tool, ...] = ()
        self._bounds: JsonObject = NOTHING

    async def tools(self) -> tuple[Tool, ...]:
        """Every enabled tool."""
        await self._renew()
        return self._tools

    async def bounds(self) -> JsonObject:
        """The bounds of every parameter by its name."""
        await self._renew()
        return self._bounds

    async def _renew(self) -> None:
        if self._tools and self._now() < self._until:
            return
        self._until = self._now() + FRESH_S
        with suppress(GatewayError):
            self._tools = read_tools(await self._gateway.tools())
            self._bounds = object_of(await self._gateway.me(), "bounds")
