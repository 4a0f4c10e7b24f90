"""llama.cpp: `llama-server`, GGUF weights on the processor, a card or both."""

from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import optional
from serving.engines.launchers.launcher import THE_WEIGHTS, Launcher, Plan
from serving.settings import SettingsError

_GGUF: Final = ".gguf"
_ONE_CARD_SET: Final = "llama.cpp spreads the layers over all cards of 'gpus' by itself"


def _flags(plan: Plan) -> tuple[str, ...]:
    launch = plan.launch
    # Set slots divide the context among them; slots of the server's own choice share it.
    context = plan.context_tokens * (launch.sequences or 1)
    return (
        *("--alias", plan.served_name),
        *("--host", plan.host, "--port", str(plan.port)),
        *("--ctx-size", str(context)),
        *optional("--parallel", launch.sequences),
        *(("--n-gpu-layers", "0") if launch.gpus == () else ()),
    )


def _source(plan: Plan) -> tuple[str, ...]:
    if not plan.weights.endswith(_GGUF):
        return "--hf-repo", ":".join(filter(None, (plan.weights, plan.launch.quantisation)))
    if plan.launch.quantisation is not None:
        raise SettingsError(
            f"engines.{plan.name}.launch.quantisation: the file {plan.weights!r} has the one it "
            "was made with; leave the setting out, or give the id of a repository as 'weights'"
        )
    return "--model", plan.weights


LLAMACPP: Final = Launcher(
    program=("llama-server",),
    weights=_source,
    flags=_flags,
    defaults=("--jinja", "--metrics"),
    cannot=MappingProxyType({
        "gpu_share": "llama.cpp fits as many layers on the card as there is room for; give "
        "--n-gpu-layers in 'extra_flags'",
        "tensor_parallel": _ONE_CARD_SET,
        "pipeline_parallel": _ONE_CARD_SET,
        "expert_parallel": _ONE_CARD_SET,
        "nodes": "llama.cpp runs on one machine; leave it out",
    }),
    aliases=MappingProxyType({
        "-m": THE_WEIGHTS,
        "--model": THE_WEIGHTS,
        "-hf": THE_WEIGHTS,
        "-hfr": THE_WEIGHTS,
        "--hf-repo": THE_WEIGHTS,
        "-a": "--alias",
        "-c": "--ctx-size",
        "-np": "--parallel",
        "-ngl": "--n-gpu-layers",
        "--gpu-layers": "--n-gpu-layers",
    }),
    key_variable="LLAMA_API_KEY",
    cards=lambda _: None,
)
