"""Measures what rules cost a streamed token, with the literal pre-filter and without it.

Run by hand: ``PYTHONPATH=. python tests/chatbot/sanitizer/sensitive/measure_screen.py``. Polish
prose goes through a screen in tokens of four characters; the fastest of several runs counts.
"Without" gives every token to the patterns at once, as a screen without a pre-filter would.
"""

import sys
import time
from collections.abc import Sequence

from chatbot.sanitizer.sensitive import (
    BUILT_IN,
    Detector,
    Rule,
    Screen,
    expression,
    words,
)

RUNS = 15
TOKEN_CHARS = 4
PROSE = (
    "W 1410 roku pod Grunwaldem starły się wojska polsko-litewskie z zakonem krzyżackim. Bitwa "
    "trwała wiele godzin i zakończyła się zwycięstwem króla Władysława Jagiełły, a jej pamięć "
    "przetrwała w malarstwie, literaturze i filmie do dziś. "
) * 20
TOKENS = [PROSE[start : start + TOKEN_CHARS] for start in range(0, len(PROSE), TOKEN_CHARS)]


class WithoutFilter(Screen):
    """A screen whose pre-filter lets nothing pass."""

    def feed(self, text: str) -> str:
        return self._pass(text, is_end=False)


def rules_of(names: Sequence[str]) -> list[Rule]:
    own: dict[str, Detector] = {
        "words": words(["projekt łabędź", "tajn*", "bomb*"]),
        "pattern": expression(r"\bUMW/\d{4}/\d{1,6}\b"),
    }
    found = {name: make() for name, (make, _) in BUILT_IN.items()} | own
    return [Rule(name=name, detector=found[name], action="mask", mask="#") for name in names]


def cost_us(kind: type[Screen], rules: Sequence[Rule]) -> float:
    """Microseconds a token."""
    best = float("inf")
    for _ in range(RUNS):
        screen = kind(rules)
        began = time.perf_counter()
        for token in TOKENS:
            screen.feed(token)
        best = min(best, time.perf_counter() - began)
    return best / len(TOKENS) * 1e6


def main() -> None:
    """Print a line for each set of rules."""
    sys.stdout.write(f"{'rules':<44}{'with':>8}{'without':>10}  µs a token\n")
    for names in (
        ["pesel"], ["pesel", "card"], ["iban"], ["phone"], ["email"], ["words"], ["pattern"],
        ["pesel", "card", "phone"], [*BUILT_IN], [*BUILT_IN, "words"],
        [*BUILT_IN, "words", "pattern"],
    ):  # fmt: skip
        rules = rules_of(names)
        figures = [cost_us(kind, rules) for kind in (Screen, WithoutFilter)]
        sys.stdout.write(f"{'+'.join(names):<44}{figures[0]:8.2f}{figures[1]:10.2f}\n")


if __name__ == "__main__":
    main()
