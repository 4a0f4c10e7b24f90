"""How tests are spread over processes: whole files, so that each opens what it shares once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from xdist.scheduler import LoadFileScheduling

LONG_FIRST: Final = (
    "tests/contracts/test_product.py",
    "tests/serving/engines/test_engine_faults.py",
    "tests/contracts/test_ten_turns.py",
    "tests/evals/test_eval_runs.py",
    "tests/contracts/test_worded_tools.py",
    "tests/serving/gateway/exports/test_export_memory.py",
)
"""Files of many seconds: begun first, they keep no process waiting at the end.

Those that start gateways and those that wait for limits stand in turn.
"""

TOGETHER: Final[Mapping[str, str]] = MappingProxyType({
    "tests/contracts/test_chat_api_page.py": "tests/contracts/test_product.py",
    "tests/contracts/test_readme.py": "tests/contracts/test_product.py",
})
"""Files that share what is opened once a session, and the file whose process runs them."""


class WholeFiles(LoadFileScheduling):  # type: ignore[misc]  # xdist has no type hints
    """A process runs all tests of a file, in the order in which files were collected."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return TOGETHER.get(path, path)


def rank(nodeid: str) -> int:
    """The place of a test's file among those that are begun first, or the place after them."""
    path = nodeid.split("::", 1)[0]
    path = TOGETHER.get(path, path)
    return LONG_FIRST.index(path) if path in LONG_FIRST else len(LONG_FIRST)
