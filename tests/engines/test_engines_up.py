"""`zwrotnica engines up` with real servers: killed, ended, mended, and left without it."""

import os
import signal
from pathlib import Path

import pytest
from engines.engine_access import chat, connect, read_all
from engines.environment import require_installed
from engines.lessons import CHATS
from engines.model_server import ModelServer
from engines.model_servers import START_S, ModelServers, write_file
from scripted.engines_up import engines_up, list_group
from scripted.gateway import wait_until
from scripted.patience import PATIENCE_S

from serving.engines.states import EngineState, read_states

pytestmark = [pytest.mark.engines, pytest.mark.timeout(600)]

PROCESSES = 3  # the server, its engine core, and who minds what they share


async def test_a_killed_vllm_is_told_and_mended(
    servers: ModelServers, parser_on: ModelServer
) -> None:
    second = end_and_mend(servers, "router", signal.SIGKILL, "signal SIGKILL")
    assert (second.restarts, second.last_exit) == (1, "signal SIGKILL")
    await check_answers(parser_on)


async def test_a_reference_server_that_is_told_to_end_ends_well_and_is_mended(
    servers: ModelServers, reference: ModelServer
) -> None:
    second = end_and_mend(servers, "reference", signal.SIGTERM, "exit code 0")
    assert (second.restarts, second.last_exit) == (1, "exit code 0")
    await check_answers(reference)


def end_and_mend(servers: ModelServers, name: str, number: signal.Signals, how: str) -> EngineState:
    """Signal the server of an engine, hear of its end and wait for its second life."""
    first = servers.state(name).pid or 0
    os.kill(first, number)
    servers.up.wait_told(f"{name}: ended with {how}", PATIENCE_S)
    servers.up.wait_told(f"{name}: starts again in 1 s", PATIENCE_S)
    assert list_group(first) == []
    servers.up.wait_told(f"{name}: ready after", START_S)
    return servers.state(name)


async def check_answers(server: ModelServer) -> None:
    async with connect(server) as engine:
        reply = await read_all(engine, chat(CHATS[0].prompt))
    assert reply.text == CHATS[0].answer


def test_a_killed_supervisor_leaves_no_process_of_vllm(tmp_path: Path) -> None:
    require_installed()
    with engines_up(write_file(tmp_path), tmp_path, "router") as up:
        up.wait_told("router: starting", PATIENCE_S)
        [state] = read_states(tmp_path)
        wait_until(lambda: len(list_group(state.pid or 0)) >= PROCESSES, START_S)
        up.process.kill()
        wait_until(lambda: not list_group(state.pid or 0), PATIENCE_S)
    assert [found.state for found in read_states(tmp_path)] == ["lost"]
