"""Runs `zwrotnica bench` beside a server of the test, and finds what it wrote."""

import asyncio
from pathlib import Path

from click.testing import CliRunner, Result

from evals.bench.cli import bench


def written_in(folder: Path) -> dict[str, str]:
    """What every file of a folder holds, by suffix."""
    return {path.suffix: path.read_text() for path in folder.iterdir()}


def only_record(folder: Path) -> Path:
    (path,) = folder.glob("*.jsonl")
    return path


async def command(*words: str) -> Result:
    """Run the command in a thread, since the server of the test runs in this one."""
    return await asyncio.to_thread(CliRunner().invoke, bench, list(words))
