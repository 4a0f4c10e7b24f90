"""Expand templates: ``<a|b>`` chooses one of several texts, ``{slot}`` is filled with a value."""

import re
from collections.abc import Callable
from importlib.resources import files
from random import Random

_CHOICE = re.compile(r"<([^<>{}]*(?:\{[^{}]*\}[^<>{}]*)*)>")
_SLOT = re.compile(r"\{([a-z_]{3,}(?::[a-z]+)?)\}")
_SPACES = re.compile(r" {2,}")
_BEFORE_MARK = re.compile(r" +([,?!.])(?=\s|$)")


def load_templates(name: str) -> tuple[str, ...]:
    """Read ``templates/<name>.txt`` and ``<name>_*.txt``: one template a line, ``#`` comments."""
    folder = files("evals.training") / "templates"
    found = sorted(
        (path for path in folder.iterdir() if path.name.removesuffix(".txt").split("_")[0] == name),
        key=lambda path: path.name,
    )
    lines = (line.strip() for path in found for line in path.read_text("utf-8").splitlines())
    return tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def expand(template: str, *, random: Random, fill: Callable[[str], str]) -> str:
    """Make one prompt of a template."""
    text = template
    while _CHOICE.search(text):
        text = _CHOICE.sub(lambda found: random.choice(found[1].split("|")), text)
    text = _SLOT.sub(lambda found: fill(found[1]), text)
    return _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip()
