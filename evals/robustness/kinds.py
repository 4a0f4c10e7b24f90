"""Every way to write a prompt otherwise, by name."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from evals.cases import Case
from evals.robustness.frames import (
    add_emoji,
    ask_politely,
    distract,
    frame_in_english,
    frame_in_ukrainian,
    inject,
    thank,
)
from evals.robustness.letters import drop_diacritics, drop_punctuation, lower, mistype, upper
from evals.robustness.mixing import switch_code

Rewrite: TypeAlias = Callable[[Case, Random], str]
"""Gives a case's prompt, written otherwise; the same prompt where that cannot be done."""

KINDS: Mapping[str, Rewrite] = MappingProxyType({
    "no_diacritics": drop_diacritics,
    "typos": mistype,
    "lower_case": lower,
    "upper_case": upper,
    "no_punctuation": drop_punctuation,
    "emoji": add_emoji,
    "polite_before": ask_politely,
    "polite_after": thank,
    "distraction": distract,
    "injection": inject,
    "english_frame": frame_in_english,
    "ukrainian_frame": frame_in_ukrainian,
    "code_switch": switch_code,
})


def perturb(case: Case, kind: str) -> Case | None:
    """``case`` with its prompt written otherwise; ``None`` where nothing can be changed.

    The same for the same case and kind, always; what is right stays what it was.
    """
    random = Random(f"{kind}:{case.id}")  # noqa: S311 - a choice of words, no secret
    prompt = KINDS[kind](case, random)
    if prompt == case.prompt:
        return None
    return replace(case, id=f"{case.id}~{kind}", prompt=prompt)
