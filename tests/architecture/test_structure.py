"""Gates on the shape of the code that no linter has: sizes, the environment, late imports."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("chatbot", "serving", "evals", "ui")
LINES_PER_FILE = 400
LINES_PER_FUNCTION = 40
VAGUE = frozenset({"utils", "util", "helper", "helpers", "manager", "handler", "common", "misc"})
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(module) if isinstance(node, FUNCTIONS))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its signature and docstring."""
    has_docstring = ast.get_docstring(function) is not None
    body = function.body[1:] if has_docstring else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def reads_environment(module: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
        for node in ast.walk(module)
    )


def offenders(is_wrong: Callable[[Path, ast.Module], object]) -> list[str]:
    return [
        str(path.relative_to(ROOT))
        for path in MODULES
        if is_wrong(path, ast.parse(path.read_text(encoding="utf-8")))
    ]


def test_files_are_of_readable_size() -> None:
    assert offenders(lambda path, _: path.read_text().count("\n") > LINES_PER_FILE) == []


def test_functions_are_of_readable_size() -> None:
    def is_long(_: Path, module: ast.Module) -> bool:
        return any(body_lines(function) > LINES_PER_FUNCTION for function in functions(module))

    assert offenders(is_long) == []


def test_modules_say_in_one_sentence_what_they_are_for() -> None:
    def is_silent(_: Path, module: ast.Module) -> bool:
        first = (ast.get_docstring(module) or "").split("\n", maxsplit=1)[0]
        return not first.endswith((".", ":", "?"))

    assert offenders(is_silent) == []


def test_files_have_telling_names() -> None:
    assert offenders(lambda path, _: path.stem in VAGUE) == []


def test_only_settings_read_the_environment() -> None:
    def reads(path: Path, module: ast.Module) -> bool:
        is_settings = path.relative_to(ROOT).parts[:2] == ("serving", "settings")
        return not is_settings and reads_environment(module)

    assert offenders(reads) == []


def test_imports_stand_at_the_top() -> None:
    def is_late(_: Path, module: ast.Module) -> bool:
        return any(
            isinstance(node, ast.Import | ast.ImportFrom)
            for function in functions(module)
            for node in ast.walk(function)
        )

    assert offenders(is_late) == []


def test_no_test_folder_is_a_package() -> None:
    assert sorted((ROOT / "tests").rglob("__init__.py")) == []


def test_every_room_has_a_readme() -> None:
    rooms = [path for room in ("chatbot", "serving") for path in (ROOT / room).iterdir()]
    packages = [path for path in rooms if (path / "__init__.py").exists()]

    assert [path.name for path in packages if not (path / "README.md").exists()] == []
