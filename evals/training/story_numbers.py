"""Stories and follow-ups in numbers, as the network of word problems learns them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.stories.network import (
    END,
    MOST,
    MOST_TOKENS,
    NAMES,
    UNKNOWN,
)
from chatbot.router.detector.formulas.stories.tokens import Token, tokens_of
from evals.training.story_examples import Example
from evals.training.talks import TalkExample

_RARE = (3, 10, 5)
_RARE_SIGN = 8


@dataclass(frozen=True, kw_only=True)
class Names:
    """What tokens are known by, a list for each of `NAMES`, and the signs that are written."""

    of_tokens: tuple[tuple[str, ...], ...]
    signs: tuple[str, ...]

    @classmethod
    def of(cls, stories: Iterable["Story"]) -> "Names":
        """List what occurs often enough."""
        names = tuple(Counter[str]() for _ in NAMES)
        signs: Counter[str] = Counter()
        for story in stories:
            for token in story.tokens:
                for counts, name in zip(names, token.names, strict=True):
                    counts[name] += 1
            signs.update(sign for sign in story.signs if isinstance(sign, str))
        return cls(
            of_tokens=tuple(
                tuple(sorted(name for name, count in counts.items() if count >= least))
                for counts, least in zip(names, _RARE, strict=True)
            ),
            signs=tuple(sign for sign, count in signs.most_common() if count >= _RARE_SIGN),
        )

    @cached_property
    def rows(self) -> tuple[Mapping[str, int], ...]:
        """The row of each name, for each list."""
        return tuple(
            {name: row for row, name in enumerate(each, UNKNOWN + 1)} for each in self.of_tokens
        )

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each sign that is written."""
        return {sign: at for at, sign in enumerate(self.signs, END + 1)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """A story's tokens, and its calculation in postfix signs, with quantities by their places."""

    tokens: tuple[Token, ...]
    signs: tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Numbered:
    """A story in numbers: names, place, group and part of tokens, traits, where quantities are."""

    rows: NDArray[np.int64]
    traits: NDArray[np.float32]
    places: NDArray[np.int64]
    signs: tuple[int, ...]


def story_of(example: Example) -> Story | None:
    """Return what can be learnt; ``None`` without a template, or where the story is too long."""
    found = example.calculation
    tokens = tuple(tokens_of(example.statement))
    if found is None or len(tokens) > MOST_TOKENS:
        return None
    return Story(tokens=tokens, signs=found.signs)


def story_of_talk(example: TalkExample) -> Story | None:
    """Return what can be learnt of a follow-up; ``None`` where its numbers do not make it."""
    if example.signs is None:
        return None
    return Story(tokens=example.conversation.tokens, signs=example.signs)


def number(story: Story, names: Names) -> Numbered | None:
    """Return the story in numbers; ``None`` if a sign of its calculation is too rare."""
    signs = [
        names.numbers.get(sign) if isinstance(sign, str) else len(names.signs) + 1 + sign
        for sign in story.signs
    ]
    places = np.full(MOST, -1)
    for at, token in enumerate(story.tokens):
        if token.place >= 0:
            places[token.place] = at
    whole = tuple(sign for sign in signs if sign is not None)
    if len(whole) < len(signs):
        return None
    return Numbered(
        rows=np.array([
            [
                *(
                    rows.get(name, UNKNOWN)
                    for rows, name in zip(names.rows, token.names, strict=True)
                ),
                token.place + 1,
                token.group,
                token.part,
            ]
            for token in story.tokens
        ]),
        traits=np.array([token.traits for token in story.tokens], dtype=np.float32),
        places=places,
        signs=(*whole, END),
    )
