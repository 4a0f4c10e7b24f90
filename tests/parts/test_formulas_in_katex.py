"""Guarded formulas in the real KaTeX: what it accepts before the guard it accepts after it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from scripted.missing import stop_without
from scripted.patience import PATIENCE_S

from chatbot.sanitizer import guard_text

pytestmark = pytest.mark.parts

HERE = Path(__file__).parent
PARTS = HERE.parents[1] / ".cache" / "parts"
FORMULAS = (HERE / "formulas.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None or not (PARTS / "node_modules" / "katex").is_dir():
        stop_without(
            "node or KaTeX is missing: run make test-parts as root, or install nodejs and npm"
        )
    return str(found)


def verdicts(node: str, formulas: list[str]) -> list[str]:
    done = subprocess.run(
        [node, str(HERE / "katex.mjs"), str(PARTS)],
        input=json.dumps(formulas),
        capture_output=True,
        text=True,
        check=True,
        timeout=4 * PATIENCE_S,
    )
    return list(json.loads(done.stdout))


def guarded(formula: str) -> str:
    return guard_text(f"$${formula}$$").removeprefix("$$").removesuffix("$$")


def test_corpus_is_accepted_unguarded(node: str) -> None:
    assert len(FORMULAS) >= 100
    assert [v for v in verdicts(node, FORMULAS) if v != "ok"] == []


def test_every_guarded_formula_is_accepted(node: str) -> None:
    assert [v for v in verdicts(node, [guarded(f) for f in FORMULAS]) if v != "ok"] == []


def test_guard_really_touches_some_formulas() -> None:
    assert sum(guarded(formula) != formula for formula in FORMULAS) >= 10
