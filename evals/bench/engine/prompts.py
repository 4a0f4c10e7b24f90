"""The fifty prompts of the engine benchmark, in an order that a seed decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

PROMPTS = Path(__file__).with_name("prompts.jsonl")
Length: TypeAlias = Literal["short", "medium", "long"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What is asked, with the most tokens of its answer: up to 30, up to 300, or more."""

    id: str
    language: Literal["pl", "en"]
    length: Length
    max_tokens: int
    text: str


_READER = TypeAdapter(Prompt)


def read_prompts() -> tuple[Prompt, ...]:
    """The prompts that ship with the benchmark."""
    lines = PROMPTS.read_text(encoding="utf-8").splitlines()
    return tuple(_READER.validate_json(line) for line in lines)


def fingerprint() -> str:
    """The SHA-256 of the prompts' file, so that runs of other prompts are not compared."""
    return sha256(PROMPTS.read_bytes()).hexdigest()


def shuffled_repeats(prompts: Sequence[Prompt], count: int, order: Random) -> list[Prompt]:
    """``count`` prompts: all of them in random order, again and again."""
    repeats: list[Prompt] = []
    while len(repeats) < count:
        repeats += order.sample(prompts, len(prompts))
    return repeats[:count]
