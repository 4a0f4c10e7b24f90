"""What a model weighs, by the best source there is: its files, the table, its parameters."""

from typing import Final

from serving.engines.budget.checkpoint import GGUF, Checkpoint, read_checkpoint, shape_of
from serving.engines.budget.known import PLAIN, KnownTable, Precision

_BILLION: Final = 1e9
_LLAMACPP_TAKES: Final = "Q4_K_M"
"""What llama.cpp takes of a repository where nothing is said."""


def measure_model(
    weights: str, *, quantisation: str | None, billions: float | None, table: KnownTable
) -> Checkpoint | None:
    """What the model weighs; ``None`` where nothing tells.

    Args:
        weights: folder, `.gguf` file or id.
        quantisation: the server's setting, in its own word.
        billions: `launch.parameters`, asked where neither files nor table know the model.
        table: what is known.
    """
    found = read_checkpoint(weights, quantisation, table)
    if found is not None:
        return found
    precision = _find_precision(weights, quantisation, table)
    known = table.find_model(weights)
    if precision is None or (known is None and billions is None):
        return None
    if known is None:
        return Checkpoint(weights=precision.weigh((billions or 0.0) * _BILLION, 0.0), shape=None)
    return Checkpoint(
        weights=precision.weigh(known.parameters, known.embedding),
        shape=shape_of(known),
    )


def _find_precision(weights: str, quantisation: str | None, table: KnownTable) -> Precision | None:
    """By the setting, else by the id; 16 bits where neither says a word of quantisation."""
    names = (quantisation or "", weights, _LLAMACPP_TAKES if GGUF[1:] in weights.lower() else "")
    known = next(filter(None, map(table.find_quantisation, names)), None)
    if known is not None:
        return Precision(bits=known.bits, is_for_all=known.all)
    return PLAIN if quantisation is None else None
