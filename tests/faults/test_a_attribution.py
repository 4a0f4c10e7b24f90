"""FAULTS A1 to A4: forged and edited frames, echoes and fabrications, against the gateway."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest
import requests
from markdown_it import MarkdownIt
from scripted.attributions import (
    ANSWER,
    FABRICATION,
    SIGNATURE,
    SOURCE,
    echo,
    edits,
    forgeries,
    frame_of,
    harmless_edits,
    signed,
    signer,
)
from scripted.fault_report import Figure, Publish
from scripted.gateway import call
from scripted.stage import Stage, open_stage

from chatbot.testing import ScriptedEngine
from chatbot.tools import tool
from chatbot.types import Delta, ToolResult
from serving.gateway.frames import FrameSigner
from serving.settings import LogSettings, Settings
from serving.storage import load_keyring
from serving.telemetry import configure_logging

pytestmark = pytest.mark.faults

FRAMES = 10_000
LOOKED_AT = 500
LIMIT_S = 1.0
DRAWN = MarkdownIt("commonmark", {"html": True}).enable("table").render
FETCHING = {"img", "svg", "image", "video", "iframe", "input", "link", "script", "picture"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("attribution")) as stage:
        unbounded = {"total_chars": 10**7, "message_chars": 10**7, "body_bytes": 10**8}
        stage.limit(**unbounded)
        yield stage


def as_ours(stage: Stage, text: str) -> str:
    """``text`` with frames signed by the gateway of ``stage`` instead of the tests' own secret."""
    return text.replace(frame_of(signed()), frame_of(signed(by=gateway_signer(stage.settings))))


def gateway_signer(settings: Settings) -> FrameSigner:
    data_dir = Path(settings.data_dir)
    return FrameSigner(load_keyring(settings, data_dir), owner="local")


def verify(url: str, text: str) -> dict[str, Any]:  # Any: JSON
    reply = requests.post(f"{url}/v1/attribution/verify", json={"text": text}, timeout=60)
    assert reply.status_code == 200
    told: dict[str, Any] = reply.json()
    return told


def complete(url: str, *messages: dict[str, str], is_streamed: bool = False) -> str:
    """The whole reply as it came."""
    body = {"model": "zwrotnica", "messages": messages, "stream": is_streamed}
    reply = requests.post(f"{url}/v1/chat/completions", json=body, timeout=60)
    assert reply.status_code == 200
    return reply.text


def talk(answer: str) -> tuple[dict[str, str], ...]:
    return (
        {"role": "user", "content": "Kim był Kopernik?"},
        {"role": "assistant", "content": answer},
        {"role": "user", "content": "Dziękuję. Co dalej?"},
    )


def test_a1_no_forged_frame_is_trusted(stage: Stage, publish: Publish) -> None:
    url = stage.gateway().url
    cases = [(name, as_ours(stage, text)) for name, text in forgeries()]
    refused = [name for name, text in cases if not verify(url, text)["counts"]["trusted"]]
    publish(Figure(case="A1", what="forged frames: trusted 0", n=len(cases), passed=len(refused)))


def test_a1_frames_beyond_five_hundred_are_not_looked_at(stage: Stage, publish: Publish) -> None:
    url = stage.gateway().url
    text = signed(by=gateway_signer(stage.settings))
    many = "\n".join([text, *[frame_of(text)] * (FRAMES - 1)])
    began = time.monotonic()
    told = verify(url, many)
    took = time.monotonic() - began
    is_bounded = len(told["frames"]) == LOOKED_AT and told["truncated"]
    publish(
        Figure(
            case="A1",
            what="10,000 frames in one message: 500 looked at",
            n=1,
            passed=int(is_bounded and told["counts"]["trusted"] == LOOKED_AT),
            times=(took,),
            limit_s=LIMIT_S,
        )
    )


@tool(title="Kopernik", examples=["kim był Kopernik?"], answer="verbatim")
async def copernicus() -> ToolResult:
    """Who Copernicus was."""
    return ToolResult(content=ANSWER, attribution=(SOURCE,))


def test_a2_edited_answers_are_not_trusted(stage: Stage, publish: Publish) -> None:
    """The answer is the gateway's own: what it never said nobody can have edited."""
    router = ScriptedEngine(script=call("copernicus"))
    url = stage.gateway(router=router, tools=(copernicus,)).url
    told = json.loads(complete(url, talk(ANSWER)[0]))
    text = str(told["choices"][0]["message"]["content"])
    assert text.startswith(ANSWER)
    edited = [verify(url, other)["counts"] for _, other in edits(text)]
    publish(
        Figure(
            case="A2",
            what="one character edited → `edited`",
            n=len(edited),
            passed=sum(counts == {"trusted": 0, "edited": 1, "not_ours": 0} for counts in edited),
        )
    )


def test_a2_harmless_changes_leave_trust(stage: Stage, publish: Publish) -> None:
    url = stage.gateway().url
    text = signed(by=gateway_signer(stage.settings))
    counts = [verify(url, other)["counts"]["trusted"] for _, other in harmless_edits(text)]
    publish(
        Figure(
            case="A2",
            what="CRLF, NFD, trailing blanks → `trusted`",
            n=len(counts),
            passed=counts.count(1),
        )
    )


def test_a3_an_echo_shows_nothing_of_frames(stage: Stage, publish: Publish) -> None:
    engine = ScriptedEngine(script=echo)
    url = stage.gateway(engine=engine).url
    picture = "![pies](https://czat.example/images/k3.1796000000.mfrgg2lt)"
    texts = [as_ours(stage, text) for _, text in (*forgeries(), *harmless_edits(signed()))]
    passed = 0
    for text in texts:
        engine.requests.clear()
        complete(url, *talk(f"{ANSWER}\n\n{picture}\n\n{text}"))
        seen = "\n".join(message.text for message in engine.requests[-1].messages)
        is_clean = not {"⟦", "⟧"} & set(seen) and not SIGNATURE.search(seen)
        passed += is_clean and "/images/" not in seen and ANSWER in seen
    publish(
        Figure(
            case="A3",
            what="history with frames and pictures → none reaches the model",
            n=len(texts),
            passed=passed,
        )
    )


def is_clean(shown: str) -> bool:
    """Whether ``shown`` holds no frame character and draws no picture."""
    return not {"⟦", "⟧"} & set(shown) and not FETCHING & drawn_elements(shown)


def is_plain(shown: str) -> bool:
    """Whether ``shown`` is clean, draws no link, and says what was not made up in vain."""
    return is_clean(shown) and "a" not in drawn_elements(shown) and "via OpenWeather" in shown


def drawn_elements(shown: str) -> set[str]:
    elements = html5lib.parse(DRAWN(shown), namespaceHTMLElements=False).iter()
    return {str(element.tag) for element in elements}


def sinks(reply: dict[str, Any]) -> Iterator[str]:
    """Every text in a reply, wherever it stands, but the engine's picture of what was asked."""
    if isinstance(reply, dict):
        for value in reply.values():
            yield from sinks(value)
    elif isinstance(reply, list):
        for value in reply:
            yield from sinks(value)
    elif isinstance(reply, str):
        yield reply


def test_a4_fabrications_are_clean_in_every_sink(
    stage: Stage, publish: Publish, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(LogSettings(format="console", level="debug"))
    pieces = [FABRICATION[at : at + 5] for at in range(0, len(FABRICATION), 5)]
    fabricating = ScriptedEngine(
        script=[*(Delta(reasoning=piece) for piece in pieces), *pieces, Delta(finish="stop")]
    )
    arguments = json.dumps({"description": FABRICATION, FABRICATION: [FABRICATION]})
    answers = stage.gateway(engine=fabricating).url
    wait = stage.gateway(router=ScriptedEngine(script=call("wait", arguments))).url
    drawn = stage.gateway(
        router=ScriptedEngine(script=call("draw", json.dumps({"description": FABRICATION})))
    ).url
    results: dict[str, bool] = {}
    asked = {"role": "user", "content": "Jaka jest pogoda?"}
    whole = json.loads(complete(answers, asked))
    message = whole["choices"][0]["message"]
    results["content, whole"] = is_plain(message["content"])
    results["reasoning, whole"] = is_plain(message["reasoning_content"])
    events = [
        json.loads(line[6:])
        for line in complete(answers, asked, is_streamed=True).splitlines()
        if line.startswith("data: {")
    ]
    deltas = [event["choices"][0]["delta"] for event in events]
    for name in ("content", "reasoning_content"):
        shown = "".join(delta.get(name) or "" for delta in deltas)
        results[f"{name}, streamed"] = is_plain(shown)
    for name, url in (("wrong arguments", wait), ("arguments", drawn)):
        told = json.loads(complete(url, asked))
        results[name] = all(map(is_clean, sinks(told["x_zwrotnica"]["tool_calls"])))
    picture = json.loads(complete(drawn, asked))["choices"][0]["message"]["content"]
    results["description of a picture"] = DRAWN(picture).count("<img") == 1 and "⟦" not in picture
    logs = capsys.readouterr().err
    results["logs"] = bool(logs) and "⟦" not in logs and "czat.example" not in logs
    failed = sorted(name for name, is_good in results.items() if not is_good)
    assert failed == []
    publish(
        Figure(
            case="A4",
            what="fabricated source, frames, picture, links: clean in "
            "content, reasoning, arguments, description, logs",
            n=len(results),
            passed=len(results) - len(failed),
        )
    )


def test_the_tests_own_secret_is_not_the_gateways(stage: Stage) -> None:
    url = stage.gateway().url
    assert verify(url, signed(by=signer()))["counts"] == {"trusted": 0, "edited": 0, "not_ours": 1}
