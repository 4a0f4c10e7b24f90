import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import anyio
import pytest
from scripted.mediawiki import ScriptedMediaWiki
from scripted.patience import PATIENCE_S
from scripted.tables import every_row
from scripted.wikipedia_tool import call, look_up, open_registry

from chatbot.tools.wikipedia.site import read_retry_after

NOON = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
SHORT_S = 0.5
LATE = ("nie odpowiedziała w porę", "brak odpowiedzi w ciągu 0,5 s")
DOWN, BUSY = "niedostępna", "prosi o przerwę"


@pytest.fixture
def wiki() -> Iterator[ScriptedMediaWiki]:
    with ScriptedMediaWiki() as service:
        yield service


@pytest.mark.parametrize(
    "fault",
    [
        *("html", "html_503", "503", "429", "404", "huge", "gzip_bomb"),
        *("loop", "elsewhere", "truncated", "cut", "close"),
    ],
)
async def test_a_failing_wiki_is_said_in_polish(wiki: ScriptedMediaWiki, fault: str) -> None:
    wiki.fault = fault
    done = await look_up(f"{wiki.url}/w/", "zamek")
    assert DOWN in (done.outcome.error or "")


@pytest.mark.parametrize("fault", ["silent", "drip", "drip_headers"])
async def test_a_slow_wiki_is_given_up_at_the_deadline(wiki: ScriptedMediaWiki, fault: str) -> None:
    wiki.fault = fault
    done = await look_up(f"{wiki.url}/w/", "zamek", deadline_s=SHORT_S)
    assert any(words in (done.outcome.error or "") for words in LATE)
    assert done.outcome.ms < 1000 * PATIENCE_S


@pytest.mark.parametrize("fault", ["html", "503", "huge", "loop"])
async def test_a_wiki_that_fails_later_still_gives_the_lead(
    wiki: ScriptedMediaWiki, fault: str
) -> None:
    wiki.later_fault = fault
    done = await look_up(f"{wiki.url}/w/", "historia Krakowa")
    assert "(Nie udało się teraz pobrać dalszej części artykułu.)" in done.outcome.content


async def test_all_requests_share_one_deadline(wiki: ScriptedMediaWiki) -> None:
    wiki.later_fault = "drip"
    done = await look_up(f"{wiki.url}/w/", "historia Krakowa", deadline_s=2 * SHORT_S)
    assert done.outcome.ms < 1000 * PATIENCE_S
    assert len(wiki.requests) == 2


async def test_meanings_that_cannot_be_fetched_are_said(wiki: ScriptedMediaWiki) -> None:
    wiki.later_fault = "html"
    done = await look_up(f"{wiki.url}/w/", "zamek")
    assert DOWN in (done.outcome.error or "")


async def test_a_failure_is_one_request_and_is_not_repeated(wiki: ScriptedMediaWiki) -> None:
    wiki.fault = "503"
    await look_up(f"{wiki.url}/w/", "zamek")
    assert len(wiki.requests) == 1


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("5", "minutę"),
        ("120", "2 minuty"),
        ("300", "5 minut"),
        ("86400", "godzinę"),
        ("x", "minutę"),
    ],
)
async def test_a_wiki_that_wants_a_pause_gets_it(
    wiki: ScriptedMediaWiki, after: str, said: str
) -> None:
    wiki.retry_after = after
    async with open_registry(f"{wiki.url}/w/") as registry:
        first = await registry.run(call("zamek"))
        second = await registry.run(call("Kraków"))
    assert first.outcome.error == (
        f"Wikipedia jest teraz przeciążona i prosi o przerwę. Spróbuj ponownie za {said}."
    )
    assert BUSY in (second.outcome.error or "")
    assert len(wiki.requests) == 1


@pytest.mark.parametrize("is_told_by_header", [True, False])
async def test_nobody_sleeps_because_a_wiki_lags(
    wiki: ScriptedMediaWiki, monkeypatch: pytest.MonkeyPatch, is_told_by_header: bool
) -> None:
    naps: list[float] = []
    others = set(threading.enumerate()) - {threading.current_thread()}  # a pool's, of other tests
    sleep = time.sleep

    def nap(seconds: float) -> None:
        if threading.current_thread() in others:
            sleep(seconds)
        else:
            naps.append(seconds)

    monkeypatch.setattr(time, "sleep", nap)
    wiki.is_lagging = is_told_by_header
    wiki.instead = b'{"error": {"code": "maxlag", "info": "6 seconds lagged"}}'
    done = await look_up(f"{wiki.url}/w/", "zamek")
    assert BUSY in (done.outcome.error or "")
    assert naps == []


async def test_the_event_loop_stays_free_while_a_wiki_is_slow(wiki: ScriptedMediaWiki) -> None:
    wiki.fault = "silent"
    answers: list[object] = []

    async def ask() -> None:
        answers.append(await look_up(f"{wiki.url}/w/", "zamek", deadline_s=PATIENCE_S))

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        while not wiki.open_requests:  # noqa: ASYNC110 - the wiki has threads of its own
            await anyio.sleep(0.001)
        assert answers == []
        group.cancel_scope.cancel()


@pytest.mark.parametrize("body", [b'{"query": {"pages": 7}}', b"[]", b'{"parse": {}}', b"null"])
async def test_a_wiki_that_sends_nonsense_is_said(wiki: ScriptedMediaWiki, body: bytes) -> None:
    wiki.instead = body
    done = await look_up(f"{wiki.url}/w/", "zamek")
    assert not (done.outcome.error or "").startswith("Narzędzie „Wikipedia” zawiodło")
    assert "**" not in done.outcome.content


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"error": "x"}', b"{", b"\xff\xfe"])
async def test_a_wiki_that_sends_rubbish_is_down(wiki: ScriptedMediaWiki, body: bytes) -> None:
    wiki.instead = body
    done = await look_up(f"{wiki.url}/w/", "zamek")
    assert DOWN in (done.outcome.error or "")


async def test_nobody_listening_is_said() -> None:
    done = await look_up("http://127.0.0.1:1/w/", "a")
    assert done.outcome.error == (
        "Wikipedia jest teraz niedostępna. Spróbuj ponownie za kilka minut."
    )


@every_row(
    ("value", "seconds"),
    [
        ("30", 30.0),
        ("99999", 3600.0),
        ("-5", 30.0),
        ("nan", 30.0),
        ("", 30.0),
        ("soon", 30.0),
        ("Thu, 15 Jan 2026 12:02:00 GMT", 120.0),
        ("Thu, 15 Jan 2026 11:00:00 GMT", 30.0),
    ],
)
def test_a_pause_is_read_from_seconds_or_a_date(value: str, seconds: float) -> None:
    assert read_retry_after(value, NOON) == seconds
