"""Shows settings to people: every one with value, origin and meaning; secrets are masked."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from serving.settings.engine import EngineSettings
from serving.settings.launching import LaunchSettings
from serving.settings.loading import PREFIX, LoadedSettings
from serving.settings.model import Settings, ToolsSettings
from serving.settings.pictures import ImageEngineSettings
from serving.settings.safety import SafetyRuleSettings

MASK: Final = "********"
_PASSWORD: Final = re.compile(r"(?<=://)([^/@:\s]*):[^@\s]*(?=@)|(?<=[?&]password=)[^&\s]*")
"""Of an address, before its host or behind its question mark."""
_SECRET_WORDS: Final = ("key", "secret", "token", "password")
_SAMPLES: Final[Mapping[str, type[BaseModel]]] = {
    "engines": EngineSettings,
    "engines.NAME.launch": LaunchSettings,
    "images.engine": ImageEngineSettings,
    "safety.rules": SafetyRuleSettings,
}
_TABLES: Final = frozenset({"engines", "safety.rules"})
PAGE_HEAD: Final = """\
# Settings

Made by `zwrotnica config --docs`; a test compares. Every setting stands in the file (`--config`,
else `ZWROTNICA_CONFIG`, else `./zwrotnica.toml`) under its name, or in the environment under its
variable, which wins; lists there are separated by commas. Under both lies the `profile`, where one
is named. An unknown setting is an error that names the nearest known one. `zwrotnica config` prints
all values in force and where each comes from.

| setting | variable | default | meaning |
|---|---|---|---|"""


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingRow:
    """One setting as people see it; ``value`` is TOML with secrets masked."""

    name: str
    value: str
    origin: str
    description: str = ""


def list_settings(loaded: LoadedSettings) -> tuple[SettingRow, ...]:
    """Every setting in force, those of engines and tools that are configured included."""
    return tuple(_rows(loaded.settings, "", loaded.origins))


def describe_settings() -> str:
    """The page `docs/settings.md`: every setting with its variable, default and meaning."""
    lines = [PAGE_HEAD]
    lines.extend(_documented(Settings, ""))
    lines.append(
        "| `profiles.NAME.…` | | | A profile of your own: any settings, laid under others where "
        "`profile` names it; its own `profile` names one that it extends. |"
    )
    lines.append(
        "| `tools.NAME.…` | `ZWROTNICA_TOOLS__NAME__…` | | Settings of the tool NAME, checked by "
        "the tool itself; `deadline_s` is one for each tool. |"
    )
    return "\n".join(lines) + "\n"


def _rows(section: BaseModel, prefix: str, origins: Mapping[str, str]) -> Iterable[SettingRow]:
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        yield from _value_rows(value, prefix + name, field.description or "", origins)
    if isinstance(section, ToolsSettings):
        for tool, table in section.tables.items():
            for key, value in table.items():
                is_secret = any(word in key.lower() for word in _SECRET_WORDS)
                shown = SecretStr(str(value)) if is_secret else value
                yield _row(f"{prefix}{tool}.{key}", shown, "", origins)


def _value_rows(
    value: object, name: str, description: str, origins: Mapping[str, str]
) -> Iterable[SettingRow]:
    match value:
        case BaseModel():
            yield from _rows(value, f"{name}.", origins)
        case dict():
            for key, inner in value.items():
                yield from _value_rows(inner, f"{name}.{key}", description, origins)
        case _:
            yield _row(name, value, description, origins)


def _row(name: str, value: object, description: str, origins: Mapping[str, str]) -> SettingRow:
    return SettingRow(
        name=name,
        value=_show(value),
        origin=origins.get(name, "default"),
        description=description,
    )


def _show(value: object) -> str:
    """The value as TOML writes it, ``unset`` for none."""
    match value:
        case BaseModel():
            fields = ((name, _show(getattr(value, name))) for name in type(value).model_fields)
            return f"{{ {', '.join(f'{name} = {shown}' for name, shown in fields)} }}"
        case SecretStr():
            return f'"{MASK}"'
        case str() | Path():
            return json.dumps(_PASSWORD.sub(_mask, str(value)), ensure_ascii=False)
        case tuple() | list():
            return f"[{', '.join(_show(item) for item in value)}]"
        case float():
            return f"{value:.1f}" if value.is_integer() else f"{value:g}"
        case _:
            return "unset" if value is None else str(value).lower()


def _mask(password: re.Match[str]) -> str:
    user: str | None = password[1]
    return MASK if user is None else f"{user}:{MASK}"


def _documented(model: type[BaseModel], prefix: str) -> Iterable[str]:
    for name, field in model.model_fields.items():
        full = prefix + name
        if isinstance(field.default, BaseModel):
            yield from _documented(type(field.default), f"{full}.")
            continue
        sample = _SAMPLES.get(full)
        if sample is None:
            yield _line(full, field)
        else:
            yield from _documented(sample, f"{full}.NAME." if full in _TABLES else f"{full}.")


def _line(name: str, field: FieldInfo) -> str:
    variable = PREFIX + name.upper().replace(".", "__")
    default = "required" if field.is_required() else f"`{_show(field.default)}`"
    return f"| `{name}` | `{variable}` | {default} | {field.description} |"
