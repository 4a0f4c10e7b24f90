"""What a picture shows: charts of curves, before anything is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable


@runtime_checkable
class Times(Protocol):
    """Percentiles of some times in milliseconds; ``None`` where one is not known."""

    @property
    def p50(self) -> float | None:
        """The median."""
        ...

    @property
    def p95(self) -> float | None:
        """What one of twenty exceeds."""
        ...

    @property
    def p99(self) -> float | None:
        """What one of a hundred exceeds."""
        ...


Value: TypeAlias = float | Times | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """One server in one chart: places on the axis, values there, and lowest and highest rounds."""

    label: str
    places: tuple[float, ...]
    values: tuple[Value, ...]
    spread: tuple[Sequence[float], ...] = ()
    is_published: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Chart:
    """Curves of one figure, in one unit; a share is drawn from 0 to 1, all else by powers."""

    title: str
    unit: str
    curves: Sequence[Curve]
    is_share: bool = False
