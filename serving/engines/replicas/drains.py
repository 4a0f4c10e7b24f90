"""Which servers an operator has taken out of use: one small file for each engine."""

import os
from pathlib import Path
from typing import Final

_SUFFIX: Final = ".drained"
_FILE_BYTES: Final = 65_536


def read_drained(folder: Path, engine: str) -> frozenset[str]:
    """The addresses of the engine's servers that get no new requests; none where nothing is said.

    ``folder`` is that of `serving.engines.states.engines_folder`.
    """
    try:
        with (folder / f"{engine}{_SUFFIX}").open("rb") as file:
            said = file.read(_FILE_BYTES)
    except OSError:
        return frozenset()
    return frozenset(said.decode(errors="replace").split())


def write_drained(folder: Path, engine: str, urls: frozenset[str]) -> None:
    """Put ``urls`` in the place of what was said before, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = folder / f".{engine}{_SUFFIX}.{os.getpid()}"
    draft.write_text("".join(f"{url}\n" for url in sorted(urls)), encoding="utf-8")
    draft.replace(folder / f"{engine}{_SUFFIX}")
