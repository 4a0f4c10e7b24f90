"""TensorRT-LLM (1.3): `trtllm-serve` with its PyTorch backend, over cards of this machine."""

from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import above_one, optional
from serving.engines.launchers.launcher import Launcher, Plan


def _flags(plan: Plan) -> tuple[str, ...]:
    launch = plan.launch
    is_renamed = plan.served_name != plan.weights
    return (
        *(("--served_model_name", plan.served_name) if is_renamed else ()),
        *("--host", plan.host, "--port", str(plan.port)),
        *("--backend", "pytorch"),
        *("--max_seq_len", str(plan.context_tokens)),
        *optional("--max_batch_size", launch.sequences),
        *above_one("--tp_size", launch.tensor_parallel),
        *above_one("--pp_size", launch.pipeline_parallel),
        *(("--ep_size", str(launch.tensor_parallel)) if launch.expert_parallel else ()),
    )


TENSORRT: Final = Launcher(
    program=("trtllm-serve",),
    flags=_flags,
    cannot=MappingProxyType({
        "quantisation": "TensorRT-LLM reads it from the checkpoint; give a quantised one as "
        "'weights'",
        "gpu_share": "TensorRT-LLM only takes the cache's share of what the weights leave free; "
        "give --kv_cache_free_gpu_memory_fraction in 'extra_flags'",
        "nodes": "several machines are started through MPI or Slurm; start it elsewhere and give "
        "its 'url'",
    }),
    aliases=MappingProxyType({
        "--tensor-parallel-size": "--tp-size",
        "--pipeline-parallel-size": "--pp-size",
        "--moe-expert-parallel-size": "--ep-size",
    }),
)
