"""Steps of a calculation on the last result: "razy trzy", "dodaj 5, a potem podziel przez 2"."""

import re
from collections.abc import Iterator
from itertools import pairwise

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import (
    last_value,
    plain,
    read_figures,
    variable_of,
)
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_STAND_IN = "90210077"
_STANDS_IN = regex(rf"(?<!\d){_STAND_IN}(?!\d)")
IT = (
    r"(?:t(?:ego|en|ym|emu|ej|e|a|o) |otrzyman\w+ |uzyskan\w+ )?(?:liczbe|wynik\w*|"
    r"sum[aeyi]|kwot[aey]|roznic[aey]|"
    r"ulam(?:ek|ka|kiem|kowi)|iloczyn\w*|iloraz\w*|wartosc\w*)|tego|temu|tym|"
    r"to(?! jest| il[eu]\b| jak)|"
    r"t(?:a|e|ej) liczb[aey]|calosc|calosci|jego|niego|niej|nim|ja|go|ona|on|ono|stad|it|that|"
    r"the result"
)
_ANAPHORA = regex(rf"\b(?:{IT})\b")
_SHARERS = r"(?:dwoje|troje|czworo|\w+oro)\b"
_STEPS = regex(
    r",?\s*\b(?:(?:i|a) )?(?:potem|nastepnie|a na koniec|na koniec)\b\s*|"
    r",?\s*\bi (?=(?:ten )?wynik\b|(?:otrzyman|uzyskan)\w+ (?:liczb|wynik)\w*|"
    r"to,? co zostanie\b|to (?:pomnoz|podziel|dodaj|odejmij)\b|"
    rf"(?:(?:to|reszt[ae]|wszystko) )?(?:przez (?!pomylke|przypadek)|na {_SHARERS})|"
    r"(?:podziel|pomnoz|dodaj|odejmij|dolicz|rozwin|uprosc|rozloz|wez|podnies|wyciagnij)\b)|"
    r",\s*(?=wynik\b)"
)
OPERATIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "-",
        regex(
            r"\b(?:odejm\w*|odjac|odjal\w*|odlicz\w*|minus|pomniejsz\w*|zmniejsz\w*|subtract)\b|"
            r"(?<!\d)\s*[-−]\s*(?=\d)"
        ),
    ),
    (
        "+",
        regex(
            r"\b(?:dodaj|dodac|dodam|dolicz\w*|doloz|dorzuc|plus|powieksz\w*|zwieksz\w*|add)\b|\+"
        ),
    ),
    (
        "*",
        regex(r"\b(?:pomnoz\w*|mnozon\w*|przemnoz\w*|(?<!ile )razy|times|multiply)\b|[×*·]"),
    ),
    (
        "/",
        regex(
            r"^(?:\W*(?:a|i|to|teraz|potem|wynik|jeszcze|no)\b)*\W*przez\b|"
            r"\b(?:podziel\w*|dzielone|dziel(?!ni)\w{0,4}|na (?:osobe|glowe)|"
            r"(?=na \w+ (?:osob\w*|czesci|rown\w+|rat\w*|miesi\w+|"
            rf"os|dzieci|kawalk\w+)|na {_SHARERS})|divide\w*)\b|[÷:](?=\s*\d)"
        ),
    ),
)
SHARE = regex(r"(\d+(?:[.,]\d+)?)\s*(?:%|proc\w*)")
_SIGNS = dict(OPERATIONS)
_UNARY: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "7*({})",
        regex(r"\b(?:przez|na) (?:caly |jeden )?tydzien\b|\btygodniowo\b|\bw tygodniu\b"),
    ),
    ("2*({})", regex(r"\btam i z powrotem\b|\bw (?:obie|dwie) strony\b|\bz powrotem\b")),
    ("-({})", regex(r"\b(?:zmien|odwroc)\w* znak\w*|\bprzeciwn\w+ (?:liczb|wartosc)\w*")),
    ("Abs({})", regex(r"\bwartosc\w* bezwzgledn\w*|\bmodul (?:z )?(?:tego|wyniku)")),
    ("1/({})", regex(r"\bodwrotnosc\w*")),
    ("isprime({})", regex(r"\bliczb[aą] pierwsz\w+|\bpierwsza\W*$")),
    ("factorint({})", regex(r"\bczynnik\w*")),
    (
        "sqrt({})",
        regex(
            r"(?<!szy )(?<!tych )\bpierwiast\w+\b(?! (?:\w+ stopnia|szescienn))|√|\bsquare root\b"
        ),
    ),
    ("({})**Rational(1, 3)", regex(r"\bpierwiast\w+ (?:trzeciego stopnia|szescienn\w+)")),
    (
        "({})**2",
        regex(
            r"(?<!pola )(?<!pole )(?<!bok )(?<!boku )(?<!przekatna )(?<!obwod )"
            r"\bkwadrat(?!ow)\w*(?! o )|\bpoteg\w+ drug\w+|\bdrug\w+ poteg\w+|\bsquared?\b"
        ),
    ),
    ("({})**3", regex(r"\bszescian(?!n)\w*")),
    ("({})/2", regex(r"\b(?:polow[aeęy]|na pol|na polowe|po polowie)\b")),
    ("({})/4", regex(r"\b(?:cwiartk[aeęi]|cwierc)\b(?! \w+n)")),
    ("2*({})", regex(r"\b(?:podwoj\w*|dwukrotn\w+|dwa razy (?:tyle|wiecej))\b")),
    ("3*({})", regex(r"\b(?:potroj\w*|trzykrotn\w+)\b")),
    (
        "12*({})",
        regex(r"\b(?:w skali roku|rocznie|na rok(?! dluz| kroc)|przez (?:caly )?rok|za rok)\b"),
    ),
    ("factorial({})", regex(r"\bsilni(?:a|e|i)?\b")),
)
_CALCULUS = (
    ("diff({}, {})", regex(r"\b(?:zroznicz\w*|pochodn\w+)\b")),
    ("integrate({}, {})", regex(r"\b(?:scalkuj\w*|calk[aeęi]\w*)\b")),
    ("simplify({})", regex(r"\buprosc\w*\b")),
    ("expand({})", regex(r"\b(?:rozwin\w*|wymnoz\w*)\b")),
    ("factor({})", regex(r"\brozloz\w*\b")),
)
_NOISE = regex(
    r"\b(?:wyciagnij|podnies|policz|oblicz|wynik|rown\w+|rat\w*|miesi\w+|od|"
    r"do(?! (?:kwadratu|szescianu|potegi|\w+ej)\b)|przez|na|z|o|no|"
    r"i|a|teraz|jeszcze|yyy|eee|mi|prosze|potem|wiec|co zostanie|ile|"
    r"bedzie|wyjdzie|to)\b|\$"
)
_HALVES = regex(r"\bna pol\b|\bpo polowie\b|\bo polowe\b|\brazy (?:tyle|wiecej)\b")
_BY_SHARE = regex(
    r"\bo (\d+(?:[.,]\d+)?) ?(?:%|proc\w*) (wiecej|mniej|drozej|taniej|drozsz\w+|tansz\w+|"
    r"wyzsz\w+|nizsz\w+|dluzsz\w+|krotsz\w+)"
)
_BY_ITSELF = regex(r"\b(?:mnoz\w*|razy) (?:\w+ )?(?:przez )?(?:siebie|sieb\w+|sama siebie)\b|"
                        r"mnoz\w* (?:\w+ )?przez sieb\w+")  # fmt: skip
_OWN_FUNCTION = regex(
    r"\b(?:silni|pierwiast|logarytm|sinus|cosinus|kwadrat|szescian|iloczyn|iloraz|polow|cwierc)"
    r"\w* (?!tego|wyniku)|\bsum[aeęy] (?!tego|wyniku)|\d+!"
)
_TO_OWN = regex(r"^\w* (?:(?:od|do|przez|o|tego|niego|wyniku|to|go|ja|wynik|jeszcze|teraz|mi) )*$")
_ASKS_AFTER = regex(r"(?<=[\w!]), (?:to )?(?:i )?(?:ile|jaki\w*|co) (?:\w+ ?){0,3}\W*$")
_RAISED = regex(r"\b(\w+) do $")
_DEGREE = regex(r"\bpierwiast\w+ (?:arytmetyczn\w+ )?(\w+) stopnia\b")
_OPERAND_NEXT = regex(r"\b(?:przez|od|razy|plus|minus) $")
_INNER = regex(r"^(?:diff|integrate)\((.*), [a-z]\)$")
_SAME_FUNCTION = regex(r"\b(?:tej samej|tej) funkcji\b")
_RESULT = regex(
    r"\b(?:wynik\w*|tego|temu|tym|te\w? (?:sum|liczb|kwot|roznic|wartosc)\w*|co zostanie|"
    r"the result|(?:podziel|pomnoz|dodaj|odejmij|skroc) (?:mi )?to|"
    r"to (?:teraz |jeszcze )?(?:podziel|pomnoz|dodaj|odejmij|skroc)(?:ic|yc|)|od tego|do tego)\b"
)
_FIGURES = regex(r"\d+(?:\.\d+)?")
_APPLIED = regex(r"^\w+\(")
_OF_ITS_OWN = regex(r"\w\s*=\s*[\w?]|[\\$]")
_PROVES = regex(r"\b(?:udowodnij|wykaz|uzasadnij|liczb[aeęy])\b|√\d")
_CORRECTS = regex(
    r"\b(?:oba|obie|obu|jednak|mialo byc|powinno byc|pomylk\w*|pomylil\w*|czekaj|"
    r"wroc(?:my|cie)?|kata|katow)\b(?! (?:odejm|dodaj))"
)
_BY_PART = regex(
    r"\bo (?:(?P<half>polowe\b)|(?P<part>(?:jedn\w+|dwie|trzy|cztery|cwierc)\b(?! ?\d)(?!,).*))"
)
_OWN_PART = regex(r"\b(?:polow[eęa]|cwiartk[eęa]|cwierc)(?: tego| wyniku)?\W*$")
_FACTORIAL = regex(r"\d! *$")
_WHOLE = 0.9
_SHARES_OUT = regex(r"\brozloz\w* .*\bna (?!czynnik|mnoznik|iloczyn)")
_LEADS = regex(
    r"^(?:(?:a|i|to|no|teraz|jeszcze|potem|ok|dobra|super|dzieki|swietnie|y+|e+|hm+)[ ,!.]+)*"
    r"(?:podziel|pomnoz|przemnoz|razy|plus|minus|odejmij|dodaj|"
    r"dolicz) (?:(?:to|wynik|go|ja|tam|do tego|do wyniku|jeszcze) )*(?:przez )?(?=\S)"
)
_NO_VALUES = ("factorint(", "divisors(", "isprime(", "solve(")
_FEW, _FEW_AFTER_ORDER = 8, 12  # words
_COMMAND = regex(
    r"(?:(?:a|i|to|no|teraz|jeszcze|potem|ok|dobra|super|wynik)[ ,]+)*"
    r"(?:dodaj|odejmij|dolicz|(?:po|prze)mnoz|podziel)(?: (?:to|wynik|go|do tego|od tego|jeszcze|"
    r"do wyniku|od wyniku|teraz))*(?: przez)? (?=\S+(?: zl\w*)?\W*$)"
)
_SAID_OF_IT = regex(
    r"\b(?:pierwiast|kwadrat|szescian|odwrotnosc|silni|polow|cwierc|cwiartk)\w*"
    r"(?: (?:z|od|do|na) | )?(?:tego|(?:tego |z )?wyniku|tej (?:liczby|sumy|kwoty))\b|"
    r"\b(?:tego|wynik\w*|to|tej liczby) (?:\w+ )?do (?:kwadratu|szescianu)\b|"
    r"\bwynik\w* do (?:kwadratu|szescianu)\b"
)


def chain(scene: Scene) -> str | None:
    """Apply the steps of a prompt one after the other."""
    value = last_value(scene.state)
    if value is None or value.startswith(_NO_VALUES):
        return None
    steps = [step for step in _split(scene) if step.strip(" ,.?!")]
    if _is_whole(scene) or _CORRECTS.search(scene.folded):
        return None
    is_meant = _ANAPHORA.search(scene.folded) is not None
    if _OF_ITS_OWN.search(scene.text) and not _RESULT.search(scene.folded):
        return None
    if not is_meant and not (scene.is_active(MATHEMATICS) and _begins_with_step(scene)):
        return None
    for each in steps:
        found = step(each, value)
        if found is None:
            return None
        value = found
    return value


def _split(scene: Scene) -> Iterator[str]:
    """The steps of a prompt as it is written."""
    start = 0
    for found in _STEPS.finditer(scene.folded):
        yield scene.text[start : found.start()]
        start = found.end()
    yield scene.text[start:]


def _is_whole(scene: Scene) -> bool:
    """Whether the prompt has a formula of its own, and no word that means the last result."""
    if _RESULT.search(scene.folded):
        return False
    if (leads := _LEADS.match(scene.folded)) is not None:
        own, operand = read_formula(scene.text), read_formula(scene.text[leads.end() :])
        if own is not None and operand is not None and own.expression == operand.expression:
            return False
        if read_formula(next(_split(scene))) is None:  # "podziel na pół, a potem dolicz VAT 23%"
            return False
    if read_formula(scene.text) is None:
        return False
    found = [str(one.arguments.get("expression", "")) for one in scene.detected(MATHEMATICS)]
    return any(len(_FIGURES.findall(one)) > 1 or _APPLIED.search(one) for one in found)


def _begins_with_step(scene: Scene) -> bool:
    """Whether a short prompt is an operation that lacks what it is to be done to."""
    is_led = _LEADS.match(scene.folded) is not None
    most = _FEW_AFTER_ORDER if is_led else _FEW
    if scene.size > most or (_PROVES.search(scene.folded) and not is_led):
        return False
    if any(pattern.search(scene.folded) for _, pattern in _CALCULUS):
        return not any("expression" in one.arguments for one in scene.detected(MATHEMATICS))
    named = (_BY_SHARE, _DEGREE, *(pattern for _, pattern in (*OPERATIONS, *_UNARY)))
    return any(pattern.search(scene.folded) for pattern in named)


def is_said_of_it(scene: Scene) -> bool:
    """Whether a prompt says itself what is done to the result: "do kwadratu to", "dodaj 10"."""
    amounts = read_amounts(scene.text)
    if not amounts:
        said = _SAID_OF_IT.search(scene.folded) or _BY_ITSELF.search(scene.folded)
        return said is not None
    told = _COMMAND.match(scene.folded)
    is_plain = len(amounts) == 1 and amounts[0].unit in {"", "zl"}
    return told is not None and is_plain and told.end() <= amounts[0].start


def step(text: str, value: str) -> str | None:
    """Apply one step, or the operations that follow each other in it ("do kwadratu minus 6")."""
    pieces = _pieces(text)
    for piece in pieces if len(pieces) > 1 else ():
        found = _one_step(piece, value)
        if found is None:
            break
        value = found
    else:
        return value if len(pieces) > 1 else _one_step(text, value)
    return None


def _pieces(text: str) -> list[str]:
    """Cut a step before each further operation; the same one said twice is one."""
    folded = fold_evenly(text)
    named = [*OPERATIONS, *_UNARY]
    found = sorted(
        (one.start(), sign) for sign, pattern in named for one in pattern.finditer(folded)
    )
    cuts = [
        at
        for (before, sign), (at, other) in pairwise(found)
        if sign != other
        and at > before
        and not _HALVES.search(folded)
        and not _OWN_PART.search(folded)
        and not _OPERAND_NEXT.search(folded[:at])
        and not _is_operand(folded, before, at)
        and not (at > found[0][0] and _is_raised(text[:at]))
    ]
    bounds = [0, *cuts, len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def _is_operand(folded: str, before: int, at: int) -> bool:
    """Whether what is named at a place is done to an operand's own number: "dodaj kwadrat 7"."""
    own = _OWN_FUNCTION.match(folded[at:])
    is_next = _TO_OWN.match(folded[before:at]) is not None
    return is_next and own is not None and read_formula(folded[at:]) is not None


def _is_raised(before: str) -> bool:
    """Whether it is the number just named that is raised to a power: "plus 7 do kwadratu"."""
    found = _RAISED.search(fold_evenly(before))
    return found is not None and read_number(before[found.start(1) : found.end(1)]) is not None


def _one_step(text: str, value: str) -> str | None:
    folded = fold_evenly(text)
    if (change := _BY_SHARE.search(folded)) is not None:
        sign = "+" if change[2].startswith(("wiec", "droz", "wyz", "dluz")) else "-"
        return f"({value})*(100 {sign} {plain(change[1])})/100"
    if _BY_ITSELF.search(folded):
        return f"({value})**2"
    for operator, pattern in OPERATIONS:
        if not _HALVES.search(folded) and (found := pattern.search(folded)) is not None:
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return _operate(operator, rest, value)
    return _unary(text, value)


def _unary(text: str, value: str) -> str | None:
    folded = fold_evenly(text)
    it = _ANAPHORA.search(folded)
    for form, pattern in _CALCULUS:
        if pattern.search(folded) and (variable := variable_of(value)):
            of = _INNER.match(value) if _SAME_FUNCTION.search(folded) else None
            return form.format(of[1] if of else value, variable)
    if (share := SHARE.search(folded)) is not None and it and share.end() <= it.start():
        return f"({value})*{plain(share[1])}/100"
    for form, pattern in _UNARY:
        if pattern.search(folded):
            return form.format(value)
    if (degree := _DEGREE.search(folded)) is not None:
        said = text[degree.start(1) : degree.end(1)]
        root = read_formula(f"pierwiastek {said} stopnia z {_STAND_IN}")
        return None if root is None else _filled(root.expression, value)
    return None if it is None else _rewritten(text, it, value)


def _operate(operator: str, rest: str, value: str) -> str | None:
    rest = _SIGNS[operator].sub(" ", rest)
    if (asks := _ASKS_AFTER.search(fold_evenly(rest))) is not None:
        rest = rest[: asks.start()]
    folded = fold_evenly(rest)
    if operator in "+-" and (part := _part_of_itself(rest)) is not None:
        return f"({value})*(1 {operator} {part})"
    bare = _ANAPHORA.sub(lambda found: " " * len(found[0]), folded)
    bare = _NOISE.sub(lambda found: " " * len(found[0]), bare)
    operand = "".join(a if b != " " else " " for a, b in zip(rest, bare, strict=True))
    operand = operand.strip(
        " ,.?" if "factorial" in value and _FACTORIAL.search(operand) else " ,.?!"
    )
    formula = read_formula(f"{_STAND_IN} {operator} {operand}")
    if formula is not None and formula.expression.startswith(_STAND_IN) and formula.share > _WHOLE:
        return _filled(formula.expression, value)
    own = _OWN_FUNCTION.search(fold_evenly(rest))
    alone = read_formula(rest[own.start() :].rstrip(" .?")) if own else None
    if alone is not None and alone.share == 1:
        return f"({value}) {operator} ({alone.expression})"
    figures = read_figures(operand)
    if len(figures) == 1:
        return f"({value}) {operator} ({figures[0]})"
    number = read_number(operand)
    found = str(number) if number is not None else _read_alone(operand, rest)
    return f"({value}) {operator} ({found})" if found is not None else None


def _read_alone(operand: str, rest: str) -> str | None:
    """An operand that is a formula, or the one amount among other words."""
    if (alone := read_formula(operand)) is not None:
        return alone.expression
    amounts = read_amounts(rest)
    return amounts[0].text if len(amounts) == 1 else None


def _part_of_itself(rest: str) -> str | None:
    """The part by which something grows or falls: "o 20 %", "o jedną czwartą", "o połowę"."""
    if (share := SHARE.search(fold_evenly(rest))) is not None:
        return f"{plain(share[1])}/100"
    if (own := _OWN_PART.search(fold_evenly(rest))) is not None:
        return "Rational(1, 4)" if own[0].startswith("cw") else "Rational(1, 2)"
    found = _BY_PART.search(fold_evenly(rest))
    if found is None:
        return None
    if found["half"]:
        return "Rational(1, 2)"
    amounts = read_amounts(rest[found.start("part") :])
    is_part = len(amounts) == 1 and 0 < amounts[0].value < 1
    return amounts[0].text if is_part else None


def _rewritten(text: str, it: re.Match[str], value: str) -> str | None:
    """Read the prompt with a number in the place of the pronoun."""
    formula = read_formula(f"{text[: it.start()]}{_STAND_IN}{text[it.end() :]}")
    if (
        _SHARES_OUT.search(fold_evenly(text))
        or formula is None
        or not _STANDS_IN.search(formula.expression)
        or formula.expression == _STAND_IN
    ):
        return None
    return _filled(formula.expression, value)


def _filled(expression: str, value: str) -> str:
    in_fraction = re.sub(rf"Rational\(([^(),]+), {_STAND_IN}\)", rf"(\1)/{_STAND_IN}", expression)
    in_fraction = re.sub(rf"Rational\({_STAND_IN}, ([^(),]+)\)", rf"{_STAND_IN}/(\1)", in_fraction)
    return in_fraction.replace(_STAND_IN, f"({value})")
