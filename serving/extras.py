"""The one place that loads what needs an extra, naming the extra where it is missing."""

from importlib import import_module
from types import ModuleType
from typing import Literal, TypeAlias

from chatbot.errors import ZwrotnicaError

Extra: TypeAlias = Literal[
    "vllm", "flux", "transformers", "amqp", "postgres", "redis", "mcp", "bench", "otel", "dev"
]


class ExtraMissing(ZwrotnicaError):
    """A part needs a package that is not installed; the message says what to install."""


def load(module: str, extra: Extra) -> ModuleType:
    """Import ``module`` (dotted name), a module of ours or a package of the extra ``extra``.

    Raises:
        ExtraMissing: a package outside this project is missing; names the extra to install.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in {"chatbot", "serving", "evals"}:
            raise
        raise ExtraMissing(
            f"{module!r} needs the package {error.name!r}: install zwrotnica[{extra}]"
        ) from error
