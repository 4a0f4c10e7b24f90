"""Calculations on the last result: "podziel to przez siedem", "a pierwiastek z tego?"."""

import re
from collections.abc import Callable
from dataclasses import replace

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.additions import (
    another_such,
    charged,
    joined,
    plainly,
    priced,
    priced_after_change,
    put_to,
)
from chatbot.router.dialogue.calculations.aims import aimed
from chatbot.router.dialogue.calculations.alike import each
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.bracketed import with_inner
from chatbot.router.dialogue.calculations.comparing import surely_compared
from chatbot.router.dialogue.calculations.consecutive import asks_for_two, one_after_another
from chatbot.router.dialogue.calculations.constants import is_compound
from chatbot.router.dialogue.calculations.digits import of_digits
from chatbot.router.dialogue.calculations.edits import edited
from chatbot.router.dialogue.calculations.enclosures import enclosed
from chatbot.router.dialogue.calculations.exchanges import (
    as_many,
    compared_with_before,
    correct,
    exchanged,
    of_such,
)
from chatbot.router.dialogue.calculations.exponents import with_exponent
from chatbot.router.dialogue.calculations.extremes import apart, resized
from chatbot.router.dialogue.calculations.factors import neighbouring_prime, of_factors, taken_apart
from chatbot.router.dialogue.calculations.figures import (
    YEAR,
    is_number,
    last_expression,
    last_value,
    plain,
    read_figures,
    variable_of,
)
from chatbot.router.dialogue.calculations.forms import in_other_form
from chatbot.router.dialogue.calculations.functions import (
    at_point,
    of_other,
    of_same,
    with_other_side,
    with_sign,
)
from chatbot.router.dialogue.calculations.gains import for_each, gained
from chatbot.router.dialogue.calculations.items import of_items
from chatbot.router.dialogue.calculations.layers import layered
from chatbot.router.dialogue.calculations.listing import longer
from chatbot.router.dialogue.calculations.marks import remarked
from chatbot.router.dialogue.calculations.offers import for_all
from chatbot.router.dialogue.calculations.operations import operated
from chatbot.router.dialogue.calculations.orderings import of_some
from chatbot.router.dialogue.calculations.ordinals import placed
from chatbot.router.dialogue.calculations.paces import at_pace
from chatbot.router.dialogue.calculations.pairs import on_both
from chatbot.router.dialogue.calculations.parts import of_others, part
from chatbot.router.dialogue.calculations.periods import for_period
from chatbot.router.dialogue.calculations.pieces import for_one
from chatbot.router.dialogue.calculations.quantities import read_quantities
from chatbot.router.dialogue.calculations.quotients import with_part
from chatbot.router.dialogue.calculations.rates import at_rate
from chatbot.router.dialogue.calculations.reckoning import (
    for_these,
    packed,
    reasked,
    surely_reckoned,
)
from chatbot.router.dialogue.calculations.rewording import of_other_shape, reworded
from chatbot.router.dialogue.calculations.root_degrees import of_degree
from chatbot.router.dialogue.calculations.same_shares import by_same_share
from chatbot.router.dialogue.calculations.scales import in_scale
from chatbot.router.dialogue.calculations.series import summed
from chatbot.router.dialogue.calculations.shares import BASE, of_share
from chatbot.router.dialogue.calculations.shifts import shifted_by
from chatbot.router.dialogue.calculations.solids import sloping
from chatbot.router.dialogue.calculations.steps import (
    IT,
    OPERATIONS,
    chain,
    is_said_of_it,
)
from chatbot.router.dialogue.calculations.summands import with_summand
from chatbot.router.dialogue.calculations.swaps import swapped
from chatbot.router.dialogue.calculations.systems import with_equation
from chatbot.router.dialogue.calculations.takebacks import put_right
from chatbot.router.dialogue.calculations.takings import taken_in
from chatbot.router.dialogue.calculations.told_formulas import in_told_formula
from chatbot.router.dialogue.calculations.told_solids import of_told_shape
from chatbot.router.dialogue.calculations.unequal_shares import unevenly
from chatbot.router.dialogue.calculations.variations import varied
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene, calculate, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED

_SAME_WITH = regex(
    r"\b(?:to samo|tak samo|zrob to|a (?:dla|ze?|gdy\w*|jesli|przy)|jeszcze z|i (?:dla|z))\b"
)
_LIMIT = regex(
    r"\b(gorn|doln)\w+ granic\w+[^\d-]{0,20}(-?\d+(?:[.,]\d+)?)?"
    r"(\s*(?:pi|π))?"
)
_LIMITS = regex(r"\((\w+), ([^,()]+), ([^,()]+)\)")
_LESS = regex(r"\bpo (?:odjeciu|odliczeniu|rabacie|znizce|obnizce)\b")
_MORE = regex(r"\bpo (?:dodaniu|doliczeniu|podwyzce|narzucie)\b")
_BETWEEN = regex(r"\broznic\w+\b")
_MEAN = regex(r"\bsredni\w*\b")
_PER = regex(r"\b(?:na|przypada na|wypada na) (?:kilometr|km|osob\w+|mieszkanca|jedn\w+)")
_SO_MANY = regex(r"\b(\w+) taki(?:ch|e)\b")
_PIECES = regex(
    r"^(?:a|i) (?:gdyby \w+ |za |dla )?(\w+) (?:sztuk\w*|kilo\w*|kg|bilet\w*|osob\w*|par\w?)\W*$"
)
_ROOTS = regex(
    r"\b(?:sum[aeęy]|iloczyn\w*) (?:tych |obu )?(?:pierwiast\w+|rozwiaza\w+|miejsc zerowych|"
    r"wynik\w+)"
)
_PRIMED = regex(r"\b[a-z](?:'|’|′)+ ?\(([-−]?\d+(?:[.,]\d+)?)\)")
_TURNED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "{} - ({})",
        regex(r"\b(?:ile )?brakuje(?: \w+)? do (?:rownych |okraglych |pelnych )?(\w+)"),
    ),
    ("{} - ({})", regex(rf"\bodejm\w* (?:(?:{IT}) )?(?:teraz )?od (\d+(?:/\d+)?|\w+)")),
    ("{} - ({})", regex(rf"\bod (\w+) odejm\w* (?:{IT})")),
    ("({1}) - {0}", regex(r"\bo ile (?:to )?(?:jest )?wiec\w* (?:niz|od) (\w+)")),
    ("{} - ({})", regex(r"\bo ile (?:to )?(?:jest )?mniej\w* (?:niz|od) (\w+)")),
    (
        "100*({1})/{0}",
        regex(
            r"^\D*\b(?:jaki|ile) (?:to )?(?:jest )?(?:w )?proc\w* (?:z |od )?"
            r"(?:liczby |tych |tej |calych |kwoty )?(\d+)\D*$"
        ),
    ),
    (
        "{} - ({})",
        regex(rf"^(?:(?:a|i|no|to|teraz|ile to) )*(\d+) (?:minus|odjac) (?:{IT})\b"),
    ),
    ("{} - ({})", regex(r"\b(?:wy)?starcz\w* (?:mi |nam |na to )?(\d+)\b")),
    (
        "({1})/{0}",
        regex(r"\bjak\w+ (?:to )?(?:jest )?czesc\w* (?:z |od )?(?:liczby |kwoty )?(\d+)\W*$"),
    ),
    ("{} - ({})", regex(r"\breszty\b[^?]{0,30}\bze? (\w+)")),
    (
        "({1})/{0}",
        regex(
            r"\b(?:w|na) (?:euro|dolar\w*|frank\w*|funt\w*|koron\w*|eur|usd|chf|gbp)\b"
            r"[^?\d]{0,16}\b(?:po|kurs\w*) (?:\w+ )?(\d+(?:[.,]\d+)?)"
        ),
    ),
    ("{}/({})", regex(rf"\bpodziel (\w+) przez (?:{IT})\b")),
    ("Mod({1}, {0})", regex(r"\breszt\w+ z dzielenia(?: \w+)? przez (\w+)")),
    ("({1}) - {0}", regex(r"\bmam (\d+)\b.{0,20}\bbrakuje\b")),
    ("{0} - ({1})", regex(r"\b(?:zaplac\w+|dal[ae]m|place|mam) (\d+)\b.{0,30}\breszt\w*")),
    (
        "Mod({1}, {0})",
        regex(r"\b(?:dzieli sie|podzieln\w+|sie dzieli)\b[^?]{0,12} przez (\w+)"),
    ),
)
_WHOLES = {
    "jedynki": 1,
    "jednosci": 1,
    "calosci": 1,
    "dychy": 10,
    "tuzina": 12,
    "kopy": 60,
    "setki": 100,
    "stowki": 100,
    "tysiaca": 1000,
    "tysiaka": 1000,
    "miliona": 10**6,
}
_LONGEST = 24  # words
_OTHER = regex(
    r"\b(?:kto|kiedy|skad|dlaczego|czemu|test\w*|quiz|zadani\w*|wyjasnij|naucz|excel\w*|python\w*|"
    r"kod|wymysl\w*|notat\w+|sobie|dla ciebie|histori\w+|ulubion\w+|po rzymsku|"
    r"mam(?! (?:jeszcze |tez )?(?:bon|kupon|voucher))|mamy|slownie)\b"
)


def follow(scene: Scene) -> Finding:
    """Build the expression that a prompt asks for on the last result or expression."""
    if MATHEMATICS not in scene.offered or scene.size > _LONGEST or _OTHER.search(scene.folded):
        return None
    scene = plainly(scene.past_thanks() if scene.is_active(MATHEMATICS) else scene)
    if several := each(scene):
        return replace(calculate(*several), is_settled=True)
    if asks_for_two(scene):
        both = one_after_another(scene, _expression)
        return calculate(*both) if both else None
    return _single(scene)


def _expression(scene: Scene) -> str | None:
    found = _single(scene)
    return str(found.calls[0].arguments[NEEDED[MATHEMATICS]]) if found else None


def _single(scene: Scene) -> FollowUp | None:
    """The one calculation that the first rule finds."""
    for rule in _RULES:
        if (found := rule(scene)) is not None:
            return replace(
                call(MATHEMATICS, expression=found), is_settled=_settles(rule, found, scene)
            )
    return None


def _settles(rule: Callable[[Scene], str | None], found: str, scene: Scene) -> bool:
    value = last_value(scene.state) if rule is chain else None
    is_plain = value is not None and (is_compound(found, value) or is_said_of_it(scene))
    is_plain = is_plain or (rule is chain and "**" in found and "poteg" in scene.folded)
    return rule in SETTLED or is_plain


def _other_limit(scene: Scene) -> str | None:
    expression = last_expression(scene.state)
    told = _LIMIT.search(scene.folded)
    if told is None or expression is None or (limits := _LIMITS.search(expression)) is None:
        return None
    if not (told[2] or told[3]):
        return None
    new = "*".join(filter(None, ((told[2] or "").replace(",", "."), "pi" if told[3] else "")))
    low, high = (limits[2], new) if told[1] == "gorn" else (new, limits[3])
    return f"{expression[: limits.start()]}({limits[1]}, {low}, {high}){expression[limits.end() :]}"


def _other_number(scene: Scene) -> str | None:
    """Put another number of pieces for the first of the last expression: "a pięć sztuk?"."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None:
        return None
    count = _PIECES.match(scene.folded)
    number = read_number(scene.text[count.start(1) : count.end(1)]) if count else None
    first = re.match(r"\d+(?=\*)", expression)
    if number is None or first is None or _counts_other(scene, first[0]):
        return None
    return f"{number}{expression[first.end() :]}"


def _counts_other(scene: Scene, number: str) -> bool:
    """Whether the last prompt says that a number counts something else than the prompt's own."""
    last = scene.state.last
    told = [one for one in read_amounts(last.prompt) if one.text == number] if last else []
    units = {one.unit for one in read_amounts(scene.text)}
    return bool(told) and not units & {one.unit for one in told}


def _on_roots(scene: Scene) -> str | None:
    """Calculate with the solutions of an equation ("a suma tych pierwiastków?")."""
    last = scene.state.last
    if last is None or not _ROOTS.search(scene.folded):
        return None
    roots = [plain(found) for found in re.findall(r"= ([-−]?\d+(?:[,/]\d+)?)", last.reply)]
    expressions = [str(made.arguments.get("expression")) for made in last.calls]
    if not roots[1:] or not any("solve" in expression for expression in expressions):
        return None
    sign = " + " if re.search(r"\bsum", scene.folded) else "*"
    return sign.join(f"({root})" for root in roots)


def at_derivative(scene: Scene) -> str | None:
    """Give the value of the last derivative at a point: "ile wynosi f'(-2)"."""
    value = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    primed = _PRIMED.search(scene.text)
    if value is None or primed is None or not value.startswith("diff("):
        return None
    return f"limit({value}, {variable_of(value)}, {plain(primed[1])})"


def turned(scene: Scene) -> str | None:
    """Subtract the result from a number ("ile brakuje do 100?", "odejmij wynik od 200")."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    if value is None or not is_number(value):
        return None
    for form, pattern in _TURNED:
        if (found := pattern.search(scene.folded)) is not None:
            if found[1] == "calosci" and (rest := part(scene)) is not None:
                return rest
            number = _WHOLES.get(found[1]) or read_number(scene.text[found.start(1) : found.end(1)])
            return (
                None
                if number is None
                else form.format(plain(str(found[1])) if found[1][0].isdigit() else number, value)
            )
    return None


def _same_with(scene: Scene) -> str | None:
    """Replace the only number of the last expression ("zrób to jeszcze z 9991")."""
    if not scene.is_active(MATHEMATICS) or not _SAME_WITH.search(scene.folded):
        return None
    if any(pattern.search(scene.folded) for _, pattern in OPERATIONS):
        return None
    if len(read_amounts(scene.text)) != 1:
        return None
    rules = (correct, part, varied, longer, exchanged)
    return next((found for rule in rules if (found := rule(scene)) is not None), None)


def _of_base(scene: Scene) -> str | None:
    """Take a share from what it is a share of ("po odjęciu tego rabatu")."""
    last = scene.state.last
    less, more = _LESS.search(scene.folded), _MORE.search(scene.folded)
    part = last_value(scene.state)
    if last is None or part is None or not (less or more) or read_figures(scene.text):
        return None
    base = BASE.search(fold_evenly(f"{last.prompt}; {last.reply}"))
    if base is None:
        return None
    return f"{plain(base[1])} {'-' if less else '+'} ({part})"


def _on_figures(scene: Scene) -> str | None:
    """Calculate with the numbers of the last reply: difference, mean, so many of them, a share."""
    last = scene.state.last
    if last is None or scene.is_active(MATHEMATICS) or read_figures(scene.text):
        return None
    figures = [
        figure
        for figure in read_figures(last.reply)
        if not YEAR.match(figure) or "m n.p.m" in last.reply
    ]
    if len(figures) == 1 and (many := _SO_MANY.search(scene.folded)) is not None:
        count = read_number(scene.text[many.start(1) : many.end(1)])
        return None if count is None else f"{count}*({figures[0]})"
    told = [one for one in read_quantities(last.reply) if one.text in figures or one.is_year]
    is_alike = len({one.unit for one in told}) == 1 or len(told) != len(figures)
    if len(figures) == 2 and is_alike:  # noqa: PLR2004 - two numbers
        one, other = figures
        if _BETWEEN.search(scene.folded):
            return f"({one}) - ({other})"
        if _MEAN.search(scene.folded):
            return f"(({one}) + ({other}))/2"
        if _PER.search(scene.folded):
            return f"({one})/({other})"
    return None


_RULES: tuple[Callable[[Scene], str | None], ...] = (
    in_told_formula, unevenly, layered, sloping, with_equation, neighbouring_prime, enclosed,
    remarked, with_inner,
    with_exponent, with_summand, with_sign, with_part, of_some, of_told_shape, in_scale, for_all,
    taken_in, another_such, of_others, priced_after_change, operated, in_other_form, of_other_shape,
    of_digits, shifted_by, at_rate, aimed, of_factors, taken_apart, of_degree, by_same_share,
    at_pace, turned, apart, resized, reasked, packed, for_period, for_one, of_items, of_such,
    as_many, summed, placed, on_both, swapped, put_right, at_derivative, at_point, with_other_side,
    of_other, of_same, charged, put_to, for_each, gained, priced, joined, edited,
    compared_with_before, _other_limit, correct, _other_number, _same_with, _of_base, of_share,
    _on_roots, for_these, surely_reckoned, surely_compared, _on_figures, longer, reworded, chain,
)  # fmt: skip

SETTLED: tuple[Callable[[Scene], str | None], ...] = (
    in_told_formula, unevenly, layered, sloping, with_equation, neighbouring_prime, enclosed,
    remarked, with_inner,
    with_exponent, with_summand, with_part, of_some, of_told_shape, in_scale, for_all, taken_in,
    another_such, of_others, priced_after_change, correct, longer, operated, in_other_form,
    of_other_shape, of_digits, shifted_by, of_degree, by_same_share, at_pace, at_rate, swapped,
    put_right, _other_number, of_same, with_sign, charged, turned, for_these, surely_reckoned,
    packed, priced,
)  # fmt: skip
"""Rules for prompts that say themselves what is done, taken back, or changed by how much."""
