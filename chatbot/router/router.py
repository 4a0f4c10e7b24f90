"""Decides for one message: which tools, or the default model."""

from chatbot.dialects import Dialect
from chatbot.ports import ChatEngine, Clock
from chatbot.router.exchange import Exchange
from chatbot.router.lengths import is_long_text
from chatbot.router.limits import RouterLimits
from chatbot.router.offer import DEFAULT_TOOL, ShownTools, request_verdict
from chatbot.types import Decision, RouterView


class Router:
    """Asks the router model; without an engine the default model always answers."""

    def __init__(
        self,
        *,
        engine: ChatEngine | None,
        dialect: Dialect,
        clock: Clock,
        limits: RouterLimits = RouterLimits(),  # noqa: B008 - frozen
    ) -> None:
        """Keep the router model's engine, its dialect, and the bounds of a decision."""
        self._engine = engine
        self._dialect = dialect
        self._clock = clock
        self._limits = limits
        self._shown = ShownTools(dialect)

    async def decide(self, view: RouterView) -> Decision:
        """Decide which tools ``view.prompt`` needs; without calls the default model answers.

        An engine that fails, stalls or writes nonsense never raises: ``reason`` says what
        happened. Cancelling closes the engine's stream.
        """
        if not view.tools:
            return Decision(reason="no_tools")
        if is_long_text(view, self._limits):
            return Decision(reason="long_text")
        if self._engine is None:
            return Decision(reason="router_down", dialect=self._dialect.name)
        exchange = Exchange(
            engine=self._engine,
            dialect=self._dialect,
            clock=self._clock,
            limits=self._limits,
            request=request_verdict(view, self._dialect, self._limits, self._shown),
            offered=frozenset({DEFAULT_TOOL.name, *(tool.name for tool in view.tools)}),
        )
        return await exchange.decide()
