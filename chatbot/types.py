"""The vocabulary of the domain: messages, tool calls, engine requests and deltas, turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Literal, TypeAlias

JsonValue: TypeAlias = (
    "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
JsonObject: TypeAlias = Mapping[str, JsonValue]

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
FinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter", "cancelled"]
LegRole: TypeAlias = Literal["router", "answer", "phrase", "speculated", "image"]
UsageSource: TypeAlias = Literal["engine", "estimate", "zero"]
Doubt: TypeAlias = Literal["disagreement", "invented", "unusable"]
NameKind: TypeAlias = Literal["place", "person", "topic"]
AnswerMode: TypeAlias = Literal["verbatim", "phrased"]
RouteReason: TypeAlias = Literal[
    "called",
    "default_function",
    "plain_text",
    "unusable_call",
    "unknown_tool",
    "invalid_arguments",
    "missing_argument",
    "timeout",
    "router_down",
    "fast_path",
    "forced",
    "no_tools",
    "long_text",
]

DEFAULT_FUNCTION = "default_function"


@dataclass(frozen=True, slots=True)
class Name:
    """Marks a tool's argument as a proper name: ``Annotated[str, Name("place")]``.

    The router grounds such an argument in what the user wrote (base form, diacritics). It reaches
    the router as ``"x-name": kind`` in ``ToolSpec.parameters``; no model sees it.
    """

    kind: NameKind


@dataclass(frozen=True, slots=True)
class WrittenIn:
    """Marks an argument that has to be in one language: ``Annotated[str, WrittenIn("en")]``.

    The turn translates what the router model left untranslated. It stands as ``"x-language"`` in
    ``ToolSpec.parameters``; no model sees it.
    """

    language: Literal["en"]


# --- what a tool is, and what it gives back ------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSpec:
    """What the router knows of a tool; ``parameters`` is a JSON Schema object."""

    name: str
    title: str
    description: str
    parameters: JsonObject
    examples: tuple[str, ...] = ()

    @property
    def properties(self) -> JsonObject:
        """The schemas of its arguments, by their names; none where ``parameters`` has none."""
        properties = self.parameters.get("properties")
        return properties if isinstance(properties, Mapping) else {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """What a result was about, for follow-ups: ``kind`` is place, day, topic, expression, …."""

    kind: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribution:
    """Where a result comes from; shown to people, never sent to a model. Times are aware UTC."""

    source: str
    title: str | None = None
    url: str | None = None
    licence: str | None = None
    retrieved_at: datetime | None = None
    call_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Artifact:
    """A picture made by a tool: encoded bytes with their media type; sizes in pixels.

    ``prompt`` is what the model really drew, where the engine tells that it changed the wish.
    ``model`` is the model that drew it; ``None`` for a picture that no model made (a chart).
    """

    media_type: str
    data: bytes = field(repr=False)
    alt: str
    width: int
    height: int
    prompt: str | None = None
    model: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What a tool returns: Markdown for people, plain text for terminals and models, and the rest.

    ``content`` is Markdown in Polish. ``plain`` replaces it where Markdown cannot be drawn.
    ``answer`` may lower the tool's own mode to ``"verbatim"``. ``notices`` are short Polish
    sentences on what was done differently than asked; they never replace an answer.
    """

    content: str
    plain: str | None = None
    attribution: tuple[Attribution, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    state: tuple[Entity, ...] = ()
    answer: Literal["verbatim"] | None = None
    notices: tuple[str, ...] = ()


# --- messages: ordered parts ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """A part of a message that is text."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A call as it will be run; ``raw_arguments`` are the model's own, before grounding."""

    call_id: str
    name: str
    arguments: JsonObject
    raw_arguments: JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolOutcome:
    """How a call ended; ``error`` is Polish text for the user; ``ms`` the duration."""

    call_id: str
    name: str
    status: Literal["ok", "failed", "cancelled"]
    content: str = ""
    plain: str | None = None
    state: tuple[Entity, ...] = ()
    error: str | None = None
    ms: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """A stored picture with a signed link that is valid until ``expires_at`` (aware UTC)."""

    image_id: str
    url: str
    expires_at: datetime
    alt: str
    width: int
    height: int


Part: TypeAlias = Text | ToolCall | ToolOutcome | Image | Attribution


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message of a conversation. ``is_complete`` is false where its turn was cut off."""

    role: Role
    parts: tuple[Part, ...]
    message_id: str | None = None
    is_complete: bool = True

    @property
    def text(self) -> str:
        """The text parts joined, without anything else."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


# --- what goes to an engine and what comes back -----------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatMessage:
    """One message as an engine reads it: plain text, no parts."""

    role: Role
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sampling:
    """Generation parameters of the answering leg; ``None`` leaves the engine's default."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    max_tokens: int | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()

    def over(self, defaults: "Sampling") -> "Sampling":
        """These parameters, and those of ``defaults`` where nothing is said here."""
        said = {
            one.name: value
            for one in fields(self)
            if (value := getattr(self, one.name)) not in {None, ()}
        }
        return replace(defaults, **said) if said else defaults


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatRequest:
    """One request to a chat engine.

    ``tools`` are offered on the wire (or read by the embedded engine); a dialect that offers them
    in the prompt leaves them empty. ``keep_special_tokens`` and ``token_ids`` are wishes that an
    engine kind which does not know them ignores. A lower ``priority`` is served first.
    """

    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    tools: tuple[ToolSpec, ...] = ()
    keep_special_tokens: bool = False
    token_ids: bool = False
    priority: int = 0
    request_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of one engine call and where the figures come from."""

    prompt_tokens: int
    completion_tokens: int
    source: UsageSource = "engine"


@dataclass(frozen=True, kw_only=True, slots=True)
class CallDelta:
    """A piece of a tool call as the wire's ``tool_calls`` delta brings it."""

    index: int
    call_id: str | None = None
    name: str | None = None
    arguments: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Delta:
    """What one read from an engine held; any of its fields may be empty.

    ``engine`` is told once, where another one answers than was asked.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[CallDelta, ...] = ()
    token_ids: tuple[int, ...] = ()
    finish: FinishReason | None = None
    usage: Usage | None = None
    engine: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Leg:
    """One engine call of a turn, for usage and the ledger."""

    engine: str
    role: LegRole
    prompt_tokens: int
    completion_tokens: int
    source: UsageSource


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageRequest:
    """What an image engine is asked for; sizes in pixels."""

    prompt: str
    width: int = 1024
    height: int = 1024
    seed: int | None = None


# --- the router's view, its decision, a turn ---------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class RouterView:
    """All that the router model may see: tools, at most six lines of state, the last prompt."""

    tools: tuple[ToolSpec, ...]
    prompt: str
    state: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What the router decided; ``calls`` is empty for the default model. Times in milliseconds.

    ``confirmed`` says whether the engine's token ids agree with the verdict; ``None``: not told.
    ``verified`` says whether the local detector would have chosen the same tools; ``None``: it
    abstained or was not asked. ``doubt`` is why a second router model was asked, if one was.
    """

    reason: RouteReason
    calls: tuple[ToolCall, ...] = ()
    engine: str | None = None
    dialect: str | None = None
    verdict_ms: int = 0
    confirmed: bool | None = None
    verified: bool | None = None
    doubt: Doubt | None = None
    legs: tuple[Leg, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A required argument is missing: the short Polish question that asks for it."""

    tool: str
    argument: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRequest:
    """One turn: the conversation so far, the last message being the user's.

    ``tools`` names the tools allowed in this turn (``None``: all that are enabled). ``force`` is a
    tool's name or ``"default"``. ``language`` is what the user reads ("pl" or "en"); ``markup``
    is "plain" where Markdown cannot be drawn (a terminal): then tools' plain results are shown.
    """

    messages: tuple[Message, ...]
    message_id: str
    request_id: str
    account: str = "local"
    sampling: Sampling = Sampling()
    tools: tuple[str, ...] | None = None
    force: str | None = None
    language: Literal["pl", "en"] = "pl"
    timezone: str = "Europe/Warsaw"
    markup: Literal["markdown", "plain"] = "markdown"
