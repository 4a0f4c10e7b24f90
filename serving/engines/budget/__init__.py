"""The memory budget: what the servers need, what the machine has, and whether it fits."""

from serving.engines.budget.budget import Budget, Entry, Place, compute_budget
from serving.engines.budget.checking import budget_here, check_budget
from serving.engines.budget.hardware import Hardware, find_hardware
from serving.engines.budget.verdict import Misfit, find_misfits, show_size

__all__ = [
    "Budget",
    "Entry",
    "Hardware",
    "Misfit",
    "Place",
    "budget_here",
    "check_budget",
    "compute_budget",
    "find_hardware",
    "find_misfits",
    "show_size",
]
