"""How the answers of an engine are drawn where the user says nothing: `[engines.NAME.sampling]`."""

from pydantic import Field, PositiveInt

from serving.settings.sections import Section


class SamplingSettings(Section):
    """Generation parameters of answers; unset: the family's, else the server's own."""

    temperature: float | None = Field(
        default=None, ge=0.0, le=2.0, description="How freely it is drawn; 0: the likeliest token."
    )
    top_p: float | None = Field(
        default=None, gt=0.0, le=1.0, description="Probability of the tokens drawn from, together."
    )
    top_k: PositiveInt | None = Field(
        default=None, description="Number of the likeliest tokens that it is drawn from."
    )
    min_p: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Least probability of a token, as a share of the likeliest one's.",
    )
    repetition_penalty: float | None = Field(
        default=None, gt=0.0, le=2.0, description="Above 1: against tokens already there."
    )
    presence_penalty: float | None = Field(
        default=None, ge=-2.0, le=2.0, description="Above 0: against tokens already answered."
    )
    frequency_penalty: float | None = Field(
        default=None, ge=-2.0, le=2.0, description="The same, for each time that they stand there."
    )
    seed: int | None = Field(
        default=None, description="Seed of the draw: the same prompt, the same answer."
    )
