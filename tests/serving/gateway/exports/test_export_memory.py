"""An export of any length takes the memory of a batch."""

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.exported import BEGAN, answered, entries, said, weather

from serving.gateway.exports.entries import Entry
from serving.gateway.exports.formats import FORMATS, Order
from serving.gateway.exports.source import BATCH
from serving.gateway.exports.words import POLISH

LETTERS = "zażółć gęślą jaźń " * 5
MOST_GROWTH = 1.25
"""How much more an export four times as long may take."""


def batches(count: int) -> Iterator[list[Entry]]:
    for start in range(0, count, BATCH):
        numbers = range(start, min(count, start + BATCH))
        yield [
            entry
            for number in numbers
            for entry in entries(
                said(LETTERS, number=number), answered(LETTERS, number=number, parts=weather())
            )
        ]


def peak(name: str, count: int, folder: Path) -> int:
    """Bytes that were allocated at most while ``count`` exchanges were written."""
    order = Order(words=POLISH, folder=folder, exported_at=BEGAN, seal=str)
    gc.collect()
    tracemalloc.start()
    writer = FORMATS[name].open(order)
    for batch in batches(count):
        writer.add(batch)
    for _ in writer.finish():
        pass
    writer.close()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("name", FORMATS)
def test_memory_does_not_grow_with_the_length(name: str, tmp_path: Path) -> None:
    peak(name, 1, tmp_path)  # what is loaded once is no part of it
    short = peak(name, BATCH, tmp_path)
    assert peak(name, 4 * BATCH, tmp_path) < MOST_GROWTH * short
