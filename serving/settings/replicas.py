"""Several servers of one engine: their addresses, and how requests are shared among them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat

from serving.settings.sections import HttpUrl, Section, split_commas

Group: TypeAlias = Literal["single", "tensor"]
"""``tensor``: one model over several cards, quick for few; ``single``: one card, one of many."""


class ReplicaSettings(Section):
    """One server of an engine."""

    url: HttpUrl = Field(description="Base address of the server, with `/v1` where it has one.")
    group: Group = Field(
        default="single",
        description="`tensor`: runs tensor-parallel over several cards; see `balance.policy`.",
    )
    weight: PositiveFloat = Field(
        default=1.0, description="Its share of the work beside the others' weights."
    )


def _read_addresses(value: object) -> object:
    """A bare address is a replica with nothing else set."""
    given = split_commas(value)
    if isinstance(given, list | tuple):
        return [{"url": one} if isinstance(one, str) else one for one in given]
    return given


Replicas = Annotated[tuple[ReplicaSettings, ...], BeforeValidator(_read_addresses)]


class BalanceSettings(Section):
    """How the requests of one engine are shared among its servers."""

    policy: Literal["least_outstanding", "tensor_parallel_first"] = Field(
        default="least_outstanding",
        description="`least_outstanding`: the server with the fewest tokens still to be done, all "
        "alike; `tensor_parallel_first`: those of the group `tensor` alone, as long as fewer than "
        "`tensor_requests` run.",
    )
    tensor_requests: NonNegativeInt = Field(
        default=64,
        description="Requests at once from which `tensor_parallel_first` uses every server.",
    )
    tensor_return: float = Field(
        default=0.75,
        ge=0,
        le=1,
        description="`tensor_parallel_first` goes back to the group `tensor` alone when fewer than "
        "this part of `tensor_requests` run; 1: at once, and forth and back with each request.",
    )
    affinity_factor: NonNegativeFloat = Field(
        default=1.5,
        description="A conversation stays with its server, which has it cached, until that has so "
        "many times the work of the idlest; 0: it never stays.",
    )
    retries: NonNegativeInt = Field(
        default=1,
        description="Further servers that are asked where one fails before its first token.",
    )
    probe_s: NonNegativeFloat = Field(
        default=5.0,
        description="Seconds between looks at each server; one that is silent twice gets no "
        "requests until it answers again; 0: nobody looks.",
    )
    return_s: NonNegativeFloat = Field(
        default=30.0,
        description="Seconds in which a server that has come back grows into its whole share.",
    )
