from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import openai
import pytest
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
from scripted.fault_server import FaultServer
from scripted.full_stack import wait_for
from scripted.gateway_process import GatewayProcess, serving

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Ułóż fraszkę o jesieni"}]
SLACK_S = 10.0
"""What a busy machine may take longer."""


class Running:
    """A gateway process with one stream that has begun."""

    def __init__(self, gateway: GatewayProcess, client: openai.AsyncOpenAI) -> None:
        self.gateway = gateway
        self.client = client

    async def begin(self) -> openai.AsyncStream[ChatCompletionChunk]:
        stream = await self.client.chat.completions.create(
            model="zwrotnica", messages=ASKED, stream=True
        )
        await anext(aiter(stream))
        return stream

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
                yield Running(gateway, client)


async def test_running_turns_end_well_and_new_ones_are_refused(tmp_path: Path) -> None:
    async with running(tmp_path, "fault=none;tokens=40;pace=25", drain_s=10) as one:
        stream = await one.begin()
        one.gateway.stop()
        await anyio.sleep(0.2)
        refusal = await one.refusal()
        assert (refusal.status_code, refusal.code) == (503, "server_draining")
        finishes = [chunk.choices[0].finish_reason async for chunk in stream]
        assert finishes[-1] == "stop"
        await wait_for(lambda: one.gateway.has_ended, limit_s=1 + SLACK_S)
        assert one.gateway.process.returncode == 0


async def test_turns_that_last_too_long_are_told_so(tmp_path: Path) -> None:
    async with running(tmp_path, "fault=heartbeats:after=3", drain_s=0.3) as one:
        stream = await one.begin()
        one.gateway.stop()
        with pytest.raises(openai.APIError) as caught:
            _ = [chunk async for chunk in stream]
        assert caught.value.code == "server_draining"
        await wait_for(lambda: one.gateway.has_ended, limit_s=1.3 + SLACK_S)
        assert one.gateway.process.returncode == 0
