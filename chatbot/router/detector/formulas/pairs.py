"""Say the two numbers again that a prompt points back to: "ich różnica", "suma tych liczb"."""

import re

from chatbot.language.literals import Guarded
from chatbot.router.detector.spans import fold_evenly

_OPERATION = (
    r"(?:(?:kwadrat|szescian)(?:u|em|owi)? )?"
    r"(?:sum[aeyę]|iloczyn(?:u|em|owi)?|roznic[aeyę]|iloraz(?:u|em|owi)?|sredni\w+ arytmetyczn\w+)"
    r"(?: (?:kwadratow|szescianow))?"
)
_N = r"\d+(?:[.,]\d+)?(?:/\d+)?"
_NUMBERS = rf"(?:liczb )?(?P<one>{_N}) (?:i|oraz) (?P<other>{_N})(?![\d,./]*\d| ?[*^+:-] ?\d)"
_NAMED = Guarded(rf"\b(?P<operation>{_OPERATION}) {_NUMBERS}")
_THEM = r"(?:ich|(?:tych(?:ze)?|obu|dwoch|dwu)(?: (?:samych|dwoch|dwu|obu))*(?: liczb)?)\b"
_BACK = Guarded(
    rf"\b(?P<operation>{_OPERATION}) {_THEM}(?! (?:sum|roznic|ilorazo?|iloczyn|kwadratow))"
    rf"|\b(?P<outer>(?:kwadrat|szescian|sum|roznic|polow|pierwiast)\w*(?: z)? )?"
    rf"ich (?P<inner>{_OPERATION}|kwadratow|szescianow)\b(?! ?\()"
)
_TWO_AT_ONCE = Guarded(
    rf"\b(?P<outer>{_OPERATION}) (?P<first>{_OPERATION}) (?:i|oraz|przez) (?P<second>{_OPERATION}) "
    rf"{_NUMBERS}"
)


def name_pair_again(text: str) -> str:
    """Write the numbers wherever an operation is said of two that were named before."""
    folded = fold_evenly(text)
    if both := _TWO_AT_ONCE.search(folded):
        numbers = f"{both['one']} i {both['other']}"
        said = f"{both['outer']} ({both['first']} {numbers}) i ({both['second']} {numbers})"
        return f"{text[: both.start()]}{said}{text[both.end() :]}"
    named = _NAMED.search(folded)
    if named is None or not _BACK.search(folded[named.end() :]):
        return text
    numbers = f"{named['one']} i {named['other']}"

    def again(found: re.Match[str]) -> str:
        if found["operation"]:
            return f"({found['operation']} {numbers})"
        outer, inner = found["outer"] or "", found["inner"]
        if inner.startswith(("kwadratow", "szescianow")):
            return f"({outer}{inner} {numbers})"
        return f"{outer}({inner} {numbers})"

    before, behind = folded[: named.start()], folded[named.end() :]
    return f"{before}({named['operation']} {numbers}){_BACK.sub(again, behind)}"
