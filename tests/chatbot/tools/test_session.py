import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from scripted.certificate import make_certificate
from scripted.gateway import wait_until
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.service import ScriptedService
from scripted.ticking import TickingClock

from chatbot.testing import ManualClock
from chatbot.tools import DeadlineSession, ForeignRedirect, Network, ResponseTooLarge

DEADLINE_S = 0.25


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with ScriptedService() as running:
        yield running


@pytest.fixture
def network() -> Iterator[Network]:
    opened = Network(clock=TickingClock(), user_agent="zwrotnica-test")
    yield opened
    opened.close()


@pytest.fixture
def session(network: Network) -> DeadlineSession:
    return network.session(deadline_s=PATIENCE_S)


@pytest.fixture
def hasty(network: Network) -> DeadlineSession:
    return network.session(deadline_s=DEADLINE_S)


@pytest.fixture
def trusted(tmp_path: Path) -> Iterator[tuple[ScriptedService, str]]:
    """A service over TLS, and the certificate to trust."""
    context, certificate = make_certificate(tmp_path)
    with ScriptedService(tls=context) as running:
        yield running, str(certificate)


@contextmanager
def cut_when_asked(service: ScriptedService, session: DeadlineSession) -> Iterator[None]:
    """What the tool does from its event loop, while the service has the request."""

    def cut() -> None:
        wait_until(lambda: service.open_requests > 0)
        session.close()

    with ThreadPoolExecutor(1) as threads:
        cutting = threads.submit(cut)
        yield
        cutting.result()


def test_a_reply_is_read_whole(service: ScriptedService, session: DeadlineSession) -> None:
    response = session.get(f"{service.url}/ścieżka", params={"q": "żółw"})
    assert response.json() == {"path": "/%C5%9Bcie%C5%BCka"}
    assert service.requests[0].query == {"q": "żółw"}
    assert service.requests[0].headers["User-Agent"] == "zwrotnica-test"


def test_sessions_share_connections(service: ScriptedService, network: Network) -> None:
    for _ in range(3):
        network.session(deadline_s=PATIENCE_S).get(service.url)
    assert len(service.requests) == 3
    assert service.connections == 1


def test_a_body_that_drips_ends_at_the_deadline(
    service: ScriptedService, hasty: DeadlineSession
) -> None:
    service.fault = "drip"
    started = time.monotonic()
    with pytest.raises(requests.Timeout):
        hasty.get(service.url)
    assert DEADLINE_S - 0.05 <= time.monotonic() - started < PATIENCE_S


def test_a_silent_server_ends_at_the_deadline(
    service: ScriptedService, hasty: DeadlineSession
) -> None:
    service.fault = "silent"
    started = time.monotonic()
    with pytest.raises(requests.Timeout):
        hasty.get(service.url)
    assert DEADLINE_S - 0.05 <= time.monotonic() - started < PATIENCE_S


@pytest.mark.parametrize("fault", ["drip_headers", "drip", "silent"])
def test_closing_the_session_ends_a_thread_that_waits_in_it(
    service: ScriptedService, network: Network, fault: str
) -> None:
    service.fault = fault
    session = network.session(deadline_s=NEVER_S)
    with cut_when_asked(service, session), pytest.raises(requests.Timeout):
        session.get(service.url)


def test_a_session_past_its_deadline_asks_nothing(service: ScriptedService) -> None:
    clock = ManualClock()
    session = Network(clock=clock, user_agent="t").session(deadline_s=5)
    clock.advance(5)
    with pytest.raises(requests.Timeout):
        session.get(service.url)
    assert service.requests == []


def test_a_shorter_timeout_of_the_tool_is_kept(service: ScriptedService, network: Network) -> None:
    service.fault = "silent"
    started = time.monotonic()
    with pytest.raises(requests.Timeout):
        network.session(deadline_s=NEVER_S).get(service.url, timeout=0.1)
    assert 0.1 <= time.monotonic() - started < PATIENCE_S


@pytest.mark.parametrize("fault", ["huge", "gzip_bomb"])
def test_a_body_above_the_limit_is_refused(
    service: ScriptedService, network: Network, fault: str
) -> None:
    service.fault = fault
    with pytest.raises(ResponseTooLarge):
        network.session(deadline_s=PATIENCE_S).get(service.url)


def test_a_redirect_to_another_host_is_refused(
    service: ScriptedService, session: DeadlineSession
) -> None:
    service.fault = "elsewhere"
    with pytest.raises(ForeignRedirect):
        session.get(service.url)


def test_a_redirect_loop_ends(service: ScriptedService, network: Network) -> None:
    service.fault = "loop"
    with pytest.raises(requests.TooManyRedirects):
        network.session(deadline_s=PATIENCE_S).get(service.url)


@pytest.mark.parametrize("fault", ["cut", "close"])
def test_a_broken_reply_is_a_connection_error(
    service: ScriptedService, network: Network, fault: str
) -> None:
    service.fault = fault
    with pytest.raises(requests.ConnectionError):
        network.session(deadline_s=PATIENCE_S).get(service.url)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/", "data:,x"])
def test_only_http_and_https_are_spoken(session: DeadlineSession, url: str) -> None:
    with pytest.raises(requests.RequestException):
        session.get(url)


def test_nobody_listening_is_a_connection_error(session: DeadlineSession) -> None:
    with pytest.raises(requests.ConnectionError):
        session.get("http://127.0.0.1:1/")


async def test_the_event_loop_is_never_blocked(session: DeadlineSession) -> None:
    with pytest.raises(RuntimeError, match="declare the tool with 'def'"):
        session.get("http://127.0.0.1:1/")


def test_another_call_keeps_its_connection_when_one_is_cut(
    service: ScriptedService, network: Network
) -> None:
    first, second = network.session(deadline_s=PATIENCE_S), network.session(deadline_s=PATIENCE_S)
    first.get(service.url)
    second.get(service.url)
    first.close()
    assert second.get(service.url).ok


def test_a_reply_over_tls_is_read_whole(
    trusted: tuple[ScriptedService, str], network: Network
) -> None:
    service, certificate = trusted
    for _ in range(2):
        response = network.session(deadline_s=PATIENCE_S).get(
            f"{service.url}/a", verify=certificate
        )
        assert response.json() == {"path": "/a"}
    assert service.connections == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(
    trusted: tuple[ScriptedService, str], network: Network
) -> None:
    with pytest.raises(requests.exceptions.SSLError):
        network.session(deadline_s=PATIENCE_S).get(trusted[0].url)


@pytest.mark.parametrize("fault", ["drip_headers", "drip", "silent"])
def test_closing_the_session_ends_a_thread_that_waits_in_tls(
    trusted: tuple[ScriptedService, str], network: Network, fault: str
) -> None:
    service, certificate = trusted
    service.fault = fault
    session = network.session(deadline_s=NEVER_S)
    with cut_when_asked(service, session), pytest.raises(requests.Timeout):
        session.get(service.url, verify=certificate)
