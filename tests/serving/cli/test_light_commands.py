"""Commands load what they need: a fresh interpreter is asked what it has imported."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from evals.bench.cli import bench
from evals.cli import evaluate
from serving.commands import LazyGroup
from serving.images.cli import images

PROGRAM = """
import sys
from serving.cli.main import zwrotnica
try:
    zwrotnica.main(sys.argv[2:], standalone_mode=False)
finally:
    print(*sys.modules.keys() & set(sys.argv[1].split(",")), file=sys.stderr)
"""
LIGHT = "serving.commands"
HEAVY = (
    *("chatbot.bot", "chatbot.router", "chatbot.sanitizer", "chatbot.tools"),
    *("evals.assembly", "evals.bench.native", "serving.app", "serving.assembly"),
    *("fastapi", "morfeusz2", "numpy", "openai", "serving.gateway", "sqlalchemy", "sympy"),
)
PROFILE = """
[engines.local]
kind = "vllm"
url = "http://127.0.0.1:8000/v1"
model = "speakleash/Bielik-11B-v2.6-Instruct"

[engines.local.launch]
"""


def loaded(*words: str, cwd: Path) -> set[str]:
    """Which of `HEAVY` and `LIGHT` are loaded when the command has ended."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join([LIGHT, *HEAVY]), *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("bench", "--help"),
        ("eval", "--help"),
        ("engines", "list"),
        ("engines", "up", "--help"),
    ],
    ids=" ".join,
)
def test_a_command_that_answers_nobody_loads_nothing_that_answers(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert loaded(*words, cwd=tmp_path) == {LIGHT}


def test_a_servers_command_line_needs_no_router(tmp_path: Path) -> None:
    (tmp_path / "zwrotnica.toml").write_text(PROFILE, encoding="utf-8")

    assert loaded("engines", "command", "local", cwd=tmp_path) == {LIGHT}


@pytest.mark.parametrize("group", [bench, evaluate, images], ids=["bench", "eval", "images"])
def test_the_help_of_a_group_says_what_its_commands_say(group: click.Command) -> None:
    assert isinstance(group, LazyGroup)
    commands = {name: group.get_command(click.Context(group), name) for name in group.lazy}

    assert {
        name: command and command.get_short_help_str(200) for name, command in commands.items()
    } == {name: line for name, (_, line) in group.lazy.items()}
