r"""Finds the formulas in an extract, where they stand twice and torn over many lines.

Wikipedia's HTML has each formula as MathML and as TeX, ``{\displaystyle E=mc^{2}}``; TextExtracts
takes the tags away and leaves the letters of both.
"""

import re
from collections.abc import Callable
from types import MappingProxyType

OPEN, CLOSE = "\ue000", "\ue001"
"""Around a formula that stays TeX; from the private area, so no other text has them."""

_START = re.compile(r"\{\\(?:displaystyle|textstyle|scriptstyle) ?")
_AFTER = re.compile(r"(?:\n[ \t]+)+(?:\n(?!\n))?")
_SOURCE = re.compile(r"\$ ([^$\n]{1,400}) \$")
_MARKED = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_LONGEST = 2000
_HIGH = MappingProxyType(dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True)))
_LOW = MappingProxyType(dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True)))
_NAMED = """
    alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ lambda λ mu μ nu
    ν xi ξ pi π rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ
    Lambda Λ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω cdot · times × div ÷ pm ± leq ≤ le ≤ geq ≥ ge ≥
    neq ≠ ne ≠ approx ≈ equiv ≡ to → rightarrow → infty ∞ in ∈ sum ∑ int ∫ partial ∂ nabla ∇
    circ ° ldots … dots … hbar ℏ angle ∠
"""
_SYMBOLS = MappingProxyType(dict(zip(_NAMED.split()[::2], _NAMED.split()[1::2], strict=True)))
_COMMAND = re.compile(r"\\([A-Za-z]+) ?")
_SPACE = re.compile(r"\\[,;:! ]|\\q?quad ?|~")
_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|(\w))")
_STILL_TEX = re.compile(r"[\\{}^_$]")


def gather_formulas(extract: str) -> str:
    """The extract with each formula once: in ordinary letters, else as TeX between marks."""
    text = extract.replace(OPEN, "").replace(CLOSE, "")
    done = ""
    while start := _START.search(text):
        end = _closing(text, start.start())
        if end is None:
            break
        done += _without_letters(text[: start.start()]) + _shown(text[start.end() : end - 1])
        after = _AFTER.match(text, end)
        text = " " + text[after.end() :] if after else text[end:]
    return _SOURCE.sub(lambda found: _shown(found[1]), done + text)


def write_formulas(text: str, write: Callable[[str], str], other: Callable[[str], str]) -> str:
    """``text`` with ``write`` done to its marked formulas and ``other`` to what is between."""
    pieces = _MARKED.split(text)
    return "".join(
        write(piece) if number % 2 else other(piece.replace(OPEN, "").replace(CLOSE, ""))
        for number, piece in enumerate(pieces)
    )


def close_formula(cut: str) -> str:
    """Text that was cut, without the half of a formula at its end."""
    opened = cut.rfind(OPEN)
    return cut[:opened].rstrip() + "…" if opened > cut.rfind(CLOSE) else cut


def _without_letters(before: str) -> str:
    """Text before a formula, without the indented lines that its MathML left."""
    first, *lines = before.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].startswith("  ")):
        lines.pop()
    kept = "\n".join((first, *lines))
    return kept if kept == before else f"{kept.rstrip()} "


def _closing(text: str, start: int) -> int | None:
    """Where the braces that open at ``start`` are closed again."""
    depth = 0
    for place in range(start, min(len(text), start + _LONGEST)):
        if text[place] == "{":
            depth += 1
        elif text[place] == "}":
            depth -= 1
            if depth == 0:
                return place + 1
    return None


def _shown(formula: str) -> str:
    tex = " ".join(formula.split())
    plain = _SPACE.sub(" ", tex)
    plain = _COMMAND.sub(lambda found: _SYMBOLS.get(found[1], found[0]), plain)
    plain = _SCRIPT.sub(_script, plain)
    if not _STILL_TEX.search(plain):
        return " ".join(plain.split())
    return tex if "$" in tex or "`" in tex else f"{OPEN}{tex}{CLOSE}"


def _script(found: re.Match[str]) -> str:
    table = _HIGH if found[1] == "^" else _LOW
    inner = (found[2] if found[2] is not None else found[3]).replace(" ", "")
    if inner and all(sign in table for sign in inner):
        return "".join(table[sign] for sign in inner)
    return found[0]
