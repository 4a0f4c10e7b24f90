"""Writes what a training found into a file that the package reads."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray


def out_option(reader: ModuleType, name: str, what: str = "weights") -> Callable[..., Any]:
    """Build the option ``--out``: by default the file ``name`` beside the module that reads it."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path(reader.__file__ or "").with_name(name),
        help=f"Where the {what} go; by default into the package.",
    )


def write_weights(out: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write arrays compressed and without pickle; print the file's size and checksum."""
    packed = BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    out.write_bytes(packed.getvalue())
    click.echo(
        f"{out.name}: {len(packed.getvalue())} bytes, {sha256(packed.getvalue()).hexdigest()}"
    )


def coarse(values: NDArray[np.floating]) -> NDArray[np.float16]:
    """Round to five bits of fraction: what lies below is noise of the fit and cannot be packed."""
    kept = values.astype(np.float16).view(np.uint16).astype(np.uint32)
    return ((kept + 0x10) & 0xFFE0).astype(np.uint16).view(np.float16)
