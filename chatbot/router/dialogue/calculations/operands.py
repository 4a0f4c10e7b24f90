"""What an operation that was asked about is done to: "którą liczbę mam rozłożyć?", "2520"."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import holds
from chatbot.router.dialogue.calculations.listing import several_of
from chatbot.router.dialogue.calculations.measures import noun_lemmas

_OF_FUNCTION = (
    (regex(r"\bdelt[aeęy]\b|\bwyroznik"), "delta", "("),
    (regex(r"\bpochodn|\brozniczk"), "pochodna", "diff("),
    (regex(r"\bcalk"), "całka z", "integrate("),
    (regex(r"\bgranic"), "granica", "limit("),
    (regex(r"\bczynnik|\brozloz|\brozklad"), "rozłóż na czynniki", "factor("),
    (regex(r"\buprosc|\buproszcz"), "uprość", "simplify("),
    (regex(r"\bmiejsc\w* zerow|\bpierwiastk"), "miejsca zerowe", "solve("),
)
_OF_NUMBER = (
    (regex(r"\bczynnik"), "factorint({})"),
    (regex(r"\bdzielniki\b|\bdzielnikow\b"), "divisors({})"),
    (regex(r"\bpierwsz\w+"), "isprime({})"),
    (regex(r"\bpierwiast\w+ (?:trzeciego|szescienn)"), "({})**Rational(1, 3)"),
    (regex(r"\bpierwiast"), "sqrt({})"),
    (regex(r"\bsilni"), "factorial({})"),
    (regex(r"\bszescian"), "({})**3"),
    (regex(r"\bkwadrat(?!ow)"), "({})**2"),
)
_OF_LIST = (
    (regex(r"\bnwd\b|najwieksz\w+ wspoln"), "gcd"),
    (regex(r"\bnww\b|najmniejsz\w+ wspoln"), "lcm"),
    (regex(r"\bmedian"), "median"),
    (regex(r"\bsredni"), "mean"),
    (regex(r"\bsum[aey]\b|\bzsumow|\bzsumuj|\bdoda[cj]|\bpodlicz|\brazem\b"), "+"),
    (regex(r"\biloczyn|\bpomnoz|\bwymnoz"), "*"),
)
_SHARED = regex(r"\bpodziel\w*|\bdziel\w*|\brat[aey]?\b|\browno\b|\bskladk\w*|\bna osobe\b")
_TAKEN_BACK = regex(r"[,.]? (?:nie|czekaj|znaczy|sorry|to znaczy|przepraszam)\b[, ]")
_OWN = regex(r"[-+*/^=]|\b(?:plus|minus|razy|procent|przez|z|ze|od)\b|%")
_OPERATED = regex(r"[+*/^=%(]|\d- ?\d|\d - \d")
_SPACED = regex(r"(?<![\d.,])\d+(?:[.,]\d+)?(?: \d+(?:[.,]\d+)?){1,40}(?![\d.,]*\d)")
_THOUSANDS = regex(r"(?:[1-9]\d{0,2}(?: \d{3})+(?:,\d+)?(?: |$))+")
_VARIABLE = regex(r"\b[xyt]\b|\d[xyt]\b|\b[xyt][²³]|\be\^")
_POWER = regex(r"(?:\d|[a-ząćęłńóśźż]) do (?=\d|[a-ząćęłńóśźż]+(?:ej|iej)\b)")
_MEASURE = regex(
    r"podstawa|wysokosc|bok|dlugosc|szerokosc|promien|srednica|krawedz|predkosc|czas|droga|masa|"
    r"cena|ilosc|kwota|procent|liczba|odleglosc|przyprostokatna|przekatna"
)
_ACCENTED = {
    "wysokosc": "wysokość", "dlugosc": "długość", "szerokosc": "szerokość", "promien": "promień",
    "srednica": "średnica", "krawedz": "krawędź", "predkosc": "prędkość", "ilosc": "ilość",
    "odleglosc": "odległość", "przyprostokatna": "przyprostokątna", "przekatna": "przekątna",
}  # fmt: skip
_HOW_MANY = regex(r"\b(?:ile|ilu|iloro)\b")
_GIVEN = regex(
    r"(?<![\w=])(?P<name>[a-z])\d? ?(?:=|:|to|wynosi|rown[aey](?: sie)?) ?"
    r"(?P<value>[-−]?\d+(?:[.,]\d+)?)(?: ?(?:km|cm|mm|dm|m|kg|h|s|min)(?:/[hs])?[²³]?(?! ?=))?"
    r"(?![\w/*^(])"
)
_JOINING = regex(r"(?:\W|\b(?:a|i|oraz|no|to|wiec|ok|niech|bedzie|tylko|prosze)\b)*")
_QUADRATIC = regex(r"\bdelt[aeęy]|\bwyroznik|\bkwadratow\w+|\btrojmian|\bwspolczynnik")
_COEFFICIENTS = ("a", "b", "c")
_BESIDES_ME = regex(r"^(?:na )?(?:mnie|ja) i \b|\bi (?:na )?(?:mnie|ja)\W*$")
_YEARS = frozenset({"lat", "rok"})
_TWO = 2


def operate(prompt: str, reply: str, text: str) -> str | None:
    """Do what prompt and reply name to the function, the number or the numbers of an answer."""
    asked_of, asked = (prompt, reply), fold_evenly(f"{prompt} {reply}")
    if "poteg" in asked and (power := _POWER.search(text)):
        text = f"{text[: power.end()]}potęgi {text[power.end() :]}"
        power_of = read_formula(text)
        return power_of.expression if power_of is not None and power_of.share == 1 else None
    if (measured := _with_given(asked_of, text)) is not None:
        return measured
    if _VARIABLE.search(text):
        return _on_function(asked, text)
    if any(pattern.search(asked) for pattern, _ in _OF_LIST):
        text = _apart(text)
    numbers = _meant(text)
    told = _shared_by(prompt, reply, numbers, text) or _labelled(asked_of, numbers, text)
    if told is not None:
        return told
    if len(numbers) == 1 and not _OWN.search(fold_evenly(text)):
        forms = (form for pattern, form in _OF_NUMBER if pattern.search(asked))
        form = next(forms, None)
        return None if form is None else form.format(numbers[0].text)
    return _on_list(asked, numbers, text) if len(numbers) >= _TWO else None


def _with_given(asked: tuple[str, str], text: str) -> str | None:
    """Read the question with the values that its quantities are given: "r=5 h=12"."""
    folded = fold_evenly(text)
    given = {one["name"]: one["value"] for one in _GIVEN.finditer(folded)}
    if not given or not _JOINING.fullmatch(_GIVEN.sub(" ", folded)):
        return None
    if (found := _of_coefficients(asked, given)) is not None:
        return found
    values = " i ".join(given.values())
    for said in (text, *(f"{label} {values}" for label in _labels(asked[1]))):
        read = read_formula(f"{asked[0].rstrip(' ?.!')} {said}")
        is_read = read is not None and not read.expression.startswith("solve")
        if read and is_read and all(holds(read.expression, one.value) for one in _meant(text)):
            return read.expression
    return None


def _of_coefficients(asked: tuple[str, str], given: Mapping[str, str]) -> str | None:
    """Do to a quadratic function what was asked, given its coefficients: "a=1 b=-5 c=6"."""
    about = fold_evenly(" ".join(asked))
    if tuple(given) != _COEFFICIENTS or not _QUADRATIC.search(about):
        return None
    a, b, c = (value.replace("−", "-") for value in given.values())
    signed = (one if one.startswith("-") else f"+{one}" for one in (b, c))
    function = "{}x^2{}x{}".format(a, *signed)
    done = _on_function(about, function)
    found = read_formula(f"{function} = 0") if done is None else None
    return found.expression if found is not None else done


def _on_function(asked: str, text: str) -> str | None:
    """Read the function with the operation named before it, and without what leads up to it."""
    for pattern, named, begins in _OF_FUNCTION:
        if not pattern.search(asked):
            continue
        for function in (text, re.split(r"[,:] ", text)[-1]):
            found = read_formula(f"{named} {function}")
            if found is not None and found.expression.startswith(begins) and found.share == 1:
                return found.expression
    return None


def _labelled(asked: tuple[str, str], numbers: Sequence[Amount], text: str) -> str | None:
    """Read bare numbers as what was asked for, in that order: "Podaj podstawę i wysokość."."""
    prompt, reply = asked
    labels = _labels(reply)
    words = re.findall(r"[a-z]{3,}", fold_evenly(text))
    if len(labels) != len(numbers) or len(numbers) < _TWO or words or _OWN.search(text):
        return None
    said = " ".join(
        f"{label} {text[one.start : one.end]}" for label, one in zip(labels, numbers, strict=True)
    )
    found = read_formula(f"{prompt.rstrip(' ?.!')} {said}")
    is_whole = found is not None and all(holds(found.expression, one.value) for one in numbers)
    return found.expression if found is not None and is_whole else None


def _labels(reply: str) -> list[str]:
    """The measures that a reply asks for, as they are called."""
    found = []
    for word in re.findall(r"[^\W\d_]{3,}", reply):
        lemma = next((one for one in noun_lemmas(word) if _MEASURE.fullmatch(one)), None)
        if lemma is not None:
            found.append(_ACCENTED.get(lemma, lemma))
    return found


def _apart(text: str) -> str:
    """Part numbers with nothing but spaces between them, unless they are thousands: "1 200"."""
    is_only = _SPACED.fullmatch(text.strip(" .")) is not None  # one number would be no list

    def parted(found: re.Match[str]) -> str:
        is_thousands = not is_only and _THOUSANDS.fullmatch(found[0]) is not None
        return found[0] if is_thousands else found[0].replace(" ", "; ")

    return _SPACED.sub(parted, text)


def _meant(text: str) -> Sequence[Amount]:
    """The numbers of an answer; one that is taken back at once makes room for the next."""
    numbers = list(read_amounts(text))
    folded = fold_evenly(text)
    for one, other in pairwise(numbers):
        if _TAKEN_BACK.search(folded[one.end : other.start]):
            numbers.remove(one)
    return numbers


def _on_list(asked: str, numbers: Sequence[Amount], text: str) -> str | None:
    if _SHARED.search(asked) and len(numbers) == _TWO:
        return _shared_out(asked, numbers)
    if _OPERATED.search(text):
        return None
    name = next((name for pattern, name in _OF_LIST if pattern.search(asked)), None)
    values = several_of(text) or [one.text for one in numbers]
    match name:
        case None:
            return None
        case "+" | "*":
            return f" {name} ".join(values)
        case "mean":
            return f"({' + '.join(values)})/{len(values)}"
        case _:
            return f"{name}({', '.join(values)})"


def _shared_by(prompt: str, reply: str, numbers: Sequence[Amount], text: str) -> str | None:
    """The amount of the prompt among so many, where we asked how many they are: "sześć"."""
    told = [one for one in read_amounts(prompt) if one.unit != "%"]
    is_asked = _SHARED.search(fold_evenly(prompt)) and _HOW_MANY.search(fold_evenly(reply))
    if not is_asked or len(told) != 1 or len(numbers) != 1 or _OWN.search(text):
        return None
    many = numbers[0].value + int(_BESIDES_ME.search(fold_evenly(text)) is not None)
    return f"{told[0].text}/{many}"


def _shared_out(asked: str, numbers: Sequence[Amount]) -> str | None:
    """An amount in equal parts: for so many people, in so many months."""
    people = next((one for one in numbers[::-1] if one.unit not in {"zl", "kg", "m"}), None)
    money = next((one for one in numbers if one is not people), None)
    if people is None or money is None:
        return None
    parts = f"({people.text}*12)" if "miesi" in asked and people.unit in _YEARS else people.text
    return f"{money.text}/{parts}"
