"""What a running tool is given: settings, web, cache, workers, pictures, time, the user."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias

import requests
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeVar

from chatbot.ports import Cache, Clock, ImageEngine, Workers
from chatbot.tools.threads import Threads

Progress: TypeAlias = Callable[[float | None, str], None]
ImageStep: TypeAlias = Callable[[int, int], None]


class NoSettings(BaseModel):
    """The settings of a tool that has none; any key given to it is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


SettingsT_co = TypeVar("SettingsT_co", bound=BaseModel, default=BaseModel, covariant=True)
PreparedT_co = TypeVar("PreparedT_co", default=object, covariant=True)


def ignore_progress(fraction: float | None, text: str) -> None:
    """Report to nobody."""


def ignore_step(step: int, of: int) -> None:
    """Report to nobody."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolContext(Generic[SettingsT_co, PreparedT_co]):
    """What a tool works with; members are synchronous and safe from any thread.

    ``ToolContext[MySettings]`` types ``settings``; ``ToolContext[MySettings, MyTable]`` types
    also ``prepared``, the value that the tool's prepare function gave (else ``None``).
    ``session`` has one deadline for everything done with it; ``images`` is ``None`` where no
    engine for pictures is connected; ``progress(fraction, text)`` tells the waiting user how far
    things are (``fraction`` from 0 to 1, or ``None``), ``image_step(step, of)`` how far a picture
    is. ``deadline_s`` is what the whole call may take, in seconds; ``timezone`` is an IANA name.
    """

    settings: SettingsT_co
    session: requests.Session
    cache: Cache
    workers: Workers
    images: ImageEngine | None
    clock: Clock
    language: Literal["pl", "en"] = "pl"
    timezone: str = "Europe/Warsaw"
    account: str = "local"
    deadline_s: float = 10.0
    progress: Progress = ignore_progress
    image_step: ImageStep = ignore_step
    prepared: PreparedT_co
    threads: Threads = field(repr=False)
