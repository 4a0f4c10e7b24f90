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
for command in sys.argv[2:]:
    zwrotnica.main(command.split(), standalone_mode=False)
    print(command, *sys.modules.keys() & set(sys.argv[1].split(",")), sep="|", file=sys.stderr)
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


def loaded(*commands: str, cwd: Path) -> dict[str, set[str]]:
    """Which of `HEAVY` and `LIGHT` are loaded when each of the commands has ended, in turn."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join([LIGHT, *HEAVY]), *commands],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
    )
    lines = [line.split("|") for line in done.stderr.splitlines() if "|" in line]
    return {command: set(modules) for command, *modules in lines}


def test_commands_that_answer_nobody_load_nothing_that_answers(tmp_path: Path) -> None:
    commands = ("--help", "bench --help", "eval --help", "engines list", "engines up --help")
    assert loaded(*commands, cwd=tmp_path) == {command: {LIGHT} for command in commands}


def test_a_servers_command_line_needs_no_router(tmp_path: Path) -> None:
    (tmp_path / "zwrotnica.toml").write_text(PROFILE, encoding="utf-8")

    assert loaded("engines command local", cwd=tmp_path) == {"engines command local": {LIGHT}}


@pytest.mark.parametrize("group", [bench, evaluate, images], ids=["bench", "eval", "images"])
def test_the_help_of_a_group_says_what_its_commands_say(group: click.Command) -> None:
    assert isinstance(group, LazyGroup)
    commands = {name: group.get_command(click.Context(group), name) for name in group.lazy}

    assert {
        name: command and command.get_short_help_str(200) for name, command in commands.items()
    } == {name: line for name, (_, line) in group.lazy.items()}
