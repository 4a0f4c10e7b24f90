"""What holds for every test: neither the machine nor the log of another test makes it fail."""

import logging

import pytest
import structlog
from hypothesis import HealthCheck, settings

PROFILE = "any-machine"


def pytest_configure() -> None:
    """Let property tests look for wrong answers, not for slow ones."""
    settings.register_profile(PROFILE, deadline=None, suppress_health_check=(HealthCheck.too_slow,))
    settings.load_profile(PROFILE)


@pytest.fixture(autouse=True)
def plain_log() -> None:
    """A command that another test ran may have told where to write, and how little."""
    structlog.reset_defaults()
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in [one for one in root.handlers if type(one) is logging.StreamHandler]:
        root.removeHandler(handler)
