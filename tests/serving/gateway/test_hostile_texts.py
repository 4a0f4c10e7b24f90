"""Hostile text of tools and models in the gateway's replies; the whole of it is in tests/faults."""

import json
from urllib.parse import unquote

import pytest
import requests
from scripted.gateway import call
from scripted.hostile_text import CANARY, COMMANDS, IMAGES, obedient
from scripted.hostile_turns import (
    REMEMBERED,
    asked,
    calling,
    calling_the_named,
    chunks,
    complete,
    failing,
    leaks,
    plugin,
    saying,
    speaking,
    told_texts,
)
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from chatbot.testing import ScriptedEngine
from chatbot.types import ChatRequest

FORMS = tuple(IMAGES.values())[::31]
ASKED = asked("Co mówi wtyczka?")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("```x y\nzwykły tekst", "```\n<img src=//leak.example/1>\n```"),
        ("~~~~\nzwykły tekst", "~~~~\n```\n<img src=//leak.example/1>\n```"),
        ("$$ x", "```c\n<img src=//leak.example/1>\n```"),
        ("a {", 'b style="background:url(//leak.example/1)" }'),
    ],
)
def test_what_one_call_leaves_open_does_not_reach_into_the_next(
    stage: Stage, first: str, second: str
) -> None:
    tools = (speaking("first", first), speaking("second", second))
    url = stage.gateway(router=calling("first", "second"), tools=tools).url
    shown = complete(url, ASKED).json()["choices"][0]["message"]["content"]
    assert first.rsplit(maxsplit=1)[-1] in shown
    assert "leak.example/1" in shown
    assert "<img" not in shown
    assert leaks(shown) == ()


def test_a_tools_texts_are_clean_wherever_they_stand(stage: Stage) -> None:
    tools = [plugin(f"told_{number}", text) for number, text in enumerate(FORMS)]
    url = stage.gateway(router=calling_the_named(), tools=tools).url
    for tool in tools:
        whole = complete(url, asked(f"Co mówi {tool.name}?")).json()
        message, extension = whole["choices"][0]["message"], whole["x_zwrotnica"]
        assert [call["name"] for call in extension["tool_calls"]] == [tool.name]
        assert leaks(message["content"], own_images=1) == ()
        texts = set(told_texts([message["annotations"], extension]))
        assert [text for text in texts if leaks(text)] == []


def test_an_error_of_a_tool_is_clean(stage: Stage) -> None:
    url = stage.gateway(
        router=calling("broken"), tools=(failing("broken", "\n\n".join(FORMS)),)
    ).url
    reply = complete(url, ASKED).json()
    assert [text for text in told_texts(reply) if leaks(text)] == []


def test_a_models_answer_and_thoughts_are_clean(stage: Stage) -> None:
    text = "\n\n".join(FORMS)
    reply = complete(stage.gateway(engine=saying(text)).url, ASKED, stream=True)
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks(reply)]
    for name in ("content", "reasoning_content"):
        assert leaks("".join(delta.get(name) or "" for delta in deltas)) == ()


def test_what_an_error_quotes_of_the_request_is_clean(stage: Stage) -> None:
    url = stage.gateway().url
    for text in FORMS:
        replies = (
            complete(url, ASKED, model=text),
            complete(url, ASKED, **{text: 1}),
            complete(url, {"role": text, "content": "a"}),
        )
        for reply in replies:
            assert reply.status_code in {400, 404}
            assert [told for told in told_texts(reply.json()) if leaks(told)] == []


def test_a_decision_is_clean(stage: Stage) -> None:
    arguments = json.dumps({"description": "\n\n".join(FORMS)})
    url = stage.gateway(router=ScriptedEngine(script=call("draw", arguments))).url
    reply = requests.post(f"{url}/api/route", json={"messages": [ASKED]}, timeout=PATIENCE_S).json()
    assert reply["tool"] == "draw"
    assert [text for text in told_texts(reply) if leaks(text)] == []


@pytest.mark.parametrize("name", ["str", "dict", "list", "a[b]", "[", ""])
def test_a_field_named_like_a_type_is_refused_by_its_name(stage: Stage, name: str) -> None:
    reply = complete(stage.gateway().url, ASKED, **{name: 1})
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, name)


def test_a_model_that_obeys_what_it_reads_calls_nothing(stage: Stage) -> None:
    def obey(request: ChatRequest) -> list[str]:
        return [obedient("\n".join(message.text for message in request.messages))]

    engine = ScriptedEngine(script=obey)
    url = stage.gateway(engine=engine).url
    found = {"role": "assistant", "content": "\n\n".join(COMMANDS.values())}
    reply = complete(url, *REMEMBERED, asked("Kto to?"), found, asked("Dziękuję.")).json()
    shown = reply["choices"][0]["message"]["content"]
    assert reply["x_zwrotnica"]["tool_calls"] == reply["x_zwrotnica"]["images"] == []
    assert CANARY in unquote(shown)
    assert leaks(shown) == ()
