"""What the machine has: by the driver's program, else by the settings."""

import os
from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.engines.budget import find_hardware
from serving.engines.budget.hardware import read_cards
from serving.settings import HardwareSettings

GIB = 2**30
MIB = 2**20
TOLD = HardwareSettings(card_gib=(24.0,), ram_gib=16.0)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the driver's program is looked for, empty at first."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    return tmp_path


def install(programs: Path, script: str) -> None:
    program = programs / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


def test_the_driver_goes_before_the_settings(programs: Path) -> None:
    install(programs, "printf '0, NVIDIA A100, 81920\\n1, NVIDIA A100, 81920\\n'")
    assert find_hardware(TOLD).cards == (80 * GIB, 80 * GIB)


def test_the_driver_is_asked_for_what_is_read(programs: Path) -> None:
    install(programs, f'echo "$@" > {programs}/asked; echo "0, card, 1024"')
    find_hardware(TOLD)
    assert (programs / "asked").read_text().split() == [
        "--query-gpu=index,name,memory.total",
        "--format=csv,noheader,nounits",
    ]


@pytest.mark.parametrize("script", ["exit 9", "echo 'No devices were found'", "kill -9 $$"])
def test_a_driver_that_fails_leaves_the_settings(programs: Path, script: str) -> None:
    install(programs, script)
    assert find_hardware(TOLD).cards == (24 * GIB,)


def test_without_a_driver_the_settings_count(programs: Path) -> None:
    assert not list(programs.iterdir())
    found = find_hardware(TOLD.model_copy(update={"detect": False}))
    assert (found.cards, found.ram) == ((24 * GIB,), 16 * GIB)


def test_planning_for_another_machine_asks_nobody(programs: Path) -> None:
    install(programs, f"touch {programs}/asked; echo '0, card, 1024'")
    assert find_hardware(TOLD.model_copy(update={"detect": False})).cards == (24 * GIB,)
    assert not (programs / "asked").exists()


def test_the_system_tells_the_main_memory(programs: Path) -> None:
    assert not list(programs.iterdir())
    found = find_hardware(HardwareSettings())
    assert found.ram is not None
    assert found.ram > 64 * MIB


def test_none_told_is_not_the_same_as_nothing_told() -> None:
    none = HardwareSettings(card_gib=(), detect=False)
    assert find_hardware(none).cards == ()
    assert find_hardware(HardwareSettings(detect=False)).cards is None


@every_row(
    ("answer", "cards"),
    [
        ("0, NVIDIA L4, 23034\n", (23034 * MIB,)),
        ("1, b, 2048\n0, a, 1024\n", (1024 * MIB, 2048 * MIB)),
        ("0, a name, with commas, 1024", (1024 * MIB,)),
        ("0, a, 1024\n0, again, 4096\n", (1024 * MIB,)),
        ("", ()),
        ("NVIDIA-SMI has failed because it couldn't communicate with the driver", ()),
        ("0, a, [N/A]\n", ()),
        ("0, a, -5\n0, a, 0\n0, a, 99999999999999999999999\n", ()),
        ("x, a, 1024\n", ()),
        ("²,a,1024\n٠, a, 1024\n", ()),
        ("\x00\x1b[31m,,,\n" * 1000, ()),
        ("5, alone, 1024\n", ()),
    ],
)
def test_only_lines_of_the_right_form_are_cards(answer: str, cards: tuple[int, ...]) -> None:
    assert read_cards(answer) == cards
