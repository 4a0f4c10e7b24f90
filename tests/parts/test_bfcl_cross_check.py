"""Our judgement of BFCL's calls against the published `bfcl-eval`, in its own environment."""

from pathlib import Path

import pytest
from scripted.missing import stop_without

from evals.bfcl.cross_check import (
    AST_CATEGORIES,
    Comparison,
    CrossCheckError,
    compare,
    install,
)
from evals.bfcl.entries import read_entries

pytestmark = pytest.mark.parts

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "evals" / "bfcl"


@pytest.fixture(scope="module")
def python() -> Path:
    try:
        return install(ROOT / ".cache" / "parts" / "bfcl")
    except CrossCheckError as error:
        stop_without(f"bfcl-eval is not installed: {error.message}; run: make test-parts")


@pytest.mark.parametrize("category", AST_CATEGORIES)
def test_both_judge_every_answer_alike(python: Path, category: str) -> None:
    compared = compare(SAMPLE, category, python)
    assert len(compared) > 300
    assert {one.theirs for one in compared} >= {True, False}
    assert [one for one in compared if one.differs] == []


def test_a_crash_of_theirs_agrees_with_wrong_alone() -> None:
    entry = read_entries(SAMPLE, "simple_python")[0]
    verdicts = {
        (ours, theirs): Comparison(entry=entry, calls=(), ours=ours, theirs=theirs).differs
        for ours in (True, False)
        for theirs in (True, False, "OverflowError")
    }
    assert {both for both, differs in verdicts.items() if differs} == {
        (True, False),
        (False, True),
        (True, "OverflowError"),
    }
