"""Profiles under the operator's settings: what wins, where it comes from, what is refused."""

import tomllib
from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.settings import (
    LoadedSettings,
    SettingsError,
    list_settings,
    load,
    shipped_profiles,
    summarise_profile,
)

SHIPPED = ("cluster", "laptop", "one-gpu", "paper", "small-gpu", "two-gpu")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "zwrotnica.toml"


def loaded(file: Path, text: str, **environ: str) -> LoadedSettings:
    file.write_text(text, encoding="utf-8")
    return load(file, environ=environ)


def test_these_profiles_ship() -> None:
    assert tuple(shipped_profiles()) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_profile_is_a_whole_set_up_with_a_line_that_says_what_for(
    file: Path, name: str
) -> None:
    found = loaded(file, f'profile = "{name}"')
    assert found.settings.router.engine in found.settings.engines
    assert found.settings.answering_engine in found.settings.engines
    assert found.settings.hardware.card_gib is not None
    assert summarise_profile(shipped_profiles()[name]).endswith(".")


def test_what_the_operator_sets_lies_above_the_profile_table_by_table(file: Path) -> None:
    found = loaded(
        file, 'profile = "one-gpu"\n[engines.bielik.launch]\nweights = "/models/b"\n'
    ).settings
    launch = found.engines["bielik"].launch
    assert launch is not None
    assert (launch.weights, launch.gpus, launch.gpu_share) == ("/models/b", (0,), 0.33)


def test_the_environment_wins_over_the_file_and_the_file_over_the_profile(file: Path) -> None:
    text = (
        'profile = "one-gpu"\n[engines.llama]\ncontext_tokens = 4096\n[engines.bielik]\nport = 9\n'
    )
    found = loaded(file, text, ZWROTNICA_ENGINES__BIELIK__PORT="10").settings
    assert found.engines["llama"].context_tokens == 4096
    assert found.engines["bielik"].port == 10


def test_a_variable_reaches_an_engine_that_only_the_profile_has(file: Path) -> None:
    found = loaded(
        file, 'profile = "paper"\n', ZWROTNICA_ENGINES__PLLUM_INSTRUCT__CONTEXT_TOKENS="2048"
    )
    assert found.settings.engines["pllum-instruct"].context_tokens == 2048


def test_the_environment_may_name_the_profile_and_wins(file: Path) -> None:
    found = loaded(file, 'profile = "one-gpu"\n', ZWROTNICA_PROFILE="laptop").settings
    assert (found.profile, tuple(found.engines)) == ("laptop", ("llama",))


def test_every_value_names_its_origin(file: Path) -> None:
    found = loaded(file, 'profile = "one-gpu"\n[router]\nmax_tokens = 64\n')
    origins = {row.name: row.origin for row in list_settings(found)}
    assert origins["engines.bielik.launch.gpu_share"] == "profile one-gpu"
    assert origins["router.max_tokens"] == str(file)
    assert origins["host"] == "default"


def test_a_profile_of_ones_own_extends_another(file: Path) -> None:
    text = (
        'profile = "ours"\n[profiles.ours]\nprofile = "one-gpu"\n'
        "[profiles.ours.engines.llama]\ncontext_tokens = 2048\n"
    )
    found = loaded(file, text)
    assert found.settings.engines["llama"].context_tokens == 2048
    assert found.settings.engines["llama"].port == 8001
    assert found.origins["engines.llama.context_tokens"] == "profile ours"
    assert found.origins["engines.llama.port"] == "profile one-gpu"


def test_a_profile_of_ones_own_that_is_not_in_force_changes_nothing(file: Path) -> None:
    assert loaded(file, "[profiles.ours]\nport = 1\n").settings.port == 7860


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('profile = "one-gpus"', "no profile 'one-gpus'; the nearest is 'one-gpu'; .*laptop"),
        ('profile = "lap"\n[profiles.mine]\nport = 1', "profiles: .*mine"),
        ("profile = 3", "the name of a profile, not 3"),
        ("profiles = 3", "'profiles' .* holds tables"),
        ('profile = "a"\n[profiles]\na = 1', "'profiles.a' is no table"),
        (
            'profile = "a"\n[profiles.a]\nprofile = "b"\n[profiles.b]\nprofile = "a"\n',
            "extend each other: a → b → a",
        ),
        ('profile = "a"\n[profiles.a]\nprot = 1\n', "'prot' .from profile a.; .*'port'"),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused(file: Path, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        loaded(file, text)


def test_a_table_of_the_operators_in_place_of_a_value_is_refused_by_name(file: Path) -> None:
    with pytest.raises(SettingsError, match="default_engine"):
        loaded(file, 'profile = "one-gpu"\n[default_engine]\nx = 1\n')


def test_a_copied_profile_means_the_same_as_the_shipped_one(file: Path) -> None:
    copied = loaded(file, shipped_profiles()["two-gpu"]).settings
    named = loaded(file, 'profile = "two-gpu"').settings
    assert copied == named.model_copy(update={"profile": None})


@every_row("name", SHIPPED)
def test_no_shipped_profile_holds_a_key_or_downloads_by_itself(name: str) -> None:
    text = shipped_profiles()[name]
    assert "api_key" not in text
    assert "download" not in str(tomllib.loads(text).get("images", {}))
