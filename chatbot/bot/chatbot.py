"""The `Chatbot`: the one door through which every interface enters the domain."""

from collections.abc import Awaitable, Callable

from chatbot.bot.equipment import Equipment
from chatbot.bot.screening import screen_request
from chatbot.bot.switch import Routing, set_switch
from chatbot.bot.titles import Suggestion, suggest_title
from chatbot.bot.turn import Listen, Turn
from chatbot.types import TurnRequest


class Chatbot(Equipment):
    """Answers turns with its equipment; holds no conversation and no state between turns."""

    def turn(
        self,
        request: TurnRequest,
        *,
        disconnected: Callable[[], Awaitable[object]] | None = None,
        listen: Listen | None = None,
    ) -> Turn:
        """One turn: ``async with chatbot.turn(request) as turn: async for event in turn: …``.

        ``disconnected`` is awaited beside the whole turn; when it returns, the client has left:
        router, tools and engine are cancelled at once and the ``async with`` block ends quietly.
        ``listen`` may take the text of an answer where it is read, with no task between: it neither
        waits nor raises. What it refuses is yielded, like every other event and in its order.
        """
        return Turn(self, request, disconnected=disconnected, listen=listen)

    async def route(self, request: TurnRequest) -> Routing:
        """The decision without the act: which tool, with what, or which question. Runs no tool.

        Raises:
            InvalidRequest: a tool named in the request does not exist.
            SensitiveContent: a rule forbids the last message.
        """
        return await set_switch(self, await screen_request(self.safety, request))

    async def suggest_title(
        self, request: TurnRequest, answer: str, *, longest: int, limit_s: float
    ) -> Suggestion:
        """What a conversation that began with ``request`` and ``answer`` should be called.

        One line of at most ``longest`` characters; no title where the default engine is no language
        model or gives none within ``limit_s`` seconds.
        """
        return await suggest_title(self, request, answer, longest=longest, limit_s=limit_s)
