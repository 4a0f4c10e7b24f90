"""HF Transformers: our own reference server, `python -m serving.reference`."""

import sys
from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import optional
from serving.engines.launchers.launcher import Launcher, Plan, named

_KEY_VARIABLE: Final = "REFERENCE_API_KEY"
_REFERENCE: Final = "the reference server is a baseline on one device; leave it out"


def _flags(plan: Plan) -> tuple[str, ...]:
    return (
        *("--served-model-name", plan.served_name),
        *("--host", plan.host, "--port", str(plan.port)),
        *("--context", str(plan.context_tokens)),
        *optional("--batch", plan.launch.sequences),
        *_device(plan),
        *(("--api-key-variable", _KEY_VARIABLE) if plan.has_key else ()),
    )


def _device(plan: Plan) -> tuple[str, ...]:
    match plan.launch.gpus:
        case None:
            return ()
        case ():
            return "--device", "cpu"
        case _:
            return "--device", "cuda"


TRANSFORMERS: Final = Launcher(
    program=(sys.executable, "-m", "serving.reference"),
    weights=named("--model"),
    key_variable=_KEY_VARIABLE,
    flags=_flags,
    cannot=MappingProxyType({
        "quantisation": _REFERENCE,
        "gpu_share": _REFERENCE,
        "tensor_parallel": _REFERENCE,
        "pipeline_parallel": _REFERENCE,
        "expert_parallel": _REFERENCE,
        "nodes": _REFERENCE,
    }),
)
