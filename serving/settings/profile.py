"""Profiles: whole set-ups that lie under the operator's own settings, shipped or their own."""

import difflib
import tomllib
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Final, TypeAlias

from serving.settings.errors import SettingsError

FOLDER: Final = Path(__file__).with_name("profiles")
PROFILE: Final = "profile"
"""The setting that names a profile; within a profile, the one that it extends."""

Tree: TypeAlias = Mapping[str, object]


def shipped_profiles() -> dict[str, str]:
    """The text of every profile that ships, by name; its first line says what it is for."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.toml"))}


def summarise_profile(text: str) -> str:
    """The first line of a shipped profile's text, without the comment's sign."""
    return text.partition("\n")[0].lstrip("# ")


def find_layers(name: object, own: Tree) -> tuple[tuple[str, Tree], ...]:
    """The profile ``name`` and those that it extends, the outermost last, each with its settings.

    Args:
        name: the profile that was asked for.
        own: the operator's `[profiles.NAME]` tables; one hides a shipped profile of its name.

    Raises:
        SettingsError: there is no such profile, one is no table, or they extend each other.
    """
    layers: dict[str, Tree] = {}
    wanted = name
    while wanted is not None:
        if not isinstance(wanted, str):
            raise SettingsError(f"'profile' is the name of a profile, not {wanted!r}")
        if wanted in layers:
            raise SettingsError(f"profiles extend each other: {' → '.join([*layers, wanted])}")
        layer = _read(wanted, own)
        layers[wanted] = {key: value for key, value in layer.items() if key != PROFILE}
        wanted = layer.get(PROFILE)
    return tuple(reversed(layers.items()))


def merge(lower: Tree, upper: Tree) -> dict[str, object]:
    """Both, table by table; where both have a value, that of ``upper``."""
    return reduce(_place, upper.items(), dict(lower))


def _place(tree: dict[str, object], item: tuple[str, object]) -> dict[str, object]:
    key, value = item
    below = tree.get(key)
    is_table = isinstance(below, dict) and isinstance(value, dict)
    return tree | {key: merge(below, value) if is_table else value}  # type: ignore[arg-type] # tables both


def _read(name: str, own: Tree) -> Tree:
    shipped = shipped_profiles()
    if name in own:
        table = own[name]
        if not isinstance(table, dict):
            raise SettingsError(f"'profiles.{name}' is no table of settings")
        return table
    if name in shipped:
        return tomllib.loads(shipped[name])
    known = sorted({*shipped, *own})
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    hint = f"; the nearest is {near[0]!r}" if near else ""
    raise SettingsError(f"there is no profile {name!r}{hint}; profiles: {', '.join(known)}")
