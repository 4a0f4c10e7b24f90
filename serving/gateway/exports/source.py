"""Reads stored messages in batches, each message knowing whether its conversation shows it."""

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, TypeAlias

from serving.gateway.exports.entries import Entry
from serving.storage.conversations import Conversations
from serving.storage.records import Conversation, StoredMessage

BATCH: Final = 64
"""Messages that are written in one go, about."""

Read: TypeAlias = tuple[Conversation, StoredMessage]


class Source:
    """The messages of one conversation, or of all, of one owner; a batch in memory at a time."""

    def __init__(
        self, conversations: Conversations, *, owner: str, conversation_id: str | None = None
    ) -> None:
        """Nothing is read yet."""
        self._conversations = conversations
        self._owner = owner
        self._conversation_id = conversation_id
        self._long: tuple[str, frozenset[str]] | None = None

    async def batches(self) -> AsyncGenerator[list[Entry], None]:
        """Every message once, in the order of the stream; at least one batch, perhaps empty.

        Raises:
            InvalidRequest: there is no such conversation of this owner.
            StorageUnavailable: the database cannot be read.
        """
        waiting: list[Read] = []
        async for read in self._conversations.stream(self._owner, self._conversation_id):
            waiting.append(read)
            if len(waiting) == BATCH:
                yield await self._mark(waiting, is_cut=True)
                waiting = []
        yield await self._mark(waiting, is_cut=False)

    async def _mark(self, reads: list[Read], *, is_cut: bool) -> list[Entry]:
        """The entries of ``reads``; where they may be cut, the last conversation may go on."""
        entries: list[Entry] = []
        groups = [list(group) for _, group in groupby(reads, key=_conversation_id)]
        for number, group in enumerate(groups):
            goes_on = is_cut and number == len(groups) - 1
            shown = await self._find_shown(group, is_whole=not goes_on)
            entries += (
                Entry(conversation=one, message=message, is_shown=message.message_id in shown)
                for one, message in group
            )
        return entries

    async def _find_shown(self, group: list[Read], *, is_whole: bool) -> frozenset[str]:
        """The ids of the branch that the conversation shows.

        Of one that is in several batches the ids are read apart: they fit into memory, its texts
        may not.
        """
        conversation = group[0][0]
        if self._long is not None and self._long[0] == conversation.conversation_id:
            return self._long[1]
        if is_whole:
            return find_branch(conversation.current, (message for _, message in group))
        parents = await self._conversations.parents(self._owner, conversation.conversation_id)
        shown = walk_up(conversation.current, parents)
        self._long = (conversation.conversation_id, shown)
        return shown


def find_branch(current: str | None, messages: Iterable[StoredMessage]) -> frozenset[str]:
    """The ids from the first message to ``current``, else to the last."""
    return walk_up(current, {message.message_id: message.parent for message in messages})


def walk_up(current: str | None, parents: Mapping[str, str | None]) -> frozenset[str]:
    """The ids from ``current`` up to where it begins; without it from the last of ``parents``."""
    begin = current if current in parents else next(reversed(list(parents)), None)
    return frozenset(_ancestors(begin, parents))


def _ancestors(begin: str | None, parents: Mapping[str, str | None]) -> Iterator[str]:
    seen: set[str] = set()
    at = begin
    while at is not None and at in parents and at not in seen:
        seen.add(at)
        yield at
        at = parents[at]


def _conversation_id(read: Read) -> str:
    return read[0].conversation_id
