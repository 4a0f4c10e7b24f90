import socket
from pathlib import Path

import pytest

from serving.processes import notify_service


@pytest.mark.parametrize("is_abstract", [False, True])
def test_the_manager_is_told(tmp_path: Path, is_abstract: bool) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{path}" if is_abstract else path)
        notify_service(f"@{path}" if is_abstract else path, "READY=1")
        assert manager.recv(100) == b"READY=1"


def test_without_a_manager_nobody_is_told(caplog: pytest.LogCaptureFixture) -> None:
    notify_service(None, "READY=1")
    assert caplog.messages == []


def test_a_manager_that_is_gone_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    notify_service(str(tmp_path / "nobody"), "READY=1")
    assert caplog.messages == ["service_not_notified"]
