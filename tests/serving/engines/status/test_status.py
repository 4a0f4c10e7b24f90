"""What an engine is doing, asked of scripted servers."""

from typing import Final

import pytest
from scripted.answering_server import Answer, answering_server

from serving.engines.status.load import EngineLoad
from serving.engines.status.status import read_status
from serving.settings import EngineSettings

MODELS: Final = Answer(body=b'{"data": [{"id": "llama"}]}')
METRICS: Final = Answer(body=b"vllm:num_requests_running 2\nvllm:num_requests_waiting 5\n")


def settings(url: str, **more: str) -> EngineSettings:
    return EngineSettings.model_validate({"kind": "vllm", "url": f"{url}/v1"} | more)


async def test_a_server_that_answers_tells_its_load() -> None:
    with answering_server({"/v1/models": MODELS, "/metrics": METRICS}) as server:
        found = await read_status(settings(server.url))
    assert (found.state, found.problems) == ("answers", ())
    assert found.load == EngineLoad(running=2, waiting=5)


async def test_the_key_goes_to_both_addresses() -> None:
    with answering_server({"/v1/models": MODELS, "/metrics": METRICS}) as server:
        await read_status(settings(server.url, api_key="tajny"))
    assert server.asked == [("/v1/models", "Bearer tajny"), ("/metrics", "Bearer tajny")]


@pytest.mark.parametrize("status", [401, 403])
async def test_a_server_that_wants_another_key_is_alive(status: int) -> None:
    with answering_server({"/v1/models": Answer(status=status), "/metrics": METRICS}) as server:
        found = await read_status(settings(server.url, api_key="tajny"))
    assert (found.state, found.load) == ("needs_key", EngineLoad(running=2, waiting=5))
    assert "another api_key" in found.problems[0]
    assert "tajny" not in found.problems[0]


async def test_nobody_at_the_address_is_silence() -> None:
    with answering_server({}) as server:
        gone = server.url
    found = await read_status(settings(gone))
    assert (found.state, found.load) == ("silent", None)
    assert found.problems == ("no connection: is the server started, and its address right?",)


async def test_a_redirect_is_not_followed() -> None:
    with answering_server({"/elsewhere": MODELS}) as elsewhere:
        to = {"Location": f"{elsewhere.url}/elsewhere"}
        with answering_server({"/v1/models": Answer(status=302, headers=to)}) as server:
            found = await read_status(settings(server.url, api_key="tajny"))
    assert (found.state, elsewhere.asked) == ("silent", [])


async def test_metrics_that_are_off_are_named_with_what_turns_them_on() -> None:
    with answering_server({"/v1/models": MODELS}) as server:
        found = await read_status(settings(server.url, kind="llamacpp"))
    assert (found.state, found.has_load, found.load) == ("answers", True, None)
    assert found.problems[0].endswith("status 404; start the server with --metrics")


async def test_metrics_that_want_another_key_need_no_switch() -> None:
    refused = Answer(status=401)
    with answering_server({"/v1/models": refused, "/metrics": refused}) as server:
        found = await read_status(settings(server.url, kind="llamacpp"))
    assert found.problems[1] == "its figures at /metrics cannot be read: status 401"


async def test_metrics_without_the_figures_are_named() -> None:
    html = Answer(body=b"<html>Welcome</html>")
    with answering_server({"/v1/models": MODELS, "/metrics": html}) as server:
        found = await read_status(settings(server.url))
    assert "no 'vllm:num_requests_running'" in found.problems[0]


async def test_metrics_without_an_end_are_cut() -> None:
    endless = Answer(body=b"#" * 65_536, times=10_000)
    with answering_server({"/v1/models": MODELS, "/metrics": endless}) as server:
        found = await read_status(settings(server.url))
    assert "more than 2097152 bytes" in found.problems[0]


async def test_a_server_that_stalls_is_not_waited_for() -> None:
    stalled = Answer(body=MODELS.body, stall_s=60.0)
    with answering_server({"/v1/models": stalled}) as server:
        found = await read_status(settings(server.url))
    assert found.state == "silent"
    assert "nothing came within 3 s" in found.problems[0]


async def test_a_compressed_reply_stays_compressed() -> None:
    bomb = Answer(body=b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    with answering_server({"/v1/models": MODELS, "/metrics": bomb}) as server:
        found = await read_status(settings(server.url))
    assert (found.state, found.load) == ("answers", None)


async def test_an_outside_provider_is_never_asked_for_metrics() -> None:
    with answering_server({"/v1/models": MODELS, "/metrics": METRICS}) as server:
        found = await read_status(settings(server.url, kind="compatible"))
    assert (found.state, found.has_load) == ("answers", False)
    assert [path for path, _ in server.asked] == ["/v1/models"]


async def test_the_embedded_engine_is_in_process() -> None:
    found = await read_status(EngineSettings(kind="embedded"))
    assert (found.state, found.has_load, found.problems) == ("in_process", False, ())
