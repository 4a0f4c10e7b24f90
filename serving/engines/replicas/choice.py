"""Which of an engine's servers takes a request: a pure function of how they stand."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from serving.engines.replicas.demand import Demand
from serving.engines.replicas.policy import ALL_GROUPS, Groups
from serving.settings import BalanceSettings, ReplicaSettings

_SLACK_TOKENS: Final = 8_192
"""Tokens of difference that are no overload: with few requests factors say nothing."""
_HASH_BYTES: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """One server at this moment.

    ``requests`` are under way, ``tokens`` of them are still to be read or written. ``share``,
    above 0 and at most 1, is how much of its weight counts: one that has just come back is spared.
    ``is_available``: neither silent, nor drained, nor left alone by its breaker, nor tried.
    """

    replica: ReplicaSettings
    tokens: int = 0
    requests: int = 0
    share: float = 1.0
    is_available: bool = True

    def load_with(self, demand: Demand) -> float:
        """Tokens to be done with ``demand``, for each unit of its weight."""
        return (self.tokens + demand.tokens) / (self.replica.weight * self.share)


Pick = Callable[[Sequence[Standing]], Standing]
"""Draws one of several, as `random.Random.choice` does."""


def choose(
    standings: Sequence[Standing],
    demand: Demand,
    *,
    balance: BalanceSettings,
    pick: Pick,
    groups: Groups = ALL_GROUPS,
) -> Standing | None:
    """The server for ``demand``, or ``None`` where none is available.

    Those of ``groups`` come first; where none of them is available, all others are asked.

    Sources: for the server of a conversation rendezvous hashing (Thaler and Ravishankar, 1998);
    for leaving it when it has both many more tokens and many times the tokens of the idlest,
    SGLang's cache-aware router.
    """
    candidates = _admit(standings, groups)
    if not candidates:
        return None
    least = min(one.load_with(demand) for one in candidates)
    home = _find_home(candidates, demand)
    if home is not None and not _is_overloaded(home.load_with(demand), least, balance):
        return home
    return pick([one for one in candidates if one.load_with(demand) <= least])


def _admit(standings: Sequence[Standing], groups: Groups) -> Sequence[Standing]:
    available = [one for one in standings if one.is_available]
    return [one for one in available if one.replica.group in groups] or available


def _is_overloaded(load: float, least: float, balance: BalanceSettings) -> bool:
    factor = balance.affinity_factor
    return not factor or (load > least * factor and load - least > _SLACK_TOKENS)


def _find_home(candidates: Sequence[Standing], demand: Demand) -> Standing | None:
    """Where the conversation was before, as long as the same servers are there."""
    key = demand.key
    if key is None:
        return None
    return max(candidates, key=lambda one: _score(key, one.replica))


def _score(key: bytes, replica: ReplicaSettings) -> float:
    """Highest for a server with a probability in proportion to its weight."""
    digest = blake2b(replica.url.encode(), key=key, digest_size=_HASH_BYTES).digest()
    share = (int.from_bytes(digest) + 1) / (256**_HASH_BYTES + 1)
    return -replica.weight / math.log(share)
