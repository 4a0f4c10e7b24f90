"""What is told after a result and makes a calculation with it: shares, people, prices, the rest."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts
from chatbot.router.dialogue.calculations.exchanges import marked
from chatbot.router.dialogue.scene import Scene

_STAND_IN = "90210077"
_PEOPLE = (
    r"(?:osob\w*|os|ludz\w*|uczn\w*|dziec\w*|wnuk\w*|gosc\w*|chlop\w*|pracowni\w*|rodzenst\w*|nas|"
    r"kumpl\w*|koleg\w*|kolez\w*|znajom\w*|glow\w*|rat\w*|czesc\w*|miesi\w*|dni\w*|tygodni\w*|"
    r"zmian\w*|autobus\w*|samochod\w*|pudel\w*|karton\w*|sloik\w*|worek|work\w*|porcj\w*|grup\w*)"
)
_LEFT = r"(?:zosta\w*|ostan\w*|osta\w*|reszt\w*|resta\w*)"
LOST = (
    r"(?:rabat\w*|znizk\w*|zniz\w*|obniz\w*|taniej|tansz\w*|mniej|potluk\w*|zgub\w*|"
    r"zepsu\w*|strac\w*|"
    r"strat\w*|odpad\w*|zniszcz\w*|ubyl\w*|ubyw\w*|odlicz\w*|odejm\w*|odejmij|odjac|minus|spad\w*|"
    r"wydal\w*|wyda\w*|zjad\w*|zjed\w*|odda\w*|dam|dom|daje|dal[ae]m|zabra\w*|zabier\w*|"
    r"bez|zaplacil\w*|"
    r"bon|bonu|voucher\w*|zaliczk\w*|zadatk\w*|kupon\w*|potrac\w*|polam\w*|zwrac\w*|zwrot\w*|uszkodz\w*|wadliw\w*|stluk\w*|usch\w*|"
    r"wyschn\w*|sprzeda\w*|wypil\w*|zuzy\w*|kosztowal\w*|odchodz\w*|utn\w*|zwroc\w*)"
)
GAINED = (
    r"(?:podwyz\w*|wzros\w*|rosn\w*|drozej|drozsz\w*|wiecej|dolicz\w*|dodaj\w*|dodac|"
    r"dodam|doda|plus|"
    r"dorzu\w*|doloz\w*|dojd\w*|doszl\w*|doszed\w*|dojdz\w*|doch\w*|jeszcze|przyby\w*|dosta\w*|"
    r"vat\w*|marz\w*|narzut\w*|napiw\w*|prowizj\w*|powieksz\w*|zwieksz\w*|przysz\w*|"
    r"dokupi\w*|dosyp\w*|"
    r"dopla\w*|wplac\w*|oszczedz\w*|dopisz\w*|zapas\w*)"
)
_PIECE = r"(?:ton\w*|kilo\w*|kg|sztuk\w*|litr\w*|metr\w*|m\b|paczk\w*|osob\w*|km|godz\w*|nich)"
_SHARES = (
    r"(?:podziel\w*|dziel\w*|rozdziel\w*|rozloz\w*|rozdam|rozdac|po rowno(?: do)?|na|przez|miedzy|"
    r"rozloz\w* .*\bdo|zapakuj\w* .*\bdo|rozlej\w* .*\bdo|"
    r"pomiedzy)"
)
_TO_EACH = r"(?:po ile|ile na|na (?:glowe|osobe|leb)|kazd\w+|po rowno)"
_OF_IT = regex(
    r"\bile (?:to |z (?:tego|nich) )?(?:jest |bedzie )?#|"
    r"# ?%? ?(?:z |od )(?:tego|niego|niej|nich|tej|wyniku)"
)
_FOR_EACH = (
    r"\bna (?:godzin|dzien|dob|osob|sztuk|metr|miesiac|kilometr|litr)\w*[^#]*"
    r"\b(?:przy|zakladajac|przyjmujac|licz\w+)\b[^#]*#(\d)"
)
_ON_WHOLE: tuple[tuple[str, str], ...] = (
    (r"\bo #(\d) (?:\w+ )?(?:mniejsz|nizsz|krotsz|tansz|lzejsz|mlodsz)\w+", "({v}) - {a}"),
    (r"\bo #(\d) (?:\w+ )?(?:wieksz|wyzsz|dluzsz|drozsz|ciezsz|starsz)\w+", "({v}) + {a}"),
    (r"\b(?:bon|bonu|kupon\w*|voucher\w*|zaliczk\w*|zadat\w*)\b[^#]*#(\d)", "({v}) - {a}"),
    (r"\bjeszcze\b[^#]*#(\d)[^#]*\b(?:razem|lacznie|w sumie|wyjdzie)\b", "({v}) + {a}"),
    (r"\bna (?:ile|jak dlugo)\b[^#]*#(\d)", "({v})/{a}"),
    (r"\bbrakuj\w*\b[^#]*\bdo\b[^#]*#(\d)", "{a} - ({v})"),
    (r"\bdo #(\d)[^#]*\bbrakuj\w*", "{a} - ({v})"),
    (
        r"\bmam (?:juz )?#(\d)[^#]*\b(?:brakuj\w*|doloz\w*|dopla\w*|dozbier\w*|uzbier\w*)",
        "({v}) - {a}",
    ),
    (
        rf"\b(?:mam|mamy|mial\w*|daje|dam|place|zaplac\w*|z|ze)\b[^#]*#(\d)[^#]*\b{_LEFT}",
        "{a} - ({v})",
    ),
    (rf"\b{_LEFT}\b[^#]*\b(?:z|ze|mam|mial\w*)\b[^#]*#(\d)", "{a} - ({v})"),
    (r"\b(?:budzet\w*|starcz\w*|wystarcz\w*|zmieszcz\w*)\b[^#]*#(\d)", "{a} - ({v})"),
    (r"#(\d)[^#]*\b(?:ponad|nadplac\w*|przeplac\w*|nadwyzk\w*)\b", "({v}) - {a}"),
    (r"\b(?:ponad|nadplac\w*|przeplac\w*|nadwyzk\w*)\b[^#]*#(\d)", "({v}) - {a}"),
    (r"\bod #(\d)[^#]*\bodejm\w*|\bodejm\w* (?:to |wynik |ten wynik )?od #(\d)", "{a} - ({v})"),
    (r"\bodwrotnos\w*", "1/({v})"),
    (r"\b(?:pierwiast\w+|pierwiastek) (?:trzeciego|szescienn\w+|3)", "({v})**Rational(1, 3)"),
    (r"\bpierwiast\w+ (?:czwartego|4)", "({v})**Rational(1, 4)"),
    (r"\b(?:jaki\w*|ile) (?:to )?(?:w )?proc\w* (?:z |od )?#(\d)", "100*({v})/{a}"),
    (_FOR_EACH, "({v})/{a}"),
    (r"\bwartosc\w* bezwzgledn\w*|\bmodul\b", "Abs({v})"),
    (r"#(\d)[^#]*\bw ile (?:dn\w*|godz\w*|minut\w*|tygodn\w*)", "({v})/{a}"),
    (
        r"#(\d)[^#]*\b(?:dziennie|na dzien|tygodniowo|miesiecznie|na godzine)\b.*\b(?:na|w) ile\b",
        "({v})/{a}",
    ),
    (r"\bco #(\d)-?(?:ty|ta|te)?\b", "({v})/{a}"),
)
_BY_AMOUNT: tuple[tuple[str, str], ...] = (
    (r"#(?:\w )?razy (?:wiecej|tyle|drozej|dluzej|wiekszy\w*)", "({v})*{a}"),
    (r"#(?:\w )?razy (?:mniej|taniej|krocej|krotsz\w*|mniejsz\w*)", "({v})/{a}"),
    (r"\b(?:razy|pomnoz\w*|przemnoz\w*|mnozone)\b[^#]*#|# ?razy\b|[*×·] ?#", "({v})*{a}"),
    (r"# \w* ?(?:takich|takie|takiej|taki|takimi)\b", "({v})*{a}"),
    (r"#[^#]*\b(?:po|prze)mnoz\w*", "({v})*{a}"),
    (r"\b(?:takich|takie|identyczn\w*|jednakow\w*) (?:\w+ )?(?:jest |sa |mam )?#", "({v})*{a}"),
    (rf"# ?(?:zl\w*|gr\w*|pln)? ?(?:za|od) (?:1 |jedn\w+ |kazd\w+ )?{_PIECE}", "({v})*{a}"),
    (r"\b(?:po|kosztuj\w*|cen\w* to|cena)\b[^#]{0,12}#", "({v})*{a}"),
    (r"\bkazd\w+[^#]{0,24}#", "({v})*{a}"),
    ((r"\b(?:w|przez|za)(?: \w+)? # (?:\w+ )?(?:dn\w*|tygodn\w*|miesi\w*|lat\w*|"
        r"godz\w*)"), "({v})*{a}"),
    (rf"\b{_SHARES}\b[^#]{{0,14}}#", "({v})/{a}"),
    (rf"# (?:\w+ )?{_PEOPLE}[^#]*\b{_TO_EACH}", "({v})/{a}"),
    (r"\bdo (?:potegi )?#", "({v})**{a}"),
)  # fmt: skip
_PLAIN: tuple[tuple[str, str], ...] = (
    (r"#0 (?:\w+ )?tak(?:ich|ie)\W*$|#0 tak(?:ich|ie)\b", "({v})*{a}"),
    (r"#0[^#]*\bile (?:\w+ )?za (?:obie|oba|wszystk\w+|tyle)\b", "({v})*{a}"),
    (r"\b(?:po rowno|rozloz|rozdziel|rozlej|zapakuj)\w*\b[^#]*\b(?:do|na|miedzy) #0", "({v})/{a}"),
)
_ALL_OF_IT = regex(r"\b(?:lacznie|razem|w sumie|calosc|zaplac\w*|wyjdzie|bedzie)\b")
_SHARED = (
    (LOST, "({v})*(1 - {a}/100)"),
    (GAINED, "({v})*(1 + {a}/100)"),
)
_SIMPLE = ((LOST, "({v}) - {a}"), (GAINED, "({v}) + {a}"))
_CUT = regex(r"[,;.?!]|\b(?:i|a|oraz|potem|nastepnie|ale|to)\b")
_UNIT_OF = regex(r"-?\d[\d   ]*(?:,\d+)? ?([^\W\d]+)")
_OPERATES = (
    rf"\b(?:{LOST}|{GAINED}|{_LEFT}|podziel\w*|razy|pomnoz\w*|przez|brakuj\w*|ile na|po rowno)\b"
)
_PART = r"Rational\(\d+, \d+\)|\d+/\d+"
_SHARE = regex(rf"^(?P<a>[\d.]+)\*(?P<p>{_PART})$|^(?P<q>{_PART})\*(?P<b>[\d.]+)$")
_THE_REST = regex(r"\b(?:pozostal\w+|reszte|reszta|tym co zosta\w*|co zosta\w*)\b")
_PUT_TO = regex(r"\b(?:doda\w*|dolicz\w*|doloz\w*) (?:ten|te|to|ta|go|ja) (?:\w+ )?do\b")
_SPEED = regex(r"\d ?[a-ząćęłńóśźż²³]+ ?(?:/ ?(?:h|s|min|godz|dzie)|na (?:godzin|minut|dzie|dob))")
_TIME_ASKED = regex(
    r"\b(?:ile (?:\w+ )?(?:czasu|potrwa|zajmie|zejdzie|minut|godzin|dni)|jak dlugo|po jakim czasie|"
    r"w jakim czasie|(?:za|w|po) ile|po il[uw] (?:minut|godzin|dni)\w*)\b"
)
_SENTENCE = "{} {}. {}"


def told(scene: Scene, value: str, unit: str = "", *, is_rate: bool = False) -> str | None:
    """Return the calculation that the prompt tells of ``value``; every number must have a part."""
    amounts = [one for one in read_amounts(scene.text) if not one.is_year]
    text = marked(scene, amounts)
    if not amounts:
        return _without_numbers(text, value)
    if len(amounts) == 1 and _SPEED.search(reply_of(scene)):
        is_asked = _TIME_ASKED.search(text) is not None
        if is_asked and amounts[0].unit not in {"h", "min", "dni", "mies", "lat", "%"}:
            return f"{amounts[0].text}/({value})"
    if is_rate and len(amounts) == 1 and not re.search(_OPERATES, text):
        return f"({value})*{amounts[0].text}"
    is_part = len(amounts) == 1 and amounts[0].unit == "%"
    if len(amounts) == 1 and not is_part and (found := _whole(text, amounts[0], value)):
        return found
    if len(amounts) == 1 and (plain := _plainly(text, amounts[0], value)) is not None:
        return plain
    found = _as_problem(scene, value, unit) or _step_by_step(text, amounts, value)
    is_product = len(amounts) == 1 and {unit, amounts[0].unit} <= KINDS and unit != amounts[0].unit
    return found or (f"({value})*{amounts[0].text}" if is_product else None)


def _plainly(text: str, amount: Amount, value: str) -> str | None:
    """What a few words say beyond doubt: so many such, shared out, a tip or discount in percent."""
    if amount.unit == "%":
        for words, changed in _SHARED if _ALL_OF_IT.search(text) else ():
            if re.search(rf"\b{words}\b", text):
                return changed.format(v=value, a=amount.text)
        return None
    form = next((form for said, form in _PLAIN if re.search(said, text)), None)
    return None if form is None else form.format(v=value, a=amount.text)


def reply_of(scene: Scene) -> str:
    """The last reply."""
    return scene.state.last.reply if scene.state.last else ""


def based(scene: Scene, value: str) -> str:
    """What the prompt goes on with: the result, the rest of a whole, the whole with its part."""
    share = _SHARE.match(value)
    if share is None:
        return value
    part, whole = (share["p"], share["a"]) if share["p"] else (share["q"], share["b"])
    if _THE_REST.search(scene.folded):
        return f"{whole}*(1 - {part})"
    return f"{whole}*(1 + {part})" if _PUT_TO.search(scene.folded) else value


def unit_of(reply: str) -> str:
    """What the last figure of a reply counts."""
    found = _UNIT_OF.findall(reply)
    return found[-1] if found else ""


def _without_numbers(text: str, value: str) -> str | None:
    for pattern, form in _ON_WHOLE:
        if "#" not in pattern and re.search(pattern, text):
            return form.format(v=value)
    return None


def _whole(text: str, amount: Amount, value: str) -> str | None:
    for pattern, form in _ON_WHOLE:
        if re.search(pattern.replace("#(\\d)", "#0"), text):
            return form.format(v=value, a=amount.text)
    return None


def _as_problem(scene: Scene, value: str, unit: str) -> str | None:
    """Read the result and the prompt together as one word problem."""
    for text in (_SENTENCE.format(_STAND_IN, unit, scene.text),):
        found = read_formula(text)
        if found is not None and found.share == 1 and _accounts(found.expression, scene):
            return found.expression.replace(_STAND_IN, f"({value})")
    return None


def _accounts(expression: str, scene: Scene) -> bool:
    """Whether the result and every number of the prompt have a part in it."""
    numbers = [one.value for one in read_amounts(scene.text)]
    is_each_in = all(str(abs(number.numerator)) in expression for number in numbers)
    return _STAND_IN in expression and f", {_STAND_IN}" not in expression and is_each_in


def _step_by_step(text: str, amounts: Sequence[Amount], value: str) -> str | None:
    """Apply each number in turn by the words around it; what says nothing repeats the last."""
    before = ""
    for place, amount in enumerate(amounts):
        if amount.pair == 2:  # noqa: PLR2004 - the other side of a measure
            continue
        operand, end = amount.text, place
        if amount.pair == 1:
            operand, end = f"{amount.text}*{amounts[place + 1].text}", place + 1
        form = _form(_around(text, place, end), amount) or before
        if not form:
            return None
        value, before = form.format(v=value, a=operand), form
    return value


def _around(text: str, place: int, end: int) -> str:
    """The words from the number before to the number after, this one as "#"."""
    start = text.find(f"#{place - 1}") + 2 if place else 0
    stop = text.find(f"#{end + 1}")
    piece = text[start : stop if stop >= 0 else len(text)]
    marks = f"#{place}" if place == end else rf"#{place}.*#{end}"
    return re.sub(marks, "#", piece)


def _form(piece: str, amount: Amount) -> str:
    if amount.unit == "%":
        return _share_form(piece)
    is_changed = re.search(rf"\b(?:{LOST}|{GAINED})\b[^#]*#", piece) is not None
    if 0 < amount.value < 1 and not is_changed:
        return "({v})*{a}"
    head, _, tail = piece.partition("#")
    near = f"{_CUT.split(head)[-1]}#{tail}"
    found = [form for pattern, form in _BY_AMOUNT if re.search(pattern, near)] or [
        form
        for text in (near, piece)
        for words, form in _SIMPLE
        if re.search(rf"\b{words}\b", text)
    ]
    return found[0] if found else ""


def _share_form(piece: str) -> str:
    if _OF_IT.search(piece) and not re.search(_LEFT, piece):
        return "({v})*{a}/100"
    for words, form in _SHARED:
        if re.search(rf"\b{words}\b", piece):
            return form
    return "({v})*(1 - {a}/100)" if re.search(_LEFT, piece) else "({v})*{a}/100"
