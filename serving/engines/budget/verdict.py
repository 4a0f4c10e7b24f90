"""Whether a budget fits: each thing that does not, with the figures and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

from serving.engines.budget.budget import Budget, Place
from serving.engines.budget.claim import Claim, Need
from serving.engines.budget.demand import RESERVE
from serving.engines.budget.hardware import GIB

_STEP: Final = 256
"""Contexts are proposed in multiples of this many tokens."""
_MEMORY_REMEDY: Final = "shorten contexts, take a smaller model or a smaller quantisation"
_CARD_REMEDY: Final = (
    "lower launch.gpu_share, move one to another card with launch.gpus, take quantised models, or "
    "let pictures wait in main memory (images.server.offload)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Misfit:
    """One thing that does not fit: the servers concerned, and a sentence with the remedy."""

    servers: tuple[str, ...]
    message: str


def find_misfits(budget: Budget) -> tuple[Misfit, ...]:
    """Everything that cannot fit; what is unknown is no misfit."""
    return tuple(misfit for place in budget.places for misfit in _look(place, budget))


def show_size(size: int) -> str:
    """``size`` bytes for people."""
    return f"{size / GIB:.1f} GiB"


def _look(place: Place, budget: Budget) -> Iterable[Misfit]:
    servers = tuple(entry.claim.server for entry in place.entries)
    if place.size == 0:
        yield Misfit(servers=servers, message=_missing(place, budget))
        return
    for entry in place.entries:
        claim, need = entry.claim, entry.claim.need
        if place.size is not None and need is not None and entry.is_short:
            message = _short(claim, need, entry.granted, place)
            yield Misfit(servers=(claim.server,), message=message)
    if place.is_overfull:
        yield Misfit(servers=servers, message=_overfull(place, place.size or 0))


def _missing(place: Place, budget: Budget) -> str:
    servers = ", ".join(entry.claim.server for entry in place.entries)
    return (
        f"{place.name} is not there (the machine has {budget.cards}), but {servers} would use it: "
        "name other cards in launch.gpus, or split the model over fewer"
    )


def _short(claim: Claim, need: Need, granted: int, place: Place) -> str:
    share = ceil(need.total / (place.size or 1) * 100) / 100
    tokens = (granted - need.weights - need.overhead) // need.token if need.token else 0
    ways = (
        f"raise launch.gpu_share to {share:.2f}" if share <= 1 - RESERVE else "",
        f"lower context_tokens to {tokens // _STEP * _STEP}" if tokens >= _STEP else "",
        "take a quantised model, or split it over more cards with launch.tensor_parallel",
    )
    return (
        f"{claim.server} needs {show_size(need.total)} of {place.name} ({_parts(claim, need)}), "
        f"its share is {show_size(granted)}: {'; or '.join(filter(None, ways))}"
    )


def _parts(claim: Claim, need: Need) -> str:
    return (
        f"weights {need.weights / GIB:.1f}, cache for {claim.context_tokens} tokens "
        f"{need.cache / GIB:.1f}, overhead {need.overhead / GIB:.1f}"
    )


def _overfull(place: Place, size: int) -> str:
    each = ", ".join(f"{entry.claim.server} {entry.taken / GIB:.1f}" for entry in place.entries)
    return (
        f"{place.name}: needs {show_size(place.taken)} ({each}), there are "
        f"{show_size(max(0, size - place.reserve))} of {show_size(size)} to give: "
        f"{_MEMORY_REMEDY if place.card is None else _CARD_REMEDY}"
    )
