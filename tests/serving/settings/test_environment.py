"""What the environment is used for besides settings."""

import os
import subprocess
import sys

import pytest

from serving.settings import multiply_on_one_thread

NAME = "OPENBLAS_NUM_THREADS"
ASKED = f"""
import os, sys
import serving.cli.main as line
line.zwrotnica.main = lambda **_: print(os.environ["{NAME}"], "numpy" in sys.modules)
line.main()
"""


def test_what_the_operator_says_of_threads_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "4")

    multiply_on_one_thread()

    assert os.environ[NAME] == "4"


def test_a_command_sets_one_thread_before_numpy_is_there() -> None:
    plain = {name: value for name, value in os.environ.items() if name != NAME}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, env=plain
    )

    assert done.stdout.split() == ["1", "False"]
