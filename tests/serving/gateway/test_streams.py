import json
import socket
import time

import requests
from scripted.gateway import RunningGateway, call, wait_until
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.stage import Stage

from chatbot.errors import EngineLost
from chatbot.testing import Pause, ScriptedEngine
from chatbot.types import Delta

PAUSE_S = 0.01
"""What the test takes for a pause; others who compute may take the processor for half of that."""
ASKED = {
    "model": "zwrotnica",
    "stream": True,
    "messages": [{"role": "user", "content": "Cześć"}],
}


def read(gateway: RunningGateway, **fields: object) -> list[str]:
    """The events and comments of one stream, as they came."""
    reply = requests.post(
        f"{gateway.url}/v1/chat/completions", json=ASKED | fields, timeout=PATIENCE_S
    )
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    return [block for block in reply.content.decode().split("\n\n") if block]


def chunk(block: str) -> dict[str, list[dict[str, object]]]:
    return dict(json.loads(block.removeprefix("data: ")))


def test_a_stream_ends_in_its_finish_chunk_and_done(stage: Stage) -> None:
    blocks = read(stage.gateway())
    assert blocks[-1] == "data: [DONE]"
    assert chunk(blocks[-2])["choices"][0]["finish_reason"] == "stop"
    assert "x_zwrotnica" in chunk(blocks[-2])


def test_usage_comes_between_finish_and_done_when_asked_for(stage: Stage) -> None:
    blocks = read(stage.gateway(), stream_options={"include_usage": True})
    assert chunk(blocks[-2])["choices"] == []
    assert all(chunk(block)["usage"] is None for block in blocks[:-2])


def test_silence_is_filled_with_comments(stage: Stage) -> None:
    stage.limit(heartbeat_s=0.1)
    slow = ScriptedEngine(script=[Pause(seconds=0.55), Delta(text="Już."), Delta(finish="stop")])
    began = time.monotonic()
    blocks = read(stage.gateway(engine=slow))
    assert 1 <= sum(block == ": " for block in blocks) <= (time.monotonic() - began) / 0.1
    assert blocks[-1] == "data: [DONE]"


def test_a_failure_after_a_heartbeat_is_the_streams_last_event(stage: Stage) -> None:
    stage.limit(heartbeat_s=0.1)
    lost = EngineLost("reset", engine="bielik")
    blocks = read(stage.gateway(engine=ScriptedEngine(script=[Pause(seconds=0.3), lost])))
    error = json.loads(blocks[-1].removeprefix("data: "))["error"]
    assert error["code"] == "engine_lost"
    assert error["request_id"]
    assert not [block for block in blocks if "finish_reason" in block]


def test_a_picture_comes_as_text_after_a_blank_line(stage: Stage) -> None:
    drawn = call("draw", '{"description": "pies"}')
    blocks = read(stage.gateway(router=ScriptedEngine(script=drawn)))
    deltas = [chunk(block)["choices"][0]["delta"] for block in blocks[:-2]]
    text = "".join(str(dict(delta).get("content", "")) for delta in deltas)  # type: ignore[call-overload]  # a JSON object
    assert text.startswith("Gotowe.\n\n![pies](http://127.0.0.1:")
    assert text.endswith(")")


def test_reasoning_has_a_field_of_its_own(stage: Stage) -> None:
    thinking = ScriptedEngine(
        script=[Delta(reasoning="Hm."), Delta(text="Tak."), Delta(finish="stop")]
    )
    blocks = read(stage.gateway(engine=thinking))
    assert any('"reasoning_content":"Hm."' in block for block in blocks)


def test_a_turn_too_many_is_refused_with_retry_after(stage: Stage) -> None:
    stage.limit(turns=1)
    slow = ScriptedEngine(script=[Delta(text="a"), Pause(seconds=NEVER_S)])
    gateway = stage.gateway(engine=slow)
    url = f"{gateway.url}/v1/chat/completions"
    with requests.post(url, json=ASKED, timeout=PATIENCE_S, stream=True):
        refused = requests.post(url, json=ASKED, timeout=PATIENCE_S)
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "queue_full"
    assert int(refused.headers["retry-after"]) >= 1


def test_a_client_that_reads_nothing_is_left(stage: Stage) -> None:
    stage.limit(write_s=0.3)
    flood = ScriptedEngine(script=[Delta(text="x" * 100_000) for _ in range(2000)])
    gateway = stage.gateway(engine=flood)
    body = json.dumps(ASKED)
    with socket.create_connection(("127.0.0.1", gateway.port)) as line:
        head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
        line.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        wait_until(lambda: flood.played > 0)
        wait_until(lambda: gateway.turns == 0)
    assert flood.played < 2000


def test_a_stream_costs_no_pause_between_texts(stage: Stage) -> None:
    texts = 2000
    gateway = stage.gateway(engine=ScriptedEngine(script=[f"słowo{n} " for n in range(texts)]))
    processor, clock = time.process_time(), time.monotonic()
    blocks = read(gateway)
    computed, lasted = time.process_time() - processor, time.monotonic() - clock
    assert len(blocks) > texts
    assert lasted < computed + texts * PAUSE_S
