"""The settings as typed, frozen values; a description beside each is what people read of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    model_validator,
)

from serving.settings.auth import AuthSettings
from serving.settings.billing import BillingSettings
from serving.settings.chat import ChatSettings, PageSettings, StorageSettings
from serving.settings.engine import EMBEDDED, EngineSettings
from serving.settings.hardware import HardwareSettings
from serving.settings.pictures import ImagesSettings
from serving.settings.quotas import QuotaSettings
from serving.settings.safety import SafetySettings
from serving.settings.sections import (
    EngineName,
    Folder,
    HostName,
    HttpUrl,
    Names,
    Section,
    split_commas,
)
from serving.settings.telling import LogSettings, TelemetrySettings

ROUTED_MODEL = "zwrotnica"
"""Name under which clients ask for the routed chatbot."""


class RouterSettings(Section):
    """The router: the function-calling model and its limits."""

    engine: str = Field(default=EMBEDDED, description="Name of the engine that routes.")
    dialect: str | None = Field(
        default=None, description="Dialect of the router model; unset: the engine's own."
    )
    tag_id: NonNegativeInt | None = Field(
        default=None,
        description="Token id of the tag before a call, where the router model's tokenizer does "
        "not number it as its family does; unset: the family's.",
    )
    priority: int = Field(
        default=-1,
        description="Priority of its requests where the server knows one (vLLM, started with "
        "`--scheduling-policy priority`): the lower goes first, answers have 0.",
    )
    verdict_s: PositiveFloat = Field(
        default=3.0, description="Seconds until a verdict; then the default model answers."
    )
    call_s: PositiveFloat = Field(
        default=10.0, description="Seconds in which a call's arguments must have arrived."
    )
    max_tokens: PositiveInt = Field(default=256, description="Tokens of the router's answer.")
    undecided_chars: PositiveInt = Field(
        default=64, description="Characters that may pass before a verdict."
    )
    prompt_chars: PositiveInt = Field(
        default=2000, description="Characters of the prompt that the router sees."
    )
    long_text_chars: PositiveInt = Field(
        default=8000,
        description="A longer prompt without a tool word at either end goes to the default model.",
    )
    dialogue: bool = Field(
        default=True,
        description="Read what earlier messages spoke of: certain follow-ups are decided by rule, "
        "the router's model sees the rest in at most six lines.",
    )
    grounding: bool = Field(
        default=True,
        description="Look for names in the router model's arguments in what the user wrote: "
        "damaged ones are repaired, invented ones asked for.",
    )
    fast_path: bool = Field(
        default=False,
        description="Decide certain first questions about mathematics and weather without asking "
        "the router's model; `verify` shows beforehand how often the two agree.",
    )
    verify: bool = Field(
        default=True,
        description="Compare the router model's choice of tools with the local detector's.",
    )
    second_engine: str | None = Field(
        default=None,
        description="Engine of a larger router model, asked again where a call cannot be used, a "
        "name was invented or the local detector disagrees; it needs a dialect of its own.",
    )


class TurnSettings(Section):
    """Limits of one turn."""

    max_calls: PositiveInt = Field(default=8, description="Tool calls in one turn.")
    turn_s: PositiveFloat = Field(default=600.0, description="Seconds that a turn may take.")
    phrase_chars: NonNegativeInt = Field(
        default=400,
        description="A tool's result of at most this many characters is worded by the default "
        "model as a whole and checked before it is shown, a longer one sentence by sentence.",
    )
    phrase_s: PositiveFloat = Field(
        default=2.0, description="Seconds for such a wording; then the tool's own words are shown."
    )
    summary_s: PositiveFloat = Field(
        default=10.0, description="Seconds to wait for each further sentence of a longer result."
    )
    translate_s: PositiveFloat = Field(
        default=5.0,
        description="Seconds for the translation of an argument that has to be English and that "
        "the router's model left in Polish.",
    )


class AttributionSettings(Section):
    """Sources: how answers carry them, and which links of a model people may follow."""

    frame: bool = Field(
        default=True,
        description="Append the sources to `content` as a signed line, for clients that show "
        "nothing else and send back what they were shown.",
    )
    plain_links: bool = Field(
        default=True,
        description="Show links in a model's words as plain text, unless the user or a tool of "
        "this turn named their host.",
    )
    trusted_hosts: Names = Field(
        default=(),
        description="Hosts (with their subdomains) whose links a model may always give.",
    )


class ToolsSettings(Section):
    """Tools: which are enabled; every further table `[tools.NAME]` belongs to the tool NAME."""

    model_config = ConfigDict(frozen=True, extra="allow", validate_default=True)
    __pydantic_extra__: dict[str, dict[str, object]]

    enabled: Names | None = Field(
        default=None, description="Names of the enabled tools; unset: every tool that is found."
    )
    user_agent: str = Field(
        default="Zwrotnica/0.1 (self-hosted chatbot)",
        description="How tools introduce themselves to the services they ask.",
        max_length=256,
    )

    @property
    def tables(self) -> Mapping[str, Mapping[str, object]]:
        """The tools' own tables, still unvalidated: the registry checks each with its model."""
        return self.__pydantic_extra__ or {}


class LimitsSettings(Section):
    """Bounds of every field that a client sends, and of the time that a request may take."""

    head_bytes: PositiveInt = Field(
        default=65_536, description="Largest request line and header fields together, bytes."
    )
    head_s: PositiveFloat = Field(
        default=10.0,
        description="Seconds in which a new connection must have sent its first request's header "
        "fields, and a kept one those of a further request that it has begun.",
    )
    body_bytes: PositiveInt = Field(default=2_097_152, description="Largest request body, bytes.")
    body_s: PositiveFloat = Field(
        default=20.0, description="Seconds in which a request body must have arrived."
    )
    json_depth: PositiveInt = Field(default=64, description="Nesting of a JSON body.")
    json_keys: PositiveInt = Field(default=20_000, description="Keys in a JSON body, all told.")
    number_digits: PositiveInt = Field(default=32, description="Characters of a JSON number.")
    messages: PositiveInt = Field(default=1000, description="Messages in one request.")
    parts: PositiveInt = Field(default=2000, description="Parts of all messages together.")
    message_chars: PositiveInt = Field(default=200_000, description="Characters of one message.")
    total_chars: PositiveInt = Field(
        default=600_000, description="Characters of all messages together."
    )
    max_tokens: PositiveInt = Field(
        default=32_768, description="Largest `max_tokens` that a client may ask for."
    )
    stop_sequences: PositiveInt = Field(default=4, description="Entries of `stop`.")
    stop_chars: PositiveInt = Field(default=200, description="Characters of one `stop` entry.")
    client_tools: PositiveInt = Field(default=128, description="Entries of a client's `tools`.")
    schema_bytes: PositiveInt = Field(
        default=65_536, description="JSON of a client's tools or response format, bytes."
    )
    choices: PositiveInt = Field(
        default=8, description="Largest `n`, for engines that declare that they take it."
    )
    heartbeat_s: PositiveFloat = Field(
        default=10.0, description="Seconds of silence after which a stream sends a comment."
    )
    turns: PositiveInt = Field(
        default=512, description="Turns at once; one more is refused with `queue_full`."
    )
    connections: PositiveInt = Field(
        default=20_000, description="Client connections at once; one more is refused with 503."
    )
    keep_alive_s: PositiveInt = Field(
        default=10, description="Seconds for which an idle client connection is kept."
    )
    write_s: PositiveFloat = Field(
        default=20.0, description="Seconds for which a client may leave a stream unread."
    )
    unreachable_s: PositiveInt = Field(
        default=50,
        description="Seconds after which a client whose machine answers no more is given up "
        "(Linux).",
    )
    drain_s: PositiveFloat = Field(
        default=10.0, description="Seconds that running turns get when the server is told to stop."
    )
    shared_url: str | None = Field(
        default=None,
        description="Address of a Redis server that keeps the limits of a minute for all workers "
        "and servers, as `redis://HOST:6379/0`, `rediss://…` or `unix://PATH` (extra `redis`); "
        "unset: each worker has its share.",
    )
    shared_s: PositiveFloat = Field(
        default=0.25,
        description="Seconds that it may take to answer; then each worker goes by its share until "
        "it is back.",
    )


class Settings(Section):
    """All settings of one process; no setting is needed for a first start."""

    profile: str | None = Field(
        default=None,
        description="A whole set-up that lies under these settings: a shipped one (`zwrotnica "
        "engines profiles` lists them) or a table `[profiles.NAME]` of this file.",
    )
    host: HostName = Field(
        default="127.0.0.1", description="Address to listen on; without keys only loopback."
    )
    port: int = Field(default=7860, ge=0, le=65_535, description="Port to listen on; 0: any free.")
    workers: PositiveInt = Field(
        default=1,
        description="Processes that share the port (Linux); bounds of turns and connections are "
        "those of each.",
    )
    data_dir: Folder = Field(
        default=Path(".zwrotnica"), description="Folder that holds everything written."
    )
    secret: SecretStr | None = Field(
        default=None,
        description="Root secret, at least 16 characters; unset: made once in the data folder.",
    )
    previous_secrets: Annotated[tuple[SecretStr, ...], BeforeValidator(split_commas)] = Field(
        default=(), description="Earlier root secrets whose signatures still count."
    )
    public_url: HttpUrl | None = Field(
        default=None,
        description="Address that clients see, for image links, and whose host a server without "
        "keys answers to as well; unset: the one in their request.",
    )
    auth: AuthSettings = Field(default=AuthSettings(), description="Accounts and keys.")
    quotas: QuotaSettings = Field(
        default=QuotaSettings(), description="Limits of users who have no others."
    )
    billing: BillingSettings = Field(default=BillingSettings(), description="Ledger and prices.")
    engines: dict[EngineName, EngineSettings] = Field(
        default={}, description="Chat engines by name, one table `[engines.NAME]` each."
    )
    default_engine: str | None = Field(
        default=None,
        description="Engine that answers when no tool does; unset: the only one configured, "
        "else the embedded engine.",
    )
    client_tools_engine: str | None = Field(
        default=None,
        description="Engine for requests with a client's own `tools` or `response_format`; "
        "unset: the router's, or the default engine where the router is embedded.",
    )
    router: RouterSettings = Field(default=RouterSettings(), description="The router.")
    turn: TurnSettings = Field(default=TurnSettings(), description="Limits of one turn.")
    tools: ToolsSettings = Field(default=ToolsSettings(), description="Tools.")
    images: ImagesSettings = Field(default=ImagesSettings(), description="Pictures.")
    attribution: AttributionSettings = Field(
        default=AttributionSettings(), description="Sources and links."
    )
    storage: StorageSettings = Field(
        default=StorageSettings(), description="The database of conversations."
    )
    chat: ChatSettings = Field(default=ChatSettings(), description="Conversations.")
    page: PageSettings = Field(default=PageSettings(), description="The web chat.")
    limits: LimitsSettings = Field(default=LimitsSettings(), description="Bounds of requests.")
    log: LogSettings = Field(default=LogSettings(), description="Logs.")
    telemetry: TelemetrySettings = Field(
        default=TelemetrySettings(), description="Metrics on the local disk, and traces."
    )
    safety: SafetySettings = Field(
        default=SafetySettings(), description="Rules for sensitive content."
    )
    hardware: HardwareSettings = Field(
        default=HardwareSettings(), description="The machine's cards and memory."
    )

    @model_validator(mode="after")
    def _check_reserved_names(self) -> "Settings":
        if ROUTED_MODEL in self.engines:
            raise ValueError(f"an engine cannot be called {ROUTED_MODEL!r}: that is the chatbot")
        if EMBEDDED in self.engines and self.engines[EMBEDDED].kind != EMBEDDED:
            raise ValueError(f"only an engine of kind {EMBEDDED!r} can be called {EMBEDDED!r}")
        return self

    @model_validator(mode="after")
    def _check_engine_names(self) -> "Settings":
        known = {EMBEDDED, *self.engines}
        for setting, name in (
            ("router.engine", self.router.engine),
            ("router.second_engine", self.router.second_engine),
            ("default_engine", self.default_engine),
            ("client_tools_engine", self.client_tools_engine),
        ):
            if name is not None and name not in known:
                raise ValueError(
                    f"{setting} names {name!r}, but the engines are {', '.join(sorted(known))}"
                )
        if len(self.engines) > 1 and self.default_engine is None:
            raise ValueError(
                f"default_engine must name one of the engines: {', '.join(sorted(self.engines))}"
            )
        return self

    @model_validator(mode="after")
    def _check_fallbacks(self) -> "Settings":
        for name, engine in self.engines.items():
            for other in engine.fallback:
                self._check_fallback(name, engine, other)
        return self

    def _check_fallback(self, name: str, engine: EngineSettings, other: str) -> None:
        setting = f"engines.{name}.fallback"
        known = {one for one, it in self.engines.items() if it.kind != EMBEDDED} - {name}
        if engine.kind == EMBEDDED:
            raise ValueError(f"{setting}: the embedded engine never fails; leave it out")
        if other not in known:
            names = ", ".join(sorted(known)) or "none"
            raise ValueError(f"{setting} names {other!r}, but other model servers are: {names}")
        if missing := set(engine.accepts) - set(self.engines[other].accepts):
            raise ValueError(
                f"{setting}: {other!r} does not accept {', '.join(sorted(missing))}, as {name!r} "
                f"does; add it to engines.{other}.accepts or name another engine"
            )

    @property
    def answering_engine(self) -> str:
        """Name of the engine that answers when no tool does."""
        if self.default_engine is not None:
            return self.default_engine
        return next(iter(self.engines), EMBEDDED)

    @property
    def tools_engine(self) -> str:
        """Name of the engine for a client's own tools; the embedded one cannot serve them."""
        if self.client_tools_engine is not None:
            return self.client_tools_engine
        return self.answering_engine if self.router.engine == EMBEDDED else self.router.engine
