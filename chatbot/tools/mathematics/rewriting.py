"""Rewrites tokens of school notation into the grammar of Python expressions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from chatbot.errors import ToolError
from chatbot.tools.mathematics.functions import CALLABLE
from chatbot.tools.mathematics.scanning import Kind, Token

Tokens: TypeAlias = tuple[Token, ...]

WORDS: Mapping[str, str] = MappingProxyType({"oraz": "and", "lub": "or", "nie": "not"})
_DEGREES = frozenset({"stopień", "stopnie", "stopni", "stopnia"})
CONNECTIVES = frozenset({"and", "or", "not"})

_OPENING = frozenset("([")
_CLOSING: Mapping[str, str] = MappingProxyType({")": "(", "]": "["})
_POSTFIXES: Mapping[str, tuple[str, str]] = MappingProxyType({
    "!": ("factorial(", ")"),
    "!!": ("doublefactorial(", ")"),
    "°": ("radians(", ")"),
    "%": ("percent(", ")"),
})
_PRODUCT = re.compile(r"[xyz]{2,3}|[abc]{2,3}|[abckmnpq][xyz]")
_LOGARITHM = re.compile(r"log_?(\d*)")
_VARIABLE = re.compile(r"[A-Za-z]\d*|pi|oo")


def rewrite(tokens: Sequence[Token]) -> str:
    """Python source for the tokens: every product, function and equation written out.

    Raises:
        ToolError: something is missing between two tokens.
    """
    current = tuple(tokens)
    for step in _STEPS:
        current = step(current)
    return " ".join(token.text for token in current)


def _split_names(tokens: Tokens) -> Tokens:
    """``xy`` becomes two variables, ``a mod b`` a sign; Polish connectives become Python's."""
    result: list[Token] = []
    for index, token in enumerate(tokens):
        word = WORDS.get(token.text, token.text)
        if word in {"mod", "modulo"} and result and not _opens(tokens, index + 1):
            result.append(_sign("mod", token))
        elif token.kind == "name" and word in _DEGREES and result and _ends_operand(result[-1]):
            result.append(_sign("°", token))
        elif token.kind == "name" and _PRODUCT.fullmatch(word):
            result.extend(Token("name", letter, token.position) for letter in word)
        else:
            result.append(Token(token.kind, word, token.position))
    return tuple(result)


def _pair_bars(tokens: Tokens) -> Tokens:
    """``|x - 1|`` becomes ``Abs(x - 1)``."""
    result: list[Token] = []
    open_bars = 0
    for token in tokens:
        if token.text != "|":
            result.append(token)
        elif open_bars and result and _ends_operand(result[-1]):
            open_bars -= 1
            result.append(Token("sign", ")", token.position))
        else:
            open_bars += 1
            result += (Token("name", "Abs", token.position), Token("sign", "(", token.position))
    if open_bars:
        raise ToolError("Kreska „|” nie ma pary. Wartość bezwzględną zapisz tak: |x - 1|.")
    return tuple(result)


def _write_roots(tokens: Tokens) -> Tokens:
    r"""``\sqrt2x`` becomes ``sqrt(2)x``: of digits, TeX takes one; ``\sqrt[3]{8}`` is a root."""
    result: list[Token] = []
    rest = tokens
    while rest:
        token, rest = rest[0], rest[1:]
        if token.text != "\\sqrt":
            result.append(token)
        elif rest and rest[0].text == "[":
            end = _end_of(rest, 0)
            argument, after = _take_argument(rest[end:], token)
            result += _call("root", token, argument, rest[1 : end - 1])
            rest = after
        else:
            result.append(Token("name", "sqrt", token.position))
            if rest and rest[0].kind == "number":
                argument, rest = _take_argument(rest, token)
                result += argument
    return tuple(result)


def _write_logarithms(tokens: Tokens) -> Tokens:
    r"""``log_2(8)``, ``log₃ 9`` and ``\log_{2} 8`` become ``log(8, 2)``."""
    result = tokens
    for index in reversed(range(len(tokens))):
        base, start = _base_of(result, index)
        is_group = _opens(result, start)
        end = _end_of(result, start) if is_group else _end_of_product(result, start)
        if base and end > start:
            called = _call("log", result[index], result[start:end], base)
            result = (*result[:index], *called, *result[end:])
    return result


def _base_of(tokens: Tokens, index: int) -> tuple[Tokens, int]:
    """The base of the logarithm that begins here, and where its argument begins."""
    here, after = tokens[index], index + 1
    found = None if here.text in CALLABLE else _LOGARITHM.fullmatch(here.text)
    if not found:
        return (), after
    if found[1]:
        return (Token("number", found[1], here.position),), after
    end = _end_of(tokens, after) if _opens(tokens, after) else after
    return tokens[after:end], end


def _write_fractions(tokens: Tokens) -> Tokens:
    r"""``\frac{a}{b}`` and ``\frac12`` become ``((a)/(b))``; other ``frac`` is a function."""
    for index, token in enumerate(tokens):
        rest = tokens[index + 1 :]
        if token.text == "\\frac" or (token.text == "frac" and _are_two_groups(rest)):
            above, rest = _take_argument(rest, token, most=2)
            below, rest = _take_argument(rest, token)
            whole = (_sign("(", token), *above, _sign("/", token), *below, _sign(")", token))
            return _write_fractions((*tokens[:index], *whole, *rest))
    return tokens


def _are_two_groups(tokens: Tokens) -> bool:
    return _opens(tokens, 0) and _opens(tokens, _end_of(tokens, 0))


def _take_argument(tokens: Tokens, command: Token, *, most: int = 1) -> tuple[Tokens, Tokens]:
    """What TeX takes for an argument: brackets, a letter or a digit; and the tokens behind it.

    Raises:
        ToolError: nothing such follows, or more digits than ``most``, which people mean otherwise.
    """
    if _opens(tokens, 0):
        end = _end_of(tokens, 0)
        return tokens[:end], tokens[end:]
    first = tokens[0] if tokens else command
    is_letter = first.kind == "name" and first.text.isalpha() and first.text not in CALLABLE
    is_digits = first.kind == "number" and first.text.isdigit() and len(first.text) <= most
    if not is_letter and not is_digits:
        example = "\\frac{1}{2}" if command.text == "\\frac" else "\\sqrt{12}"
        raise ToolError(
            f"Po „{command.text}” na pozycji {command.position} użyj klamer, "
            f"na przykład: {example}."
        )
    taken = replace(first, text=first.text[:1]) if is_digits else first
    left = (replace(first, text=first.text[1:]),) if is_digits and first.text[1:] else ()
    return (_sign("(", first), taken, _sign(")", first)), (*left, *tokens[1:])


def _call_functions(tokens: Tokens) -> Tokens:
    """``sin 2x`` becomes ``sin(2x)``, ``√2`` becomes ``sqrt(2)``, ``sin²(x)`` a power."""
    result = tokens
    for index in reversed(range(len(tokens))):
        if tokens[index].kind == "name" and tokens[index].text in CALLABLE:
            result = _call_function(result, index)
    return result


def _call_function(tokens: Tokens, index: int) -> Tokens:
    here = tokens[index]
    after = index + 1
    power: Tokens = ()
    if after < len(tokens) and tokens[after].text == "**":
        end = _end_of_operand(tokens, after + 1)
        power, after = tokens[after:end], end
    if after >= len(tokens) or tokens[after].text == "." or _ends_list(tokens[after]):
        return tokens
    if not _opens(tokens, after):
        end = _end_of_product(tokens, after)
        if end == after:
            return tokens
        argument = (_sign("(", here), *tokens[after:end], _sign(")", here))
    elif power:
        end = _end_of(tokens, after)
        argument = tokens[after:end]
    else:
        return tokens
    called = (here, *argument)
    if power:
        called = (_sign("(", here), *called, _sign(")", here), *power)
    return (*tokens[:index], *called, *tokens[end:])


def _apply_postfixes(tokens: Tokens) -> Tokens:
    """``n!``, ``30°`` and ``20%``; between two operands ``%`` remains the remainder."""
    result: list[Token] = []
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.text not in _POSTFIXES or (token.text == "%" and _is_remainder(following)):
            result.append(token)
            continue
        start = _start_of_operand(result, token)
        before, after = _POSTFIXES[token.text]
        result[start:] = [*_raw(before, token), *result[start:], *_raw(after, token)]
    return tuple(
        replace(token, text="%") if token.text == "mod" and token.kind == "sign" else token
        for token in _skip_of(result)
    )


def _is_remainder(following: Token | None) -> bool:
    if following is None or following.text == "z":
        return False
    return following.kind != "sign" or following.text in _OPENING


def _skip_of(tokens: Sequence[Token]) -> Sequence[Token]:
    """``20% z 300``: the word "z" (of) after a percentage multiplies."""
    result = list(tokens)
    for index in range(4, len(result) - 1):
        word = result[index]
        if (
            word.text == "z"
            and result[index - 1].text == ")"
            and _begins_operand(result[index + 1])
        ):
            start = _start_of_operand(result[:index], word)
            if result[start].text == "percent":
                result[index] = _sign("*", word)
    return result


def _multiply_neighbours(tokens: Tokens) -> Tokens:
    """``2x(x+1)`` becomes ``2*x*(x+1)``."""
    result: list[Token] = []
    for token in tokens:
        last = result[-1] if result else None
        if last is not None and _are_factors(last, token):
            if last.kind == token.kind == "number":
                raise ToolError(
                    f"Między „{last.text}” a „{token.text}” brakuje znaku działania "
                    f"(pozycja {token.position})."
                )
            result.append(_sign("*", token))
        result.append(token)
    return tuple(result)


def _are_factors(left: Token, right: Token) -> bool:
    if not _ends_operand(left) or not _begins_operand(right) or right.text == "[":
        return False
    if left.kind == "name" and right.text == "(":
        return left.text not in CALLABLE and bool(_VARIABLE.fullmatch(left.text))
    return True


def _write_equations(tokens: Tokens) -> Tokens:
    """``a = b`` between two separators becomes ``(a) == (b)``; several lines become a list."""
    result = _equations_within(tokens)
    if any(token.text == "," for token in _top_level(result)):
        first = tokens[0]
        return (_sign("[", first), *result, _sign("]", first))
    return result


def _equations_within(tokens: Tokens) -> Tokens:
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        if _opens(tokens, index):
            end = _end_of(tokens, index)
            inner = _equations_within(tokens[index + 1 : end - 1])
            result += (tokens[index], *inner, tokens[end - 1])
            index = end
        else:
            token = tokens[index]
            result.append(_sign("==", token) if token.text == "=" else token)
            index += 1
    return tuple(result)


_STEPS: tuple[Callable[[Tokens], Tokens], ...] = (
    _split_names,
    _pair_bars,
    _write_roots,
    _write_fractions,
    _write_logarithms,
    _call_functions,
    _apply_postfixes,
    _multiply_neighbours,
    _write_equations,
)


# --- where operands begin and end ---


def _sign(text: str, near: Token) -> Token:
    return Token("sign", text, near.position)


def _call(function: str, near: Token, argument: Tokens, other: Tokens) -> Tokens:
    """A function of two arguments."""
    name = Token("name", function, near.position)
    opened, closed = _sign("(", near), _sign(")", near)
    first = (opened, *argument, closed)
    return (name, opened, *first, _sign(",", near), *other, closed)


def _raw(text: str, near: Token) -> Tokens:
    """Tokens of our own source text."""
    found: list[str] = re.findall(r"[A-Za-z]+|\d+|.", text)
    return tuple(Token(_kind(word), word, near.position) for word in found)


def _kind(word: str) -> Kind:
    return "number" if word.isdigit() else "name" if word.isalpha() else "sign"


def _opens(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].text in _OPENING


def _ends_list(token: Token) -> bool:
    return token.text in {",", ")", "]"}


def _ends_operand(token: Token) -> bool:
    if token.kind == "sign":
        return token.text in _CLOSING or token.text in {"!", "!!", "°"}
    return token.text not in CONNECTIVES


def _begins_operand(token: Token) -> bool:
    if token.kind == "sign":
        return token.text in _OPENING
    return token.text not in CONNECTIVES


def _end_of(tokens: Sequence[Token], index: int) -> int:
    """The index after the bracket that closes the one at ``index``."""
    depth = 0
    for place in range(index, len(tokens)):
        depth += (tokens[place].text in _OPENING) - (tokens[place].text in _CLOSING)
        if depth == 0:
            return place + 1
    return len(tokens)


def _end_of_operand(tokens: Sequence[Token], index: int) -> int:
    if _opens(tokens, index):
        return _end_of(tokens, index)
    signs = index + (index < len(tokens) and tokens[index].text in {"+", "-"})
    return min(signs + 1, len(tokens))


def _end_of_product(tokens: Sequence[Token], index: int) -> int:
    """After ``2x``, ``x``, ``2`` or another function's call, with a degree sign or ``!``."""
    end = index
    if end < len(tokens) and tokens[end].kind == "number":
        end += 1
    if end < len(tokens) and tokens[end].kind == "name" and tokens[end].text not in CONNECTIVES:
        is_call = tokens[end].text in CALLABLE and _opens(tokens, end + 1)
        end = _end_of(tokens, end + 1) if is_call else end + 1
    while index < end < len(tokens) and tokens[end].text in {"°", "!", "!!"}:
        end += 1
    return end


def _start_of_operand(tokens: Sequence[Token], postfix: Token) -> int:
    """Where the operand begins that ends the list: a number, a name, a call, brackets."""
    start = len(tokens) - 1
    if start < 0 or not _ends_operand(tokens[start]):
        raise ToolError(f"Przed „{postfix.text}” na pozycji {postfix.position} brakuje liczby.")
    if tokens[start].text in _CLOSING:
        depth = 0
        while start >= 0:
            depth += (tokens[start].text in _CLOSING) - (tokens[start].text in _OPENING)
            if depth == 0:
                break
            start -= 1
        if start > 0 and tokens[start - 1].kind == "name" and tokens[start - 1].text in CALLABLE:
            start -= 1
    return max(start, 0)


def _top_level(tokens: Sequence[Token]) -> Tokens:
    outside: list[Token] = []
    depth = 0
    for token in tokens:
        depth -= token.text in _CLOSING
        if depth == 0:
            outside.append(token)
        depth += token.text in _OPENING
    return tuple(outside)
