import contextlib
import io
import re
import runpy
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from scripted.product import Product
from scripted.tables import every_row

from chatbot.testing import StandIn, check_tool, run_tool
from chatbot.tools import Tool
from serving.assembly import check_settings
from serving.cli.main import zwrotnica
from serving.settings import load_settings

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
KEYS = {"OPENAI_API_KEY": "made up", "PROVIDER_API_KEY": "made up"}
MODELS = ROOT / "docs" / "models.md"
TOOLS_README = ROOT / "chatbot" / "tools" / "README.md"
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")

FENCED = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MAKE = re.compile(r"(?:^|`)make ([a-z-]+)", re.MULTILINE)
COMMAND = re.compile(r"(?:^|`)(?:\.venv/bin/)?zwrotnica ([^`#\n]*)", re.MULTILINE)
TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)
RATE = "https://api.nbp.pl/api/exchangerates/rates/a/eur/"
TOOL_LINES = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page of documentation of this repository."""

    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @property
    def prose(self) -> str:
        """The text without its fenced blocks."""
        return FENCED.sub("", self.text)

    def blocks(self, language: str) -> list[str]:
        """The fenced blocks in ``language``, without their indentation."""
        return [
            textwrap.dedent(body) for _, name, body in FENCED.findall(self.text) if name == language
        ]


def pages() -> Iterator[Path]:
    """Every page of the repository, without what is installed or made in hidden folders."""
    for path in sorted(ROOT.rglob("*.md")):
        inside = path.relative_to(ROOT).parts
        if not any(step.startswith(".") or step in {"node_modules", "build"} for step in inside):
            yield path


EVERY_PAGE = every_row("path", tuple(pages()))


def run_block(code: str, folder: Path) -> dict[str, object]:
    """Run a block as a file of its own; gives what it defines."""
    path = folder / "block.py"
    path.write_text(code, "utf-8")
    return runpy.run_path(str(path))


@pytest.fixture
def rate_code() -> str:
    return Page(path=README).blocks("python")[0]


@pytest.fixture
def rate(rate_code: str, tmp_path: Path) -> Tool:
    tool = run_block(rate_code, tmp_path)["exchange_rate"]
    assert isinstance(tool, Tool)
    return tool


def test_the_readme_has_a_tool_and_a_client() -> None:
    tool, client = Page(path=README).blocks("python")
    assert "@tool" in tool
    assert "OpenAI(" in client


def test_its_tool_is_as_short_as_promised(rate_code: str) -> None:
    assert len([line for line in rate_code.splitlines() if line.strip()]) <= TOOL_LINES


def test_nothing_is_to_be_said_against_its_tool(rate: Tool) -> None:
    assert check_tool(rate) == []


def test_its_tool_answers_in_polish(rate: Tool) -> None:
    web = StandIn(web={RATE: {"rates": [{"mid": 4.2512}]}})
    assert run_tool(rate, web, currency="EUR").content == "1 EUR = 4,2512 zł"


def test_its_client_gets_an_answer(product: Product, tmp_path: Path) -> None:
    code = Page(path=README).blocks("python")[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        defined = run_block(code.replace("http://127.0.0.1:7860", product.url), tmp_path)
    defined["client"].close()  # type: ignore[attr-defined]  # whatever the block made
    answer, _, source = printed.getvalue().partition("\n\n⟦")
    assert answer.endswith("Wynik: 4")
    assert source.startswith("źródło: SymPy, ")


@every_row("settings", [*Page(path=README).blocks("toml"), *Page(path=MODELS).blocks("toml")])
def test_the_settings_shown_can_be_used(settings: str, tmp_path: Path) -> None:
    path = tmp_path / "zwrotnica.toml"
    path.write_text(settings, "utf-8")
    check_settings(load_settings(path, environ=KEYS))


def test_the_tool_and_the_test_of_the_tools_readme_hold(tmp_path: Path) -> None:
    tool, its_test = Page(path=TOOLS_README).blocks("python")
    defined = run_block(f"{tool}\n{its_test}", tmp_path)
    exchange_rate = defined["exchange_rate"]
    assert isinstance(exchange_rate, Tool)
    assert check_tool(exchange_rate) == []
    defined["test_the_rate_has_a_decimal_comma"]()  # type: ignore[operator]  # a test function


@EVERY_PAGE
def test_the_links_of_a_page_lead_to_files(path: Path) -> None:
    targets = [target.partition("#")[0] for target in LINK.findall(Page(path=path).prose)]
    local = [target for target in targets if target and "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


@EVERY_PAGE
def test_the_make_targets_of_a_page_exist(path: Path) -> None:
    assert set(MAKE.findall(Page(path=path).text)) <= set(TARGET.findall(MAKEFILE))


@EVERY_PAGE
def test_the_commands_of_a_page_exist(path: Path) -> None:
    for line in COMMAND.findall(Page(path=path).text):
        check_command(line.split())


def check_command(words: list[str]) -> None:
    """The sub-commands of ``words`` exist and know the options among them."""
    command: click.Command = zwrotnica
    context = click.Context(command)
    names: list[str] = []
    for word in words:
        inner = command.get_command(context, word) if isinstance(command, click.Group) else None
        if inner is None:
            break
        command, names = inner, [*names, word]
    assert names or words[0].startswith("-"), f"zwrotnica {' '.join(words)}"
    shown = CliRunner().invoke(zwrotnica, [*names, "--help"])
    assert shown.exit_code == 0
    assert [word for word in words if word.startswith("--") and word not in shown.stdout] == []
