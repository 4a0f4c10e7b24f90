"""`zwrotnica engines check` against a real vLLM: the right dialect, and a wrong one."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from engines.engine_access import chat, connect, read_all
from engines.gateway_process import ZWROTNICA, write_config
from engines.samples import NO_SECRET
from engines.vllm_server import Vllm

from chatbot.router import DIALECTS
from serving.assembly import SystemClock
from serving.engines.check import CANARY_MARKS, CANARY_PROMPT, EngineCheck, check_engine

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

CLAIMS = ("is_alive", "generates", "has_model", "sees_tools", "fits_dialect")


def check(vllm: Vllm, folder: Path, dialect: str) -> tuple[int, dict[str, object]]:
    config = write_config(vllm, folder, dialect=dialect)
    command = [ZWROTNICA, "--config", str(config), "engines", "check", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    [found] = json.loads(done.stdout)
    return done.returncode, found


def test_a_model_that_calls_the_tool_it_is_shown_is_fit(parser_off: Vllm, tmp_path: Path) -> None:
    code, found = check(parser_off, tmp_path, "llama3.1")
    assert (code, found["problems"]) == (0, [])
    assert [found[claim] for claim in CLAIMS] == [True] * len(CLAIMS)


def test_a_fit_engine_is_told_in_words(parser_off: Vllm, tmp_path: Path) -> None:
    config = write_config(parser_off, tmp_path)
    command = [ZWROTNICA, "--config", str(config), "engines", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    claims = " ".join(f"{claim}=True" for claim in CLAIMS[1:])
    assert done.returncode == 0
    assert re.fullmatch(rf"llama: fit {claims} verdict \d+ ms\n", done.stdout)


@pytest.mark.parametrize("mark", CANARY_MARKS)
async def test_whichever_tool_is_drawn_the_model_finds_its_name(
    parser_off: Vllm, mark: str
) -> None:
    found = await check_drawn(parser_off, "llama3.1", mark)
    assert (found.is_fit, found.problems) == (True, ())


@pytest.mark.parametrize("mark", CANARY_MARKS)
async def test_whichever_tool_is_drawn_a_wrong_dialect_is_found(
    parser_off: Vllm, mark: str
) -> None:
    found = await check_drawn(parser_off, "hermes", mark)
    assert (found.is_fit, found.sees_tools) == (False, False)


async def check_drawn(vllm: Vllm, dialect: str, mark: str) -> EngineCheck:
    async with connect(vllm) as engine:
        return await check_engine(
            engine, dialect=DIALECTS[dialect], clock=SystemClock(), choose=lambda _: mark
        )


async def test_a_model_that_is_not_shown_a_tool_names_none(parser_off: Vllm) -> None:
    async with connect(parser_off) as engine:
        reply = await read_all(engine, chat(CANARY_PROMPT))
    assert reply.text == NO_SECRET


def test_a_dialect_that_is_not_the_models_is_named(parser_off: Vllm, tmp_path: Path) -> None:
    code, found = check(parser_off, tmp_path, "hermes")
    assert code == 1
    assert found["generates"] is True
    assert "'hermes'" in str(found["problems"])


def test_tools_on_the_wire_that_the_server_refuses_are_found(
    parser_off: Vllm, tmp_path: Path
) -> None:
    code, found = check(parser_off, tmp_path, "plain")
    assert (code, found["sees_tools"]) == (1, False)
    assert "'plain'" in str(found["problems"])
