"""Another term, and other bounds, of the last sum or product: "a z k^3 w środku i do 30?"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.figures import last_expression, plain
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_ADDED = regex(
    r"^(?P<name>summation|product)\((?P<f>.+), \((?P<k>[a-z]), (?P<a>[^,()]+), (?P<b>[^,()]+)\)\)$"
)
_BOUNDS = regex(
    r"[,;]? ?(?:i |a |oraz |dla [a-z] )?(?:od (?P<a>[-−]?\d+) )?do (?P<b>\d+|niesk\w+|∞)\b"
)
_ENDLESS = ("n", "∞")
_LEADS = regex(
    r"^(?:(?:a|i|no|ok|to|samo|teraz|jak|gdyby|jakby|jesli|tylko|bylo|jest|bedzie|z|ze|dla|dodawac|sumowac|dodajemy|sumujemy|zsumuj|dodaj|"
    r"w srodku|pod suma|pod znakiem sumy|suma|wyrazy|wyrazem)\b[ ,:]*)*"
)
_TRAILS = regex(
    r"(?:[ ,]*\b(?:w srodku|pod suma|pod znakiem sumy|jako wyraz|zamiast .*|i|a|oraz))*[\s?.!,$]*$"
)
_DERIVED = regex(r"^diff\((.+), x\)$")
_LONGEST = 16


def with_summand(scene: Scene) -> str | None:
    """Add up the term that the prompt names, within its bounds where it names any."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    added = _ADDED.match(expression) if expression else None
    if added is None or scene.size > _LONGEST:
        return None
    bounds = _BOUNDS.search(scene.folded)
    start, end = bounds.span() if bounds else (len(scene.text), len(scene.text))
    term = _term(f"{scene.text[:start]}{scene.text[end:]}", scene, added["k"])
    if term is None:
        return None
    low = plain(bounds["a"]) if bounds and bounds["a"] else added["a"]
    high = bounds["b"] if bounds else added["b"]
    high = "oo" if high.startswith(_ENDLESS) else high
    return f"{added['name']}({term}, ({added['k']}, {low}, {high}))"


def _term(text: str, scene: Scene, letter: str) -> str | None:
    """What is added up, as an expression of the letter that counts."""
    said = scene.within(text.replace("$", "").strip())
    led, trailed = _LEADS.match(said.folded), _TRAILS.search(said.folded)
    rest = said.text[led.end() if led else 0 : trailed.start() if trailed else None].strip()
    found = regex(rf"(?<![a-z]){letter}(?![a-z])")
    if letter == "x" or not rest or not found.search(rest) or "x" in rest:
        return None
    read = read_formula(f"pochodna {found.sub('x', rest)}")
    inner = _DERIVED.match(read.expression) if read and read.share == 1 else None
    return regex(r"\bx\b").sub(letter, inner[1]) if inner else None
