import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import anyio
import pytest
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from scripted.patience import PATIENCE_S
from scripted.tables import every_row

from chatbot.errors import InvalidRequest
from chatbot.testing import InlineWorkers, ManualClock
from chatbot.tools import Registry, Tool, ToolContext, ToolLimits, installed_tools, tool
from chatbot.tools.installed import load_plugin
from chatbot.types import ToolCall


class RatesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = "https://api.nbp.pl"
    api_key: SecretStr | None = None
    tries: int = Field(default=1, ge=1)


@tool(key="rates", settings=RatesSettings)
def exchange_rate(currency: str, ctx: ToolContext[RatesSettings]) -> str:
    """Give a rate."""
    ctx.progress(1.0, "gotowe")
    return f"{currency} {ctx.settings.url} {ctx.account} {ctx.language} {ctx.timezone}"


@tool()
def greet(name: str) -> str:
    """Greet."""
    return f"Cześć, {name}!"


@tool()
def remember(word: str, ctx: ToolContext) -> str:
    """Keep a word."""
    before = ctx.cache.get("word")
    ctx.cache.put("word", word, ttl_s=60)
    return str(before)


@tool()
def recall(ctx: ToolContext) -> str:
    """Recall a word."""
    return str(ctx.cache.get("word"))


def make_registry(
    *tools: Tool,
    enabled: list[str] | None = None,
    settings: dict[str, dict[str, object]] | None = None,
    limits: ToolLimits | None = None,
) -> Registry:
    return Registry(
        tools=tools,
        enabled=enabled,
        settings=settings,
        workers=InlineWorkers(),
        clock=ManualClock(),
        limits=limits,
    )


def make_call(name: str, **arguments: str) -> ToolCall:
    return ToolCall(call_id="c", name=name, arguments=arguments, raw_arguments=arguments)


def test_tools_are_offered_in_the_order_given() -> None:
    registry = make_registry(exchange_rate, greet)
    assert registry.names == ("exchange_rate", "greet")
    assert [spec.name for spec in registry.specs()] == ["exchange_rate", "greet"]


def test_only_named_tools_are_enabled_in_the_order_named() -> None:
    registry = make_registry(exchange_rate, greet, remember, enabled=["greet", "rates"])
    assert registry.names == ("greet", "exchange_rate")


def test_specs_can_be_asked_for_by_name() -> None:
    registry = make_registry(exchange_rate, greet)
    assert [spec.name for spec in registry.specs(["greet"])] == ["greet"]


def test_an_unknown_tool_names_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match="did you mean 'exchange_rate'"):
        make_registry(exchange_rate).get("exchange_rates")


def test_a_tool_that_is_not_enabled_cannot_be_run() -> None:
    with pytest.raises(InvalidRequest, match="There is no tool 'greet'"):
        make_registry(exchange_rate, greet, enabled=["rates"]).get("greet")


def test_an_unknown_name_among_the_enabled_names_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match="did you mean 'greet'") as caught:
        make_registry(greet, enabled=["great"])
    assert caught.value.param == "tools.enabled"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="Two tools are called 'greet'"):
        make_registry(greet, exchange_rate, greet)


def test_a_name_that_is_another_tools_key_is_refused() -> None:
    @tool()
    def rates() -> str:
        return ""

    with pytest.raises(InvalidRequest, match="Two tools"):
        make_registry(exchange_rate, rates)


def test_settings_of_an_unknown_tool_name_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match="did you mean 'rates'") as caught:
        make_registry(exchange_rate, settings={"rats": {}})
    assert caught.value.param == "tools.rats"


def test_an_unknown_setting_names_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match=r"did you mean 'tools\.rates\.url'") as caught:
        make_registry(exchange_rate, settings={"rates": {"ulr": "x"}})
    assert caught.value.param == "tools.rates.ulr"


def test_a_wrong_setting_is_named_without_its_value() -> None:
    with pytest.raises(InvalidRequest) as caught:
        make_registry(exchange_rate, settings={"rates": {"api_key": ["tajny-klucz"]}})
    assert caught.value.param == "tools.rates.api_key"
    assert "tajny-klucz" not in caught.value.message


def test_settings_of_a_tool_without_settings_are_refused() -> None:
    with pytest.raises(InvalidRequest, match=r"tools\.greet\.loud"):
        make_registry(greet, settings={"greet": {"loud": True}})


@every_row("wrong", ["soon", 0, -1, "nan", "inf", 1e9, [1]])
def test_a_deadline_must_be_a_number_of_seconds(wrong: object) -> None:
    with pytest.raises(InvalidRequest, match=r"tools\.greet\.deadline_s"):
        make_registry(greet, settings={"greet": {"deadline_s": wrong}})


def test_every_tool_takes_a_deadline_from_its_settings() -> None:
    registry = make_registry(greet, settings={"greet": {"deadline_s": "2.5"}})
    assert registry.get("greet").deadline_s == 2.5
    assert greet.deadline_s == 10.0


async def test_a_call_gets_settings_user_and_progress() -> None:
    reported: list[tuple[float | None, str]] = []
    registry = make_registry(exchange_rate, settings={"rates": {"url": "http://x"}})
    async with registry:
        done = await registry.run(
            make_call("exchange_rate", currency="EUR"),
            account="ala",
            language="en",
            timezone="Asia/Tokyo",
            progress=lambda fraction, text: reported.append((fraction, text)),
        )
    assert done.outcome.content == "EUR http://x ala en Asia/Tokyo"
    assert reported == [(1.0, "gotowe")]


async def test_each_tool_has_its_own_cache_that_lasts() -> None:
    async with make_registry(remember, recall) as registry:
        await registry.run(make_call("remember", word="kot"))
        again = await registry.run(make_call("remember", word="pies"))
        other = await registry.run(make_call("recall"))
    assert again.outcome.content == "kot"
    assert other.outcome.content == "None"


async def test_calls_run_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=PATIENCE_S)

    @tool()
    def meet() -> str:
        return str(together.wait() in {0, 1})

    done: list[str] = []

    async def run(registry: Registry) -> None:
        done.append((await registry.run(make_call("meet"))).outcome.content)

    async with make_registry(meet) as registry, anyio.create_task_group() as group:
        group.start_soon(run, registry)
        group.start_soon(run, registry)
    assert done == ["True", "True"]


def test_the_built_in_tools_are_found() -> None:
    names = {found.name for found in installed_tools()}
    assert {"get_weather", "search_wikipedia", "generate_image"} <= names


@pytest.fixture
def plugin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("zwrotnica_test_plugin", None)


def install_plugin(folder: Path, body: str) -> None:
    """Install a package with one entry point, as an installer would."""
    (folder / "zwrotnica_test_plugin.py").write_text(body, encoding="utf-8")
    record = folder / "zwrotnica_test_plugin-1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: zwrotnica-test-plugin\n")
    (record / "entry_points.txt").write_text(
        "[zwrotnica.tools]\nshout = zwrotnica_test_plugin:shout\n"
    )


def test_a_plugin_is_found_by_its_entry_point(plugin_folder: Path) -> None:
    body = (
        "from chatbot.tools import tool\n"
        "@tool()\ndef shout(text: str) -> str:\n    '''Shout.'''\n    return text.upper()\n"
    )
    install_plugin(plugin_folder, body)
    registry = Registry(workers=InlineWorkers(), clock=ManualClock())
    assert registry.get("shout").spec.description == "Shout."


def test_a_plugin_that_cannot_be_imported_is_named(plugin_folder: Path) -> None:
    install_plugin(plugin_folder, "import no_such_module_anywhere\n")
    with pytest.raises(InvalidRequest, match=r"plugin 'shout'.*no_such_module_anywhere"):
        installed_tools()


def test_an_entry_point_that_is_no_tool_is_named() -> None:
    point = EntryPoint(name="join", value="os.path:join", group="zwrotnica.tools")
    with pytest.raises(InvalidRequest, match=r"'join'.*is no tool"):
        load_plugin(point)
