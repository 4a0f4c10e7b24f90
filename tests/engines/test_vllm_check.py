"""`zwrotnica engines check` against a real vLLM: the right dialect, and a wrong one."""

import json
import subprocess
from pathlib import Path

import pytest
from engines.engine_access import connect
from engines.gateway_process import ZWROTNICA, write_config
from engines.samples import CANARY_MARK
from engines.vllm_server import Vllm

from chatbot.router import DIALECTS
from serving.assembly import SystemClock
from serving.engines.check import check_engine

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]


def check(vllm: Vllm, folder: Path, dialect: str) -> tuple[int, dict[str, object]]:
    config = write_config(vllm, folder, dialect=dialect)
    command = [ZWROTNICA, "--config", str(config), "engines", "check", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    [found] = json.loads(done.stdout)
    return done.returncode, found


async def test_a_model_that_calls_the_tool_it_is_shown_is_fit(parser_off: Vllm) -> None:
    async with connect(parser_off) as engine:
        found = await check_engine(
            engine,
            dialect=DIALECTS["llama3.1"],
            clock=SystemClock(),
            new_id=lambda: CANARY_MARK,
        )
    assert (found.is_fit, found.problems) == (True, ())
    assert (found.sees_tools, found.fits_dialect, found.has_model) == (True, True, True)


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
