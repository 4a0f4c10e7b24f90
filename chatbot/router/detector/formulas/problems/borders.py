"""A rectangle with a border of one width around it: a picture in its frame, a lawn and its path."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_BORDER = (
    r"(?:ram(?:a|y|ie|e|ka|ki|ke|ce)|sciez\w+|chodnik\w*|margines\w*|passe\w*|obramow\w*|obwodk\w*|"
    r"bordiur\w*|alejk\w*|opask\w*|obrzez\w*|lamowk\w*)"
)
_SIZES = Guarded(
    r"(?<![\w.])(?P<a>\d+(?:\.\d+)?)(?: (?:cm|m|mm))? (?:na|x|\*|i) "
    r"(?P<b>\d+(?:\.\d+)?) ?(?P<unit>cm|m|mm)?\b"
)
_AROUND = Guarded(rf"\b{_BORDER}\b")
_EVERYWHERE = regex(
    r"\b(?:z (?:kazdej|obu|wszystkich|4) stron\w*|ze wszystkich stron|wokol|dookola|dokola|naokolo|"
    r"szerok\w+)\b"
)
_AREA = regex(r"\b(?:pol[ea]|powierzchni\w*)\b")
_GIVEN_WHOLE = regex(
    rf"\b(?:w|z|wraz z|razem z) (?:{_BORDER} (?:ma|mial\w?|o wymiarach|ma wymiary)|{_BORDER} \d)"
    rf"|\b{_BORDER} (?:ma |o wymiarach )?\d+(?:\.\d+)? (?:na|x|\*)"
    r"|\b(?:od srodka|od wewnatrz|po wewnetrznej|wewnatrz|kartk\w+|stron\w+ (?:ma|o)|arkusz\w*)\b"
)
_ASKED_INNER = regex(
    rf"\bbez (?:tej |samej )?{_BORDER}|\b(?:zadruk\w*|do druku|na tekst|wewn\w+|samego|"
    rf"samej (?!{_BORDER})|pozostal\w+|zosta\w+|trawnik\w*|widoczn\w+)\b"
)
_ASKED_WHOLE = regex(
    rf"\b(?:z|wraz z|razem z|lacznie z) {_BORDER}|\b(?:calosc\w*|calego|calej|lacznie|razem)\b"
)
_ASKED_BORDER = regex(rf"\b(?:pol[ea]|powierzchni\w?)(?: ma)?(?: samej| samego)? {_BORDER}\b")


def read_border(statement: Statement) -> str | None:
    """Return the area of the inner rectangle, of the whole, or of the border alone."""
    words, numbers = statement.words, statement.quantities
    is_framed = _AROUND.search(words) and _EVERYWHERE.search(words) and _AREA.search(words)
    sizes = _SIZES.search(words) if is_framed else None
    if sizes is None or len(numbers) != 3:  # noqa: PLR2004 - two sides, a width
        return None
    width = next((one for one in numbers if one.text not in {sizes["a"], sizes["b"]}), numbers[-1])
    if width.unit in {"cm", "m", "mm"} and sizes["unit"] and width.unit != sizes["unit"]:
        return None
    a, b, twice = sizes["a"], sizes["b"], f"2*{width.text}"
    asked = statement.question
    is_whole_given = bool(_GIVEN_WHOLE.search(words.removesuffix(asked))) or bool(
        re.search(rf"\bbez {_BORDER}", asked)
    )
    sign = "-" if is_whole_given else "+"
    other = f"({a} {sign} {twice})*({b} {sign} {twice})"
    if _ASKED_BORDER.search(asked):
        return f"{a}*{b} - {other}" if is_whole_given else f"{other} - {a}*{b}"
    is_asked = (_ASKED_INNER if is_whole_given else _ASKED_WHOLE).search(asked)
    return other if is_asked else None
