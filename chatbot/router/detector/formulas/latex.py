r"""Write LaTeX as the plain notation that the grammar reads: ``\frac{a}{b}`` as ``((a)/(b))``."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex

_DEEPEST = 12
_MOST_NESTED = 40  # commands that are each the argument of the one before: \sqrt\sqrt x
_PIECE = regex(r"\\[A-Za-z]+|\\.|[{}^_&]|[^\\{}^_&]+", re.DOTALL)
_ENVIRONMENT = regex(
    r"\\begin\s*\{(\w{1,12})\*?\}(?:\{[clr|]{1,20}\})?(.{1,600}?)\\end\s*\{\1\*?\}", re.DOTALL
)
_DIFFERENTIAL = regex(r"^(.*?)\bd\s*([a-z])\s*$", re.DOTALL)
_OPERATOR = regex(r"^\s*[d∂]\s*(?:\^\(?(\d)\)?)?\s*$")
_VARIABLE = regex(r"^\s*[d∂]\s*([a-z])\s*(?:\^\(?\d\)?)?\s*$")
_MIXED = regex(r"(?<![\w.,^_{}])(\d{1,4})\s*\\[dt]?frac\s*\{(\d{1,4})\}\s*\{(\d{1,4})\}")
_CHOOSE = regex(r"\{([^{}\\]{1,20})\\choose\s*([^{}]{1,20})\}")
_DEGREES = regex(r"\^\s*\{?\s*\\circ\s*\}?")
_MATRICES = MappingProxyType({
    "pmatrix": "",
    "bmatrix": "",
    "matrix": "",
    "array": "",
    "smallmatrix": "",
    "vmatrix": "wyznacznik ",
})
_ORDERS = ("", "", "druga ", "trzecia ", "czwarta ", "piąta ")
_WORDS: Mapping[str, str] = MappingProxyType({
    "cdot": "*", "times": "*", "ast": "*", "div": ":", "pm": "±", "pi": "π", "infty": "∞",
    "to": "→", "rightarrow": "→", "longrightarrow": "→", "le": "≤", "leq": "≤", "leqslant": "≤",
    "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠", "lt": "<", "gt": ">",
    "ln": " ln ", "log": " log ", "lg": " lg ", "sin": " sin ", "cos": " cos ", "tan": " tg ",
    "tg": " tg ", "cot": " ctg ", "ctg": " ctg ", "arcsin": " arcsin ", "arccos": " arccos ",
    "arctan": " arctg ", "arctg": " arctg ", "exp": " exp ", "det": " wyznacznik ",
    "gcd": " NWD ", "lcm": " NWW ", "lim": " granica ", "int": " ∫ ", "iint": " ∫∫ ", "sum": " ∑ ",
    "prod": " ∏ ", "partial": "∂", "vert": "|", "lvert": "|", "rvert": "|", "circ": "∘",
    "ldots": "...", "dots": "...", "cdots": "...", "mod": " mod ", "bmod": " mod ", "e": "e",
    "lfloor": "(", "rfloor": ")", "mid": "|",
})  # fmt: skip
_BARE = frozenset({"text", "mathrm", "mathbf", "mathit", "operatorname", "displaystyle", "textbf"})
_SYMBOLS = MappingProxyType({
    "%": "%",
    "{": "{",
    "}": "}",
    "|": "|",
    "&": "&",
    "#": "#",
    "$": " ",
    "_": "_",
})


def from_latex(text: str) -> str:
    """Return ``text`` with its LaTeX in plain notation; text without LaTeX is unchanged."""
    if "\\" not in text and "$" not in text:
        return text
    text = _DEGREES.sub("°", text.replace("$", " ").replace("{,}", ","))
    text = re.sub(r"\\(?:left|right|big|Big|bigg|limits|nolimits|[,;:!()\[\]])", " ", text)
    text = _MIXED.sub(_mixed, text)
    text = _CHOOSE.sub(r"\\binom{\1}{\2}", text)
    text = _ENVIRONMENT.sub(_environment, text)
    return _Reader(_PIECE.findall(text)).rest()


def _mixed(found: re.Match[str]) -> str:
    """Write a whole number before a proper fraction as a mixed number, as schools do."""
    whole, above, below = map(int, found.groups())
    return f"({whole}+{above}/{below})" if above < below else found[0]


def _environment(found: re.Match[str]) -> str:
    rows = [row.strip() for row in re.split(r"\\\\|\\cr\b", found[2]) if row.strip()]
    if found[1] not in _MATRICES:
        return " ; ".join(row.replace("&", " ") for row in rows)
    lines = ", ".join(f"[{', '.join(cell.strip() for cell in row.split('&'))}]" for row in rows)
    return f" {_MATRICES[found[1]]}[{lines}] "


class _Reader:
    """Reads the pieces of a formula from left to right."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces
        self._at = 0
        self._depth = 0
        self._nested = 0

    def rest(self) -> str:
        """Write everything up to the end or to the bracket that closes this group."""
        written: list[str] = []
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            if piece == "}":
                if self._depth:
                    break
                self._at += 1
                continue
            self._at += 1
            written.append(self._write(piece))
        return "".join(written)

    def _write(self, piece: str) -> str:
        if piece.startswith("\\"):
            return self._command(piece[1:])
        if piece == "{":
            return f"({self._group()})"
        if piece in {"^", "_"} and self._peek() == "{":
            return f"{piece}({self._argument()})"
        return piece

    def _command(self, name: str) -> str:
        if name in {"frac", "dfrac", "tfrac", "cfrac"}:
            return _fraction(self._argument(), self._argument())
        if name in {"binom", "dbinom", "tbinom"}:
            return f" dwumian ({self._argument()}) po ({self._argument()}) "
        if name == "sqrt":
            return self._root()
        if name in _BARE:
            return self._argument() if self._peek() == "{" else " "
        return _WORDS.get(name, _SYMBOLS.get(name, " "))

    def _root(self) -> str:
        following = self._peek() or ""
        degree = re.match(r"\s*\[\s*(\w{1,3})\s*\]", following)
        if degree is None:
            return f"sqrt({self._argument()})"
        self._take(degree.end())
        return f" pierwiastek stopnia {degree[1]} z ({self._argument()})"

    def _take(self, length: int) -> None:
        pieces = list(self._pieces)
        pieces[self._at] = pieces[self._at][length:]
        if not pieces[self._at]:
            self._at += 1
        self._pieces = pieces

    def _argument(self) -> str:
        """Read a group in braces, a command, or one character."""
        while (following := self._peek()) is not None and following.isspace():
            self._at += 1
        if following is None:
            return ""
        if following == "{":
            self._at += 1
            return self._group()
        if following.startswith("\\"):
            self._at += 1
            return self._nest(following)
        bare = len(following) - len(following.lstrip())
        self._take(bare + 1)
        return following[bare]

    def _nest(self, command: str) -> str:
        if self._nested >= _MOST_NESTED:
            return ""
        self._nested += 1
        written = self._write(command)
        self._nested -= 1
        return written

    def _group(self) -> str:
        if self._depth >= _DEEPEST:
            return ""
        self._depth += 1
        inside = self.rest()
        self._depth -= 1
        self._at += 1
        return inside

    def _peek(self) -> str | None:
        return self._pieces[self._at] if self._at < len(self._pieces) else None


def _fraction(above: str, below: str) -> str:
    """Write a fraction; ``d/dx`` is a derivative, and ``dx`` above the line ends an integral."""
    operator, variable = _OPERATOR.match(above), _VARIABLE.match(below)
    if operator and variable:
        return f" {_ORDERS[min(int(operator[1] or 1), 5)]}pochodna po {variable[1]} z "
    if ended := _DIFFERENTIAL.match(above):
        return f"(({ended[1].strip() or '1'})/({below})) d{ended[2]} "
    return f"(({above})/({below}))"
