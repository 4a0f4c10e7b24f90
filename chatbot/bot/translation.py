"""Translates what a router model should have: arguments marked `WrittenIn` that stayed Polish."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import anyio
from anyio import to_thread

from chatbot.bot.equipment import Equipment
from chatbot.bot.hearing import Wish, hear, quote
from chatbot.bot.record import Record
from chatbot.errors import ToolArgumentError
from chatbot.language.polish import is_polish
from chatbot.language.translation import translate_description
from chatbot.prompts import load
from chatbot.types import JsonObject, ToolCall, ToolSpec, TurnRequest

NOT_TRANSLATED = (
    "Opis pozostał po polsku; model obrazów lepiej rozumie angielski, więc obraz może odbiegać "
    "od opisu."
)
LONGEST = 2_000
_TOKENS = 700
_LONGEST_SHARE = 3
_LONGEST_MORE = 60
_QUOTES = "„”“\"'«»"


@dataclass(frozen=True, kw_only=True, slots=True)
class Translated:
    """A call as it will be run.

    ``original`` maps a translation to the words that people know; ``notices`` tell of arguments
    that could not be translated.
    """

    call: ToolCall
    original: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


async def translate(
    equipment: Equipment, request: TurnRequest, record: Record, call: ToolCall
) -> Translated:
    """Have the default model translate each Polish argument that has to be English, once.

    Where it is no language model, the glossary translates what it has every word of. Where the
    model fails, takes too long or gives something that cannot be the translation, or the glossary
    lacks a word, the call keeps the argument and a notice says so.
    """
    polish = await to_thread.run_sync(_untranslated, equipment.tools.get(call.name).spec, call)
    if not polish:
        return Translated(call=call)
    english: dict[str, str] = {}
    if equipment.phrases:
        with anyio.move_on_after(equipment.limits.translate_s):
            for name, text in polish.items():
                if (said := await _translate(equipment, request, record, text)) is not None:
                    english[name] = said
    else:
        english = await to_thread.run_sync(_by_glossary, polish)
    arguments = _accept(equipment, call, english)
    if arguments is None:
        return Translated(call=call, notices=(NOT_TRANSLATED,))
    return Translated(
        call=replace(call, arguments=arguments),
        original={said: polish[name] for name, said in english.items()},
        notices=() if len(english) == len(polish) else (NOT_TRANSLATED,),
    )


def _by_glossary(polish: Mapping[str, str]) -> dict[str, str]:
    """The texts of which the glossary has every word, in English."""
    translations = {name: translate_description(text) for name, text in polish.items()}
    return {name: one.text for name, one in translations.items() if one.is_complete}


def _untranslated(spec: ToolSpec, call: ToolCall) -> dict[str, str]:
    """The arguments that have to be English and are Polish."""
    return {
        name: value
        for name in _english_arguments(spec)
        if isinstance(value := call.arguments.get(name), str) and is_polish(value)
    }


def _english_arguments(spec: ToolSpec) -> Iterator[str]:
    for name, schema in spec.properties.items():
        if isinstance(schema, Mapping) and schema.get("x-language") == "en":
            yield name


async def _translate(
    equipment: Equipment, request: TurnRequest, record: Record, text: str
) -> str | None:
    said: list[str] = []
    with anyio.CancelScope() as scope:

        async def listen(piece: str) -> None:
            said.append(piece)
            if sum(map(len, said)) > LONGEST:
                scope.cancel()

        wish = Wish(system=load("translate"), user=quote(text), temperature=0.0, max_tokens=_TOKENS)
        finish = await hear(equipment, request, record, wish, listen)
        if finish is not None and finish != "length":
            return await to_thread.run_sync(_read_translation, "".join(said), text)
    return None


def _read_translation(said: str, text: str) -> str | None:
    """What the model said, if it can be the translation: one line, as long, not Polish."""
    english = said.strip().strip(_QUOTES).strip()
    longest = min(_LONGEST_SHARE * len(text) + _LONGEST_MORE, LONGEST)
    is_line = bool(english) and english.isprintable() and len(english) <= longest
    return english if is_line and not is_polish(english) else None


def _accept(equipment: Equipment, call: ToolCall, english: Mapping[str, str]) -> JsonObject | None:
    """The arguments with their translations, if the tool takes them."""
    if not english:
        return None
    try:
        return equipment.tools.get(call.name).validate({**call.arguments, **english})
    except ToolArgumentError:
        return None
