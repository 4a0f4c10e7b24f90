"""Figures that others have published, with their hardware, to be shown beside a run."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import click
from pydantic import ConfigDict, TypeAdapter, with_config

FOLDER = Path(__file__).with_name("reference")
_STRICT = ConfigDict(extra="forbid")


@with_config(_STRICT)
@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedTimes:
    """Those percentiles that were published, in milliseconds."""

    p50: float | None = None
    p95: float | None = None
    p99: float | None = None


@with_config(_STRICT)
@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedLoad:
    """Under one load, named as in a run (``64`` is a closed loop); throughput in tokens/s."""

    load: str
    throughput: float | None = None
    first_ms: PublishedTimes = PublishedTimes()
    per_token_ms: PublishedTimes = PublishedTimes()
    latency_ms: PublishedTimes = PublishedTimes()


@with_config(_STRICT)
@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedSpeed:
    """Answers of ``least`` tokens and more, tokens/s, and seconds of all with queueing."""

    least: int
    speed: float
    total_s: float | None = None


@with_config(_STRICT)
@dataclass(frozen=True, kw_only=True, slots=True)
class Published:
    """What one source tells of one engine, and of what it was measured on and with.

    ``kind`` says what kind of source it is.
    """

    name: str
    hardware: str
    workload: str
    source: str
    url: str
    kind: str = "published"
    loads: tuple[PublishedLoad, ...] = ()
    speeds: tuple[PublishedSpeed, ...] = ()

    @property
    def label(self) -> str:
        """What is shown of it in tables and pictures: whose figures these are."""
        return f"{self.name} ({self.kind})"


_READER = TypeAdapter(Published)


def list_references() -> list[str]:
    """The names of those that ship with the benchmark."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_reference(text: str) -> Published:
    """The one that ships under the name ``text``, or that the file at ``text`` holds.

    Raises:
        click.BadParameter: there is neither, or the file has not that form.
    """
    path = FOLDER / f"{text}.toml" if text in list_references() else Path(text)
    try:
        return _READER.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise click.BadParameter(
            f"{text!r} is neither a file that can be read nor one of {', '.join(list_references())}"
        ) from error
    except ValueError as error:
        raise click.BadParameter(f"{str(path)!r} tells no published figures: {error}") from error
