"""Titles of conversations: the first words of a message, or what the default model suggests."""

from dataclasses import dataclass, replace
from typing import Final

import anyio

from chatbot.bot.equipment import Equipment
from chatbot.bot.hearing import Wish, hear, quote
from chatbot.bot.record import Record
from chatbot.errors import SensitiveContent
from chatbot.prompts import load
from chatbot.sanitizer import LinkPolicy, guard_text
from chatbot.sanitizer.sensitive import Safety
from chatbot.types import Leg, Sampling, TurnRequest

MATERIAL_CHARS: Final = 1_000
"""Characters of the question, and of the answer, that the model reads."""
FIRST_WORDS_CHARS: Final = 60
LONGEST: Final = 80
"""Characters of a title; what a model says beyond that is no title."""
_TOKENS: Final = 48
_TEMPERATURE: Final = 0.2
_PRIORITY: Final = 1
"""Behind every answer: nobody waits for a title."""
_MOST_HEARD: Final = 1_000
_LABEL: Final = "tytuł:"
_READ_CHARS: Final = 8
"""Of a text so many times the longest title is read: blanks and marks are left out of it."""
_STOPS: Final = " .,;:–—-"
_MARKS: Final = " `~#>*_=|-+"
_QUOTES: Final = " „”“\"'«»‚’‘`*_"
_DIRECTIONS: Final = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """A title, where the model gave one that can be used, and what asking for it cost."""

    title: str | None
    legs: tuple[Leg, ...]


def first_words(text: str, *, longest: int = FIRST_WORDS_CHARS) -> str:
    """The beginning of ``text`` as a title: one guarded line of at most ``longest`` characters.

    It is cut between words where it can be; empty where the text has nothing to show.
    """
    return _as_line(text, longest=longest, links=None)


def _as_line(text: str, *, longest: int, links: LinkPolicy | None) -> str:
    read = text[: _READ_CHARS * longest].translate(_DIRECTIONS)
    line = guard_text(" ".join(read.split()).lstrip(_MARKS), links=links)
    line = " ".join(line.split())
    if len(line) <= longest and len(text) <= _READ_CHARS * longest:
        return line
    words, _, rest = line[:longest].rpartition(" ")
    cut = words or rest[:-1]
    return f"{cut.rstrip(_STOPS)}…" if cut else ""


async def suggest_title(
    equipment: Equipment, request: TurnRequest, answer: str, *, longest: int, limit_s: float
) -> Suggestion:
    """Ask the default model what a conversation that began so should be called.

    Where it is no language model, takes longer than ``limit_s`` seconds, fails, or says what is no
    title of at most ``longest`` characters, there is none. No tools are offered.
    """
    said: list[str] = []
    finish = None
    async with anyio.create_task_group() as group:
        record = Record(message_id=request.message_id, clock=equipment.clock, group=group)
        if equipment.phrases:
            with anyio.move_on_after(limit_s) as scope:

                async def listen(piece: str) -> None:
                    said.append(piece)
                    if sum(map(len, said)) > _MOST_HEARD:
                        scope.cancel()

                plain = replace(request, sampling=Sampling())
                finish = await hear(equipment, plain, record, _wish(request, answer), listen)
    is_whole = finish is not None and finish != "length"
    links = equipment.links(request)
    title = _read("".join(said), min(longest, LONGEST), links) if is_whole else None
    return Suggestion(title=_screen(equipment.safety, title), legs=tuple(record.legs))


def _screen(safety: Safety, title: str | None) -> str | None:
    """The title as people may read it; one that a rule forbids is none."""
    try:
        return title and safety.show(title)
    except SensitiveContent:
        return None


def _wish(request: TurnRequest, answer: str) -> Wish:
    material = load(
        "title_material",
        question=quote(request.messages[-1].text.strip()[:MATERIAL_CHARS]).splitlines(),
        answer=quote(answer.strip()[:MATERIAL_CHARS]).splitlines(),
    )
    return Wish(
        system=load("title"),
        user=material,
        temperature=_TEMPERATURE,
        max_tokens=_TOKENS,
        priority=_PRIORITY,
    )


def _read(said: str, longest: int, links: LinkPolicy | None) -> str | None:
    """The first line of what the model said, without label, quotes and full stop."""
    line = next((line for line in said.splitlines() if line.strip(_QUOTES)), "").strip(_QUOTES)
    if line.lower().startswith(_LABEL):
        line = line[len(_LABEL) :]
    line = line.strip(_QUOTES).removesuffix(".").strip(_QUOTES)
    title = _as_line(line, longest=longest, links=links)
    return title if title and not title.endswith("…") else None
