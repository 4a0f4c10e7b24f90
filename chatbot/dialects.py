"""The model families as data: how each is offered tools and how it writes a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Grammar: TypeAlias = Literal["json", "named", "python"]
"""``json``: ``{"name": …}`` or an array of such; ``named``: ``name{…}``; ``python``: ``name(k=…)``.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """One family of function-calling models.

    ``system`` and ``message`` name the prompts of `chatbot.prompts` for the two messages; without
    them there is no system message, and the user's message is the prompt alone. ``offer`` says
    whether the tools stand ``in_prompt`` or go on the ``wire``. ``arguments_key`` is the word that
    the family was trained with. ``openers`` stand before a call, ``closers`` after one;
    without ``has_bare_calls`` a call needs its opener. ``tag_id`` is the token id of the first
    opener, ``None`` where the family has none that is one token. ``control_tokens`` must never
    reach the model from text. ``reasoning`` are pairs of tags whose inside is skipped.
    """

    name: str
    offer: Literal["in_prompt", "wire"]
    system: str | None = None
    message: str | None = None
    arguments_key: Literal["parameters", "arguments"] = "arguments"
    openers: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()
    has_bare_calls: bool = True
    grammars: tuple[Grammar, ...] = ("json",)
    tag_id: int | None = None
    control_tokens: tuple[str, ...] = ()
    reasoning: tuple[tuple[str, str], ...] = (("<think>", "</think>"),)


_LLAMA_TOKENS = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
    "<|finetune_right_pad_id|>",
)
_CHATML_TOKENS = ("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<tool_call>", "</tool_call>")
_MISTRAL_TOKENS = (
    "[TOOL_CALLS]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[INST]",
    "[/INST]",
    "[ARGS]",
    "[CALL_ID]",
    "</s>",
)
_THINKING = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))

_LLAMA = Dialect(
    name="llama3.1",
    system="router_system",
    offer="in_prompt",
    message="router_offer",
    arguments_key="parameters",
    openers=("<|python_tag|>", "<function="),
    closers=("<|eom_id|>", "<|eot_id|>", "<|end_of_text|>", "</function>"),
    grammars=("json", "named", "python"),
    tag_id=128010,
    control_tokens=_LLAMA_TOKENS,
)
_HERMES = Dialect(
    name="hermes",
    system="router_system_plain",
    offer="in_prompt",
    message="router_offer_tags",
    openers=("<tool_call>",),
    closers=("</tool_call>", "<|im_end|>", "<|endoftext|>"),
    control_tokens=_CHATML_TOKENS,
)
_BIELIK = Dialect(
    name="bielik",
    system="router_system_plain",
    offer="in_prompt",
    message="router_offer_tags",
    openers=("<tool_call>",),
    closers=("</tool_call>", "<|im_end|>", "</s>"),
    control_tokens=(*_CHATML_TOKENS, "<s>", "</s>"),
)
_MISTRAL = Dialect(
    name="mistral",
    offer="wire",
    message="router_message",
    system="router_system_wire",
    openers=("[TOOL_CALLS]",),
    closers=("</s>",),
    grammars=("json", "named"),
    control_tokens=_MISTRAL_TOKENS,
    reasoning=_THINKING,
)
_PLAIN = Dialect(
    name="plain",
    offer="wire",
    message="router_message",
    system="router_system_wire",
    openers=("<|python_tag|>", "<tool_call>", "[TOOL_CALLS]", "<function="),
    closers=(*_LLAMA.closers, *_HERMES.closers, "</s>"),
    grammars=("json", "named", "python"),
    control_tokens=(*_LLAMA_TOKENS, *_CHATML_TOKENS, *_MISTRAL_TOKENS),
    reasoning=_THINKING,
)
_EMBEDDED = Dialect(
    name="embedded",
    offer="wire",
    arguments_key="parameters",
    openers=_LLAMA.openers,
    closers=_LLAMA.closers,
    has_bare_calls=False,
    tag_id=128010,
    control_tokens=_LLAMA_TOKENS,
)

DIALECTS: Mapping[str, Dialect] = MappingProxyType({
    dialect.name: dialect for dialect in (_LLAMA, _HERMES, _BIELIK, _MISTRAL, _PLAIN, _EMBEDDED)
})
"""Every dialect by name; ``plain`` suits an unknown model whose server parses the calls itself."""
