"""A client that reads slowly, or not at all, in front of an engine that is fast."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.engine_under_test import SPEED
from scripted.gateway_under_test import ENGINE, Gateway, gateway_against
from scripted.http_client import wait_for

pytestmark = pytest.mark.faults

TOKENS = 200_000
"""More than the sockets' own buffers hold."""


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    with gateway_against(tmp_path, speed=SPEED) as served:
        yield served


def ask(gateway: Gateway, tokens: int) -> socket.socket:
    said = f"fault=none;tokens={tokens}"
    fields = {"model": ENGINE, "stream": True, "messages": [{"role": "user", "content": said}]}
    body = json.dumps(fields)
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8_192)
    sock.connect(("127.0.0.1", gateway.port))
    sock.sendall(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    return sock


async def test_who_reads_nothing_is_cut_and_so_is_the_engine(gateway: Gateway) -> None:
    with ask(gateway, TOKENS):
        await wait_for(lambda: bool(gateway.engine.exchanges))
        await wait_for(lambda: gateway.engine.last.ended_at is not None)

    assert gateway.engine.last.client_left_at is not None
    assert gateway.engine.last.sent_tokens < TOKENS


async def test_who_reads_slowly_gets_everything(gateway: Gateway) -> None:
    raw = bytearray()
    with ask(gateway, 6_000) as sock:
        while piece := sock.recv(65_536):
            raw += piece

    assert raw.count(b'"content"') == 6_000 + 1
    assert raw.endswith(b"data: [DONE]\n\n\r\n0\r\n\r\n")
