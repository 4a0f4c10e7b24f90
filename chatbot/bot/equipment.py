"""What a chatbot is made of: router, default engine, tools and what surrounds them."""

from collections.abc import Callable
from dataclasses import dataclass

from chatbot.ports import ChatEngine, Clock, ImageStore
from chatbot.router import Router
from chatbot.tools import Registry


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnLimits:
    """Bounds of one turn; the router's and each engine's own limits apply beside them.

    ``turn_s`` bounds the whole turn in seconds; ``calls`` the tool calls run in it.
    """

    turn_s: float = 600.0
    calls: int = 8


@dataclass(frozen=True, kw_only=True)
class Equipment:
    """Everything a turn works with; handed in once, shared by all turns.

    ``context_tokens`` is the default engine's context; ``answer_tokens`` what an answer reserves
    of it when the request names no ``max_tokens``. ``system_prompt`` is used for conversations
    that bring none of their own.
    """

    router: Router
    engine: ChatEngine
    tools: Registry
    images: ImageStore
    clock: Clock
    new_id: Callable[[], str]
    limits: TurnLimits = TurnLimits()
    context_tokens: int = 8192
    answer_tokens: int = 1024
    system_prompt: str | None = None
