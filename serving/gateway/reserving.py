"""What a request reserves in the ledger before it is served, and what a forwarded one has used."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from chatbot.types import Message, Usage
from serving.auth.caller import Caller
from serving.billing import BilledLeg, Prices, Reservation
from serving.billing.prices import FREE
from serving.billing.records import PathKind
from serving.gateway.budgets import allowances_of, counts_tokens, groups_of
from serving.settings import ROUTED_MODEL, Settings
from serving.telemetry import RequestTimes

_BYTES_PER_TOKEN: Final = 3
_TEXTUAL: Final = ("messages", "tools", "response_format")
_SILENT: Final = frozenset({"role", "type", "tool_call_id", "id"})
"""What no model reads as text."""
_FIELDS: Final = frozenset({"content", "text", "tool_calls", "function", "name", "arguments"})
"""Names of fields, whose values alone are read."""
_MS: Final = 1000


def reserve_turn(
    caller: Caller,
    settings: Settings,
    prices: Prices,
    *,
    request_id: str,
    messages: Iterable[Message],
    max_tokens: int | None,
) -> Reservation:
    """A turn of the routed chatbot: at most an answer to its messages by the default model."""
    wanted = Reservation(
        owner=caller.account,
        key_id=caller.key_id,
        request_id=request_id,
        model=ROUTED_MODEL,
        path="chat",
        groups=groups_of(caller),
        allowances=allowances_of(caller),
    )
    if not counts_tokens(caller) and prices.of(settings.answering_engine) == FREE:
        return wanted
    return price_turn(wanted, settings, prices, messages, max_tokens=max_tokens)


def price_turn(
    wanted: Reservation,
    settings: Settings,
    prices: Prices,
    messages: Iterable[Message],
    *,
    max_tokens: int | None,
) -> Reservation:
    """``wanted`` with what an answer to ``messages`` costs at most, as far as it can be judged."""
    price = prices.of(settings.answering_engine)
    most = max_tokens or longest_answer(settings)
    prompt = estimate_messages(messages)
    return replace(
        wanted, tokens=prompt + most, amount=price.amount(prompt=prompt, completion=most)
    )


def longest_answer(settings: Settings) -> int:
    """Tokens of an answer in the chat where its asker sets no bound."""
    configured = settings.engines.get(settings.answering_engine)
    return configured.default_max_tokens if configured is not None else 0


def reserve_forwarded(
    caller: Caller, prices: Prices, body: Mapping[str, object], *, request_id: str, engine: str
) -> Reservation:
    """A client's own request, rebuilt as ``body`` for ``engine``."""
    amount = tokens = 0
    allowances = allowances_of(caller)
    if (price := prices.of(engine)) != FREE or counts_tokens(caller):
        most, choices = body.get("max_tokens"), body.get("n")
        each = most if isinstance(most, int) else 0
        prompt = estimate_prompt(body)
        completion = each * (choices if isinstance(choices, int) else 1)
        tokens = prompt + completion
        amount = price.amount(prompt=prompt, completion=completion)
    return Reservation(
        owner=caller.account,
        key_id=caller.key_id,
        request_id=request_id,
        model=engine,
        path="by_name",
        amount=amount,
        tokens=tokens,
        groups=groups_of(caller),
        allowances=allowances,
    )


def reserve_images(
    caller: Caller, prices: Prices, *, request_id: str, model: str, number: int
) -> Reservation:
    """So many pictures of the image engine's ``model``."""
    return Reservation(
        owner=caller.account,
        key_id=caller.key_id,
        request_id=request_id,
        model=model,
        path="images",
        amount=number * prices.bill_image(model).amount,
        images=number,
        groups=groups_of(caller),
        allowances=allowances_of(caller),
    )


def reserve_free(caller: Caller, *, request_id: str, path: PathKind) -> Reservation:
    """What the house pays."""
    return Reservation(
        owner=caller.account,
        key_id=caller.key_id,
        request_id=request_id,
        model=ROUTED_MODEL,
        path=path,
    )


def forwarded_leg(
    times: RequestTimes | None, body: Mapping[str, object], prices: Prices
) -> BilledLeg | None:
    """What a forwarded request has used; ``None`` where its engine has not given a token.

    The engine's own figures count; where there are none, because its client left or the engine
    told none, a third of the UTF-8 bytes that were sent and that had come by then.
    """
    if times is None or times.engine is None:
        return None
    usage = times.usage or Usage(
        prompt_tokens=estimate_prompt(body),
        completion_tokens=estimate(times.received),
        source="estimate",
    )
    return BilledLeg(
        engine=times.engine,
        role="answer",
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        source=usage.source,
        payer="user",
        amount=prices.of(times.engine).amount(
            prompt=usage.prompt_tokens, completion=usage.completion_tokens
        ),
        ms=round((time.monotonic() - times.began) * _MS),
    )


def estimate_messages(messages: Iterable[Message]) -> int:
    """A third of the UTF-8 bytes of messages."""
    return estimate(sum(len(message.text.encode()) for message in messages))


def estimate_prompt(body: Mapping[str, object]) -> int:
    """A third of the UTF-8 bytes of the texts that a model reads of ``body``."""
    return estimate(sum(_size(body[name]) for name in _TEXTUAL if name in body))


def _size(value: object) -> int:
    """UTF-8 bytes of the texts in ``value``; pictures and sounds are none."""
    size = 0
    match value:
        case str():
            size = len(value.encode(errors="surrogatepass"))
        case {"type": "image_url" | "input_audio"}:
            pass
        case Mapping():
            size = sum(
                _size(one) + (0 if key in _FIELDS else _size(key))
                for key, one in value.items()
                if key not in _SILENT
            )
        case list() | tuple():
            size = sum(map(_size, value))
        case _:
            pass
    return size


def estimate(size: int) -> int:
    """Tokens of a text with so many UTF-8 bytes."""
    return -(-size // _BYTES_PER_TOKEN)
