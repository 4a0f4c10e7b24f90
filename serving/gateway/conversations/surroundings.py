"""What answers of the Chat API are made with, whoever asks for them."""

from collections.abc import Callable
from dataclasses import dataclass

from chatbot.bot import Chatbot
from chatbot.ports import Clock
from serving.billing import Billing
from serving.gateway.admission import Admission
from serving.settings import Settings
from serving.storage.conversations import Conversations
from serving.telemetry import Metrics


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """The parts of one process that its answers share."""

    settings: Settings
    chatbot: Chatbot
    conversations: Conversations
    admission: Admission
    metrics: Metrics
    billing: Billing
    clock: Clock
    new_id: Callable[[], str]
