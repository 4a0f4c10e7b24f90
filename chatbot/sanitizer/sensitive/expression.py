"""An operator's own regular expression, of which length and cost are bounded beforehand."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import prod
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.pattern import PatternDetector

MOST_CHARS = 256
MOST_WAYS = 1000
_MOST_REPEATS = MOST_CHARS + 1
_CATEGORIES: Final = MappingProxyType({
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
})
_PARSER: Final = import_module("re._parser")  # the one reader of its syntax
_Node: TypeAlias = tuple[Any, Any]  # as the standard library's parser gives them, untyped


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """A part of an expression: its length, in how many ways it can match, and its beginning.

    ``beginning`` is an expression for the same text, or for what of it stands before the end.
    """

    shortest: int
    longest: int
    ways: int
    beginning: str


def expression(source: str) -> Detector:
    """A detector of what ``source`` matches, a regular expression in Python's syntax.

    Raises:
        ValueError: it is none, has no bounded length, or could take too long.
    """
    try:
        pattern = re.compile(source)
        nodes: Sequence[_Node] = _PARSER.parse(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{source!r} is no regular expression: {error}") from error
    piece = _read(nodes)
    _check(piece, source)
    return PatternDetector(
        pattern=pattern, beginning=piece.beginning, trigger="", longest=piece.longest
    )


def _check(piece: _Piece, source: str) -> None:
    if piece.shortest == 0:
        raise ValueError(f"{source!r} matches an empty text")
    if piece.longest > MOST_CHARS:
        raise ValueError(
            f"{source!r} can match more than {MOST_CHARS} characters, which would be held back; "
            "write {1,20} in place of + and *"
        )
    if piece.ways > MOST_WAYS:
        raise ValueError(
            f"{source!r} can match in more than {MOST_WAYS} ways, so hostile text could make it "
            "slow; bound or unnest its repeats"
        )


def _read(nodes: Iterable[_Node]) -> _Piece:
    pieces = [_read_node(str(op), value) for op, value in nodes]
    return _Piece(
        shortest=sum(piece.shortest for piece in pieces),
        longest=sum(piece.longest for piece in pieces),
        ways=prod(piece.ways for piece in pieces),
        beginning="".join(piece.beginning for piece in pieces),
    )


def _read_node(op: str, value: Any) -> _Piece:  # noqa: ANN401  # see _Node
    if (source := _char_source(op, value)) is not None:
        return _Piece(shortest=1, longest=1, ways=1, beginning=rf"(?:{source}|\Z)")
    match op, value:
        case "BRANCH", (_, branches):
            return _either([_read(branch) for branch in branches])
        case "SUBPATTERN", (_, 0, 0, nodes):
            return _either([_read(nodes)])
        case (("MAX_REPEAT" | "MIN_REPEAT"), (least, most, nodes)):
            return _repeat(_read(nodes), int(least), int(most), lazy=op == "MIN_REPEAT")
        case "AT", place if str(place) == "AT_BOUNDARY":
            return _Piece(shortest=0, longest=0, ways=1, beginning=r"(?:\b|\Z)")
        case _:
            raise ValueError(
                f"{op.lower()} is not possible in a rule's pattern: use letters, classes, groups, "
                r"alternatives, bounded repeats and \b"
            )


def _char_source(op: str, value: Any) -> str | None:  # noqa: ANN401  # see _Node
    """The source of what matches one character."""
    match op:
        case "LITERAL":
            return re.escape(chr(value))
        case "NOT_LITERAL":
            return f"[^{re.escape(chr(value))}]"
        case "ANY":
            return "."
        case "IN":
            return f"[{''.join(_item(str(kind), what) for kind, what in value)}]"
        case _:
            return None


def _item(kind: str, value: Any) -> str:  # noqa: ANN401  # see _Node
    match kind, value:
        case "NEGATE", _:
            return "^"
        case "RANGE", (first, last):
            return f"{re.escape(chr(first))}-{re.escape(chr(last))}"
        case "LITERAL", code:
            return re.escape(chr(code))
        case _:
            return _CATEGORIES[str(value)]


def _either(pieces: Sequence[_Piece]) -> _Piece:
    return _Piece(
        shortest=min(piece.shortest for piece in pieces),
        longest=max(piece.longest for piece in pieces),
        ways=sum(piece.ways for piece in pieces),
        beginning=f"(?:{'|'.join(piece.beginning for piece in pieces)})",
    )


def _repeat(piece: _Piece, least: int, most: int, *, lazy: bool) -> _Piece:
    """Repeats; from a bound on, more of them make no difference to what is refused."""
    capped = min(most, _MOST_REPEATS)
    exponents = range(min(least, capped), capped + 1)
    return _Piece(
        shortest=piece.shortest * least,
        longest=max(piece.longest, 1) * capped,
        ways=min(sum(piece.ways**exponent for exponent in exponents), MOST_WAYS + 1),
        beginning=f"(?:{piece.beginning}){{{least},{most}}}{'?' * lazy}",
    )
