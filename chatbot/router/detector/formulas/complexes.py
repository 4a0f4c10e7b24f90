"""Complex numbers and absolute values: modulus, conjugate, real and imaginary part."""

from collections.abc import Mapping
from types import MappingProxyType

from chatbot.router.detector.formulas.grammar import Formula, Operation
from chatbot.router.detector.formulas.nodes import Node, call

_OF = ("z", "ze", "liczb", "od", "dla", "zespolon")


def read_absolute(formula: Formula) -> Node | None:
    """Read "wartość bezwzględna z −5", "moduł liczby −5"."""
    formula.advance()
    formula.skip(*_OF)
    complex_number = formula.attempt(lambda: _read_complex(formula))
    inner = complex_number or formula.unary()
    return None if inner is None else call("Abs", inner)


def _read_complex(formula: Formula) -> Node | None:
    """Read a sum with the imaginary unit in it: "3 + 4i"."""
    whole = formula.sum()
    return whole if whole is not None and "i" in whole.letters else None


def read_complex_part(formula: Formula) -> Node | None:
    """Read "sprzężenie liczby 2−3i", "część rzeczywista (1+i)^2"."""
    function = "conjugate"
    if formula.word("czesc"):
        function = "re" if formula.word("rzeczywist") else "im"
        if function == "im" and not formula.word("urojon"):
            return None
    else:
        formula.advance()
    formula.skip(*_OF)
    inner = formula.sum()
    return None if inner is None or "i" not in inner.letters else call(function, inner)


COMPLEX: Mapping[str, Operation] = MappingProxyType({
    "bezwzgledn": read_absolute,
    "modul": read_absolute,
    "sprzezeni": read_complex_part,
    "czesc": read_complex_part,
})
