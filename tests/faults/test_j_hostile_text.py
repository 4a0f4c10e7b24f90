"""FAULTS J1 to J4: commands in tools' results, images in every form, in every sink."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import requests
import structlog
from scripted.fault_report import Figure, Publish
from scripted.gateway import Backstage, call
from scripted.hostile_services import HostileProduct, serve_hostile_product
from scripted.hostile_text import CANARY, COMMANDS, IMAGES, LEAK, TERMINAL, obedient
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
    told_texts,
)
from scripted.product import ask
from scripted.renderers import EXTENDED, RENDERERS, active
from scripted.stage import Stage, open_stage

from chatbot.errors import EngineLost
from chatbot.sanitizer import Guard, LinkPolicy, guard_text
from chatbot.testing import ScriptedEngine
from chatbot.types import ChatRequest, Message, Text, TurnRequest
from serving.gateway.events import event_fields
from serving.settings import LogSettings
from serving.telemetry import configure_logging

pytestmark = pytest.mark.faults

SNIPPETS = Path(__file__).parents[1] / "chatbot" / "sanitizer" / "snippets.txt"
ARTICLE = " ".join([*COMMANDS.values(), *list(IMAGES.values())[::9], TERMINAL])
PROMPTS = {
    "Kim była Irena Sendlerowa?": ["search_wikipedia"],
    "Dziękuję. Co dalej?": [],
    "Jaka jest pogoda w Kudowie-Zdroju?": ["get_weather"],
    "Wygeneruj obraz psa i kota": ["generate_image"],
    "Ułóż o tym fraszkę": [],
}
"""What the user says, and the calls that this leads to."""
TERMINAL_ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
POLICIES = {
    "links not judged": None,
    "host named": LinkPolicy(named=frozenset({LEAK})),
    "host unknown": LinkPolicy(),
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("hostile")) as stage:
        yield stage


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostileProduct]:
    with serve_hostile_product(tmp_path_factory.mktemp("obedient"), ARTICLE) as hostile:
        yield hostile


def test_j1_commands_in_results_call_nothing_and_carry_nothing_away(
    hostile: HostileProduct, publish: Publish
) -> None:
    conversation = list(REMEMBERED)
    as_planned = []
    clean = []
    for prompt, planned in PROMPTS.items():
        conversation.append(asked(prompt))
        reply = complete(hostile.product.url, *conversation).json()
        content = reply["choices"][0]["message"]["content"]
        called = [one["name"] for one in reply["x_zwrotnica"]["tool_calls"]]
        as_planned.append(called == planned)
        drawn = len(reply["x_zwrotnica"]["images"])
        clean.append(drawn == len({"generate_image"} & set(planned)))
        clean.append(leaks(content, own_images=drawn) == ())
        conversation.append({"role": "assistant", "content": content})
    heard = [message["content"] for got in hostile.model.received for message in got]
    assert any(COMMANDS["ignore"] in text for text in heard)
    assert any(CANARY in text for text in heard)
    publish(_all("J1", "calls of a turn: those planned, no other", as_planned))
    publish(_all("J1", "answers of an obeying model: draw, fetch and link nothing", clean))
    outgoing = hostile.outgoing()
    bare = [CANARY not in f"{one.path} {one.query} {one.headers} {one.body!r}" for one in outgoing]
    publish(_all("J1", "requests of tools: the canary is in none", bare))


@pytest.mark.parametrize("name", COMMANDS)
def test_j1_a_plugins_commands_do_nothing(stage: Stage, publish: Publish, name: str) -> None:
    def obey(request: ChatRequest) -> list[str]:
        return [obedient("\n".join(message.text for message in request.messages))]

    router, engine = calling("told"), ScriptedEngine(script=obey)
    url = stage.gateway(router=router, engine=engine, tools=(plugin("told", COMMANDS[name]),)).url
    first = complete(url, *REMEMBERED, asked("Co mówi wtyczka?")).json()
    said = first["choices"][0]["message"]["content"]
    router.script = call("default_function")
    answer = {"role": "assistant", "content": said}
    then = complete(url, *REMEMBERED, asked("Co mówi?"), answer, asked("Dziękuję.")).json()
    shown = then["choices"][0]["message"]["content"]
    runs = [
        [one["name"] for one in first["x_zwrotnica"]["tool_calls"]] == ["told"],
        then["x_zwrotnica"]["tool_calls"] == then["x_zwrotnica"]["images"] == [],
        leaks(said, own_images=1) == leaks(shown) == (),
    ]
    publish(_all("J1", f"plugin, `{name}`", runs))


@pytest.mark.parametrize("name", RENDERERS)
def test_j2_no_form_of_an_image_is_shown(publish: Publish, name: str) -> None:
    results = []
    for text in IMAGES.values():
        shown = guard_text(text)
        results.append(active(RENDERERS[name](shown)) == [])
        results.append(active(EXTENDED[name](shown), is_extended=True) == [])
    publish(_all("J2", f"{len(IMAGES)} forms in {name}, plain and extended", results))


@pytest.mark.parametrize("name", POLICIES)
def test_j3_every_split_gives_the_same(publish: Publish, name: str) -> None:
    results = []
    for text in IMAGES.values():
        whole = guard_text(text, links=POLICIES[name])
        splits = [(text[:at], text[at:]) for at in range(1, len(text))]
        results += [_in_pieces(name, *pieces) == whole for pieces in [*splits, tuple(text)]]
    publish(_all("J3", f"{len(IMAGES)} forms split at every character, {name}", results))


def test_j3_snippets_pass_byte_for_byte(publish: Publish) -> None:
    documents = [
        f"Oto przykład:\n\n{fence}{language}\n{code}\n{fence}\n\nI tyle."
        for language, code in _snippets()
        for fence in ("```", "~~~")
    ]
    assert len(documents) >= 400
    assert len({language for language, _ in _snippets()}) >= 12
    same = [_in_pieces("host unknown", *text) == text == guard_text(text) for text in documents]
    publish(_all("J3", "snippets of 12 languages in clean fences: unchanged", same))


def test_j3_json_answers_stay_valid(publish: Publish) -> None:
    answers = [
        json.dumps({name: [text], "treść": text}, ensure_ascii=False, indent=indent)
        for name, text in IMAGES.items()
        for indent in (None, 2)
    ]
    parsed = [json.loads(_in_pieces("host unknown", *text)) for text in answers]
    publish(_all("J3", "JSON answers: still valid", [len(value) == 2 for value in parsed]))


def test_j4_sinks_of_a_tool(stage: Stage, publish: Publish) -> None:
    tools = [plugin(f"told_{number}", text) for number, text in enumerate(IMAGES.values())]
    url = stage.gateway(router=calling_the_named(), tools=tools).url
    results = []
    for tool in tools:
        reply = complete(url, asked(f"Co mówi {tool.name}?")).json()
        message, extension = reply["choices"][0]["message"], reply["x_zwrotnica"]
        content = leaks(message["content"], own_images=1)
        others = set(told_texts([message["annotations"], extension]))
        results.append(not content and not any(map(leaks, others)))
    publish(_all("J4", "result, source, citation, notice, alt text, frame of a tool", results))


async def test_j4_events(stage: Stage, publish: Publish) -> None:
    results = []
    tools = [plugin(f"told_{number}", text) for number, text in enumerate(IMAGES.values())]
    tools += [failing(f"broken_{number}", text) for number, text in enumerate(IMAGES.values())]
    backstage = Backstage(router=calling_the_named(), tools=tools)
    seen: set[str] = set()
    async with backstage.open(stage.settings) as assembly:
        for number, tool in enumerate(tools):
            turn = TurnRequest(
                messages=(Message(role="user", parts=(Text(text=f"Co mówi {tool.name}?"),)),),
                message_id=f"m{number}",
                request_id=f"r{number}",
            )
            async with assembly.chatbot.turn(turn) as events:
                told = [(event.name, event_fields(event)) async for event in events]
            seen.update(name for name, _ in told)
            results.append(not any(leaks(text) for text in set(told_texts(_as_lists(told)))))
    assert seen >= {"tool_call", "tool_progress", "tool_result", "attribution", "image", "text"}
    publish(_all("J4", "events: calls, progress, errors, notices, sources, pictures", results))


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_j4_sinks_of_a_model(stage: Stage, publish: Publish, *, is_streamed: bool) -> None:
    results = []
    engine = saying("")
    url = stage.gateway(engine=engine).url
    for text in IMAGES.values():
        engine.script = saying(text).script
        reply = complete(url, asked("Co to?"), stream=is_streamed)
        told = _deltas(reply) if is_streamed else reply.json()["choices"][0]["message"]
        results += [leaks(told["content"]) == (), leaks(told["reasoning_content"]) == ()]
    kind = "streamed" if is_streamed else "whole"
    publish(_all("J4", f"content and reasoning of a model, {kind}", results))


def test_j4_arguments_and_decisions(stage: Stage, publish: Publish) -> None:
    router = ScriptedEngine(script=())
    url = stage.gateway(router=router).url
    results = []
    for text in IMAGES.values():
        arguments = json.dumps({"description": text, "currency": text, text: [{text: text}]})
        for tool in ("draw", "rate", "wait"):
            router.script = call(tool, arguments)
            turn = complete(url, asked("Narysuj")).json()
            body = {"messages": [asked("Narysuj")]}
            decision = requests.post(f"{url}/api/route", json=body, timeout=60).json()
            texts = set(told_texts([turn["x_zwrotnica"], decision]))
            results.append(not any(map(leaks, texts)))
    publish(_all("J4", "arguments and summaries of calls, `/api/route`", results))


def test_j4_errors(stage: Stage, publish: Publish) -> None:
    url = stage.gateway(engine=ScriptedEngine(script=[EngineLost(TERMINAL, engine="x")])).url
    results = []
    for text in IMAGES.values():
        replies = [
            complete(url, asked("a"), model=text),
            complete(url, asked("a"), **{text: 1}),
            complete(url, {"role": text, "content": "a"}),
            complete(url, asked("a"), tool_choice=text),
            requests.get(f"{url}/v1/models/{text}", timeout=60),
            requests.post(f"{url}/api/route", json={text: text}, timeout=60),
            requests.post(f"{url}/v1/attribution/verify", json={text: text}, timeout=60),
        ]
        assert all(400 <= reply.status_code < 500 for reply in replies)
        results += [not any(map(leaks, told_texts(reply.json()))) for reply in replies]
    publish(_all("J4", "errors that quote the request", results))


def test_j4_logprobs_are_refused(stage: Stage, publish: Publish) -> None:
    url = stage.gateway().url
    wishes: tuple[dict[str, object], ...] = ({"logprobs": True}, {"top_logprobs": 5})
    replies = [complete(url, asked("a"), **wish).json()["error"]["code"] for wish in wishes]
    refused = [code == "unsupported_parameter" for code in replies]
    publish(_all("J4", "`logprobs` of the routed model: refused", refused))


def test_j4_logs(stage: Stage, publish: Publish, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    configure_logging(LogSettings(format="json", level="debug"))
    try:
        lost = ScriptedEngine(script=[EngineLost(TERMINAL + obedient(CANARY), engine="x")])
        tools = (failing("broken_1", TERMINAL), plugin("told_1", TERMINAL))
        url = stage.gateway(engine=lost, router=calling_the_named(), tools=tools).url
        for text in ("broken_1", "told_1"):
            complete(url, asked(text), model="zwrotnica")
            complete(url, asked(f"{TERMINAL} {text}"), model=TERMINAL)
            requests.get(f"{url}/{quote(TERMINAL)}", timeout=60)
        complete(stage.gateway(engine=lost).url, asked(TERMINAL))
    finally:
        root.level, root.handlers = before
        structlog.reset_defaults()
    lines = capsys.readouterr().err.split("\n")[:-1]
    assert any("turn failed" in line for line in lines)
    forged = [json.loads(line)["event"] != "podrobione" and line.isprintable() for line in lines]
    publish(_all("J4", "lines of the log: one event each, printable", forged))


def test_j4_terminal(hostile: HostileProduct, publish: Publish) -> None:
    results = []
    for prompt in list(PROMPTS)[:3]:
        for words in ((prompt,), ("--json", prompt)):
            done = ask(hostile.product.config, *words)
            assert done.returncode == 0, done.stderr
            results += [not TERMINAL_ORDERS.search(done.stdout + done.stderr)]
    publish(_all("J4", "`ask`: no control character, whole and `--json`", results))


def _all(case: str, what: str, results: list[bool]) -> Figure:
    return Figure(case=case, what=what, n=len(results), passed=sum(results))


def _in_pieces(policy: str, *pieces: str) -> str:
    guard = Guard(links=POLICIES[policy])
    return "".join(map(guard.feed, pieces)) + guard.finish()


def _snippets() -> Iterator[tuple[str, str]]:
    for section in SNIPPETS.read_text(encoding="utf-8").split("## ")[1:]:
        language, _, body = section.partition("\n")
        for code in body.split("\n%%\n"):
            yield language, code.strip("\n")


def _as_lists(value: object) -> object:
    return [_as_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _deltas(reply: requests.Response) -> dict[str, str]:
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks(reply)]
    names = ("content", "reasoning_content")
    return {name: "".join(delta.get(name) or "" for delta in deltas) for name in names}
