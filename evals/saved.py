"""Reads the JSON reports of earlier runs."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue as Json, ValidationError

from chatbot.errors import ZwrotnicaError
from evals.metrics import Share, Spread
from evals.tables import say_call, say_decision


class ReportError(ZwrotnicaError):
    """A JSON report cannot be read, or does not belong beside the others."""


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True)


class SavedShare(_Read):
    """A share of a report."""

    hits: int
    total: int

    @property
    def share(self) -> Share:
        """As metrics have it."""
        return Share(hits=self.hits, total=self.total)


class SavedSpread(_Read):
    """Percentiles of a report."""

    p50: float
    p95: float

    @property
    def spread(self) -> Spread:
        """As metrics have it."""
        return Spread(p50=self.p50, p95=self.p95)


class SavedPair(_Read):
    """A share before and after grounding."""

    before: SavedShare
    after: SavedShare


class SavedDetection(_Read):
    """Precision and recall of a report."""

    precision: SavedShare
    recall: SavedShare


class SavedTokens(_Read):
    """Tokens of a report."""

    prompt: SavedSpread | None = None
    completion: SavedSpread | None = None
    total_prompt: int
    total_completion: int
    wasted: int


class SavedFigures(_Read):
    """The figures that are compared."""

    accuracy: SavedShare
    over_triggering: SavedShare
    under_triggering: SavedShare
    arguments: SavedShare
    raw_arguments: SavedShare
    polish: SavedPair
    bfcl: SavedPair
    questions: SavedDetection
    tools: Mapping[str, SavedDetection]
    verdict_ms: SavedSpread | None = None
    decision_ms: SavedSpread | None = None
    tokens: SavedTokens


class SavedCall(_Read):
    """One call, expected or decided."""

    tool: str
    arguments: Mapping[str, Json]

    def __str__(self) -> str:
        """``get_weather(city='Łódź')``."""
        return say_call(self.tool, self.arguments)


class SavedDecision(_Read):
    """One right decision."""

    tool: str | None
    ask: str | None = None
    calls: tuple[SavedCall, ...] = ()

    def __str__(self) -> str:
        """In one line."""
        return say_decision(self.tool, self.ask, map(str, self.calls))


class SavedMessage(_Read):
    """One message before the prompt."""

    role: str
    text: str


class SavedOutcome(_Read):
    """One case with what was decided and how right that is."""

    prompt: str
    history: tuple[SavedMessage, ...] = ()
    tags: tuple[str, ...] = ()
    right: tuple[SavedDecision, ...]
    tool: str | None
    asked: str | None = None
    calls: tuple[SavedCall, ...] = ()
    reason: str
    rewritten: str | None = None
    tool_right: bool
    arguments_right: bool | None = None
    polish: bool
    patterns: tuple[str, ...] = ()
    verdict_ms: int
    decision_ms: float

    @property
    def is_right(self) -> bool:
        """Whether tool and arguments are right."""
        return self.tool_right and self.arguments_right is not False

    @property
    def decided(self) -> str:
        """What was decided, in one line."""
        return say_decision(self.tool, self.asked, map(str, self.calls))


class SavedRun(_Read):
    """A JSON report; ``label`` is how a comparison calls it."""

    label: str = ""
    cases: str
    fingerprint: str
    engine: str
    dialect: str
    mode: str | None = None
    figures: SavedFigures
    outcomes: Mapping[str, SavedOutcome]


def read_run(path: Path) -> SavedRun:
    """Read a report that ``zwrotnica eval run --json`` wrote; its file's name is its label.

    Raises:
        ReportError: it is missing or is no such report.
    """
    try:
        run = SavedRun.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise ReportError(
            f"cannot read the report {str(path)!r}; make it with `zwrotnica eval run --json`"
        ) from error
    return run.model_copy(update={"label": path.stem})
