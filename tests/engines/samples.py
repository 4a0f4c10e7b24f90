"""The lessons in the guises in which an engine meets them: asked by the router or a client."""

from collections.abc import Iterator, Sequence

from engines.lessons import CHATS, EOM, EOT, LESSONS, TAG

from chatbot.router import DIALECTS, Dialect, RouterLimits, request_verdict
from chatbot.types import ChatRequest, JsonObject, JsonValue, RouterView, ToolSpec
from serving.engines.check import CANARY_PROMPT, GREETING, make_canary

CANARY_MARK = "5f0c1d"
"""What the name of the canary tool ends in; elsewhere it is made up anew each time."""
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
    """What `zwrotnica engines check` asks."""
    canary = make_canary(CANARY_MARK)
    call = f'{TAG}{{"name": "{canary.name}", "parameters": {{"station": "Łódź"}}}}{EOM}'
    nothing = f'{TAG}{{"name": "default_function", "parameters": {{}}}}{EOM}'
    for prompt, reply in ((CANARY_PROMPT, call), (GREETING, nothing)):
        view = RouterView(tools=(canary,), prompt=prompt)
        yield _asked_by_router(view, DIALECTS["llama3.1"], reply)


def _asked_by_router(view: RouterView, dialect: Dialect, reply: str) -> JsonObject:
    request: ChatRequest = request_verdict(view, dialect, RouterLimits())
    messages = [_message(message.role, message.text) for message in request.messages]
    return _sample(messages, request.tools, view.prompt, reply)


def _sample(
    messages: Sequence[JsonValue], tools: Sequence[ToolSpec], prompt: str, reply: str
) -> JsonObject:
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
