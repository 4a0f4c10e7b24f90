from contextlib import suppress
from pathlib import Path

import anyio
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam
from scripted.full_stack import FullStack, full_stack, wait_for, wait_for_departure
from scripted.gateway import call, wait_until
from scripted.patience import NEVER_S
from scripted.stage import Stage

from chatbot.testing import Pause, ScriptedEngine
from chatbot.types import Delta

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Opowiedz coś."}]
TIMEOUT_S = 0.3
"""When the client leaves; what it leaves would go on till `NEVER_S`. How soon: FAULTS I8, C1."""


async def ask(stack: FullStack, model: str, *, is_streamed: bool) -> None:
    with suppress(openai.APIError):
        stream = await stack.client.chat.completions.create(
            model=model, messages=ASKED, stream=is_streamed
        )
        if isinstance(stream, openai.AsyncStream):
            async with stream:
                async for _ in stream:
                    pass


@pytest.mark.parametrize("model", ["zwrotnica", "bielik"])
@pytest.mark.parametrize("is_streamed", [True, False])
@pytest.mark.parametrize("fault", ["fault=silent", "fault=heartbeats:after=3"])
async def test_an_engine_is_left_when_the_client_leaves(
    tmp_path: Path, model: str, fault: str, *, is_streamed: bool
) -> None:
    async with full_stack(tmp_path, fault) as stack:
        async with anyio.create_task_group() as group:

            async def run() -> None:
                await ask(stack, model, is_streamed=is_streamed)

            group.start_soon(run)
            await wait_for(lambda: bool(stack.server.exchanges))
            await anyio.sleep(0.05)
            group.cancel_scope.cancel()
        await wait_for_departure(stack)
        await wait_for(lambda: stack.gateway.turns == 0)


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/route"])
def test_a_silent_router_is_left_when_the_client_leaves(stage: Stage, path: str) -> None:
    router = ScriptedEngine(script=[Pause(seconds=NEVER_S), Delta(text="za późno")])
    gateway = stage.gateway(router=router)
    body = {"messages": ASKED} | ({"model": "zwrotnica"} if "chat" in path else {})
    with suppress(openai.APITimeoutError):
        stage.client_at(gateway).with_options(timeout=TIMEOUT_S).post(
            f"{gateway.url}{path}", cast_to=object, body=body
        )
    wait_until(lambda: router.aborted == 1)
    wait_until(lambda: gateway.turns == 0)


def test_a_tool_is_left_when_the_client_leaves(stage: Stage) -> None:
    waiting = call("wait", f'{{"seconds": {NEVER_S}}}')
    gateway = stage.gateway(router=ScriptedEngine(script=waiting))
    client = stage.client_at(gateway).with_options(timeout=TIMEOUT_S)
    with pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="zwrotnica", messages=ASKED)
    wait_until(lambda: gateway.turns == 0)
