"""`POST /api/route`: the decision without the act."""

from starlette.requests import Request
from starlette.responses import Response

from chatbot.bot import Routing
from chatbot.errors import Draining, ZwrotnicaError
from chatbot.types import JsonValue, TurnRequest
from serving.gateway.authorization import caller_of
from serving.gateway.completion import Told, encode
from serving.gateway.events import as_json
from serving.gateway.messages import read_messages
from serving.gateway.reading import read_route
from serving.gateway.reserving import reserve_free
from serving.gateway.services import request_id_of, services_of
from serving.gateway.tool_choice import allowed_tools, check_tools, limited_tools
from serving.http.body import read_body
from serving.http.departure import Departure


async def decide_route(request: Request) -> Response:
    """Which tool a conversation would lead to, with which arguments; nothing is executed."""
    services = services_of(request)
    limits = services.settings.limits
    body = read_route(await read_body(request, limits), limits)
    turn = TurnRequest(
        messages=read_messages(body.messages),
        message_id=services.new_id(),
        request_id=request_id_of(request),
        account=caller_of(request).account,
        tools=_choose_tools(request, body.tools),
    )
    routing: Routing | None = None
    failure: ZwrotnicaError | None = None
    reserved = reserve_free(caller_of(request), request_id=turn.request_id, path="route")
    with services.admission.admit() as ticket, services.billing.begin(reserved) as bill:
        await bill.confirm()
        async with Departure(request.scope, request.receive, ticket.scope):
            with ticket.scope:
                try:
                    routing = await services.chatbot.route(turn)
                except ZwrotnicaError as error:
                    failure = error
        if routing is None:
            raise failure or Draining("the server is shutting down")
        bill.use(routing.decision.legs)
        bill.finish = "stop"
    return Response(encode(routing_fields(routing)), media_type="application/json")


def _choose_tools(request: Request, asked: list[str] | None) -> tuple[str, ...] | None:
    if asked is None:
        return limited_tools(request)
    check_tools(asked, allowed_tools(request), param="tools")
    return tuple(asked)


def routing_fields(routing: Routing) -> dict[str, JsonValue]:
    """A decision as it leaves, for `/api/route` and ``ask --json``."""
    return {
        "tool": routing.tool,
        "tool_calls": [
            {
                "name": call.name,
                "arguments": as_json(call.arguments),
                "raw_arguments": as_json(call.raw_arguments),
            }
            for call in routing.calls
        ],
        "question": routing.question.text if routing.question else None,
        "reason": routing.reason,
        "verdict_ms": routing.verdict_ms,
    }


def told_fields(told: Told) -> dict[str, JsonValue]:
    """A whole turn in the form of a decision, with what came of it: ``ask --json``."""
    route = told.route or {}
    calls = told.calls.values()
    first: JsonValue = next((call["name"] for call in calls), None)
    return {
        "tool": told.question["tool"] if told.question else first,
        "tool_calls": [
            {name: call[name] for name in ("name", "arguments", "raw_arguments")} for call in calls
        ],
        "question": told.question["text"] if told.question else None,
        "reason": route.get("reason"),
        "verdict_ms": route.get("verdict_ms"),
        "text": "".join(told.text),
        "sources": told.sources,
        "images": told.images,
    }
