"""What a request will ask of a server, judged before it is sent."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, TypeGuard

from chatbot.types import ChatRequest, JsonObject

_CHARS_PER_TOKEN: Final = 3
_TOKENS_PER_FILE: Final = 1_000
"""A picture or a sound, whose base64 is no measure: models cut a picture into so many patches."""
_KEY_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Demand:
    """Tokens to read and, at most, to write; ``key`` is equal for turns of one conversation.

    ``is_routing``: it is a router's, for which somebody waits before any answer has begun.
    """

    prompt_tokens: int
    answer_tokens: int
    key: bytes | None = None
    is_routing: bool = False

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.prompt_tokens + self.answer_tokens


def judge_request(request: ChatRequest, *, answer_tokens: int) -> Demand:
    """What ``request`` asks; ``answer_tokens`` where it names no number.

    Only answers have a key: what routers and titles ask is short, and no turn of a conversation.
    """
    messages = [(message.role, message.text) for message in request.messages]
    return Demand(
        prompt_tokens=_count(messages),
        answer_tokens=request.sampling.max_tokens or answer_tokens,
        key=None if request.priority else _key(messages),
        is_routing=request.priority < 0,
    )


def judge_body(body: JsonObject, *, answer_tokens: int, has_choice: bool = True) -> Demand:
    """What a client's own chat completion asks; ``answer_tokens`` where it names no number.

    The key is for who ``has_choice`` between servers.
    """
    messages, files = _read_messages(body.get("messages"))
    wanted, choices = body.get("max_tokens"), body.get("n")
    each = wanted if isinstance(wanted, int) else answer_tokens
    return Demand(
        prompt_tokens=_count(messages) + files * _TOKENS_PER_FILE,
        answer_tokens=each * (choices if isinstance(choices, int) else 1),
        key=_key(messages) if has_choice else None,
    )


def _count(messages: Iterable[tuple[str, str]]) -> int:
    return -(-sum(len(text) for _, text in messages) // _CHARS_PER_TOKEN)


def _key(messages: Sequence[tuple[str, str]]) -> bytes | None:
    """A conversation's beginning, to its first user message: what a prefix cache knows it by."""
    digest = blake2b(digest_size=_KEY_BYTES)
    for role, text in messages:
        digest.update(f"{role}\0{text}\0".encode(errors="surrogatepass"))
        if role == "user":
            return digest.digest()
    return None


def _read_messages(messages: object) -> tuple[Sequence[tuple[str, str]], int]:
    """The role and text of each message, and how many parts are no text."""
    read, files = [], 0
    for message in messages if isinstance(messages, list | tuple) else ():
        if isinstance(message, Mapping):
            content = message.get("content")
            parts = content if isinstance(content, list | tuple) else ()
            texts = [part["text"] for part in parts if _is_text(part)]
            files += len(parts) - len(texts)
            text = content if isinstance(content, str) else "\n".join(texts)
            read.append((str(message.get("role")), text))
    return read, files


def _is_text(part: object) -> TypeGuard[Mapping[str, str]]:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)
