"""What a chatbot is made of: dispatcher, default engine, tools and what surrounds them."""

from collections.abc import Callable
from dataclasses import dataclass

from chatbot.ports import ChatEngine, Clock, ImageStore, Tracer, Untraced
from chatbot.router import Dispatcher
from chatbot.sanitizer import LinkPolicy
from chatbot.sanitizer.sensitive import Safety
from chatbot.tools import Registry
from chatbot.types import Sampling, ToolResult, TurnRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnLimits:
    """Bounds of one turn; the router's and each engine's own limits apply beside them.

    ``turn_s`` bounds the whole turn in seconds; ``calls`` the tool calls run in it. A tool's
    result of at most ``phrase_chars`` characters is worded as a whole within ``phrase_s`` seconds,
    a longer one sentence by sentence, each within ``summary_s``; ``translate_s`` bounds the
    translation of an argument.
    """

    turn_s: float = 600.0
    calls: int = 8
    phrase_chars: int = 400
    phrase_s: float = 2.0
    summary_s: float = 10.0
    translate_s: float = 5.0


@dataclass(frozen=True, kw_only=True)
class Equipment:
    """Everything a turn works with; handed in once, shared by all turns.

    ``context_tokens`` is the default engine's context; ``answer_tokens`` what an answer reserves
    of it when the request names no ``max_tokens``. ``sampling`` holds where the request names no
    parameter of the answer; ``system_prompt`` is used for conversations that bring none of their
    own. ``phrases`` says that the default engine is a language model: it
    then words and translates for the tools. ``plain_links`` shows a model's links to hosts that
    neither the user nor a tool named, nor ``trusted_hosts``, as plain text. ``safety`` holds the
    operator's rules for sensitive content. ``tracer`` follows the steps of turns.
    """

    dispatcher: Dispatcher
    engine: ChatEngine
    tools: Registry
    images: ImageStore
    clock: Clock
    new_id: Callable[[], str]
    limits: TurnLimits = TurnLimits()
    context_tokens: int = 8192
    answer_tokens: int = 1024
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    system_prompt: str | None = None
    phrases: bool = False
    plain_links: bool = True
    trusted_hosts: tuple[str, ...] = ()
    safety: Safety = Safety()  # noqa: RUF009 - without rules there is nothing to share
    tracer: Tracer = Untraced()  # noqa: RUF009 - it keeps nothing

    def links(self, request: TurnRequest, *results: ToolResult) -> LinkPolicy | None:
        """Which links a model may show in this turn, after ``results``; ``None``: all of them."""
        if not self.plain_links:
            return None
        return LinkPolicy.of_turn(request.messages, results=results, trusted=self.trusted_hosts)
