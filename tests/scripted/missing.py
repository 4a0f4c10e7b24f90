"""What a test does where a part that it needs is not installed."""

import os
from typing import NoReturn

import pytest


def stop_without(what: str) -> NoReturn:
    """Fail in continuous integration, skip elsewhere; ``what`` is missing, and how to get it."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)
