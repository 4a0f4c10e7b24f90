"""What is asked of a server that keeps the buckets of several processes, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from chatbot.errors import ZwrotnicaError
from serving.limits.rates import Want

Act: TypeAlias = Literal["take", "correct", "look"]


class KeeperAway(ZwrotnicaError):
    """The server did not answer in time, or refused; the message is the kind of failure alone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Whether all amounts fit, and the level of each bucket afterwards.

    ``time_s`` is the time that all askers share: no earlier than any of them has told.
    """

    fits: bool
    time_s: float
    levels: Sequence[float]


class Keeper(Protocol):
    """Does one thing at a time, for all who ask."""

    async def ask(self, act: Act, wants: Sequence[Want], *, time_s: float) -> Kept:
        """``take`` all of ``wants`` or nothing, ``correct`` by their amounts, or only ``look``.

        A caller that is cancelled gets the answer first, so that it knows what it has taken.

        Raises:
            KeeperAway: there is no answer; it may have been done all the same.
        """
        ...
