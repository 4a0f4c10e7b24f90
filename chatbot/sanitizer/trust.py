"""What the frames of a conversation that a client sends back are worth."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal, TypeAlias

from chatbot.sanitizer.body import body_digest
from chatbot.sanitizer.frame import Frame, find_frames
from chatbot.types import Message

MAX_FRAMES: Final = 500
"""How many frames of one request are looked at."""

Verdict: TypeAlias = Literal["trusted", "edited", "not_ours"]
Reason: TypeAlias = Literal[
    "signature_matches", "signature_differs", "unknown_message", "unknown_key"
]
VERDICTS: Final[Mapping[Reason, Verdict]] = {
    "signature_matches": "trusted",
    "signature_differs": "edited",
    "unknown_message": "not_ours",
    "unknown_key": "not_ours",
}
Verify: TypeAlias = Callable[[Frame, str], Reason]
"""Judges a frame against the digest of the body that it stands in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedFrame:
    """A frame with its worth; ``position`` is its message's in the conversation.

    ``digest`` is that of the body that it stands in. ``edited``: it names a key of ours, but its
    signature is not of this owner, text and source.
    """

    frame: Frame
    position: int
    digest: str
    reason: Reason

    @property
    def verdict(self) -> Verdict:
        """The worth in one word."""
        return VERDICTS[self.reason]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trust:
    """The frames of a conversation; ``is_whole`` is false where there were more than 500."""

    frames: tuple[CheckedFrame, ...] = ()
    is_whole: bool = True

    def counts(self) -> dict[str, int]:
        """How many frames got each verdict."""
        counted = Counter(checked.verdict for checked in self.frames)
        return {verdict: counted[verdict] for verdict in VERDICTS.values()}

    def message_ids(self) -> tuple[str, ...]:
        """The ids that frames of our keys name, once each, in order."""
        ours = (checked for checked in self.frames if checked.reason != "unknown_key")
        return tuple(dict.fromkeys(checked.frame.message_id for checked in ours))

    def with_known(self, message_ids: Collection[str]) -> "Trust":
        """The same, knowing the ids of all answers that this owner got.

        A frame that does not verify and names none of them was never edited: it was made up, or
        comes from somebody else.
        """
        return replace(
            self, frames=tuple(_judge_known(checked, message_ids) for checked in self.frames)
        )


def check_frames(messages: Iterable[Message], verify: Verify) -> Trust:
    """Judge the first 500 frames of the assistant's messages; takes linear time."""
    frames = list(islice(_frames(messages), MAX_FRAMES + 1))
    checked = tuple(
        CheckedFrame(frame=frame, position=position, digest=digest, reason=verify(frame, digest))
        for position, frame, digest in frames[:MAX_FRAMES]
    )
    return Trust(frames=checked, is_whole=len(frames) <= MAX_FRAMES)


def _judge_known(checked: CheckedFrame, message_ids: Collection[str]) -> CheckedFrame:
    is_strange = checked.frame.message_id not in message_ids
    if checked.reason == "signature_differs" and is_strange:
        return replace(checked, reason="unknown_message")
    return checked


def _frames(messages: Iterable[Message]) -> Iterator[tuple[int, Frame, str]]:
    for position, message in enumerate(messages):
        if message.role != "assistant" or "⟦" not in message.text:
            continue
        digest = body_digest(message.text)
        for frame in find_frames(message.text):
            yield position, frame, digest
