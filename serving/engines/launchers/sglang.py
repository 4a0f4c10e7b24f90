"""SGLang (0.5): `sglang serve`, one model over cards of this machine."""

from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import above_one, optional
from serving.engines.launchers.launcher import Launcher, Plan, named


def _flags(plan: Plan) -> tuple[str, ...]:
    launch = plan.launch
    return (
        *("--served-model-name", plan.served_name),
        *("--host", plan.host, "--port", str(plan.port)),
        *("--context-length", str(plan.context_tokens)),
        *optional("--quantization", launch.quantisation),
        *optional("--mem-fraction-static", launch.gpu_share),
        *optional("--max-running-requests", launch.sequences),
        *above_one("--tp-size", launch.tensor_parallel),
        *above_one("--pp-size", launch.pipeline_parallel),
        *(("--ep-size", str(launch.tensor_parallel)) if launch.expert_parallel else ()),
    )


SGLANG: Final = Launcher(
    program=("sglang", "serve"),
    weights=named("--model-path"),
    flags=_flags,
    defaults=("--enable-metrics",),
    cannot=MappingProxyType({
        "nodes": "SGLang wants a command of its own on every machine; give --nnodes, --node-rank "
        "and --dist-init-addr in 'extra_flags'"
    }),
    aliases=MappingProxyType({
        "--model": "--model-path",
        "--tp": "--tp-size",
        "--tensor-parallel-size": "--tp-size",
        "--pp": "--pp-size",
        "--pipeline-parallel-size": "--pp-size",
        "--ep": "--ep-size",
        "--expert-parallel-size": "--ep-size",
    }),
    key_file_flag="--config",
    parsers=MappingProxyType({
        "llama3.1": "llama3",
        "hermes": "hermes",
        "bielik": "hermes",
        "mistral": "mistral",
    }),
    parser_flag="--tool-call-parser",
)
