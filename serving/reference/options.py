"""What the reference server is started with."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import SecretStr

DtypeName: TypeAlias = Literal["auto", "float32", "bfloat16", "float16"]
DeviceName: TypeAlias = Literal["auto", "cpu", "cuda"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelOptions:
    """The model: ``folder`` holds the checkpoint; ``context`` ``None`` is the checkpoint's own."""

    folder: str
    dtype: DtypeName = "auto"
    device: DeviceName = "auto"
    context: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerOptions:
    """The server: ``batch`` rows at once, or those that come within ``wait_s`` of the first."""

    served_name: str
    host: str = "127.0.0.1"
    port: int = 8000
    batch: int = 8
    wait_s: float = 0.02
    places: int = 1024
    key: SecretStr | None = None
