"""A root of another degree, named by its degree alone: "a sześcienny z 3375?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.scene import Scene

_DEGREE = regex(
    r"^(?:\W*\b(?:a|i|to|no|teraz|jeszcze|ten|jaki|ile|podaj|policz|oblicz|prosze|mi|jest|"
    r"wynosi)\b)*\W*"
    r"(?P<root>(?:szescienn\w+|kwadratow\w+|(?:trzeci|czwart|piat|szost)ego stopnia) "
    r"(?:z|ze) (?:liczby )?\d[\d ]*(?:[.,]\d+)?)"
)
_ROOT = regex(r"\bpierwiast|√")


def of_degree(scene: Scene) -> str | None:
    """Read the degree as that of a root where the prompt before asked for one."""
    last, found = scene.state.last, _DEGREE.match(scene.folded)
    if last is None or found is None or not _ROOT.search(fold_evenly(last.prompt)):
        return None
    said = scene.text[found.start("root") : found.end("root")].strip()
    formula = read_formula(f"pierwiastek {said}")
    return None if formula is None else formula.expression
