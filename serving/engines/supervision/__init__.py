"""The model servers of this machine: started, watched, started again, ended."""

from serving.engines.supervision.plan import ServerPlan, plan_servers
from serving.engines.supervision.supervise import supervise

__all__ = ["ServerPlan", "plan_servers", "supervise"]
