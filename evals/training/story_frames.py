"""Stories drawn from frames: wordings to choose from, quantities in ranges, their results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from evals.training.noise import roughen
from evals.training.story_trees import value_of_expression
from evals.training.templates import expand

FRAMES = Path(__file__).with_name("story_frames.txt")
COPIES = 3
"""How many stories are drawn from each frame."""

_TRIES = 12
_NEAR = 1e-6
_SLOT = re.compile(
    r"\{(?P<letter>[a-f]):(?P<least>[\d.]+)-(?P<most>[\d.]+)(?:/(?P<step>[\d.]+))?"
    r"(?: (?P<nouns>[^{}]*))?\}"
)
_LETTER = re.compile(r"\b[a-f]\b")
_HE: Sequence[str] = ("Adam", "Kuba", "Tomek", "Piotrek", "Michał", "Bartek", "Staś", "Igor")
_SHE: Sequence[tuple[str, str]] = (
    ("Zosia", "Zosi"), ("Ola", "Oli"), ("Magda", "Magdy"), ("Kasia", "Kasi"), ("Hania", "Hani"),
    ("Basia", "Basi"), ("Ewa", "Ewy"), ("Lena", "Leny"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class _Drawn:
    """Values of the quantities of a frame, as they are written in an expression."""

    texts: Mapping[str, str]
    is_distinct: bool


def frame_rows(path: Path, *, seed: int, copies: int = COPIES) -> Iterator[tuple[str, list[str]]]:
    """Draw stories with their right expressions; a line is a frame, a tab, an expression.

    In a frame ``<one|two>`` chooses, ``{a:2-9}`` is a quantity, ``{a:1-5/0.5}`` one in steps, and
    ``{a:2-9 zeszyt,zeszyty,zeszytów}`` has its noun with it; ``{On}`` and ``{Ona}`` are names.
    """
    random = Random(seed)  # noqa: S311 - training examples, no secret
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            frame, expression = line.split("\t")
            for _ in range(copies):
                yield _story(frame, expression, random)


def _story(frame: str, expression: str, random: Random) -> tuple[str, list[str]]:
    (told,), expressions = draw([frame], [expression], random)
    return roughen(told, random), expressions


def draw(
    frames: Sequence[str], expressions: Sequence[str], random: Random
) -> tuple[list[str], list[str]]:
    """Return texts and their expressions with the same quantities.

    Of some draws the first whose numbers differ and whose results are not odd.
    """
    texts = [expand(frame, random=random, fill=str) for frame in frames]
    slots = [slot for text in texts for slot in _SLOT.finditer(text)]
    drawn = _draw(slots, random)
    for _ in range(_TRIES):
        if drawn.is_distinct and all(_is_neat(_filled(one, drawn)) for one in expressions if one):
            break
        drawn = _draw(slots, random)
    names = {"On": random.choice(_HE), "On2": random.choice(_HE[::-1])}
    names["Ona"], names["Ony"] = random.choice(_SHE)
    told = [_SLOT.sub(lambda found: _said(found, drawn), text) for text in texts]
    for key, name in names.items():
        told = [text.replace(f"{{{key}}}", name) for text in told]
    return told, [_filled(one, drawn) for one in expressions]


def _draw(slots: Sequence[re.Match[str]], random: Random) -> _Drawn:
    texts: dict[str, str] = {}
    for slot in slots:
        step = float(slot["step"] or 1)
        count = round((float(slot["most"]) - float(slot["least"])) / step)
        value = float(slot["least"]) + step * random.randint(0, count)
        texts[slot["letter"]] = f"{value:.2f}".rstrip("0").rstrip(".")
    return _Drawn(texts=texts, is_distinct=len(set(texts.values())) == len(texts))


def _filled(expression: str, drawn: _Drawn) -> str:
    return _LETTER.sub(lambda found: drawn.texts[found[0]], expression)


def _is_neat(expression: str) -> bool:
    """Whether people would choose such numbers: the result is above nought and short."""
    value = value_of_expression(expression)
    if value is None or value <= 0:
        return False
    is_exact = "pi" in expression or "sqrt" in expression
    return is_exact or abs(value * 100 - round(value * 100)) < _NEAR


def _said(slot: re.Match[str], drawn: _Drawn) -> str:
    text = drawn.texts[slot["letter"]]
    number = text.replace(".", ",")
    if not slot["nouns"]:
        return number
    one, few, many = slot["nouns"].split(",")
    if "." in text:
        return f"{number} {few}"
    count = int(text)
    is_few = count % 10 in {2, 3, 4} and count % 100 not in {12, 13, 14}
    return f"{number} {one if count == 1 else few if is_few else many}"
