"""What a conversation's parameters mean: one set over another, and what a turn gets of them."""

from collections.abc import Collection

from chatbot.sanitizer import map_frame_characters
from chatbot.types import JsonObject, JsonValue, Message, Sampling, Text
from serving.gateway.conversations.wire import ParametersBody


def as_stored(parameters: ParametersBody | None) -> dict[str, JsonValue]:
    """The parameters that were given, as they are kept and shown."""
    return {} if parameters is None else _clean(parameters.model_dump(exclude_none=True))


def override(
    stored: JsonObject, own: ParametersBody | None, tools: list[str] | None
) -> dict[str, JsonValue]:
    """The conversation's parameters with those of one message over them; null takes one away."""
    given = {} if own is None else own.model_dump(exclude_unset=True)
    if tools is not None:
        given["tools"] = tools
    merged = {**stored, **_clean(given)}
    return {name: value for name, value in merged.items() if value is not None}


def read_stored(parameters: JsonObject) -> ParametersBody:
    """Parameters that the database kept; those that this version does not know are passed over."""
    known = ParametersBody.model_fields
    return ParametersBody.model_validate({
        name: value for name, value in parameters.items() if name in known
    })


def sampling_of(parameters: ParametersBody) -> Sampling:
    """The generation parameters of the answering leg."""
    return Sampling(
        temperature=parameters.temperature,
        top_p=parameters.top_p,
        max_tokens=parameters.max_tokens,
        repetition_penalty=parameters.repetition_penalty,
    )


def tools_of(
    parameters: ParametersBody, enabled: Collection[str], allowed: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    """The tools that may be used; one that the operator has disabled since is passed over.

    ``allowed`` are those that the account may use; ``None``: all.
    """
    if parameters.tools is None:
        return allowed
    known = enabled if allowed is None else allowed
    return tuple(name for name in parameters.tools if name in known)


def system_of(parameters: ParametersBody) -> tuple[Message, ...]:
    """The conversation's own system prompt, as the message that leads its history."""
    prompt = (parameters.system_prompt or "").strip()
    return (Message(role="system", parts=(Text(text=prompt),)),) if prompt else ()


def _clean(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A system prompt is text of a user: it holds no frame character."""
    prompt = parameters.get("system_prompt")
    if isinstance(prompt, str):
        return {**parameters, "system_prompt": map_frame_characters(prompt)}
    return parameters
