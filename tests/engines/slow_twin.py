"""Keeps the slow twin of the tiny checkpoint in the cache, made again when its recipe changes."""

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Final

from engines.environment import PYTHON, ROOT

CHECKPOINTS: Final = Path(__file__).with_name("checkpoints")
TINY: Final = CHECKPOINTS / "tiny"
_CACHE: Final = ROOT / ".cache" / "checkpoints"
_RECIPE: Final = CHECKPOINTS / "make_slow.py"


def slow_twin() -> Path:
    """The folder of the slow checkpoint: made in some seconds, 100 MB, only the newest kept."""
    ingredients = sorted(path for path in TINY.iterdir() if path.is_file())
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in (_RECIPE, *ingredients)))
    folder = _CACHE / f"slow-{digest.hexdigest()[:16]}"
    if not folder.exists():
        shutil.rmtree(_CACHE, ignore_errors=True)
        unfinished = folder.with_suffix(".unfinished")
        subprocess.run([str(PYTHON), str(_RECIPE), str(TINY), str(unfinished)], check=True)
        unfinished.rename(folder)
    return folder
