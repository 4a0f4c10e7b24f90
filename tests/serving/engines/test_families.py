"""The table of model families, and what it gives beside an operator's own settings."""

from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.router import DIALECTS
from chatbot.types import Sampling
from serving.engines.defaults import (
    MAX_PROMPT_BYTES,
    find_dialect_name,
    read_sampling,
    read_system_prompt,
)
from serving.engines.families import FAMILIES, Family
from serving.engines.kinds import ENGINE_KINDS
from serving.settings import EngineSettings, SettingsError

PUBLISHED = Sampling(temperature=0.6, top_p=0.9)
IN_POLISH = "Odpowiadaj krótko, precyzyjnie i wyłącznie w języku polskim."


def engine(**fields: object) -> EngineSettings:
    return EngineSettings.model_validate({"kind": "vllm", "url": "http://127.0.0.1:9/v1", **fields})


@every_row("name", FAMILIES)
def test_every_family_stands_under_its_own_name_with_models_and_a_source(name: str) -> None:
    family = FAMILIES[name]
    assert family.name == name
    assert all("/" in model for model in family.models)
    assert family.models
    assert family.source


@every_row("family", FAMILIES.values())
def test_every_family_is_documented_with_its_figures(family: Family) -> None:
    page = (Path(__file__).parents[3] / "docs" / "models.md").read_text("utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{family.name}` |")]
    cells = [cell.strip() for cell in row.split("|")[3:7]]
    drawn = family.sampling
    shown = ["–" if figure is None else str(figure) for figure in (drawn.temperature, drawn.top_p)]
    assert cells == [
        *shown,
        "yes" if family.system_prompt else "–",
        f"yes (`{family.dialect}`)" if family.dialect else "no",
    ]


@every_row("family", FAMILIES.values())
def test_every_dialect_of_a_family_exists(family: Family) -> None:
    assert family.dialect in {None, *DIALECTS}


@every_row("name", FAMILIES)
@every_row("kind", ENGINE_KINDS)
def test_any_kind_may_serve_any_family(name: str, kind: str) -> None:
    assert read_sampling("e", engine(kind=kind, family=name)) == FAMILIES[name].sampling


def test_an_engine_without_a_family_says_nothing() -> None:
    assert read_sampling("e", engine()) == Sampling()
    assert read_system_prompt("e", engine()) is None
    assert find_dialect_name("e", engine()) is None


def test_a_family_brings_what_its_makers_publish() -> None:
    assert read_sampling("e", engine(family="llama3.1")) == PUBLISHED
    assert read_system_prompt("e", engine(family="bielik-v3-small")) == IN_POLISH
    assert find_dialect_name("e", engine(family="bielik-v3")) == "bielik"


def test_the_operators_sampling_wins_field_by_field() -> None:
    own = engine(family="llama3.1", sampling={"temperature": 0.0, "top_k": 20})
    assert read_sampling("e", own) == Sampling(temperature=0.0, top_p=0.9, top_k=20)


def test_the_operators_dialect_wins() -> None:
    assert find_dialect_name("e", engine(family="bielik-v3", dialect="plain")) == "plain"


@pytest.mark.parametrize(("given", "read"), [("", None), ("  ", None), (" Mów. ", "Mów.")])
def test_the_operators_prompt_wins_and_an_empty_one_means_none(
    given: str, read: str | None
) -> None:
    assert read_system_prompt("e", engine(family="bielik-v2.3", system_prompt=given)) == read


def test_a_prompt_may_stand_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("Mów jak kolejarz.\n", encoding="utf-8")
    own = engine(family="bielik-v2.3", system_prompt_file=path)
    assert read_system_prompt("e", own) == "Mów jak kolejarz."


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "cannot read"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"a" * (MAX_PROMPT_BYTES + 1), "more than 65536 bytes"),
    ],
)
def test_a_file_that_cannot_be_a_prompt_is_named(
    tmp_path: Path, content: bytes | None, word: str
) -> None:
    path = tmp_path / "prompt.txt"
    for bytes_ in filter(None, [content]):
        path.write_bytes(bytes_)
    with pytest.raises(SettingsError, match=rf"engines\.e\.system_prompt_file.*{word}"):
        read_system_prompt("e", engine(system_prompt_file=path))


def test_a_prompt_and_its_file_are_too_many() -> None:
    with pytest.raises(ValueError, match="not both"):
        engine(system_prompt="Mów.", system_prompt_file="prompt.txt")


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [("openai", "top_k", 20), ("compatible", "repetition_penalty", 1.1), ("tgi", "min_p", 0.1)],
)
def test_a_field_that_the_server_does_not_take_is_refused_by_name(
    kind: str, field: str, value: float
) -> None:
    with pytest.raises(SettingsError, match=rf"engines\.e\.sampling\.{field}.*{kind}"):
        read_sampling("e", engine(kind=kind, sampling={field: value}))


def test_a_family_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"engines\.e\.family.*did you mean 'pllum'"):
        read_sampling("e", engine(family="plum"))
