"""The settings of a conversation: their form, what fills it, and reading what it sends.

How it is wired: `draw_form` is static and part of the page's frame. When a conversation is opened
(and after a change), the page gives the browser ``draw_signal(settings=fill_form(...))``. The
browser sends the action ``settings {parameters}``; `read_parameters` turns that into the body of
``PATCH /api/conversations/{id}`` or of a new conversation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Final, TypeAlias

from ui.look.icons import draw_icon
from ui.texts import Parameter, Texts, say_number

JsonObject: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """A number of the form: bounds that hold where the gateway tells none, and its step."""

    lowest: float
    highest: float
    step: float
    digits: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolChoice:
    """A tool that a conversation may use."""

    name: str
    title: str


FIELDS: Final = MappingProxyType({
    "temperature": Field(lowest=0, highest=2, step=0.1, digits=1),
    "top_p": Field(lowest=0, highest=1, step=0.05, digits=2),
    "repetition_penalty": Field(lowest=0, highest=2, step=0.05, digits=2),
    "max_tokens": Field(lowest=1, highest=4096, step=1, digits=0),
})
PROMPT_CHARS: Final = 8000


def draw_form(texts: Texts) -> str:
    """The dialog with the form; `fill_form` gives its values."""
    return (
        '<dialog id="settings" class="drawer" aria-labelledby="settings-title">'
        f'<form method="dialog" novalidate>{_draw_head(texts)}'
        f'<p class="hint">{escape(texts.settings_hint)}</p>'
        f"{''.join(_draw_number(texts, name) for name in FIELDS)}"
        f"{_draw_prompt(texts)}{_draw_tools(texts)}"
        '<button type="button" class="button" id="settings-restore">'
        f"{escape(texts.restore_defaults)}</button></form></dialog>"
    )


def fill_form(
    texts: Texts,
    *,
    bounds: JsonObject,
    parameters: JsonObject,
    tools: Iterable[ToolChoice],
) -> dict[str, object]:
    """What the browser fills the form with: ``bounds`` as in ``/api/me``, unset values as null."""
    return {
        "numbers": {
            name: {**_bounds_of(texts, field, bounds.get(name)), "value": parameters.get(name)}
            for name, field in FIELDS.items()
        },
        "system_prompt": parameters.get("system_prompt") or "",
        "prompt_chars": _most(bounds.get("system_prompt_chars"), PROMPT_CHARS),
        "tools": [_tick(tool, parameters.get("tools")) for tool in tools],
    }


def read_parameters(sent: object, bounds: JsonObject) -> dict[str, object]:
    """Parameters as the gateway takes them: all of them, null for what is left to the default.

    A number is kept within its bounds, whatever the browser sent; what is none counts as unset.
    """
    fields = sent if isinstance(sent, Mapping) else {}
    prompt = fields.get("system_prompt")
    names = fields.get("tools")
    return {
        **{name: _read_number(name, fields.get(name), bounds.get(name)) for name in FIELDS},
        "system_prompt": prompt.strip() or None if isinstance(prompt, str) else None,
        "tools": [one for one in names if isinstance(one, str)]
        if isinstance(names, list)
        else None,
    }


def _draw_head(texts: Texts) -> str:
    close = escape(texts.close)
    return (
        f'<div class="dialog-head"><h2 id="settings-title">{escape(texts.settings)}</h2>'
        f'<button type="submit" value="" class="icon-button" aria-label="{close}" title="{close}">'
        f"{draw_icon('close')}</button></div>"
    )


def _draw_number(texts: Texts, name: str) -> str:
    words = _parameter(texts, name)
    label, hint, field = escape(words.label), f"{name}-hint", FIELDS[name]
    bounds = f'min="{field.lowest:g}" max="{field.highest:g}" step="{field.step:g}"'
    return (
        f'<div class="field" data-number="{name}"><div class="field-head">'
        f'<label for="{name}">{label}</label>'
        f'<input id="{name}" type="text" inputmode="decimal" autocomplete="off" '
        f'placeholder="{escape(texts.default_value)}" aria-describedby="{hint} {name}-error"></div>'
        f'<input type="range" {bounds} aria-label="{label}" aria-describedby="{hint}">'
        f'<p class="hint" id="{hint}">{escape(words.explanation)}</p>'
        f'<p class="field-error" id="{name}-error" role="alert" '
        f'data-words="{escape(texts.out_of_bounds)}"></p></div>'
    )


def _draw_prompt(texts: Texts) -> str:
    words = texts.system_prompt
    return (
        f'<div class="field"><label for="system_prompt">{escape(words.label)}</label>'
        f'<p class="hint" id="system_prompt-hint">{escape(words.explanation)}</p>'
        '<textarea id="system_prompt" rows="4" aria-describedby="system_prompt-hint" '
        f'placeholder="{escape(texts.system_prompt_placeholder)}"></textarea></div>'
    )


def _draw_tools(texts: Texts) -> str:
    words = texts.tools
    return (
        '<fieldset class="field" aria-describedby="tools-hint">'
        f"<legend>{escape(words.label)}</legend>"
        f'<p class="hint" id="tools-hint">{escape(words.explanation)}</p>'
        '<div id="settings-tools" class="ticks"></div></fieldset>'
    )


def _parameter(texts: Texts, name: str) -> Parameter:
    known = {
        "temperature": texts.temperature,
        "top_p": texts.top_p,
        "repetition_penalty": texts.repetition_penalty,
        "max_tokens": texts.max_tokens,
    }
    return known[name]


def _bounds_of(texts: Texts, field: Field, told: object) -> dict[str, object]:
    lowest, highest = _limits(field, told)
    return {
        "min": lowest,
        "max": highest,
        "step": field.step,
        "says": texts.out_of_bounds.format(
            lowest=_say_bound(texts, lowest, field), highest=_say_bound(texts, highest, field)
        ),
    }


def _say_bound(texts: Texts, bound: float, field: Field) -> str:
    return say_number(texts, bound, 0 if bound == round(bound) else field.digits)


def _limits(field: Field, told: object) -> tuple[float, float]:
    bounds = told if isinstance(told, Mapping) else {}
    lowest, highest = bounds.get("min"), bounds.get("max")
    return (
        lowest if isinstance(lowest, int | float) else field.lowest,
        highest if isinstance(highest, int | float) else field.highest,
    )


def _most(told: object, otherwise: int) -> int:
    most = told.get("max") if isinstance(told, Mapping) else None
    return most if isinstance(most, int) else otherwise


def _tick(tool: ToolChoice, chosen: object) -> dict[str, object]:
    is_on = not isinstance(chosen, list | tuple) or tool.name in chosen
    return {"name": tool.name, "title": tool.title, "on": is_on}


def _read_number(name: str, value: object, told: object) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    lowest, highest = _limits(FIELDS[name], told)
    kept = min(max(value, lowest), highest)
    return round(kept) if name == "max_tokens" else kept
