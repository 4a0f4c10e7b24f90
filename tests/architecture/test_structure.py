"""Gates on the shape of the code that no linter has: sizes, the environment, late imports."""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from scripted.spreading import LONG_FIRST, TOGETHER

ROOT = Path(__file__).parents[2]
ROOMS = ("chatbot", "serving", "evals", "ui")
LINES_PER_FILE = 400
LINES_PER_FUNCTION = 40
VAGUE = frozenset({"utils", "util", "helper", "helpers", "manager", "handler", "common", "misc"})
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True, slots=True)
class Module:
    """What the gates want to know of one module."""

    path: Path
    lines: int
    purpose: str
    longest_function: int
    reads_environment: bool
    imports_late: bool


@cache
def modules() -> tuple[Module, ...]:
    """Every module, read and parsed once for all gates; no tree is kept."""
    return tuple(map(read_module, MODULES))


def read_module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    return Module(
        path=path.relative_to(ROOT),
        lines=text.count("\n"),
        purpose=(ast.get_docstring(tree) or "").split("\n", maxsplit=1)[0],
        longest_function=max(map(body_lines, functions), default=0),
        reads_environment=any(
            isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"} for node in nodes
        ),
        imports_late=any(map(has_import, outermost(functions))),
    )


def body_lines(function: Function) -> int:
    """Lines of a function without its signature and docstring."""
    has_docstring = ast.get_docstring(function) is not None
    body = function.body[1:] if has_docstring else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def outermost(functions: Iterable[Function]) -> Iterator[Function]:
    """Those that stand in no other, so that none is walked again for each around it."""
    end = 0
    for function in sorted(functions, key=lambda one: one.lineno):
        if function.lineno > end:
            yield function
            end = function.end_lineno or 0


def has_import(function: Function) -> bool:
    return any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))


def offenders(is_wrong: Callable[[Module], bool]) -> list[str]:
    return [str(module.path) for module in modules() if is_wrong(module)]


def test_files_are_of_readable_size() -> None:
    assert offenders(lambda module: module.lines > LINES_PER_FILE) == []


def test_functions_are_of_readable_size() -> None:
    assert offenders(lambda module: module.longest_function > LINES_PER_FUNCTION) == []


def test_modules_say_in_one_sentence_what_they_are_for() -> None:
    assert offenders(lambda module: not module.purpose.endswith((".", ":", "?"))) == []


def test_files_have_telling_names() -> None:
    assert offenders(lambda module: module.path.stem in VAGUE) == []


def test_only_settings_read_the_environment() -> None:
    def reads(module: Module) -> bool:
        return module.reads_environment and module.path.parts[:2] != ("serving", "settings")

    assert offenders(reads) == []


def test_imports_stand_at_the_top() -> None:
    assert offenders(lambda module: module.imports_late) == []


def test_the_files_that_are_spread_in_a_way_of_their_own_exist() -> None:
    named = {*LONG_FIRST, *TOGETHER, *TOGETHER.values()}

    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


def test_no_test_folder_is_a_package() -> None:
    assert sorted((ROOT / "tests").rglob("__init__.py")) == []


def test_every_room_has_a_readme() -> None:
    rooms = [path for room in ("chatbot", "serving") for path in (ROOT / room).iterdir()]
    packages = [path for path in rooms if (path / "__init__.py").exists()]

    assert [path.name for path in packages if not (path / "README.md").exists()] == []
