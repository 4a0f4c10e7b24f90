"""What every group of settings shares: frozen, closed against unknown names, typed fields."""

import ipaddress
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field


def split_commas(value: object) -> object:
    """Read ``"a, b"`` (from the environment) as the list of its items; leave the rest alone."""
    if isinstance(value, str):
        return [item.strip() for item in value.split(",") if item.strip()]
    return value


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens on ``host``."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_host(host: str) -> str:
    """``host``, where it can be looked up at all: nobody may be asked for what has no form in DNS.

    Raises:
        ValueError: it is no text that names a host.
    """
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise ValueError(f"{host!r} cannot be the name of a host") from error
    return host


def expand_home(path: Path) -> Path:
    """``path`` with the folder that ``~`` or ``~NAME`` stands for.

    Raises:
        ValueError: nobody is called so here.
    """
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"{str(path)!r} begins with a home that is not there") from error


Folder = Annotated[Path, AfterValidator(expand_home)]
HostName = Annotated[str, AfterValidator(check_host)]
Names = Annotated[tuple[str, ...], BeforeValidator(split_commas)]
HttpUrl = Annotated[str, Field(pattern=r"^https?://[^\s]+$")]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Days = Annotated[float, Field(ge=0, le=36_500)]
"""A hundred years at most, so that every day that is so long ago has a date."""
WholeDays = Annotated[int, Field(ge=0, le=36_500)]
EngineName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class Section(BaseModel):
    """A group of settings: frozen, closed against unknown names."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        hide_input_in_errors=True,  # it may be a key
    )
