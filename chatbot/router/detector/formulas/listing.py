"""Lists within a formula: "3, 5 i 10", and matrices."""

from abc import abstractmethod
from collections.abc import Callable

from chatbot.router.detector.formulas.cursor import Cursor
from chatbot.router.detector.formulas.nodes import Node, letters_of

NOUNS = ("sum", "roznic", "iloczyn", "iloraz", "kwadratu", "szescianu", "pierwiastk", "liczby")
"""Stems of the nouns that may be an operand, "połowa sumy"; the last is none of its own."""


_BEHIND_OPERAND = frozenset({"i", "oraz", "a", "przez", "razy", "+", "-", "*", "/", "^"})


class Listing(Cursor):
    """Reads items that stand side by side; what an item is, is read by `sum`."""

    @abstractmethod
    def sum(self) -> Node | None:
        """Read a sum."""

    def items(
        self, read: Callable[[], Node | None] | None = None, most: int | None = None
    ) -> list[Node]:
        """Read a list: "3, 5 i 10"; in brackets or not. ``read`` reads one item.

        After ``most`` items another noun, or "oraz", belongs to the list around this one.
        """
        following = self.peek(1)
        is_matrix = following is not None and following.text == "["
        is_operand = is_matrix or self._is_operand_enclosed()
        is_closed = not is_operand and bool(self.sign("(", "[", "{"))
        found: list[Node] = []
        while (item := self.attempt(read or self.sum)) is not None:
            found.append(item)
            if len(found) == most and self.is_outer_next():
                break
            if not self.attempt(self._separated):
                break
        if is_closed:
            self.sign(")", "]", "}")
        return found

    def is_outer_next(self) -> bool:
        """Whether "oraz 3" or "i różnicy …" follows: the next operand of the noun around."""
        token, following = self.peek(), self.peek(1)
        if token is None or following is None or token.text not in {"i", "a", "oraz", ","}:
            return False
        return token.text == "oraz" or following.text.startswith(NOUNS[:-1])

    def _is_operand_enclosed(self) -> bool:
        """Whether the brackets here are those of the first item: "iloczyn (2 + i) oraz (2 - i)"."""
        depth = 0
        for at in range(self.at, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[at].text, 0)
            if depth == 0:
                following = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
                return at > self.at and following in _BEHIND_OPERAND
        return False

    def _separated(self) -> bool | None:
        mark = self.sign(",", ";") or self.word("i", "oraz", "a", "z")
        self.skip("i", "oraz", "jeszcze")
        is_found = bool(mark) or self.is_number_after_number()
        return (is_found and not self.is_at_end) or None

    def matrix(self) -> Node | None:
        """Read ``[[1, 2], [3, 4]]``."""
        rows: list[list[Node]] = []
        if not self.sign("["):
            return None
        while self.sign("["):
            rows.append(self._row())
            if not self.sign("]"):
                return None
            self.sign(",", ";")
        if not self.sign("]") or not rows or len({len(row) for row in rows}) != 1:
            return None
        inside = ", ".join(f"[{', '.join(cell.text for cell in row)}]" for row in rows)
        letters = letters_of([cell for row in rows for cell in row])
        return Node(text=f"Matrix([{inside}])", letters=letters, role="matrix")

    def _row(self) -> list[Node]:
        cells: list[Node] = []
        while (cell := self.attempt(self.sum)) is not None:
            cells.append(cell)
            self.sign(",", ";")
        return cells
