"""What can be built from settings, and what of it is refused with the setting's name."""

from pathlib import Path

import pytest

from serving.assembly import assemble, check_settings, choose_dialect
from serving.settings import (
    EngineSettings,
    Settings,
    SettingsError,
    load_settings,
    shipped_profiles,
)
from serving.settings.model import RouterSettings

LLAMA = EngineSettings(kind="vllm", url="http://127.0.0.1:9/v1", dialect="llama3.1")
PLAIN = EngineSettings(kind="vllm", url="http://127.0.0.1:9/v1")


def settings(second: EngineSettings, **router: object) -> Settings:
    return Settings.model_validate({
        "engines": {"small": LLAMA, "large": second},
        "default_engine": "small",
        "router": RouterSettings.model_validate({
            "engine": "small",
            "second_engine": "large",
            **router,
        }),
    })


def test_a_second_router_model_with_its_dialect_can_be_built() -> None:
    check_settings(settings(LLAMA))


def test_a_second_router_model_without_a_dialect_is_refused_by_its_name() -> None:
    with pytest.raises(SettingsError, match=r"engines\.large\.dialect"):
        check_settings(settings(PLAIN))


def test_the_dialect_of_the_router_is_not_lent_to_the_second_model() -> None:
    with pytest.raises(SettingsError, match=r"engines\.large\.dialect"):
        check_settings(settings(PLAIN, dialect="llama3.1"))


def test_a_second_router_model_that_is_not_configured_is_refused() -> None:
    with pytest.raises(ValueError, match=r"router\.second_engine names 'huge'"):
        settings(LLAMA, second_engine="huge")


def test_a_dialect_that_does_not_exist_names_the_nearest() -> None:
    wrong = settings(EngineSettings(kind="vllm", url="http://127.0.0.1:9/v1", dialect="lama3.1"))
    with pytest.raises(SettingsError, match=r"did you mean 'llama3\.1'"):
        check_settings(wrong)


def test_the_tag_of_another_tokenizer_is_the_first_models() -> None:
    assert choose_dialect(settings(LLAMA, tag_id=260)).tag_id == 260


@pytest.mark.parametrize("profile", shipped_profiles())
def test_every_shipped_profile_can_be_built_and_names_its_families(
    profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_settings(environ={"ZWROTNICA_PROFILE": profile})
    check_settings(found)
    assert all(engine.family for engine in found.engines.values())


@pytest.mark.parametrize("dialect", ["hermes", None])
def test_who_stands_in_for_a_router_calls_tools_as_it_does(dialect: str | None) -> None:
    router = LLAMA.model_copy(update={"fallback": ("large",)})
    other = PLAIN.model_copy(update={"dialect": dialect})
    wrong = settings(other, second_engine=None).model_copy(
        update={"engines": {"small": router, "large": other}}
    )
    with pytest.raises(SettingsError, match=r"engines\.small\.fallback.*'llama3\.1'"):
        check_settings(wrong)


async def test_finds_of_sensitive_content_are_told(tmp_path: Path) -> None:
    found: list[tuple[str, str, str, int]] = []
    settings = Settings.model_validate({
        "data_dir": tmp_path,
        "safety": {"rules": {"numer": {"find": "pesel"}}},
    })
    async with assemble(settings, on_find=lambda *find: found.append(find)) as assembly:
        assert assembly.chatbot.safety.read("nr 44051401359") == "nr [PESEL]"
    assert found == [("numer", "in", "mask", 1)]
