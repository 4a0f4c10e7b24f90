"""Applies a screen to JSON by its values, so that no escape hides anything."""

import json
from collections.abc import Callable, Mapping

from chatbot.types import JsonValue


def screen_value(value: JsonValue, screen: Callable[[str], str]) -> JsonValue:
    """``value`` with ``screen`` applied to each text; a number it would change becomes text."""
    match value:
        case str():
            return screen(value)
        case bool() | None:
            return value
        case int() | float():
            shown = screen(str(value))
            return value if shown == str(value) else shown
        case Mapping():
            return {screen(name): screen_value(item, screen) for name, item in value.items()}
        case _:
            return [screen_value(item, screen) for item in value]


def screen_json(text: str, screen: Callable[[str], str]) -> str:
    """The JSON ``text`` with its values screened; what is no JSON is screened as the text it is.

    It stays as it is where nothing changes. Of a name that comes twice in one object only the last
    value is screened, so only that one stays: what was never looked at must not pass.
    """
    has_repeated = False

    def read_object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        nonlocal has_repeated
        fields = dict(pairs)
        has_repeated = has_repeated or len(fields) < len(pairs)
        return fields

    try:
        value: JsonValue = json.loads(text, object_pairs_hook=read_object)
        screened = screen_value(value, screen)
    except (ValueError, RecursionError):
        return screen(text)
    is_same = screened == value and not has_repeated
    return text if is_same else json.dumps(screened, ensure_ascii=False)
