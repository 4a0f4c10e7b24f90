"""What the machine has: cards by `nvidia-smi`, main memory by the system, else by the settings."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Final

from serving.settings import HardwareSettings

GIB: Final = 2**30
_MIB: Final = 2**20
_SMI: Final = "nvidia-smi"
_QUERY: Final = ("--query-gpu=index,name,memory.total", "--format=csv,noheader,nounits")
_LIMIT_S: Final = 20.0
"""The first call after a start can wait for the driver for some seconds."""
_CARDS: Final = 64
_MOST_MIB: Final = 2**30


@dataclass(frozen=True, kw_only=True, slots=True)
class Hardware:
    """Bytes of each card by number and of main memory; ``None`` where nobody knows."""

    cards: tuple[int, ...] | None
    ram: int | None


def find_hardware(settings: HardwareSettings) -> Hardware:
    """What is there where ``detect`` is on; what is not found, as the settings say."""
    told = settings.card_gib
    cards = None if told is None else tuple(round(gib * GIB) for gib in told)
    ram = None if settings.ram_gib is None else round(settings.ram_gib * GIB)
    if not settings.detect:
        return Hardware(cards=cards, ram=ram)
    return Hardware(cards=_ask_driver() or cards, ram=_ask_system() or ram)


def read_cards(answer: str) -> tuple[int, ...]:
    """Bytes of the cards in what `nvidia-smi` prints; what is no line of its form is left out."""
    sizes: dict[int, int] = {}
    for line in answer.splitlines()[:_CARDS]:
        number, _, rest = line.partition(",")
        mebibytes = rest.rpartition(",")[2]
        if _is_count(number) and _is_count(mebibytes) and 0 < int(mebibytes) <= _MOST_MIB:
            sizes.setdefault(int(number), int(mebibytes) * _MIB)
    return tuple(sizes[number] for number in range(len(sizes)) if number in sizes)


def _is_count(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < 12  # noqa: PLR2004 - no size has more digits


def _ask_driver() -> tuple[int, ...]:
    """The cards; none where there is no driver, or it does not answer in time."""
    program = shutil.which(_SMI)
    if program is None:
        return ()
    try:
        run = subprocess.run(  # noqa: S603 - the driver's own program, found in PATH
            [program, *_QUERY], capture_output=True, timeout=_LIMIT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    return read_cards(run.stdout[: _CARDS * 256].decode("utf-8", errors="replace"))


def _ask_system() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return None
