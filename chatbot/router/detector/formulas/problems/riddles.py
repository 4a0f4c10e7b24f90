"""Numbers that are thought of, ages, densities, tiles: small stories told in steps."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.phrases import read_phrase
from chatbot.router.detector.formulas.problems.statement import NUMBER, Quantity, Statement

_N = NUMBER
_THOUGHT = regex(
    r"\b(?:pomysla\w*|wybra\w*|mam na mysli|wymysl\w+|pewn\w+ liczb\w+|"
    r"o jakiej liczbie|jaka liczbe|co to za liczba|jaka to (?:byla )?liczba|"
    r"jak\w+ liczb\w+,? (?:po|ktor\w+ po|jesli po|gdy po)|jak\w+ liczb\w+,? (?:\w+ ){0,2}"
    r"(?:pomnozon|podzielon|powiekszon|pomniejszon|zwiekszon|zmniejszon)\w*)\b"
)
_STEP = regex(
    rf"\b(?:(?P<times>pomnoz\w*|mnoz\w*|przemnoz\w*)(?: \w+){{0,2}}? (?:przez|razy) {_N}"
    rf"|(?P<taken>wzi[ae]\w*)(?: \w+)? {_N} razy"
    rf"|(?P<over>podziel\w*|dziel\w*)(?: \w+){{0,2}}? (?:przez|na) {_N}"
    rf"|(?P<plus>doda\w*|dodal\w*|dorzuc\w*|dolicz\w*|dosypa\w*|zwieksz\w*|powieksz\w*)(?: do "
    rf"\w+)?(?: ja| o)? {_N}"
    rf"|(?P<minus>odj[ae]\w*|zabra\w*|uj[ae]l\w*|odlicz\w*|odejm\w*|zmniejsz\w*|"
    rf"pomniejsz\w*)(?: od \w+)?(?: ja| o)? {_N}"
    r"|(?P<double>podwoi\w*)|(?P<triple>potroi\w*)"
    r"|(?P<square>podnios\w+(?: \w+)? do kwadratu))"
)
_MULTIPLES: Mapping[str, str] = MappingProxyType({
    "polow": "1/2", "podwoj": "2", "dwukrot": "2", "potroj": "3", "trzykrot": "3",
    "czterokrot": "4",
    "pieciokrot": "5", "trzeci": "1/3", "czwart": "1/4", "cwier": "1/4", "1/2": "1/2",
})  # fmt: skip
_MULTIPLE_OF_IT = regex(
    r"\b(?:(?P<named>polow\w+|podwoj\w+|potroj\w+|(?:dwu|trzy|cztero|piecio)krotno\w+|"
    r"trzeci\w+ czesc|czwart\w+ czesc|cwierc)|(?P<share>\d+/\d+)) "
    r"(?:pewnej |jakiejs |nieznanej |szukanej |mojej |tej )?liczb\w+,? (?:pewn\w+ )?"
    r"(?P<change>powiekszon\w+|zwiekszon\w+|pomniejszon\w+|zmniejszon\w+|plus|minus)"
    r"(?: o| liczbe)? (?P<by>\d+(?:\.\d+)?)(?: [a-z]+){{0,2}}? "
    r"(?:jest rown\w+|rowna sie|wynosi|to|daje|da|=)(?: liczbie| liczbe)? "
    r"(?P<result>\d+(?:\.\d+)?)"
)
_IF_AS_MANY = Guarded(
    r"\b(?:gdyby\w*|jakby\w*|jesliby\w*|zeby\w*)(?: [a-z]+){0,3}? "
    r"(?:(?P<times>\d+) razy|(?P<named>dwukrotnie|trzykrotnie|czterokrotnie)) "
    r"(?:tyle|wiecej|tylu)\b(?:[^\d,;.?]{0,30}?"
    r"(?: ?,? (?:i|oraz|plus|a|to)(?: jeszcze| do tego| o| dodatkowo)*) "
    r"(?P<plus>\d+)|[^\d;.?]{0,30}?\b(?:bez|minus|mniej o|ale bez) (?P<minus>\d+))"
    r"(?: (?!by|mia|to\b)[a-z]+){0,2}? ?,?(?: to)?(?: (?!\d)[a-z]+){0,6} "
    r"(?:rowno |dokladnie |lacznie )?(?P<result>\d+|setk\w+)(?! razy)\b"
)
_PASSED = regex(r"\b(?:zda[lj]|zalicz|przeszl|przyszl|popraw|dobr|sprawn|trafi)\w*")
_FAILED = regex(
    r"\b(?:obla|odpad|nie ?zda|nie ?zalicz|niezda|wadliw|zlych|zepsut|bledn|"
    r"nieobecn|spudl|chybi)\w*"
)
_WOMEN = regex(r"\b(?:kobiet|dziewcz|dziewczyn|uczennic|pan\b|pan)\w*")
_MEN = regex(r"\b(?:mezczyzn|chlop(?:c|ak)|panow|facet)\w*")
_OPPOSITES = ((_PASSED, _FAILED), (_FAILED, _PASSED), (_WOMEN, _MEN), (_MEN, _WOMEN))
_RESULT = regex(
    rf"\b(?:wyszl[oa]|mam|zosta\w*|otrzyma\w*|dosta\w*|wynosi|uzyska\w*|daje|rowna sie|to|jest|"
    rf"wynik(?: to)?|=)"
    rf"(?: mi| wynik| liczbe| rowne)? {_N}(?! ?(?:%|lat))"
)
_WRITTEN: Mapping[str, str] = MappingProxyType({
    "times": "{number}*{inner}",
    "taken": "{number}*{inner}",
    "over": "{inner}/{number}",
    "plus": "{text} + {number}",
    "minus": "{text} - {number}",
    "double": "2*{inner}",
    "triple": "3*{inner}",
    "square": "{inner}**2",
})
_KIND = regex(r"^(?: czesc\w*)?(?: z nich)? (?:to|jest|sa|stanowia)\b")
_KIND_ASKED = regex(r"\bil[eu] (?:to |jest |bylo |mamy |mam )*([a-z]{4,}(?:ych|ich))\W*$")
_REST = regex(r"\b(?:zosta|reszt|pozosta|przed nami)")
_HELD = regex(r"\b(?:zostal\w*|mam|mamy|jest|bylo|byly|mial\w*)\b[^?]{0,20}$")
_OF_REST = regex(r"\breszty|\bz tego\b|\bz tej\b|\bpozostal(?:ej|ych|ego)\b")
_STEPWISE = regex(r"\b(?:plus|minus|przez|razy|doda|odej|odja|do poteg)")
_OTHER_SEX = regex(
    r"/\d+ (?:z nich )?to (?:chlop\w*\b.*\b(?:il[eu]|policz|liczb\w*)[^?]*dziew|"
    r"dziew\w*\b.*\b(?:il[eu]|policz|liczb\w*)[^?]*chlop|"
    r"kobiet\w*\b.*\b(?:il[eu]|policz|liczb\w*)[^?]*mezcz|"
    r"mezcz\w*\b.*\b(?:il[eu]|policz|liczb\w*)[^?]*kobiet)"
)
_AS_FRACTION = regex(
    r"\b(\d{1,9})\.(\d{1,9}) (?:zapisan\w* |zamien\w* )?(?:na|jako|w postaci) (?:ulamek|"
    r"ulamka(?! dziesietn)|zwykl)"
)


def read_riddle(statement: Statement) -> str | None:
    """Return the expression of a number that was thought of, or of another small story."""
    if found := _read_multiple(statement.words) or _read_if_as_many(statement.words):
        return found
    if _THOUGHT.search(statement.words) and (found := _read_thought(statement.words)):
        return found
    if fraction := _AS_FRACTION.search(statement.words):
        whole, decimals = fraction[1], fraction[2]
        return f"{int(whole + decimals)}/1{'0' * len(decimals)}"
    return read_phrase("riddle", statement.words)


def read_part(statement: Statement) -> str | None:
    """Read "28 uczniów, 3/4 z nich uczy się angielskiego, ilu to": a part of one number."""
    parts = [one for one in statement.quantities if "/" in one.text]
    wholes = [one for one in statement.quantities if "/" not in one.text]
    if len(parts) != 1 or len(wholes) != 1:
        return _rest_of_one(parts, statement) if parts and not wholes else None
    part = parts[0].text.strip("()")
    above, _, below = part.partition("/")
    if re.search(r"\bcal[aey]\w*\b", statement.words) and _REST.search(wholes[0].before):
        return f"{wholes[0].text}/(1 - {part})" if float(above) < float(below) else None
    is_asked = re.search(r"\b(?:ile|ilu)\b", statement.question)
    if not is_asked and not _OTHER_SEX.search(statement.words):
        return None
    if wholes[0].is_each or float(above) >= float(below) or _STEPWISE.search(statement.words):
        return None
    is_rest = (
        denies_what_is_told(statement)
        or _is_other_kind(statement, parts[0])
        or _REST.search(statement.question)
        or _OTHER_SEX.search(statement.words)
        or re.search(r"\btych bez\b", statement.words)
    )
    if not is_rest and _REST.search(statement.words):
        return None
    return f"{wholes[0].text}*(1 - {part})" if is_rest else f"{part}*{wholes[0].text}"


def denies_what_is_told(statement: Statement) -> bool:
    """Whether the question is for the others: "75 % zdało … ilu nie zdało", "ilu oblało"."""
    asked = statement.question
    told = statement.words.replace(asked, " ")
    denied = re.search(r"\bnie ?([a-z]{4})", asked)
    if denied is not None and re.search(rf"(?<!\bnie )\b(?:\w{{1,3}})?{denied[1]}", told):
        return True
    return any(one.search(asked) and other.search(told) for one, other in _OPPOSITES)


def _is_other_kind(statement: Statement, part: Quantity) -> bool:
    """Whether another kind is asked for than the part is: "1/4 to zielone, ile jest czerwonych"."""
    kind, asked = _KIND.match(part.after), _KIND_ASKED.search(statement.question)
    if kind is None or asked is None:
        return False
    return asked[1][:4] not in statement.words.replace(asked[0], " ")


def _rest_of_one(parts: Sequence[Quantity], statement: Statement) -> str | None:
    """Read "3/7 dla ciotki, 2/5 dla fundacji, jaki ułamek zostaje": what is missing to one."""
    is_asked = re.search(r"\bjak\w+ (?:ulamek|czesc)", statement.question)
    if _OF_REST.search(statement.words):
        is_rest = len(parts) == 2 and parts[1].after.startswith(" reszty")  # noqa: PLR2004 - a pair
        if not is_asked or not is_rest or "zosta" not in statement.question:
            return None
        return "*".join(f"(1 - {one.text.strip('()')})" for one in parts)
    if is_asked and len(parts) == 2 and _HELD.search(parts[0].before):  # noqa: PLR2004 - a pair
        of_whole = re.match(r" cal\w+", parts[1].after)
        return " - ".join(one.text.strip("()") for one in parts) if of_whole else None
    if not is_asked or not _REST.search(statement.words):
        return None
    return " - ".join(("1", *(one.text.strip("()") for one in parts)))


def _read_multiple(words: str) -> str | None:
    """Read "połowa pewnej liczby powiększona o 7 jest równa 19" as an equation."""
    found = _MULTIPLE_OF_IT.search(words)
    if found is None:
        return None
    times = found["share"] or next(
        factor for stem, factor in _MULTIPLES.items() if found["named"].startswith(stem)
    )
    sign = "+" if re.match(r"powiek|zwiek|plus|wiecej|dodac", found["change"]) else "-"
    return f"solve(Eq({times}*x {sign} {found['by']}, {found['result']}), x)"


def _read_if_as_many(words: str) -> str | None:
    """Read "gdybym miał trzy razy tyle i jeszcze 10, byłoby 100" as an equation."""
    found = _IF_AS_MANY.search(words)
    if found is None or "%" in words:
        return None
    named = (found["named"] or "")[:4]
    times = found["times"] or {"dwuk": "2", "trzy": "3", "czte": "4"}[named]
    change = f"+ {found['plus']}" if found["plus"] else f"- {found['minus']}"
    result = found["result"] if found["result"].isdigit() else "100"
    return f"solve(Eq({times}*x {change}, {result}), x)"


def _read_thought(words: str) -> str | None:
    """Write "pomnożyłem przez 7, dodałem 15 i wyszło 78" as an equation."""
    steps = list(_STEP.finditer(words))
    results = [one for one in _RESULT.finditer(words) if steps and one.end() > steps[-1].end()]
    if not steps or not results:
        return None
    text = "x"
    for step in steps:
        number = next((part for part in step.groups() if part and part[0].isdigit()), "")
        text = _stepped(text, _name(step), number)
    return f"solve(Eq({text}, {results[-1][1]}), x)"


def _name(step: re.Match[str]) -> str:
    return next(name for name, value in step.groupdict().items() if value)


def _stepped(text: str, name: str, number: str) -> str:
    inner = text if text == "x" else f"({text})"
    return _WRITTEN[name].format(text=text, inner=inner, number=number)
