"""A reply of an engine whose body is known beforehand."""

from dataclasses import dataclass, field
from math import inf

from serving.engines.transport.reply import ChunkSink, Sink


@dataclass(kw_only=True)
class Pieces:
    """A reply whose body is known beforehand; each piece is one read."""

    left: list[bytes]
    status_code: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    moment: float = inf

    @property
    def deadline(self) -> "Pieces":
        return self

    def limit(self, moment: float) -> None:
        assert moment < inf

    async def read(self) -> bytes | None:
        return self.left.pop(0) if self.left else None

    async def pour(self, sink: Sink, chunk_sink: ChunkSink | None = None) -> bool:
        while self.left:
            if sink(self.left.pop(0)):
                return False
        return True

    def pause(self) -> None:
        raise AssertionError("nobody was slow")

    def resume(self) -> None:
        raise AssertionError("nobody was slow")

    async def aclose(self) -> None:
        self.left.clear()
