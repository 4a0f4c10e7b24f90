"""Reads what a checkpoint on this machine weighs from its own files, trusting none of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from serving.engines.budget.known import KnownModel, KnownTable, Precision

CONFIG_BYTES: Final = 1_048_576
INDEX_BYTES: Final = 67_108_864
FILES: Final = 10_000
MOST: Final = 10**7
"""No count of layers, heads, tokens or dimensions is larger."""
MOST_BYTES: Final = 2**50
GGUF: Final = ".gguf"
_INDEX: Final = "model.safetensors.index.json"
_PATTERNS: Final = ("model*.safetensors", "*.safetensors", "*.bin", "*/*.safetensors")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What the cache of a model depends on."""

    layers: int
    kv_heads: int
    head_dim: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """Bytes of the weights as they will lie in memory; ``shape`` is ``None`` where unknown."""

    weights: int
    shape: Shape | None


def read_checkpoint(place: str, quantisation: str | None, table: KnownTable) -> Checkpoint | None:
    """The checkpoint at ``place``, a folder or a `.gguf` file; ``None`` where none is there.

    ``quantisation`` is what the server is told to make of it: it counts where the checkpoint is not
    quantised itself.
    """
    path = Path(place).expanduser()
    if path.suffix == GGUF and path.is_file():
        return _read_gguf(path, table)
    if not path.is_dir() or (weights := _size(path)) is None:
        return None
    config = _read_object(path / "config.json", CONFIG_BYTES)
    text = config.get("text_config")
    fields = text if isinstance(text, dict) else config
    known = table.find_quantisation(quantisation) if quantisation else None
    if known is not None and "quantization_config" not in config:
        precision = Precision(bits=known.bits, is_for_all=known.all)
        weights = precision.weigh(weights / 2, min(_embedding(fields), weights / 2))
    return Checkpoint(weights=weights, shape=_shape(fields))


def _read_gguf(path: Path, table: KnownTable) -> Checkpoint:
    """The file with its further parts, where it is one of several."""
    stem, is_part, _ = path.stem.partition("-00001-of-")
    parts = path.parent.glob("*.gguf") if is_part else [path]
    sizes = [part.stat().st_size for part in islice(parts, FILES) if part.name.startswith(stem)]
    known = table.find_model(path.name)
    return Checkpoint(weights=sum(sizes), shape=shape_of(known) if known else None)


def shape_of(known: KnownModel) -> Shape:
    """The shape of a model of the table."""
    return Shape(layers=known.layers, kv_heads=known.kv_heads, head_dim=known.head_dim)


def _size(folder: Path) -> int | None:
    """Bytes of the weights: by the index where there is one, else by the files."""
    metadata = _read_object(folder / _INDEX, INDEX_BYTES).get("metadata")
    if isinstance(metadata, dict) and (total := _count(metadata, "total_size", MOST_BYTES)):
        return total
    for pattern in _PATTERNS:
        if sizes := [file.stat().st_size for file in islice(folder.glob(pattern), FILES)]:
            return sum(sizes)
    return None


def _shape(fields: Mapping[str, object]) -> Shape | None:
    layers, heads = _count(fields, "num_hidden_layers"), _count(fields, "num_attention_heads")
    if layers is None or heads is None:
        return None
    width = _count(fields, "hidden_size") or 0
    head_dim = _count(fields, "head_dim") or width // heads
    kv_heads = _count(fields, "num_key_value_heads") or heads
    return Shape(layers=layers, kv_heads=kv_heads, head_dim=head_dim) if head_dim else None


def _embedding(fields: Mapping[str, object]) -> int:
    tables = 1 if fields.get("tie_word_embeddings") is True else 2
    return (_count(fields, "vocab_size") or 0) * (_count(fields, "hidden_size") or 0) * tables


def _count(fields: Mapping[str, object], name: str, most: int = MOST) -> int | None:
    value = fields.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= most:
        return None
    return int(value)


def _read_object(path: Path, most: int) -> Mapping[str, object]:
    """The JSON object in the file; empty where there is none that can be used."""
    try:
        with path.open("rb") as file:
            text = file.read(most + 1)
        found = json.loads(text) if len(text) <= most else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
