import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from scripted.router_model import router_model

from serving.cli.engines import engines
from serving.cli.main import main, zwrotnica
from serving.commands import LazyGroup
from serving.settings import SettingsError


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Run":
    monkeypatch.chdir(tmp_path)
    return Run()


class Run:
    """Runs one command line in an empty folder."""

    def __call__(self, *words: str, **environ: str) -> Result:
        return CliRunner().invoke(zwrotnica, words, env=environ)


def test_every_setting_is_printed_with_its_origin(run: Run) -> None:
    lines = run("config", ZWROTNICA_PORT="8123").stdout.splitlines()
    assert any(line.startswith("port = 8123 ") and "# ZWROTNICA_PORT" in line for line in lines)
    assert any(line.startswith("host = ") and "# default" in line for line in lines)


def test_secrets_are_never_printed(run: Run) -> None:
    printed = run("config", "--json", ZWROTNICA_TOOLS__WEATHER__API_KEY="tajny-klucz")
    rows = {row["name"]: row for row in json.loads(printed.stdout)}
    assert rows["tools.weather.api_key"]["value"] == '"********"'
    assert "tajny-klucz" not in printed.output


def test_an_unknown_setting_is_an_error_with_the_nearest(run: Run) -> None:
    result = run("config", ZWROTNICA_PROT="1")
    assert isinstance(result.exception, SettingsError)
    assert "'port'" in str(result.exception)


def test_engines_are_listed_with_their_roles(run: Run) -> None:
    result = run(
        "engines",
        "list",
        ZWROTNICA_ENGINES__BIELIK__KIND="vllm",
        ZWROTNICA_ENGINES__BIELIK__URL="http://127.0.0.1:1/v1",
    )
    _, embedded, bielik, problem = result.stdout.splitlines()
    assert embedded.split()[-1] == "router"
    assert bielik.endswith("default, client tools")
    assert "no connection" in problem


def test_an_engine_that_is_down_is_unfit(run: Run) -> None:
    result = run(
        "engines",
        "check",
        ZWROTNICA_ENGINES__BIELIK__KIND="vllm",
        ZWROTNICA_ENGINES__BIELIK__URL="http://127.0.0.1:1/v1",
    )
    assert result.exit_code == 1
    assert "bielik: unfit" in result.stdout


def test_a_key_from_a_variable_reaches_its_engine_and_no_output(run: Run) -> None:
    with router_model() as model:
        result = run(
            "engines",
            "check",
            "--json",
            PROVIDER_KEY="tajny-klucz",
            ZWROTNICA_ENGINES__FAR__KIND="compatible",
            ZWROTNICA_ENGINES__FAR__URL=model.url,
            ZWROTNICA_ENGINES__FAR__API_KEY_ENV="PROVIDER_KEY",
        )
    assert set(model.keys) == {"Bearer tajny-klucz"}
    assert "tajny-klucz" not in result.output + result.stderr


def test_a_keys_variable_that_is_not_set_stops_the_start(run: Run) -> None:
    result = run(
        "serve",
        ZWROTNICA_ENGINES__FAR__KIND="compatible",
        ZWROTNICA_ENGINES__FAR__URL="http://127.0.0.1:1/v1",
        ZWROTNICA_ENGINES__FAR__API_KEY_ENV="PROVIDER_KEY_THAT_NOBODY_SET",
    )
    assert isinstance(result.exception, SettingsError)
    assert "'PROVIDER_KEY_THAT_NOBODY_SET', which is not set" in str(result.exception)


@pytest.mark.parametrize(
    "key",
    [
        {"ZWROTNICA_ENGINES__BIELIK__API_KEY": "tajny-klucz"},
        {"ZWROTNICA_ENGINES__BIELIK__API_KEY_ENV": "BIELIK_KEY", "BIELIK_KEY": "tajny-klucz"},
    ],
)
def test_the_line_that_starts_an_engine_is_printed_without_its_key(
    run: Run, key: dict[str, str]
) -> None:
    environ = key | {
        "ZWROTNICA_ENGINES__BIELIK__KIND": "vllm",
        "ZWROTNICA_ENGINES__BIELIK__PORT": "8002",
        "ZWROTNICA_ENGINES__BIELIK__MODEL": "org/m",
    }
    shown = run("engines", "command", "bielik", **environ).stdout
    assert shown.startswith("VLLM_API_KEY=*** vllm serve org/m ")
    found = json.loads(run("engines", "command", "bielik", "--json", **environ).stdout)
    assert found["program"][:3] == ["vllm", "serve", "org/m"]
    assert found["environment"] == {"VLLM_API_KEY": "***"}
    assert found["secret_environment"] == ["VLLM_API_KEY"]


def test_only_the_embedded_engine_needs_no_check(run: Run) -> None:
    result = run("engines", "check")
    assert result.exit_code == 0
    assert "needs no check" in result.stdout


def test_tools_are_listed_with_their_sections(run: Run) -> None:
    lines = run("tools", "list", ZWROTNICA_TOOLS__ENABLED="calculate").stdout.splitlines()
    states = {line.split()[0]: line.split()[1:3] for line in lines}
    assert states["calculate"] == ["enabled", "[tools.mathematics]"]
    assert states["get_weather"] == ["disabled", "[tools.weather]"]


def test_the_built_in_tools_are_in_order(run: Run) -> None:
    assert run("tools", "check").exit_code == 0


def test_a_tool_is_called_without_any_model(run: Run) -> None:
    result = run("tools", "call", "calculate", "expression=sqrt(289)")
    assert "17" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("tools", "call", "calculate", "sqrt(2)"), "key=value"),
        (("tools", "call", "calculate"), "expression"),
        (("tools", "check", "nic"), "no tool 'nic'"),
        (("engines", "check", "nic"), "no engine 'nic'"),
        (("engines", "lits"), "did you mean 'list'"),
        (("sreve",), "did you mean 'serve'"),
    ],
)
def test_misuse_is_told_with_the_remedy(run: Run, words: tuple[str, ...], hint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert hint in result.stderr


def test_a_turn_is_printed_with_route_tool_and_source(run: Run) -> None:
    result = run("ask", "Ile wynosi całka z x^3 od 0 do 2?")
    assert "4" in result.stdout
    assert "Źródło: SymPy" in result.stdout
    assert "calculate (called, embedded" in result.stderr


def test_a_turn_as_json_has_the_form_of_a_decision(run: Run) -> None:
    told = json.loads(run("ask", "--json", "Ile wynosi całka z x^3 od 0 do 2?").stdout)
    assert told["tool"] == "calculate"
    assert told["reason"] == "called"
    assert told["tool_calls"][0]["arguments"] == {"expression": "integrate(x**3, (x, 0, 2))"}
    assert "4" in told["text"]
    assert told["sources"][0]["source"] == "SymPy"


def test_a_turn_can_be_forced_to_the_default_model(run: Run) -> None:
    result = run("ask", "--force", "default", "Ile to 2 + 2?")
    assert "żaden nie jest podłączony" in result.stdout
    assert "model (forced" in result.stderr


def test_a_tool_that_does_not_exist_is_misuse(run: Run) -> None:
    result = run("ask", "--tool", "wether", "Czy pada?")
    assert "get_weather" in str(result.exception)


def test_an_address_that_others_can_reach_is_refused(run: Run) -> None:
    result = run("serve", "--host", "0.0.0.0")  # noqa: S104 (refused)
    assert isinstance(result.exception, SettingsError)
    assert "no keys" in str(result.exception)


def test_a_tools_wrong_setting_stops_the_start(run: Run) -> None:
    result = run("serve", ZWROTNICA_TOOLS__WETHER__API_KEY="x")
    assert isinstance(result.exception, SettingsError)
    assert "'weather'" in str(result.exception)


def test_a_kind_and_a_dialect_that_do_not_exist_stop_the_start(run: Run) -> None:
    environ = {
        "ZWROTNICA_ENGINES__A__KIND": "vlm",
        "ZWROTNICA_ENGINES__A__URL": "http://127.0.0.1:1/v1",
    }
    assert "did you mean 'vllm'" in str(run("serve", **environ).exception)
    environ |= {"ZWROTNICA_ENGINES__A__KIND": "vllm", "ZWROTNICA_ROUTER__ENGINE": "a"}
    assert "router.dialect" in str(run("serve", **environ).exception)
    environ["ZWROTNICA_ROUTER__DIALECT"] = "lama"
    assert "did you mean 'llama" in str(run("serve", **environ).exception)


def test_the_events_schemas_are_written(run: Run) -> None:
    assert run("events", "schemas").exit_code == 0
    assert len(list(Path("schemas").glob("*.schema.json"))) == 12


@pytest.mark.parametrize(("words", "group"), [(("--help",), zwrotnica), (("engines",), engines)])
def test_the_help_names_every_command(
    run: Run, words: tuple[str, ...], group: click.Command
) -> None:
    shown = run(*words).output
    assert isinstance(group, LazyGroup)
    context = click.Context(group)
    assert [name for name in group.list_commands(context) if name not in shown] == []
    assert all(group.get_command(context, name) for name in group.list_commands(context))


def test_a_tools_wrong_setting_does_not_hide_the_engines(run: Run) -> None:
    assert run("engines", "list", ZWROTNICA_TOOLS__ENABLED="no-such-tool").exit_code == 0


def test_an_error_is_one_line_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["zwrotnica", "--config", "nie-ma.toml", "config"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("zwrotnica: cannot read the configuration")
