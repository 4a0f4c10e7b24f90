"""One request of the engine benchmark: what counts as an answer, and what has failed."""

import asyncio

import pytest
from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

from chatbot.types import JsonValue
from evals.bench.engine.client import GONE, Answer, ask, open_session
from evals.bench.engine.targets import Target


async def ask_once(url: str, model: str, *, stream: bool = True) -> Answer:
    body: dict[str, JsonValue] = {
        "model": model,
        "messages": [{"role": "user", "content": "Opowiedz coś."}],
        "max_tokens": 20,
        "stream": stream,
        "stream_options": {"include_usage": True},
    }
    async with open_session(limit_s=PATIENCE_S) as session:
        return await ask(session, Target(name="one", url=url), body)


async def test_an_answer_is_counted_by_the_servers_usage() -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, "fault=none;tokens=12")

    assert (answer.error, answer.finish, answer.completion_tokens) == (None, "stop", 12)
    assert len(answer.pieces) == 12


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("fault=cut:after=3", "ClientPayloadError"),
        ("fault=cut:after=3:how=end", "broke off"),
        ("fault=status:code=503", "HTTP 503"),
    ],
)
async def test_what_is_no_whole_answer_has_failed(fault: str, said: str) -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, fault)

    assert answer.error is not None
    assert said in answer.error


async def test_a_reply_without_end_is_not_read_to_its_end() -> None:
    async with FaultServer() as server:
        answer = await ask_once(server.url, "fault=bomb", stream=False)

    assert "the reply has more than 16,777,216 bytes" in str(answer.error)


async def test_a_server_that_is_not_there_is_an_error_of_the_answer() -> None:
    answer = await ask_once("http://127.0.0.1:9/v1", "bielik")

    assert str(answer.error).startswith(GONE)


async def test_a_connection_of_its_own_that_the_server_ends_is_a_failure() -> None:
    came: list[bytes] = []

    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.readuntil(b"\r\n\r\n"))
        writer.close()

    async with await asyncio.start_server(leave, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        answer = await ask_once(f"http://127.0.0.1:{port}/v1", "bielik")

    assert answer.error is not None
    assert len(came) == 1
