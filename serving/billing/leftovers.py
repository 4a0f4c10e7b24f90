"""Ends what writers left reserved that do not come back: the dead, and those of lost machines."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from chatbot.ports import Clock
from serving.billing import store
from serving.billing.presence import Presence

_log = logging.getLogger(__name__)

LOOK_S: Final = 60.0
"""Between two looks, at most."""
_LOOKS: Final = 4
"""In the time after which a request is taken for lost, at least."""


class Leftovers:
    """Looks from time to time, in the writer's thread, for what nobody will settle.

    Of the writers of this folder the kernel tells which are dead. Of those of another folder,
    mostly another machine's, nobody here can tell: what they have reserved is taken for lost when
    it has been seen open for ``lost_s`` seconds. These are counted by this process's own
    monotonic clock, so that no date takes part. Whoever was only slow or paused settles it later
    all the same, see `store.write`.
    """

    def __init__(self, presence: Presence, *, clock: Clock, lost_s: float) -> None:
        """Nothing is looked at before `end`."""
        self._presence = presence
        self._clock = clock
        self._lost_s = lost_s
        self._due = float("-inf")
        self._seen: dict[str, float] = {}
        self.every_s = min(LOOK_S, lost_s / _LOOKS)

    @property
    def is_due(self) -> bool:
        """Whether it is time to look."""
        return self._clock.monotonic() >= self._due

    def end(self, connection: Connection) -> None:
        """End what is left, a part of the transaction of ``connection``; may be run again."""
        self._due = self._clock.monotonic() + self.every_s
        ended = store.recover(connection, choose=self._choose, now=self._clock.now())
        if ended:
            _log.warning("ledger_left_open", extra={"number": ended})

    def _choose(self, left: Mapping[str, Sequence[str]]) -> Iterable[str]:
        """Those of the entries of each writer that nobody will settle."""
        foreign = {writer for writer in left if not self._presence.knows(writer)}
        now = self._clock.monotonic()
        open_now = (entry_id for writer in foreign for entry_id in left[writer])
        self._seen = {entry_id: self._seen.get(entry_id, now) for entry_id in open_now}
        for writer in left.keys() - foreign:
            if not self._presence.is_alive(writer):
                yield from left[writer]
        for entry_id, since in self._seen.items():
            if now - since >= self._lost_s:
                yield entry_id
