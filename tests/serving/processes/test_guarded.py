import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from scripted.family import FAMILY
from scripted.full_stack import wait_for
from scripted.living import is_alive, read_pids
from scripted.patience import PATIENCE_S

from serving.processes import end_process, run_guarded

TESTS = Path(__file__).parents[2]
KINDS = ("plain", "deaf", "escaped")


@pytest.mark.parametrize("kind", KINDS)
async def test_leaving_the_context_ends_every_process(tmp_path: Path, kind: str) -> None:
    async with run_guarded((*FAMILY, str(tmp_path / "pids"), kind), environment={}):
        pids = await read_pids(tmp_path / "pids")
        assert all(map(is_alive, pids))

    assert not any(map(is_alive, pids))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_killed_supervisor_leaves_no_process_behind(tmp_path: Path, kind: str) -> None:
    command = (sys.executable, "-m", "scripted.guarded_family", str(tmp_path / "pids"), kind)
    with subprocess.Popen(command, cwd=TESTS) as supervisor:  # noqa: ASYNC220 (returns at once)
        pids = await read_pids(tmp_path / "pids")
        supervisor.kill()
    await wait_for(lambda: not any(map(is_alive, pids)), PATIENCE_S)


async def test_a_program_that_ends_takes_its_children_with_it(tmp_path: Path) -> None:
    command = (*FAMILY, str(tmp_path / "pids"), "orphaned")
    async with run_guarded(command, environment={}) as process:
        assert await process.wait() == 3
        _, child = await read_pids(tmp_path / "pids")
        assert not is_alive(child)


async def test_a_killed_guardian_leaves_no_process_behind(tmp_path: Path) -> None:
    async with run_guarded((*FAMILY, str(tmp_path / "pids"), "plain"), environment={}) as process:
        pids = await read_pids(tmp_path / "pids")
        os.kill(parent_of(process.pid), signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
    await wait_for(lambda: not any(map(is_alive, pids)), PATIENCE_S)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


async def test_a_process_that_is_killed_is_told_with_its_signal(tmp_path: Path) -> None:
    async with run_guarded((*FAMILY, str(tmp_path / "pids"), "plain"), environment={}) as process:
        pids = await read_pids(tmp_path / "pids")
        assert process.pid == pids[0]
        await end_process(process, within_s=PATIENCE_S)
        assert process.returncode == -signal.SIGTERM


async def test_a_process_that_will_not_end_is_killed(tmp_path: Path) -> None:
    async with run_guarded((*FAMILY, str(tmp_path / "pids"), "deaf"), environment={}) as process:
        await read_pids(tmp_path / "pids")
        await end_process(process, within_s=0.1)
        assert process.returncode == -signal.SIGKILL


async def test_both_outputs_come_in_the_order_written() -> None:
    script = "import os; os.write(1, b'a\\n'); os.write(2, b'\\xff\\n'); os.write(1, b'c')"
    async with run_guarded((sys.executable, "-c", script), environment={}) as process:
        assert await process.output.read() == b"a\n\xff\nc"
        assert await process.wait() == 0


async def test_the_environment_is_the_one_given() -> None:
    script = "import os; print(sorted(os.environ))"
    command = (sys.executable, "-I", "-c", script)
    async with run_guarded(command, environment={"PORT": "1", "LC_CTYPE": "C.UTF-8"}) as process:
        assert await process.output.read() == b"['LC_CTYPE', 'PORT']\n"


async def test_a_program_that_is_not_there_says_so() -> None:
    async with run_guarded(("/nowhere/vllm",), environment={}) as process:
        assert b"FileNotFoundError" in await process.output.read()
        assert await process.wait() == 1
