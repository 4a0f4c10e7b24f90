"""Prometheus' figures, which remember the members of their families by their labels."""

from typing import Self

import prometheus_client


class _Family(prometheus_client.metrics.MetricWrapperBase):
    """The library turns each label into text and asks a lock at each call, ten times a request."""

    _members: dict[tuple[object, ...], Self]

    def labels(self, *labelvalues: object, **labelkwargs: object) -> Self:
        """The member with these labels; members are never removed."""
        if labelkwargs:
            return super().labels(*labelvalues, **labelkwargs)
        try:
            return self._members[labelvalues]
        except (AttributeError, KeyError):
            members: dict[tuple[object, ...], Self] = self.__dict__.setdefault("_members", {})
            member = members[labelvalues] = super().labels(*labelvalues)
            return member


class Counter(_Family, prometheus_client.Counter):
    """Only grows."""


class Gauge(_Family, prometheus_client.Gauge):
    """Goes up and down."""


class Histogram(_Family, prometheus_client.Histogram):
    """Counts by size."""
