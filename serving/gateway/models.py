"""`GET /v1/models` and `/v1/models/{id}`: the routed chatbot, the engines, what draws."""

from starlette.requests import Request

from chatbot.types import JsonValue
from serving.gateway.chat_completions import unknown_model
from serving.gateway.services import Services, services_of
from serving.settings import ROUTED_MODEL

OWNER = "zwrotnica"
_CREATED = 1_767_225_600


async def list_models(request: Request) -> dict[str, JsonValue]:
    """Every model that a client can name."""
    services = services_of(request)
    return {"object": "list", "data": [_model(name) for name in _names(services)]}


async def get_model(request: Request, model_id: str) -> dict[str, JsonValue]:
    """One model by its name."""
    services = services_of(request)
    if model_id not in _names(services):
        raise unknown_model(model_id, services)
    return _model(model_id)


def _names(services: Services) -> tuple[str, ...]:
    drawing = services.image_engine
    names = (ROUTED_MODEL, *services.engines, *(() if drawing is None else (drawing.model,)))
    return tuple(dict.fromkeys(names))


def _model(name: str) -> dict[str, JsonValue]:
    return {"id": name, "object": "model", "created": _CREATED, "owned_by": OWNER}
