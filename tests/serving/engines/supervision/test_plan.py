import os
import sys
from pathlib import Path

import pytest
from scripted.supervised_server import KEY, PROGRAM, plan

from serving.engines.supervision import plan_servers
from serving.settings import Settings, SettingsError


def settings_of(**engines: dict[str, object]) -> Settings:
    return Settings.model_validate({"engines": engines, "default_engine": next(iter(engines))})


def described(port: int, **launch: object) -> dict[str, object]:
    return {"kind": "vllm", "port": port, "model": "m", "launch": {"program": PROGRAM, **launch}}


def test_without_names_every_engine_with_a_launch_table_is_meant() -> None:
    elsewhere: dict[str, object] = {"kind": "vllm", "url": "http://10.0.0.1:8000/v1"}
    settings = settings_of(a=described(8001), b=elsewhere, c=described(8003))
    assert [found.name for found in plan_servers((), settings)] == ["a", "c"]


def test_an_engine_that_is_named_twice_is_started_once() -> None:
    settings = settings_of(a=described(8001), b=described(8002))
    assert [found.name for found in plan_servers(("b", "b"), settings)] == ["b"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("missing", "no engine 'missing'"),
        ("outside", "nothing is started for the kind 'openai'"),
        ("elsewhere", "another machine's"),
        ("uninstalled", "the program 'no-such-vllm' is not there; install a server of the kind"),
    ],
)
def test_what_cannot_be_started_is_refused(name: str, complaint: str) -> None:
    settings = settings_of(
        outside={"kind": "openai", "url": "https://api.example.org/v1"},
        elsewhere={"kind": "vllm", "url": "http://10.0.0.1:8000/v1", "model": "m"},
        uninstalled=described(8001, program=["no-such-vllm", "serve"]),
    )
    with pytest.raises(SettingsError, match=complaint):
        plan_servers((name,), settings)


def test_settings_without_a_launch_table_start_nothing() -> None:
    with pytest.raises(SettingsError, match="add a table"):
        plan_servers((), Settings())


def test_two_servers_on_one_port_are_refused() -> None:
    with pytest.raises(SettingsError, match="'a' and 'b' have the same port 8001"):
        plan_servers((), settings_of(a=described(8001), b=described(8001)))


def test_a_program_is_looked_for_in_the_path(tmp_path: Path) -> None:
    program = tmp_path / "vllm"
    program.symlink_to(sys.executable)
    environment = {"PATH": str(tmp_path)}
    settings = settings_of(a=described(8001, program=["vllm", "serve"], environment=environment))
    [found] = plan_servers((), settings)
    assert found.program[:2] == (str(program), "serve")


def test_a_server_gets_no_variable_that_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZWROTNICA_SECRET", "sixteen-characters")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("HF_HOME", "/models")
    monkeypatch.setenv("EXTRA", "1")
    environment = plan(tmp_path, inherit=["HF_HOME", "EXTRA"]).environment

    assert environment["PATH"] == os.environ["PATH"]
    assert (environment["HF_HOME"], environment["EXTRA"]) == ("/models", "1")
    assert not {"ZWROTNICA_SECRET", "OPENAI_API_KEY"} & environment.keys()


def test_key_and_inherited_tokens_are_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_0123")
    found = plan(tmp_path)

    assert found.secrets == {KEY, "hf_0123"}
    assert found.environment["HF_TOKEN"] == "hf_0123"
    assert "hf_0123" not in repr(found)
    assert f"'{KEY}'" not in repr(found)


def test_an_address_is_that_of_the_launch_table() -> None:
    settings = settings_of(a=described(8001, host="0.0.0.0"))  # noqa: S104 (never opened)
    [found] = plan_servers((), settings)
    assert (found.address, found.client_address) == (("0.0.0.0", 8001), ("127.0.0.1", 8001))  # noqa: S104
