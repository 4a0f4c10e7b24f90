"""Whether a server is ready: it has made a token, which is more than to say that it is healthy."""

from typing import Final

from chatbot.errors import EngineUnavailable
from chatbot.ports import ChatEngine
from chatbot.types import ChatMessage, ChatRequest, Delta, Sampling

_ONE_TOKEN: Final = ChatRequest(
    messages=(ChatMessage(role="user", text="Cześć!"),),
    sampling=Sampling(temperature=0.0, max_tokens=1),
    token_ids=True,
)


class NoToken(EngineUnavailable):
    """The engine finished an answer in which there was no token."""


async def make_token(engine: ChatEngine) -> None:
    """Have ``engine`` generate one token, streamed, as any other answer.

    Raises:
        EngineError: it cannot be reached, or does not answer in time.
        NoToken: it finishes without a token.
        InvalidRequest: it refuses the request, with its own words.
    """
    has_token = False
    async with engine.stream(_ONE_TOKEN) as deltas:
        async for delta in deltas:
            has_token |= _is_token(delta)
    if not has_token:
        raise NoToken(
            f"engine {engine.name!r} finished an answer without a token", engine=engine.name
        )


def _is_token(delta: Delta) -> bool:
    """A special token leaves no text; the server's count or the token's id tells of it."""
    is_counted = delta.usage is not None and delta.usage.completion_tokens > 0
    return bool(delta.text or delta.reasoning or delta.calls or delta.token_ids) or is_counted
