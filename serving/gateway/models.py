"""`GET /v1/models` and `/v1/models/{id}`: the routed chatbot, the engines, what draws."""

from starlette.requests import Request

from chatbot.types import JsonObject
from serving.auth.scopes import Scope
from serving.gateway.authorization import caller_of
from serving.gateway.chat_completions import engines_for, unknown_model
from serving.gateway.services import services_of
from serving.http.models import describe_model, describe_models
from serving.settings import ROUTED_MODEL


async def list_models(request: Request) -> JsonObject:
    """Every model that the client's key can name."""
    return describe_models(_names(request))


async def get_model(request: Request, model_id: str) -> JsonObject:
    """One model by its name."""
    if model_id not in _names(request):
        raise unknown_model(model_id, caller_of(request).limits, services_of(request))
    return describe_model(model_id)


def _names(request: Request) -> tuple[str, ...]:
    services, caller = services_of(request), caller_of(request)
    drawing = services.image_engine
    named = {
        Scope.CHAT: (ROUTED_MODEL,),
        Scope.ENGINES: engines_for(caller.limits, services),
        Scope.IMAGES: () if drawing is None else (drawing.model,),
    }
    names = (name for scope, some in named.items() if scope in caller.scopes for name in some)
    return tuple(dict.fromkeys(names))
