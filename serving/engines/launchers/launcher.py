"""What a launcher is: one kind's program, flags and limits as data and one function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from chatbot.dialects import Dialect
from serving.settings import LaunchSettings

THE_WEIGHTS: Final = "weights"
"""Among a launcher's ``aliases``: a flag for what `launch.weights` says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """One server to start, with everything that follows from the settings resolved.

    ``served_name`` is what clients ask for, ``context_tokens`` what prompt and answer may have
    together. ``is_router`` says that it serves a router's model, ``has_key`` that clients need one.
    """

    name: str
    weights: str
    served_name: str
    host: str
    port: int
    context_tokens: int
    dialect: Dialect | None
    is_router: bool
    has_key: bool
    launch: LaunchSettings


FlagsOf: TypeAlias = Callable[[Plan], tuple[str, ...]]


def _by_place(plan: Plan) -> tuple[str, ...]:
    return (plan.weights,)


def _all_ranks(plan: Plan) -> int:
    return plan.launch.tensor_parallel * plan.launch.pipeline_parallel


@dataclass(frozen=True, kw_only=True, slots=True)
class Launcher:
    """How servers of one kind are started.

    ``program`` is run with the weights as ``weights`` puts them, then with ``flags``. ``defaults``
    are switches that we turn on unless the operator's extra flags speak of them. ``cannot`` names
    the launch settings that the server has no flag for, each with what to do instead. ``aliases``
    gives other spellings of flags that are ours. ``key_variable`` is the variable from which the
    server reads its key, ``key_file_flag`` the flag of a file that can hold it. ``parsers`` names
    the server's parser of calls by dialect, ``parser_flag`` the flag that takes it and
    ``parser_switches`` what goes with it; ``needs_parser`` says that the server refuses tools
    without one. ``can_rename`` says that it serves a model under any name. ``cards`` is the number
    of cards that the flags make use of, ``None`` for any.
    """

    program: tuple[str, ...]
    flags: FlagsOf
    weights: FlagsOf = _by_place
    defaults: tuple[str, ...] = ()
    cannot: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    key_variable: str | None = None
    key_file_flag: str | None = None
    parsers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    parser_flag: str | None = None
    parser_switches: tuple[str, ...] = ()
    needs_parser: bool = False
    can_rename: bool = True
    cards: Callable[[Plan], int | None] = _all_ranks


def named(flag: str) -> FlagsOf:
    """The weights behind ``flag``."""
    return lambda plan: (flag, plan.weights)
