"""The two views of a conversation: what the router model reads and what the default model reads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from chatbot.errors import InvalidRequest
from chatbot.sanitizer.control import break_control_tokens
from chatbot.sanitizer.frame import (
    leave_out_frames,
    leave_out_signatures,
    map_frame_characters,
)
from chatbot.sanitizer.images import (
    leave_out_pictures,
    own_image_descriptions,
    without_acknowledgment,
)
from chatbot.sanitizer.notices import leave_out_notices
from chatbot.sanitizer.window import fit_window
from chatbot.types import ChatMessage, Image, Message, RouterView, Text, ToolSpec

STATE_LINES = 6
STATE_LINE_CHARS = 200


def router_view(
    messages: Sequence[Message], tools: tuple[ToolSpec, ...], state: Sequence[str] = ()
) -> RouterView:
    """The offered tools, at most six lines of state, and the last user prompt alone.

    Raises:
        InvalidRequest: the last message is not a user's, or is empty.
    """
    if not messages or messages[-1].role != "user" or not messages[-1].text.strip():
        message = "the last message must be a user's and must not be empty"
        raise InvalidRequest(message, param="messages")
    lines = tuple(_clean(line)[:STATE_LINE_CHARS] for line in state[:STATE_LINES])
    return RouterView(tools=tools, prompt=_clean(messages[-1].text), state=lines)


def chat_view(
    messages: Sequence[Message], *, system: str | None, context_tokens: int
) -> tuple[ChatMessage, ...]:
    """The conversation as plain text, cut to ``context_tokens`` (estimated) at whole exchanges.

    No attribution, no link to our images nor what announced them, no frame, no control token.
    ``system`` is used where the conversation brings no system prompt; pictures already shown are
    named under it.

    Raises:
        InvalidRequest: not even the last message fits.
    """
    prompts = [message.text for message in messages if message.role == "system"]
    prompt = "\n\n".join([*(prompts or [system or ""]), *_shown_images(messages)]).strip()
    spoken = _join_neighbours(_without_empty(map(_as_text, _spoken(messages))))
    head = (ChatMessage(role="system", text=_clean(prompt)),) if prompt else ()
    return fit_window((*head, *spoken), context_tokens=context_tokens)


def _clean(text: str) -> str:
    return break_control_tokens(map_frame_characters(text))


def _spoken(messages: Iterable[Message]) -> Iterator[Message]:
    return (message for message in messages if message.role != "system")


def _as_text(message: Message) -> ChatMessage:
    """One message as the model reads it; a tool's message counts as what the assistant found."""
    if message.role == "user":
        return ChatMessage(role="user", text=_clean(message.text))
    text = leave_out_frames(leave_out_notices(_without_announcements(message)))
    text = leave_out_signatures(leave_out_pictures(text))
    return ChatMessage(role="assistant", text=_clean(text).strip())


def _without_announcements(message: Message) -> str:
    """The text, without what announced pictures that are parts of their own."""
    text = ""
    for part in message.parts:
        match part:
            case Text():
                text += part.text
            case Image():
                text = without_acknowledgment(text)
            case _:
                pass
    return text


def _without_empty(messages: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    return (message for message in messages if message.text)


def _join_neighbours(messages: Iterable[ChatMessage]) -> Iterator[ChatMessage]:
    for _, group in groupby(messages, key=lambda message: message.role):
        first, *others = group
        if not others:
            yield first
            continue
        text = "\n\n".join([first.text, *(message.text for message in others)])
        yield replace(first, text=text)


def _shown_images(messages: Iterable[Message]) -> list[str]:
    """The last pictures shown, named once each, so that "draw it at night" makes sense."""
    names = dict.fromkeys(name for message in messages for name in _image_names(message))
    recent = list(names)[-STATE_LINES:]
    return ["\n".join(f"Pokazano obraz: {name[:STATE_LINE_CHARS]}" for name in recent)]


def _image_names(message: Message) -> tuple[str, ...]:
    if message.role != "assistant":
        return ()
    parts = tuple(part.alt for part in message.parts if isinstance(part, Image))
    return parts + own_image_descriptions(message.text)
