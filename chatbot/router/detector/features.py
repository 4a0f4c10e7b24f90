"""What the classifier sees of a prompt: letter n-grams, lemmas, word pairs and signs, as strings.

Training and run time use this one function, so the weights always meet the features they know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.quotes import part, sentences
from chatbot.router.detector.spans import split_words
from chatbot.router.detector.titles import find_titles

HEAD_CHARS = 400
TAIL_CHARS = 200
SIZES = (3, 4, 5)
_TOKEN = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\s\w]")
_DIGITS = regex(r"\d+")
_SPACES = regex(r"\s+")
_OPERATION = regex(r"[\d)x]\s*[-+*/^:·×÷−]\s*[\d(x√]|[√∫²³]|\d!|[=<>≤≥]|\d ?%|\b[xyz]\b")
_FIGURES = regex(r"\d\s*[-+*/^:·×÷−x]\s*\d")
_GEOGRAPHIC = "nazwa_geograficzna"
_PERSONAL = frozenset({"imię", "nazwisko"})
_LENGTHS = (12, 30, 60, 120, 250, 500)
_MANY_WORDS = 60
_WINDOW = 4
_STEERING = frozenset({"nie", "bez", "jak", "co", "ile", "kto", "czy", "o", "na", "dla", "w"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """One token as the classifier reads it: folded text, lemmas, and a shape for word pairs.

    ``features`` are those that it has wherever it stands.
    """

    text: str
    lemmas: frozenset[str]
    shape: str
    groups: frozenset[str]
    kinds: frozenset[str] = frozenset()
    features: tuple[str, ...] = ()


def letters(prompt: str) -> list[str]:
    """Return the distinct 3–5-grams of the prompt's own words, folded, digits as zeros."""
    text = lettered(prompt)
    grams = [text[at : at + size] for size in SIZES for at in range(len(text) - size + 1)]
    return list(dict.fromkeys(grams))


def lettered(prompt: str) -> str:
    """Return the text whose 3–5-grams `letters` gives."""
    own = _cut(part(prompt).own)
    return f" {_SPACES.sub(' ', _DIGITS.sub('0', fold(own))).strip()} "


def words(prompt: str) -> list[str]:
    """Return the distinct lemma, pair, sign and sentence features of the prompt, in order."""
    parts = part(prompt)
    text = _cut(parts.own)
    tokens = _tokens(text)
    found = [
        *_lemma_features(tokens),
        *_signs(prompt, text, tokens),
        *_request(text),
        *_titled(text),
    ]
    if parts.quoted:
        found += _quotation(_tokens(_cut(parts.quoted)))
    return list(dict.fromkeys(found))


def _tokens(text: str) -> list[Word]:
    tokens = [_read(token, at == 0) for at, token in enumerate(_TOKEN.findall(text))]
    if len(tokens) > 2 * _MANY_WORDS:
        return [*tokens[:_MANY_WORDS], *tokens[-_MANY_WORDS:]]
    return tokens


def _request(text: str) -> Iterator[str]:
    """Give the words of the sentence that asks, where there are several sentences."""
    said = sentences(text)
    if len(said) < 2:  # noqa: PLR2004 - one sentence is the whole prompt
        return
    yield f"sentences={min(len(said), 4)}"
    asking = [each for each in said if _asks(each)] or [said[-1]]
    yield "asks=last" if asking[-1] == said[-1] else "asks=before"
    for word in _tokens(asking[-1]):
        yield from (f"r:l={lemma}" for lemma in sorted(word.lemmas))
        yield from (f"r:g={group}" for group in sorted(word.groups))
    for word in _tokens(said[0]):
        yield from (f"a:g={group}" for group in sorted(word.groups))


def _titled(text: str) -> Iterator[str]:
    """Tell how a thing that has an article is spoken of: "ile waży żubr", "wiersz o żubrze"."""
    spans = split_words(text)
    found = find_titles(spans)
    if not found:
        return
    said = [f"title:g={group}" for word in spans for group in sorted(groups_of(word.folded))]
    for one in found:
        named = spans[one.start : one.end]
        kind = "name" if any(word.is_capitalised for word in named) else "notion"
        before = spans[one.start - 1].folded if one.start else "^"
        second = spans[one.start - 2].folded if one.start > 1 else "^"
        after = spans[one.end].folded if one.end < len(spans) else "$"
        yield from ("title", f"title:{kind}", f"title:words={len(named)}")
        yield from (f"title:b={before}", f"title:b2={second}_{before}", f"title:a={after}")
        yield from said
        if "?" in text:
            yield f"title:question:{kind}"


def _asks(sentence: str) -> bool:
    if sentence.endswith("?"):
        return True
    tokens = _tokens(sentence)
    return any("wish" in token.groups or "impt" in token.kinds for token in tokens)


def _quotation(tokens: Sequence[Word]) -> list[str]:
    groups = {group for token in tokens for group in token.groups}
    return ["quotation", *(f"q:g={group}" for group in sorted(groups))]


def _cut(prompt: str) -> str:
    if len(prompt) <= HEAD_CHARS + TAIL_CHARS:
        return prompt
    return f"{prompt[:HEAD_CHARS]} {prompt[-TAIL_CHARS:]}"


@lru_cache(maxsize=16_384)
def _read(token: str, is_first: bool) -> Word:
    text = fold(token)
    if token[0].isdigit():
        return _word("0", frozenset({"0"}), "#")
    if not token[0].isalpha():
        return _word(text, frozenset({text}), text)
    readings = morphology().readings(token)
    labels = frozenset(label for reading in readings for label in reading.labels)
    found = frozenset(fold(reading.lemma) for reading in readings) or frozenset({text})
    is_name = token[0].isupper() and not is_first
    shape = _shape(text, labels, is_name=is_name)
    kinds = frozenset(reading.pos for reading in readings)
    return _word(text, found, shape, groups_of(text), kinds)


def _word(
    text: str,
    lemmas: frozenset[str],
    shape: str,
    groups: frozenset[str] = frozenset(),
    kinds: frozenset[str] = frozenset(),
) -> Word:
    said, meant = sorted(lemmas), sorted(groups)
    features = [*(f"l={one}" for one in said), *(f"g={one}" for one in meant)]
    if "impt" in kinds:
        features += [f"impt={one}" for one in said]
    return Word(
        text=text, lemmas=lemmas, shape=shape, groups=groups, kinds=kinds, features=tuple(features)
    )


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
        yield from token.features
    yield from _pairs_apart(tokens)
    yield from (f"p={left}_{right}" for left, right in pairwise(shapes))
    yield from (f"s={shape}" for shape in shapes[1:3])
    yield f"s2={'_'.join(shapes[1:3])}"
    yield f"s3={'_'.join(shapes[1:4])}"


def _pairs_apart(tokens: Sequence[Word]) -> Iterator[str]:
    """Give each word with the groups of the words shortly after it: "narysuj … wykres"."""
    for at, token in enumerate(tokens):
        if not token.groups and token.text not in _STEERING:
            continue
        after = set[str]().union(*(one.groups for one in tokens[at + 1 : at + 1 + _WINDOW]))
        if not after:
            continue
        others = sorted(after)
        for group in sorted(token.groups):
            yield from (f"n={group}_{other}" for other in others)
        lemma = min(token.lemmas)
        yield from (f"w={lemma}_{other}" for other in others)


def _signs(prompt: str, text: str, tokens: Sequence[Word]) -> Iterator[str]:
    yield f"len={sum(len(prompt) > length for length in _LENGTHS)}"
    yield f"words={min(len(tokens), 8)}"
    groups = frozenset(group for token in tokens for group in token.groups)
    shapes = frozenset(token.shape for token in tokens)
    kinds = sorted(groups | (shapes & {"@place", "@person", "@name", "@letter", "#"}))
    yield from (f"has={kind}" for kind in kinds)
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
