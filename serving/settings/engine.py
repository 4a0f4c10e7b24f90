"""The settings of one chat engine: its server, its model, how its answers are drawn, its limits."""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    model_validator,
)

from serving.settings.launching import LaunchSettings
from serving.settings.replicas import BalanceSettings, Replicas, ReplicaSettings
from serving.settings.sampling import SamplingSettings
from serving.settings.sections import HttpUrl, Names, Section, VariableName

EMBEDDED: Final = "embedded"
"""Name of the engine that is always there, in process and without a model."""


class EngineSettings(Section):
    """One chat engine: a model server that speaks the OpenAI protocol."""

    kind: str = Field(
        description="What serves the model: `vllm`, `sglang`, `llamacpp`, `tgi`, `tensorrt`, "
        "`transformers`, `openai` or `compatible` (outside providers: OpenAI itself, any other), "
        "or `embedded`."
    )
    url: HttpUrl | None = Field(
        default=None,
        description="Base address of the server, with `/v1` where it has one; unset: made of "
        "`port`.",
    )
    urls: Replicas = Field(
        default=(),
        description="Addresses of several servers of the same model, in place of `url`: each an "
        "address, or a table with `url`, `group` and `weight`.",
    )
    balance: BalanceSettings = Field(
        default=BalanceSettings(), description="How requests are shared among `urls`."
    )
    fallback: Names = Field(
        default=(),
        description="Engines that answer in its place, the first that can, where none of its "
        "servers does before the first token; the usage names the one that answered.",
    )
    port: int | None = Field(
        default=None,
        ge=1,
        le=65_535,
        description="Port of a server on this machine, in place of `url`.",
    )
    model: str | None = Field(
        default=None, description="The model's name as the server knows it; unset: the engine's."
    )
    api_key: SecretStr | None = Field(default=None, description="Key that the server asks for.")
    api_key_env: VariableName | None = Field(
        default=None,
        description="Name of the environment variable that holds the key, in place of `api_key`; "
        "no name that begins with `ZWROTNICA_`.",
    )
    dialect: str | None = Field(
        default=None,
        description="How the model calls tools (`llama3.1`, `hermes`, `mistral`, `bielik`, "
        "`plain`); the router's engine needs it, or a `family` that has one.",
    )
    family: str | None = Field(
        default=None,
        description="Family of the model (`bielik-v2.3`, `bielik-v2.6`, `bielik-v3`, "
        "`bielik-v3-small`, `llama3.1`, `pllum`): brings sampling, system prompt and dialect as "
        "its makers publish them, where nothing else is set.",
    )
    sampling: SamplingSettings = Field(
        default=SamplingSettings(), description="How its answers are drawn."
    )
    system_prompt: str | None = Field(
        default=None,
        max_length=20_000,
        description="What it reads before a conversation that has no system prompt of its own, as "
        "the default model; empty: nothing, unset: the family's.",
    )
    system_prompt_file: Path | None = Field(
        default=None, description="A UTF-8 file that holds the `system_prompt`."
    )
    context_tokens: PositiveInt = Field(
        default=8192, description="Tokens that prompt and answer may have together."
    )
    default_max_tokens: PositiveInt = Field(
        default=1024, description="Tokens reserved for an answer when the client names no number."
    )
    connect_s: PositiveFloat = Field(default=3.0, description="Seconds to open a connection.")
    first_token_s: PositiveFloat = Field(
        default=30.0, description="Seconds to wait for the first token."
    )
    idle_s: PositiveFloat = Field(
        default=15.0, description="Seconds to wait for each further token."
    )
    busy_wait_s: NonNegativeFloat = Field(
        default=5.0, description="Longest `Retry-After` of an engine that is waited for, seconds."
    )
    max_event_bytes: PositiveInt = Field(
        default=262_144, description="Largest event that is read from the engine's stream, bytes."
    )
    max_reply_bytes: PositiveInt = Field(
        default=16_777_216, description="Largest whole reply that is read, decompressed, bytes."
    )
    max_connections: PositiveInt = Field(
        default=256, description="Connections to each of its servers that may be open at once."
    )
    router_connections: NonNegativeInt = Field(
        default=32,
        description="Further connections to each, for the router's requests alone, which so never "
        "wait behind answers; 0: they share the others.",
    )
    max_outstanding: PositiveInt | None = Field(
        default=None,
        description="Requests at once, of each of the gateway's workers and without those of the "
        "router; one more goes to a `fallback` or is refused with `queue_full` and "
        "the seconds until a place is likely.",
    )
    failures_allowed: PositiveInt = Field(
        default=5, description="Failures in a row after which the engine is left alone for a while."
    )
    rest_s: PositiveFloat = Field(
        default=5.0, description="Seconds for which an engine that keeps failing is left alone."
    )
    accepts: Names = Field(
        default=(),
        description="What the model takes beyond one text answer: any of `n`, `image`, `audio`.",
    )
    launch: LaunchSettings | None = Field(
        default=None, description="How we start the server; unset: it is started elsewhere."
    )

    @model_validator(mode="before")
    @classmethod
    def _derive_url(cls, given: object) -> object:
        if not isinstance(given, dict) or given.get("url") is not None or given.get("urls"):
            return given
        if given.get("port") is not None:
            return given | {"url": f"http://127.0.0.1:{given['port']}/v1"}
        return given

    @model_validator(mode="after")
    def _check_url(self) -> "EngineSettings":
        if self.urls:
            return self
        if self.url is None and self.kind != EMBEDDED:
            raise ValueError("an engine of this kind needs its 'url', 'urls' or 'port'")
        if self.url is not None and self.port not in {None, urlsplit(self.url).port}:
            raise ValueError(f"'url' is {self.url!r}, but 'port' is {self.port}; give one of them")
        return self

    @model_validator(mode="after")
    def _check_urls(self) -> "EngineSettings":
        if not self.urls:
            return self
        if self.url is not None or self.port is not None:
            raise ValueError("give 'urls', or one 'url' or 'port', not both")
        if self.launch is not None:
            raise ValueError("several 'urls' are started elsewhere: leave out the 'launch' table")
        if len({replica.url.rstrip("/") for replica in self.urls}) < len(self.urls):
            raise ValueError("'urls' names one server twice")
        return self

    @model_validator(mode="after")
    def _check_policy(self) -> "EngineSettings":
        groups = {replica.group for replica in self.urls}
        if self.balance.policy == "tensor_parallel_first" and groups != {"single", "tensor"}:
            raise ValueError(
                "the policy 'tensor_parallel_first' needs 'urls' of both groups: those that "
                'run over several cards have group = "tensor", the others none'
            )
        return self

    @model_validator(mode="after")
    def _check_prompt(self) -> "EngineSettings":
        if self.system_prompt is not None and self.system_prompt_file is not None:
            raise ValueError("give 'system_prompt' or 'system_prompt_file', not both")
        return self

    @property
    def replicas(self) -> tuple[ReplicaSettings, ...]:
        """Its servers: those of `urls`, else the one at `url`; none where it is embedded."""
        if self.url is None:
            return self.urls
        return (ReplicaSettings(url=self.url),)

    def at(self, url: str) -> "EngineSettings":
        """The settings of the same engine with one server alone."""
        return self.model_copy(update={"url": url, "urls": ()})
