"""Say as a formula what a sentence tells of numbers: "jaka liczba do czwartej daje 81"."""

import re
from collections.abc import Callable
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_LONGEST = 160
"""A longer text may tell more than the one sentence that would stand for all of it."""
_NAMED = ("zer", "jedynk", "dwojk", "trojk", "czwork", "piatk", "szostk", "siodemk", "osemk",
          "dziewiatk", "dziesiatk")  # fmt: skip
"""What nought to ten are called as things: "minus dwójka"."""

_N = r"\d{1,3}(?: \d{3})+|\d+"
_PRIME = r"(?:liczb|czynnik)\w* (?:(?:bedac|ktore)\w* )?pierwsz\w+"
_WRITTEN = r"(?:przedstaw|zapis|wyraz|rozpis|rozbi[jc]|rozloz|rozlozy|podaj|pokaz)"
_PRIME_PRODUCT = (
    rf"(?:\b{_WRITTEN}\w* )?(?:mi )?(?:liczbe )?(?<![\d,.])(?P<n>{_N}) (?:{_WRITTEN}\w* )?(?:mi )?"
    rf"(?:jako|na|w (?:postaci|formie)|za pomoca) iloczyn\w* (?:poteg\w* )?{_PRIME}"
)
_OF_PRIMES = (
    rf"\b(?:z jakich {_PRIME} (?:sklada sie|jest (?:z?budowan|zlozon)\w+|powstaje)|"
    rf"iloczynem jakich {_PRIME} jest)(?: liczba)? (?P<n>{_N})"
)
_ONE, _ITSELF = r"(?:1|jed(?:en|nosc\w*|yn\w+))\b", r"(?:sob[aie]|siebie|sama)\b"
_NO_DIVISOR = (
    rf"(?P<n>(?:{_N})) (?=[^.?!]*\b(?:po)?dziel)(?:nie )?(?:ma|posiada|dziel\w*)\b[^.?!\d]*?"
    rf"\b(?:o?procz|poza|tylko|wylacznie|jedynie|inn\w+ niz) (?:przez )?(?:sam\w+ )?"
    rf"(?:{_ONE}[^.?!,]{{0,20}}?{_ITSELF}|{_ITSELF}[^.?!,]{{0,20}}?{_ONE})(?: sam\w+)?"
)
_ORDER = (
    r"(?P<order>kwadratu|szescianu|(?:drugi|trzeci|czwart|piat|szost|siodm|osm|dziewiat|"
    r"dziesiat)ej)"
)
_GIVES = (
    r"(?:,? ?(?:(?:zeby|aby|by) )?(?:(?:mi|sie|nam|to|wtedy) )*(?:da(?:je|l[oa])?|wyszlo|wychodzi|"
    r"wyjdzie|rowna sie|jest rown\w+|wynosi|wynioslo|wyniesie|otrzymac|"
    r"dostac|uzyskac|dostane|otrzymam|bylo|"
    r"(?:przyjmuje|ma|osiaga) wartosc|to|=))"
    r"(?: (?:nam|mi|dokladnie|rowno))* "
)
_ROOT = (
    r"\b(?:(?:jak|ktor)\w+ (?:\w+ )?liczb\w+(?: \w+)?|liczb\w+(?: \w+)? ?, ktor\w+|"
    r"liczb\w+(?= podniesion)|co|ile) (?:to )?"
    r"(?:trzeba |nalezy |mozna |musze |mam )?(?:podnies\w+|podniesion\w+)?"
    rf"(?: ?do| w) (?:potegi )?{_ORDER}(?: potegi)?{_GIVES}(?P<n>{_N})(?![\d,.]\d| ?[-+*/^x])"
)
_ROOT_OF_POWER = (
    rf"\bliczb\w+ ?,? ktorej (?:(?P<order>(?:trzeci|czwart|piat|szost|siodm|osm)a) potega|szescian)"
    rf"{_GIVES}(?P<n>{_N})(?![\d,.]\d)"
)
_DIVIDED = (
    r"(?<![\d,.])(?P<n>\d[\d^*+ ()-]*?) (?:sie )?(?:po)?dziel\w* ?(?:sie )?przez (?P<by>\w+)|"
    r"\b(?:po)?dziel\w* (?:liczbe )?(?P<m>\d[\d^*+ ()-]*?) przez (?P<at>\w+)"
)
_PULLED_OUT = (
    r"\b(?:wyciag|wyjm|wylacz)\w* z (?P<body>[^,;?=]*?[a-z][^,;?=]*?),? (?:wszystko,? )?co sie da\b"
    r"(?:,? (?:i|a potem) zapis\w* (?:to )?(?:jako|w postaci) iloczyn\w*(?: nawias\w*)?)?"
)
_DEGREES = (
    r"\bile (?:to )?stopni (?:to|ma|jest|wynosi) (?P<angle>[\dπ][\dπpi/ *]*?) ?(?:rad|radian\w*)\b"
)
_AND_ITS = (
    r"\b(?P<head>sum|roznic|iloczyn)\w* (?:liczby )?(?P<n>\d+(?:,\d+)?) (?:i|oraz) (?:jej|swo\w+) "
    r"(?P<part>polow\w+|kwadratu|szescianu|odwrotnosci|pierwiastka(?: kwadratowego)?)"
)
_ROOT_OF_ORDER = (
    r"\b(?P<order>trzeci|czwart|piat|szost|siodm|osm)[yai]?(?:ego)? pierwiast\w+ z(?= liczby| \d)"
)
_FROM_START = r" od (?:poczatku|srodka)(?: (?:ukladu(?: wspolrzednych)?|osi))\b"
_REMAINDER = Guarded(
    r"\b(?:ile|co|jaka)\b[^.?!\d]{0,25}\breszt\w*|\breszt\w* (?:zosta|wychodz|wyjdzie)\w*"
)
_MONEY = regex(r"\b(?:zl\w*|pln|gr\w*|banknot\w*|place|zaplac\w*|dal\w*)\b|:")
_UNKNOWN = regex(r"(?<![a-z])(?:[xy]|(?<=\d)z)(?![a-z])")  # "z" alone is a preposition
_VALUE = r"(?P<value>(?:(?:minus |[-−–] ?)?(?:\d+(?:,\d+)?|[a-z]{3,})))"
_IN_PLACE = (
    r",? ?\b(?:(?:jak|jesli|jezeli|gdy|kiedy)\b )?(?P<first>(?:podstaw|wstaw)\w* )?(?:mi )?"
    r"(?:za|pod|w miejsce|zamiast) (?P<letter>[a-z]) "
    r"(?P<second>(?:podstaw|wstaw)\w* |da(?:m|my|je) )?(?:liczbe )?"
    rf"{_VALUE}(?P<end>[,:]? (?:i|to|a potem) (?:policz|oblicz|podaj|ile)\w*)?"
)
_PUT_IN = rf"\b(?:podstaw|wstaw)\w* (?P<letter>[a-z]) (?:= ?|rown\w+ ){_VALUE} (?:do|w) (?=\S)"
_BECOMES = (
    r",? ?\b(?:no )?(?:i )?(?:to )?(?:ma (?:(?:sie )?rown\w+|byc rown\w+|wyjsc|wynosic|wyniesc|"
    r"da(?:c|wac))|(?:sie|jest) rown\w+|rowna sie|da(?= zero| -?\d)|daje|"
    r"wychodzi(?: z tego)?|wyszlo(?: mi)?) "
    r"(?P<right>(?:minus |[-−–] ?)?(?:\d+(?:,\d+)?|[a-z]{3,}(?: [a-z]{3,})?))"
    r"(?=\s*(?:[.,;?!]|$)|\s(?:no|i|ile|podaj|jaki\w*|znajdz|to|policz)\b)"
)
_MEETS = r"(?=.*\b(?:przeci[ne]|przetn|trafia|tnie|spotyka))(?=.*\bo(?:s|si|sia) "
_GRAPH = (
    r".*?\b(?:(?:y|[fgh] ?\(x\)) ?= ?|(?:parabol|funkcj|prost|wykres|krzyw)\w+ )"
    r"(?P<body>(?:[^,;?=]|,(?=\d))*?(?<![a-z])x(?:[^,;?=]|,(?=\d))*?)"
    r"(?= (?:przeci|przetn|trafia|tnie|z os|spotyka|(?:sie )?zeruje)|,(?!\d)|[;?]|\.(?!\d)|$).*$"
)
_CROSSING = (
    rf"(?:{_MEETS}(?:[o0]?x(?:-?ow)?|iksow|odcietych|pozioma)\b)|(?=.*\bzeruje sie\b)){_GRAPH}"
)
_CROSSING_UPRIGHT = rf"{_MEETS}(?:[o0]?y(?:-?ow)?|igrekow|rzednych|pionowa)\b){_GRAPH}"
_SUCH_THAT = (
    r"\b(?:(?:ile|jak\w+|czym)(?: (?:musi|musialoby|ma|powinno|to|trzeba|nalezy|mam))*"
    r"(?: (?:byc|wynosic|wziac|wybrac|podstawic))? (?P<letter>[a-z])\b"
    r"(?: (?:musi|trzeba|nalezy|mam)(?: (?:byc|wziac|wybrac|podstawic|wstawic))?)?,? "
    r"(?:(?:zeby|aby|by) )?|"
    r"(?:dla|przy) (?:jaki|ktor|il)\w+ (?:wartosci )?(?P<at>[a-z])\b,? )"
    r"(?:(?:liczba|wyrazenie|wartosc) )?"
    rf"(?P<body>[^,;?=]*?\d[^,;?=]*?|[^,;?=]*?[-+*^/][^,;?=]*?)(?: rown\w+)?{_GIVES}(?:rown\w+ )?"
    rf"(?P<n>{_N})(?![\d,.]\d| ?[-+*^/])"
)


def _as_number(said: str) -> str | None:
    """The figures of a number that is said: "minus dwójka", "dwadzieścia dwa", "-20"."""
    sign = "-" if re.match(r"minus |[-−–]", said) else ""
    bare = re.sub(r"^(?:minus |[-−–] ?)", "", said).strip()
    if bare[:1].isdigit():
        return sign + bare
    named = next((at for at, stem in enumerate(_NAMED) if bare.startswith(stem)), None)
    value = named if named is not None else read_number(bare)
    return None if value is None or value != int(value) else f"{sign}{int(value)}"


def _root(found: re.Match[str]) -> str:
    said = found["order"] or "szescianu"
    order = {"kwadratu": 2, "szescianu": 3}.get(said)
    order = order or int(read_number(re.sub("a$", "ej", said)) or 0)
    return f"pierwiastek {order} stopnia z {found['n'].replace(' ', '')} " if order else found[0]


def _divide(text: str, folded: str) -> str:
    """Say "jak się 2^50 podzieli przez siódemkę, co zostaje z reszty" as a remainder."""
    asked = _REMAINDER.search(folded) if len(folded) <= _LONGEST else None
    found = _DIVIDED_BY.search(folded) if asked and not _MONEY.search(folded) else None
    if found is None:
        return text
    by = _as_number(found["by"] or found["at"])
    return text if by is None else f"reszta z dzielenia {found['n'] or found['m']} przez {by}"


def _put(text: str, folded: str) -> str:
    """Say "wielomian …, podstaw za x minus dwójkę" with the value behind."""
    found = _SUBSTITUTED.search(folded) or _SUBSTITUTED_FIRST.search(folded)
    said = found and found.groupdict()
    if not said or not (_SUBSTITUTED_FIRST.search(folded) or said["first"] or said["second"]):
        return text
    value = _as_number(str(said["value"]))
    rest = f"{folded[: found.start()]} {folded[found.end() :]}" if found else folded
    if value is None or not re.search(rf"(?<![a-z]){said['letter']}(?![a-z])", rest):
        return text
    return f"{rest.rstrip(' .?!')} dla {said['letter']} = {value}"


def _equate(text: str, folded: str) -> str:
    """Say "x^2 - 9x ma być równe -20" with a sign, where there is none."""
    found = list(_EQUALS.finditer(folded)) if "=" not in text else []
    if len(found) != 1 or not _UNKNOWN.search(folded[: found[0].start()]):
        return text
    before, right = folded[: found[0].start()], _as_number(found[0]["right"])
    if right is None or re.search(r"\b(?:pochodn|calk|granic|dla x|gdy)\w*", before):
        return text
    return f"{before} = {right}{folded[found[0].end() :]}"


def _cross(text: str, folded: str) -> str:
    """Say where a graph crosses the axis of x as its zeros, that of y as its value there."""
    if len(folded) > _LONGEST:
        return text
    if (upright := _CROSSED_UPRIGHT.search(folded)) is not None:
        return f"{upright['body']} dla x = 0"
    found = _CROSSED.search(folded)
    return text if found is None else f"miejsca zerowe funkcji {found['body']}"


_PARTS = MappingProxyType({
    "pol": "({0}/2)", "kwa": "{0}^2", "sze": "{0}^3", "odw": "(1/{0})", "pie": "sqrt({0})",
})  # fmt: skip


def _and_its(found: re.Match[str]) -> str:
    """Write "suma liczby 14 i jej połowy" in signs."""
    sign = {"sum": "+", "roznic": "-", "iloczyn": "*"}[found["head"]]
    return f"ile to {found['n']} {sign} {_PARTS[found['part'][:3]].format(found['n'])} "


def _root_of_order(found: re.Match[str]) -> str:
    order = read_number(f"{found['order']}ej")
    return found[0] if order is None else f"pierwiastek {order} stopnia z"


def _such_that(found: re.Match[str]) -> str:
    """Say "ile musi być n, żeby 3^n wyszło 2187" as an equation."""
    letter = found["letter"] or found["at"]
    if not re.search(rf"(?<![a-z]){letter}(?![a-z])", found["body"]):
        return found[0]
    return f"rozwiąż {found['body'].strip()} = {found['n'].replace(' ', '')} "


_DIVIDED_BY = Guarded(_DIVIDED)
_SUBSTITUTED, _SUBSTITUTED_FIRST = Guarded(_IN_PLACE), Guarded(_PUT_IN)
_EQUALS, _CROSSED = Guarded(_BECOMES), Guarded(_CROSSING)
_CROSSED_UPRIGHT = Guarded(_CROSSING_UPRIGHT)
_RULES: tuple[tuple[Guarded, str | Callable[[re.Match[str]], str]], ...] = (
    (Guarded(_PRIME_PRODUCT), r"rozłóż \g<n> na czynniki pierwsze "),
    (Guarded(_OF_PRIMES), r"rozłóż \g<n> na czynniki pierwsze "),
    (Guarded(_NO_DIVISOR), r"czy \g<n> jest liczbą pierwszą "),
    (Guarded(_PULLED_OUT), r"rozłóż na czynniki \g<body> "),
    (Guarded(_AND_ITS), _and_its),
    (Guarded(_ROOT_OF_ORDER), _root_of_order),
    (Guarded(r"\bdo (?:potegi zerowej|zerowej(?: potegi)?)"), "do potęgi 0"),
    (Guarded(_FROM_START), " i (0, 0)"),
    (Guarded(_DEGREES), r"ile to (\g<angle>)*180/pi"),
    (Guarded(_SUCH_THAT), _such_that),
    (Guarded(_ROOT), _root),
    (Guarded(_ROOT_OF_POWER), _root),
)
_WAYS: tuple[Callable[[str, str], str], ...] = (_divide, _put, _equate, _cross)


def say_sentence(text: str) -> str:
    """Return the text with the first such sentence said as the grammar of formulas does."""
    folded = fold_evenly(text)
    for pattern, said in _RULES:
        if (found := pattern.search(folded)) is not None:
            new = found.expand(said) if isinstance(said, str) else said(found)
            return f"{text[: found.start()]}{new}{text[found.end() :]}"
    for way in _WAYS:
        if (said_otherwise := way(text, folded)) != text:
            return said_otherwise
    return text
