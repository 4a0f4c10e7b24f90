"""Arithmetic and geometric sequences, series, discriminants."""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement
from chatbot.router.detector.formulas.problems.vectors import signed

_S = r"(-? ?\d+(?:\.\d+)?(?:/\d+)?)"
_FIRST = regex(rf"\b(?:a ?_? ?1|pierwsz\w+ wyraz\w*|zaczyna\w*(?: sie)?(?: od)?)[^\d-]{{0,20}}{_S}")
_STEP = regex(rf"(?:\b(?:r|roznic\w+|co)\b)[^\d-]{{0,12}}{_S}")
_RATIO = regex(rf"(?:\b(?:q|iloraz\w*)\b)[^\d-]{{0,12}}{_S}")
_PLACE = regex(
    r"\b(?:suma?|sume)\b(?: \w+){0,3}? (\d+)(?: pierwszych| poczatkowych)? wyraz|"
    r"(?<!pierwszy wyraz )(\d+) ?\.? ?wyraz|\ba ?_? ?(\d+)\b(?=[^=]*$)|"
    r"(?<!pierwszy )wyraz\w* (?:numer |nr )?(\d+)"
)
_TERM = regex(rf"\ba ?_? ?(\d{{1,4}}) ?= ?{_S}")
_FIRST_TERM = regex(r"\ba ?= ?(?=-? ?\d)")
_CHANGE = Guarded(rf"\b([rq]) ?= ?{_S}")
_SUM_OF = regex(r"\bs ?_? ?\(? ?(\d{1,4})\b(?! ?= ?-? ?\d)")
_ASKED_TERM = regex(r"\ba ?_? ?\(? ?(\d{1,4})\b(?! ?\)? ?= ?-? ?\d)")
_GROWING = Guarded(
    r"\b(?:w |kazd\w+ )?(?:nastepn|kolejn|wyzsz|nizsz)\w+(?: \w+){0,3} o "
    r"(\d+(?:\.\d+)?|jed(?:na|en))(?: \w+){0,2} "
    r"(wiecej|mniej|dluz|krot|wiek|mniejs)|\bo (\d+(?:\.\d+)?)(?: \w+){0,2} (wiecej|mniej)"
    r"(?: \w+){0,3} niz (?:\w+ )?(?:poprzedni|dzien wczesniej|dnia poprzedniego)"
)
_BEGUN = Guarded(
    r"\b(?:pierwsz|najnizsz|najwyzsz|na (?:samym )?dol)\w+(?: (?:\w+ )?"
    r"(?:dnia|dzien|rzedzie|tygodniu|miesiacu|roku|rzad|warstwie))?(?: \w+){0,2}? "
    r"(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)(?: \w+){1,2} (?:w )?pierwsz\w+"
)
_IN_ALL = regex(
    r"\bsum|\blacznie|\brazem|\bw sumie|\bw calej|\bwszystki|\buzbiera|\bil[eu]\b[^?]* przez \d"
)
_ROWS = (
    r"(?:rzed\w*|dni\w*|tygodni\w*|miesiec\w*|lat|pieter\w*|polek|schod\w*|rund\w*|warstw\w*|"
    r"poziom\w*)"
)
_TIMES = Guarded(rf"\b(\d+) {_ROWS}|\b{_ROWS}(?: jest| ma)? (\d+)\b")
_SOME = r"(?: \w+){0,4}? "
_FIRST_TO_THIRD = Guarded(
    rf"\bpierwsz\w+(?: \w+)?{_SOME}(?:(?P<first>\d+(?:\.\d+)?)|zlotowk\w+|zlotego|jedn\w+)[^\d,.;]*"
    rf"[,;]? (?:i )?(?:w |za )?drug\w+(?: \w+)??{_SOME}(?P<second>\d+(?:\.\d+)?)[^\d,.;]*"
    rf"[,;]? (?:a |i )?(?:w |za )?trzeci\w+(?: \w+)??{_SOME}(?P<third>\d+(?:\.\d+)?)[^\d]*?"
    r"\bi tak (?:dalej,? )?(?:az )?(?:do|przez) (?:\w+ )??(?P<count>\d+)\b(?=[^\d]*$)"
)
_PROGRESSION = Guarded(r"\b(?:arytmetyczn|geometryczn)\w*")
_SERIES = Guarded(
    r"(?<![\w.])(?<!\+ )(\d{1,9}) \+ (\d{1,9}) \+ (?:(\d{1,9}) \+ )?"
    r"(?:\d{1,9} \+ ){0,3}(?:(?:\. ?){3}|…) \+ (\d{1,9})(?![\w.])"
)
_POWERS = Guarded(
    r"(?<![\w.])1(?: ?\^ ?(?P<one>[23]))? \+ (?P<second>\d{1,3})(?: ?\^ ?(?P<two>[23]))? \+ "
    r"(?:\d{1,6}(?: ?\^ ?[23])? \+ ){0,4}(?:(?:\. ?){3}|…) \+ (?P<last>\d{1,9})"
    r"(?: ?\^ ?(?P<above>[23]))?(?![\w.])"
)
_LISTED = Guarded(
    r"\b(\d{1,6}) ?\.? wyraz\w* ciagu(?: \w+)? ?:? ?(-? ?\d+(?: ?[,;] ?-? ?\d+){2,9})"
)
_LISTED_FIRST = Guarded(
    r"\bciag\w*(?: \w+)? ?:? ?(-? ?\d+(?: ?[,;] ?-? ?\d+){2,9})[^\d]{0,30} (\d{1,6}) ?\.? wyraz"
)
_PLACE_OF_LISTED = Guarded(
    r"(?P<terms>-?\d+(?: ?[,;] ?-?\d+){2,9}) ?,? ?(?:\. ?\. ?\.|…)[^\d]{0,40}"
    r"\b(?P<place>\d{1,4}) ?\.? "
    r"(?:wyraz|miejsc|liczb|element|pozycj)"
)
_LISTED_AT_PLACE = Guarded(
    r"(?P<place>\d{1,4}) ?\.? (?:miejsc|pozycj|element)\w*(?: [a-z]+){0,4} ?:? "
    r"(?P<terms>-?\d+(?: ?[,;] ?-?\d+){2,9})"
)
_SUM_OF_LISTED = Guarded(
    r"\bciag\w*[^\d]{0,30}(?P<terms>-?\d+(?: ?[,;] ?-?\d+){2,9})[^\d]{0,30}\bsum\w+(?: \w+){0,3}? "
    r"(?P<count>\d{1,4})(?: \w+)? wyraz"
)
_LISTED_BEHIND_SUM = Guarded(
    r"\bsum\w+(?: \w+){0,2}? (?P<count>\d{1,4})(?: \w+)? wyraz\w* ciagu[^\d-]{0,30}"
    r"(?P<terms>-?\d+(?: ?[,;] ?-?\d+){2,9})"
)
_TO_LAST = Guarded(
    r"\bsum\w+(?: \w+){0,3}? (?:ciagu|szeregu|wyrazow)[^\d-]{0,30}"
    r"(?P<terms>-? ?\d+(?: ?, ?-? ?\d+){1,5}) ?, ?(?:\. ?\. ?\.|…) ?,? (?P<last>-? ?\d+)(?![\d.])"
)
_DELTA = Guarded(r"\b(?:delt[aey]|wyroznik\w*)\b")
_POLYNOMIAL = Guarded(
    r"(?P<a>-? ?\d*(?:\.\d+)?) ?\*? ?x ?\^ ?2(?: ?(?P<b>[+-] ?\d*(?:\.\d+)?) ?\*? ?x(?! ?\^))?"
    r"(?: ?(?P<c>[+-] ?\d+(?:\.\d+)?))?"
)


def read_sequence(statement: Statement) -> str | None:
    """Return what is asked of a sequence, of a series or of a quadratic's discriminant."""
    words = statement.words
    if _DELTA.search(words):
        return _read_discriminant(words)
    if found := _read_series(words) or _read_told(words) or _read_growing(words):
        return found
    if found := _read_first_to_third(words):
        return found
    if found := _sum_to_last(words):
        return found
    if _PROGRESSION.search(words) and re.search(r"\bwyraz|\ba ?_? ?\d", words):
        return _read_progression(words)
    return _sum_of_listed(words) or _read_listed(words)


def _read_discriminant(words: str) -> str | None:
    found = _POLYNOMIAL.search(words.replace(" * ", ""))
    if found is None or "nieujemn" in words:
        return None
    a, b, c = (
        _coefficient(found[name], lone) for name, lone in (("a", "1"), ("b", "1"), ("c", ""))
    )
    return f"({b or 0})**2 - 4*({a})*({c or 0})"


def _coefficient(text: str | None, lone: str) -> str:
    if text is None:
        return ""
    bare = text.replace(" ", "").lstrip("+")
    return bare + lone if bare in {"", "-"} else bare


def _read_progression(words: str) -> str | None:
    if listed := _sum_of_listed(words) or _read_listed(words):
        return listed
    first, place = _FIRST.search(words), _PLACE.search(words)
    is_geometric = "geometryczn" in words
    step = (_RATIO if is_geometric else _STEP).search(words)
    if first is None or place is None or step is None:
        return None
    number = next(part for part in place.groups() if part)
    start, change = (
        f"({one[1].replace(' ', '')})" if "-" in one[1] else one[1] for one in (first, step)
    )
    is_sum = re.search(r"\bsum[aeęy]", words)
    if is_geometric:
        return (
            f"{start}*(1 - {change}**{number})/(1 - {change})"
            if is_sum
            else f"{start}*{change}**({number} - 1)"
        )
    last = f"{start} + ({number} - 1)*{change}"
    return f"(2*{start} + ({number} - 1)*{change})*{number}/2" if is_sum else last


def _read_told(words: str) -> str | None:
    """Read "a1 = 2, q = 3, oblicz a6", "S10, a1 = 1, r = 4", "a3 = 11, a7 = 27, wyznacz a1 i r"."""
    if _PROGRESSION.search(words):
        words = _FIRST_TERM.sub("a 1 = ", words)
    terms = {int(at): value.replace(" ", "") for at, value in _TERM.findall(words)}
    if len(terms) == 2:  # noqa: PLR2004 - two unknowns
        return _first_and_step(terms, words)
    changed = _CHANGE.search(words)
    if 1 not in terms or changed is None:
        return None
    first, change = _enclosed(terms[1]), _enclosed(changed[2].replace(" ", ""))
    if changed[1] == "q":
        return _geometric(first, change, words)
    if found := _SUM_OF.search(words):
        return f"(2*{first} + ({found[1]} - 1)*{change})*{found[1]}/2"
    found = _ASKED_TERM.search(words)
    return found and f"{first} + ({found[1]} - 1)*{change}"


def _geometric(first: str, ratio: str, words: str) -> str | None:
    if re.search(r"\bsum[aeęy]\b", words) and re.search(r"\bnieskoncz|\boo\b", words):
        return f"{first}/(1 - {ratio})" if abs(Fraction(ratio.strip("()"))) < 1 else None
    if found := _SUM_OF.search(words):
        return f"{first}*(1 - {ratio}**{found[1]})/(1 - {ratio})"
    found = _ASKED_TERM.search(words)
    return found and f"{first}*{ratio}**({found[1]} - 1)"


def _enclosed(text: str) -> str:
    return text if text.isdigit() else f"({text})"


def _first_and_step(terms: Mapping[int, str], words: str) -> str | None:
    if re.search(r"\bgeometryczn|\bq\b|\biloraz", words):
        equations = ", ".join(f"Eq(a*q**{at - 1}, {value})" for at, value in terms.items())
        return f"solve([{equations}], [a, q])"
    if not re.search(r"\barytmetyczn|\br\b|\broznic", words):
        return None
    equations = ", ".join(f"Eq(a + {at - 1}*r, {value})" for at, value in terms.items())
    return f"solve([{equations}], [a, r])"


def _read_growing(words: str) -> str | None:
    """Read "18 rzędów, w pierwszym 14 foteli, w każdym następnym o 2 więcej, ile razem"."""
    change = _GROWING.search(words)
    if change is None or "%" in words:
        return None
    rest = f"{words[: change.start()]} {words[change.end() :]}"
    first, times = _BEGUN.search(rest), _TIMES.search(rest)
    numbers = re.findall(r"(?<![\w.])\d+(?:\.\d+)?", words)
    told = len(numbers) + change[0].count(" o jed")
    if first is None or times is None or told != 3:  # noqa: PLR2004 - first, step, how many
        return None
    start, count = first[1] or first[2], times[1] or times[2]
    sign = "-" if (change[2] or change[4]).startswith(("mn", "kr")) else "+"
    by = change[1] or change[3]
    step = f"{sign} {'1' if by.startswith('jed') else by}"
    if sorted({start, by, count} - {"jedna", "jeden"}) != sorted(set(numbers)):
        return None
    if _IN_ALL.search(words):
        return f"summation({start} {step}*k, (k, 0, {int(count) - 1}))"
    is_last = re.search(r"\bostatni\w*", words)
    return f"{start} {step}*({count} - 1)" if is_last else None


def _read_first_to_third(words: str) -> str | None:
    """Read "pierwszego dnia złotówkę, drugiego dwie, trzeciego trzy i tak do trzydziestego"."""
    found = _FIRST_TO_THIRD.search(words)
    if found is None or not re.search(r"\b(?:il[eu]|razem|skoncz\w*|uzbiera\w*)\b", words):
        return None
    first, second, third = (Decimal(found[name] or 1) for name in ("first", "second", "third"))
    last = f"(k, 0, {int(found['count']) - 1})"
    if second - first == third - second:
        return f"summation({first} + {second - first}*k, {last})" if second > first else None
    ratio = second / first
    is_whole = ratio == int(ratio) and third == second * ratio
    return f"summation({first}*{int(ratio)}**k, {last})" if is_whole else None


def _read_series(words: str) -> str | None:
    """Read "1 + 2 + 3 + … + 50", "1 + 4 + 9 + … + 100"."""
    series, powers = _SERIES.search(words), _POWERS.search(words)
    return (series and _read_even_steps(series)) or (powers and _read_powers(powers))


def _read_even_steps(found: re.Match[str]) -> str | None:
    """Read terms that go up by the same."""
    first, second, last = int(found[1]), int(found[2]), int(found[4])
    step = second - first
    if step <= 0 or (last - first) % step or (found[3] and int(found[3]) - second != step):
        return None
    return f"summation({first} + {step}*k, (k, 0, {(last - first) // step}))"


def _read_powers(found: re.Match[str]) -> str | None:
    """Read "1^2 + 2^2 + … + 20^2" and "1 + 4 + 9 + … + 100"."""
    if above := found["above"]:
        is_run = {found["one"], found["two"]} <= {above, None} and found["second"] == "2"
        return f"summation(k**{above}, (k, 1, {found['last']}))" if is_run else None
    exponent = {"4": 2, "8": 3}.get(found["second"])
    if exponent is None:
        return None
    last = round(int(found["last"]) ** (1 / exponent))
    is_power = last**exponent == int(found["last"])
    return f"summation(k**{exponent}, (k, 1, {last}))" if is_power else None


def _sum_of_listed(words: str) -> str | None:
    """Read "ciąg 3, 6, 12, … suma ośmiu wyrazów"."""
    found = _SUM_OF_LISTED.search(words) or _LISTED_BEHIND_SUM.search(words)
    if found is None:
        return None
    terms = [int(term) for term in re.findall(r"-?\d+", found["terms"])]
    count, first = found["count"], signed(str(terms[0]))
    steps = {after - before for before, after in pairwise(terms)}
    if len(steps) == 1:
        return f"(2*{first} + ({count} - 1)*{signed(str(steps.pop()))})*{count}/2"
    if 0 in terms or len({Fraction(b, a) for a, b in pairwise(terms)}) > 1:
        return None
    ratio = f"({Fraction(terms[1], terms[0])})"
    return f"{first}*(1 - {ratio}**{count})/(1 - {ratio})"


def _sum_to_last(words: str) -> str | None:
    """Read "suma ciągu arytmetycznego 2, 5, 8, …, 50": all terms to the last."""
    found = _TO_LAST.search(words)
    if found is None:
        return None
    terms = [int(term.replace(" ", "")) for term in re.findall(r"-? ?\d+", found["terms"])]
    first, last, step = terms[0], int(found["last"].replace(" ", "")), terms[1] - terms[0]
    is_even = {after - before for before, after in pairwise(terms)} == {step}
    if not is_even or not step or (last - first) % step or (last - first) // step < len(terms):
        return None
    return f"({signed(str(first))} + {signed(str(last))})*{(last - first) // step + 1}/2"


def _read_listed(words: str) -> str | None:
    """Read "25 wyraz ciągu 3, 7, 11": the terms tell whether it is arithmetic or geometric."""
    found, behind = _LISTED.search(words), _LISTED_FIRST.search(words)
    at_place = _PLACE_OF_LISTED.search(words) or _LISTED_AT_PLACE.search(words)
    if found is not None:
        place, listed = found[1], found[2]
    elif behind is not None:
        place, listed = behind[2], behind[1]
    elif at_place is not None and not re.search(r"\bsum|\bsredni|\bmedian", words):
        place, listed = at_place["place"], at_place["terms"]
    else:
        return None
    terms = [int(term.replace(" ", "")) for term in re.findall(r"-? ?\d+", listed)]
    steps = {after - before for before, after in pairwise(terms)}
    if len(steps) == 1:
        return f"{terms[0]} + ({place} - 1)*{signed(str(steps.pop()))}"
    is_geometric = 0 not in terms and len({Fraction(b, a) for a, b in pairwise(terms)}) == 1
    return f"{terms[0]}*({Fraction(terms[1], terms[0])})**({place} - 1)" if is_geometric else None
