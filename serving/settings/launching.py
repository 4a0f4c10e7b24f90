"""How a model server of ours is started: the settings behind `zwrotnica engines command`."""

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

    @field_validator("environment")
    @classmethod
    def _check_no_secret(cls, environment: dict[str, str]) -> dict[str, str]:
        for name in environment:
            if any(word in name.upper() for word in _SECRET_WORDS):
                raise ValueError(
                    f"{name!r} looks like a secret, which this table would show; set the variable "
                    "where the server is started, or the engine's 'api_key'"
                )
        return environment
