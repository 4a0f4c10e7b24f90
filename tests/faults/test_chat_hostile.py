"""FAULTS J4 through the Chat API: titles, events, stored parts, arguments, errors, exports."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pytest
import requests
from scripted.chats import Chat, Fields, Told, open_chat
from scripted.fault_report import Figure, Publish
from scripted.gateway import RunningGateway, call, running_gateway, wait_until
from scripted.hostile_text import IMAGES, TERMINAL
from scripted.hostile_turns import calling_the_named, failing, leaks, plugin, saying, told_texts
from scripted.patience import PATIENCE_S
from scripted.stage import Stage, open_stage
from scripted.theatre import TITLE, Speaking

from chatbot.testing import ScriptedEngine
from chatbot.types import ChatRequest

pytestmark = pytest.mark.faults

TEXTS = (*IMAGES.values(), TERMINAL)
SAYABLE = tuple(text for text in TEXTS if "\0" not in text)
"""What a user can send: NUL is refused."""
PLAIN = re.compile(r"[\w.:+-]*")
"""Ids, names and times, of which nothing can be made."""
FRAME = ("⟦", "⟧")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with open_stage(tmp_path) as stage:
        yield stage


def publish_all(publish: Publish, what: str, results: list[bool]) -> None:
    count = len(results)
    publish(Figure(case="J4", what=f"Chat API: {what}", n=count, passed=sum(results)))


def is_clean(*told: object) -> bool:
    """Whether no text in there would be fetched, run or taken for a frame by who shows it."""
    texts = {text for text in told_texts([*told]) if not PLAIN.fullmatch(text)}
    return not any(leaks(text) or any(sign in text for sign in FRAME) for text in texts)


def heard(told: list[Told]) -> list[Fields]:
    return [event.data for event in told]


def answers(chat: Chat) -> list[Fields]:
    """The stored answers: what a user wrote is shown as it was written."""
    return [message for message in chat.messages() if message["role"] == "assistant"]


def title(chat: Chat) -> str:
    return str(chat.read()["title"])


def test_j4_titles_of_first_words(stage: Stage, publish: Publish) -> None:
    gateway = stage.gateway()
    results = []
    for text in SAYABLE:
        chat = open_chat(gateway)
        chat.ask(text)
        results.append(is_clean(title(chat)) and "\n" not in title(chat))
    listed = requests.get(f"{gateway.url}/api/conversations?limit=100", timeout=PATIENCE_S).json()
    results.append(is_clean(listed))
    publish_all(publish, "titles of a question's first words", results)


@dataclass
class Naming:
    """A model that answers, and names every conversation, with the question's own words."""

    named: int = 0

    def say(self, request: ChatRequest) -> list[str]:
        is_title = TITLE in request.messages[0].text
        self.named += is_title
        if is_title:
            return [SAYABLE[self.named - 1]]
        return [request.messages[-1].text]


def test_j4_titles_of_a_model(stage: Stage, publish: Publish) -> None:
    naming = Naming()
    behind = Speaking(engine=ScriptedEngine(script=naming.say))
    with running_gateway(stage.settings, behind) as gateway:
        chats = [open_chat(gateway) for _ in SAYABLE]
        for chat, text in zip(chats, SAYABLE, strict=True):
            chat.ask(text)
        wait_until(lambda: naming.named == len(SAYABLE))
        chats[0].ask("jeszcze " + SAYABLE[0])  # whatever came before it is stored by now
        results = [is_clean(title(chat), *answers(chat)[:1]) for chat in chats]
    publish_all(publish, "titles by a model, its answers", results)


def test_j4_events_and_stored_parts_of_tools(stage: Stage, publish: Publish) -> None:
    tools = [plugin(f"told_{number}", text) for number, text in enumerate(TEXTS)]
    tools += [failing(f"broken_{number}", text) for number, text in enumerate(TEXTS)]
    gateway = stage.gateway(router=calling_the_named(), tools=tools)
    results = []
    for tool in tools:
        chat = open_chat(gateway, title="Wtyczka")
        answer = chat.begin(f"Co mówi {tool.name}?")
        told = heard(answer.read())
        again = heard(chat.follow(answer.message_id))
        results.append(is_clean(*told) and is_clean(*again) and is_clean(*answers(chat)))
    publish_all(publish, "events, replayed and stored, of tools and their errors", results)
    publish_all(publish, "exports of what tools said", list(exported(gateway)))


def test_j4_events_and_stored_parts_of_a_model(stage: Stage, publish: Publish) -> None:
    engine = saying("")
    gateway = stage.gateway(engine=engine)
    results = []
    for text in TEXTS:
        engine.script = saying(text).script
        chat = open_chat(gateway, title="Model")
        told = "".join(str(one["text"]) for one in chat.ask("Co to?") if one.name == "text")
        results.append(leaks(told) == () and is_clean(*answers(chat)))
    publish_all(publish, "content and reasoning of a model, streamed and stored", results)
    publish_all(publish, "exports of what a model said", list(exported(gateway)))


def test_j4_arguments_of_calls(stage: Stage, publish: Publish) -> None:
    router = ScriptedEngine(script=())
    gateway = stage.gateway(router=router)
    results = []
    for text in TEXTS:
        arguments = json.dumps({"description": text, "currency": text, text: [{text: text}]})
        for tool in ("draw", "rate"):
            router.script = call(tool, arguments)
            chat = open_chat(gateway, title="Argumenty")
            told = heard(chat.ask("Narysuj"))
            results.append(is_clean(*told) and is_clean(*answers(chat)))
    publish_all(publish, "arguments and summaries of calls", results)


def test_j4_errors(stage: Stage, publish: Publish) -> None:
    gateway = stage.gateway()
    where = f"{gateway.url}/api/conversations"
    chat = open_chat(gateway, title="Błędy")
    chat.ask("Cześć!")
    mid = str(answers(chat)[0]["id"])
    results = []
    for text in TEXTS[::3]:
        replies = [
            chat.post("a", force=text),
            chat.post("a", tools=[text]),
            chat.post("a", parent=text),
            chat.post_body({text: 1}),
            chat.post("a", parameters={text: 1}),
            requests.post(where, json={text: 1}, timeout=PATIENCE_S),
            requests.post(where, json={"title": text * 99}, timeout=PATIENCE_S),
            requests.patch(chat.path, json={"current": text}, timeout=PATIENCE_S),
            requests.get(where, params={"limit": text}, timeout=PATIENCE_S),
            requests.get(where, params={"cursor": text}, timeout=PATIENCE_S),
            requests.get(f"{chat.path}/export", params={"format": text}, timeout=PATIENCE_S),
            requests.get(f"{gateway.url}/api/export", params={"format": text}, timeout=PATIENCE_S),
            requests.post(f"{gateway.url}/api/import", json={text: text}, timeout=PATIENCE_S),
            requests.put(
                f"{chat.path}/messages/{mid}/feedback", json={"rating": text}, timeout=PATIENCE_S
            ),
        ]
        assert all(400 <= reply.status_code < 500 for reply in replies), replies
        results += [is_clean(reply.json()) for reply in replies]
    publish_all(publish, "errors that quote the request", results)


def exported(gateway: RunningGateway) -> Iterator[bool]:
    """Whether each format of all conversations shows nothing but text and has no frame."""
    where = f"{gateway.url}/api/export"
    files = {
        name: requests.get(where, params={"format": name}, timeout=2 * PATIENCE_S).content
        for name in ("md", "csv", "json", "xlsx")
    }
    for section in files["md"].decode().split("\n# "):
        yield leaks(f"# {section}") == () and not any(sign in section for sign in FRAME)
    rows = [*csv.reader(io.StringIO(files["csv"].decode("utf-8-sig")), delimiter=";")]
    sheet = openpyxl.load_workbook(io.BytesIO(files["xlsx"]), read_only=True).worksheets[0]
    rows += [[str(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    yield not any(sign in cell for row in rows for cell in row for sign in FRAME)
    json.loads(files["json"])
    yield len(rows) > 1
