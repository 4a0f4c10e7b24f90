"""Writes the request to the router model: the tools, the state, and the last prompt."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chatbot.dialects import Dialect
from chatbot.prompts import load
from chatbot.router.limits import RouterLimits
from chatbot.types import (
    DEFAULT_FUNCTION,
    ChatMessage,
    ChatRequest,
    JsonObject,
    JsonValue,
    RouterView,
    Sampling,
    ToolSpec,
)

DEFAULT_TOOL = ToolSpec(
    name=DEFAULT_FUNCTION,
    title="Model domyślny",
    description="If none of the other functions is needed, simply call this.",
    parameters={"type": "object", "properties": {}},
)
"""The function that stands for "no tool", described in the words of the paper."""

_FOR_OURSELVES = frozenset({"title", "question"})  # schema words that are not for a model
_MOST_SHOWN = 1_024
"""Tools that are remembered; servers of tools may come with others at any time."""
_MOST_FRAMES = 64
_PLACE = "\ue000prompt\ue000"
"""Stands for the prompt in a message that is remembered."""
_VALUES = frozenset({"const", "default", "enum", "examples", "required"})  # not schemas inside


class ShownTools:
    """How tools are shown to the models of one dialect: made once for each tool, then remembered.

    A tool is known by being the same object, which is kept, so that no other can take its place.
    """

    def __init__(self, dialect: Dialect) -> None:
        """Nothing is known yet."""
        self._dialect = dialect
        self._known: dict[int, tuple[ToolSpec, ToolSpec, str]] = {}
        self._frames: dict[tuple[str, ...], str] = {}

    def spec(self, tool: ToolSpec) -> ToolSpec:
        """``tool`` without what is meant for ourselves, for the wire."""
        return self._look_up(tool)[1]

    def line(self, tool: ToolSpec) -> str:
        """The same as a line of JSON, for a prompt."""
        return self._look_up(tool)[2]

    def frame(self, lines: tuple[str, ...]) -> str:
        """The message that offers tools of these ``lines``, `_PLACE` standing for the prompt."""
        frame = self._frames.get(lines)
        if frame is None:
            if len(self._frames) >= _MOST_FRAMES:
                self._frames.clear()
            frame = self._frames[lines] = _message(self._dialect, lines, (), _PLACE)
        return frame

    def _look_up(self, tool: ToolSpec) -> tuple[ToolSpec, ToolSpec, str]:
        known = self._known.get(id(tool))
        if known is None:
            if len(self._known) >= _MOST_SHOWN:
                self._known.clear()
            shown = _for_model(tool)
            known = (tool, shown, _break_tokens(_as_line(shown), self._dialect))
            self._known[id(tool)] = known
        return known


def request_verdict(
    view: RouterView, dialect: Dialect, limits: RouterLimits, shown: ShownTools | None = None
) -> ChatRequest:
    """The request that asks the router model which function handles ``view.prompt``.

    What never changes stands first (system, tools), the state and the prompt last, so that an
    engine with a prefix cache reads the tools only once. ``shown`` remembers tools of ``dialect``
    from one request to the next.
    """
    shown = shown or ShownTools(dialect)
    tools = (*view.tools, DEFAULT_TOOL)
    prompt = shorten(_break_tokens(view.prompt, dialect), limits.prompt_chars)
    state = tuple(_one_line(line, dialect) for line in view.state[: limits.state_lines])
    return ChatRequest(
        messages=_messages(dialect, shown, tools, state, prompt),
        sampling=Sampling(temperature=0.0, max_tokens=limits.max_tokens),
        tools=tuple(map(shown.spec, tools)) if dialect.offer == "wire" else (),
        keep_special_tokens=True,
        token_ids=True,
        priority=limits.priority,
    )


def shorten(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters, both ends kept and the cut marked."""
    if len(text) <= limit:
        return text
    mark = f"\n[… {len(text) - limit} characters left out …]\n"
    room = max(limit - len(mark), 0)
    head = (room + 1) // 2
    return text[:head] + mark + text[len(text) - (room - head) :]


def _messages(
    dialect: Dialect,
    shown: ShownTools,
    tools: Sequence[ToolSpec],
    state: Sequence[str],
    prompt: str,
) -> tuple[ChatMessage, ...]:
    system = (ChatMessage(role="system", text=load(dialect.system)),) if dialect.system else ()
    if dialect.message is None:
        return (*system, ChatMessage(role="user", text=prompt))
    lines = tuple(map(shown.line, tools))
    if state:
        text = _message(dialect, lines, state, prompt)
    else:
        text = shown.frame(lines).replace(_PLACE, prompt).strip()
    return (*system, ChatMessage(role="user", text=text))


def _message(dialect: Dialect, lines: Sequence[str], state: Sequence[str], prompt: str) -> str:
    return load(
        dialect.message or "",
        tools=lines,
        arguments_key=dialect.arguments_key,
        state=state,
        prompt=prompt,
    )


def _as_line(spec: ToolSpec) -> str:
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    return json.dumps({"type": "function", "function": function}, ensure_ascii=False)


def _for_model(spec: ToolSpec) -> ToolSpec:
    return replace(spec, parameters=_bare_schema(spec.parameters))


def _bare_schema(schema: JsonObject) -> dict[str, JsonValue]:
    """A JSON Schema without the words that are meant for ourselves (``x-name``, titles)."""
    bare: dict[str, JsonValue] = {}
    for word, value in schema.items():
        if word.startswith("x-") or word in _FOR_OURSELVES:
            continue
        if word == "properties" and isinstance(value, Mapping):
            bare[word] = {name: _bare(inner) for name, inner in value.items()}
        else:
            bare[word] = value if word in _VALUES else _bare(value)
    return bare


def _bare(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return _bare_schema(value)
    if isinstance(value, (list, tuple)):
        return [_bare(item) for item in value]
    return value


def _one_line(line: str, dialect: Dialect) -> str:
    return " ".join(_break_tokens(line, dialect).split())


def _break_tokens(text: str, dialect: Dialect) -> str:
    """``text`` with a space inside every control token, so that none reaches the model whole."""
    for token in dialect.control_tokens:
        if token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text
