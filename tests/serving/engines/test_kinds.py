"""The table of engine kinds, and the one place that loads extras."""

import pytest
from scripted.tables import every_row

from serving.engines.kinds import ENGINE_KINDS
from serving.extras import ExtraMissing, load

DANGEROUS = (
    "chat_template_kwargs",
    "chat_template",
    "guided_regex",
    "logit_bias",
    "user",
    "best_of",
)


def test_every_kind_of_the_settings_is_there() -> None:
    assert set(ENGINE_KINDS) >= {
        "vllm",
        "sglang",
        "llamacpp",
        "tgi",
        "tensorrt",
        "transformers",
        "openai",
        "embedded",
    }


@every_row("name", ENGINE_KINDS)
def test_every_row_stands_under_its_own_name(name: str) -> None:
    assert ENGINE_KINDS[name].name == name


@every_row("field", DANGEROUS)
@every_row("name", ENGINE_KINDS)
def test_no_kind_forwards_a_field_that_engines_were_attacked_through(name: str, field: str) -> None:
    assert not ENGINE_KINDS[name].takes(field)


@every_row("name", ENGINE_KINDS)
def test_only_forwarded_fields_are_renamed(name: str) -> None:
    assert set(ENGINE_KINDS[name].renamed) <= ENGINE_KINDS[name].forwarded


def test_a_missing_package_names_its_extra() -> None:
    with pytest.raises(ExtraMissing, match=r"install zwrotnica\[flux\]"):
        load("diffusers_that_nobody_has", "flux")


def test_a_missing_module_of_ours_is_a_bug_and_not_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError):
        load("serving.engines.nothing_here", "vllm")


def test_what_is_there_is_loaded() -> None:
    assert load("serving.engines.kinds", "vllm").ENGINE_KINDS is ENGINE_KINDS
