"""`zwrotnica engines check` against a real vLLM: right and wrong dialects, hidden tools."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from engines.engine_access import chat, connect, read_all
from engines.gateway_process import ZWROTNICA, write_config
from engines.model_server import ModelServer
from engines.samples import NO_SECRET
from engines.stripping_front import stripping_front

from chatbot.router import DIALECTS
from serving.clock import SystemClock
from serving.engines.checking.canary import CANARY_MARKS, CANARY_PROMPT
from serving.engines.checking.check import EngineCheck, Routing, check_engine

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

CLAIMS = ("is_alive", "generates", "has_model", "sees_tools", "fits_dialect")


def check(vllm: ModelServer, folder: Path, dialect: str) -> tuple[int, dict[str, object]]:
    config = write_config(vllm, folder, dialect=dialect)
    command = [ZWROTNICA, "--config", str(config), "engines", "check", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    [found] = json.loads(done.stdout)
    return done.returncode, found


def test_a_model_that_calls_the_tool_it_is_shown_is_fit(
    parser_off: ModelServer, tmp_path: Path
) -> None:
    code, found = check(parser_off, tmp_path, "llama3.1")
    assert (code, found["findings"]) == (0, [])
    assert [found[claim] for claim in CLAIMS] == [True] * len(CLAIMS)


def test_a_fit_engine_is_told_in_words(parser_off: ModelServer, tmp_path: Path) -> None:
    config = write_config(parser_off, tmp_path)
    command = [ZWROTNICA, "--config", str(config), "engines", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    claims = " ".join(f"{claim}=True" for claim in CLAIMS[1:])
    assert done.returncode == 0
    assert re.fullmatch(rf"llama as router: fit {claims} verdict \d+ ms\n", done.stdout)


@pytest.mark.parametrize("mark", CANARY_MARKS)
async def test_whichever_tool_is_drawn_the_model_finds_its_name(
    parser_off: ModelServer, mark: str
) -> None:
    found = await check_drawn(parser_off, "llama3.1", mark)
    assert (found.is_fit, found.findings) == (True, ())


@pytest.mark.parametrize("mark", CANARY_MARKS)
async def test_whichever_tool_is_drawn_a_wrong_dialect_is_found(
    parser_off: ModelServer, mark: str
) -> None:
    found = await check_drawn(parser_off, "hermes", mark)
    assert (found.is_fit, found.fits_dialect) == (False, False)
    [finding] = found.findings
    assert finding.code == "wrong_dialect"
    assert finding.text.endswith('set engines.llama.dialect = "llama3.1"')


async def check_drawn(vllm: ModelServer, dialect: str, mark: str) -> EngineCheck:
    routing = Routing(role="router", dialect=DIALECTS[dialect], setting="engines.llama.dialect")
    async with connect(vllm) as engine:
        return await check_engine(
            engine, routing=routing, clock=SystemClock(), choose=lambda _: mark
        )


async def test_a_model_that_is_not_shown_a_tool_names_none(parser_off: ModelServer) -> None:
    async with connect(parser_off) as engine:
        reply = await read_all(engine, chat(CANARY_PROMPT))
    assert reply.text == NO_SECRET


def told(found: dict[str, object]) -> tuple[str, str]:
    """Code and words of the one thing that is wrong."""
    findings = found["findings"]
    assert isinstance(findings, list)
    [finding] = findings
    return finding["code"], finding["text"]


def test_a_dialect_that_is_not_the_models_is_named_with_the_right_one(
    parser_off: ModelServer, tmp_path: Path
) -> None:
    status, found = check(parser_off, tmp_path, "hermes")
    code, text = told(found)
    assert (status, found["generates"], code) == (1, True, "wrong_dialect")
    assert 'set engines.llama.dialect = "llama3.1"' in text


def test_tools_on_the_wire_that_the_server_refuses_are_found(
    parser_off: ModelServer, tmp_path: Path
) -> None:
    status, found = check(parser_off, tmp_path, "plain")
    code, text = told(found)
    assert (status, found["sees_tools"], code) == (1, False, "refused_tools")
    assert "start it with --enable-auto-tool-choice --tool-call-parser NAME" in text
    assert 'or set engines.llama.dialect = "llama3.1"' in text


def test_a_front_that_hides_the_tools_is_told_from_a_wrong_dialect(
    parser_on: ModelServer, tmp_path: Path
) -> None:
    with stripping_front(parser_on) as front:
        status, found = check(front, tmp_path, "plain")
    code, text = told(found)
    assert (status, found["sees_tools"], code) == (1, False, "hidden_tools")
    assert "tokens with and without them" in text
    assert 'set engines.llama.dialect = "llama3.1"' in text


def test_behind_that_front_tools_in_the_prompt_are_called(
    parser_on: ModelServer, tmp_path: Path
) -> None:
    with stripping_front(parser_on) as front:
        status, found = check(front, tmp_path, "llama3.1")
    assert (status, found["findings"]) == (0, [])


def test_without_that_front_the_same_server_hides_nothing(
    parser_on: ModelServer, tmp_path: Path
) -> None:
    _, found = check(parser_on, tmp_path, "plain")
    assert "hidden_tools" not in str(found["findings"])


def test_the_load_of_a_real_server_is_read(parser_off: ModelServer, tmp_path: Path) -> None:
    config = write_config(parser_off, tmp_path)
    command = [ZWROTNICA, "--config", str(config), "engines", "list", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    llama = {row["name"]: row for row in json.loads(done.stdout)}["llama"]
    assert (llama["state"], llama["problems"]) == ("answers", [])
    assert llama["load"] == {"running": 0, "waiting": 0, "cache_share": 0.0}
