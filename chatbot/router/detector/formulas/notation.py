"""Write out notation that the grammar has no signs for: small figures, f'(x), ∂/∂x, A⁻¹, units."""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.latex import from_latex
from chatbot.router.detector.spans import fold_evenly

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿˣᵏⁱᵗᵀ⁽⁾ᐟ", "0123456789+-nxkitT()/")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙₓₖ", "0123456789+-nxk")
_SUP = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿˣᵏⁱᵗᵀ⁽⁾ᐟ"
_SUB = "₀₁₂₃₄₅₆₇₈₉₊₋ₙₓₖ"
_SIDE = Guarded(r"((?:→|->)\s*-?[\w.,π∞]{1,8}?)\s*\^?\(?([+⁺⁻-])\)?(?=[\s,.;:)}]|$)")
_BOUND = r"(?:\(([^()]{1,20})\)|\{([^{}]{1,20})\}|(-?[\w.π∞]{1,6}))"
_BOUNDS = regex(rf"(∫|\bca[łl]k[aęi]|∑|Σ|∏|Π)\s*_\s*{_BOUND}\s*\^\s*{_BOUND}", re.IGNORECASE)
_RUN = regex(r"^\s*([a-z])\s*=\s*(.+)$")
_DIFFERENTIAL_FIRST = Guarded(r"(?<![a-z])d([xytuz])\s*/\s*(?=[\w(√])")
_MARKED = regex(r"(?:\b[fghy]\s*|\))(['’′`´″]{1,3})(?:\s*\(\s*([^()]{1,12})\s*\))?")
_DEFINED = Guarded(r"\b[fghy]\s*(?:\(\s*[a-z]\s*\)|(?<=y))\s*=\s*")
_OPERATOR = Guarded(
    r"(?<![a-z])[d∂](?:\s*\^?\s*(\d))?\s*(?:[a-z](?:\([a-z]\))?)?\s*/\s*"
    r"((?:[d∂]\s*[xyzt](?:\s*\^?\s*\d)?\s*){1,3})(?![a-z])"
)
_OF_SEVERAL = Guarded(
    r"(?<![a-z])(?:[fghuwz]|[f-hs-z]\s*\(\s*[a-z](?:\s*[,;]\s*[a-z]){0,3}\s*\))\s*=\s*"
    r"(?P<body>[^=?;]+?)(?=[;?]|,(?!\d)|\.(?!\d)|\s+(?:ile|oblicz|policz|wyznacz|podaj|znajdz|jaka|"
    r"to|i|oraz|pochodna)\b|\s*$)"
)
_PARTIAL = Guarded(
    r"\b(?:(?P<order>drug|trzeci)\w+ )?pochodn\w+(?: (?:czastkow|mieszan)\w+)*"
    r"(?: (?:funkcji )?[fghuwz])? (?:po|wzgledem)(?: zmiennej)? (?P<first>[a-z])\b"
    r"(?:(?:,| i| oraz| a)?(?: potem| nastepnie)?(?: po| wzgledem)? (?P<second>[xyzt])\b)?"
)
_EACH_VARIABLE = regex(r"[d∂]\s*([xyzt])(?:\s*\^?\s*(\d))?")
_MATRIX = r"\[\s*\[[^\[\]]{1,120}\](?:\s*[,;]?\s*\[[^\[\]]{1,120}\]){0,7}\s*\]"
_NAMED = regex(rf"\b([A-Z])\s*=\s*({_MATRIX})")
_ROWS_IN_BRACKETS = Guarded(
    r"(?<=\bdet)\s*\(\s*(-?\d[^\[\]()=;]{0,60}(?:;[^\[\]()=;]{1,60}){1,7})\)"
)
_ROWS = Guarded(r"\[\s*(-?\d[^\[\]=;]{0,60}(?:;[^\[\]=;]{1,60}){1,7})\]")
_BARE_ROWS = Guarded(
    r"(?<=macierzy )(-?\d+(?:[ ,]+-?\d+){1,4}(?:; ?-?\d+(?:[ ,]+-?\d+){1,4}){1,4})"
)
_LOOSE_ROWS = Guarded(r"(?<!\[)(\[[^\[\]]{1,60}\](?:\s*,\s*\[[^\[\]]{1,60}\]){1,7})(?!\s*\])")
_OF_MATRIX = regex(r"macierz|wyznacznik|\bdet\b", re.IGNORECASE)
_ITS_TRANSPOSE = regex(
    rf"({_MATRIX})\s*(?:razy|\*|·)\s*(?:jej|swoj[aąeę]|swojej)? ?transpo\w+", re.IGNORECASE
)
_INVERSE = regex(r"\)?\s*\^\s*\(?-1\)?")
_SCIENTIFIC = regex(r"(?<![\w.,])(\d+(?:[.,]\d+)?)[eE]([+-]?\d{1,2})(?!\w)")
_TEN = Guarded(r"(?<=\d)\s*[·×x*]\s*10\s*\^")
_POWER_OF_TEN = Guarded(
    r"(?<![\w.,^*/)])(\d+(?:[.,]\d+)?)\s*[·×*]\s*10\^(\(-?\d+\)|-?\d+)(?=\s*(?:podzielone|dzielone|przez|razy|[:/·×*]))"
    r"|(?<=przez )(\d+(?:[.,]\d+)?)\s*[·×*]\s*10\^(\(-?\d+\)|-?\d+)"
)
_UNIT_SQUARE = regex(r"(?<=[\d ])(mm|cm|dm|km|m)\s*(?:\^\s*\(?[23]\)?|[²³])")
_RATES = Guarded(
    r"(?<=\d)\s*(?:km|m|zł|zl|l|kg)\s*/\s*(?:h|s|godz\w*|kg|km|m|szt\w*|os\w*|mies\w*)\b"
)
_RATIO = regex(r"([:÷])\s*(\d+\s*/\s*\d+)(?![\d/])")
_OVER = regex(r"(?<=[\d)]) ?(?:dzielone|podzielone) na ")
_DATE = Guarded(
    r"\b\d{1,2}\.\d{1,2}\.\d{2,4}\b|\b(?:1[0-9]|20)\d\d(?= r(?:\.|oku?\b))(?: r\.?| rok\w?)?"
)
_CLOCK = Guarded(r"(?<![\d:,.])(?:[01]?\d|2[0-4]):[0-5]\d(?![\d:])(?:/km)?")
_COUNTING = Guarded(r"oblicz|policz|wylicz|dziel|ile (?:to|wyn|jest|da)|wynik|=|skala|proporcj")
_PHONE = regex(r"\+?\d{2,3}(?:[ -]\d{2,3}){3,}")
_DOTS = Guarded(
    r"(?<=\d)\s*\.\.\s*(?=-?\d)|(?<=[a-z]=\d)(?:\.\.\.|…)(?=-?\d)"
    r"|(?<=[a-z] = \d)\s*(?:\.\.\.|…)\s*(?=-?\d)"
)
_HESITATION = regex(r"\b(?:y{2,5}|e{2,5}|hm{1,4}|no)\b[ ,.…]{0,5}", re.IGNORECASE)
_IMAGINARY = regex(r"(?<!\w)i\s*(π|pi\b)")
_REPEATING = Guarded(r"(?<![\d.,])(\d{1,6})[.,](\d{0,6})\((\d{1,6})\)")
_MIXED = Guarded(
    r"(?P<before>(?:^|[-+*·×:/=(]|\b(?:z|razy|plus|minus|przez|od|do|to|jest|wynosi))\s*)"
    r"(?<![\d/.,])(?P<whole>\d{1,6}) (?:i|cał[ae] i) (?P<above>\d{1,6})/(?P<below>\d{1,6})(?![\d/])"
)
_TO_PLACES = regex(
    r"\bdo (?:części |rzędu )?(dziesiąt|dziesiat|setn|tysięczn|tysieczn)ych\b",
    re.IGNORECASE,
)
_PLACES = {"dz": 1, "se": 2, "ty": 3}
_ROOT_OF_N = regex(r"\b(?:en-?s?t|n-t)(?:ego|ej|y|a) stopni\w+", re.IGNORECASE)
_LINES = regex(
    r"(?<=[:\n])\s*((?:-?\d+(?:[.,]\d+)?[ \t]+){1,4}-?\d+(?:[.,]\d+)?"
    r"(?:\s*\n\s*(?:-?\d+(?:[.,]\d+)?[ \t]+){1,4}-?\d+(?:[.,]\d+)?){1,4})(?!\S)"
)
_BARS = Guarded(r"\|((?:-?\d+[ ,]+)+-?\d+(?:;\s*(?:-?\d+[ ,]+)+-?\d+)+)\|")
_SPOKEN_ROW = regex(
    r"(?:wiersz\w*|drugi\w*|trzeci\w*)(?: to)?\W{1,3}"
    r"(-?\d+(?:[.,]\d+)?(?:\s*(?:,|;|i|oraz|a)?\s+-?\d+(?:[.,]\d+)?){1,3})",
    re.IGNORECASE,
)
_TYPED_POWER = regex(r"(?<![\w.,)])(?<!\d )(\d{0,3})([xyzn])([2-9])(?!\w|[.,]\d)")
_IN_FORMULA = regex(
    r"[-+=]\s*\d{0,3}[xyzn][2-9](?!\w)|(?<!\w)\d{0,3}[xyzn][2-9]\s*[-+=]|\b(?:pochodn|ca[lł]k|funkcj)"
)
_ORDERS: Mapping[int, str] = MappingProxyType({1: "", 2: "druga ", 3: "trzecia ", 4: "czwarta "})


def write_out(text: str) -> str:
    """Return the prompt in the plain notation of `tokenise`."""
    text = _HESITATION.sub(" ", from_latex(text)).replace("Σ", "∑").replace("Π", "∏")
    text = _typed_powers(text.replace("−", "-"))
    text = _IMAGINARY.sub(r"i*\1", _ROOT_OF_N.sub("stopnia n", _mask(_spoken_rows(text))))
    text = _SCIENTIFIC.sub(_figures, text)
    text = _MIXED.sub(
        r"\g<before>(\g<whole>+\g<above>/\g<below>)", _REPEATING.sub(_repeating, text)
    )
    text = _TO_PLACES.sub(lambda found: f"do {_PLACES[found[1][:2].lower()]} miejsc", text)
    text = _POWER_OF_TEN.sub(_power_of_ten, raise_figures(text))
    text = _UNIT_SQUARE.sub(r" \1 ", text)
    text = _small_figures(text)
    text = _RATES.sub(" ", text)
    text = _RATIO.sub(r"\1 (\2)", text)
    text = _DOTS.sub(" do ", _TEN.sub("*10^", text))
    return _derivatives(_bounds(_matrices(text)))


def _typed_powers(text: str) -> str:
    """Write "x2 - 9x" as x^2 - 9x: "5x2" alone is a product, "x1, x2" are two unknowns."""
    if not _IN_FORMULA.search(text):
        return text

    def power(found: re.Match[str]) -> str:
        letter = found[2]
        is_named = re.search(rf"(?<![^\W\d_]){letter}1(?!\d)", text) is not None
        stands = re.search(rf"(?<![^\W\d_]){letter}(?!\w)|=\s*0(?![\d.,])", text) is not None
        if is_named or (found[1] and not stands):
            return found[0]
        return f"{found[1]}{letter}^{found[3]}"

    return _TYPED_POWER.sub(power, text)


def _mask(text: str) -> str:
    """Blank what has figures but is no number: dates, telephone numbers, times of day."""
    text = _PHONE.sub(" ", _DATE.sub(" ", text))
    if not _COUNTING.search(fold_evenly(text)):
        text = _CLOCK.sub(" ", text)
    return text


def _spoken_rows(text: str) -> str:
    """Write "macierz: pierwszy wiersz 2 i 0, drugi 1 i 3" as a list of rows."""
    said = list(_SPOKEN_ROW.finditer(text))
    rows = [re.findall(r"-?\d+(?:[.,]\d+)?", one[1]) for one in said]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:  # noqa: PLR2004 - a matrix has rows
        return text
    matrix = ", ".join(f"[{', '.join(row)}]" for row in rows)
    start = re.sub(r"\d\s*(?:[x×*]|na)\s*\d", " ", text[: said[0].start()])
    start = re.sub(r"\b(?:pierwsz\w+|1)\W*$", "", start)
    return f"{start.rstrip(' ,:;-–')} [{matrix}]"


def _power_of_ten(found: re.Match[str]) -> str:
    """Hold "3,6·10^5" together where it is divided or multiplied."""
    return f"({found[1] or found[3]}*10^{found[2] or found[4]})"


def _figures(found: re.Match[str]) -> str:
    return f"{Decimal(found[1].replace(',', '.')).scaleb(int(found[2])):f}"


def _repeating(found: re.Match[str]) -> str:
    """Write 0,1(6) as (15/90): all figures less those before the period, over nines and zeros."""
    whole, fixed, period = found.groups()
    above = int(whole + fixed + period) - int(whole + fixed)
    return f"({above}/{'9' * len(period)}{'0' * len(fixed)})"


def _small_figures(text: str) -> str:
    if sided := _SIDE.search(text):
        side = "prawostronna" if sided[2] in "+⁺" else "lewostronna"
        text = f"{text[: sided.start()]}{sided[1]} {text[sided.end() :]} ({side})"
    text = re.sub(f"[{_SUB}]+", lambda found: f"_{found[0].translate(_LOWERED)} ", text)
    return raise_figures(text)


def raise_figures(text: str) -> str:
    """Write small raised figures as exponents: 5³ as 5^3."""
    return re.sub(f"(?<!∫)(?<![→∑∏])[{_SUP}]+(\\d?)", _raise, text)


def _raise(found: re.Match[str]) -> str:
    above = found[0].removesuffix(found[1]).translate(_RAISED)
    if found[1]:  # "cos²60°"
        return f"^{above} {found[1]}" if above.isdecimal() else f"^({above}) {found[1]}"
    return f"^{above}" if above.isdecimal() or above == "T" else f"^({above})"


def _bounds(text: str) -> str:
    """Say where an integral or a sum begins and ends: ∫_0^1 as "całka od (0) do (1) z"."""
    if "∫" in text:
        text = _DIFFERENTIAL_FIRST.sub(r"d\1 * 1/", text)
        text = re.sub(r"(∫[^d]{0,40})d([xytuz]) \* 1/(\S+)", r"\g<1>1/\3 d\2", text)
    return _BOUNDS.sub(_bound, text)


def _bound(found: re.Match[str]) -> str:
    low = next(part for part in found.groups()[1:4] if part)
    high = next(part for part in found.groups()[4:7] if part)
    if run := _RUN.match(low):
        name = "iloczyn" if found[1] in "∏Π" else "suma"
        return f" {name} szeregu od {run[1]}={run[2]} do {high} z "
    return f" całka od ({low}) do ({high}) z "


def _derivatives(text: str) -> str:
    """Say "pochodna" for f'(x) with f(x) = …, and for d/dx."""
    text = _OPERATOR.sub(_operator, text)
    if partial := _partial(text):
        return partial
    marked = _MARKED.search(text)
    if marked is None:
        return text
    order = _ORDERS[min(sum(2 if mark == "″" else 1 for mark in marked[1]), 4)]
    if marked[0].startswith(")"):
        start = text.rfind("(", 0, marked.start())
        body, rest = text[start : marked.start() + 1], text[marked.end() :]
        return f"{text[:start]} {order}pochodna {body} {rest}"
    defined = next((one for one in _DEFINED.finditer(text)), None)
    if defined is None:
        return text
    point = marked[2] if marked[2] and not re.fullmatch(r"[a-z]", marked[2].strip()) else None
    rest = " " * (marked.end() - marked.start())
    blanked = text[: marked.start()] + rest + text[marked.end() :]
    body = re.sub(r"[,;.]?(?:\s|oblicz|policz|wyznacz|podaj|znajdz|ile to|=|\?)*$", "",
                  blanked[defined.end() :], flags=re.IGNORECASE)  # fmt: skip
    at = f" w punkcie {point}" if point else ""
    return f"{blanked[: defined.start()]} {order}pochodna {body}{at}"


def _operator(found: re.Match[str]) -> str:
    variables = [
        letter
        for letter, times in _EACH_VARIABLE.findall(found[2])
        for _ in range(min(int(times or 1), 4))
    ]
    return f" pochodna po {' i '.join(variables)} funkcji "


def _partial(text: str) -> str | None:
    """Put a function of several variables behind the derivative of it that is asked for."""
    folded = fold_evenly(text)
    asked, defined = _PARTIAL.search(folded), _OF_SEVERAL.search(folded)
    if asked is None or defined is None or "punkci" in folded:
        return None
    letters = [asked["first"], *filter(None, [asked["second"]])]
    letters *= {"drug": 2, "trzeci": 3}.get(asked["order"], 1) if len(letters) == 1 else 1
    body = text[defined.start("body") : defined.end("body")]
    return f"pochodna po {' i '.join(letters)} funkcji ({body})"


def _matrices(text: str) -> str:
    """Put a matrix wherever its name stands, and write every matrix as a list of rows."""
    text = _BARS.sub(r" wyznacznik [\1] ", text)
    if _OF_MATRIX.search(text):
        text = _LINES.sub(_lines, text)
    text = _ROWS_IN_BRACKETS.sub(r" [\1]", text)
    text = _ROWS.sub(_rows, _BARE_ROWS.sub(r"[\1]", text))
    text = _LOOSE_ROWS.sub(r"[\1]", text) if "[[" not in text else text
    text = _ITS_TRANSPOSE.sub(r" iloczyn \1 i (transpozycja \1) ", text)
    names = dict(_NAMED.findall(text)[:4])
    if not names:
        return text
    without = _NAMED.sub(" ", text)
    if not any(re.search(rf"\b{name}\b", without) for name in names):
        return _NAMED.sub(r" \2 ", text)
    text = without
    for name, matrix in names.items():
        text = re.sub(rf"\b{name}\s*\^\s*\(-1\)", f" odwrotna do {matrix} ", text)
        text = re.sub(rf"\b{name}\s*\^\s*\(?T\)?", f" transpozycja {matrix} ", text)
        text = re.sub(rf"\b{name}\b", f" {matrix} ", text)
    return text


def _lines(found: re.Match[str]) -> str:
    """Write rows of figures that stand below one another as a matrix."""
    rows = [", ".join(line.split()) for line in found[1].splitlines() if line.strip()]
    return " [" + ", ".join(f"[{row}]" for row in rows) + "]"


def _rows(found: re.Match[str]) -> str:
    rows = [re.split(r"[\s,]+", row.strip()) for row in found[1].split(";")]
    return "[" + ", ".join(f"[{', '.join(row)}]" for row in rows) + "]"
