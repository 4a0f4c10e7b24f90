import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.full_stack import wait_for
from scripted.http_client import RawClient, ask
from scripted.page import PageGateway, page_gateway, ready_page_gateway, request
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


async def test_what_no_route_owns_is_the_pages(gateway: PageGateway) -> None:
    reply = await gateway.get("/")

    assert (reply.status, reply.body) == (200, b"<h1>page</h1>")


async def test_the_page_of_a_server_without_keys_has_no_name_of_others(
    gateway: PageGateway,
) -> None:
    assert (await gateway.get("/", host="localhost")).status == 200
    assert (await gateway.get("/", host="evil.example")).status == 403
    assert (await gateway.get("/", host="[::1")).status == 400


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
    assert (await gateway.last_seen("/"))["method"] == "HEAD"


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
    assert (await gateway.last_seen(target))["target"] == target


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
