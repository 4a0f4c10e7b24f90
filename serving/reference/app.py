"""The reference server's FastAPI application: its routes and the lifetime of its queue."""

from functools import partial

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonObject
from serving.http.access import check_key
from serving.http.body import read_body
from serving.model_server.app import create_model_app
from serving.model_server.routes import ModelRoutes
from serving.reference.batching import BatchQueue
from serving.reference.metrics import ReferenceMetrics
from serving.reference.options import ServerOptions
from serving.reference.reply import CompletionReply
from serving.reference.row_text import Order
from serving.reference.wire import Asked, Words, read_asked, read_words
from serving.settings import LimitsSettings


class ReferenceRoutes:
    """The routes of one server, on its queue."""

    def __init__(
        self,
        options: ServerOptions,
        limits: LimitsSettings,
        *,
        queue: BatchQueue,
    ) -> None:
        """Nothing is opened: the queue belongs to the application's lifespan."""
        self._options = options
        self._limits = limits
        self._queue = queue
        self._tokenizer = CapacityLimiter(1)

    async def complete(self, request: Request) -> Response:
        """`POST /v1/chat/completions`: the model's answer to a conversation."""
        check_key(request, self._options.key)
        body = await read_body(request, self._limits)
        asked = read_asked(body, self._options.served_name, self._limits)
        self._queue.check_room()
        return CompletionReply(
            self._queue,
            await self._order(asked),
            served_name=self._options.served_name,
            limits=self._limits,
            is_streamed=asked.is_streamed,
            wants_usage=asked.wants_usage,
            request_id=str(request.scope["request_id"]),
        )

    async def tokenize(self, request: Request) -> JsonObject:
        """`POST /tokenize`: how the model reads a text or a conversation, as vLLM tells it."""
        check_key(request, self._options.key)
        body = await read_body(request, self._limits)
        words = read_words(body, self._options.served_name, self._limits)
        self._queue.check_room()
        ids = await self._ids(words)
        return {
            "count": len(ids),
            "max_model_len": self._queue.model.context_tokens,
            "tokens": list(ids),
        }

    def router(self) -> APIRouter:
        """The table of routes."""
        router = APIRouter(default_response_class=JSONResponse)
        for path, endpoint in (
            ("/v1/chat/completions", self.complete),
            ("/tokenize", self.tokenize),
        ):
            router.add_api_route(path, endpoint, methods=["POST"], response_model=None)
        return router

    async def _order(self, asked: Asked) -> Order:
        """The order that fits into the model's context.

        Raises:
            InvalidRequest: prompt and answer do not fit, or the template refuses the conversation.
        """
        words = Words(text=None, has_start=True, messages=asked.messages, tools=asked.tools)
        ids = await self._ids(words)
        context = self._queue.model.context_tokens
        wanted = asked.max_tokens or 1
        if len(ids) + wanted > context:
            raise InvalidRequest(
                f"the model's context is {context} tokens; the prompt has {len(ids)}, and "
                f"{wanted} more are asked for: shorten the messages or lower max_tokens",
                param="messages" if len(ids) >= context else "max_tokens",
                code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
            )
        return Order(
            ids=ids,
            sampling=asked.sampling,
            max_tokens=asked.max_tokens or context - len(ids),
            stops=asked.stops,
            ignores_end=asked.ignores_end,
            keeps_special=asked.keeps_special,
            is_whole=not asked.is_streamed,
        )

    async def _ids(self, words: Words) -> tuple[int, ...]:
        """The ids, worked out in another thread, one request at a time."""
        model = self._queue.model
        read = (
            partial(model.read_chat, words.messages, words.tools)
            if words.text is None
            else partial(model.read_text, words.text, has_start=words.has_start)
        )
        return await to_thread.run_sync(read, limiter=self._tokenizer)


def create_app(
    options: ServerOptions, limits: LimitsSettings, *, queue: BatchQueue, metrics: ReferenceMetrics
) -> FastAPI:
    """The application; ``queue`` begins to load its model with the lifespan."""
    own = ReferenceRoutes(options, limits, queue=queue)
    every = ModelRoutes(names=(options.served_name,), key=options.key, queue=queue, metrics=metrics)
    return create_model_app(
        own.router(),
        every.router(),
        title="Zwrotnica: reference engine",
        openapi_url=None,
        queue=queue,
        metrics=metrics,
    )
