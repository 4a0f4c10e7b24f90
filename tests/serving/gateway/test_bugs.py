import json
import logging

import pytest
import requests
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from chatbot.testing import ScriptedEngine
from chatbot.types import Delta

ASKED = {"model": "zwrotnica", "messages": [{"role": "user", "content": "Tajny tekst"}]}


def bug() -> Exception:
    return ZeroDivisionError("Tajny tekst, http://10.0.0.1, klucz")


def ask(stage: Stage, *script: Delta | Exception, **fields: object) -> requests.Response:
    stage.limit(heartbeat_s=PATIENCE_S)  # a heartbeat would be the reply's beginning
    gateway = stage.gateway(engine=ScriptedEngine(script=script))
    url = f"{gateway.url}/v1/chat/completions"
    return requests.post(url, json=ASKED | fields, timeout=PATIENCE_S)


@pytest.mark.parametrize("is_streamed", [True, False])
def test_a_bug_is_a_500_that_tells_nothing_but_its_request_id(
    stage: Stage, *, is_streamed: bool
) -> None:
    reply = ask(stage, bug(), stream=is_streamed)
    error = reply.json()["error"]
    assert (reply.status_code, error["code"]) == (500, "internal_error")
    assert error["request_id"] == reply.headers["x-request-id"]
    assert "10.0.0.1" not in reply.text


def test_a_bug_in_the_middle_of_a_stream_is_its_last_event(stage: Stage) -> None:
    reply = ask(stage, Delta(text="Pół "), bug(), stream=True)
    blocks = [block for block in reply.text.split("\n\n") if block]
    assert json.loads(blocks[-1].removeprefix("data: "))["error"]["code"] == "internal_error"
    assert "[DONE]" not in reply.text


def test_a_bug_is_logged_without_what_it_quotes(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    reply = ask(stage, bug())
    [failed] = [one for one in caplog.records if one.message == "request_failed"]
    assert vars(failed)["request_id"] == reply.headers["x-request-id"]
    assert "Tajny" not in caplog.text
