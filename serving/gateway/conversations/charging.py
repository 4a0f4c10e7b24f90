"""What answers of the Chat API, and the titles of conversations, cost."""

from collections.abc import Iterable
from dataclasses import replace

from chatbot.events import DoneEvent, ErrorEvent
from chatbot.types import Leg, Sampling
from serving.billing import Bill, Prices, Reservation
from serving.billing.prices import FREE
from serving.gateway.conversations.branches import Asked, Plan
from serving.gateway.conversations.history import read_branch
from serving.gateway.conversations.parameters import read_stored, sampling_of
from serving.gateway.conversations.surroundings import Surroundings
from serving.gateway.reserving import longest_answer, price_turn
from serving.gateway.sizes import bound_answer
from serving.settings import ROUTED_MODEL, Settings


def reserve_answer(asked: Asked, plan: Plan, *, settings: Settings, prices: Prices) -> Reservation:
    """An answer to a branch: at most one by the default model."""
    wanted = Reservation(
        owner=asked.owner,
        key_id=asked.key_id,
        request_id=asked.request_id,
        model=ROUTED_MODEL,
        path="chat_api",
        message_id=plan.answer.message_id,
        idempotency=asked.idempotency,
        groups=asked.groups,
        allowances=asked.allowances,
        on_end=asked.on_end,
    )
    if prices.of(settings.answering_engine) == FREE and not asked.counts_tokens:
        return wanted
    return price_turn(
        wanted,
        settings,
        prices,
        read_branch(plan.branch),
        max_tokens=sampling_for(asked, plan, settings).max_tokens,
    )


def sampling_for(asked: Asked, plan: Plan, settings: Settings) -> Sampling:
    """The generation parameters of an answer, no longer than its asker's may be."""
    sampling = sampling_of(read_stored(plan.answer.parameters))
    if asked.answer_tokens is None:
        return sampling
    bound = bound_answer(asked.answer_tokens, sampling.max_tokens, longest_answer(settings))
    return replace(sampling, max_tokens=bound)


def tell_end(bill: Bill, end: DoneEvent | ErrorEvent) -> None:
    """Settle by the event that ends the answer."""
    if isinstance(end, ErrorEvent):
        bill.error = end.code.value
    else:
        bill.finish = end.finish_reason


async def charge_title(surroundings: Surroundings, asked: Asked, legs: Iterable[Leg]) -> None:
    """The house pays for titles.

    Raises:
        StorageUnavailable: the ledger cannot be written now.
    """
    wanted = Reservation(
        owner=asked.owner,
        key_id=asked.key_id,
        request_id=asked.request_id,
        model=ROUTED_MODEL,
        path="title",
    )
    with surroundings.billing.begin(wanted) as bill:
        await bill.confirm()
        bill.give(legs)
        bill.finish = "stop"
