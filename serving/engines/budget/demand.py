"""What the servers of chat models take, and of which cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import Final

from serving.engines.budget.checkpoint import Checkpoint
from serving.engines.budget.claim import Claim, Need
from serving.engines.budget.hardware import GIB
from serving.engines.budget.known import KnownTable
from serving.engines.budget.measuring import measure_model
from serving.engines.budget.placing import Places
from serving.settings import EngineSettings, LaunchSettings

RESERVE: Final = 0.03
"""Part of every card that is left to its driver, a display and what servers take besides."""
_KEY_AND_VALUE: Final = 2
_CACHE_BYTES: Final = 2
"""Of one number in the cache: 16 bits, as every server has it unless told otherwise."""
_OVERHEAD: Final = round(2.5 * GIB)
"""CUDA's context (0.5), captured graphs (0.5 to 1), a batch's intermediate values (1 to 1.5): an
assumption for models of 8 to 70 billion parameters on vLLM, no bound and not measured here."""
_COLLECTIVES: Final = GIB // 2
"""Buffers of the cards' exchange where a model is split: an assumption."""
_PROCESSOR_OVERHEAD: Final = GIB
"""Buffers and program of a server that computes in main memory: an assumption."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Habit:
    """How servers of one kind take memory.

    ``share`` is what they fill of a card unless `gpu_share` says otherwise, ``None`` where they
    take what they need; ``is_of_free`` says that it is one of what is free when they start.
    ``sequences`` is the number of full contexts that they reserve beforehand, where `sequences`
    does not say; ``None`` where the cache is shared and one full context must have room.
    """

    share: float | None = None
    is_of_free: bool = False
    sequences: int | None = None


HABITS: Final[Mapping[str, Habit]] = MappingProxyType({
    "vllm": Habit(share=0.92),
    "sglang": Habit(share=0.88, is_of_free=True),
    "tgi": Habit(share=1 - RESERVE),
    "tensorrt": Habit(share=1 - RESERVE),
    "llamacpp": Habit(sequences=1),
    "transformers": Habit(sequences=8),
})
"""By kind: vLLM's default in 0.32; SGLang's own choice, which varies (an assumption); TGI and
TensorRT-LLM fill what there is; llama.cpp's slots share the context unless `sequences` counts them;
the reference server's batch."""


def claim_memory(
    name: str,
    engine: EngineSettings,
    launch: LaunchSettings,
    *,
    places: Places,
    table: KnownTable,
) -> Iterable[Claim]:
    """What the engine ``name`` takes at each of its ``places``."""
    habit = HABITS[engine.kind]
    model = measure_model(
        launch.weights or engine.model or "",
        quantisation=launch.quantisation,
        billions=launch.parameters,
        table=table,
    )
    for place in places:
        is_card = place is not None
        yield Claim(
            server=f"engines.{name}",
            place=place,
            need=None
            if model is None
            else Need(
                weights=ceil(model.weights / _pieces(launch, places)),
                cache=_token_bytes(model, launch, places) * _cached_tokens(engine, launch, habit),
                overhead=_overhead(launch) if is_card else _PROCESSOR_OVERHEAD,
                token=_token_bytes(model, launch, places),
            ),
            share=(launch.gpu_share or habit.share) if is_card else None,
            is_of_free=habit.is_of_free,
            context_tokens=engine.context_tokens,
        )


def _pieces(launch: LaunchSettings, places: Places) -> int:
    """Equal parts of the model, here and on other machines."""
    return max(launch.tensor_parallel * launch.pipeline_parallel, len(places))


def _cached_tokens(engine: EngineSettings, launch: LaunchSettings, habit: Habit) -> int:
    contexts = 1 if habit.sequences is None else launch.sequences or habit.sequences
    return engine.context_tokens * contexts


def _overhead(launch: LaunchSettings) -> int:
    is_split = launch.tensor_parallel * launch.pipeline_parallel > 1
    return _OVERHEAD + (_COLLECTIVES if is_split else 0)


def _token_bytes(model: Checkpoint, launch: LaunchSettings, places: Places) -> int:
    """Cache of one token at one place; without a setting the places share the layers."""
    if model.shape is None:
        return 0
    heads = ceil(model.shape.kv_heads / launch.tensor_parallel)
    layers = ceil(model.shape.layers * launch.tensor_parallel / _pieces(launch, places))
    return _KEY_AND_VALUE * layers * heads * model.shape.head_dim * _CACHE_BYTES
