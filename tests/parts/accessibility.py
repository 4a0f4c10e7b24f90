"""axe-core in a page: what it finds that keeps people out."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from playwright.sync_api import Page
from scripted.missing import stop_without

AXE = Path(__file__).parents[2] / ".cache" / "parts" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = frozenset({"serious", "critical"})
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = "async tags => (await axe.run(document, {runOnly: tags, resultTypes: ['violations']}))"


class Node(TypedDict):
    """An element in the wrong."""

    target: list[str]
    html: str
    failureSummary: str


class Violation(TypedDict):
    """A rule and the elements that break it."""

    id: str
    impact: str
    nodes: list[Node]


class Result(TypedDict):
    """What axe-core gives back, as far as it is read here."""

    violations: list[Violation]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One element that breaks one rule."""

    rule: str
    impact: str
    target: str
    html: str

    @property
    def is_grave(self) -> bool:
        return self.impact in GRAVE

    def __str__(self) -> str:
        return f"{self.impact} {self.rule}: {self.target}: {self.html[:200]}"


@cache
def _source() -> str:
    if not AXE.is_file():
        stop_without("axe-core is missing; run: make test-parts (or tests/parts/install.sh)")
    return AXE.read_text(encoding="utf-8")


def find_faults(page: Page) -> list[Finding]:
    """Every element of the page, as it stands, that breaks a rule of WCAG 2.2 AA or good sense."""
    page.evaluate(_source())  # the page's own policy does not hold for its debugger
    result: Result = page.evaluate(RUN, TAGS)
    return [
        Finding(
            rule=violation["id"],
            impact=violation["impact"],
            target=" ".join(map(str, node["target"])),
            html=node["html"],
        )
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


def grave(findings: Collection[Finding]) -> list[str]:
    """What nobody may be shown, in words."""
    return [str(finding) for finding in findings if finding.is_grave]
