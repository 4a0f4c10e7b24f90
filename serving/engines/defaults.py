"""What an engine's settings and its family say together: sampling, system prompt, dialect."""

import difflib
from pathlib import Path
from typing import Final

from chatbot.types import Sampling
from serving.engines.families import FAMILIES, Family
from serving.engines.kinds import ENGINE_KINDS
from serving.settings import EngineSettings, SettingsError

_UNKNOWN: Final = Family(name="", models=(), source="")
MAX_PROMPT_BYTES: Final = 65_536
"""Largest file of a system prompt that is read."""


def find_family(name: str, engine: EngineSettings) -> Family:
    """The family of the engine ``name``; one that says nothing where none is set.

    Raises:
        SettingsError: there is no such family.
    """
    if engine.family is None:
        return _UNKNOWN
    if engine.family not in FAMILIES:
        near = difflib.get_close_matches(engine.family, FAMILIES, n=1, cutoff=0.0)
        raise SettingsError(
            f"engines.{name}.family: there is no family {engine.family!r}; did you mean "
            f"{near[0]!r}? Known families: {', '.join(sorted(FAMILIES))}"
        )
    return FAMILIES[engine.family]


def read_sampling(name: str, engine: EngineSettings) -> Sampling:
    """How answers of the engine ``name`` are drawn where the user says nothing.

    A field of the family that the engine's kind does not take is left out when a request is
    written; one that the operator has set is refused here.

    Raises:
        SettingsError: there is no such family, or the kind does not take a field that is set.
    """
    given = engine.sampling.model_dump(exclude_none=True)
    kind = ENGINE_KINDS[engine.kind]
    for field in given:
        if not kind.takes(field):
            raise SettingsError(
                f"engines.{name}.sampling.{field}: a server of kind {kind.name!r} does not take "
                f"{field!r}; leave it out"
            )
    return Sampling(**given).over(find_family(name, engine).sampling)


def read_system_prompt(name: str, engine: EngineSettings) -> str | None:
    """What the engine ``name`` reads before a conversation without a system prompt of its own.

    Raises:
        SettingsError: there is no such family, or the file cannot be read or is too long.
    """
    family = find_family(name, engine)
    if engine.system_prompt_file is not None:
        return _read_file(name, engine.system_prompt_file)
    if engine.system_prompt is not None:
        return engine.system_prompt.strip() or None
    return family.system_prompt


def find_dialect_name(name: str, engine: EngineSettings) -> str | None:
    """Name of the dialect in which the engine ``name`` calls tools: its own, else the family's.

    Raises:
        SettingsError: there is no such family.
    """
    return engine.dialect or find_family(name, engine).dialect


def _read_file(name: str, path: Path) -> str | None:
    setting = f"engines.{name}.system_prompt_file"
    try:
        with path.open("rb") as file:
            read = file.read(MAX_PROMPT_BYTES + 1)
        text = read.decode() if len(read) <= MAX_PROMPT_BYTES else None
    except OSError as error:
        raise SettingsError(f"{setting}: cannot read {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{setting}: {str(path)!r} is not UTF-8 text") from error
    if text is None:
        raise SettingsError(f"{setting}: {str(path)!r} has more than {MAX_PROMPT_BYTES} bytes")
    return text.strip() or None
