"""The switch: offers the tools to a model and reads from its first tokens which way to go."""

from chatbot.dialects import DIALECTS, Dialect
from chatbot.router.dispatch import Dispatcher, DispatchPolicy
from chatbot.router.limits import RouterLimits
from chatbot.router.offer import DEFAULT_TOOL, request_verdict
from chatbot.router.router import Router
from chatbot.router.usage import Meter

__all__ = [
    "DEFAULT_TOOL",
    "DIALECTS",
    "Dialect",
    "DispatchPolicy",
    "Dispatcher",
    "Meter",
    "Router",
    "RouterLimits",
    "request_verdict",
]
