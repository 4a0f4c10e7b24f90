"""What befalls a database from outside: others lock it, its disk fills or fails, pages rot."""

import errno
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scripted.missing import stop_without

PAGE_BYTES = 4096
_LOCK = """
import sqlite3, sys, time
with sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60) as connection:
    connection.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    time.sleep(float(sys.argv[2]))
    connection.execute("ROLLBACK")
    print(time.monotonic(), flush=True)
"""


class Lock:
    """A second process that holds the database for itself from now on, for ``seconds``."""

    def __init__(self, database: Path, seconds: float) -> None:
        """Return as soon as it is locked."""
        words = (sys.executable, "-c", _LOCK, str(database), str(seconds))
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8")
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "locked\n"
        self.began_at = time.monotonic()

    def wait(self) -> float:
        """When it was let go, in monotonic time."""
        told, _ = self._process.communicate()
        return float(told)


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[None]:
    """A disk of its own, mounted at ``folder``, until the block is left."""
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0700", "tmpfs", str(folder))
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        stop_without("a small disk is mounted by root only: sudo make test-faults")
    try:
        yield
    finally:
        subprocess.run(("umount", "-l", str(folder)), check=True)


def empty_log(database: Path) -> None:
    """Move what stands in the write-ahead log into the database; its space is free again.

    A log keeps the space that it once had, and what is written goes there on a full disk, too.
    """
    with closing(sqlite3.connect(database, isolation_level=None, timeout=60)) as connection:
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            time.sleep(0.01)


def fill_disk(junk: Path) -> None:
    """Write ``junk`` until not a byte more fits."""
    descriptor = os.open(junk, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        while True:
            os.write(descriptor, b"\xff" * PAGE_BYTES)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    finally:
        os.close(descriptor)


@contextmanager
def failing_disk(pid: int) -> Iterator[None]:
    """Every write of the process to a file fails until the block is left; its pipes go on."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def rotten(database: Path, page: int) -> Iterator[None]:
    """A page, counted from 1, holds nothing but ones until the block is left."""
    before = _exchange(database, page, b"\xff" * PAGE_BYTES)
    try:
        yield
    finally:
        _exchange(database, page, before)


def root_page(database: Path, table: str) -> int:
    """The page with which a table begins."""
    with closing(sqlite3.connect(database)) as connection:
        asked = "select rootpage from sqlite_master where name = ?"
        return int(connection.execute(asked, (table,)).fetchone()[0])


def page_with(database: Path, words: str) -> int:
    """The last page on which ``words`` stand."""
    return database.read_bytes().rindex(words.encode()) // PAGE_BYTES + 1


def _exchange(database: Path, page: int, content: bytes) -> bytes:
    with database.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        before = file.read(PAGE_BYTES)
        file.seek((page - 1) * PAGE_BYTES)
        file.write(content)
    return before
