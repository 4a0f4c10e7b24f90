"""What generates: the port between the server and a causal language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from chatbot.types import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class RowSampling:
    """How the tokens of one row are chosen.

    ``temperature`` 0 takes the likeliest token; ``top_k`` 0, ``top_p`` 1 and ``min_p`` 0 leave
    every token in; penalties of 1 (repetition) and 0 (presence, frequency) change nothing.
    """

    seed: int
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """The ids that one row begins with, at least one, and how it goes on."""

    ids: tuple[int, ...]
    sampling: RowSampling


class TokenBatch(Protocol):
    """Rows that are generated together, in step."""

    def step(self) -> tuple[int, ...]:
        """The next token of every row, in the order of the prompts.

        Raises:
            Refusal: the device has not enough memory, in words for the client.
        """
        ...


class TokenModel(Protocol):
    """A model with its tokenizer.

    `load`, `begin` and the batch's steps block and are called from one thread, one at a time; the
    rest is quick and may be called from another thread meanwhile, once `load` is done.
    """

    @property
    def context_tokens(self) -> int:
        """Tokens of prompt and answer together."""
        ...

    @property
    def end_ids(self) -> frozenset[int]:
        """Tokens with which the model ends an answer."""
        ...

    @property
    def special_ids(self) -> frozenset[int]:
        """Tokens that are marks and no text."""
        ...

    def load(self) -> None:
        """Bring the weights to where they are needed.

        Raises:
            ZwrotnicaError: they are not there or do not fit; the message says what to do.
        """
        ...

    def read_chat(
        self, messages: Sequence[JsonObject], tools: Sequence[JsonObject]
    ) -> tuple[int, ...]:
        """The ids of a conversation by the model's own template, up to where the answer begins.

        Raises:
            InvalidRequest: the template refuses it.
        """
        ...

    def read_text(self, text: str, *, has_start: bool) -> tuple[int, ...]:
        """The ids of plain text; ``has_start``: with the mark that the model begins a text with."""
        ...

    def write(self, ids: Sequence[int]) -> str:
        """The text of ``ids``, special ones too; what is no whole character yet is U+FFFD."""
        ...

    def begin(self, prompts: Sequence[Prompt]) -> TokenBatch:
        """Rows for ``prompts``; nothing is computed before their first step."""
        ...
