"""What a prompt takes back of the last question, in words or symbols, put right in it."""

import re
from dataclasses import dataclass

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.rereading import is_same
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_LEADS = (
    r"^(?:(?:a|i|no|to|oj|ojej|ups|o|ach|kurde|sorry|sorki|sory|przepraszam|pomylka|czekaj|jednak|"
    r"powin\w+|zle|wroc|poprawka|jak|jakby|gdyby|gdy|jesli|bedzie|jest|bylo|byl|byla|bylby|"
    r"mial[aoy]?|byc|chodzi\w*|"
    r"mi|w|tam|tu|z|ze|od|dla|nie(?= nie\b)|policz|daj|mial\w+ na mysli|pomylil\w+|co|byloby|"
    r"nawiasie|srodku|liczniku|mianowniku|gorze|dole|potedze|wykladniku|funkcji|dam|"
    r"wezme|wstawie|wpisze|do potegi|potega|wykladnik)\b[ ,.!:–-]*)*"
)
_MEANT = r"(?:(?: (?:mial[aoy]?|powin\w+|ma|tam|przeciez))+ byc| chcial\w+| poprosze| prosze)?"
_PUT = r"(?:daj|dac|wez|wstaw|wpisz|niech bedzie|bedzie|byloby|byl[aoy]?|jest|ma byc|policz|z|ze|o)"
_INSTEAD = r"(?:zamiast|w miejsc[eu])"
_OF = r"(?:(?:o|z|ze|od) )?"
_FORMS = tuple(
    regex(rf"{_LEADS}{form}{_MEANT}[ ?.!…]*$")
    for form in (
        rf"nie {_OF}(?P<old>[^,;]+?)(?:,? (?:tylko|lecz|ale|a)| ?,) {_OF}(?P<new>[^,;]+?)",
        rf"(?P<new>[^,;]+?){_MEANT},? (?:a )?nie {_OF}(?P<old>[^,;]+?)",
        rf"{_INSTEAD} (?P<old>[^,;]+?)(?:,| {_PUT})+ (?P<new>[^,;]+?)",
        rf"{_INSTEAD} (?P<old>\S+) (?P<new>[^,;]+?)",
        rf"(?P<new>[^,;]+?) {_INSTEAD} (?P<old>[^,;]+?)",
    )
)
RAISED = str.maketrans({"²": "^2", "³": "^3", "⁴": "^4", "−": "-", "·": "*"})
_RAISED_TO = regex(r"\b(?:do poteg|potega|potedze|wykladnik)\w*\b")
_NUMBER = regex(r"[-+]?\d+(?:[.,]\d+)?")
_SYMBOL = regex(r"[*^/()]|\b\d*[xyntke]\b")
_DERIVED = regex(r"^diff\((.+), [a-z]\)$")
_LONGEST = 14


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenBack:
    """What is taken back and what is meant in its place, as the prompt says them."""

    old: str
    new: str


def taken_back(scene: Scene) -> TakenBack | None:
    """Part "nie pole, tylko obwód", "cos zamiast sin"; ``None`` where nothing is taken back."""
    text = scene.text.translate(RAISED)
    folded = fold_evenly(text)
    found = next((one for form in _FORMS if (one := form.match(folded))), None)
    if found is None or scene.size > _LONGEST:
        return None
    old, new = (text[found.start(name) : found.end(name)].strip() for name in ("old", "new"))
    return TakenBack(old=old, new=new)


def put_right(scene: Scene) -> str | None:
    """Read the last question with what is meant in the place of what is taken back."""
    expression, last = last_expression(scene.state), scene.state.last
    taken = taken_back(scene) if scene.is_active(MATHEMATICS) else None
    if expression is None or last is None or taken is None or _is_amount(taken.old):
        return None
    if _RAISED_TO.search(scene.folded):
        return _to_power(expression, taken)
    told = last.prompt.translate(RAISED)
    at = [one.span() for one in _said(taken.old).finditer(fold_evenly(told))]
    if len(at) == 1:
        before, after = read_formula(told), read_formula(_put(told, at[0], taken.new))
        if before and after and is_same(before.expression, expression):
            return after.expression if after.expression != before.expression else None
    return _in_expression(expression, taken)


def _to_power(expression: str, taken: TakenBack) -> str | None:
    """Put one exponent for another where only one is so: "do potęgi 2n zamiast n"."""
    old, new = as_term(taken.old), as_term(taken.new)
    raised = (
        []
        if old is None
        else [
            one.span(1)
            for one in re.finditer(rf"\*\*(\(?{re.escape(old)}\)?)(?![\w*(])", expression)
        ]
    )
    return _put(expression, raised[0], f"({new})") if new is not None and len(raised) == 1 else None


def _is_amount(part: str) -> bool:
    """Whether a part is a number and what it counts, not a term: "24 krzesła"."""
    return _NUMBER.match(part) is not None and _SYMBOL.search(part) is None


def _put(text: str, at: tuple[int, int], new: str) -> str:
    return f"{text[: at[0]]}{new}{text[at[1] :]}"


def _said(part: str) -> re.Pattern[str]:
    """A part wherever it stands as a whole, however it is spaced."""
    written = r"\s*".join(re.escape(one) for one in re.findall(r"\w+|[^\w\s]", fold_evenly(part)))
    return re.compile(rf"(?<![\w^]){written}(?![\w^])")


def _in_expression(expression: str, taken: TakenBack) -> str | None:
    """Put one term for another in what was calculated."""
    old, new = as_term(taken.old), as_term(taken.new)
    if old is None or new is None:
        return None
    at = [one.span() for one in re.finditer(rf"(?<![\w.]){re.escape(old)}(?![\w.])", expression)]
    return _put(expression, at[0], new) if len(at) == 1 else None


def as_term(text: str) -> str | None:
    """A term with a variable as an expression writes it."""
    read = read_formula(f"pochodna {text}")
    inner = _DERIVED.match(read.expression) if read and read.share == 1 else None
    return inner[1] if inner else None
