"""The running product behind the page: real processes and wiki, scripted model and services."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import requests
from scripted.gateway import wait_until
from scripted.landscape import SeaPainter
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.painter import image_settings, running_image_server
from scripted.product import serve_product
from scripted.storyteller import Storyteller

CONFIG = """\
[engines.bielik]
kind = "vllm"
url = "{model}/v1"
model = "bielik"

[turn]
phrase_s = 20

[page]
start_s = {start_s}

[tools.weather]
openmeteo_url = "{openmeteo}"
geocoding_url = "{openmeteo}"
openweather_url = "{openweather}"
api_key = "{key}"

[tools.wikipedia]
url = "{wikipedia}"

[images]
link_s = {link_s}

[images.engine]
kind = "zwrotnica"
url = "{images}"
"""
LINK_S = 3600
START_S = 180.0


@dataclass(frozen=True, kw_only=True, slots=True)
class PageProduct:
    """What tests of the page turn to: the product, its model, its services, its painter."""

    url: str
    model: Storyteller
    openweather: ScriptedOpenWeather
    openmeteo: ScriptedOpenMeteo
    painter: SeaPainter

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def list_conversations(self) -> list[dict[str, object]]:
        """The newest conversations, without their messages."""
        reply = requests.get(f"{self.url}/api/conversations", timeout=30)
        reply.raise_for_status()
        return cast("list[dict[str, object]]", reply.json()["conversations"])

    def fill(self, titles: Mapping[str, int]) -> None:
        """Add conversations of so many days ago, each of one question and one answer."""
        document = {
            "format": "zwrotnica.conversations",
            "version": 1,
            "exported_at": _ago(0),
            "conversations": [
                _conversation(number, title, _ago(days))
                for number, (title, days) in enumerate(titles.items())
            ],
        }
        requests.post(f"{self.url}/api/import", json=document, timeout=30).raise_for_status()

    def forget(self) -> None:
        """Delete every conversation, and let nothing be wrong or slow any more."""
        self.model.be_quick()
        self.openweather.fault = self.openmeteo.fault = None
        self.openweather.steps = {}
        self.painter.step_s = 0.0
        while found := self.list_conversations():
            for one in found:
                address = f"{self.url}/api/conversations/{one['id']}"
                requests.delete(address, timeout=30).raise_for_status()


@contextmanager
def open_page_product(
    folder: Path, wiki: str, *, link_s: float = LINK_S, config: str = ""
) -> Iterator[PageProduct]:
    """Serve until the block is left; ``config`` is added to the settings."""
    with ExitStack() as stack:
        model = stack.enter_context(Storyteller())
        openweather = stack.enter_context(ScriptedOpenWeather(now=_now))
        openmeteo = stack.enter_context(ScriptedOpenMeteo(now=_now))
        painter = SeaPainter()
        settings = image_settings(default_size="512x512", name="malarz-próbny")
        images = stack.enter_context(running_image_server(painter, settings))
        addresses = {
            "model": model.url,
            "openweather": openweather.url,
            "openmeteo": openmeteo.url,
            "key": KEY,
            "wikipedia": wiki,
            "images": images.api,
            "link_s": str(link_s),
            "start_s": str(START_S),
        }
        environ = {"PATH": os.environ["PATH"], "ZWROTNICA_PAGE__ENABLED": "true"}
        product = stack.enter_context(serve_product(folder, CONFIG + config, addresses, **environ))
        wait_until(lambda: requests.get(product.url, timeout=30).ok, START_S)
        yield PageProduct(
            url=product.url,
            model=model,
            openweather=openweather,
            openmeteo=openmeteo,
            painter=painter,
        )


def _conversation(number: int, title: str, moment: str) -> dict[str, object]:
    """A conversation as `POST /api/import` takes it."""
    return {
        "id": f"c-{number}",
        "title": title,
        "is_named": True,
        "created_at": moment,
        "updated_at": moment,
        "parameters": {},
        "current": f"a-{number}",
        "messages": [
            _message(f"q-{number}", None, "user", title, moment),
            _message(f"a-{number}", f"q-{number}", "assistant", "Chętnie pomogę.", moment),
        ],
    }


def _message(name: str, parent: str | None, role: str, text: str, moment: str) -> dict[str, object]:
    return {
        "id": name,
        "parent": parent,
        "role": role,
        "state": "complete",
        "created_at": moment,
        "parts": [{"type": "text", "text": text, "channel": "answer"}],
        "parameters": {},
        "force": None,
        "finish_reason": "stop" if role == "assistant" else None,
        "error": None,
        "rating": None,
        "comment": None,
        "first_text_ms": None,
        "total_ms": None,
    }


def _ago(days: int, *, minutes: int = 0) -> str:
    moment = _now() - timedelta(days=days, minutes=minutes)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _now() -> datetime:
    return datetime.now(UTC)
