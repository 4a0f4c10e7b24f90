"""How models are told of, as OpenAI's list of models has them."""

from collections.abc import Iterable

from chatbot.types import JsonObject

_OWNER = "zwrotnica"
_CREATED = 1_767_225_600


def describe_model(name: str) -> JsonObject:
    """One model, as `GET /v1/models/{id}` answers."""
    return {"id": name, "object": "model", "created": _CREATED, "owned_by": _OWNER}


def describe_models(names: Iterable[str]) -> JsonObject:
    """The list, as `GET /v1/models` answers."""
    return {"object": "list", "data": [describe_model(name) for name in names]}
