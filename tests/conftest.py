"""What holds for every test: neither the machine nor the log of another test makes it fail."""

import gc
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpcore2
import pytest
import structlog
from hypothesis import HealthCheck, settings
from scripted.databases import DATABASES, empty_file, make_database
from scripted.postgres_process import PostgresServer, serve_postgres
from scripted.spreading import WholeFiles, rank

PROFILE = "any-machine"
YOUNG = 20_000
"""New objects looked at together; with Python's 700 all others are walked again and again."""


def pytest_configure() -> None:
    """Let property tests look for wrong answers, not for slow ones.

    Every client reads the machine's certificates, 30 ms of computing: here once a process.
    """
    settings.register_profile(PROFILE, deadline=None, suppress_health_check=(HealthCheck.too_slow,))
    settings.load_profile(PROFILE)
    gc.set_threshold(YOUNG, 20, 20)
    httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, whatever the order of the others."""
    items.sort(key=lambda item: rank(item.nodeid))


def pytest_collection_finish() -> None:
    """What collecting has made stays to the end: the collector need not walk it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> WholeFiles:
    """Give whole files to the processes, in the order of the collection."""
    config.option.loadscopereorder = False
    return WholeFiles(config, log)


@pytest.fixture(autouse=True)
def plain_log() -> None:
    """A command that another test ran may have told where to write, and how little."""
    structlog.reset_defaults()
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in [one for one in root.handlers if type(one) is logging.StreamHandler]:
        root.removeHandler(handler)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, for tests that are marked as ``parts``."""
    with serve_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def empty_database() -> bytes:
    """A file with all tables, made once: most tests do not care how."""
    return empty_file()


@pytest.fixture(params=DATABASES)
def any_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A data folder; its database, of either kind, has all tables and no row."""
    make_database(request, tmp_path)
    return tmp_path
