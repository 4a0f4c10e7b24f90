"""FAULTS W1 through the Chat API: the gateway is killed in mid-answer; what was said stays."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripted.chat_product import WEATHER, Outside, named_chat, open_outside, picture, poem
from scripted.chats import Chat, Fields, shown_text
from scripted.fault_report import Figure, Publish
from scripted.gateway_process import GatewayProcess, serving
from scripted.line import read_script
from scripted.listening import Listener, join_all

from serving.settings import ChatSettings

pytestmark = pytest.mark.faults

KILLS = 5
SAVE_S = ChatSettings().save_s
SHORT = "tokens=20;pace=10"
LONG = "tokens=5000;pace=40"


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """What is asked, and what has to have been heard when the gateway is killed."""

    name: str
    text: str
    event: str = ""
    times: int = 0

    def is_reached(self, listener: Listener) -> bool:
        return listener.answer is not None and listener.names.count(self.event) >= self.times


HELD = (
    Phase(name="before the first text", text=poem("fault=silent")),
    Phase(name="after 1 text", text=poem(f"fault=none;{LONG};seed=1"), event="text", times=1),
    Phase(name="after 17 texts", text=poem(f"fault=none;{LONG};seed=2"), event="text", times=17),
    Phase(name="after 40 texts", text=poem(f"fault=none;{LONG};seed=3"), event="text", times=40),
    Phase(name="in a tool call", text=WEATHER, event="tool_call", times=1),
    Phase(
        name="in an image job",
        text=picture(steps=900, every_ms=100),
        event="image_progress",
        times=1,
    ),
    Phase(
        name="all said, not ended",
        text=poem("fault=stall:after=20;tokens=20;seed=4"),
        event="text",
        times=1,
    ),
)
LAST = poem(f"fault=none;{SHORT};seed=5")
LAST_EVENTS = (("text", 1), ("text", 10), ("text", 18), ("usage", 1), ("done", 1))
"""What is waited for in a short answer before each kill: from its first words to its end."""


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with open_outside() as outside:
        yield outside


@contextmanager
def served(folder: Path, outside: Outside) -> Iterator[GatewayProcess]:
    with serving(folder, outside.environ(tools__weather__deadline_s=60)) as gateway:
        yield gateway


def break_off(gateway: GatewayProcess, last: tuple[str, int]) -> tuple[list[Listener], float]:
    """Kill the gateway while answers are in every phase; gives who listened, and when it was."""
    held = [Listener(named_chat(gateway), phase.text) for phase in HELD]
    late = [named_chat(gateway) for _ in range(3)]
    for phase, listener in zip(HELD, held, strict=True):
        listener.wait(phase.is_reached)
        assert phase.is_reached(listener), (phase.name, listener.refusal, listener.names)
    ending = Listener(named_chat(gateway), LAST)
    ending.wait(lambda one: one.names.count(last[0]) >= last[1])
    asking = [Listener(chat, LAST) for chat in late]
    time.sleep(0.01)
    killed_at = time.monotonic()
    gateway.process.kill()
    listeners = [*held, ending, *asking]
    join_all(listeners)
    return listeners, killed_at


def look(gateway: GatewayProcess, listener: Listener) -> Iterator[str]:
    """What is wrong after the restart with the conversation of ``listener``."""
    chat = Chat(url=gateway.url, id=listener.chat.id)
    conversation, messages = chat.read(), chat.messages()
    if conversation["busy"] or any(message["running"] for message in messages):
        yield "still running"
    if listener.answer is None and not messages:
        return
    if [message["role"] for message in messages] != ["user", "assistant"]:
        yield f"{len(messages)} messages"
        return
    user, answer = messages
    if shown_text(user) != listener.text:
        yield "the question has changed"
    if listener.answer and [user["id"], answer["id"]] != [
        listener.answer.parent,
        listener.answer.message_id,
    ]:
        yield "other ids"
    yield from look_at_answer(listener, answer)
    yield from ask_again(chat, answer)


def look_at_answer(listener: Listener, answer: Fields) -> Iterator[str]:
    stored = shown_text(answer)
    whole = read_script(listener.text.partition("jesieni. ")[2] or "fault=none").text
    if stored and not whole.startswith(stored):
        yield f"other words: {stored!r}"
    is_whole = stored == whole
    if listener.end == "done stop" and answer["state"] != "complete":
        yield "incomplete after done"
    if answer["state"] == "complete" and not (is_whole and answer["finish_reason"] == "stop"):
        yield "shown as complete"
    if "tool_call" in listener.names and "tool_call" not in str(answer["parts"]):
        yield "the call is not there"


def ask_again(chat: Chat, answer: Fields) -> Iterator[str]:
    """What is wrong with reading the broken answer, or with a new question."""
    last = chat.follow(str(answer["id"]))[-1]
    expected = "done" if answer["state"] == "complete" else "error"
    if last.name != expected:
        yield f"its events end in {last.name}"
    if chat.ask(poem("fault=none;tokens=5"))[-1].name != "done":
        yield "no new answer"
    states = [message["state"] for message in chat.messages()]
    if states != ["complete", answer["state"], "complete", "complete"]:
        yield f"afterwards {states}"


def lost_s(listener: Listener, stored: str, killed_at: float) -> float:
    """How long before the kill the first words were heard that are not stored."""
    said = ""
    for at, told in listener.heard:
        if told.name == "text":
            said += str(told["text"])
            if len(said) > len(stored):
                return killed_at - at
    return 0.0


@pytest.mark.timeout(600)
def test_w1_a_killed_gateway_keeps_what_was_said(
    outside: Outside, tmp_path: Path, publish: Publish
) -> None:
    broken: list[tuple[list[Listener], float]] = []
    wrong: list[str] = []
    lost: list[float] = []
    for last in LAST_EVENTS[:KILLS]:
        with served(tmp_path, outside) as gateway:
            broken.append(break_off(gateway, last))
    names = [*(phase.name for phase in HELD), "near the end", *["while it is asked"] * 3]
    with served(tmp_path, outside) as gateway:
        for listeners, killed_at in broken:
            for name, listener in zip(names, listeners, strict=True):
                chat = Chat(url=gateway.url, id=listener.chat.id)
                stored = "".join(map(shown_text, chat.messages()[1:2]))
                lost.append(lost_s(listener, stored, killed_at))
                wrong += [f"{name}: {what}" for what in look(gateway, listener)]
    assert wrong == []
    publish(
        Figure(
            case="W1",
            what="Chat API, kill -9 in mid-answer: every acknowledged message is there, the "
            "broken one incomplete, the conversation free",
            n=len(lost),
            passed=len(lost) - len(wrong),
        )
    )
    streaming = [one for one in lost if one > 0.0]
    publish(
        Figure(
            case="W1",
            what="Chat API, kill -9: age of the oldest words that are lost",
            n=len(streaming),
            passed=len(streaming),
            times=tuple(streaming),
            limit_s=SAVE_S,
        )
    )
