import json
from collections import Counter

import pytest
import requests
from scripted.chats import open_chat, shown_text
from scripted.gateway import DEFAULT, running_gateway
from scripted.openai_clients import client_of
from scripted.patience import PATIENCE_S
from scripted.rules import PESEL, Watched, rules
from scripted.stage import Stage

from chatbot.sanitizer.sensitive import Safety
from chatbot.testing import ScriptedEngine

SECRET = f"Mój PESEL to {PESEL}."


def watched(stage: Stage, action: str, engine: ScriptedEngine) -> str:
    behind = Watched(router=ScriptedEngine(script=DEFAULT), engine=engine, safety=rules(action))  # type: ignore[arg-type]  # one of three words
    return stage.stack.enter_context(running_gateway(stage.settings, behind)).url


def ask(url: str, text: str, **fields: object) -> requests.Response:
    body = {"model": "zwrotnica", "messages": [{"role": "user", "content": text}], **fields}
    return requests.post(f"{url}/v1/chat/completions", json=body, timeout=PATIENCE_S)


def test_a_refused_message_is_a_400_with_its_own_code(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["Dobrze."]))
    reply = ask(url, SECRET, stream=True)
    error = reply.json()["error"]
    assert reply.status_code == 400
    assert (error["code"], error["param"]) == ("content_refused", "messages")
    assert PESEL not in reply.text


def test_a_refused_answer_ends_in_an_error_and_never_in_done(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["To ", PESEL, "."]))
    blocks = ask(url, "Cześć", stream=True).content.decode().strip().split("\n\n")
    assert json.loads(blocks[-1].removeprefix("data: "))["error"]["code"] == "content_refused"
    assert '"finish_reason":"stop"' not in "".join(blocks)
    assert PESEL not in "".join(blocks)


def test_a_refused_whole_answer_is_an_error(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["To ", PESEL, "."]))
    reply = ask(url, "Cześć")
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "content_refused"


def test_the_openai_client_reads_a_masked_answer(stage: Stage) -> None:
    url = watched(stage, "mask", ScriptedEngine(script=["To ", PESEL[:4], PESEL[4:], "."]))
    with client_of(f"{url}/v1") as client:
        completion = client.chat.completions.create(
            model="zwrotnica", messages=[{"role": "user", "content": "Cześć"}]
        )
    assert completion.choices[0].message.content == "To [PESEL]."
    assert completion.choices[0].finish_reason == "stop"


def test_what_is_stored_is_what_models_read_and_people_saw(stage: Stage) -> None:
    engine = ScriptedEngine(script=["Zapisałem ", PESEL, "."])
    url = watched(stage, "mask", engine)
    chat = open_chat(Served(url))
    chat.ask(SECRET)
    user, answer = (shown_text(message) for message in chat.messages())
    assert user == "Mój PESEL to [PESEL]."
    assert answer == "Zapisałem [PESEL]."
    export = requests.get(f"{chat.path}/export?format=json", timeout=PATIENCE_S)
    assert export.status_code == 200
    assert PESEL not in export.text


def test_a_refused_message_is_not_stored(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["Dobrze."]))
    chat = open_chat(Served(url))
    reply = chat.post(SECRET)
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "content_refused"
    assert chat.messages() == []


def test_a_refused_answer_is_stored_as_far_as_it_was_shown(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["To ", PESEL, "."]))
    chat = open_chat(Served(url))
    told = chat.ask("Cześć")
    assert (told[-1].name, told[-1]["code"]) == ("error", "content_refused")
    assert shown_text(chat.last()) == "To "


@pytest.mark.parametrize("text", ["Dzień dobry", "12345678901"])
def test_without_rules_nothing_changes(stage: Stage, text: str) -> None:
    url = stage.gateway(engine=ScriptedEngine(script=[text, PESEL])).url
    assert ask(url, SECRET).json()["choices"][0]["message"]["content"] == text + PESEL


def test_a_persons_own_title_is_masked(stage: Stage) -> None:
    url = watched(stage, "mask", ScriptedEngine(script=["Dobrze."])) + "/api/conversations"
    made = requests.post(url, json={"title": f"PESEL {PESEL}"}, timeout=PATIENCE_S).json()
    changed = requests.patch(
        f"{url}/{made['id']}", json={"title": f"nr {PESEL}"}, timeout=PATIENCE_S
    ).json()
    assert (made["title"], changed["title"]) == ("PESEL [PESEL]", "nr [PESEL]")


def test_a_persons_own_title_is_refused_and_not_stored(stage: Stage) -> None:
    url = watched(stage, "refuse", ScriptedEngine(script=["Dobrze."])) + "/api/conversations"
    reply = requests.post(url, json={"title": f"PESEL {PESEL}"}, timeout=PATIENCE_S)
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "content_refused")
    assert requests.get(url, timeout=PATIENCE_S).json()["conversations"] == []


def test_an_imported_title_is_masked(stage: Stage) -> None:
    chat = open_chat(Served(stage.gateway().url))
    chat.ask("Cześć")
    requests.patch(chat.path, json={"title": f"PESEL {PESEL}"}, timeout=PATIENCE_S)
    export = requests.get(f"{chat.path}/export?format=json", timeout=PATIENCE_S)
    url = watched(stage, "refuse", ScriptedEngine(script=["Dobrze."]))
    sent = requests.post(f"{url}/api/import", data=export.content, timeout=PATIENCE_S)
    listed = requests.get(f"{url}/api/conversations", timeout=PATIENCE_S).json()["conversations"]
    assert sent.status_code == 200
    assert {one["title"] for one in listed} == {f"PESEL {PESEL}", "PESEL [PESEL]"}


def test_what_is_found_is_counted_by_rule_direction_and_action(stage: Stage) -> None:
    counted: Counter[tuple[str, str, str]] = Counter()

    def count(rule: str, direction: str, action: str, number: int) -> None:
        counted[rule, direction, action] += number

    safety = Safety(rules("log").incoming, on_find=count)
    behind = Watched(engine=ScriptedEngine(script=["To ", PESEL, "."]), safety=safety)
    url = stage.stack.enter_context(running_gateway(stage.settings, behind)).url
    ask(url, SECRET + f" {PESEL} a@b.pl")
    assert counted == {
        ("pesel", "in", "log"): 2,
        ("poczta", "in", "mask"): 1,
        ("pesel", "out", "log"): 1,
    }


class Served:
    def __init__(self, url: str) -> None:
        self.url = url
