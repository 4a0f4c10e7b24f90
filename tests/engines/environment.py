"""The environment of the engines, apart from the gateway's: where it is, what runs in it."""

from pathlib import Path
from typing import Final

from scripted.missing import stop_without

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = ROOT / ".venv-engines" / "bin" / "python"
QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(ROOT),
    "VLLM_NO_USAGE_STATS": "1",
}
"""Variables for a program of it: no internet, one thread, our own code from the working tree."""


def require_installed() -> None:
    """Stop where ``install.sh`` has not come to its end."""
    if not any(PYTHON.parents[1].glob(".installed-*")):
        stop_without("no .venv-engines; run: make test-engines (or tests/engines/install.sh)")
