"""`zwrotnica serve` with fault servers as engine, image server and weather service."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests
from anyio.from_thread import BlockingPortal, start_blocking_portal
from scripted.chats import Chat, open_chat
from scripted.fault_server import Exchange, FaultServer
from scripted.gateway_process import GatewayProcess
from scripted.patience import PATIENCE_S

ENGINE = "bielik"
DATABASE = "zwrotnica.sqlite3"
WEATHER = "Jaka jest pogoda w Łodzi?"
"""A question whose tool asks the weather service, which says nothing."""


def poem(fault: str = "fault=none") -> str:
    """A question for the engine, which plays ``fault``."""
    return f"Ułóż fraszkę o jesieni. {fault}"


def picture(*, steps: int, every_ms: int = 20) -> str:
    """A wish for a picture that takes so many steps."""
    return f"Wygeneruj obraz: fault=picture_steps:of={steps}:every_ms={every_ms}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outside:
    """What stands around the gateway: ``engine`` speaks and draws, ``weather`` is silent."""

    engine: FaultServer
    weather: FaultServer

    def environ(self, **more: object) -> dict[str, str]:
        """Variables of a gateway that asks these; ``more`` are settings, ``__`` between names."""
        engine = {
            "kind": "vllm",
            "url": self.engine.url,
            "connect_s": PATIENCE_S,  # the two ends share the machine's cores
            "failures_allowed": 100_000,
        }
        drawing = {"kind": "zwrotnica", "url": self.engine.url, "failures_allowed": 100_000}
        weather = dict.fromkeys(
            ("openmeteo_url", "geocoding_url", "openweather_url"), self.weather.url
        )
        settings = {
            "engines": {ENGINE: engine},
            "default_engine": ENGINE,
            "client_tools_engine": ENGINE,
            "images__engine": drawing,
            "tools__enabled": "weather,image,mathematics",
            "tools__weather": weather,
            **more,
        }
        return {f"ZWROTNICA_{name.upper()}": _written(value) for name, value in settings.items()}

    def asked(self, seed: int) -> Exchange | None:
        """The engine's request with this seed, if it has come."""
        found = (one for one in list(self.engine.exchanges) if one.script.seed == seed)
        return next(found, None)


@contextmanager
def open_outside() -> Iterator[Outside]:
    """Fault servers in a thread and loop of their own."""
    with start_blocking_portal() as portal:
        engine = FaultServer(heeds_last=True)
        weather = FaultServer(default="fault=silent", heeds_requests=False)
        with _opened(portal, engine), _opened(portal, weather):
            yield Outside(engine=engine, weather=weather)


@contextmanager
def _opened(portal: BlockingPortal, server: FaultServer) -> Iterator[None]:
    with portal.wrap_async_context_manager(server):
        yield


def named_chat(gateway: GatewayProcess) -> Chat:
    """A conversation that needs no title, so that the model is asked for none."""
    return open_chat(gateway, title="Nazwana")


def readiness(gateway: GatewayProcess) -> tuple[int, str | None]:
    """What `/readyz` says: its status, and why nothing can be stored."""
    reply = requests.get(f"{gateway.url}/readyz", timeout=PATIENCE_S)
    return reply.status_code, reply.json()["storage"]


def readers(gateway: GatewayProcess, outside: Outside) -> int:
    """Sockets that the process has open, without those to its engine and services."""
    folder = Path(f"/proc/{gateway.process.pid}/fd")
    opened = sum(_target(link).startswith("socket:") for link in folder.iterdir())
    return opened - outside.engine.open_connections - outside.weather.open_connections


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except FileNotFoundError:
        return ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
