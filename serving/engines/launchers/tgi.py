"""Text Generation Inference (3): `text-generation-launcher`, sharded over cards."""

from types import MappingProxyType
from typing import Final

from serving.engines.launchers.flags import above_one, optional
from serving.engines.launchers.launcher import Launcher, Plan, named

_SHARD_PORTS: Final = 20_000
_LAST_PORT: Final = 65_535


def _flags(plan: Plan) -> tuple[str, ...]:
    launch = plan.launch
    return (
        *("--hostname", plan.host, "--port", str(plan.port)),
        *("--max-input-tokens", str(plan.context_tokens - 1)),
        *("--max-total-tokens", str(plan.context_tokens)),
        *optional("--quantize", launch.quantisation),
        *optional("--cuda-memory-fraction", launch.gpu_share),
        # The shards of two servers on one machine must not meet at the default socket and port.
        *("--shard-uds-path", f"/tmp/text-generation-{plan.name}"),  # noqa: S108 - a prefix of sockets, TGI's own default with the name
        *above_one("--num-shard", launch.tensor_parallel),
        *(("--master-port", str(_shard_port(plan.port))) if launch.tensor_parallel > 1 else ()),
    )


def _shard_port(port: int) -> int:
    """A port for the shards, another for each port of a server."""
    return port + _SHARD_PORTS if port + _SHARD_PORTS <= _LAST_PORT else port - _SHARD_PORTS


TGI: Final = Launcher(
    program=("text-generation-launcher",),
    weights=named("--model-id"),
    flags=_flags,
    cannot=MappingProxyType({
        "pipeline_parallel": "TGI splits layers alone; use 'tensor_parallel'",
        "expert_parallel": "TGI splits layers alone; use 'tensor_parallel'",
        "nodes": "TGI runs on one machine; leave it out",
        "sequences": "TGI fills the card's memory; give --max-batch-total-tokens in "
        "'extra_flags' to leave room",
    }),
    aliases=MappingProxyType({"-p": "--port", "--max-input-length": "--max-input-tokens"}),
    key_variable="API_KEY",
    can_rename=False,
    cards=lambda plan: plan.launch.tensor_parallel,
)
