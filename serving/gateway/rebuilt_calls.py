"""Keeps the calls of answers over `/v1/chat/completions`, and rebuilds them in resent histories."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Final, Self

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from chatbot.sanitizer import Trust, body_digest, check_frames
from chatbot.sanitizer.trust import CheckedFrame
from chatbot.types import Message, Text
from serving.gateway.conversations.history import read_branch
from serving.gateway.frames import FrameSigner
from serving.gateway.services import Services
from serving.storage.calls import CallStore
from serving.storage.records import StoredCalls, StoredMessage, StoredPart
from serving.telemetry import Metrics

LONGEST: Final = 32_768
"""Characters that are kept of what one call gave."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """A history with the calls of its trusted answers; ``rebuilt`` is how many have got theirs."""

    messages: tuple[Message, ...]
    trust: Trust
    rebuilt: int = 0


class RebuiltCalls:
    """The calls of one owner's answers; a database that fails costs them and nothing else."""

    def __init__(
        self,
        store: CallStore,
        *,
        owner: str,
        signer: FrameSigner,
        clock: Clock,
        metrics: Metrics,
        is_kept: bool,
    ) -> None:
        """``is_kept``: calls are stored at all, so an id that is not found is nobody's."""
        self._store = store
        self._owner = owner
        self._signer = signer
        self._clock = clock
        self._metrics = metrics
        self._is_kept = is_kept

    @classmethod
    def of(cls, services: Services, signer: FrameSigner, *, owner: str) -> Self:
        """Those that this process keeps."""
        return cls(
            services.calls,
            owner=owner,
            signer=signer,
            clock=services.clock,
            metrics=services.metrics,
            is_kept=services.settings.storage.call_days > 0,
        )

    async def recall(self, messages: Sequence[Message]) -> Recalled:
        """Judge the frames of ``messages``; answers that are trusted get back their calls.

        An answer that was edited by a single character stays the text that it is.
        """
        trust = check_frames(messages, self._signer.verify)
        ids = trust.message_ids() if self._is_kept else ()
        if not ids:
            return Recalled(messages=tuple(messages), trust=trust)
        try:
            stored = await self._store.find(self._owner, ids)
        except StorageUnavailable as error:
            self._count_failure("find", error)
            return Recalled(messages=tuple(messages), trust=trust)
        rebuilt = dict(_rebuild(messages, trust, stored))
        return Recalled(
            messages=tuple(rebuilt.get(at, message) for at, message in enumerate(messages)),
            trust=trust.with_known(stored),
            rebuilt=len(rebuilt),
        )

    async def keep(self, message_id: str, body: str, parts: Iterable[StoredPart]) -> None:
        """Keep the calls and sources of an answer whose text is ``body``; of that only a digest."""
        kept = tuple(map(_bound, parts))
        if not kept or not self._is_kept:
            return
        calls = StoredCalls(
            message_id=message_id,
            owner=self._owner,
            body_hash=body_digest(body),
            parts=kept,
            created_at=self._clock.now(),
        )
        try:
            await self._store.put(calls)
        except StorageUnavailable as error:
            self._count_failure("put", error)

    def _count_failure(self, operation: str, error: StorageUnavailable) -> None:
        self._metrics.call_failures.labels(operation).inc()
        _log.warning("calls_not_stored", extra={"operation": operation, "error": error.message})


def _rebuild(
    messages: Sequence[Message], trust: Trust, stored: Mapping[str, StoredCalls]
) -> Iterator[tuple[int, Message]]:
    """Positions and messages with their calls: text as it was sent, then call, result, source."""
    for position, frames in groupby(trust.frames, key=attrgetter("position")):
        calls = _find_calls(frames, stored)
        if calls is not None:
            text = tuple(part for part in messages[position].parts if isinstance(part, Text))
            parts = text + _read_parts(calls).parts
            yield (
                position,
                replace(messages[position], parts=parts, message_id=calls.message_id),
            )


def _find_calls(
    frames: Iterable[CheckedFrame], stored: Mapping[str, StoredCalls]
) -> StoredCalls | None:
    """What is stored of the answer that one of its trusted frames names."""
    for checked in frames:
        calls = stored.get(checked.frame.message_id)
        if calls and checked.verdict == "trusted" and calls.body_hash == checked.digest:
            return calls
    return None


def _read_parts(calls: StoredCalls) -> Message:
    """The stored parts as the domain's own."""
    answer = StoredMessage(
        message_id=calls.message_id,
        conversation_id="",
        parent=None,
        role="assistant",
        state="complete",
        parts=calls.parts,
        created_at=calls.created_at,
    )
    return read_branch((answer,))[0]


def _bound(part: StoredPart) -> StoredPart:
    """A part that no tool makes large; the dialogue state needs the beginning of a result."""
    return {
        name: value[:LONGEST] if isinstance(value, str) else value for name, value in part.items()
    }
