"""What the machine has: the settings behind the memory budget of the servers on it."""

from typing import Annotated

from pydantic import BeforeValidator, Field, PositiveFloat

from serving.settings.sections import Section, split_commas

Sizes = Annotated[tuple[PositiveFloat, ...], BeforeValidator(split_commas)]


class HardwareSettings(Section):
    """Cards and main memory of the machine on which the servers are started."""

    detect: bool = Field(
        default=True,
        description="Ask `nvidia-smi` and the system; what they say goes before the two sizes "
        "below. Off: plan for another machine.",
    )
    card_gib: Sizes | None = Field(
        default=None,
        description="Memory of each graphics card, by number, as `nvidia-smi` shows it, GiB; "
        "empty: there is none, unset: unknown.",
    )
    ram_gib: PositiveFloat | None = Field(
        default=None, description="Main memory, GiB; unset: unknown."
    )
