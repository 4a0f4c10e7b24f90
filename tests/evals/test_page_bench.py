import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import click
import pytest
from aiohttp import web

from evals.bench.page import Chat, Form, Round, build_row, chat_on_page, read_form

FORM = Form(fn_index=3, trigger_id=7)
CHAT = Chat(asked_at=0.0, began_at=1.0, first_ms=5.0, ended_at=2.0, received=1000)


def gradio_config(**changes: object) -> dict[str, object]:
    """Gradio's description of a page with one button for sending."""
    return {
        "components": [
            {"id": 6, "props": {"elem_id": "message"}},
            {"id": 7, "props": {"elem_id": "send"}},
        ],
        "dependencies": [
            {"id": 2, "targets": [[7, "click"]], "queue": False},
            {"id": 3, "targets": [[6, "submit"], [7, "click"]], "queue": None},
        ],
        **changes,
    }


@asynccontextmanager
async def gradio_server(pieces: list[bytes]) -> AsyncIterator[aiohttp.ClientSession]:
    """A client of a server that says ``pieces`` in place of Gradio."""

    async def join(request: web.Request) -> web.Response:
        asked = await request.json()
        return web.json_response({"event_id": "1"}, status=200 if asked["fn_index"] == 3 else 400)

    async def tell(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse()
        await reply.prepare(request)
        for piece in pieces:
            await reply.write(piece)
            await asyncio.sleep(0.01)
        return reply

    app = web.Application()
    app.add_routes([web.post("/gradio_api/queue/join", join)])
    app.add_routes([web.get("/gradio_api/queue/data", tell)])
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
            yield session
    finally:
        await runner.cleanup()


def event(**fields: object) -> bytes:
    return b"data: " + json.dumps(fields).encode() + b"\n\n"


def test_the_queued_event_of_the_button_is_pressed() -> None:
    assert read_form(gradio_config()) == FORM


def test_a_page_without_the_button_is_no_page() -> None:
    with pytest.raises(click.ClickException, match="no button"):
        read_form(gradio_config(components=[]))


async def test_the_clock_is_found_where_two_reads_cut_it() -> None:
    said = [event(msg="process_starts"), b'data: "zegar 12', b'3456789 "\n\n']
    async with gradio_server([*said, event(msg="process_completed")]) as session:
        chat = await chat_on_page(session, FORM, 1)

    assert chat.began_at < chat.ended_at
    assert chat.received == sum(map(len, [*said, event(msg="process_completed")]))


async def test_a_chat_without_an_end_has_failed() -> None:
    async with gradio_server([event(msg="process_starts")]) as session:
        with pytest.raises(ValueError, match="broke off"):
            await chat_on_page(session, FORM, 1)


def test_chats_that_overlap_ran_at_once() -> None:
    later = replace(CHAT, began_at=2.0, ended_at=3.0)
    row = build_row(
        "page", 3, [Round(chats=[CHAT, CHAT, later, None], gateway_cpu_ms=8, page_cpu_ms=4)]
    )

    assert (row.at_once, row.answers, row.failed) == (2, 3, 1)
    assert (row.gateway_cpu_ms, row.page_cpu_ms) == (2, 1)
