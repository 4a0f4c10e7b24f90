"""A position in a sequence of tokens, and what readers of a formula ask about it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from chatbot.router.detector.formulas.nodes import Node, number
from chatbot.router.detector.formulas.tokens import Token
from chatbot.router.detector.formulas.words import (
    CONNECTIVES,
    DIVISIONS,
    FUNCTIONS,
    LESS,
    MORE,
    MULTIPLICATIONS,
    UNITS,
)

T = TypeVar("T")

_SHORT = 3
ORDINALS = (
    "", "pierwsz", "drug", "trzec", "czwart", "piat", "szost", "siodm", "osm", "dziewiat",
    "dziesiat",
)  # fmt: skip


class Cursor:
    """Looks at tokens and steps over them; a step that does not fit leaves the position alone."""

    def __init__(self, tokens: Sequence[Token], at: int = 0) -> None:
        """Stand before token ``at``."""
        self.tokens = tokens
        self.at = at
        self._end = len(tokens)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing follows."""
        return self.at >= self._end

    def peek(self, ahead: int = 0) -> Token | None:
        """Return the token ``ahead`` of here, if there is one."""
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < self._end else None

    def advance(self) -> None:
        """Step over one token."""
        self.at += 1

    def attempt(self, read: Callable[[], T | None]) -> T | None:
        """Call a reader and come back to here if it finds nothing."""
        start = self.at
        found = read()
        if not found:
            self.at = start
        return found

    def sign(self, *signs: str) -> str | None:
        """Step over one of the signs and return it."""
        token = self.peek()
        if token is None or token.kind != "sign" or token.text not in signs:
            return None
        self.at += 1
        return token.text

    def word(self, *stems: str) -> str | None:
        """Step over a word that begins with one of the stems; short stems are whole words."""
        token = self.peek()
        if token is None or token.kind not in {"word", "ordinal"}:
            return None
        if token.text not in stems and not token.text.startswith(_long(stems)):
            return None
        self.at += 1
        return token.text

    def phrase(self, *stems: str) -> bool:
        """Step over words that begin with these stems, one after the other, or over none."""
        start = self.at
        for stem in stems:
            if not self.word(stem):
                self.at = start
                return False
        return True

    def skip(self, *stems: str) -> None:
        """Step over any number of such words, and colons between them."""
        while self.word(*stems) or self._colon():
            pass

    def ordinal(self) -> Node | None:
        """Read "trzeciej" as 3."""
        token = self.peek()
        if token is None or token.kind != "ordinal":
            return None
        for value, stem in enumerate(ORDINALS):
            if stem and token.text.startswith(stem):
                self.at += 1
                return number(str(value))
        return None

    def number(self) -> Node | None:
        """Read one number as it stands."""
        token = self.peek()
        if token is None or token.kind != "number":
            return None
        self.at += 1
        return number(token.text)

    def number_then(self, stem: str) -> bool | None:
        """Step over "3 stopnia"."""
        return bool(self.number() and self.word(stem)) or None

    def is_glued_number(self) -> bool:
        """Whether a number touches the word before and an argument follows: "log2(8)"."""
        before, here = self.peek(-1), self.peek()
        if before is None or here is None or here.kind != "number" or before.end != here.start:
            return False
        return self.peek(1) is not None

    def is_between_numbers(self, text: str) -> bool:
        """Whether ``text`` stands here between two numbers: "3 x 4", "144 : 12"."""
        before, here, after = self.peek(-1), self.peek(), self.peek(1)
        if before is None or here is None or after is None or here.text != text:
            return False
        is_number = after.kind in {"number", "share"} or after.text in {"(", "√"}
        return is_number and (
            before.kind in {"number", "share"} or before.text in {")", "]", "}", "!"}
        )

    def is_number_after_number(self) -> bool:
        """Whether two numbers stand side by side: "NWD 36 60"."""
        before, here = self.peek(-1), self.peek()
        if before is None or here is None:
            return False
        return {before.kind, here.kind} <= {"number", "share"}

    def is_factorial(self) -> bool:
        """Whether an exclamation mark that touches its number stands here."""
        before, here = self.peek(-1), self.peek()
        return (
            here is not None
            and here.text == "!"
            and before is not None
            and before.end == here.start
        )

    def _factorial_again(self) -> bool:
        """Step over the second exclamation mark of "7!!"."""
        is_found = self.is_factorial()
        self.at += is_found
        return is_found

    def is_touching_formula(self) -> bool:
        """Whether the token before is part of a formula, so that a factor may follow unmarked."""
        before = self.peek(-1)
        return before is not None and (before.kind in {"number", "letter"} or before.text == ")")

    def is_spaced_letter(self) -> bool:
        """Whether the letter here stands apart and nothing is done with it: "5 m"."""
        before, here, after = self.peek(-1), self.peek(), self.peek(1)
        if before is None or here is None or before.end == here.start:
            return False
        return after is None or after.kind == "word" or after.text in {"?", ".", ",", ";"}

    def connected(self) -> bool | None:
        """Step over "i do tego jeszcze" before "plus"."""
        self.sign(",")
        while self.word(*CONNECTIVES):
            pass
        following = self.peek()
        return (following is not None and following.text in {"plus", "minus"}) or None

    def product_word(self) -> str | None:
        """Step over "razy", "dzielone przez" and return the sign."""
        if self.word("razy", "raza"):
            return "*"
        if self.word(*MULTIPLICATIONS):
            return "*" if self.word("przez", "razy") else None
        if self.word(*DIVISIONS):
            return "/" if self.word("przez", "na") else None
        return "/" if self.word("przez") else None

    def is_factor_next(self) -> bool:
        """Whether what follows multiplies without a sign: ``2x``, ``2(x + 1)``, ``x sin x``."""
        token = self.peek()
        if token is None:
            return False
        if token.kind == "letter":
            return True
        if token.kind == "sign":
            return token.text in {"(", "√"}
        return token.kind == "word" and token.text in FUNCTIONS and self.is_touching_formula()

    def is_unit_next(self) -> bool:
        """Whether a unit stands here: "5 zł", "5 m"."""
        unit = self.peek()
        if unit is None or unit.text not in UNITS:
            return False
        return unit.kind == "word" or (unit.kind == "letter" and self.is_spaced_letter())

    def is_noun_next(self, *stems: str) -> bool:
        """Whether a word that begins with one of the stems stands here."""
        token = self.peek()
        return token is not None and token.kind == "word" and token.text.startswith(stems)

    def is_part_next(self, *nouns: str) -> bool:
        """Whether "połowy", or a noun, stands behind a fraction without a preposition."""
        token = self.peek()
        is_half = token is not None and token.kind == "share" and not token.is_work
        return is_half or self.is_noun_next(*nouns)

    def more_or_less(self) -> str | None:
        """Step over "więcej niż", "mniejsza od" and return the sign."""
        if self.word(*MORE):
            sign = "+"
        elif self.word(*LESS):
            sign = "-"
        else:
            return None
        return sign if self.word("niz", "od") else None

    def _says(self, *words: str) -> bool:
        """Step over one of these words, which is not the beginning of a longer one."""
        token = self.peek()
        is_found = token is not None and token.kind == "word" and token.text in words
        self.at += is_found
        return is_found

    def _colon(self) -> bool:
        here = self.peek()
        if here is None or here.text != ":":
            return False
        before, after = self.peek(-1), self.peek(1)
        if after is None or (before is not None and before.kind in {"number", "letter"}):
            return False
        return self.sign(":") is not None


@lru_cache(maxsize=512)
def _long(stems: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem for stem in stems if len(stem) > _SHORT)
