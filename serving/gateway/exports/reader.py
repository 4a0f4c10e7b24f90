"""Reads an export again: every field checked, every text guarded, pictures only with their seal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chatbot.errors import InvalidRequest
from chatbot.sanitizer import LinkPolicy, map_frame_characters
from chatbot.types import JsonObject, Message, Text, ToolResult
from serving.gateway.conversations.wire import ParametersBody
from serving.gateway.exports.document import FORMAT, VERSION
from serving.gateway.exports.guarding import guard_answer, guard_error, guard_said
from serving.gateway.exports.import_wire import (
    AttributionIn,
    ConversationIn,
    DocumentIn,
    ImageIn,
    MessageIn,
    ResultIn,
    TextIn,
)
from serving.gateway.exports.seals import PictureSeal
from serving.gateway.exports.spans import Slice, Slices
from serving.http.body import BodyT, validate
from serving.http.strict_json import read_json
from serving.settings import Settings
from serving.storage.records import Conversation, StoredMessage, StoredPart

_NOBODY: Final = ""
_FORMAT_KEY: Final = b'"format"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Restorable:
    """One conversation of an import; ``lost`` pictures were left out."""

    conversation: Conversation
    messages: tuple[StoredMessage, ...]
    lost: int


class ExportReader:
    """Reads the bytes of a JSON export; slow, for a thread."""

    def __init__(self, settings: Settings, *, seal: PictureSeal, tools: Sequence[str]) -> None:
        """``tools`` are those that exist here; parameters lose the others."""
        self._limits = settings.limits
        self._chat = settings.chat
        self._links = settings.attribution
        self._seal = seal
        self._tools = tools

    def read(self, body: bytes) -> Iterator[Restorable]:
        """Each conversation.

        Raises:
            InvalidRequest: ``param`` names the field at fault, the message its place.
        """
        slices = Slices(body, most_messages=self._chat.messages, limits=self._limits)
        for number, one in enumerate(slices):
            if number == 0 and _FORMAT_KEY in slices.fields:
                self._check_document(slices.fields)  # before the fields of another version
            yield self._read_conversation(one, f"conversations.{number}")
        self._check_document(slices.fields)

    def _check_document(self, fields: bytes) -> None:
        document = self._validate(DocumentIn, fields, "the file")
        if document.format != FORMAT:
            raise InvalidRequest(f"format must be {FORMAT!r}", param="format")
        if document.version != VERSION:
            raise InvalidRequest(
                f"version {document.version} cannot be read; this server reads {VERSION}",
                param="version",
            )

    def _read_conversation(self, one: Slice, place: str) -> Restorable:
        told = self._validate(ConversationIn, one.fields, place)
        read = [
            self._validate(MessageIn, message, f"{place}.messages.{number}")
            for number, message in enumerate(one.messages)
        ]
        title = map_frame_characters(" ".join(told.title.split()))[: self._chat.title_chars]
        conversation = Conversation(
            conversation_id=_NOBODY,
            owner=_NOBODY,
            title=title,
            is_named=told.is_named and bool(title),
            created_at=told.created_at,
            updated_at=told.updated_at,
            parameters=self._parameters(told.parameters),
            current=told.current,
        )
        links = self._policy(read)
        messages = tuple(self._message(message, links, place) for message in read)
        lost = sum(self._is_lost(part) for message in read for part in message.parts)
        return Restorable(conversation=conversation, messages=messages, lost=lost)

    def _message(self, told: MessageIn, links: LinkPolicy | None, place: str) -> StoredMessage:
        return StoredMessage(
            message_id=told.id,
            conversation_id=_NOBODY,
            parent=told.parent,
            role=told.role,
            state=told.state,
            parts=tuple(self._parts(told, links, place)),
            created_at=told.created_at,
            parameters=self._parameters(told.parameters),
            force=told.force,
            finish_reason=told.finish_reason,
            error=guard_error(told.error),
            first_text_ms=told.first_text_ms,
            total_ms=told.total_ms,
            rating=told.rating,
            comment=told.comment and map_frame_characters(told.comment),
        )

    def _parts(self, told: MessageIn, links: LinkPolicy | None, place: str) -> Sequence[StoredPart]:
        if told.role == "assistant":
            kept = [part for part in told.parts if not self._is_lost(part)]
            return guard_answer(kept, links)
        said = list(guard_said(told.parts))
        length = sum(len(str(part["text"])) for part in said)
        if length > self._chat.text_chars:
            raise InvalidRequest(
                f"{place}: message {told.id!r} has {length} characters; at most "
                f"{self._chat.text_chars} fit",
                param="text",
            )
        return said

    def _is_lost(self, part: object) -> bool:
        return isinstance(part, ImageIn) and not self._seal.verify(part.image_id, part.seal)

    def _parameters(self, told: ParametersBody) -> JsonObject:
        """What can be used here; bounds that are settings are kept by cutting."""
        changed = {
            "tools": told.tools and [name for name in told.tools if name in self._tools],
            "max_tokens": told.max_tokens and min(told.max_tokens, self._limits.max_tokens),
            "system_prompt": told.system_prompt
            and map_frame_characters(told.system_prompt)[: self._chat.system_prompt_chars],
        }
        return told.model_copy(update=changed).model_dump(exclude_none=True)

    def _policy(self, messages: Sequence[MessageIn]) -> LinkPolicy | None:
        """The hosts that links may lead to: those that users or tools of the conversation named."""
        if not self._links.plain_links:
            return None
        said = (
            Message(role="user", parts=(Text(text=part.text),))
            for message in messages
            if message.role == "user"
            for part in message.parts
            if isinstance(part, TextIn)
        )
        results = (
            result for message in messages for part in message.parts for result in _results(part)
        )
        return LinkPolicy.of_turn(said, results=results, trusted=self._links.trusted_hosts)

    def _validate(self, model: type[BodyT], body: bytes, place: str) -> BodyT:
        try:
            return validate(model, read_json(body, self._limits))
        except InvalidRequest as error:
            raise InvalidRequest(f"{place}: {error.message}", param=error.param) from error


def _results(part: object) -> Iterator[ToolResult]:
    match part:
        case ResultIn():
            yield ToolResult(content=part.content, plain=part.plain)
        case AttributionIn():
            yield ToolResult(content=part.url or "")
        case _:
            pass
