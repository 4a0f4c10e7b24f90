"""Runs a `scripted.family` under a guardian: `python -m scripted.guarded_family FILE KIND`."""

import sys

import anyio
from scripted.family import FAMILY

from serving.processes import run_guarded


async def keep(*arguments: str) -> None:
    async with run_guarded((*FAMILY, *arguments), environment={}) as process:
        await process.output.read()


if __name__ == "__main__":
    anyio.run(keep, *sys.argv[1:])
