"""Refuses to start what cannot fit."""

from typing import Final

from serving.engines.budget.budget import Budget, compute_budget
from serving.engines.budget.hardware import find_hardware
from serving.engines.budget.verdict import find_misfits
from serving.settings import Settings, SettingsError

_FIGURES: Final = "all figures: zwrotnica engines budget"


def budget_here(settings: Settings) -> Budget:
    """The budget of this machine, asked now; it may take seconds where a driver is slow."""
    return compute_budget(settings, find_hardware(settings.hardware))


def check_budget(settings: Settings, name: str | None = None) -> None:
    """Refuse what cannot fit; a model or a card that nobody knows is no reason to.

    Args:
        settings: all settings.
        name: the engine that is to start; ``None``: all of them.

    Raises:
        SettingsError: something does not fit; the message has the figures and what to do.
    """
    misfits = [
        misfit.message
        for misfit in find_misfits(budget_here(settings))
        if name is None or f"engines.{name}" in misfit.servers
    ]
    if misfits:
        raise SettingsError("\n".join([*misfits, _FIGURES]))
