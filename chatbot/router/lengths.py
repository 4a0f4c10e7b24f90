"""Tells a long text that somebody pasted from a long message that asks for a tool."""

from collections.abc import Iterable, Iterator

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.limits import RouterLimits
from chatbot.types import RouterView, ToolSpec

_WORD = regex(r"\w{4,}")
_STEM = 5  # characters: enough to join the forms of one word, as "pogoda" and "pogodę"
_EVERYWHERE = frozenset([
    "bedzi",
    "bylby",
    "dobrz",
    "gdzie",
    "jaka",
    "jaki",
    "jakic",
    "jakie",
    "jego",
    "jest",
    "kiedy",
    "ktora",
    "ktore",
    "ktory",
    "moge",
    "moja",
    "moze",
    "mozes",
    "mozna",
    "mnie",
    "oraz",
    "prosz",
    "przez",
    "przy",
    "tego",
    "temu",
    "tylko",
    "wiedz",
])


def is_long_text(view: RouterView, limits: RouterLimits) -> bool:
    """Whether the prompt is so long that no tool is meant, unless one is spoken of at an end."""
    if len(view.prompt) <= limits.long_text_chars:
        return False
    ends = f"{view.prompt[: limits.end_chars]} {view.prompt[-limits.end_chars :]}"
    return _tool_stems(view.tools).isdisjoint(_stems(ends))


def _tool_stems(tools: Iterable[ToolSpec]) -> set[str]:
    return {
        stem for tool in tools for text in (tool.title, *tool.examples) for stem in _stems(text)
    }


def _stems(text: str) -> Iterator[str]:
    for word in _WORD.findall(fold(text)):
        if (stem := word[:_STEM]) not in _EVERYWHERE:
            yield stem
