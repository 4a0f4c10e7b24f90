"""The token window: which messages of a long conversation still reach the model."""

from collections.abc import Sequence

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import ChatMessage

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8


def estimate_tokens(text: str) -> int:
    """An estimate of a text's tokens without its tokenizer: a third of its UTF-8 bytes."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def fit_window(messages: Sequence[ChatMessage], *, context_tokens: int) -> tuple[ChatMessage, ...]:
    """The system message, the last message, and as many whole exchanges before it as fit.

    An exchange begins with a user message and goes with everything that answers it, tool results
    included; it is kept or dropped as one.

    Raises:
        InvalidRequest: system and last exchange alone exceed ``context_tokens``.
    """
    system = tuple(message for message in messages if message.role == "system")
    exchanges = _exchanges([message for message in messages if message.role != "system"])
    left = context_tokens - _cost(system)
    kept: list[ChatMessage] = []
    for position, exchange in enumerate(reversed(exchanges)):
        left -= _cost(exchange)
        if left < 0 and position == 0:
            raise _too_long(context_tokens)
        if left < 0:
            break
        kept[:0] = exchange
    if left < 0 and not kept:
        raise _too_long(context_tokens)
    return (*system, *kept)


def _exchanges(messages: Sequence[ChatMessage]) -> list[list[ChatMessage]]:
    exchanges: list[list[ChatMessage]] = []
    for message in messages:
        if message.role == "user" or not exchanges:
            exchanges.append([])
        exchanges[-1].append(message)
    return exchanges


def _cost(messages: Sequence[ChatMessage]) -> int:
    return sum(estimate_tokens(message.text) + TOKENS_PER_MESSAGE for message in messages)


def _too_long(context_tokens: int) -> InvalidRequest:
    return InvalidRequest(
        f"the last message does not fit into the model's context of {context_tokens} tokens; "
        "shorten it",
        param="messages",
        code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
    )
