"""vLLM (0.32): `vllm serve`, one model over cards of this machine or of a Ray cluster."""

from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import above_one, optional
from serving.engines.launchers.launcher import THE_WEIGHTS, Launcher, Plan

_PROGRAM: Final = ("vllm", "serve")


def _flags(plan: Plan) -> tuple[str, ...]:
    launch = plan.launch
    return (
        *("--served-model-name", plan.served_name),
        *("--host", plan.host, "--port", str(plan.port)),
        *("--max-model-len", str(plan.context_tokens)),
        *optional("--quantization", launch.quantisation),
        *optional("--gpu-memory-utilization", launch.gpu_share),
        *optional("--max-num-seqs", launch.sequences),
        *above_one("--tensor-parallel-size", launch.tensor_parallel),
        *above_one("--pipeline-parallel-size", launch.pipeline_parallel),
        *(("--enable-expert-parallel",) if launch.expert_parallel else ()),
        *(("--distributed-executor-backend", "ray") if launch.nodes > 1 else ()),
        *(("--scheduling-policy", "priority") if plan.is_router else ()),
    )


def _weights(plan: Plan) -> tuple[str, ...]:
    """`vllm serve` takes them by place, the module behind it only by name."""
    program = plan.launch.program or _PROGRAM
    return (plan.weights,) if program[-1] == _PROGRAM[-1] else ("--model", plan.weights)


VLLM: Final = Launcher(
    program=_PROGRAM,
    weights=_weights,
    flags=_flags,
    defaults=("--enable-prefix-caching",),
    aliases=MappingProxyType({
        "--model": THE_WEIGHTS,
        "-tp": "--tensor-parallel-size",
        "-pp": "--pipeline-parallel-size",
        "-ep": "--enable-expert-parallel",
        "-q": "--quantization",
    }),
    key_variable="VLLM_API_KEY",
    parsers=MappingProxyType({
        "llama3.1": "llama3_json",
        "hermes": "hermes",
        "bielik": "hermes",
        "mistral": "mistral",
    }),
    parser_flag="--tool-call-parser",
    parser_switches=("--enable-auto-tool-choice",),
    needs_parser=True,
)
