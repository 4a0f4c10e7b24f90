"""Opens scripted gateways for a test and closes them after it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import openai
from scripted.databases import put_tables
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.openai_clients import client_of

from serving.settings import LimitsSettings, Settings


class Stage:
    """Gateways and clients of one test; ``settings`` may be replaced before the first."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stack = ExitStack()

    def limit(self, **limits: float) -> None:
        """Change limits for the gateways opened from now on."""
        changed = self.settings.limits.model_copy(update=limits)
        self.settings = self.settings.model_copy(update={"limits": changed})

    def gateway(self, **backstage: object) -> RunningGateway:
        behind = Backstage(**backstage)  # type: ignore[arg-type]  # a test's own choice of fields
        return self.stack.enter_context(running_gateway(self.settings, behind))

    def client(self, **backstage: object) -> openai.OpenAI:
        return self.client_at(self.gateway(**backstage))

    def client_at(self, gateway: RunningGateway) -> openai.OpenAI:
        return self.stack.enter_context(client_of(f"{gateway.url}/v1"))


@contextmanager
def open_stage(folder: Path) -> Iterator[Stage]:
    put_tables(folder)
    limits = LimitsSettings(heartbeat_s=0.2, drain_s=0.5)
    stage = Stage(Settings(data_dir=folder, limits=limits))
    with stage.stack:
        yield stage
