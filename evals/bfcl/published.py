"""Runs the published checker: answers come in and verdicts go out, one line of JSON each.

Started by `evals.bfcl.cross_check` with the Python of the environment in which ``bfcl-eval`` is
installed without what it depends on. Of that, its checker needs nothing but a table of models that
imports a dozen clients; here it is one line.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any  # the published checker has no types

MODEL = "zwrotnica"
CHECKER = "bfcl_eval.eval_checker.ast_eval.ast_checker"


def load_checker() -> Callable[..., Any]:
    """The published ``ast_checker``, for a model that sees underscores in place of dots."""
    models = ModuleType("bfcl_eval.constants.model_config")
    table = {MODEL: SimpleNamespace(underscore_to_dot=True)}
    models.MODEL_CONFIG_MAPPING = table  # type: ignore[attr-defined]
    sys.modules[models.__name__] = models
    checker: Callable[..., Any] = import_module(CHECKER).ast_checker

    return checker


def read(path: Path) -> dict[str, Any]:
    """The lines of one of BFCL's files by id."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return {one["id"]: one for one in map(json.loads, filter(str.strip, lines))}


def main(folder: Path, category: str) -> None:
    """Judge every answer of standard input; a crash of the checker is told by its name."""
    check = load_checker()
    python = import_module("bfcl_eval.constants.enums").Language.PYTHON
    questions = read(folder / f"BFCL_v4_{category}.json")
    answers = read(folder / "possible_answer" / f"BFCL_v4_{category}.json")
    for line in sys.stdin:
        given = json.loads(line)
        functions = questions[given["id"]]["function"]
        truth = answers[given["id"]]["ground_truth"]
        try:
            verdict = check(functions, given["calls"], truth, python, category, MODEL)["valid"]
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            verdict = type(error).__name__
        print(json.dumps(verdict))  # noqa: T201 - this is its output


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
