import logging
import socket
import time
from urllib.parse import urlsplit

import pytest
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

HALF = (
    b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b'Content-Length: 100\r\n\r\n{"model": '
)


def test_a_client_that_leaves_within_its_body_is_no_bug(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    address = urlsplit(stage.gateway().url)
    with socket.create_connection((str(address.hostname), int(address.port or 0))) as client:
        client.sendall(HALF)
        time.sleep(0.1)

    deadline = time.monotonic() + PATIENCE_S
    while not (told := [r for r in caplog.records if r.message == "request"]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert vars(told[0])["error"] == "client_left"
    assert "request_failed" not in caplog.messages
