"""In how many ways: choices, orders, anagrams, codes; words about primes, digits, sequences."""

from collections import Counter

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.phrases import read_phrase
from chatbot.router.detector.formulas.problems.statement import COUNTS, Statement

_ARRANGED = r"(?:u?loz|uklada|utworz|stworz|zloz|zbudow|zapis|otrzym|napis)\w*"
_ANAGRAM = regex(
    rf"\b(?:anagram\w*|permutacj\w* liter|{_ARRANGED} (?:\w+ ){{0,4}}(?:z|ze) (?:\w+ ){{0,3}}liter|"
    rf"(?:z|ze) (?:\w+ ){{0,2}}liter \W?(?:\w+\W+){{0,6}}{_ARRANGED}|"
    r"(?:przestawi|poprzestawia|uporzadkowa|ustawi)\w* (?:\w+ ){0,2}liter\w*|"
    r"ile (?:\w+ ){0,2}(?:uklad|ciag|kolejnosc|przestawien|ustawien|kombinacj|napis)\w* liter\b)"
)
_OF_WORD = regex(
    r"\b(?:slow[aoie]\w*|wyraz(?!ow|y)\w*|hasl[ao]|nazw\w+|imi[ee]\w*|liter(?= \W)|"
    r"anagramow(?: ma)?(?= [a-z]+$))\W{1,3}([a-z]{3,20})\b"
)
_WORD_FIRST = regex(r"\W*([a-z]{3,20}) ?[.:,–-] ")
_DIGITS = regex(r"\b(sum[aeęy]|iloczyn)\w* cyfr (?:liczby )?(\d{2,30})\b(?! ?[\^!*])")

_SIDES = COUNTS[3:11]
"""Of pentagons to dodecagons."""
_ANGLE = regex(rf"\b(?:kat|miara kata)\w*(?: wewnetrzn\w*)? ({'|'.join(_SIDES)})kat\w* foremn")
_ENDING_ZEROS = regex(
    r"\bile zer\b.{0,20}\bkonc\w+.{0,20}"
    r"\b(?:(\d{1,6}) ?(?:!|silni)|silni\w* (?:z |liczby )?(\d{1,6})\b)"
)
_NEIGHBOURS = regex(r"\b(?:obok|kolo) siebie\b|\bprzy sobie\b|\bstac razem\b|\bsiedziec razem\b")
_TWO_DICE = regex(
    r"\b(?:2|dwiema|dwoma) (?:\w+ )?kost\w+.{0,60}\bprawdop\w+.{0,40}\bsum\w+ (?:oczek )?"
    r"(?:rown\w+ |wynoszac\w+ |to )?(\d{1,2})$"
)


def read_counting(statement: Statement) -> str | None:
    """Return the expression of a question of combinatorics or about one number, if it is one."""
    words = statement.words.rstrip(" .?!=")
    if anagram := _read_anagram(words):
        return anagram
    if digits := _DIGITS.search(words):
        return (" + " if digits[1].startswith("sum") else "*").join(digits[2])
    if angle := _ANGLE.search(words):
        sides = _SIDES.index(angle[1]) + 5
        return f"({sides} - 2)*180/{sides}"
    if zeros := _ENDING_ZEROS.search(statement.words):
        return _ending_zeros(int(zeros[1] or zeros[2]))
    return _read_pattern(words)


def _read_pattern(words: str) -> str | None:
    """Read sums of two dice, and what one pattern tells."""
    if dice := _TWO_DICE.search(words):
        return _two_dice(int(dice[1]))
    found = None if _NEIGHBOURS.search(words) else read_phrase("counting", words)
    if found is not None and found.startswith("factorial") and "cyfr" in words:
        return None
    return None if found is None else found.replace("^", "**").replace(" )", ")")


def _ending_zeros(number: int) -> str:
    """Count the zeros at the end of a factorial: its factors of five."""
    powers = [5**exponent for exponent in range(1, 20) if 5**exponent <= number]
    return " + ".join(f"floor({number}/{power})" for power in powers) or "floor(0)"


def _two_dice(total: int) -> str | None:
    """The probability of a sum of two dice, if there is one."""
    return f"(6 - Abs(7 - {total}))/36" if 2 <= total <= 12 else None  # noqa: PLR2004 - two dice


def _read_anagram(words: str) -> str | None:
    """Read "ile anagramów ma słowo MATEMATYKA": orders of letters, some of them alike."""
    if "liter" not in words and "anagram" not in words:  # dear to search for
        return None
    named = _OF_WORD.search(words) or _WORD_FIRST.match(words)
    if not _ANAGRAM.search(words) or named is None:
        return None
    repeated = [count for count in Counter(named[1]).values() if count > 1]
    whole = f"factorial({len(named[1])})"
    if not repeated:
        return whole
    return f"{whole}/({'*'.join(f'factorial({count})' for count in sorted(repeated))})"
