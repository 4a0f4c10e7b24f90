"""Reads the packaged arrays that a training wrote: numpy only, no pickle."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from io import BytesIO

import numpy as np
from numpy.typing import NDArray


def read_arrays(source: Traversable) -> dict[str, NDArray[np.generic]]:
    """Read all arrays of a file by their names."""
    with np.load(BytesIO(source.read_bytes()), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def read_lines(arrays: Mapping[str, NDArray[np.generic]], name: str) -> list[str]:
    """Read an array of bytes that holds texts, one a line."""
    return arrays[name].tobytes().decode().split("\n")
