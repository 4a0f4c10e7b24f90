import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from scripted.full_stack import wait_for
from scripted.http_client import RawClient, ask
from scripted.page import PageGateway, page_gateway, ready_page_gateway, request
from scripted.page_process import LARGE
from scripted.patience import PATIENCE_S

from serving.page.process import PageProcess
from serving.settings import LimitsSettings

BOUNDS = LimitsSettings(body_bytes=1000, body_s=0.3, write_s=0.3, drain_s=0.2)
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageGateway]:
    with ready_page_gateway(tmp_path_factory.mktemp("page"), limits=BOUNDS) as gateway:
        yield gateway


@pytest.fixture
def mute(tmp_path: Path) -> Iterator[PageGateway]:
    """A gateway whose page is starting for ever."""
    with page_gateway(tmp_path, fault="mute") as gateway:
        yield gateway


async def last_seen(gateway: PageGateway, target: str) -> dict[str, object]:
    """The last request for ``target`` as the page saw it."""
    seen = cast("list[dict[str, object]]", (await gateway.seen())["seen"])
    return next(asked for asked in reversed(seen) if asked["target"] == target)


async def departures(gateway: PageGateway) -> int:
    return cast("int", (await gateway.seen())["departures"])


async def push(gateway: PageGateway, text: bytes) -> None:
    """Let an open stream of the page say something."""
    await ask(gateway.port, request("/push", text, method="POST", content_length=str(len(text))))


async def wait_departures(gateway: PageGateway, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await departures(gateway) < count:  # noqa: ASYNC110 (another process's state)
            await asyncio.sleep(0.02)


async def test_what_no_route_owns_is_the_pages(gateway: PageGateway) -> None:
    reply = await gateway.get("/")

    assert (reply.status, reply.body) == (200, b"<h1>page</h1>")


async def test_routes_stay_the_gateways(gateway: PageGateway) -> None:
    assert (await gateway.get("/livez")).json == {"status": "alive"}
    assert (await gateway.get("/docs")).status == 200


@pytest.mark.parametrize(
    "path",
    ["/v1/nothing", "/api/nothing", "/API/nothing", "/%61pi/nothing", "/images", "/openapi.json/x"],
)
async def test_below_paths_of_routes_an_error_is_an_error_object(
    gateway: PageGateway, path: str
) -> None:
    reply = await gateway.get(path, **BROWSER)

    assert reply.status == 404
    assert reply.json["error"]["code"] == "not_found"  # type: ignore[index]  # an error object


async def test_another_method_on_a_route_is_405_as_without_a_page(gateway: PageGateway) -> None:
    assert (await gateway.get("/v1/models", method="DELETE")).status == 405


async def test_methods_that_the_page_has_no_use_for_are_refused(gateway: PageGateway) -> None:
    reply = await gateway.get("/", method="DELETE")

    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD, POST")


async def test_head_has_the_head_alone(gateway: PageGateway) -> None:
    reply = await gateway.get("/", method="HEAD")

    assert (reply.status, reply.body) == (200, b"")
    assert (await last_seen(gateway, "/"))["method"] == "HEAD"


@pytest.mark.parametrize(
    "path",
    [
        "//v1/models",
        "/en//x",
        "/v1/..;/x",
        "/x/../api/me",
        "/x/%2e%2e/api/me",
        "/x%2f..%2fapi/me",
        "/x\\..\\api/me",
        "/x/..;a=b/api/me",
        "/./api/me",
        "/x%00",
        "/x%0d%0ay",
    ],
)
async def test_a_path_with_two_readings_reaches_nobody(gateway: PageGateway, path: str) -> None:
    before = await gateway.seen()
    reply = await gateway.get(path)

    assert reply.status == 404
    assert (await gateway.seen())["seen"] == before["seen"]


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/@evil.example/", "/@evil.example/"),
        ("/:80/x?a=http://evil.example/#f", "/:80/x?a=http://evil.example/"),
        ("http://evil.example/x", "/x"),
        (
            "/gradio_api/file=%C5%82%C3%B3d%C5%BA%20.png?x=%2F%2e",
            "/gradio_api/file=%C5%82%C3%B3d%C5%BA%20.png?x=%2F%2e",
        ),
        ("/x%3Fy%23z", "/x%3Fy%23z"),
    ],
)
async def test_no_path_leads_elsewhere_than_to_the_page(
    gateway: PageGateway, path: str, target: str
) -> None:
    assert (await gateway.get(path)).status == 200
    assert (await last_seen(gateway, target))["target"] == target


@pytest.mark.parametrize("host", ["x/public?", "a#b", "a@b", "a\\b", "", "a b"])
async def test_a_host_that_is_none_is_refused(gateway: PageGateway, host: str) -> None:
    assert (await gateway.get("/", host=host)).status == 400


async def test_two_hosts_are_refused(gateway: PageGateway) -> None:
    raw = b"GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n"

    assert (await ask(gateway.port, raw)).status == 400


async def test_the_page_sees_the_clients_address_of_it(gateway: PageGateway) -> None:
    await gateway.get("/address", host="czat.example:8443", x_forwarded_proto="https")
    headers = dict(cast("list[tuple[str, str]]", (await last_seen(gateway, "/address"))["headers"]))

    assert headers["host"] == "czat.example:8443"
    assert (headers["x-forwarded-proto"], headers["x-forwarded-for"]) == ("https", "127.0.0.1")


async def test_what_a_client_says_of_other_hosts_and_of_the_connection_stays_here(
    gateway: PageGateway,
) -> None:
    await gateway.get(
        "/odd-headers",
        x_forwarded_host="evil.example",
        x_forwarded_prefix="/evil",
        forwarded="host=evil.example",
        x_gradio_server="http://evil.example",
        connection="close, x-mine",
        x_mine="1",
        te="trailers",
        upgrade="websocket",
        cookie="a=1",
    )
    headers = dict(
        cast("list[tuple[str, str]]", (await last_seen(gateway, "/odd-headers"))["headers"])
    )

    assert "evil" not in json.dumps(headers)
    assert not {"x-mine", "te", "upgrade", "connection"} & set(headers)
    assert headers["cookie"] == "a=1"


async def test_a_request_has_one_id_on_both_sides(gateway: PageGateway) -> None:
    reply = await gateway.get("/id", x_request_id="my-own-request")
    headers = dict(cast("list[tuple[str, str]]", (await last_seen(gateway, "/id"))["headers"]))

    assert reply.headers["x-request-id"] == headers["x-request-id"] == "my-own-request"


async def test_of_the_pages_reply_what_concerns_one_connection_stays_here(
    gateway: PageGateway,
) -> None:
    async with RawClient(gateway.port) as client:
        await client.send(request("/odd"))
        head = (await client.read_until(b"\r\n\r\n")).decode().lower()

    assert "location: /elsewhere" in head
    assert "content-encoding: br" in head
    assert "set-cookie: a=1" in head
    assert "set-cookie: b=2" in head
    assert not [name for name in ("x-odd", "keep-alive", "server: page") if name in head]


async def test_a_body_reaches_the_page_whole(gateway: PageGateway) -> None:
    body = "zażółć".encode() * 50
    raw = request("/body", body, method="POST", content_length=str(len(body)))
    await ask(gateway.port, raw)

    assert (await last_seen(gateway, "/body"))["body"] == body.decode()


async def test_a_body_in_chunks_reaches_the_page_whole(gateway: PageGateway) -> None:
    body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    raw = request("/chunks", body, method="POST", transfer_encoding="chunked")
    await ask(gateway.port, raw)

    assert (await last_seen(gateway, "/chunks"))["body"] == "abcde"


async def test_a_body_beyond_its_bound_never_reaches_the_page(gateway: PageGateway) -> None:
    body = b"x" * 1001
    raw = request("/too-large", body, method="POST", content_length=str(len(body)))
    reply = await ask(gateway.port, raw)

    assert reply.status == 413
    assert "/too-large" not in json.dumps(await gateway.seen())


async def test_half_a_body_never_reaches_the_page(gateway: PageGateway) -> None:
    raw = request("/half", b"half", method="POST", content_length="8")
    reply = await ask(gateway.port, raw)

    assert reply.status == 408
    assert "/half" not in json.dumps(await gateway.seen())


async def test_each_event_passes_when_it_is_said(gateway: PageGateway) -> None:
    async with RawClient(gateway.port) as client, asyncio.timeout(PATIENCE_S):
        await client.send(request("/events"))
        await client.read_until(b"\r\n\r\n")
        for word in (b"pierwsze", b"drugie"):
            await push(gateway, word)
            assert b"data: " + word in await client.read_until(b"\n\n\r\n")


async def test_a_client_that_leaves_ends_the_pages_stream(gateway: PageGateway) -> None:
    before = await departures(gateway)
    async with RawClient(gateway.port) as client:
        await client.send(request("/events"))
        await client.read_until(b"\r\n\r\n")

    await wait_departures(gateway, before + 1)


async def read_after(gateway: PageGateway, pause_s: float) -> int:
    """How much of a large reply comes to a client that waits before it reads on."""
    async with RawClient(gateway.port) as client:
        await client.send(request("/large"))
        await client.read_until(b"\r\n\r\n")
        await asyncio.sleep(pause_s)
        return len(await client.read_some(LARGE))


async def test_a_client_that_stops_reading_is_left(gateway: PageGateway) -> None:
    pause_s = 2 * BOUNDS.write_s
    async with asyncio.timeout(PATIENCE_S):
        while await read_after(gateway, pause_s) == LARGE:
            pause_s *= 2  # the machine is busy


async def test_a_large_reply_passes_whole(gateway: PageGateway) -> None:
    assert len((await gateway.get("/large")).body) == LARGE


async def test_a_reply_that_breaks_off_is_cut(gateway: PageGateway) -> None:
    reply = await gateway.get("/cut")

    assert reply.body == b"half"
    assert not reply.is_whole


async def test_a_page_that_hangs_up_is_a_clear_error(gateway: PageGateway) -> None:
    reply = await gateway.get("/lost")

    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert reply.json["error"]["code"] == "page_unavailable"  # type: ignore[index]  # an error object


async def test_a_page_that_hangs_is_started_again(tmp_path: Path) -> None:
    with ready_page_gateway(tmp_path, answer_s=0.3) as gateway:
        process = gateway.page.process
        assert isinstance(process, PageProcess)
        assert (await gateway.get("/hang")).status == 503
        await wait_for(lambda: process.starts > 1, PATIENCE_S)


async def test_while_the_page_starts_a_browser_gets_a_calm_page(mute: PageGateway) -> None:
    reply = await mute.get("/", **BROWSER)

    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert "Strona czatu się uruchamia…" in reply.body.decode()
    assert 'http-equiv="refresh"' in reply.body.decode()


async def test_while_the_page_starts_a_script_gets_an_error_object(mute: PageGateway) -> None:
    reply = await ask(
        mute.port, request("/gradio_api/queue/join", method="POST", content_length="0")
    )

    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert reply.json["error"]["code"] == "page_unavailable"  # type: ignore[index]  # an error object


async def test_while_the_page_starts_the_api_works(mute: PageGateway) -> None:
    assert (await mute.get("/v1/models")).status == 200
    assert (await mute.get("/v1/nothing", **BROWSER)).status == 404


async def test_open_streams_do_not_hold_up_the_end(tmp_path: Path) -> None:
    with ready_page_gateway(tmp_path) as gateway:
        async with RawClient(gateway.port) as client, asyncio.timeout(PATIENCE_S):
            await client.send(request("/events"))
            await client.read_until(b"\r\n\r\n")
            gateway.stop()
            assert b"0\r\n\r\n" not in await client.read_some(1000)
