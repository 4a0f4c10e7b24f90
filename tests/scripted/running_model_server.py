"""A server of one scripted model, run in a thread of the tests."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from scripted.gateway import wait_until
from scripted.patience import PATIENCE_S

from serving.model_server.queue import AnyQueue
from serving.model_server.server import ModelServer

QueueT = TypeVar("QueueT", bound=AnyQueue)


@dataclass(frozen=True, kw_only=True)
class RunningModelServer(Generic[QueueT]):
    """A server that answers at ``url``."""

    server: ModelServer
    queue: QueueT

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def api(self) -> str:
        """The base address as OpenAI clients want it."""
        return f"{self.url}/v1"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextmanager
def running_model_server(
    server: ModelServer, queue: QueueT, *, is_ready: bool, let_go: Callable[[], None]
) -> Iterator[RunningModelServer[QueueT]]:
    """Serve until the block is left, then ``let_go`` of the model; ``is_ready``: begin once so."""
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started and queue.is_ready is is_ready)
        yield RunningModelServer(server=server, queue=queue)
    finally:
        let_go()
        server.should_exit = True
        thread.join(PATIENCE_S)
