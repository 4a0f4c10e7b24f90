"""A command line as it is run, and as it may be shown."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

HIDDEN: Final = "***"


@dataclass(frozen=True, kw_only=True, slots=True)
class CommandLine:
    """How one server is started.

    ``program`` is what is run with all its arguments, ``environment`` what is added to the
    environment for it; the variables named in ``secret_environment`` are never shown.
    """

    program: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    secret_environment: frozenset[str] = frozenset()

    @property
    def shown_environment(self) -> Mapping[str, str]:
        """The environment with every secret hidden."""
        return {
            name: HIDDEN if name in self.secret_environment else value
            for name, value in self.environment.items()
        }

    def shown(self) -> str:
        """One line for a POSIX shell, secrets hidden."""
        variables = (
            f"{name}={HIDDEN if name in self.secret_environment else shlex.quote(value)}"
            for name, value in self.environment.items()
        )
        return " ".join([*variables, shlex.join(self.program)])
