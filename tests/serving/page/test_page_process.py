import logging
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from scripted.full_stack import wait_for
from scripted.http_client import ask
from scripted.living import is_alive
from scripted.page import request
from scripted.patience import PATIENCE_S
from scripted.supervised_page import NO_FAULT, SETTINGS, supervised

from serving.page.process import PageProcess
from serving.settings import PageSettings

TESTS = Path(__file__).parents[2]


async def wait_ready(process: PageProcess, *, starts: int = 1) -> int:
    """The port of the page, once it is ready for the ``starts``-th time."""
    await wait_for(lambda: process.address is not None and process.starts >= starts, PATIENCE_S)
    assert process.address is not None
    return int(process.address.rpartition(":")[2])


@contextmanager
def kept(folder: Path, *faults: str) -> Iterator[tuple["subprocess.Popen[bytes]", list[int]]]:
    """A supervisor in a process of its own, and the process ids of its pages."""
    command = (sys.executable, "-m", "scripted.supervised_page", str(folder), *faults)
    with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout is not None
        try:
            yield keeper, [int(keeper.stdout.readline()) for _ in faults]
        finally:
            keeper.kill()


async def test_the_page_is_told_the_gateway_and_tells_its_own_address(tmp_path: Path) -> None:
    async with supervised(tmp_path) as process:
        told = (await ask(await wait_ready(process), request("/seen"))).json

    assert told["arguments"] == ["--gateway", "http://127.0.0.1:1", "--port", "0", "--chats", "200"]


async def test_the_page_learns_nothing_of_the_environment_that_could_be_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZWROTNICA_SECRET", "sixteen-characters")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    async with supervised(tmp_path) as process:
        told = (await ask(await wait_ready(process), request("/seen"))).json

    environ = told["env"]
    assert isinstance(environ, dict)
    assert not [name for name in environ if name.startswith(("ZWROTNICA_", "OPENAI_"))]
    assert environ["GRADIO_ANALYTICS_ENABLED"] == "False"
    assert environ["GRADIO_TEMP_DIR"].startswith(str(tmp_path))


async def test_a_page_that_dies_is_started_again(tmp_path: Path) -> None:
    async with supervised(tmp_path) as process:
        port = await wait_ready(process)
        with pytest.raises(EOFError):
            await ask(port, request("/die"))
        assert await wait_ready(process, starts=2) > 0


async def test_no_address_is_given_of_a_page_that_died(tmp_path: Path) -> None:
    async with supervised(tmp_path, settings=PageSettings(rest_s=PATIENCE_S)) as process:
        port = await wait_ready(process)
        with pytest.raises(EOFError):
            await ask(port, request("/die"))
        await wait_for(lambda: process.address is None, PATIENCE_S)


async def test_pauses_between_starts_grow(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with supervised(tmp_path, "early") as process:
        await wait_for(lambda: process.starts > 3, PATIENCE_S)

    rests = [record for record in caplog.records if record.message == "page_rests"]
    assert [record.__dict__["seconds"] for record in rests[:3]] == [0.05, 0.1, 0.2]


async def test_what_it_says_before_it_is_ready_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with supervised(tmp_path, "early") as process:
        await wait_for(lambda: process.starts > 1, PATIENCE_S)

    said = [record for record in caplog.records if record.message == "page_said"]
    assert said[0].__dict__["line"] == "no module of that name"


async def test_what_goes_wrong_later_is_told_without_anybodys_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with supervised(tmp_path) as process:
        await ask(await wait_ready(process), request("/fail"))
        await wait_for(lambda: "page_failed" in caplog.messages, PATIENCE_S)

    (failed,) = [record for record in caplog.records if record.message == "page_failed"]
    assert (failed.__dict__["error"], failed.__dict__["where"]) == ("ValueError", "page.py:7")
    assert not [record for record in caplog.records if "Ala" in str(record.__dict__)]


async def test_a_page_that_is_never_ready_is_ended_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = SETTINGS.model_copy(update={"start_s": 0.2})
    async with supervised(tmp_path, "mute", settings=settings) as process:
        await wait_for(lambda: process.starts > 1, PATIENCE_S)

    assert "page_not_ready" in caplog.messages


@pytest.mark.parametrize("fault", [NO_FAULT, "deaf", "mute"])
async def test_the_page_ends_with_its_supervisor(tmp_path: Path, fault: str) -> None:
    async with supervised(tmp_path, fault) as process:
        await wait_for(lambda: process.pid is not None, PATIENCE_S)
        pid = process.pid or 0
        assert is_alive(pid)

    assert not is_alive(pid)


async def test_a_killed_supervisor_leaves_no_page_behind(tmp_path: Path) -> None:
    with kept(tmp_path, NO_FAULT, "deaf", "mute") as (keeper, pages):
        assert all(map(is_alive, pages))
        keeper.send_signal(signal.SIGKILL)
        await wait_for(lambda: not any(map(is_alive, pages)), PATIENCE_S)


async def test_a_page_that_floods_its_output_goes_on(tmp_path: Path) -> None:
    async with supervised(tmp_path) as process:
        port = await wait_ready(process)
        for _ in range(3):
            assert (await ask(port, request("/flood"))).status == 200


async def test_a_program_that_does_not_exist_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    process = PageProcess(SETTINGS, folder=tmp_path / "page", program=("/nowhere/python",))
    async with anyio.create_task_group() as group:
        group.start_soon(process.run, "http://127.0.0.1:1")
        await wait_for(lambda: process.starts > 1, PATIENCE_S)
        group.cancel_scope.cancel()

    said = [record.__dict__["line"] for record in caplog.records if record.message == "page_said"]
    assert any("No such file" in line for line in said)
