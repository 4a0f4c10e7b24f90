"""What is asked of a keeper of rates, and what it answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["requests", "tokens"]
MINUTE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Rate:
    """``subject``, an account or a group, may use ``per_minute`` of one kind in a minute."""

    subject: str
    kind: Kind
    per_minute: int


Correct: TypeAlias = Callable[[Rate, int], None]


@dataclass(frozen=True, slots=True)
class Want:
    """What a request takes of a rate; of more than there can ever be, all that there is."""

    rate: Rate
    amount: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What is left of a rate now, and in how many seconds it is whole again."""

    rate: Rate
    left: int
    whole_in_s: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a request; where it has to wait, nothing was taken.

    ``wait_s`` are the seconds after which the same request fits, if nothing else is asked; 0: it
    is let in. ``correct`` changes what was taken, where it was taken: it gives an amount back or,
    where that is negative, takes more, also more than there is.
    """

    wait_s: float
    standings: Sequence[Standing]
    correct: Correct


class Pacer(Protocol):
    """Keeps rates; all that one request wants is taken at once, or nothing."""

    async def take(self, wants: Sequence[Want]) -> Verdict:
        """Let a request in, or say when."""
        ...

    async def look(self, rates: Sequence[Rate]) -> Sequence[Standing]:
        """What is left of ``rates``; nothing is taken."""
        ...


class Hold:
    """The tokens that one request has taken before it is known how many it uses."""

    __slots__ = ("_correct", "_wants")

    def __init__(self, wants: Iterable[Want], correct: Correct) -> None:
        """``wants`` are those that were taken, ``correct`` that of the verdict."""
        self._wants = tuple(want for want in wants if want.rate.kind == "tokens")
        self._correct = correct

    def end(self, used: int) -> None:
        """The request has used so many tokens; what comes later changes nothing."""
        wants, self._wants = self._wants, ()
        for want in wants:
            if want.amount != used:
                self._correct(want.rate, want.amount - used)


def _change_nothing(rate: Rate, amount: int) -> None:
    """Where nothing was taken."""


NOTHING_HELD: Final = Hold((), _change_nothing)
"""What a request holds that nothing limits."""
