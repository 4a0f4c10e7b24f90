"""The grammar of formulas: signs and Polish words, read by recursive descent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.beginnings import SHORT
from chatbot.router.detector.formulas.listing import NOUNS, Listing
from chatbot.router.detector.formulas.nodes import (
    NEGATIVE,
    POWER,
    Node,
    add,
    call,
    multiply,
    negate,
    number,
    percent,
    plain,
    power,
    relate,
    share,
)
from chatbot.router.detector.formulas.tokens import Token
from chatbot.router.detector.formulas.words import (
    CONSTANTS,
    FILLERS,
    FUNCTIONS,
    RELATIONS,
    SIGNED_OPERATIONS,
    TRIGONOMETRIC,
)

Operation: TypeAlias = "Callable[[Formula], Node | None]"
Step: TypeAlias = "Callable[[Formula, Node], Node | None]"
"""Reads what is done next with a result: "… i odejmij 100"."""
Operations: TypeAlias = Mapping[str, Sequence[tuple[str, Operation]]]
"""Readers with the stem of their keyword, by its first three letters."""

_DEEPEST = 40
_MOST_ATOMS = 4_000  # tried in all: nouns within nouns are read again and again
_NAMED_ALONE = 4
_SHARE = regex(r"\d+/\d+")


class Formula(Listing):
    """A position in the tokens of a prompt, and the readers of every kind of formula.

    A reader returns ``None`` where its kind does not stand here; it may then have moved, so that
    whoever tries alternatives uses `attempt`.
    """

    def __init__(self, tokens: Sequence[Token], operations: Operations, following: Step) -> None:
        """Read ``tokens`` with ``operations``, sorted as in `beginnings`, and their steps."""
        super().__init__(tokens)
        self._operations = operations
        self._continue = following
        self._depth = 0
        self._is_closed = False
        self._left = _MOST_ATOMS

    def relation(self) -> Node | None:
        """Read ``left``, or ``left = right`` and the like."""
        left = self.sum()
        if left is None:
            return None
        return self.attempt(lambda: self._related(left)) or left

    def sum(self) -> Node | None:
        """Read a sum; also "powiększone o 10 %", and what is done with it: "i odejmij 100"."""
        return self._extended(self.product(), self._more)

    def closed(self) -> Node | None:
        """Read an operand of a noun: in "suma 12 i 30 podzielona przez 6" the sum is divided."""
        was_closed, self._is_closed = self._is_closed, True
        node = self._extended(self.power(), self._part)
        self._is_closed = was_closed
        return node

    @property
    def is_closed(self) -> bool:
        """Whether an operand of a noun is being read."""
        return self._is_closed

    def product(self) -> Node | None:
        """Read a product, a quotient, a remainder, "12 % z 350"."""
        factor = self.unary()
        if factor is not None and (compared := self.attempt(partial(self._compared, factor))):
            factor = compared
        return self._extended(factor, self._multiplied)

    def unary(self) -> Node | None:
        """Read a signed factor."""
        if self.sign("-") or self.word("minus"):
            inner = self.unary()
            return None if inner is None else negate(inner)
        if self.sign("+") or self.word("plus"):
            return self.unary()
        return self.power()

    def signed(self) -> Node | None:
        """Read the operand of a noun, before which no sign can join: "sześcian minus trzech"."""
        if self.sign("-") or self.word("minus"):
            inner = self.power()
            return None if inner is None else negate(inner)
        return self.power()

    def power(self) -> Node | None:
        """Read a factor with its exponent: ``x^2``, "2 do potęgi 10", "5 kwadrat"."""
        return self._extended(self.postfix(), self.raised)

    def _extended(self, node: Node | None, extend: Callable[[Node], Node | None]) -> Node | None:
        """Let ``extend`` take more to the right of a node, as long as it finds something."""
        while node is not None:
            following = self.attempt(partial(extend, node))
            if following is None:
                break
            node = following
        return node

    def implicit(self) -> Node | None:
        """Read factors written side by side: the argument of ``sin 2x``."""
        left = self.power()
        while left is not None and (token := self.peek()) and token.kind == "letter":
            right = self.power()
            if right is None:
                break
            left = multiply(left, "*", right)
        return left

    def _related(self, left: Node) -> Node | None:
        if left.role == "solution":
            return None
        sign = self.sign(*RELATIONS)
        if sign is None and (
            self.phrase("rowna", "sie")
            or self.phrase("jest", "rown")
            or self._says("rowne", "rowna")
        ):
            sign = "="
        right = self.sum() if sign else None
        return None if sign is None or right is None else relate(left, sign, right)

    def _more(self, left: Node) -> Node | None:
        return self.attempt(partial(self._added, left)) or self._continued(left)

    def _added(self, left: Node) -> Node | None:
        sign = self.sign("+", "-")
        if sign is None:
            self.attempt(self.connected)
            if self.word("plus", "dodac", "dodaj"):
                sign = "+"
            elif self.word("minus", "odjac"):
                sign = "-"
            elif self.attempt(lambda: self.word("powiekszon", "zwiekszon") and self.word("o")):
                sign = "+"
            elif self.attempt(lambda: self.word("pomniejszon", "zmniejszon") and self.word("o")):
                sign = "-"
        right = self.product() if sign else None
        return None if sign is None or right is None else add(left, sign, right)

    def _continued(self, left: Node) -> Node | None:
        if self._is_closed or left.role in {"relation", "solution"} or not left.is_work:
            return None
        return self._continue(self, left)

    def _multiplied(self, left: Node) -> Node | None:
        if self.word("mod", "modulo"):
            right = self.unary()
            return None if right is None else call("Mod", plain(left), right)
        sign = self._product_sign(left)
        if sign is not None:
            right = self.unary()
            return None if right is None else multiply(left, sign, right)
        if self.is_factor_next():
            right = self.power()
            return None if right is None else multiply(left, "*", right)
        return None

    def _product_sign(self, left: Node) -> str | None:
        if sign := self.sign("*", "/"):
            return sign
        if self.is_between_numbers(":") and self.sign(":"):
            return "/"
        if self.is_between_numbers("x"):
            self.advance()
            return "*"
        if _is_part(left) and (self.word("z", "ze", "od") or self.is_part_next(*NOUNS)):
            return "*"
        return self.product_word()

    def _part(self, left: Node) -> Node | None:
        """Read "z 350" of "40 % z 350", "sumy 3 i 5" of "połowa sumy 3 i 5"."""
        if not _is_part(left) or not (self.word("z", "ze") or self.is_part_next(*NOUNS)):
            return None
        right = self.power()
        return right and multiply(left, "*", right)

    def _compared(self, left: Node) -> Node | None:
        """Read "20 % więcej niż 150", "7 mniej od 15"."""
        sign = self.more_or_less()
        right = self.power() if sign else None
        return None if sign is None or right is None else add(right, sign, left)

    def raised(self, base: Node) -> Node | None:
        """Read the exponent of a base: "do kwadratu", "^3", "do potęgi 10"."""
        if self.sign("^"):
            exponent = self._exponent()
            return None if exponent is None else power(base, exponent)
        self.word("podniesion")
        if self.word("kwadrat") or self.phrase("do", "kwadrat"):
            return power(base, number("2"))
        if self.word("szescian") or self.phrase("do", "szescian"):
            return power(base, number("3"))
        if self.phrase("do", "poteg"):
            exponent = self.ordinal() or self.attempt(self._fraction) or self._exponent()
            return None if exponent is None else power(base, exponent)
        if (exponent := self.attempt(self._before_modulus)) is not None:
            return power(base, exponent)
        above = self._spoken_exponent(base) if self.word("do") else None
        self.word("poteg")
        return above and power(base, above)

    def _before_modulus(self) -> Node | None:
        """Read "do 5" of "7 do 5 modulo 11", where nothing else can be meant."""
        exponent = self.number() if self.word("do") else None
        following = self.peek()
        is_modulus = following is not None and following.text in {"mod", "modulo"}
        return exponent if is_modulus else None

    def _spoken_exponent(self, base: Node) -> Node | None:
        """Read "dziesiątej" of "2 do dziesiątej", "minus drugiej", "e do x"."""
        if self.word("minus"):
            below = self.ordinal()
            return below and negate(below)
        if (token := self.peek()) and token.text.endswith("go"):  # "do piątego miejsca"
            return None
        return self.ordinal() or (self.variable() if base.text == "E" else None)

    def _fraction(self) -> Node | None:
        """Read "1/2" as one exponent: "25 do potęgi 1/2"."""
        above = self.number()
        below = self.number() if above is not None and self.sign("/") else None
        return None if above is None or below is None else multiply(above, "/", below)

    def _exponent(self) -> Node | None:
        if self.sign("-") or self.word("minus"):
            inner = self._exponent()
            return None if inner is None else negate(inner)
        base = self.postfix()
        if base is not None and self.sign("^"):
            above = self._exponent()
            return None if above is None else power(base, above)
        return base

    def postfix(self) -> Node | None:
        """Read a factor without its exponent: a number, a letter, brackets, a function."""
        node = self._atom()
        if node is None:
            return None
        if node.role == "number" and self.is_unit_next():
            self.advance()
        while self.is_factorial() or (node.role == "number" and self.word("silnia", "factorial")):
            if self.is_factorial():
                self.advance()
            node = call("doublefactorial" if self._factorial_again() else "factorial", node)
        if node.role == "number" and self.word("nad"):
            below = self.number()
            return None if below is None else call("binomial", node, below)
        if self.sign("%") or self.word("procent", "proc"):
            self.sign(".")
            return percent(node)
        return node

    def _atom(self) -> Node | None:
        if self._depth > _DEEPEST or self._left == 0:
            return None
        self._left -= 1
        self._depth += 1
        try:
            return self._any_atom()
        finally:
            self._depth -= 1

    def _any_atom(self) -> Node | None:
        token = self.peek()
        if token is not None and token.kind == "word" and (node := self._worded(token)):
            return node
        self.skip(*FILLERS)
        token = self.peek()
        if token is None:
            return None
        match token.kind:
            case "number" | "share":
                self.advance()
                node = number(token.text) if token.kind == "number" else share(token.text)
                return replace(node, is_work=token.is_work)
            case "letter":
                return self.variable()
            case "ordinal" | "word":
                return self._worded(token) or self.attempt(self._one_part)
            case _:
                return self._bracketed(token)

    def _one_part(self) -> Node | None:
        """Read "trzecia część" as 1/3."""
        below = self.ordinal()
        return share(f"1/{below.text}") if below is not None and self.word("czesc") else None

    def variable(self) -> Node | None:
        """Read a letter: a variable or a constant."""
        token = self.peek()
        if token is None or token.kind != "letter":
            return None
        self.advance()
        letters = () if token.text in CONSTANTS else (token.text,)
        return Node(text=token.text, letters=letters, is_work=token.text == "pi")

    def _worded(self, token: Token) -> Node | None:
        if token.text in FUNCTIONS:
            self.advance()
            return self._applied(token.text)
        for stem, read in self._operations.get(token.text[:SHORT], ()):
            if token.text == stem or (len(stem) > SHORT and token.text.startswith(stem)):
                node = self.attempt(partial(read, self))
                if node is not None:
                    return node
        return None

    def _applied(self, name: str) -> Node | None:
        function = FUNCTIONS[name]
        squared = number("2") if self.word("kwadrat") else None
        exponent = self._exponent() if self.sign("^") else squared
        self.word("z", "ze", "kata")
        argument = self.attempt(self._angle if function in TRIGONOMETRIC else self._argument)
        if argument is None:
            if self.sign("("):  # what stands there cannot be read, and is not to be guessed
                return None
            if len(name) <= _NAMED_ALONE:  # "coś" without its accent is no cosine
                return None
            argument = Node(text="x", letters=("x",))
        node = call(function, plain(argument))
        return node if exponent is None else power(node, exponent)

    def _argument(self) -> Node | None:
        token = self.peek()
        if token is not None and token.text == "(":
            return self._bracketed(token)
        node = self.attempt(self.implicit)
        if node is not None and "pi" in node.text and self.sign("/"):
            return (below := self.number()) and multiply(node, "/", below)  # "cos 2π/3"
        return node

    def _angle(self) -> Node | None:
        """Read the argument of ``sin``: "30°", "(30 stopni)", "(30) stopni", or in radians."""
        if (enclosed := self.attempt(self._degrees_enclosed)) is not None:
            return enclosed
        argument = self._argument()
        return self._in_degrees(argument) or argument

    def _degrees_enclosed(self) -> Node | None:
        inner = self._in_degrees(self.sum()) if self.sign("(") else None
        return inner if self.sign(")") else None

    def _in_degrees(self, angle: Node | None) -> Node | None:
        if angle is None or not (self.sign("°") or self.word("stopni", "stopien")):
            return None
        return Node(text=f"{angle.at(POWER)}*pi/180", letters=angle.letters, level=NEGATIVE)

    def _bracketed(self, token: Token) -> Node | None:
        pairs = {"(": ")", "|": "|", "{": "}", "[": "]"}
        if token.text == "√":
            self.advance()
            inner = self.postfix()
            return None if inner is None else call("sqrt", inner)
        if token.text == "[" and (matrix := self.attempt(self.matrix)):
            return matrix
        if token.text in SIGNED_OPERATIONS:
            stem = SIGNED_OPERATIONS[token.text]
            return dict(self._operations[stem[:SHORT]])[stem](self)
        return self._enclosed(pairs[token.text]) if token.text in pairs else None

    def _enclosed(self, closing: str) -> Node | None:
        self.advance()
        inner = self.sum()
        if inner is None or not self.sign(closing):
            return None
        return call("Abs", inner) if closing == "|" else inner


def _is_part(node: Node) -> bool:
    return node.role in {"share", "percent"} or bool(_SHARE.fullmatch(node.text))
