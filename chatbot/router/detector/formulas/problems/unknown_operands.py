"""The operand that one operation lacks: "ile dodać do 27, żeby było 90"."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_ASIDES = (
    r"(?:(?:trzeba|nalezy|musz[ea]|musisz|musimy|musi|mozna|powinn\w+|powinien\w*|wystarczy|"
    r"potrzeba|mam|mamy|by|sie|jeszcze|teraz|mi|nam|liczbe|liczby|kwoty|kwote) )*"
)
_WHAT = r"(?:ile|co|jak\w+ (?:liczb\w+|kwot\w+))"
_UNIT = r"(?: (?!i |to |a |ile |od |do |przez |aby |by |zeby )[a-z]+\.?)?"
_GOAL = (
    r"(?: |,)*(?:zeby|aby|by|azeby|tak by|tak zeby|i) (?:\w+ ){0,2}?"
    r"(?:by\w*|otrzym\w+|dosta\w+|wysz\w+|zosta\w+|uzysk\w+|miec|mial\w*|mam|da[cl]\w*|wynosi\w*|"
    r"powsta\w+|dobi\w+|doj\w+|zrobi\w+|uzbier\w+|wynik\w*|pozosta\w+|osiagn\w+)"
    rf"(?: (?!od )[a-z]+){{0,2}} {NUMBER}"
)
_ADD = r"(?:do)?da(?:c|m|my|j|l|ls|jac|wac)\w*|dolicz\w*|doloz\w*|dorzuc\w*"
_TAKE = r"od(?:ja|ej|ej)\w*|ujac|zabra\w*|odlicz\w*"
_MULTIPLY = r"(?:po|prze|wy)?mno[zz]\w*"
_DIVIDE = r"(?:po)?dziel\w*"

_PATTERNS: tuple[tuple[Guarded, str], ...] = tuple(
    (Guarded(rf"\b{pattern}{_GOAL}"), written)
    for pattern, written in (
        (rf"{_WHAT} {_ASIDES}(?:{_ADD}) {_ASIDES}do {_ASIDES}{NUMBER}{_UNIT}", r"\2 - \1"),
        (rf"{_WHAT} {_ASIDES}do {_ASIDES}{NUMBER}{_UNIT} {_ASIDES}(?:{_ADD})", r"\2 - \1"),
        (rf"do (?:ilu|czego|jak\w+ (?:liczb\w+|kwot\w+)) {_ASIDES}(?:{_ADD}) {NUMBER}{_UNIT}",
         r"\2 - \1"),
        (rf"{_WHAT} {_ASIDES}(?:{_TAKE}) {_ASIDES}od {_ASIDES}{NUMBER}{_UNIT}", r"\1 - \2"),
        (rf"{_WHAT} {_ASIDES}od {_ASIDES}{NUMBER}{_UNIT} {_ASIDES}(?:{_TAKE})", r"\1 - \2"),
        (rf"od (?:ilu|czego|jak\w+ (?:liczb\w+|kwot\w+)) {_ASIDES}(?:{_TAKE}) {NUMBER}{_UNIT}",
         r"\2 + \1"),
        (rf"przez {_WHAT} {_ASIDES}(?:{_MULTIPLY}) {_ASIDES}{NUMBER}{_UNIT}", r"\2/\1"),
        (rf"przez {_WHAT} {_ASIDES}(?:{_DIVIDE}) {_ASIDES}{NUMBER}{_UNIT}", r"\1/\2"),
        (rf"{_WHAT} {_ASIDES}(?:{_MULTIPLY}) {_ASIDES}(?:przez|razy) {NUMBER}", r"\2/\1"),
        (rf"{_WHAT} {_ASIDES}(?:{_DIVIDE}) {_ASIDES}(?:przez|na) {NUMBER}", r"\2*\1"),
    )
)  # fmt: skip
_OTHER_NUMBERS = regex(r"\d")


def read_unknown_operand(statement: Statement) -> str | None:
    """Return the operand that leads from the number told to the result told."""
    for pattern, written in _PATTERNS:
        found = pattern.search(statement.words)
        if found is None:
            continue
        around = statement.words[: found.start()] + statement.words[found.end() :]
        is_whole = not _OTHER_NUMBERS.search(around) and "%" not in statement.words
        return found.expand(written) if is_whole else None
    return None
