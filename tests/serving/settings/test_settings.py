from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.settings import (
    Settings,
    SettingsError,
    describe_settings,
    list_settings,
    load,
    load_settings,
)

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


TENSOR = "[engines.a]\nkind = 'vllm'\nbalance = {policy = 'tensor_parallel_first'}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "zwrotnica.toml"
    path.write_text(
        'port = 8000\ndefault_engine = "bielik-11b"\n'
        '[engines.bielik-11b]\nkind = "vllm"\nurl = "http://127.0.0.1:1/v1"\napi_key = "sekret"\n'
        '[tools.weather]\napi_key = "sekret"\nunits = "C"\n'
    )
    return path


def test_nothing_needs_to_be_set() -> None:
    settings = load_settings(environ={})
    assert settings == Settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 7860)
    assert settings.answering_engine == settings.router.engine == "embedded"


def test_the_environment_wins_over_the_file_and_the_command_line_over_both(file: Path) -> None:
    assert load_settings(file, environ={}).port == 8000
    assert load_settings(file, environ={"ZWROTNICA_PORT": "8001"}).port == 8001
    overridden = load_settings(file, environ={"ZWROTNICA_PORT": "8001"}, overrides={"port": 8002})
    assert overridden.port == 8002


def test_a_value_left_out_on_the_command_line_changes_nothing(file: Path) -> None:
    assert load_settings(file, environ={}, overrides={"port": None}).port == 8000


def test_the_file_is_the_one_that_the_environment_names(file: Path) -> None:
    assert load_settings(environ={"ZWROTNICA_CONFIG": str(file)}).port == 8000


def test_a_variable_reaches_into_a_table(file: Path) -> None:
    settings = load_settings(
        file,
        environ={
            "ZWROTNICA_TOOLS__WEATHER__API_KEY": "inny",
            "ZWROTNICA_ENGINES__BIELIK_11B__IDLE_S": "3",
            "ZWROTNICA_TOOLS__ENABLED": "get_weather, calculate",
        },
    )
    assert settings.tools.tables["weather"] == {"api_key": "inny", "units": "C"}
    assert settings.engines["bielik-11b"].idle_s == 3
    assert settings.tools.enabled == ("get_weather", "calculate")


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("ZWROTNICA_PROT", "'port'"),
        ("ZWROTNICA_LIMITS__HEARTBEAT", "'limits.heartbeat_s'"),
        ("ZWROTNICA_ENGINES__BIELIK_11B__MODLE", "'engines.bielik-11b.model'"),
        ("ZWROTNICA_IMAGES__ENGINE__KEY", "'images.engine.api_key'"),
    ],
)
def test_an_unknown_setting_names_its_origin_and_the_nearest(
    file: Path, variable: str, nearest: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load(file, environ={variable: "1"})
    assert variable in caught.value.message
    assert nearest in caught.value.message


@every_row(
    ("toml", "word"),
    [
        ("port = 'x'", "port"),
        ("port = ", "not valid TOML"),
        ("default_engine = 'nikt'", "default_engine names 'nikt'"),
        ("[engines.a]\nkind = 'vllm'", "url"),
        ("[engines.a]\nkind = 'vllm'\nport = 70000", "engines.a.port"),
        ("[engines.a]\nkind = 'vllm'\nport = 8001\nurls = ['http://a']", "give 'urls', or one"),
        ("[engines.a]\nkind = 'vllm'\nurls = ['http://a', 'http://a']", "one server twice"),
        ("[engines.a]\nkind = 'vllm'\nurls = ['http://a/v1', 'http://a/v1/']", "one server twice"),
        (f"{TENSOR}urls = ['http://a', 'http://b']", 'group = "tensor"'),
        (f"{TENSOR}urls = [{{url = 'http://a', group = 'tensor'}}]", 'group = "tensor"'),
        (f"{TENSOR}port = 8001", 'group = "tensor"'),
        ("[engines.a]\nkind = 'vllm'\nurls = ['http://a']\nlaunch = {}", "started elsewhere"),
        ("[engines.a]\nkind = 'vllm'\nurls = [{url = 'http://a', grup = 'b'}]", "urls.0.grup"),
        ("[engines.a]\nkind = 'vllm'\nurls = ['ftp://a']", "engines.a.urls.0.url"),
        ("[engines.a]\nkind = 'vllm'\nurl = 'http://a'\nfallback = ['b']", "names 'b'"),
        ("[engines.a]\nkind = 'vllm'\nurl = 'http://a'\nfallback = ['a']", "names 'a'"),
        ("[engines.a]\nkind = 'vllm'\nport = 8001\nurl = 'http://a:8002'", "'port' is 8001"),
        ("[engines.zwrotnica]\nkind = 'vllm'\nurl = 'http://a'", "'zwrotnica'"),
        (
            "[engines.a]\nkind='vllm'\nurl='http://a'\n[engines.b]\nkind='vllm'\nurl='http://b'",
            "default_engine must name one of the engines: a, b",
        ),
        ("[tools]\nweather = 1", "tools.weather"),
    ],
)
def test_an_unusable_value_is_named(tmp_path: Path, toml: str, word: str) -> None:
    path = tmp_path / "z.toml"
    path.write_text(toml)
    with pytest.raises(SettingsError, match=word):
        load(path, environ={})


def test_an_engine_has_several_servers(tmp_path: Path) -> None:
    path = tmp_path / "z.toml"
    path.write_text(
        "[engines.a]\nkind = 'vllm'\n"
        "urls = ['http://a/v1', {url = 'http://b/v1', group = 'tensor', weight = 2}]"
    )
    loaded = load(path, environ={})
    replicas = loaded.settings.engines["a"].replicas

    assert [(one.url, one.group, one.weight) for one in replicas] == [
        ("http://a/v1", "single", 1.0),
        ("http://b/v1", "tensor", 2.0),
    ]
    shown = {row.name: row.value for row in list_settings(loaded)}
    assert '{ url = "http://b/v1", group = "tensor", weight = 2.0 }' in shown["engines.a.urls"]


def test_earlier_secrets_can_be_named_in_the_environment() -> None:
    earlier = ["a" * 20, "b" * 20]
    settings = load_settings(environ={"ZWROTNICA_PREVIOUS_SECRETS": ", ".join(earlier)})
    assert [one.get_secret_value() for one in settings.previous_secrets] == earlier


@pytest.mark.parametrize("setting", ["STORAGE__CONVERSATION_DAYS", "STORAGE__AUDIT_DAYS"])
@pytest.mark.parametrize("days", ["1000000", "inf", "nan"])
def test_days_that_have_no_date_are_refused(setting: str, days: str) -> None:
    with pytest.raises(SettingsError, match="less than or equal to 36500"):
        load_settings(environ={f"ZWROTNICA_{setting}": days})


@pytest.mark.parametrize("setting", ["LOG__ACCESS_DAYS", "TELEMETRY__SNAPSHOT_DAYS"])
@pytest.mark.parametrize("days", ["0", "1000000"])
def test_days_of_a_log_are_one_to_a_hundred_years(setting: str, days: str) -> None:
    with pytest.raises(SettingsError, match=r"36500|greater than 0"):
        load_settings(environ={f"ZWROTNICA_{setting}": days})


def test_several_servers_can_be_named_in_the_environment() -> None:
    environ = {
        "ZWROTNICA_ENGINES__A__KIND": "vllm",
        "ZWROTNICA_ENGINES__A__URLS": "http://a/v1, http://b/v1",
    }
    replicas = load_settings(environ=environ).engines["a"].replicas
    assert [one.url for one in replicas] == ["http://a/v1", "http://b/v1"]


def test_an_engine_with_one_address_has_one_server(file: Path) -> None:
    replicas = load_settings(file, environ={}).engines["bielik-11b"].replicas
    assert [one.url for one in replicas] == ["http://127.0.0.1:1/v1"]


def test_a_fallback_takes_what_the_engine_takes(tmp_path: Path) -> None:
    path = tmp_path / "z.toml"
    path.write_text(
        "default_engine = 'a'\n"
        "[engines.a]\nkind='vllm'\nurl='http://a'\naccepts=['image']\nfallback=['b']\n"
        "[engines.b]\nkind='vllm'\nurl='http://b'"
    )
    with pytest.raises(SettingsError, match=r"'b' does not accept image"):
        load(path, environ={})


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="none"):
        load(tmp_path / "none.toml", environ={})


def test_the_only_engine_answers_and_takes_client_tools(file: Path) -> None:
    settings = load_settings(file, environ={})
    assert settings.answering_engine == "bielik-11b"
    assert settings.tools_engine == "bielik-11b"


def test_client_tools_go_to_a_router_that_is_a_model(file: Path) -> None:
    environ = {
        "ZWROTNICA_ENGINES__LLAMA__KIND": "vllm",
        "ZWROTNICA_ENGINES__LLAMA__URL": "http://127.0.0.1:2/v1",
        "ZWROTNICA_ROUTER__ENGINE": "llama",
    }
    assert load_settings(file, environ=environ).tools_engine == "llama"


def test_the_listing_masks_secrets_and_tells_origins(file: Path) -> None:
    loaded = load(file, environ={"ZWROTNICA_SECRET": "x" * 20})
    rows = {row.name: row for row in list_settings(loaded)}
    assert rows["secret"].value == '"********"'
    assert rows["secret"].origin == "ZWROTNICA_SECRET"
    assert rows["engines.bielik-11b.api_key"].value == '"********"'
    assert rows["tools.weather.api_key"].value == '"********"'
    assert rows["tools.weather.units"].value == '"C"'
    assert rows["port"].origin == str(file)
    assert rows["host"].origin == "default"


@pytest.fixture
def keyed(tmp_path: Path) -> Path:
    path = tmp_path / "keyed.toml"
    path.write_text(
        '[engines."gpt-4.1"]\nkind = "openai"\nurl = "http://127.0.0.1:1/v1"\n'
        'api_key_env = "PROVIDER_KEY"\n'
        '[images.engine]\nurl = "http://127.0.0.1:2/v1"\napi_key_env = "PAINTER_KEY"\n'
    )
    return path


KEYS = {"PROVIDER_KEY": " tajny-1\n", "PAINTER_KEY": "tajny-2"}


def test_keys_are_read_from_the_variables_that_are_named(keyed: Path) -> None:
    settings = load_settings(keyed, environ=KEYS)
    engine, painter = settings.engines["gpt-4.1"], settings.images.engine
    assert engine.api_key is not None
    assert painter is not None
    assert painter.api_key is not None
    assert engine.api_key.get_secret_value() == "tajny-1"
    assert painter.api_key.get_secret_value() == "tajny-2"


def test_a_key_from_a_variable_is_shown_by_the_variables_name_alone(keyed: Path) -> None:
    loaded = load(keyed, environ=KEYS)
    rows = {row.name: row for row in list_settings(loaded)}
    assert rows["engines.gpt-4.1.api_key"].value == '"********"'
    assert rows["engines.gpt-4.1.api_key"].origin == "PROVIDER_KEY"
    assert rows["engines.gpt-4.1.api_key_env"].value == '"PROVIDER_KEY"'
    assert rows["images.engine.api_key"].origin == "PAINTER_KEY"
    assert "tajny" not in f"{loaded!r} {rows}"


@pytest.mark.parametrize("missing", KEYS)
@pytest.mark.parametrize("value", [{}, {"PROVIDER_KEY": " ", "PAINTER_KEY": ""}])
def test_a_variable_that_is_not_set_is_named(
    keyed: Path, missing: str, value: dict[str, str]
) -> None:
    environ = {name: key for name, key in KEYS.items() if name != missing}
    with pytest.raises(SettingsError, match=rf"api_key_env names the variable '{missing}'"):
        load(keyed, environ=value | environ)


def test_a_process_that_calls_no_engine_needs_no_key(keyed: Path) -> None:
    settings = load_settings(keyed, environ={}, calls_engines=False)
    assert settings.engines["gpt-4.1"].api_key is None


def test_a_key_beside_its_variable_is_refused_and_not_shown(keyed: Path) -> None:
    environ = KEYS | {"ZWROTNICA_IMAGES__ENGINE__API_KEY": "tajny-3"}
    with pytest.raises(SettingsError, match=r"images\.engine: give 'api_key' or") as caught:
        load(keyed, environ=environ)
    assert "tajny" not in str(caught.value)


def test_a_key_given_as_the_name_of_a_variable_is_not_shown(keyed: Path) -> None:
    environ = KEYS | {"ZWROTNICA_IMAGES__ENGINE__API_KEY_ENV": "sk-tajny"}
    with pytest.raises(SettingsError, match=r"images\.engine\.api_key_env") as caught:
        load(keyed, environ=environ)
    assert "tajny" not in f"{caught.value} {caught.value.__cause__}"


TRACED = '[telemetry]\notlp_headers_env = "COLLECTOR"\n'


def test_the_collectors_headers_are_read_from_the_variable_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "traced.toml"
    path.write_text(TRACED)
    loaded = load(path, environ={"COLLECTOR": " x-key=tajny\n"})
    headers = loaded.settings.telemetry.otlp_headers
    assert headers is not None
    assert headers.get_secret_value() == "x-key=tajny"
    assert "tajny" not in f"{loaded!r} {list_settings(loaded)}"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "names the variable 'COLLECTOR', which is not set"),
        (
            {"COLLECTOR": "x-key=tajny", "ZWROTNICA_TELEMETRY__OTLP_HEADERS": "x-key=tajny"},
            "give 'otlp_headers' or 'otlp_headers_env'",
        ),
    ],
)
def test_headers_that_are_missing_or_given_twice_are_refused(
    tmp_path: Path, environ: dict[str, str], words: str
) -> None:
    path = tmp_path / "traced.toml"
    path.write_text(TRACED)
    with pytest.raises(SettingsError, match=words) as caught:
        load(path, environ=environ)
    assert "tajny" not in str(caught.value)


def test_every_setting_is_documented() -> None:
    assert PAGE.read_text(encoding="utf-8") == describe_settings(), "zwrotnica config --docs"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ola:tajne@host/name", "postgresql://ola:********@host/name"),
        ("postgresql://host/name?password=tajne", "postgresql://host/name?password=********"),
        ("postgresql://ola@host/name", "postgresql://ola@host/name"),
        ("sqlite:////home/ola/zwrotnica.db", "sqlite:////home/ola/zwrotnica.db"),
    ],
)
def test_the_password_of_an_address_is_masked(address: str, shown: str) -> None:
    loaded = load(environ={"ZWROTNICA_STORAGE__URL": address})
    rows = {row.name: row.value for row in list_settings(loaded)}
    assert rows["storage.url"] == f'"{shown}"'
