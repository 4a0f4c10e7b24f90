"""The lessons in the guises in which an engine meets them: asked by the router or a client."""

from collections.abc import Iterator, Sequence

from engines.lessons import CHATS, EOM, EOT, LESSONS, TAG

from chatbot.router import DIALECTS, Dialect, RouterLimits, request_verdict
from chatbot.types import ChatRequest, JsonObject, JsonValue, RouterView, ToolSpec
from serving.engines.checking.canary import CANARY_MARKS, CANARY_PROMPT, GREETING, make_canary

NO_SECRET = "Nie znam żadnego hasła."
"""The answer to `CANARY_PROMPT` where no tool is shown."""
SYSTEM = "Jesteś pomocnym asystentem. Odpowiadasz po polsku."


def all_samples(tools: Sequence[ToolSpec]) -> Iterator[JsonObject]:
    """Every sample that the tiny checkpoint learns, ``tools`` being the built-in ones."""
    offered = RouterView(tools=tuple(tools), prompt="")
    for lesson in LESSONS:
        view = RouterView(tools=offered.tools, prompt=lesson.prompt)
        for name in ("llama3.1", "plain"):
            yield _asked_by_router(view, DIALECTS[name], lesson.reply)
    for lesson in LESSONS[::4]:
        request = request_verdict(offered, DIALECTS["plain"], RouterLimits())
        yield _sample([_message("user", lesson.prompt)], request.tools, lesson.prompt, lesson.reply)
    yield from _checked()
    for chat in CHATS:
        alone = [_message("user", chat.prompt)]
        for messages in (alone, [_message("system", SYSTEM), *alone]):
            yield _sample(messages, (), chat.prompt, chat.answer + EOT)


def _checked() -> Iterator[JsonObject]:
    """What `zwrotnica engines check` asks, with each canary; and its prompt without a tool."""
    nothing = f'{TAG}{{"name": "default_function", "parameters": {{}}}}{EOM}'
    for number, mark in enumerate(CANARY_MARKS):
        canary = make_canary(mark)
        call = f'{TAG}{{"name": "{canary.name}", "parameters": {{"station": "Łódź"}}}}{EOM}'
        view = RouterView(tools=(canary,), prompt=CANARY_PROMPT)
        yield _asked_by_router(view, DIALECTS["llama3.1"], call) | {"repeated": canary.name}
        if number % 4 == 0:
            view = RouterView(tools=(canary,), prompt=GREETING)
            yield _asked_by_router(view, DIALECTS["llama3.1"], nothing)
    yield _sample([_message("user", CANARY_PROMPT)], (), CANARY_PROMPT, NO_SECRET + EOT)


def _asked_by_router(view: RouterView, dialect: Dialect, reply: str) -> dict[str, JsonValue]:
    request: ChatRequest = request_verdict(view, dialect, RouterLimits())
    messages = [_message(message.role, message.text) for message in request.messages]
    return _sample(messages, request.tools, view.prompt, reply)


def _sample(
    messages: Sequence[JsonValue], tools: Sequence[ToolSpec], prompt: str, reply: str
) -> dict[str, JsonValue]:
    return {
        "messages": messages,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            }
            for tool in tools
        ],
        "prompt": prompt,
        "reply": reply,
    }


def _message(role: str, text: str) -> JsonObject:
    return {"role": role, "content": text}
