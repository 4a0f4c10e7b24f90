"""The figures of a process for Prometheus; labels have few values, and none comes from a user."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from serving.telemetry.families import Counter, Gauge, Histogram

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
FIGURES_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""By this, set before they start, `prometheus_client` in several processes shares a folder."""
_PREFIX: Final = "zwrotnica_"
SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the buckets of times, but for the gateway's own."""
_SHORT_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """What one figure is; ``name`` is the one that queries use, but for a histogram's suffixes."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    labels: tuple[str, ...]
    meaning: str


def figures_folder(data_dir: Path) -> Path:
    """Where several processes keep the figures that they share."""
    return data_dir.absolute() / "workers"


def clear_figures(folder: Path) -> None:
    """Make ``folder`` fit for a first worker: what earlier ones counted is forgotten."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for old in folder.glob("*.db"):
        old.unlink()


class HttpMetrics:
    """The figures that every HTTP process has, in a registry of its own.

    ``figures`` describes them, in the order made.
    """

    def __init__(self, *, folder: Path | None = None) -> None:
        """Every figure starts at zero.

        ``folder`` is the one that several processes share; then each answers for all of them.
        """
        self.registry = CollectorRegistry()
        self._folder = folder
        self.figures: list[Figure] = []
        self.requests = self._count("http_requests", "Requests answered.", "route", "status")
        self.request_seconds = self._time(
            "http_request_seconds", "From a request's headers to the end of its answer.", "route"
        )
        self.errors = self._count("errors", "Errors given to clients.", "code")
        self.abandoned = self._count("abandoned_requests", "Requests whose client left.")

    def _count(self, name: str, meaning: str, *labels: str) -> Counter:
        self._describe(f"{name}_total", "counter", meaning, labels)
        return Counter(_PREFIX + name, meaning, labels, registry=self.registry)

    def _time(
        self, name: str, meaning: str, *labels: str, buckets: tuple[float, ...] = SECONDS
    ) -> Histogram:
        self._describe(name, "histogram", meaning, labels)
        return Histogram(_PREFIX + name, meaning, labels, buckets=buckets, registry=self.registry)

    def _level(self, name: str, meaning: str, *labels: str) -> Gauge:
        self._describe(name, "gauge", meaning, labels)
        return Gauge(
            _PREFIX + name,
            meaning,
            labels,
            registry=self.registry,
            multiprocess_mode="livesum",
        )

    def _describe(
        self,
        name: str,
        kind: Literal["counter", "gauge", "histogram"],
        meaning: str,
        labels: tuple[str, ...],
    ) -> None:
        described = Figure(name=_PREFIX + name, kind=kind, labels=labels, meaning=meaning)
        self.figures.append(described)

    def render(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._together())

    def read(self) -> dict[str, float]:
        """All figures by name and labels, as the text format writes them."""
        lines = self.render().decode().splitlines()
        pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) for name, _, value in pairs}

    def _together(self) -> CollectorRegistry:
        """This process's figures, or those of all that share a folder."""
        if self._folder is None:
            return self.registry
        together = CollectorRegistry()
        MultiProcessCollector(together, path=str(self._folder))  # type: ignore[no-untyped-call]  # the library's
        return together


class Metrics(HttpMetrics):
    """The figures of a gateway."""

    def __init__(self, *, folder: Path | None = None) -> None:
        """Every figure starts at zero; ``folder``: see `HttpMetrics`."""
        super().__init__(folder=folder)
        self._make_turns()
        self._make_engines()
        self._make_stored()
        self._make_process()

    def _make_turns(self) -> None:
        self.turns = self._level("turns", "Turns running now.")
        self.refused = self._count("turns_refused", "Turns that were not let in.", "code")
        self.alone = self._count(
            "limits_alone",
            "Requests held against one worker's share of limits, the shared ones being away.",
        )
        self.routes = self._count("routes", "Decisions of the router.", "decision", "reason")
        self.verifications = self._count(
            "router_verifications", "Router models' choices compared with the detector's.", "agrees"
        )
        self.second_looks = self._count(
            "second_looks", "Messages of which a second router model was asked.", "doubt"
        )
        self.verdict_seconds = self._time(
            "verdict_seconds", "Until the router's verdict.", "decision"
        )
        self.first_text_seconds = self._time(
            "first_text_seconds",
            "From a request to the first text or picture of its answer.",
            "path",
            "engine",
        )
        self.gateway_seconds = self._time(
            "gateway_seconds",
            "From a request to the first text of its answer, without the time in which an engine "
            "was asked.",
            "path",
            buckets=_SHORT_SECONDS,
        )
        self.finds = self._count(
            "sensitive_finds",
            "What rules for sensitive content found.",
            "rule",
            "direction",
            "action",
        )
        self.tool_seconds = self._time(
            "tool_seconds", "From a tool call to its result.", "tool", "status"
        )

    def _make_engines(self) -> None:
        self.tokens = self._count("tokens", "Tokens of engine calls.", "engine", "role", "kind")
        self.engine_seconds = self._time(
            "engine_request_seconds",
            "From a request to an engine until its answer ended or was left.",
            "engine",
            "outcome",
        )
        self.first_token_seconds = self._time(
            "engine_first_token_seconds",
            "From a request to an engine to its first token.",
            "engine",
        )
        self.engine_running = self._level(
            "engine_requests", "Requests that an engine is being asked now.", "engine"
        )
        self.open_breakers = self._level(
            "engine_breakers_open",
            "Servers of an engine that are left alone after repeated failures.",
            "engine",
        )
        self.oddities = self._count(
            "engine_oddities", "What was strange about an engine.", "engine", "oddity"
        )

    def _make_stored(self) -> None:
        self.frames = self._count(
            "frames_sent_back", "Frames in conversations that clients sent.", "verdict"
        )
        self.rebuilt = self._count(
            "rebuilt_answers", "Answers sent back by clients that got their stored calls again."
        )
        self.swept = self._count(
            "swept", "What was deleted because it had been kept long enough.", "kind"
        )
        self.call_failures = self._count(
            "call_storage_failures", "Calls of answers that the database lost.", "operation"
        )

        self.ledger_seconds = self._time(
            "ledger_seconds",
            "Until a group of the ledger's rows is on the disk.",
            buckets=_SHORT_SECONDS,
        )

    def _make_process(self) -> None:
        self.memory = self._level("memory_bytes", "Main memory of the gateway's processes.")
        self.spans_dropped = self._count(
            "spans_dropped", "Spans that did not reach the collector.", "reason"
        )

    def count_dropped(self, reason: str, number: int) -> None:
        """Spans that did not reach the collector."""
        self.spans_dropped.labels(reason).inc(number)

    def count_find(self, rule: str, direction: str, action: str, number: int) -> None:
        """What a rule for sensitive content found, and what was done about it."""
        self.finds.labels(rule, direction, action).inc(number)

    def count_swept(self, kind: str, number: int) -> None:
        """What was deleted because it had been kept long enough."""
        self.swept.labels(kind).inc(number)

    def count_oddity(self, engine: str, oddity: str) -> None:
        """An engine's alarm."""
        self.oddities.labels(engine, oddity).inc()

    def count_tokens(self, engine: str, role: str, *, prompt: int, completion: int) -> None:
        """What one engine call has cost."""
        self.tokens.labels(engine, role, "prompt").inc(prompt)
        self.tokens.labels(engine, role, "completion").inc(completion)
