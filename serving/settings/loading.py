"""Reads settings from profile, file, environment and command line, with the origin of each."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Final, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from serving.settings.errors import SettingsError
from serving.settings.keys import read_keys
from serving.settings.model import Settings
from serving.settings.profile import PROFILE, find_layers, merge

PREFIX: Final = "ZWROTNICA_"
CONFIG_VARIABLE: Final = "ZWROTNICA_CONFIG"
DEFAULT_CONFIG: Final = Path("zwrotnica.toml")
OWN_PROFILES: Final = "profiles"
"""The table of the operator's own profiles; no setting, so it never reaches the model."""

Tree: TypeAlias = dict[str, object]
Keys: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedSettings:
    """Settings with the origin of each that is not a default, by dotted name."""

    settings: Settings
    origins: Mapping[str, str]
    config: Path | None


def load_settings(
    config: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, object] | None = None,
    calls_engines: bool = True,
) -> Settings:
    """Load the settings alone; see `load`."""
    return load(config, environ=environ, overrides=overrides, calls_engines=calls_engines).settings


def load(
    config: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, object] | None = None,
    calls_engines: bool = True,
) -> LoadedSettings:
    """Merge profile, file, environment and ``overrides`` (dotted names), the later winning.

    Args:
        config: the TOML file; ``None``: ``ZWROTNICA_CONFIG``, else ``./zwrotnica.toml`` if there.
        environ: the environment; ``None``: the process's own.
        overrides: values from the command line by dotted name; ``None`` values are left out.
        calls_engines: false for a process that has no use for the engines' keys: their variables
            need not be set for it.

    Raises:
        SettingsError: a file that cannot be read, an unknown profile or setting, an unusable
            value, or a key's variable that is not set.
    """
    variables = os.environ if environ is None else environ
    path = _find_config(config, variables)
    tree, origins = _lay(_read_file(path) if path is not None else {}, path, variables)
    for name, value in variables.items():
        if name.upper().startswith(PREFIX) and name != CONFIG_VARIABLE:
            keys = _place(tree, _variable_keys(name), _read_variable(value), origin=name)
            origins[".".join(keys)] = name
    for dotted, given in (overrides or {}).items():
        if given is not None:
            origins[".".join(_place(tree, dotted.split("."), given, origin=dotted))] = (
                "command line"
            )
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(_explain(error, origins)) from error
    if calls_engines:
        settings, named = read_keys(settings, variables)
        origins |= named
    return LoadedSettings(settings=settings, origins=origins, config=path)


def _find_config(config: Path | None, environ: Mapping[str, str]) -> Path | None:
    if config is not None:
        return config
    if named := environ.get(CONFIG_VARIABLE):
        return Path(named)
    return DEFAULT_CONFIG if DEFAULT_CONFIG.is_file() else None


def _read_file(path: Path) -> Tree:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"cannot read the configuration {str(path)!r}: {error.strerror}"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"the configuration {str(path)!r} is not valid TOML: {error}"
        ) from error
    except RecursionError as error:
        raise SettingsError(f"the configuration {str(path)!r} is nested too deep") from error


def _lay(
    file: Tree, path: Path | None, variables: Mapping[str, str]
) -> tuple[Tree, dict[str, str]]:
    """The file on top of the profile that it or the environment names; the origin of each."""
    own = file.pop(OWN_PROFILES, {})
    if not isinstance(own, dict):
        raise SettingsError(f"{OWN_PROFILES!r} (from {path}) holds tables, one for each profile")
    variable = PREFIX + PROFILE.upper()
    named = next((v for name, v in variables.items() if name.upper() == variable), None)
    name = file.get(PROFILE) if named is None else named
    layers = () if name is None else find_layers(name, own)
    tree: Tree = {}
    origins: dict[str, str] = {}
    for origin, layer in (*((f"profile {name}", layer) for name, layer in layers), (path, file)):
        tree = merge(tree, layer)
        origins |= {".".join(keys): str(origin) for keys, _ in _leaves(layer)}
    return tree, origins


def _variable_keys(name: str) -> list[str]:
    return name[len(PREFIX) :].lower().split("__")


def _read_variable(value: str) -> object:
    """A JSON object or array as such, anything else as the text it is."""
    if value[:1] not in {"{", "["}:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _place(tree: Tree, keys: Iterable[str], value: object, *, origin: str) -> Keys:
    """Put ``value`` into ``tree``, reusing keys that differ only in case or ``-`` for ``_``."""
    *parents, last = keys
    branch, path = tree, []
    for key in parents:
        path.append(_matching_key(branch, key))
        below = branch.setdefault(path[-1], {})
        if not isinstance(below, dict):
            raise SettingsError(f"{origin} sets a part of {'.'.join(path)!r}, which is no table")
        branch = below
    path.append(_matching_key(branch, last))
    branch[path[-1]] = value
    return tuple(path)


def _matching_key(branch: Tree, key: str) -> str:
    folded = key.lower().replace("-", "_")
    return next((old for old in branch if old.lower().replace("-", "_") == folded), key)


def _leaves(tree: Mapping[str, object], above: Keys = ()) -> Iterable[tuple[Keys, object]]:
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _explain(error: ValidationError, origins: Mapping[str, str]) -> str:
    """One line for each setting at fault."""
    return "\n".join(_explain_one(detail, origins) for detail in error.errors(include_url=False))


def _explain_one(detail: ErrorDetails, origins: Mapping[str, str]) -> str:
    keys = tuple(str(key) for key in detail["loc"] if key != "[key]")
    dotted = ".".join(keys)
    origin = next((o for name, o in origins.items() if f"{name}.".startswith(f"{dotted}.")), None)
    source = f" (from {origin})" if origin and dotted else ""
    if detail["type"] == "extra_forbidden":
        return f"unknown setting {dotted!r}{source}{_suggest(keys)}"
    reason = detail["msg"].removeprefix("Value error, ")
    return f"setting {dotted!r}{source}: {reason}" if dotted else reason


def _suggest(keys: Keys) -> str:
    *above, last = keys
    close = difflib.get_close_matches(last, _names_at(Settings, above), n=1, cutoff=0.0)
    return f"; the nearest known one is {'.'.join([*above, *close])!r}" if close else ""


def _names_at(model: type[BaseModel], keys: Iterable[str]) -> list[str]:
    """Names of the settings in the section that ``keys`` lead to."""
    here: object = model
    for key in keys:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(key)
            here = _section(field.annotation) if field else None
        elif get_origin(here) is dict:
            here = get_args(here)[1]
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, BaseModel) else []


def _section(annotation: object) -> object:
    """The section or table inside an optional or annotated type."""
    if get_origin(annotation) is Annotated:
        return _section(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        return next((_section(arm) for arm in get_args(annotation) if arm is not type(None)), None)
    return annotation
