"""Calculations with two or more results of before: "drugi wynik podziel przez pierwszy"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.comparing import alike_figures
from chatbot.router.dialogue.calculations.figures import plain, shown_value
from chatbot.router.dialogue.calculations.stories import told
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_BOTH = regex(
    r"\b(?:oba|obie|obu|obydw\w+|jedn[aoey]\w* (?:i|przez|od|do|z|razy) drug\w+|"
    r"drug\w+ (?:\w+ ){0,3}(?:przez|od|do|z|razy|plus|minus) pierwsz\w+|"
    r"pierwsz\w+ (?:\w+ ){0,3}(?:przez|od|do|z|razy|plus|minus|i) drug\w+|"
    r"te (?:dwa|dwie) |t(?:e|ych|ymi|ymi) (?:dw\w+|wynik\w*|liczb\w*|rozwiaz\w+|pierwiast\w+)|"
    r"(?:ten|to|tego|nim) \w* ?(?:i|z|do|od|przez) poprzedni\w*|"
    r"poprzedni\w* (?:wynik\w* )?(?:i|z|do|od|przez) (?:ten|tego|tym|to)\b)"
)
_ALL = regex(r"\bwszystki\w*\b.{0,16}\b(?:wynik\w*|trz\w+|cztery|kwot\w*|liczb\w*|razem)\b")
_SIGNS = (
    ("/", regex(r"\bpodziel\w*|\bdziel(?:one|ac)\b|\biloraz\w*|\bstosun\w+|\bile razy\b")),
    ("*", regex(r"\b(?:wy|po|prze)?mnoz\w*|\biloczyn\w*|\brazy\b")),
    ("%", regex(r"\bproc\w*|%|\bodsetek")),
    ("mean", regex(r"\bsredni\w*|\busredni\w*")),
    ("-", regex(r"\bodejm\w*|\bodjac\b|\broznic\w*|\bminus\b|\bo ile\b")),
    (
        "+",
        regex(r"\bdoda\w*|\bsum[aeęyo]\w*|\bzsumuj\w*|\bplus\b|\brazem\b|\blacznie\b|\bdo kupy\b"),
    ),
)
_ROOT = regex(r"= ?([-−]?\d+(?:[,./]\d+)?)")
_FIRST, _SECOND = regex(r"\bpierwsz\w+"), regex(r"\bdrug\w+")
_TAKES_FROM = regex(r"\bod\b")
_TWO = 2


def on_both(scene: Scene) -> str | None:
    """Join the last two results, or all of them, by what the prompt names."""
    is_all = _ALL.search(scene.folded) is not None
    if not (is_all or _BOTH.search(scene.folded)):
        return None
    said = _BOTH.search(scene.folded)
    rest = scene.text[: said.start()] + scene.text[said.end() :] if said else scene.text
    amounts = read_amounts(rest)
    sign = next((sign for sign, pattern in _SIGNS if pattern.search(scene.folded)), None)
    values = _values(scene, everything=is_all)
    if len(values) < _TWO or (sign is None and not amounts):
        return None
    if amounts:
        return told(scene.within(rest), f"({' + '.join(f'({value})' for value in values)})")
    if sign is None:
        return None
    if sign in {"+", "mean"} or len(values) > _TWO:
        total = f" {'*' if sign == '*' else '+'} ".join(f"({value})" for value in values)
        return f"({total})/{len(values)}" if sign == "mean" else total
    one, other = _ordered(scene, values, sign)
    return f"100*({one})/({other})" if sign == "%" else f"({one}) {sign} ({other})"


def _values(scene: Scene, *, everything: bool) -> list[str]:
    """The solutions of the last equation; else the last results, oldest first; else figures."""
    last = scene.state.last
    expressions = scene.state.values(MATHEMATICS, "expression")
    if last is not None and expressions and expressions[0].startswith("solve("):
        roots = [plain(found) for found in _ROOT.findall(last.reply)]
        if len(roots) == _TWO and scene.is_active(MATHEMATICS):
            return roots
    if len(expressions) >= _TWO and scene.is_active(MATHEMATICS):
        return list(reversed(expressions if everything else expressions[:2]))
    is_told = not scene.is_active(MATHEMATICS)
    return [one.text for one in alike_figures(scene)] if is_told else []


def _ordered(scene: Scene, values: Sequence[str], sign: str) -> tuple[str, str]:
    """Which of two is divided, or taken from: as the prompt says, else the greater first."""
    one, other = values
    first, second = _FIRST.search(scene.folded), _SECOND.search(scene.folded)
    if first and second:
        is_turned = second.start() < first.start()
        one, other = (other, one) if is_turned else (one, other)
        is_from = sign == "-" and _TAKES_FROM.search(scene.folded)
        return (other, one) if is_from else (one, other)
    if sign == "-" or (sign == "/" and "jedn" not in scene.folded):
        sizes = [shown_value(scene.state, value) for value in values]
        if None not in sizes and (sizes[0] or 0) < (sizes[1] or 0):
            return other, one
    return one, other
