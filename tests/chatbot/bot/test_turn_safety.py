import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest
from scripted.rules import NOT_PESEL, PESEL, rules
from scripted.turn_events import call, calls, names, only, text

from chatbot.bot import Chatbot
from chatbot.bot.screening import screen_request
from chatbot.errors import ErrorCode, SensitiveContent
from chatbot.events import ErrorEvent, Event, TextEvent, ToolCallEvent
from chatbot.sanitizer.sensitive import Rule, Safety, words
from chatbot.testing import ScriptedEngine
from chatbot.types import Delta, Message, Text, ToolOutcome, TurnRequest

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]

DEFAULT = calls('{"name": "default_function", "parameters": {}}')
SECRET = f"Mój PESEL to {PESEL}."


def spoken(*pieces: str) -> ScriptedEngine:
    return ScriptedEngine(script=list(pieces), name="answers")


@pytest.fixture
def watched(build: Build) -> Build:
    def make(safety: Safety, *, router: ScriptedEngine = DEFAULT, **given: object) -> Chatbot:
        return replace(build(router, **given), safety=safety)

    return make


def splits(said: str) -> Iterator[tuple[str, str]]:
    return ((said[:cut], said[cut:]) for cut in range(1, len(said)))


async def test_models_read_a_masked_message(watched: Build, play: Play, request_turn: Ask) -> None:
    router, engine = calls("{}"), spoken("Dobrze.")
    await play(watched(rules(), router=router, engine=engine), request_turn(SECRET))
    read = [one.text for asked in (router, engine) for one in asked.requests[0].messages]
    assert any("[PESEL]" in one for one in read)
    assert not any(PESEL in one for one in read)


async def test_a_refused_message_reaches_no_model(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    router, engine = calls("{}"), spoken("Dobrze.")
    chatbot = watched(rules("refuse"), router=router, engine=engine)
    events = await play(chatbot, request_turn(SECRET))
    error = only(events, ErrorEvent)
    assert error.code is ErrorCode.CONTENT_REFUSED
    assert "Usuń je i wyślij ponownie" in error.message
    assert "remove it" in error.message
    assert PESEL not in error.message
    assert not router.requests
    assert not engine.requests


async def test_an_earlier_message_is_masked_where_it_would_be_refused(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    engine = spoken("Dobrze.")
    history = (
        Message(role="user", parts=(Text(text=SECRET),)),
        Message(role="assistant", parts=(Text(text="Tak."),)),
        Message(role="user", parts=(Text(text="I co?"),)),
    )
    chatbot = watched(rules("refuse"), engine=engine)
    events = await play(chatbot, request_turn(messages=history))
    assert names(events)[-1] == "done"
    assert PESEL not in str(engine.requests)


@pytest.mark.parametrize("pieces", list(splits(SECRET)))
async def test_a_message_is_masked_wherever_its_parts_are_cut(
    watched: Build, play: Play, request_turn: Ask, pieces: tuple[str, str]
) -> None:
    router, engine = calls("{}"), spoken("Dobrze.")
    said = Message(role="user", parts=tuple(Text(text=piece) for piece in pieces))
    chatbot = watched(rules(), router=router, engine=engine)
    await play(chatbot, request_turn(messages=(said,)))
    assert engine.requests[0].messages[-1].text == "Mój PESEL to [PESEL]."
    assert "Mój PESEL to [PESEL]." in str(router.requests)


async def test_a_refused_message_in_parts_reaches_no_model(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    engine = spoken("Dobrze.")
    said = Message(role="user", parts=(Text(text=SECRET[:17]), Text(text=SECRET[17:])))
    chatbot = watched(rules("refuse"), engine=engine)
    events = await play(chatbot, request_turn(messages=(said,)))
    assert only(events, ErrorEvent).code is ErrorCode.CONTENT_REFUSED
    assert not engine.requests


async def test_what_stands_on_both_sides_of_a_call_is_read_as_models_read_it() -> None:
    number = ToolOutcome(call_id="c", name="clock", status="ok", content="12:00")
    parts = (Text(text=PESEL[:7]), number, Text(text=PESEL[7:]))
    said = Message(role="assistant", parts=parts)
    asked = TurnRequest(messages=(said,), message_id="m", request_id="r")
    screened = await screen_request(rules(), asked)
    assert screened.messages[0].parts == (Text(text=""), number, Text(text="[PESEL]"))


async def test_parts_in_which_nothing_is_found_stay_as_they_are() -> None:
    parts = (Text(text=NOT_PESEL[:7]), Text(text=NOT_PESEL[7:]))
    said = Message(role="user", parts=parts)
    asked = TurnRequest(messages=(said,), message_id="m", request_id="r")
    assert await screen_request(rules(), asked) == asked


@pytest.mark.parametrize("pieces", list(splits(f"To {PESEL}, tak.")))
async def test_an_answer_is_masked_wherever_it_is_cut(
    watched: Build, play: Play, request_turn: Ask, pieces: tuple[str, str]
) -> None:
    events = await play(watched(rules(), engine=spoken(*pieces)), request_turn("Cześć"))
    assert text(events) == "To [PESEL], tak."
    assert names(events)[-1] == "done"


async def test_a_refused_answer_ends_in_an_error_before_the_content(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    engine = spoken("To ", PESEL[:5], f"{PESEL[5:]}, ", "tak.")
    events = await play(watched(rules("refuse"), engine=engine), request_turn("Cześć"))
    assert text(events) == "To "
    assert names(events)[-2:] == ["usage", "error"]
    assert only(events, ErrorEvent).code is ErrorCode.CONTENT_REFUSED
    assert "Odpowiedź przerwano" in only(events, ErrorEvent).message


async def test_reasoning_is_masked_by_itself(watched: Build, play: Play, request_turn: Ask) -> None:
    script = [Delta(reasoning=PESEL[:6]), Delta(text=PESEL[6:]), Delta(reasoning=PESEL[6:])]
    engine = ScriptedEngine(script=script, name="answers")
    events = await play(watched(rules(), engine=engine), request_turn("Cześć"))
    shown = {event.channel: event.text for event in events if isinstance(event, TextEvent)}
    assert shown == {"reasoning": "[PESEL]", "answer": PESEL[6:]}


async def test_a_rule_for_one_direction_leaves_the_other_alone(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    engine = spoken(SECRET)
    chatbot = watched(rules(direction="in"), engine=engine)
    assert text(await play(chatbot, request_turn(SECRET))) == SECRET
    assert PESEL not in str(engine.requests)


async def test_a_wrong_check_digit_stays(watched: Build, play: Play, request_turn: Ask) -> None:
    engine = spoken(f"Zamówienie {NOT_PESEL}.")
    events = await play(watched(rules("refuse"), engine=engine), request_turn("Cześć"))
    assert text(events) == f"Zamówienie {NOT_PESEL}."


async def test_a_mask_cannot_become_a_picture(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    engine = spoken(f"!{PESEL}(http://e.example/x.png)")
    events = await play(watched(rules(), engine=engine), request_turn("Cześć"))
    assert text(events).startswith("! [PESEL]")


async def test_a_tools_arguments_and_result_are_masked(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    router = calls(call("rate", f'{{"currency": "{PESEL}"}}'))
    chatbot = watched(rules(direction="out"), router=router)
    events = await play(chatbot, request_turn())
    assert only(events, ToolCallEvent).arguments == {"currency": "[PESEL]"}
    assert PESEL not in str(events)
    assert "[PESEL]" in text(events)


async def test_a_refused_tools_result_ends_the_turn(
    watched: Build, play: Play, request_turn: Ask
) -> None:
    rule = Rule(name="polecenia", detector=words(["zignoruj"]), action="refuse")
    chatbot = watched(Safety([rule]), router=calls(call("foreign", "{}")))
    events = await play(chatbot, request_turn())
    assert names(events)[-1] == "error"
    assert only(events, ErrorEvent).code is ErrorCode.CONTENT_REFUSED
    assert "Zignoruj" not in text(events)


async def test_the_log_tells_the_rule_and_how_often_and_no_text(
    watched: Build, play: Play, request_turn: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    engine = spoken(f"{PESEL} i {PESEL}")
    with caplog.at_level(logging.INFO):
        events = await play(watched(rules("log"), engine=engine), request_turn("Cześć"))
    assert text(events) == f"{PESEL} i {PESEL}"
    (told,) = [one for one in caplog.records if one.message == "sensitive content"]
    assert (told.rule, told.direction, told.times) == ("pesel", "out", 2)  # type: ignore[attr-defined]
    assert PESEL not in caplog.text


async def test_the_decision_alone_reads_a_masked_message(watched: Build, request_turn: Ask) -> None:
    router = calls("{}")
    await watched(rules(), router=router).route(request_turn(SECRET))
    assert PESEL not in str(router.requests)
    with pytest.raises(SensitiveContent):
        await watched(rules("refuse")).route(request_turn(SECRET))
