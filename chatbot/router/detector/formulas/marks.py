"""Write school marks one by one where a mean is asked for: "dwie piątki" is 5, 5."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_AVERAGED = regex(r"\b(?:sredni|median|dominant)")
_COUNTS = {"dwie": 2, "trzy": 3, "cztery": 4, "piec": 5, "szesc": 6}
_COUNTED = regex(
    r"\b(?P<count>dwie|trzy|cztery|piec|szesc|[2-6]) "
    r"(?P<mark>(?:jedyn|dwoj|troj|czwor|piat|szost)(?:k|eczk)|troj|dwoj|czwor|pion)"
    r"(?:i|e|y|ek|eczek)\b"
)


def say_marks(text: str) -> str:
    """Return the text with so many marks in the place of their count."""
    folded = fold_evenly(text)
    if not _AVERAGED.search(folded):
        return text
    for found in reversed(list(_COUNTED.finditer(folded))):
        count = _COUNTS.get(found["count"]) or int(found["count"])
        said = ", ".join([f"{found['mark']}a"] * count)
        text = f"{text[: found.start()]}{said}{text[found.end() :]}"
    return text
