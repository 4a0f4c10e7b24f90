"""`GET /v1/models` and `/v1/models/{id}`: the routed chatbot, the engines, what draws."""

from starlette.requests import Request

from chatbot.types import JsonObject
from serving.gateway.chat_completions import unknown_model
from serving.gateway.services import Services, services_of
from serving.http.models import describe_model, describe_models
from serving.settings import ROUTED_MODEL


async def list_models(request: Request) -> JsonObject:
    """Every model that a client can name."""
    services = services_of(request)
    return describe_models(_names(services))


async def get_model(request: Request, model_id: str) -> JsonObject:
    """One model by its name."""
    services = services_of(request)
    if model_id not in _names(services):
        raise unknown_model(model_id, services)
    return describe_model(model_id)


def _names(services: Services) -> tuple[str, ...]:
    drawing = services.image_engine
    names = (ROUTED_MODEL, *services.engines, *(() if drawing is None else (drawing.model,)))
    return tuple(dict.fromkeys(names))
