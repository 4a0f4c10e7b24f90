"""The servers to measure, as they are named on the command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import aiohttp
import click

from evals.bench.engine.bodies import read_reply

FORM = "NAME=URL[,MODEL]"


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A server's address (with ``/v1``) and model; ``key`` is shown nowhere."""

    name: str
    url: str
    model: str | None = None
    key: str | None = field(default=None, repr=False)

    @property
    def root(self) -> str:
        """The address without ``/v1``, where servers have what is not OpenAI's."""
        return self.url.removesuffix("/v1")

    @property
    def headers(self) -> Mapping[str, str]:
        """What every request carries."""
        return {} if self.key is None else {"Authorization": f"Bearer {self.key}"}


def read_target(text: str, key: str | None = None) -> Target:
    """The target that ``text`` names.

    Raises:
        click.BadParameter: it has not the form ``NAME=URL[,MODEL]``, or holds a password.
    """
    name, _, rest = text.partition("=")
    url, _, model = rest.partition(",")
    if "@" in url:
        raise click.BadParameter("an address must hold no password: name its variable by --key-env")
    if not name or not url.startswith(("http://", "https://")):
        raise click.BadParameter(
            f"{text!r} is not {FORM}, such as vllm=http://127.0.0.1:8001/v1,bielik"
        )
    return Target(name=name, url=url.rstrip("/"), model=model or None, key=key)


async def find_model(session: aiohttp.ClientSession, target: Target) -> str:
    """The model of the target, or the first that the server lists.

    Raises:
        click.ClickException: none was named, and the server tells of none.
    """
    if target.model is not None:
        return target.model
    try:
        async with session.get(f"{target.url}/models", headers=target.headers) as reply:
            listed = cast("Mapping[str, list[Mapping[str, str]]]", await read_reply(reply))
            return listed["data"][0]["id"]
    except (aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError) as error:
        raise click.ClickException(
            f"{target.name!r} at {target.url} lists no model ({type(error).__name__}): is the "
            f"server up, and its address whole, with /v1? Else name the model: {FORM}"
        ) from error
