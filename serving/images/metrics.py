"""The figures of the image server, and its pace: how long pictures take."""

from typing import Final

from prometheus_client import Histogram

from serving.telemetry import HttpMetrics

_WEIGHT: Final = 0.3
"""Weight of the latest run in the pace, against all before it."""
_SECONDS: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


class ImageMetrics(HttpMetrics):
    """The figures of one image server."""

    def __init__(self) -> None:
        """Every figure starts at zero."""
        super().__init__()
        self.waiting = self._level("images_waiting", "Pictures that wait in the queue.")
        self.running = self._level("images_running", "Pictures that are being drawn.")
        self.wait_seconds = self._long("images_wait_seconds", "From an order until it is drawn.")
        self.picture_seconds = self._long(
            "images_picture_seconds", "Seconds of the pipeline for each picture."
        )
        self.steps = self._count("images_steps", "Steps of the pipeline.")
        self.pictures = self._count("images_pictures", "Pictures drawn to their end.")
        self.batches = self._count("images_batches", "Runs of the pipeline.")
        self.refused = self._count("images_refused", "Pictures refused by a full queue.")
        self.cancelled = self._count(
            "images_cancelled", "Pictures whose client left: waiting or running.", "phase"
        )
        self.links = self._level("images_links", "Pictures that wait behind a link.")
        self.cut_prompts = self._count("images_cut_prompts", "Prompts cut at the model's limit.")

    def _long(self, name: str, meaning: str) -> Histogram:
        return Histogram(f"zwrotnica_{name}", meaning, buckets=_SECONDS, registry=self.registry)


class Pace:
    """Seconds of the pipeline for each unit of work (pixel times step), the latest weighing most.

    An exponentially weighted mean, because pace changes with the machine's load and temperature.
    """

    def __init__(self) -> None:
        """Nothing is known before the first run."""
        self._rate: float | None = None

    def note(self, work: int, seconds: float) -> None:
        """Take into account that ``work`` took ``seconds``."""
        rate = seconds / work
        self._rate = rate if self._rate is None else self._rate + _WEIGHT * (rate - self._rate)

    def seconds(self, work: int) -> float:
        """How long ``work`` will take, as far as is known."""
        return work * (self._rate or 0.0)
