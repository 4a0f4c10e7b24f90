"""Child processes that are other programs: started, ended and started again."""

from serving.processes.ending import Endable, end_process
from serving.processes.guarded import GuardedProcess, run_guarded
from serving.processes.launcher import LAUNCH
from serving.processes.pauses import Pauses
from serving.processes.service import notify_service

__all__ = [
    "LAUNCH",
    "Endable",
    "GuardedProcess",
    "Pauses",
    "end_process",
    "notify_service",
    "run_guarded",
]
