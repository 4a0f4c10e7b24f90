"""The page's events against a scripted gateway: what each draws, asks for, and leaves alone."""

import json
from collections.abc import Sequence
from typing import cast

import anyio
import anyio.lowlevel
from scripted.chat_api import ChatApi
from scripted.http_client import wait_for
from scripted.page_tab import Tab, opened, read_signal

from ui.fields import JsonObject
from ui.texts import POLISH


def bodies(api: ChatApi, path: str = "/messages") -> list[JsonObject]:
    return [cast("JsonObject", body) for _, where, body in api.requests if where.endswith(path)]


# --- sending ---------------------------------------------------------------------------------


async def test_a_new_conversation_begins_with_the_first_message(address: str) -> None:
    async with opened(address) as tab:
        await tab.send("Dzień dobry")
    assert tab.conversation == "c1"
    assert "Dzień dobry " in tab.shown
    assert [tab.signals[0]["status"], tab.signal["status"]] == [
        POLISH.status_reading,
        POLISH.status_ready,
    ]
    assert [tab.signals[1]["running"], tab.signal["running"]] == [True, False]
    assert tab.answer == ""


async def test_what_was_said_stands_there_before_the_gateway_knows_it(address: str) -> None:
    async with opened(address) as tab:
        events = tab.chat.send("Dzień dobry", "", "", tab.request())
        tab.updates = [await anext(events)]
        assert "Dzień dobry" in tab.shown
        assert POLISH.status_reading in tab.shown
        assert tab.updates[0][1:3] == ("", "")
        await tab.see(events)


async def test_a_blank_message_is_none(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send(" \n ")
    assert (tab.updates, api.requests) == ([], [])


async def test_updates_are_coalesced(address: str) -> None:
    async with opened(address) as tab:
        await tab.send(" ".join(["słowo"] * 40))
    assert 4 < len(tab.updates) < 30


async def test_the_second_message_continues_the_branch(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        await tab.send("dwa")
    assert bodies(api) == [{"text": "raz"}, {"text": "dwa"}]
    assert tab.shown.count("zw-said") == 2


async def test_settings_of_a_new_conversation_are_kept_until_it_begins(
    api: ChatApi, address: str
) -> None:
    async with opened(address) as tab:
        payload = json.dumps({"parameters": {"temperature": 0.5}})
        tab.draft, _ = await tab.chat.set(payload, "")
        await tab.send("raz")
        await tab.chat.set(json.dumps({"parameters": {"temperature": 9}}), "c1")
    created, changed = bodies(api, "/conversations") + bodies(api, "/c1")
    assert cast("JsonObject", created["parameters"])["temperature"] == 0.5
    assert cast("JsonObject", changed["parameters"])["temperature"] == 2


async def test_a_refused_message_stays_with_the_reason_and_a_way_on(
    api: ChatApi, address: str
) -> None:
    api.refusal = (503, "queue_full")
    async with opened(address) as tab:
        await tab.send("raz")
        assert POLISH.errors["queue_full"] in tab.shown
        assert POLISH.status_reading not in tab.shown
        assert (tab.signal["draft"], tab.button("resend")) == ("raz", "new-question")
        api.refusal = None
        await tab.send("raz")
    assert tab.shown.count("zw-said") == 1


async def test_a_question_that_is_refused_again_can_be_asked_again(
    api: ChatApi, address: str
) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        api.refusal = (503, "queue_full")
        await tab.act(do="again", id=tab.button("again"))
        assert "draft" not in tab.signal
        api.refusal = None
        await tab.act(do="again", id=tab.button("again"))
    assert bodies(api)[-1] == {"parent": "m1"}
    assert tab.signal["status"] == POLISH.status_ready


async def test_without_a_gateway_the_page_says_so_and_gives_the_words_back() -> None:
    async with opened("http://127.0.0.1:9") as tab:
        await tab.send("raz")
        assert tab.signal["draft"] == "raz"
        assert POLISH.error_unreachable in tab.shown
        await tab.open("c1")
        assert tab.signal["notice"] == POLISH.error_unreachable


# --- stopping, coming back -------------------------------------------------------------------


async def test_stop_reaches_the_gateway_and_keeps_the_text(api: ChatApi, address: str) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "czekaj")
        await wait_for(lambda: bool(tab.answer) and "dalej" in tab.shown)
        await tab.chat.stop(tab.conversation, tab.answer)
    assert api.stops == ["m2"]
    assert tab.signal["status"] == POLISH.status_stopped
    assert "dalej" in tab.shown
    assert POLISH.incomplete in tab.shown


async def test_a_reload_in_mid_answer_goes_on_reading(api: ChatApi, address: str) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "czekaj")
        await wait_for(lambda: bool(tab.answer))
        again = Tab(tab.chat, "other tab")
        tasks.start_soon(again.open, "c1")
        await wait_for(
            lambda: bool(again.answer) and all("dalej" in one.shown for one in (tab, again))
        )
        await again.chat.stop(again.conversation, again.answer)
    assert again.signal["status"] == POLISH.status_stopped
    assert again.shown.count("dalej") == tab.shown.count("dalej") > 0


async def test_another_event_in_the_tab_takes_its_drawing_over(api: ChatApi, address: str) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "czekaj")
        await wait_for(lambda: bool(tab.answer))
        new = Tab(tab.chat)
        await new.open("")
        await wait_for(lambda: not api.readers)
    assert (new.shown, new.conversation) == ("", "")
    assert not api.stops


async def test_a_message_is_sent_even_if_something_else_is_asked_for_at_once(
    api: ChatApi, address: str
) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "raz")
        await anyio.lowlevel.checkpoint()
        await Tab(tab.chat).open("")
        await wait_for(lambda: bool(bodies(api)))
    assert bodies(api) == [{"text": "raz"}]
    assert all(update[1] == "" for update in tab.updates)


async def test_a_page_that_loads_late_leaves_what_was_asked_for(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        late = Tab(tab.chat)
        await late.load("")
    assert late.updates == []


async def test_a_closed_tab_reads_no_more(api: ChatApi, address: str) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "czekaj")
        await wait_for(lambda: bool(tab.answer))
        await tab.chat.leave(tab.request())
        await wait_for(lambda: not api.readers)


async def test_while_an_answer_is_made_elsewhere_it_is_shown_instead(
    api: ChatApi, address: str
) -> None:
    async with opened(address) as tab, anyio.create_task_group() as tasks:
        tasks.start_soon(tab.send, "czekaj")
        await wait_for(lambda: bool(tab.answer))
        other = Tab(tab.chat, "other tab")
        other.conversation = tab.conversation
        tasks.start_soon(other.send, "drugie")
        await wait_for(lambda: bool(other.updates))
        assert other.signals[0]["notice"] == POLISH.errors["conversation_busy"]
        assert other.signals[0]["draft"] == "drugie"
        await tab.chat.stop(tab.conversation, tab.answer)
    assert bodies(api) == [{"text": "czekaj"}]
    assert other.signal["status"] == POLISH.status_stopped


async def test_an_opened_conversation_brings_its_settings_and_suggestions(address: str) -> None:
    async with opened(address) as tab:
        await tab.open("")
        new = read_signal(tab.updates[-1][4])
        await tab.send("raz")
        await tab.see(tab.chat.open('{"id": "c1"}', "", tab.request()))
    suggestions = cast("Sequence[str]", new["suggestions"])
    assert suggestions[0] == "Jaka będzie jutro pogoda w Łodzi?"
    assert "temperature" in cast("JsonObject", cast("JsonObject", new["settings"])["numbers"])
    assert "raz" in tab.shown
    assert read_signal(tab.updates[-1][4])["title"] == "raz"


async def test_a_page_is_equipped_whatever_is_shown_on_it_by_now(address: str) -> None:
    async with opened(address) as tab:
        signal = read_signal(await tab.chat.equip(tab.request()))
    assert set(signal) == {"settings", "suggestions", "turn"}


async def test_a_conversation_that_is_gone_gives_the_page_of_a_new_one(address: str) -> None:
    async with opened(address) as tab:
        await tab.open("c9")
        assert (tab.conversation, tab.signal["notice"]) == ("", POLISH.errors["not_found"])
        await tab.send("raz")
        await tab.see(tab.chat.look_again("c1", "", tab.request()))
        assert tab.updates == []
        await tab.see(tab.chat.look_again("c9", "", tab.request()))
        assert (tab.conversation, tab.shown) == ("", "")


# --- other answers ---------------------------------------------------------------------------


async def test_an_answer_can_be_made_again_and_both_are_kept(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        await tab.act(do="again", id=tab.button("again"))
        assert "2 z 2" in tab.shown
        await tab.act(do="show", id="m2")
    assert "1 z 2" in tab.shown
    assert bodies(api)[-1] == {"parent": "m1"}
    assert api.conversations["c1"].fields["current"] == "m2"


async def test_an_answer_can_take_another_track(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        await tab.act(do="force", id="m2", tool="calculate")
    assert bodies(api)[-1] == {"parent": "m1", "force": "calculate"}
    assert "calculate" in tab.shown


async def test_a_question_can_be_put_in_other_words(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("pierwsze")
        await tab.act(do="edit", id="m1", text="drugie")
    assert bodies(api)[-1] == {"parent": "m1", "text": "drugie"}
    assert ("drugie" in tab.shown, "pierwsze" in tab.shown) == (True, False)
    assert "2 z 2" in tab.shown


async def test_a_rating_is_given_and_taken_back(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        await tab.act(do="up", id="m2")
        assert "zw-is-on" in tab.shown
        await tab.act(do="up", id="m2")
    assert bodies(api, "/feedback") == [{"rating": "up"}, {"rating": None}]
    assert "zw-is-on" not in tab.shown


async def test_what_was_wrong_is_told_beside_the_rating(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        await tab.act(do="down", id="m2")
        await tab.act(do="comment", id="m2", text="Za krótko.")
        assert tab.signal["notice"] == POLISH.feedback_kept
    assert bodies(api, "/feedback") == [
        {"rating": "down"},
        {"rating": "down", "comment": "Za krótko."},
    ]


async def test_an_unknown_control_changes_nothing(api: ChatApi, address: str) -> None:
    async with opened(address) as tab:
        await tab.send("raz")
        for payload in ('{"do": "fly", "id": "m2"}', "[]", None):
            await tab.see(tab.chat.act(payload, "c1", tab.request()))
    assert len(bodies(api)) == 1
    assert "raz" in tab.shown


async def test_copying_gives_the_markdown_of_the_answer(address: str) -> None:
    async with opened(address) as tab:
        await tab.send("**raz** $x$")
        told = await tab.chat.tell('{"do": "copy", "id": "m2"}', "c1")
        assert read_signal(told)["copy"] == "**raz** $x$ "
        links = await tab.chat.tell('{"do": "renew"}', "c1")
    assert read_signal(links)["pictures"] == {"i1": "/images/i1.9.mac"}
