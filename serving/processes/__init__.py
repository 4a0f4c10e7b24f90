"""Child processes that are other programs: started, ended and started again."""

from serving.processes.ending import Endable, end_process
from serving.processes.guarded import GuardedProcess, run_guarded
from serving.processes.launcher import LAUNCH
from serving.processes.pauses import Pauses

__all__ = ["LAUNCH", "Endable", "GuardedProcess", "Pauses", "end_process", "run_guarded"]
