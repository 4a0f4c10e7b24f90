import os
import subprocess
import sys
from pathlib import Path

import pytest
from scripted.databases import DATABASES, make_database
from scripted.opened_ledger import open_in, rows_in

POINTS = ("reserved", "noted", "ordered", "settled", "begun")
PROGRAM = """
import os, signal, sys
from pathlib import Path
import anyio
from scripted.ledgers import leg
from scripted.opened_ledger import begin, open_in

def die():
    os.kill(os.getpid(), signal.SIGKILL)

async def live_until(point, folder):
    async with open_in(folder) as ledger:
        done = await begin(ledger, amount=1)
        done.settle([leg(amount=1)], finish="stop")
        await ledger.sync()
        if point == "begun":
            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(begin, ledger)
                await anyio.lowlevel.checkpoint()
                die()
        entry = await begin(ledger, amount=5)
        if point == "noted":
            entry.note([leg(amount=2)])
            await ledger.sync()
        if point in {"ordered", "settled"}:
            entry.settle([leg(amount=3)], finish="stop")
        if point == "settled":
            await ledger.sync()
        die()

for point in sys.argv[2:]:
    folder = Path(sys.argv[1]) / point
    if not (child := os.fork()):
        anyio.run(live_until, point, folder)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
"""


@pytest.fixture(scope="module", params=DATABASES)
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder for each point at which a process was killed."""
    top = tmp_path_factory.mktemp("killed")
    for point in POINTS:
        (top / point).mkdir()
        make_database(request, top / point)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM, str(top), *POINTS]
    subprocess.run(command, check=True, env=environment, timeout=60)
    return top


@pytest.mark.parametrize("point", POINTS)
async def test_the_next_start_ends_what_was_left_by_what_was_known(
    killed: Path, point: str
) -> None:
    folder = killed / point
    async with open_in(folder) as ledger:
        await ledger.sync()
    rows = rows_in(folder).requests.values()
    ends = sorted((row["state"], row["charged"]) for row in rows if row["charged"] != 1)
    allowed = {
        "reserved": [[("void", 0)]],
        "noted": [[("settled", 2)]],
        "ordered": [[("settled", 3)], [("void", 0)]],
        "settled": [[("settled", 3)]],
        "begun": [[("void", 0)] * number for number in range(51)],
    }
    assert ends in allowed[point]
    assert [row["state"] for row in rows if row["charged"] == 1] == ["settled"]
    assert list((folder / "ledger").glob("*.lock")) == []
