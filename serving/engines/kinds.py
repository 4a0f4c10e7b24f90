"""The kinds of model servers as data: what each takes beyond the common protocol."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from serving.settings import EMBEDDED, EngineSettings, Settings, SettingsError

_COMMON = frozenset({
    "messages",
    "temperature",
    "top_p",
    "max_tokens",
    "presence_penalty",
    "frequency_penalty",
    "stop",
    "stream",
    "n",
    "tools",
    "tool_choice",
    "response_format",
})
"""Fields of a chat completion that every kind takes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineKind:
    """One kind of server.

    ``forwarded`` is the allow-list: no other field of a client's request reaches the server.
    ``renamed`` gives the server's word for a field of ours. ``takes_usage_option`` says that
    ``stream_options`` is known. ``keeps_special_tokens`` says that ``skip_special_tokens`` is
    known, ``reports_token_ids`` that ``return_token_ids`` is, ``takes_priority`` that a *lower*
    ``priority`` is served first. ``is_external`` is a provider outside: proxies of the environment
    count, and so does money.
    """

    name: str
    forwarded: frozenset[str] = _COMMON
    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    takes_usage_option: bool = False
    keeps_special_tokens: bool = False
    reports_token_ids: bool = False
    takes_priority: bool = False
    is_external: bool = False

    def takes(self, field: str) -> bool:
        """Whether a client's ``field`` may be sent on to this kind."""
        return field in self.forwarded


_SAMPLING = frozenset({"seed", "top_k", "min_p", "repetition_penalty"})
_LOGPROBS = frozenset({"logprobs", "top_logprobs"})

_VLLM = EngineKind(
    name="vllm",
    forwarded=_COMMON
    | _SAMPLING
    | _LOGPROBS
    | {"stream_options", "parallel_tool_calls", "reasoning_effort"},
    takes_usage_option=True,
    keeps_special_tokens=True,
    reports_token_ids=True,
    takes_priority=True,
)
_SGLANG = EngineKind(
    name="sglang",
    forwarded=_COMMON | _SAMPLING | _LOGPROBS | {"stream_options", "reasoning_effort"},
    takes_usage_option=True,
    keeps_special_tokens=True,
)
_LLAMACPP = EngineKind(
    name="llamacpp",
    forwarded=_COMMON | _SAMPLING | _LOGPROBS | {"stream_options", "parallel_tool_calls"},
    renamed=MappingProxyType({"repetition_penalty": "repeat_penalty"}),
    takes_usage_option=True,
)
_TGI = EngineKind(
    name="tgi",
    forwarded=_COMMON | _LOGPROBS | {"seed", "stream_options"},
    takes_usage_option=True,
)
_TENSORRT = EngineKind(
    name="tensorrt",
    forwarded=_COMMON | _SAMPLING | _LOGPROBS | {"stream_options"},
    takes_usage_option=True,
    keeps_special_tokens=True,
)
_TRANSFORMERS = EngineKind(
    name="transformers",
    forwarded=_COMMON | _SAMPLING | {"stream_options"},
    takes_usage_option=True,
    keeps_special_tokens=True,
)
_OPENAI = EngineKind(
    name="openai",
    forwarded=_COMMON
    | _LOGPROBS
    | {"seed", "stream_options", "parallel_tool_calls", "reasoning_effort"},
    renamed=MappingProxyType({"max_tokens": "max_completion_tokens"}),
    takes_usage_option=True,
    is_external=True,
)
_COMPATIBLE = EngineKind(
    name="compatible",
    forwarded=_COMMON,
    takes_usage_option=True,
    is_external=True,
)
_EMBEDDED = EngineKind(name="embedded", reports_token_ids=True, keeps_special_tokens=True)

ENGINE_KINDS: Mapping[str, EngineKind] = MappingProxyType({
    kind.name: kind
    for kind in (
        _VLLM,
        _SGLANG,
        _LLAMACPP,
        _TGI,
        _TENSORRT,
        _TRANSFORMERS,
        _OPENAI,
        _COMPATIBLE,
        _EMBEDDED,
    )
})
"""Every kind by name; ``compatible`` is an outside provider that takes only the common fields."""


def remote_engines(settings: Settings) -> dict[str, EngineSettings]:
    """The configured engines that are model servers.

    Raises:
        SettingsError: a kind that does not exist; the message names the nearest.
    """
    for name, engine in settings.engines.items():
        if engine.kind not in ENGINE_KINDS:
            near = difflib.get_close_matches(engine.kind, ENGINE_KINDS, n=1, cutoff=0.0)
            known = ", ".join(sorted(ENGINE_KINDS))
            raise SettingsError(
                f"engines.{name}.kind: there is no kind {engine.kind!r}; "
                f"did you mean {near[0]!r}? Known kinds: {known}"
            )
    return {name: one for name, one in settings.engines.items() if one.kind != EMBEDDED}
