"""A server that answers each request with the very bytes that a test gives it."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass(kw_only=True, slots=True)
class RawServer:
    """Each connection answers its requests one after the other, then is closed.

    An answer is sent piece by piece, each in a packet of its own where the network lets it be.
    """

    url: str = ""
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def raw_server(
    *connections: Sequence[Sequence[bytes]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[RawServer]:
    """``connections[i][j]`` are the pieces of the answer to request j of connection i.

    Further connections are answered as the last.
    """
    played = RawServer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers = connections[min(played.connections, len(connections) - 1)]
        played.connections += 1
        try:
            for answer in answers:
                head = await reader.readuntil(b"\r\n\r\n")
                length = LENGTH.search(head)
                body = await reader.readexactly(int(length[1]) if length else 0)
                played.requests.append(head + body)
                for piece in answer:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0.001)
        except (ConnectionError, asyncio.IncompleteReadError):
            played.left.set()
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as server:
        port = server.sockets[0].getsockname()[1]
        played.url = f"http{'s' if tls else ''}://127.0.0.1:{port}/v1"
        yield played
