"""How tests are spread over processes: whole files, so that each opens what it shares once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from xdist.scheduler import LoadFileScheduling

LONG_FIRST: Final = (
    "tests/serving/test_workers.py",
    "tests/contracts/test_product.py",
    "tests/evals/test_gateway_bench.py",
)
"""Files that wait for real processes: begun first, they keep no process waiting at the end."""

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
