"""The page's way to the gateway: events as they come, errors as codes, lost connections resumed."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import pytest
from scripted.chat_api import ChatApi, Step, serve_chat_api, words
from scripted.http_client import wait_for
from scripted.patience import NEVER_S, PATIENCE_S

from ui.client import LOST, UNREACHABLE, Gateway, GatewayError, LiveAnswer
from ui.conversation import Answer
from ui.fields import text_of
from ui.following import Focus, Hold, Progress, follow_answer

PAUSES_S = (0.01,) * 20
DONE: Step = ("done", {"finish_reason": "stop"})
ROUTE: Step = ("route", {"decision": "default", "reason": "plain_text"})


def story(text: str, force: str | None) -> list[Step]:
    """Words with a pause between them; a text of „czekaj” has no end of its own."""
    rest: list[Step] = [0.02, NEVER_S] if "czekaj" in text else [DONE]
    return [ROUTE, *words("Raz dwa trzy", pause_s=0.02), *rest]


@pytest.fixture
def api() -> ChatApi:
    return ChatApi(story)


@pytest.fixture
def address(api: ChatApi) -> Iterator[str]:
    with serve_chat_api(api) as url:
        yield url


@asynccontextmanager
async def conversation(address: str) -> AsyncIterator[tuple[Gateway, str]]:
    async with Gateway(address) as gateway:
        with anyio.fail_after(PATIENCE_S):
            yield gateway, text_of(await gateway.create({}), "id")


async def read(live: LiveAnswer) -> str:
    told = ""
    while events := await live.take():
        told += "".join(text_of(event.fields, "text") for event in events)
    return told


async def test_an_answer_is_read_to_its_end(address: str) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "cześć"})
        assert (live.message_id, live.parent_id) == ("m2", "m1")
        assert await read(live) == "Raz dwa trzy "


async def test_what_comes_while_nobody_looks_is_taken_at_once(address: str) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "cześć"})
        await anyio.sleep(0.5)
        names = [event.name for event in await live.take()]
        assert names[0] == "route"
        assert "text" in names


async def test_an_error_of_the_gateway_keeps_its_code(api: ChatApi, address: str) -> None:
    async with conversation(address) as (gateway, conversation_id):
        api.refusal = (409, "conversation_busy")
        with pytest.raises(GatewayError) as refused:
            await gateway.post(conversation_id, {"text": "cześć"})
        assert (refused.value.code, refused.value.request_id) == ("conversation_busy", "r1")
        with pytest.raises(GatewayError) as missing:
            await gateway.read("../tools")
        assert missing.value.code == "http_404"


async def test_a_gateway_that_is_not_there_is_unreachable() -> None:
    async with Gateway("http://127.0.0.1:9") as gateway:
        for asking in (gateway.tools(), gateway.post("c1", {}), gateway.fetch("/images/a", "", {})):
            with pytest.raises(GatewayError) as gone:
                await asking
            assert gone.value.code == UNREACHABLE


async def test_an_odd_text_reaches_the_gateway(api: ChatApi, address: str) -> None:
    text = "żółć \ud83d 😀 \x00"
    async with conversation(address) as (gateway, conversation_id):
        await read(await gateway.post(conversation_id, {"text": text}))
    assert api.requests[-1][2] == {"text": text}


async def test_a_stream_that_breaks_off_is_lost(api: ChatApi, address: str) -> None:
    api.cut_after = 2
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "cześć"})
        with pytest.raises(GatewayError) as lost:
            await read(live)
        assert lost.value.code == LOST


async def test_a_reader_that_is_closed_leaves_the_answer_to_the_gateway(
    api: ChatApi, address: str
) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "czekaj"})
        await live.take()
        live.close()
        await wait_for(lambda: not api.readers)
        assert not api.stops


# --- following an answer ---------------------------------------------------------------------


async def follow(gateway: Gateway, conversation_id: str, live: LiveAnswer) -> list[Progress]:
    answer = Answer(message_id=live.message_id, parent=live.parent_id)
    states = follow_answer(gateway, conversation_id, answer, live, hold=Hold(), pauses_s=PAUSES_S)
    return [progress async for progress in states]


@pytest.mark.parametrize("cut_after", [0, 1, 2, 3, 4])
async def test_a_lost_connection_is_resumed(api: ChatApi, address: str, cut_after: int) -> None:
    api.cut_after = cut_after
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "cześć"})
        states = await follow(gateway, conversation_id, live)
    assert [progress.is_lost for progress in states].count(True) == 1
    assert states[-1].answer.text == "Raz dwa trzy "
    assert states[-1].answer.state == "complete"


async def test_an_answer_whose_events_are_gone_is_read_as_it_was_stored(
    api: ChatApi, address: str
) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "cześć"})
        stored = api.conversations[conversation_id].messages[-1]
        await read(live)
        api.events.clear()
        live.close()
        lost = await gateway.post(conversation_id, {"text": "znowu"})
        api.events.clear()
        api.conversations[conversation_id].messages[-1] |= {**stored, "id": lost.message_id}
        lost.close()
        states = await follow(gateway, conversation_id, _Broken(lost))
    assert states[-1].answer.text == "Raz dwa trzy "
    assert states[-1].answer.state == "complete"


class _Broken(LiveAnswer):
    """An answer whose connection is lost at once."""

    def __init__(self, live: LiveAnswer) -> None:
        self.message_id, self.parent_id = live.message_id, live.parent_id

    async def take(self) -> tuple[()]:
        raise GatewayError(LOST)

    def close(self) -> None:
        """Nothing is open."""


async def test_a_deleted_conversation_ends_the_answer(api: ChatApi, address: str) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "czekaj"})
        api.events.clear()
        await gateway.delete(conversation_id)
        states = await follow(gateway, conversation_id, _Broken(live))
        live.close()
    assert states[-1].answer.failure
    assert states[-1].answer.failure.code == "not_found"


async def test_a_gateway_that_never_comes_back_leaves_what_there_is(address: str) -> None:
    async with conversation(address) as (gateway, conversation_id):
        live = await gateway.post(conversation_id, {"text": "czekaj"})
        states = []
        async with Gateway("http://127.0.0.1:9") as gone:
            states = await follow(gone, conversation_id, _Broken(live))
        live.close()
    assert states[-1].answer.failure
    assert (states[-1].answer.state, states[-1].answer.failure.code) == ("incomplete", LOST)


async def test_another_drawing_in_the_same_tab_ends_the_one_before(
    api: ChatApi, address: str
) -> None:
    focus = Focus()
    first = focus.take("tab")
    async with conversation(address) as (gateway, conversation_id):
        live = first.read(await gateway.post(conversation_id, {"text": "czekaj"}))
        answer = Answer(message_id=live.message_id)
        states = follow_answer(gateway, conversation_id, answer, live, hold=first)
        await anext(states)
        second = focus.take("tab")
        assert [progress async for progress in states if not progress.is_lost][1:] == []
        await wait_for(lambda: not api.readers)
    assert (first.is_held, second.is_held, len(focus)) == (False, True, 1)
    focus.leave("tab", first)
    focus.drop("tab")
    assert (second.is_held, len(focus)) == (False, 0)
    focus.drop("tab")
