import os
import signal
import stat
from pathlib import Path

import pytest
from scripted.full_stack import wait_for
from scripted.living import is_alive
from scripted.patience import NEVER_S
from scripted.supervised_server import KEY, supervised

pytestmark = pytest.mark.faults


async def test_a_server_is_ready_when_it_has_made_a_token(tmp_path: Path) -> None:
    async with supervised(tmp_path) as found:
        state = await found.wait_ready()

    assert (state.state, state.restarts, state.last_exit) == ("ready", 0, None)
    assert state.supervisor == os.getpid()


async def test_a_healthy_server_without_a_token_is_not_ready(tmp_path: Path) -> None:
    async with supervised(tmp_path, "tokenless") as found:
        await found.wait_told("not ready yet: ")
        assert found.state is not None
        assert found.state.state == "starting"
        (tmp_path / "awake").touch()
        await found.wait_ready()


async def test_a_server_that_is_never_ready_is_started_again(tmp_path: Path) -> None:
    async with supervised(tmp_path, "tokenless", start_s=1.0) as found:
        await found.wait_told("not ready after 1 s: ")
        await found.wait_told("ended with signal SIGTERM")
        await found.wait_told("starting", times=2)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
async def test_a_crash_is_told_and_mended(tmp_path: Path, number: signal.Signals) -> None:
    async with supervised(tmp_path) as found:
        first = await found.wait_ready()
        os.kill(first.pid or 0, number)
        second = await found.wait_ready(times=2)

    assert (second.restarts, second.last_exit) == (1, f"signal {number.name}")
    assert second.pid != first.pid
    assert f"router: ended with signal {number.name}; the last lines of its log:" in found.told


async def test_the_last_words_of_a_server_are_told(tmp_path: Path) -> None:
    async with supervised(tmp_path, "broken", rest_s=NEVER_S / 10) as found:
        await found.wait_told("starts again in 60 s")

    assert [line for line in found.told if "starting" not in line][:2] == [
        "router: ended with exit code 7; the last lines of its log:",
        "router: | no such weights",
    ]


async def test_pauses_grow_while_it_fails(tmp_path: Path) -> None:
    async with supervised(tmp_path, "fragile") as found:
        await found.wait_told("starts again in 0.2 s")
        (tmp_path / "mended").touch()
        state = await found.wait_ready()

    rests = [line.partition(": ")[2] for line in found.told if "starts again" in line]
    assert rests[:3] == [f"starts again in {pause} s" for pause in ("0.05", "0.1", "0.2")]
    assert state.restarts == len(rests)


async def test_a_server_that_hangs_is_started_again(tmp_path: Path) -> None:
    async with supervised(tmp_path, stop_s=0.1) as found:
        first = await found.wait_ready()
        os.kill(first.pid or 0, signal.SIGSTOP)
        second = await found.wait_ready(times=2)

    assert "router: 3 probes in a row without an answer; ending it" in found.told
    assert second.last_exit == "signal SIGKILL"


async def test_a_server_in_good_health_is_left_alone(tmp_path: Path) -> None:
    async with supervised(tmp_path, probe_s=0.01) as found:
        first = await found.wait_ready()
        (tmp_path / "mended").touch()
        await wait_for(lambda: found.log.exists() and "GET /v1/models" in found.log.read_text())

    assert found.told[-1] == "router: stopped"
    assert sum("starting" in line for line in found.told) == 1
    assert not is_alive(first.pid or 0)


@pytest.mark.parametrize("play", ["parent", "parent deaf"])
async def test_the_end_is_that_of_the_servers_children_too(tmp_path: Path, play: str) -> None:
    async with supervised(tmp_path, play, stop_s=0.3) as found:
        server = (await found.wait_ready()).pid or 0
        child = int((tmp_path / "child").read_text())
        assert is_alive(server)
        assert is_alive(child)

    assert not is_alive(server)
    assert not is_alive(child)
    assert found.state is not None
    assert (found.state.state, found.state.pid) == ("stopped", None)


async def test_the_children_of_a_killed_server_are_gone_before_the_next_one(tmp_path: Path) -> None:
    async with supervised(tmp_path, "parent", rest_s=NEVER_S / 10) as found:
        server = (await found.wait_ready()).pid or 0
        child = int((tmp_path / "child").read_text())
        os.kill(server, signal.SIGKILL)
        await found.wait_told("starts again")
        assert not is_alive(child)


async def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    async with supervised(tmp_path, "deaf", stop_s=NEVER_S) as found:
        server = (await found.wait_ready()).pid or 0
        found.supervisor.kill()
        await found.wait_told("signal SIGKILL")
        assert not is_alive(server)


async def test_what_a_server_says_while_it_ends_is_in_its_log(tmp_path: Path) -> None:
    async with supervised(tmp_path, "tidy") as found:
        await found.wait_ready()

    assert "asked to end" in found.log.read_text()


async def test_the_log_hides_the_key_and_keeps_every_other_byte(tmp_path: Path) -> None:
    async with supervised(tmp_path, "chatty") as found:
        await found.wait_ready()

    log = found.log.read_bytes()
    assert b"my key is ***\n\xff\xfe\n" in log
    assert KEY.encode() not in log


async def test_the_log_is_put_aside_at_its_size(tmp_path: Path) -> None:
    async with supervised(tmp_path, "chatty", log_bytes=65_536) as found:
        await found.wait_ready()

    files = sorted(found.log.parent.glob("router.log*"))
    assert [path.name for path in files] == ["router.log", *(f"router.log.{n}" for n in (1, 2))]
    assert all(path.stat().st_size <= 65_536 for path in files)
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(found.log.parent.stat().st_mode) == 0o700


async def test_a_log_that_cannot_be_written_does_not_stop_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "engines" / "router.log").mkdir(parents=True)
    async with supervised(tmp_path, "chatty") as found:
        await found.wait_ready()

    assert caplog.messages.count("engine_log_not_written") == 1


async def test_events_are_logged_without_the_servers_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with supervised(tmp_path, "broken") as found:
        await found.wait_told("starts again")

    events = [record for record in caplog.records if record.message.startswith("engine_")]
    assert [event.message for event in events[:3]] == [
        "engine_starting",
        "engine_ended",
        "engine_rests",
    ]
    assert not [event for event in events if "weights" in str(event.__dict__)]
