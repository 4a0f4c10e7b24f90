"""Clients whose machine is gone without a word are given up by the kernel."""

import asyncio

import pytest
from scripted.deaf import deaf
from scripted.patience import PATIENCE_S

from serving.http.reachability import watch_clients


@pytest.mark.parametrize("is_speaking", [True, False], ids=["while it is sent to", "in silence"])
async def test_a_client_that_acknowledges_nothing_is_given_up(is_speaking: bool) -> None:
    given_up = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        await reader.readexactly(1)
        if is_speaking:
            await asyncio.sleep(0.1)
            writer.write(b"still here")
        try:
            await reader.read()
        except OSError:
            given_up.set()
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        [listening] = server.sockets
        watch_clients(listening, within_s=1)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        await reader.readexactly(5)
        writer.write(b"x")
        await asyncio.sleep(0.05)
        with deaf(writer.get_extra_info("socket")):
            async with asyncio.timeout(PATIENCE_S):
                await given_up.wait()
        writer.transport.abort()
