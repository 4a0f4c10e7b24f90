"""Where a new answer grows in a conversation's tree of messages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from chatbot.errors import ErrorCode, InvalidRequest
from serving.billing import Allowance, IdempotencyKey
from serving.gateway.conversations.parameters import override
from serving.gateway.conversations.wire import MessageBody
from serving.storage.records import Conversation, StoredMessage

_AFTER: Final = timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request for an answer, read and bounded.

    ``tools`` are all that its caller may use; ``None``: all that are enabled.
    """

    owner: str
    conversation_id: str
    request_id: str
    body: MessageBody
    tools: tuple[str, ...] | None = None
    key_id: str | None = None
    idempotency: IdempotencyKey | None = None
    groups: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    counts_tokens: bool = False
    answer_tokens: int | None = None
    on_end: Callable[[int], None] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """An answer to be made.

    ``branch`` leads from the conversation's first message to the user's that is answered;
    ``user`` is the same message where it is new and still has to be stored. ``needs_title``: the
    conversation has no good answer yet from which a title could have been made.
    """

    user: StoredMessage | None
    answer: StoredMessage
    branch: tuple[StoredMessage, ...]
    needs_title: bool

    @property
    def question(self) -> str:
        """What the user asks."""
        return text_of(self.branch[-1])


def text_of(message: StoredMessage) -> str:
    """The words of a message, without anything that the model only thought."""
    return "".join(
        str(part["text"])
        for part in message.parts
        if part["type"] == "text" and part.get("channel", "answer") == "answer"
    )


class Tree:
    """A conversation with all its branches."""

    def __init__(self, conversation: Conversation, messages: Iterable[StoredMessage]) -> None:
        """Take the messages in any order."""
        self._conversation = conversation
        self._messages = {message.message_id: message for message in messages}

    def plan(self, asked: Asked, *, now: datetime, new_id: Callable[[], str]) -> Plan:
        """The place of a new answer, and of the message that it answers.

        Raises:
            InvalidRequest: there is no such parent, or no text where one is needed.
        """
        body = asked.body
        is_named = "parent" in body.model_fields_set
        parent = self._find(body.parent) if is_named else self._current()
        if is_named and parent is not None and parent.role == "user":
            user, is_new = self._again(parent, body.text, now=now, new_id=new_id)
        else:
            user, is_new = self._say(parent, body.text, now=now, new_id=new_id), True
        parameters = override(self._conversation.parameters, body.parameters, body.tools)
        answer = StoredMessage(
            message_id=new_id(),
            conversation_id=self._conversation.conversation_id,
            parent=user.message_id,
            role="assistant",
            state="incomplete",
            parts=(),
            created_at=now + _AFTER,
            parameters=parameters,
            force=body.force,
            request_id=asked.request_id,
        )
        return Plan(
            user=user if is_new else None,
            answer=answer,
            branch=self._branch(user),
            needs_title=not self._conversation.is_named and not self._has_good_answer(),
        )

    def _has_good_answer(self) -> bool:
        return any(
            message.role == "assistant" and message.state == "complete"
            for message in self._messages.values()
        )

    def _find(self, message_id: str | None) -> StoredMessage | None:
        if message_id is None:
            return None
        if message_id not in self._messages:
            raise InvalidRequest(
                "parent names no message of this conversation",
                param="parent",
                code=ErrorCode.NOT_FOUND,
            )
        return self._messages[message_id]

    def _current(self) -> StoredMessage | None:
        """The last answer of the current branch; a message without one is written anew."""
        current = self._messages.get(self._conversation.current or "")
        while current is not None and current.role == "user":
            current = self._messages.get(current.parent or "")
        return current

    def _again(
        self, earlier: StoredMessage, text: str | None, *, now: datetime, new_id: Callable[[], str]
    ) -> tuple[StoredMessage, bool]:
        """The same message once more, or a new one beside it; and whether it is new."""
        if text is None or text == text_of(earlier):
            return earlier, False
        parent = None if earlier.parent is None else self._messages.get(earlier.parent)
        return self._say(parent, text, now=now, new_id=new_id), True

    def _say(
        self,
        parent: StoredMessage | None,
        text: str | None,
        *,
        now: datetime,
        new_id: Callable[[], str],
    ) -> StoredMessage:
        if text is None:
            raise InvalidRequest(
                "send 'text', or in 'parent' the user's message to answer again", param="text"
            )
        return StoredMessage(
            message_id=new_id(),
            conversation_id=self._conversation.conversation_id,
            parent=None if parent is None else parent.message_id,
            role="user",
            state="complete",
            parts=({"type": "text", "text": text, "channel": "answer"},),
            created_at=now,
        )

    def _branch(self, last: StoredMessage) -> tuple[StoredMessage, ...]:
        """From the first message to ``last``; a circle, which only a damaged import has, ends."""
        found = {last.message_id: last}
        parent = last.parent
        while parent is not None and parent in self._messages and parent not in found:
            found[parent] = self._messages[parent]
            parent = found[parent].parent
        return tuple(reversed(found.values()))
