"""W2 as the `openai` client sees it: turns that run, turns that last too long, new turns."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import anyio
import openai
import pytest
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from scripted.fault_server import FaultServer
from scripted.full_stack import wait_for
from scripted.gateway_process import GatewayProcess, serving
from scripted.http_client import ask
from scripted.patience import PATIENCE_S

pytestmark = pytest.mark.faults

READY = b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Ułóż fraszkę o jesieni"}]


class Running:
    """A gateway process with one stream that has begun."""

    def __init__(
        self, gateway: GatewayProcess, client: openai.AsyncOpenAI, engine: FaultServer
    ) -> None:
        self.gateway = gateway
        self.client = client
        self.engine = engine

    async def begin(self) -> openai.AsyncStream[ChatCompletionChunk]:
        stream = await self.client.chat.completions.create(
            model="zwrotnica", messages=ASKED, stream=True
        )
        await anext(aiter(stream))
        return stream

    async def stop(self) -> None:
        """Ask the gateway to end; it is draining when this returns."""
        self.gateway.stop()
        port = int(self.gateway.url.rpartition(":")[2])
        while (await ask(port, READY)).status == HTTPStatus.OK:  # noqa: ASYNC110 - a process
            await anyio.sleep(0.01)

    async def refusal(self) -> openai.APIStatusError:
        """How a new turn is refused."""
        with pytest.raises(openai.APIStatusError) as caught:
            await self.client.chat.completions.create(model="zwrotnica", messages=ASKED)
        return caught.value


@asynccontextmanager
async def running(folder: Path, fault: str, drain_s: float) -> AsyncIterator[Running]:
    async with FaultServer(default=fault) as server:
        environ = {
            "ZWROTNICA_ENGINES__SLOW__KIND": "vllm",
            "ZWROTNICA_ENGINES__SLOW__URL": server.url,
            "ZWROTNICA_LIMITS__DRAIN_S": str(drain_s),
        }
        with serving(folder, environ) as gateway:
            url = f"{gateway.url}/v1"
            async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
                yield Running(gateway, client, server)


async def test_running_turns_end_well_and_new_ones_are_refused(tmp_path: Path) -> None:
    async with running(tmp_path, "fault=none;tokens=40", drain_s=PATIENCE_S) as one:
        one.engine.permits = asyncio.Semaphore(0)
        stream = await one.begin()
        await one.stop()
        refusal = await one.refusal()
        assert (refusal.status_code, refusal.code) == (503, "server_draining")
        for _ in range(40):
            one.engine.permits.release()
        finishes = [chunk.choices[0].finish_reason async for chunk in stream]
        assert finishes[-1] == "stop"
        await wait_for(lambda: one.gateway.has_ended)
        assert one.gateway.process.returncode == 0


async def test_turns_that_last_too_long_are_told_so(tmp_path: Path) -> None:
    async with running(tmp_path, "fault=heartbeats:after=3", drain_s=0.3) as one:
        stream = await one.begin()
        one.gateway.stop()
        with pytest.raises(openai.APIError) as caught:
            _ = [chunk async for chunk in stream]
        assert caught.value.code == "server_draining"
        await wait_for(lambda: one.gateway.has_ended)
        assert one.gateway.process.returncode == 0
