"""What is measured: the engine itself, and gateways in front of it."""

import json
import socket
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import click

from evals.bench.engine.targets import read_target as read_server

FORM: Final = "NAME=URL[,MODEL][,PID]"
DIRECT: Final = "direct"
PASS_THROUGH: Final = "pass-through"  # noqa: S105 (no password)
ROUTED: Final = "routed"
NO_LEDGER: Final = ", no ledger"
"""Behind the name of a target whose gateway writes no ledger."""
MODEL: Final = "default"
PROMPT: Final = "Ułóż fraszkę o jesieni"


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """An address that streams chat completions of the simulated engine.

    ``pid`` is the process whose cost is read, with its children; ``own_ms`` is what the engine
    itself needs beyond a direct answer, as for the router model's. ``key`` is shown nowhere.
    """

    name: str
    url: str
    model: str = MODEL
    pid: int | None = None
    own_ms: float = 0.0
    version: str | None = None
    command: tuple[str, ...] = ()
    key: str | None = field(default=None, repr=False)

    @property
    def endpoint(self) -> tuple[str, int, str]:
        """Its IPv4 address, port and path.

        Raises:
            click.BadParameter: it is not plain HTTP, or its host has no such address.
        """
        parts = urlsplit(self.url)
        if parts.scheme != "http":
            raise click.BadParameter(f"{self.url!r}: the load generator speaks plain http alone")
        try:
            address = socket.gethostbyname(parts.hostname or "")
        except OSError as error:
            raise click.BadParameter(f"{self.url!r} has no IPv4 address: {error}") from error
        return address, parts.port or 80, f"{parts.path}/chat/completions"

    def body(self, tokens: int) -> str:
        """A streamed chat request of so many tokens, in one line."""
        messages = [{"role": "user", "content": PROMPT}]
        asked = {"model": self.model, "stream": True, "max_tokens": tokens, "messages": messages}
        return json.dumps(asked)


def read_target(text: str, key: str | None = None) -> Target:
    """The gateway that ``text`` names.

    Raises:
        click.BadParameter: it has not the form ``NAME=URL[,MODEL][,PID]``, or cannot be reached.
    """
    rest, _, last = text.rpartition(",")
    has_pid = last.isdecimal() and bool(rest)
    server = read_server(rest if has_pid else text, key)
    target = Target(
        name=server.name,
        url=server.url,
        model=server.model or MODEL,
        pid=int(last) if has_pid else None,
        key=key,
    )
    _ = target.endpoint
    return target
