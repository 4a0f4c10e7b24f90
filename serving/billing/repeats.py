"""What a client is told whose idempotency key is in use."""

from typing import Final

from chatbot.errors import ErrorCode
from serving.billing.records import IdempotencyKey, Taken, WholeReply
from serving.http.errors import Refusal

_RUNNING: Final = (
    "a request with this Idempotency-Key is being answered; send it again when that has ended"
)
_OTHER: Final = (
    "this Idempotency-Key came with another path or body; use a new key for a new request"
)
_DONE: Final = (
    "a request with this Idempotency-Key was answered, and its reply is not kept; "
    "use a new key to have it answered, and charged, again"
)


class AlreadyDone(Refusal):
    """The same request was answered; ``reply`` or the message ``message_id`` is the answer."""

    def __init__(self, *, reply: WholeReply | None, message_id: str | None) -> None:
        """Without either nothing is left of the answer."""
        super().__init__(_DONE, code=ErrorCode.ALREADY_DONE)
        self.reply = reply
        self.message_id = message_id


def refuse_taken(taken: Taken) -> Refusal:
    """What the ledger has found under the key."""
    if not taken.is_same_payload:
        return Refusal(_OTHER, code=ErrorCode.IDEMPOTENCY_KEY_REUSED)
    if taken.state == "reserved":
        return Refusal(_RUNNING, code=ErrorCode.IN_PROGRESS)
    return AlreadyDone(reply=taken.reply, message_id=taken.message_id)


def refuse_running(running: IdempotencyKey | None, wanted: IdempotencyKey | None) -> Refusal | None:
    """What stands against ``wanted`` while ``running`` is; nothing where they are two keys."""
    if running is None or wanted is None or running.key != wanted.key:
        return None
    if running.payload_hash != wanted.payload_hash:
        return Refusal(_OTHER, code=ErrorCode.IDEMPOTENCY_KEY_REUSED)
    return Refusal(_RUNNING, code=ErrorCode.IN_PROGRESS)
