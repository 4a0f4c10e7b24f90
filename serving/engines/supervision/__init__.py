"""The model servers of this machine: started, watched, started again, ended."""

from serving.engines.supervision.plan import ServerPlan, plan_servers
from serving.engines.supervision.report import EVENTS
from serving.engines.supervision.supervise import supervise

__all__ = ["EVENTS", "ServerPlan", "plan_servers", "supervise"]
