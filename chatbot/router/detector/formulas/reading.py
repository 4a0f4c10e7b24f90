"""Find the formula in a prompt and write it in SymPy's syntax."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.numerals import NUMBER_WORDS
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.algebra import ALGEBRA, read_relations
from chatbot.router.detector.formulas.arithmetic import ARITHMETIC
from chatbot.router.detector.formulas.beginnings import by_beginning
from chatbot.router.detector.formulas.bounds import say_bounds
from chatbot.router.detector.formulas.calculus import CALCULUS
from chatbot.router.detector.formulas.comparisons import write_comparison
from chatbot.router.detector.formulas.conversions import read_conversion
from chatbot.router.detector.formulas.corrections import corrected
from chatbot.router.detector.formulas.finishing import PLACES, finish
from chatbot.router.detector.formulas.given import put_values
from chatbot.router.detector.formulas.grammar import Formula
from chatbot.router.detector.formulas.limits import without_limit
from chatbot.router.detector.formulas.marks import say_marks
from chatbot.router.detector.formulas.nodes import Node
from chatbot.router.detector.formulas.notated import NOTATED, say_calls
from chatbot.router.detector.formulas.notation import raise_figures, write_out
from chatbot.router.detector.formulas.pairs import name_pair_again
from chatbot.router.detector.formulas.phrasing import phrase
from chatbot.router.detector.formulas.problems import read_problem
from chatbot.router.detector.formulas.problems.statement import COUNTS
from chatbot.router.detector.formulas.refusals import asks_for_no_result
from chatbot.router.detector.formulas.repetition import say_order
from chatbot.router.detector.formulas.sentences import say_sentence
from chatbot.router.detector.formulas.spelling import mend
from chatbot.router.detector.formulas.steps import STEPS, read_step
from chatbot.router.detector.formulas.tokens import MULTIPLES, Token, tokenise
from chatbot.router.detector.formulas.wordings import reword
from chatbot.router.detector.formulas.words import FUNCTIONS, UNITS
from chatbot.router.detector.spans import fold_evenly

LONGEST = 2_000

# Earlier tables are asked first: "pierwiastki równania" before "pierwiastek z".
_OPERATIONS = by_beginning({
    **NOTATED,
    **CALCULUS,
    **{stem: read for stem, read in ALGEBRA.items() if stem not in ARITHMETIC},
    **{stem: read for stem, read in ARITHMETIC.items() if stem not in CALCULUS},
    **STEPS,
})
_COMMAND = regex(r"\\[a-z]+")
_GIVEN = regex(r"\b(?:dla|gdy|jesli|jezeli|przy|gdzie)\b")
_FIGURES = regex(r"[\d√∫∑Σ∏Π^π∂\\=½⅓⅔¼¾+*]|[a-z][²³'’]")
_STEMS = tuple(
    {
        *NOTATED,
        *CALCULUS,
        *ALGEBRA,
        *ARITHMETIC,
        *MULTIPLES,
        "anagram",
        "liter",
        "pinow",
        "przekatn",
        "katow",
        "minut",
        "sekund",
        "godzin",
        "pi",
        *(f"{count}{kind}" for count in COUNTS for kind in ("cyfrow", "literow", "osobow", "kat")),
    }
    - {"czy", "ile", "jaki"}
)
_IN_SHORT = regex(r"\bczyli\s+((?:[\d(]|√)[\d\s()+*/^·×:,.√−–-]{2,80}[?!. ]*)$")
_ELLIPSIS = regex(r"[+,] ?(?:\.\.\.|…) ?[+,]")
_OPERATION = regex(r"[-+*/^=·×÷:]|razy|plus|minus|\bprzez\b")
_LONG_NUMBER = regex(r"\d{500}")
_ASIDE = frozenset({"mi", "prosze", "no"})
_WORDS = regex(r"[^\W\d_]+")
_SHEER = regex(
    r"[a-z]|ile|to|jest|bedzie|wynosi|wyjdzie|da|daje|oblicz\w*|policz\w*|wylicz|podaj|znajdz|"
    r"prosze|mi|plus|minus|razy|przez|podziel\w{0,3}|dzielone|pomnoz\w*|dodac|dodaj|odejmij|odjac|"
    r"do|potegi|od|dla|po|ze|pierwiast\w+|kwadrat\w*|szescienny|rownani[ea]|uklad|rozwiaz\w*|"
    r"uprosc|wyrazenie|druga|pochodna|funkcji|calk[ae]|(?:nie)?oznaczona|granic[ae]|lim|dx|"
    r"(?:co)?sin(?:us\w*)?|cos|tangens\w*|tg|ctg|ln|log|exp|stopni|wartosc|bezwzgledna|silni[ae]?|"
    r"logarytm\w*|naturaln\w+|dziesietn\w+|reszt[ay]|dzieleni[ae]|najwiekszy|najmniejsz[aey]|"
    r"wspoln[aey]|dzielnik|wielokrotnosc|rozloz|na|czynniki|pierwsze|wymnoz|nawiasy|podnies|potege|"
    r"wyznacznik|macierz[ey]?|nieskonczonosc\w*|daz[ay]\w*|przy|gdy|wzgledem|skroc|ulamek"
)
"""Words of which no story is made."""

_OF_PROBLEMS = regex(r"\([-−]?\d+[,;]|%|\d ?(?:z|ze|od) |\b[a-z]\d|½|naj\w+ wartosc")
"""Vectors, shares, terms of a sequence, a least value: what readers of problems know."""

_MEASURED = regex(r"przekatn|powierzchni|objetosc|obwod|pole$|sredni")
_SIZES = regex(r" ?(?:m|cm|mm|km|metr\w*|zl|zlot\w*|kg|szt\w*)\b")
_INTRODUCED = regex(
    r"(?:oblicz\w*|policz\w*|wylicz\w*|ile (?:to|jest|wynosi|daje|bedzie|da|wyjdzie|masz)"
    r"(?: (?:jest|z))?|zosta\w+ z|wynik\w*|dzialani\w*|rowna sie|wartosc|to jest|podaj|wyrazeni\w*|"
    r"[=:„\"(])\W{0,3}$"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """A formula found in a prompt.

    ``share`` is the part of the prompt's tokens, from 0 to 1, that it accounts for; ``reader``
    names what found it: "formula", "conversion", or the reader of word problems.
    """

    expression: str
    share: float
    reader: str = "formula"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    node: Node
    start: int
    end: int


@lru_cache(maxsize=16)  # one decision reads the same prompt and clauses several times
def read_formula(prompt: str) -> Reading | None:
    """Return the longest formula of the prompt's first `LONGEST` characters; ``None`` without one.

    A lone number or name is no formula: there must be something to compute. Corrections within
    the prompt are followed; proofs, hints and texts about figures are not computed.
    """
    text = plain_wording(prompt)
    if text is None:
        return None
    if (said := _IN_SHORT.search(text)) and (reading := _read(said[1])) is not None:
        return reading
    for meant in corrected(text):
        if (reading := _read(meant)) is not None:
            return reading
    return None


def plain_wording(prompt: str) -> str | None:
    """Return the prompt as readers take it; ``None`` if it asks for no result of a calculation."""
    text = reword(say_marks(mend(raise_figures(_without_exclamation(prompt[:LONGEST])))))
    text = say_sentence(say_bounds(write_comparison(name_pair_again(text))))
    if _LONG_NUMBER.search(text) or not _may_hold_formula(text) or asks_for_no_result(text):
        return None
    return without_limit(text)


def _may_hold_formula(text: str) -> bool:
    """Whether there is a figure, a sign, a number in words or a word of mathematics at all."""
    if _FIGURES.search(text):
        return True
    words = re.findall(r"[a-z]{3,}|\bpi\b", fold_evenly(text))
    return any(word in NUMBER_WORDS or word.startswith(_STEMS) for word in words)


@lru_cache(maxsize=16)
def _read(text: str) -> Reading | None:
    text = say_order(put_values(text) or text)
    if _tells_nothing_else(text) and (reading := _read_written(text)) is not None:
        return reading
    if (problem := read_problem(text)) is not None:
        return Reading(expression=problem.expression, share=1.0, reader=problem.reader)
    if (said := read_conversion(text)) is not None:
        return Reading(expression=said, share=1.0, reader="conversion")
    return _read_written(text)


def _tells_nothing_else(text: str) -> bool:
    """Whether all words only ask for a calculation or are part of it, so that it is no story."""
    folded = fold_evenly(text)
    return not _OF_PROBLEMS.search(folded) and all(map(_SHEER.fullmatch, _WORDS.findall(folded)))


def _read_written(text: str) -> Reading | None:
    """Return the longest formula that is written in signs, or in words of mathematics."""
    if _ELLIPSIS.search(text):
        return None
    text = phrase(write_out(say_calls(text)))
    tokens = tuple(token for token in tokenise(text) if token.text not in _ASIDE)
    if not tokens:
        return None
    substituted = _substitute(tokens)
    found = _longest(substituted)
    node = None if found is None else finish(found.node, text)
    if found is None or node is None or _is_fragment(found, substituted, text):
        return None
    return Reading(expression=node.text, share=(found.end - found.start) / len(substituted))


def _is_fragment(found: _Found, tokens: Sequence[Token], text: str) -> bool:
    """Whether the formula is only what two numbers of a story that was not understood made."""
    outside = [token for token in (*tokens[: found.start], *tokens[found.end :])
               if token.kind in {"number", "share"}]  # fmt: skip
    if not outside or PLACES.search(fold(text)) or (found.end - found.start) * 2 > len(tokens):
        return False
    inside = tokens[found.start : found.end]
    following = tokens[found.end] if found.end < len(tokens) else None
    if following is not None and following.text == "=" and not found.node.letters:
        return False  # a result to be checked: "wyszło mi 3,6 : 0,12 = 30"
    words = {token.kind for token in inside if token.text not in UNITS}
    if _is_written(inside, tokens, text[inside[-1].end :]):
        return False
    before = fold_evenly(text[: tokens[found.start].start])
    return "word" not in words and not _INTRODUCED.search(before[-30:])


def _is_written(inside: Sequence[Token], tokens: Sequence[Token], behind: str) -> bool:
    """Whether these are the only signs of a prompt: "17*23, wyszło mi 381"."""
    signs = {"*", "^", "√"}
    if not any(token.text in signs for token in inside) or _SIZES.match(fold(behind)):
        return False
    if any(_MEASURED.match(token.text) for token in tokens):
        return False
    is_named = inside[0].kind == "letter" and len(inside) > 1 and inside[1].text == "="
    others = sum(token.text in signs for token in tokens) - sum(t.text in signs for t in inside)
    return not is_named and not others


def _longest(tokens: Sequence[Token]) -> _Found | None:
    """Try a formula at every token and keep the one that covers most."""
    best: _Found | None = None
    formula = Formula(tokens, _OPERATIONS, read_step)
    at = 0
    while at < len(tokens):
        found = _at(formula, at)
        if found is not None and (best is None or _size(found) > _size(best)):
            best = found
        at = max(at + 1, found.end if found is not None and found.node.is_work else at + 1)
    return best


def _size(found: _Found) -> tuple[bool, int]:
    return found.node.is_work, found.end - found.start


def _at(formula: Formula, at: int) -> _Found | None:
    first = formula.tokens[at]
    if first.kind == "word" and first.text in {"z", "i"}:
        return None
    formula.at = at
    node = formula.attempt(lambda: read_relations(formula)) or formula.attempt(formula.sum)
    if node is None:
        return None
    return _Found(node=node, start=at, end=formula.at)


def _substitute(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Put values into letters: "… dla x = 3" and "… gdy a = 2, b = 5"."""
    given = next(
        (
            at
            for at, token in enumerate(tokens)
            if token.kind == "word" and _GIVEN.fullmatch(token.text)
        ),
        None,
    )
    if not given:
        return tuple(tokens)
    values = _values(tokens[given + 1 :])
    if values is None or not any(token.text in values for token in tokens[:given]):
        return tuple(tokens)
    if any(token.text.startswith(("granic", "lim", "pochodn", "zroznicz")) for token in tokens):
        return tuple(tokens)
    return tuple(
        replacement
        for token in tokens[:given]
        for replacement in (
            _bracketed(values[token.text], token) if token.text in values else (token,)
        )
    )


def _values(tokens: Sequence[Token]) -> Mapping[str, str] | None:
    values: dict[str, str] = {}
    at = 0
    while at < len(tokens):
        name = tokens[at]
        sign = tokens[at + 1] if at + 1 < len(tokens) else None
        if name.kind != "letter" or sign is None or sign.text not in {"=", "rowne", "rowna"}:
            break
        at += 2
        minus = at < len(tokens) and tokens[at].text in {"-", "minus"}
        at += minus
        if at >= len(tokens) or tokens[at].kind not in {"number", "share"}:
            return None
        values[name.text] = ("-" if minus else "") + tokens[at].text
        at += 1
        while at < len(tokens) and tokens[at].text in {",", "i", "oraz"}:
            at += 1
    rest = [token for token in tokens[at:] if token.kind in {"letter", "number"}]
    return values if values and not rest else None


def _bracketed(value: str, token: Token) -> tuple[Token, ...]:
    inside = replace(token, kind="number", text=value)
    return replace(token, kind="sign", text="("), inside, replace(token, kind="sign", text=")")


def _without_exclamation(text: str) -> str:
    """Drop a closing exclamation mark that is punctuation: "Policz 2+2!"."""
    bare = text.rstrip()
    words = set(re.findall(r"[^\W\d²³]{3,}", _COMMAND.sub(" ", bare.lower())))
    if bare.count("!") != 1 or not words - FUNCTIONS.keys():
        return text
    if not bare.endswith("!") or not _OPERATION.search(bare[:-1]):
        return text
    return bare[:-1]
