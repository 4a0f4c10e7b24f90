"""The words that stand before a program to run it by a script of this folder."""

import sys
from pathlib import Path
from typing import Final


def _script(name: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name(name)))


LAUNCH: Final = _script("launch.py")
"""Runs a program that dies with its parent, whose process id follows, and then the program."""
GUARD: Final = _script("guardian.py")
"""Runs a program under a guardian of all its processes; the program follows."""
