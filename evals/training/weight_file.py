"""Writes what a training found into a file that the package reads."""

import lzma
import zlib
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import click
import numpy as np
from numpy.typing import NDArray

_STEP = 1 / 128
_WORTH_IT = 0.97
"""LZMA takes seven times as long to read as DEFLATE, and must pack better by this."""
_DATE = (2000, 1, 1, 0, 0, 0)  # the same arrays give the same file


def out_option(reader: ModuleType, name: str, what: str = "weights") -> Callable[..., Any]:
    """Build the option ``--out``: by default the file ``name`` beside the module that reads it."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path(reader.__file__ or "").with_name(name),
        help=f"Where the {what} go; by default into the package.",
    )


def write_weights(out: Path, arrays: Mapping[str, NDArray[np.generic]]) -> None:
    """Write arrays as `numpy.savez` does, packed; print the file's size and checksum."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, array in arrays.items():
            lines = BytesIO()
            np.lib.format.write_array(lines, np.asarray(array, order="C"), allow_pickle=False)
            data = lines.getvalue()
            archive.writestr(ZipInfo(f"{name}.npy", _DATE), data, _packing(data))
    out.write_bytes(packed.getvalue())
    click.echo(
        f"{out.name}: {len(packed.getvalue())} bytes, {sha256(packed.getvalue()).hexdigest()}"
    )


def _packing(data: bytes) -> int:
    """LZMA, but DEFLATE for what is as good as noise: that packs it as well and reads it faster."""
    is_worth_it = len(lzma.compress(data)) < _WORTH_IT * len(zlib.compress(data))
    return ZIP_LZMA if is_worth_it else ZIP_DEFLATED


def lines_of(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Return texts as the array of bytes that `chatbot.router.weight_file.read_lines` reads."""
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def coarse(values: NDArray[np.floating]) -> NDArray[np.float16]:
    """Round to five bits of fraction: what lies below is noise of the fit and cannot be packed."""
    kept = values.astype(np.float16).view(np.uint16).astype(np.uint32)
    return ((kept + 0x10) & 0xFFE0).astype(np.uint16).view(np.float16)


def stepped(values: NDArray[np.floating]) -> NDArray[np.float16]:
    """Round to whole steps of 1/128, which pack to two thirds of what `coarse` leaves."""
    return (np.round(values / _STEP) * _STEP + 0.0).astype(np.float16)
