"""Arguments that have to be English are translated once, and people are told where they are not."""

import json
from collections.abc import Awaitable, Callable, Sequence

import pytest
from scripted.patience import NEVER_S

from chatbot.bot import Chatbot, TurnLimits
from chatbot.bot.translation import NOT_TRANSLATED
from chatbot.errors import EngineUnavailable
from chatbot.events import (
    Event,
    ImageEvent,
    ImageProgressEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
    UsageEvent,
)
from chatbot.sanitizer import chat_view
from chatbot.testing import Pause, ScriptedEngine
from chatbot.testing.engines import Script, Step
from chatbot.types import Delta, Message, Sampling, Text, TurnRequest

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]
Draw = Callable[..., Awaitable[list[Event]]]


def router(*descriptions: str) -> ScriptedEngine:
    bodies = [
        json.dumps({"name": "paint", "parameters": {"description": one}}, ensure_ascii=False)
        for one in descriptions
    ]
    return ScriptedEngine(script=["<|python_tag|>", "; ".join(bodies)], name="router")


def model(*script: Step | str) -> ScriptedEngine:
    return ScriptedEngine(script=script, name="bielik")


def only(events: Sequence[Event], kind: type[Event]) -> Event:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def text(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextEvent))


@pytest.fixture
def draw(build: Build, play: Play, request_turn: Ask) -> Draw:
    async def run(
        engine: ScriptedEngine, *descriptions: str, phrases: bool = True, **limits: float
    ) -> list[Event]:
        chosen = descriptions or ("pies i kot",)
        chatbot = build(
            router(*chosen),
            engine,
            TurnLimits(**limits),  # type: ignore[arg-type] # a test's own limits
            phrases=phrases,
        )
        return await play(chatbot, request_turn("narysuj psa i kota"))

    return run


def called(events: Sequence[Event]) -> tuple[object, object]:
    event = only(events, ToolCallEvent)
    assert isinstance(event, ToolCallEvent)
    return event.arguments["description"], event.raw_arguments["description"]


def notices(events: Sequence[Event]) -> tuple[str, ...]:
    event = only(events, ToolResultEvent)
    assert isinstance(event, ToolResultEvent)
    return event.notices


async def test_a_polish_description_is_translated_before_it_is_drawn(draw: Draw) -> None:
    engine = model("a dog", " and a cat\n")

    events = await draw(engine)

    assert called(events) == ("a dog and a cat", "pies i kot")
    assert notices(events) == ()
    (request,) = engine.requests
    assert request.messages[-1].text == "pies i kot"
    assert request.sampling == Sampling(temperature=0.0, max_tokens=700)


async def test_people_read_their_own_words_of_a_translated_picture(draw: Draw) -> None:
    events = await draw(model("a dog and a cat"))

    summary, image = only(events, ToolCallEvent), only(events, ImageEvent)
    assert isinstance(summary, ToolCallEvent)
    assert isinstance(image, ImageEvent)
    assert (summary.summary, image.alt) == ("Obraz · pies i kot", "pies i kot")


async def test_an_english_description_is_not_translated(draw: Draw) -> None:
    engine = model("never asked")

    events = await draw(engine, "a red fox in the snow, style of Wyspiański")

    assert engine.requests == []
    assert called(events)[0] == "a red fox in the snow, style of Wyspiański"


@pytest.mark.parametrize(
    "script",
    [
        (EngineUnavailable("refused", engine="bielik"),),
        ("pies i kot na łące",),
        ("",),
        ("a dog\nand a cat",),
        ("Sure! Here is the translation that you have asked me for: a dog and a cat. " * 3,),
        ("a dog " * 1000,),
        (Delta(text="a dog and"), Delta(finish="length")),
        ("a dog", Pause(seconds=NEVER_S), " and a cat"),
    ],
)
async def test_what_cannot_be_the_translation_is_not_used(draw: Draw, script: Script) -> None:
    engine = model(*script)

    events = await draw(engine, translate_s=0.2)

    assert called(events) == ("pies i kot", "pies i kot")
    assert notices(events) == (NOT_TRANSLATED,)
    assert engine.open_streams == 0


async def test_quotation_marks_around_a_translation_are_taken_off(draw: Draw) -> None:
    assert called(await draw(model("„a dog and a cat”")))[0] == "a dog and a cat"


async def test_without_a_language_model_the_glossary_translates(draw: Draw) -> None:
    engine = model("never asked")

    events = await draw(engine, phrases=False)

    assert engine.requests == []
    assert called(events) == ("dog and cat", "pies i kot")
    assert notices(events) == ()


async def test_what_the_glossary_has_not_stays_polish_with_a_notice(draw: Draw) -> None:
    engine = model("a potato with a paper bag")

    events = await draw(engine, "pyra z tytką", phrases=False)

    assert engine.requests == []
    assert called(events) == ("pyra z tytką", "pyra z tytką")
    assert notices(events) == (NOT_TRANSLATED,)
    assert text(events) == f"Gotowe, oto obraz.\n\nⓘ {NOT_TRANSLATED}"


async def test_a_notice_is_read_once_in_the_text(draw: Draw) -> None:
    events = await draw(model(""), "pies", "kot")

    results = [event for event in events if isinstance(event, ToolResultEvent)]
    assert [event.notices for event in results] == [(NOT_TRANSLATED,)] * 2
    assert text(events).count("ⓘ") == 1


async def test_a_translation_is_paid_as_a_phrase(draw: Draw) -> None:
    usage = only(await draw(model("a dog and a cat")), UsageEvent)
    assert isinstance(usage, UsageEvent)
    assert [leg.role for leg in usage.legs] == ["router", "phrase"]


async def test_steps_of_a_picture_are_told(draw: Draw) -> None:
    events = await draw(model("a dog and a cat"))

    steps = [event for event in events if isinstance(event, ImageProgressEvent)]
    assert [(event.step, event.of) for event in steps] == [(1, 2), (2, 2)]
    assert {event.call_id for event in steps} == {"call-1"}


async def test_deciding_alone_translates_nothing(build: Build, request_turn: Ask) -> None:
    engine = model("a dog and a cat")

    routing = await build(router("pies i kot"), engine, phrases=True).route(request_turn("narysuj"))

    assert routing.calls[0].arguments == {"description": "pies i kot"}
    assert engine.requests == []


async def test_a_later_turn_does_not_read_the_notice(draw: Draw) -> None:
    shown = text(await draw(model("")))
    history = [
        Message(role="user", parts=(Text(text="narysuj psa"),)),
        Message(role="assistant", parts=(Text(text=f"{shown}\nI co dalej?"),)),
        Message(role="user", parts=(Text(text="Cześć"),)),
    ]

    view = chat_view(history, system=None, context_tokens=1000)

    assert "ⓘ" not in "".join(message.text for message in view)
    assert "I co dalej?" in view[1].text
