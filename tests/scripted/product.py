"""The product with its own settings file, and the services of its tools on loopback."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import openai
from click.testing import CliRunner, Result
from scripted.gateway import running_app
from scripted.gateway_process import serving
from scripted.images import ScriptedImages
from scripted.mediawiki import ScriptedMediaWiki
from scripted.openai_clients import client_of
from scripted.openmeteo import ScriptedOpenMeteo
from scripted.openweather import KEY, ScriptedOpenWeather
from scripted.patience import PATIENCE_S

from serving.app import create_app
from serving.cli.main import zwrotnica
from serving.settings import load_settings

ZWROTNICA = Path(sys.executable).with_name("zwrotnica")
"""The console script, as an installation puts it in place."""

Message: TypeAlias = openai.types.chat.ChatCompletionMessageParam
PICTURE = re.compile(r"!\[[^\]]*\]\((\S+)\)")
CONFIG = """\
[tools.weather]
openmeteo_url = "{weather}"
geocoding_url = "{weather}"
openweather_url = "{openweather}"

deadline_s = 30

[tools.wikipedia]
url = "{wikipedia}/w/"
deadline_s = 30

[tools.mathematics]
deadline_s = 60
time_limit_s = 30

[turn]
phrase_s = 30
summary_s = 30
translate_s = 30

[router]
verdict_s = 30
"""
PICTURES = """
[images.engine]
url = "{images}/v1"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Product:
    """A running product; ``config`` is its settings file, ``wiki`` the wiki that it asks."""

    url: str
    client: openai.OpenAI
    config: Path
    wiki: str


@contextmanager
def open_product(folder: Path) -> Iterator[Product]:
    """Serve with every service there; weather comes from Open-Meteo, as there is no key."""
    with ExitStack() as stack:
        addresses = {
            "weather": stack.enter_context(ScriptedOpenMeteo(now=_now)).url,
            "openweather": stack.enter_context(ScriptedOpenWeather(now=_now)).url,
            "wikipedia": stack.enter_context(ScriptedMediaWiki()).url,
            "images": stack.enter_context(ScriptedImages()).url,
        }
        yield stack.enter_context(serve_product(folder, CONFIG + PICTURES, addresses))


@contextmanager
def open_product_offline(folder: Path) -> Iterator[Product]:
    """Serve where nothing answers, and with no images engine: as after `make run` on a train."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # taken, and nobody listens: connections are refused
        nowhere = f"http://127.0.0.1:{silent.getsockname()[1]}"
        addresses = dict.fromkeys(("weather", "openweather", "wikipedia"), nowhere)
        with serve_product_here(folder, CONFIG, addresses) as product:
            yield product


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """An answer as the OpenAI client gives it, whole or put together from its chunks."""

    content: str
    finish: str | None
    sources: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The answer without the signed lines that tell its sources."""
        return self.content.partition("⟦")[0].rstrip()

    @property
    def picture(self) -> str:
        """The address of the one picture in the answer."""
        (address,) = PICTURE.findall(self.text)
        return str(address)


def say_whole(product: Product, *messages: Message) -> Said:
    completion = product.client.chat.completions.create(model="zwrotnica", messages=messages)
    (choice,) = completion.choices
    return Said(
        content=choice.message.content or "",
        finish=choice.finish_reason,
        sources=_sources(choice.message.to_dict().get("annotations")),
    )


def say_streamed(product: Product, *messages: Message) -> Said:
    stream = product.client.chat.completions.create(
        model="zwrotnica", messages=messages, stream=True
    )
    choices = [chunk.choices[0] for chunk in stream]
    return Said(
        content="".join(choice.delta.content or "" for choice in choices),
        finish=choices[-1].finish_reason,
        sources=_sources(choices[-1].delta.to_dict().get("annotations")),
    )


def run_command(*words: str, folder: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run ``zwrotnica`` in ``folder`` as a shell would, without the variables of this process."""
    variables = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        (ZWROTNICA, *words),
        cwd=folder,
        env={**variables, "LANG": "C.UTF-8", **environ},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=4 * PATIENCE_S,
    )


def ask(config: Path, *words: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """`zwrotnica ask` with the settings of ``config``."""
    variables = {"ZWROTNICA_DATA_DIR": str(config.parent / "asked"), **environ}
    return run_command("--config", str(config), "ask", *words, folder=config.parent, **variables)


def ask_here(config: Path, *words: str) -> Result:
    """As `ask`, in this process: what is printed is the same, and nothing is imported again."""
    variables = {"ZWROTNICA_DATA_DIR": str(config.parent / "asked")}
    done = CliRunner().invoke(zwrotnica, ("--config", str(config), "ask", *words), env=variables)
    assert done.exit_code == 0, done.output
    return done


def openweather_key() -> dict[str, str]:
    """The variable that makes the weather come from OpenWeather."""
    return {"ZWROTNICA_TOOLS__WEATHER__API_KEY": KEY}


@contextmanager
def serve_product(
    folder: Path, config: str, addresses: Mapping[str, str], **environ: str
) -> Iterator[Product]:
    """Serve with ``config``, whose {names} become the ``addresses``; one is called wikipedia.

    When the block is left SIGTERM has to end the process with exit code 0.
    """
    path = _write(folder, config, addresses)
    variables = {"ZWROTNICA_CONFIG": str(path), **environ}
    with serving(folder / "served", variables) as gateway:
        with _client_of(gateway.url) as client:
            wiki = addresses["wikipedia"]
            yield Product(url=gateway.url, client=client, config=path, wiki=wiki)
        gateway.stop()
        assert gateway.process.wait(PATIENCE_S) == 0


@contextmanager
def serve_product_here(
    folder: Path, config: str, addresses: Mapping[str, str]
) -> Iterator[Product]:
    """As `serve_product`, in this process: the answers are the same, nothing is loaded again."""
    path = _write(folder, config, addresses)
    settings = load_settings(path, environ={"ZWROTNICA_DATA_DIR": str(folder / "served")})
    with (
        running_app(settings, create_app(settings)) as gateway,
        _client_of(gateway.url) as client,
    ):
        yield Product(url=gateway.url, client=client, config=path, wiki=addresses["wikipedia"])


def _write(folder: Path, config: str, addresses: Mapping[str, str]) -> Path:
    path = folder / "zwrotnica.toml"
    path.write_text(config.format(**addresses), encoding="utf-8")
    return path


def _client_of(url: str) -> AbstractContextManager[openai.OpenAI]:
    return client_of(f"{url}/v1", api_key="local")


def _sources(annotations: object) -> tuple[tuple[str, str], ...]:
    """Title and address of each citation."""
    cited = [one["url_citation"] for one in annotations] if isinstance(annotations, list) else []
    return tuple((citation["title"], citation["url"]) for citation in cited)


def _now() -> datetime:
    return datetime.now(UTC)
