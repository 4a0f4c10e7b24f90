"""Reads the sections ``[tools.KEY]`` of the settings."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ValidationError

from chatbot.errors import InvalidRequest
from chatbot.tools.installed import unknown_name
from chatbot.tools.tool import Tool

DEADLINE = "deadline_s"
LONGEST_S = 3600.0


def refuse_unknown_sections(tools: Sequence[Tool], settings: Mapping[str, object]) -> None:
    """Every section belongs to a tool.

    Raises:
        InvalidRequest: one does not; the message names the nearest that does.
    """
    keys = [tool.key for tool in tools]
    for key in settings:
        if key not in keys:
            raise unknown_name("tool settings", key, keys, param=f"tools.{key}")


def read_section(tool: Tool, section: Mapping[str, object]) -> tuple[float, BaseModel]:
    """The deadline of a tool, in seconds, and its own settings.

    Raises:
        InvalidRequest: a setting is unknown or cannot be used; ``param`` is its dotted name.
    """
    given = dict(section)
    return _read_deadline(tool, given), _read_settings(tool, given)


def _read_deadline(tool: Tool, given: dict[str, object]) -> float:
    """Take ``deadline_s`` out of the settings, unless the tool's own model has such a field."""
    if DEADLINE not in given or DEADLINE in tool.settings_model.model_fields:
        return tool.deadline_s
    value = given.pop(DEADLINE)
    if not isinstance(value, int | float | str):
        raise _not_a_deadline(tool, value)
    try:
        seconds = float(value)
    except ValueError as error:
        raise _not_a_deadline(tool, value) from error
    if not 0 < seconds <= LONGEST_S:
        raise _not_a_deadline(tool, value)
    return seconds


def _not_a_deadline(tool: Tool, value: object) -> InvalidRequest:
    name = f"tools.{tool.key}.{DEADLINE}"
    return InvalidRequest(
        f"{name} must be a number of seconds up to {LONGEST_S:g}, not {value!r}.", param=name
    )


def _read_settings(tool: Tool, given: Mapping[str, object]) -> BaseModel:
    section = f"tools.{tool.key}."
    known = [section + field for field in (*tool.settings_model.model_fields, DEADLINE)]
    for key in given:
        if section + key not in known:
            raise unknown_name("setting", section + key, known, param=section + key)
    try:
        return tool.settings_model.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = section + ".".join(str(part) for part in first["loc"])
        raise InvalidRequest(f"{name}: {first['msg']}.", param=name) from error
