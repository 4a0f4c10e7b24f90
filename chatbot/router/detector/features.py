"""What the classifier sees of a prompt: letter n-grams, lemmas, word pairs and signs, as strings.

Training and run time use this one function, so the weights always meet the features they know.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.router.detector.lexicon import groups_of

HEAD_CHARS = 400
TAIL_CHARS = 200
_SIZES = (2, 3, 4, 5)
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\s\w]")
_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")
_OPERATION = re.compile(r"[\d)x]\s*[-+*/^:·×÷−]\s*[\d(x√]|[√∫²³]|\d!|[=<>≤≥]|\d ?%|\b[xyz]\b")
_FIGURES = re.compile(r"\d\s*[-+*/^:·×÷−x]\s*\d")
_GEOGRAPHIC = "nazwa_geograficzna"
_PERSONAL = frozenset({"imię", "nazwisko"})
_LENGTHS = (12, 30, 60, 120, 250, 500)
_MANY_WORDS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """One token as the classifier reads it: folded text, lemmas, and a shape for word pairs."""

    text: str
    lemmas: frozenset[str]
    shape: str
    groups: frozenset[str]


def letters(prompt: str) -> list[str]:
    """Return the distinct 2–5-grams of the folded prompt, digits as zeros, in order."""
    text = f" {_SPACES.sub(' ', _DIGITS.sub('0', fold(_cut(prompt)))).strip()} "
    grams = (text[at : at + size] for size in _SIZES for at in range(len(text) - size + 1))
    return list(dict.fromkeys(grams))


def words(prompt: str) -> list[str]:
    """Return the distinct lemma, pair and sign features of the prompt, in order."""
    text = _cut(prompt)
    tokens = [_read(token, at == 0) for at, token in enumerate(_TOKEN.findall(text))]
    if len(tokens) > 2 * _MANY_WORDS:
        tokens = [*tokens[:_MANY_WORDS], *tokens[-_MANY_WORDS:]]
    return list(dict.fromkeys([*_lemma_features(tokens), *_signs(prompt, text, tokens)]))


def _cut(prompt: str) -> str:
    if len(prompt) <= HEAD_CHARS + TAIL_CHARS:
        return prompt
    return f"{prompt[:HEAD_CHARS]} {prompt[-TAIL_CHARS:]}"


@lru_cache(maxsize=16_384)
def _read(token: str, is_first: bool) -> Word:
    text = fold(token)
    if token[0].isdigit():
        return Word(text="0", lemmas=frozenset({"0"}), shape="#", groups=frozenset())
    if not token[0].isalpha():
        return Word(text=text, lemmas=frozenset({text}), shape=text, groups=frozenset())
    readings = morphology().readings(token)
    labels = frozenset(label for reading in readings for label in reading.labels)
    found = frozenset(fold(reading.lemma) for reading in readings) or frozenset({text})
    is_name = token[0].isupper() and not is_first
    shape = _shape(text, labels, is_name=is_name)
    return Word(text=text, lemmas=found, shape=shape, groups=groups_of(text))


def _shape(text: str, labels: frozenset[str], *, is_name: bool) -> str:
    if is_name and _GEOGRAPHIC in labels:
        return "@place"
    if is_name and labels & _PERSONAL:
        return "@person"
    if is_name:
        return "@name"
    return text if len(text) > 1 or text in "iaowzu" else "@letter"


def _lemma_features(tokens: Sequence[Word]) -> Iterator[str]:
    shapes = ["^", *(token.shape for token in tokens), "$"]
    for token in tokens:
        yield from (f"l={lemma}" for lemma in sorted(token.lemmas))
        yield from (f"g={group}" for group in sorted(token.groups))
    yield from (f"p={left}_{right}" for left, right in pairwise(shapes))
    yield from (f"s={shape}" for shape in shapes[1:3])
    yield f"s2={'_'.join(shapes[1:3])}"
    yield f"s3={'_'.join(shapes[1:4])}"


def _signs(prompt: str, text: str, tokens: Sequence[Word]) -> Iterator[str]:
    yield f"len={sum(len(prompt) > length for length in _LENGTHS)}"
    yield f"words={min(len(tokens), 8)}"
    groups = frozenset(group for token in tokens for group in token.groups)
    shapes = frozenset(token.shape for token in tokens)
    kinds = sorted(groups | (shapes & {"@place", "@person", "@name", "@letter", "#"}))
    yield from (f"has={kind}" for kind in kinds)
    yield from (
        f"both={left}_{right}" for at, left in enumerate(kinds) for right in kinds[at + 1 :]
    )
    if tokens:
        yield from (f"first={group}" for group in sorted(tokens[0].groups))
    if "?" in text:
        yield "question"
    if _OPERATION.search(text):
        yield "operation"
    if _FIGURES.search(text):
        yield "figures"
    if not any(token.text.isalpha() for token in tokens):
        yield "no_letters"
