"""Say otherwise what the grammar has no words for: letters as spoken, roots, other bases."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from chatbot.language.literals import Guarded
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_Said = Callable[[re.Match[str]], str]

_TO_BASE = regex(r"\b(?:zapis|przedstaw|wyraz|zamien|przelicz)\w*(?: \w+){0,2} $")
_BASES = {"d": 2, "b": 2, "o": 8, "s": 16, "h": 16, "x": 16}
_BASE = r"(?P<base>dwojkow|binarn|bin\b|osemkow|oktaln|szesnastkow|hex|heksadecym)"

_IN_BASE = r"(?:(?P<adverb>)|(?:z|ze|w)(?: (?:zapis|system)\w*)? )"
_TO_TEN = r"(?: (?:na|do) (?:system\w* )?(?:dziesi\w+|dec))?\b"


def _positional(found: re.Match[str]) -> str:
    """Write the figures of another base as a sum: "101 dwójkowo" as (1*2^2+1*2^0)."""
    said = found.groupdict()
    base = _BASES[said.get("base", "b")[0].lower()]
    values = [int(digit, 36) for digit in found["digits"]]
    is_asked_for = said.get("adverb") is not None and _TO_BASE.search(found.string[: found.start()])
    if is_asked_for or max(values) >= base:
        return found[0]
    ranks = zip(values, reversed(range(len(values))), strict=True)
    terms = [f"{value}*{base}^{rank}" for value, rank in ranks if value]
    return f" ({'+'.join(terms) or 0}) "


def _lasting(found: re.Match[str]) -> str:
    """Write how long it lasts between two times of a day: "o 8:15 … o 11:45" as 7/2 hours."""
    start, end = (60 * int(found[at]) + int(found[at + 1]) for at in (2, 5))
    hours = Fraction((end - start) % (24 * 60), 60)
    is_short = 100 % hours.denominator == 0
    written = f"{float(hours):g}".replace(".", ",") if is_short else str(hours)
    return f"{found['verb']}{found['between']} po {written} godziny"


def _span(found: re.Match[str]) -> str:
    """Write how long it is from one time of a day to another: "od 8:30 do 16:15"."""
    start, end = (60 * int(found[at]) + int(found[at + 1]) for at in (2, 4))
    asked = f"{found[1]} {found[6]}"
    unit = "minut" if "minut" in asked else "godzin" if re.search("godzin|czasu", asked) else ""
    is_day = max(start, end) < 24 * 60 and start != end
    if not unit or not is_day or not re.search(r"\bil[eu]\b", asked):
        return found[0]
    return f"po {Fraction((end - start) % (24 * 60), 60)} godziny ile to {unit}"


def _days_of_month(found: re.Match[str]) -> str:
    """Write the days of a month in which something happens daily: "w czerwcu"."""
    days = next(days for stem, days in _MONTHS if found["month"].startswith(stem))
    return f"{found['before']}przez {days} dni"


def _listed(found: re.Match[str]) -> str:
    """Write commas between the numbers of a list: "98 112 105"."""
    numbers = found["numbers"]
    following = numbers.split(" ")[1:]
    is_one = "000" in following or (len(following) == _TWO and all(map(_THOUSANDS, following)))
    if is_one:
        return found[0]
    return f"{found['lead']}{numbers.replace(' ', '; ' if ',' in numbers else ', ')}"


def _mixed(found: re.Match[str]) -> str:
    """Write a mixed number as a fraction: "2 i 3/4"."""
    around = found.string[: found.start()], found.string[found.end() :]
    if around[0].endswith("z ") and around[1].startswith(" z "):
        return found[0]  # "3/4 z 60 i 2/3 z 60"
    whole, above, below = int(found[1]), int(found[2]), int(found[3])
    return f"{whole * below + above}/{below}"


def _raised(found: re.Match[str]) -> str:
    """Write an ordinal as an exponent: "1,08 do dwunastej"."""
    base = _BASES_NAMED.get(found["base"], found["base"])
    exponent = read_number(found["exponent"])
    is_whole = exponent is not None and exponent == int(exponent)
    return f"{base} do potęgi {int(exponent)}" if exponent is not None and is_whole else found[0]


def _lowered(found: re.Match[str]) -> str:
    """Write a negative exponent: "do potęgi minus trzeciej"."""
    exponent = read_number(found["exponent"])
    is_whole = exponent is not None and exponent == int(exponent)
    return f"{found['base']}^(-{int(exponent)})" if exponent is not None and is_whole else found[0]


def _logarithm(found: re.Match[str]) -> str:
    """Write the base of a logarithm behind a line: "log₂32"."""
    base = found[1].translate(_SUBSCRIPTS)
    return f"log_{base}({found[2]})"


def _coefficient(found: re.Match[str]) -> str:
    """Write a letter that is counted as a product: "sinusa dwóch iksów"."""
    count = read_number(found["count"])
    is_whole = count is not None and count == int(count)
    return f"{found['function']} ({int(count)}x) " if count is not None and is_whole else found[0]


def _differing(found: re.Match[str]) -> str:
    """Write how long a side is that is told by the one before: "12 cm, wysokość o 4 krótsza"."""
    one, other = read_number(found["one"]), read_number(found["other"])
    if one is None or other is None or isinstance(one, Fraction) or isinstance(other, Fraction):
        return found[0]
    is_less = found["shorter"].startswith(("krot", "mniej", "niz", "wez"))
    difference = -Decimal(other) if is_less else Decimal(other)
    length = str(Decimal(one) + difference).replace(".", ",")
    return f"{found['before']}{found['between']} {length}{found['unit'] or ''}"


def _in_kilograms(found: re.Match[str]) -> str:
    """Write a weight in the kilograms that its price is for: "30 dag … po 42 zł za kilo"."""
    share = 100 if found["unit"].startswith("d") else 1000
    return f"{Decimal(found['weight'].replace(',', '.')) / share} kg".replace(".", ",")


def _of_pi(found: re.Match[str]) -> str:
    """Write a part of π as an angle: "sinus z pi przez trzy"."""
    below = read_number(found["below"])
    return found[0] if below is None else f"{found['function']} (pi/{below})"


def _round(found: re.Match[str]) -> str:
    """Write millions with thousands as one number: "2 mln 300 tys."."""
    return str(int(found[1]) * 10**6 + int(found[2]) * 10**3)


_SIDES = (
    r"\b(?:bok|podstaw|wysokosc|szerokosc|dlugosc|krawedz|ramie|przyprostokatn|dluzsz|krotsz|drug)"
)
_LENGTH = r"(?: ?(?:mm|cm|dm|m|km|metr\w*|centymetr\w*)\b)?"
_DIFFERING = (
    rf"(?=.*{_SIDES}.*{_SIDES}|.*\b(?:prostokat|trojkat|romb|rownoleglobok|prostopadloscian))"
    rf"(?P<before>^.*?(?P<one>\d+(?:,\d+)?){_LENGTH})"
    rf"(?P<between>,? (?:(?:a|i|zas|natomiast) )?(?:{_SIDES[2:]}\w*)(?: bok\w*)?(?: jest)?)"
    rf"(?: (?:krotsz|mniejsz|nizsz)\w*)? o (?P<other>\d+(?:,\d+)?|[a-z]+)(?P<unit>{_LENGTH})"
    r" (?:od (?:niej|niego|podstawy) )?"
    r"(?P<shorter>krotsz|mniejsz|nizsz|wezsz|dluzsz|wieksz|wyzsz|szersz)\w*"
)
_BY_WEIGHT = (
    r"\b(?P<weight>\d+(?:,\d+)?) ?(?P<unit>dag|deko|dkg|gram\w*|g)\b"
    r"(?=[^?]*\b(?:po|za) \d+(?:,\d+)? ?(?:zl\w*|pln) (?:za )?(?:1 )?(?:kg|kilo\w*)\b)"
)
_OF_PI = (
    r"\b(?P<function>(?:co|ko)?sinus\w*|(?:co|ko)?tangens\w*|sin|cos|c?tg|tan) "
    r"(?:z |ze |od )?(?:pi|π) przez (?P<below>\w+)"
)
_ROUND = r"\b(\d{1,4}) (?:mln\b\.?|milion\w*)(?: i)? (\d{1,3}) (?:tys\b\.?|tysi\w+)"
_COMPLEX = (
    r"(?<![\d)*/+-])(?<![*/+-] )(\d+ ?[-+−] ?\d*i) "
    r"(razy|pomnozon\w+ przez|podzielon\w+ przez|przez) (\d+ ?[-+−] ?\d*i)\b"
)
_COMPLEX_PAIR = (
    r"\b(iloczyn|sum[aey]|roznic[aey]|iloraz)(?: liczb)?(?: zespolonych)? (\d+ ?[-+−] ?\d*i) "
    r"(?:i|oraz|przez) (\d+ ?[-+−] ?\d*i)\b"
)
_IN_POINT = (
    r"^(?!.*(?:pochodn|styczn|granic|rozniczk|taylor|'))(.*\bwartosc.*?[\dx)]) w punkcie "
    r"(?:x ?= ?)?(-?\d+(?:,\d+)?)"
)
_CLOCK = r"(\d{1,2})[:.](\d\d)(?!\d)"
_CLOCK_SPAN = (
    rf"^([^\d]*?)\b(?:od|z|miedzy|w godzinach)(?: godz\w*)? {_CLOCK}(?: do| a| i|[ –-]*)"
    rf"(?: godz\w*)? ?{_CLOCK}([^\d]*)$"
)
_POINT_FIRST = (
    r"\b((?:pochodn|granic)\w+) w (?:punkcie )?(?:x ?= ?)?"
    r"(-?\d+(?:,\d+)?|(?:minus |plus )?[a-z]{3,}) (?:z|ze|funkcji|dla)(?: funkcji)? "
    r"(\S[^?]*?)(?=[?.]*$)"
)
_FROM_CLOCK = (
    rf"\b(?P<verb>(?:wy(?:rusz|jech|jezdz|ply|lec|szed|sz)|start|odjech|odjezdz|rozpocz|zacz)\w*"
    rf"(?: [a-z]+){{0,3}}) o (?:godz\w* )?{_CLOCK}(?P<between>[^\d?]{{1,60}}?)"
    rf" o (?:godz\w* )?{_CLOCK}"
)
_MONTHS = (
    ("stycz", 31), ("marc", 31), ("kwie", 30), ("maj", 31), ("czerwc", 30), ("lip", 31),
    ("sierp", 31), ("wrzes", 30), ("pazdz", 31), ("listopad", 30), ("grud", 31),
)  # fmt: skip
_IN_MONTH = (
    r"(?=(?:.*\b(?:codzien|dzienn|kazdego dnia|co dzien))|.*(?:\bcodzien|\bdzienn))"
    r"(?P<before>^.*?\d.*?\b)(?:w|przez)(?: caly\w*)? (?P<month>stycz\w+|marc\w*|kwie\w+|maj\w?|"
    r"czerwc\w*|lip\w+|sierp\w+|wrzes\w+|pazdz\w+|listopad\w*|grud\w+)\b"
)
_FACTORIALS = (
    r"\b(\d+) silni\w* ((?:podziel\w*|dzielon\w+) (?:przez|na)|przez|razy|plus|minus|odjac|dodac)"
    r" (\d+) silni\w*"
)
_RAISED_FIRST = (
    r"^\W*((?:ile|policz|oblicz)?(?: (?:to|jest|wynosi|bedzie))*) ?(\d+) do (\d{1,2})"
    r"(?= (?:plus|minus|razy|dodac|odjac|podziel\w+)| ?[-+*·×])"
)
_SIZE_OF_MATRIX = (
    r"\b(macierz\w*|wyznacznik\w*)(?: kwadratow\w+)?(?: o wymiarach| wymiaru| stopnia)? "
    r"\d ?(?:x|×|na|\*) ?\d(?!\d|[.,]\d)"
)
_HAS = (
    r"\bjak\w{1,3} (?P<noun>rzad|wartosci wlasne|wyznacznik|slad|macierz odwrotn\w|silni\w|"
    r"pierwiast\w+(?: \w+)?) (?:ma|bedzie mial\w|posiada) "
    r"(?:tak\w+ |ta |ponizsz\w+ |nastepujac\w+ )?(?P<thing>macierz\w*|liczb\w)\b:?"
)
_OF_ALL = (
    r"(?P<head>\b(?:(?:granic|pochodn|calk)\w+ (?:z|ze|od)|ile to|oblicz|policz|wylicz) )"
    r"(?P<body>[^,;?]*?),? (?:(?:i|a) )?(?:to wszystko|wszystko to|wszystko razem|cala suma) "
    r"(?=przez|podzielon|dzielon|razy|do kwadratu|do potegi|do szescianu)"
)
_REMAINDER = (
    r"\breszt[aeęy] (?:daje|da|zostaje|zostanie|otrzymam\w*|ma|bedzie(?: miec)?|zostawia|wychodzi|"
    r"wyjdzie)(?: liczba)? (\d[\d^*+ ()-]*?),? (?:(?:przy|w|po) (?:dzieleniu|podzieleniu)|"
    r"podzielon\w+|dzielon\w+|gdy (?:ja )?(?:podziel\w+|dziel\w+)) (?:przez|na) "
)
_TERM_OF_PROPORTION = r"(\d+(?:,\d+)?|\d?[xyz])"
_PROPORTION = (
    rf"(?<![\w,:])(?=[^=]*=[^=]*$)(?=.*\b\d?[xyz]\b){_TERM_OF_PROPORTION} ?: ?"
    rf"{_TERM_OF_PROPORTION} ?= ?"
    rf"{_TERM_OF_PROPORTION} ?: ?{_TERM_OF_PROPORTION}(?![\w:])"
)
_WITHOUT = (
    r"\bbez (?:(?:uzyci\w+|liczeni\w+|rysowani\w+|pomocy|zadn\w+) )?"
    r"(?:delt[ya]|wyroznik\w*|wykres\w*|pochodn\w+|calk\w+|logarytm\w*|szkic\w*)"
    r"(?: krok po kroku)?\b"
)
_REMAINDER_ASKED = (
    r"\b(\d[\d^*+ ()-]*?) (?:po)?(?:dziel\w+|:|/) ?(?:sie )?(?:przez|na|przez liczbe)? ?(\d+)"
    r"(?:[ ,;–-]|(?:to )?(?:jaka|ile|podaj|oblicz|wynosi|jest|bedzie|zosta\w+))* reszt\w*\W*$"
)
_HALVED = (
    r"\b(?P<verb>(?:po|roz|prze)?dziel\w*(?: (?!reszt)[\w,]+){0,3}? na )(?:pol|polow[eyk]i?)\b"
    r"(?! (?:godz|litr|kil|metr|rok|minut|km|kg))"
)
_RECTANGLE = (
    r"(?<![x×*] )(?<![\dx×*,.])(\d+(?:[,.]\d+)?) ?(mm|cm|dm|m|km) ?[x×*] ?"
    r"(?=\d+(?:[,.]\d+)? ?\2\b(?! ?[x×*]))"
)
_COEFFICIENT = r"\b(?P<function>(?:co)?sinusa?|tangensa?) (?P<count>\w+) iks\w*"
_NUMBER = r"(?:\d+(?:,\d+)?|dwa|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|dziesiec)"
_ORDINAL = (
    r"(?:(?:dwudziest|trzydziest|czterdziest|piecdziesiat|szescdziesiat|setn)ej )?"
    r"(?:pierwsz|drugi|trzeci|czwart|piat|szost|siodm|osm|dziewiat|dziesiat|jedenast|dwunast|"
    r"trzynast|czternast|pietnast|szesnast|siedemnast|osiemnast|dziewietnast|dwudziest|"
    r"trzydziest|setn)ej"
)
_OVER_TEN = r"(?:\w+nast|dwudziest|trzydziest)ej"
_NAMED = "dwojka|trojka|czworka|piatka|szostka|siodemka|osemka|dziewiatka|dziesiatka"
_BASES_NAMED = {name: str(number) for number, name in enumerate(_NAMED.split("|"), 2)}
_THOUSANDS = regex(r"\d{3}").fullmatch
_TWO = 2
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_OF_LIST = r"\b(?:sredni|median|wariancj|odchyleni|rozstep|zsumuj|suma|sume)\w*"
_HOUR = r"(?! (?:godz|rano|wieczor|po poludniu|klas|minut|w nocy))"
_LIST = (
    rf"(?P<lead>{_OF_LIST}[^\d=]{{0,60}})"
    r"(?P<numbers>\d{1,4}(?:,\d+)?(?: \d{1,4}(?:,\d+)?){2,})(?![\d,]|\.\d)"
)
_MIXED = (
    r"(?<![\d.,/])(?<!\bsuma )(?<!\bsumy )(?<!\bsume )(?<!liczb )(?<!roznica )(?<!roznice )"
    r"(?<!iloczyn )(?<!miedzy )(?<!\bnwd )(?<!\bnww )"
    r"(\d{1,3}) i (\d{1,2})/(\d{1,2})(?![\d/,.]\d)"
)
_RAISED = (
    rf"(?:(?<=sze od )|(?<=sza od )|(?<=szy od )|(?<!od ))(?<!godz )(?<!o )"
    rf"\b(?P<base>\d+(?:,\d+)?|{_NAMED}|(?<!za ){_NUMBER}(?= do {_OVER_TEN})) "
    rf"do (?P<exponent>{_ORDINAL})"
    rf"(?: potegi)?\b{_HOUR}"
)
_LOWERED = (
    rf"(?<!od )\b(?P<base>{_NUMBER}) do (?:potegi )?minus "
    rf"(?P<exponent>{_ORDINAL}|{_NUMBER})\b"
)


_RULES: tuple[tuple[Guarded, str | _Said], ...] = tuple(
    (Guarded(pattern), said)
    for pattern, said in (
        (_LIST, _listed),
        (_DIFFERING, _differing),
        (_BY_WEIGHT, _in_kilograms),
        (_OF_PI, _of_pi),
        (r"\bcwierc miliona\b", "(1/4*1000000)"),
        (r"(?<=\bw )godzine i (?=kwadrans\b|\d+ min)", "1 h i "),
        (r"(?<=\d) i pol(?= (?:godz|minut|metr|km|kilo|litr|tys|mln|milion|[hml]\b|kg\b))", ",5"),
        (r"(?<![a-z\\])(a?(?:rc)?(?:sin|cos|c?tg|ctan|tan|cot|ln|log))(?=\d{0,2}[xyzt](?![a-z]))",
         r"\1 "),
        (_COEFFICIENT, _coefficient),
        (_FACTORIALS, r"\1! \2 \3!"),
        (r"\b(?<=\d )(?:percents?|pct)\b", "procent"),
        (_MIXED, _mixed),
        (_RAISED, _raised),
        (_LOWERED, _lowered),
        (r"\blog_?([₀-₉]+) ?(\d+(?:,\d+)?)(?![/\d,])", _logarithm),
        (r"\b(\d+|dwa|trzy|cztery|piec|dziesiec) do (?=(?:x|iksa|iks)\b)", r"\1^"),
        (r"(?<=\d)\s*x\s+i\s*gre[ck]\b|\bi ?gre[ck]\b", " y "),
        (r"\biks(?:a|em|ie)?\b", " x "),
        (r"(?<![\w)])\^([3-9])√", r" pierwiastek \1 stopnia z "),
        (r"∛", " pierwiastek 3 stopnia z "),
        (r"∜", " pierwiastek 4 stopnia z "),
        (r"\bmod ?\( ?(-?\d+) ?[,;] ?(\d+) ?\)", r"\1 mod \2"),
        (r"\[(?=[^\[\]]*[-+*/:·×])([^\[\];]*\([^\[\];]*)\](?!\s*[,\]])", r"(\1)"),
        (r"(?<=[\d)]) (?:podnios\w+|podnies\w+|do potegi podnies\w+) (?=do )", " "),
        (rf"\b(?P<digits>[0-9a-f]{{1,16}}) {_IN_BASE}{_BASE}\w*{_TO_TEN}", _positional),
        ((rf"\b(?<!zapisz )(?:liczb\w+ )?{_BASE}\w*:? "
          r"(?P<digits>[01]{2,16}|\d[0-9a-f]{1,9})\b"), _positional),
        (r"(?<![\w.,])(?P<digits>[01]{2,16}) ?(?:\(2\)|_\(?2\b\)?|₂)", _positional),
        (r"(?<![\w.])0(?P<base>[xb])(?P<digits>[0-9a-f]{1,16})\b", _positional),
        (r"\b(?:kopa|mendel|tuzin) ?= ?\d+", " "),
        (r",? ?\(?\b(?:kopa|mendel|tuzin) (?:to|ma) (?:sztuk )?\w+(?: jakby co)?\)?$", " "),
        (r"\bar[ck]us\w* sinus\w*", " arcsin "),
        (r"\bar[ck]us\w* [ck]osinus\w*", " arccos "),
        (r"\bar[ck]us\w* tangens\w*", " arctg "),
        (r"(?<=[\dπi)]) ?(?:rad|radian\w*) (?:w|na|to ile) stopni\w*", "*180/pi"),
        (r"(?<=\b(?:nww|nwd) )(?:\w+ )?liczb:? ?(?=\d)", " "),
        (r"(?<=\d (?:min|gr.) )\+ (?=\d)|(?<=\d min )\+ (?=\d)|(?<=\d zl )\+ (?=\d)", " oraz "),
        (r"\be do (\d*[a-z]) (?:do )?kwadrat\w*", r"e^(\1^2)"),
        (r"\be do (\d+[a-z])\b", r"e^(\1)"),
        (r"\be do minus (\d+[a-z])\b", r"e^(-\1)"),
        (r"\be do minus ([a-z]) (?:do )?kwadrat\w*", r"e^(-\1^2)"),
        (r"\be do minus ([a-z])\b", r"e^(-\1)"),
        (r"(?<=liczby zespolonej )[a-z] ?= ?(?=[-−\d(])", ""),
        (r"(?<=liczby )z ?= ?(?=[-−\d(])", ""),
        (r"✖️?|✕", "*"),
        (r"➗️?", ":"),
        (r"➕️?", "+"),
        (r"➖️?", "-"),
        (r"\bmynij\b", " minus "),
        (r"\bhipotenuz\w+", "przeciwprostokatna"),
        (r"\b(?:divided by)\b", " podzielone przez "),
        (r"\b(?:the )?(?:average|mean) (?:of |z )", " srednia z "),
        (r"\b(?:the )?(?:sum of|suma of)\b", " suma "),
        (r"\b(?:the )?derivative of\b", " pochodna z "),
        (r"\b(?:the )?integral of\b", " calka z "),
        (r"\b(?<=\d )(?:squared)\b", " do kwadratu "),
        (_FROM_CLOCK, _lasting),
        (_CLOCK_SPAN, _span),
        (_POINT_FIRST, r"\1 z \3 w punkcie \2"),
        (r"(?:\bpi|π) pol\b", "(pi/2)"),
        (r"(?<=[\s;,])([a-z]) ?× ?([a-z])(?= ?(?:=|\?|$))", r"iloczyn wektorowy \1 i \2"),
        (_SIZE_OF_MATRIX, r"\1"),
        (_HALVED, r"\g<verb>2"),
        (_RECTANGLE, r"\1 × "),
        (_HAS, r"\g<noun> \g<thing> "),
        (_OF_ALL, r"\g<head>(\g<body>) "),
        (_WITHOUT, " "),
        (_PROPORTION, r"(\1)/(\2) = (\3)/(\4)"),
        (r"^\W*z ?= ?(-?\d+(?:,\d+)? ?[-+−] ?\d*i)\W+(?:[a-z]+ ){0,3}\|z\|.*$", r"modul liczby \1"),
        (_REMAINDER, r"reszta z dzielenia \1 przez "),
        (_REMAINDER_ASKED, r"reszta z dzielenia \1 przez \2"),
        (_IN_POINT, r"\1 dla x = \2"),
        (_COMPLEX, r"(\1) \2 (\3)"),
        (_COMPLEX_PAIR, r"\1 (\2) oraz (\3)"),
        (_ROUND, _round),
        (r"\b(?:przed|spod) (?:znaku? )?pierwiast\w*:? ?(?=√|pierwiastek|sqrt)", " "),
        (_IN_MONTH, _days_of_month),
        (r"(?<!\\)\btimes\b", " razy "),
        (r"(?<=[a-z]) koma (?=[a-z])|(?<=\d) koma (?=\d)", " przecinek "),
        (r"(?<=%) (?:tip\w*|napiwk\w+|prowizji|rabatu|znizki|podatku|marzy) (?=(?:od|z) \d)", " "),
        (r"(?<=%) od (?:podstawy|kwoty|ceny|sumy|wartosci|pensji|rachunku) (?=\d)", " z "),
        (r"\bodejmij od (\d[\d ]*|miliona|tysiaca|stu) (?=\w)", r"od \1 odejmij "),
        (r"\b(?:policz |oblicz )?pochodn\w+ (?:z |funkcji )?[a-z]\(([a-z])\) ?= ?",
         r"pochodna po \1 z "),
        (r"(?<=z )minus (\d[\d,.]*)", r"(-\1)"),
        (r"(?<=[\d%] )of (?=\d)|\bprocent of\b", " procent z "),
        (r"\b(?:sqrt|square root|wurzel|pierw|pierwiast)\.? (?:of|aus|z)\b", " pierwiastek z "),
        (r"(?<=[\w)] )mal(?= [\d(])", " razy "),
        (r"(?<=\d )(?:percent|prozent|відсотк\w+) (?:of|von|від)\b", " procent z "),
        (r"(?<=\d )(?:мінус|минус)\b", "minus"),
        (r"(?<=\d )(?:плюс)\b", "plus"),
        (r"^\W*(?:ile|policz|oblicz)(?: (?:to|jest|wynosi|bedzie))* (\d+) do (\d{1,2})(?=\W*$)",
         r"ile to \1 do potegi \2"),
        (_RAISED_FIRST, r"\1 \2^\3"),
        (r"(?<=\d) do (\d+),? znaczy (\d+) do (\d+)(?=\W*$)", ", \\2 do potegi \\3"),
        (r"^\W*\* (\d[\d,.]*) (?:i|oraz) (\d)", r"\1 * \2"),
        (r"(?<=pierwiastek z )((?:[\da-z]\^?)+(?:[-+](?:[\da-z]\^?)+)+)(?=[\s?.!]|$)",
         r"(\1)"),
        (r"⌊([^⌊⌋]{1,30})⌋", r"floor(\1)"),
        (r"⌈([^⌈⌉]{1,30})⌉", r"ceil(\1)"),
        (r"(?<=[\d)] )(?:\d{1,3} )?\b(?:w calosci )?do kwadratu w nawiasie", r"do kwadratu"),
        (r"[?❓] ?= ?(?=[\d(])|(?<=\d) ?= ?❓", " "),
    )
)  # fmt: skip


def reword(text: str) -> str:
    """Return the text with every rule applied, found without regard to accents."""
    folded = fold_evenly(text)
    for pattern, said in _RULES:
        matches = list(pattern.finditer(folded))
        for found in reversed(matches):
            new = found.expand(said) if isinstance(said, str) else said(found)
            text = f"{text[: found.start()]}{new}{text[found.end() :]}"
        folded = fold_evenly(text) if matches else folded
    return text
