"""How a model server of ours is started and supervised: `[engines.NAME.launch]`."""

from typing import Annotated, Final

from pydantic import (
    BeforeValidator,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    field_validator,
)

from serving.settings.sections import Names, Section, VariableName, split_commas

_SECRET_WORDS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD")

Cards = Annotated[tuple[NonNegativeInt, ...], BeforeValidator(split_commas)]
VariableNames = Annotated[tuple[VariableName, ...], BeforeValidator(split_commas)]

INHERITED: Final = (
    *("HF_TOKEN", "HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "HF_ENDPOINT", "XDG_CACHE_HOME"),
    *("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "USER", "LOGNAME"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"),
)
"""Where weights are, how they are fetched, which cards a scheduler gave, who we are."""


def looks_secret(variable: str) -> bool:
    """Whether an environment variable of this name is likely to hold a secret."""
    return any(word in variable.upper() for word in _SECRET_WORDS)


class LaunchSettings(Section):
    """How the server of one engine is started on this machine."""

    weights: str | None = Field(
        default=None,
        description="Folder, file or id of the weights; unset: `model`. llama.cpp takes a `.gguf` "
        "file or the id of a repository that holds one.",
    )
    program: Names | None = Field(
        default=None,
        description="What is run in place of the kind's own program; weights and flags follow.",
    )
    host: str | None = Field(
        default=None, description="Address that the server listens on; unset: the host of `url`."
    )
    quantisation: str | None = Field(
        default=None, description="Quantisation of the weights, in the server's own word."
    )
    parameters: PositiveFloat | None = Field(
        default=None,
        description="Billions of the model's parameters, for the memory budget of a model that is "
        "neither a folder here nor known.",
    )
    gpus: Cards | None = Field(
        default=None,
        description="Numbers of the graphics cards that it may use; unset: all, empty: none.",
    )
    gpu_share: float | None = Field(
        default=None,
        gt=0.0,
        le=1.0,
        description="Share of each card's memory that it may fill; unset: the server's choice.",
    )
    tensor_parallel: PositiveInt = Field(
        default=1, description="Cards over which each layer is split."
    )
    pipeline_parallel: PositiveInt = Field(
        default=1, description="Groups of cards over which the layers are dealt out."
    )
    expert_parallel: bool = Field(
        default=False, description="Deal out the experts of a mixture over the cards."
    )
    nodes: PositiveInt = Field(
        default=1, description="Machines of a Ray cluster that share the model (vLLM alone)."
    )
    sequences: PositiveInt | None = Field(
        default=None, description="Answers generated at once; unset: the server's choice."
    )
    extra_flags: Names = Field(
        default=(), description="Further flags, as the server wants them; never a key."
    )
    environment: dict[VariableName, str] = Field(
        default={}, description="Variables for the server besides ours; never a secret."
    )

    inherit: VariableNames = Field(
        default=INHERITED,
        description="Variables that the server gets from the environment of `engines up`, besides "
        "`PATH`, `HOME`, `LANG`, `LD_LIBRARY_PATH` and the like; secrets belong here.",
    )
    start_s: PositiveFloat = Field(
        default=900.0,
        description="Seconds in which the server must have made a first token; then it is started "
        "again.",
    )
    probe_s: PositiveFloat = Field(
        default=30.0,
        description="Seconds between two looks whether the server still answers; one that fails "
        "three in a row is started again.",
    )
    rest_s: PositiveFloat = Field(
        default=5.0,
        description="Seconds before the server is started again after its end; twice as many each "
        "further time, at most 60.",
    )
    stop_s: PositiveFloat = Field(
        default=20.0,
        description="Seconds that the server gets to end by itself before it is killed.",
    )
    log_bytes: int = Field(
        default=10_485_760,
        ge=65_536,
        description="Size at which the server's log is put aside, bytes; the last three are kept.",
    )

    @field_validator("environment")
    @classmethod
    def _check_no_secret(cls, environment: dict[str, str]) -> dict[str, str]:
        for name in environment:
            if looks_secret(name):
                raise ValueError(
                    f"{name!r} looks like a secret, which this table would show; set the variable "
                    "where the server is started, or the engine's 'api_key'"
                )
        return environment
