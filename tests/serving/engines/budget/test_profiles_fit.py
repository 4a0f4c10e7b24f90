"""Every shipped profile fits the cards that it is made for, and builds its command lines."""

import tomllib
from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.engines.budget import compute_budget, find_hardware, find_misfits
from serving.engines.launchers import build_command
from serving.settings import Settings, shipped_profiles

FLAGS = Path(__file__).parents[1] / "documented_flags"
GIB = 2**30
PROFILES = tuple(shipped_profiles())
ENGINES = [
    (profile, name)
    for profile, text in shipped_profiles().items()
    for name in tomllib.loads(text)["engines"]
]


def read(profile: str, *, of: float = 1.0) -> Settings:
    """The profile on ``of`` as much memory."""
    found = Settings.model_validate(tomllib.loads(shipped_profiles()[profile]))
    cards = found.hardware.card_gib or ()
    smaller = {
        "detect": False,
        "card_gib": [size * of for size in cards],
        "ram_gib": found.hardware.ram_gib and found.hardware.ram_gib * of,
    }
    return Settings.model_validate(found.model_dump() | {"hardware": smaller})


def misfits(settings: Settings) -> list[str]:
    budget = compute_budget(settings, find_hardware(settings.hardware))
    return [misfit.message for misfit in find_misfits(budget)]


@every_row("profile", PROFILES)
def test_it_fits_the_machine_that_it_is_made_for(profile: str) -> None:
    settings = read(profile)
    assert misfits(settings) == []


@every_row("profile", PROFILES)
def test_nothing_in_it_is_unknown_to_the_budget(profile: str) -> None:
    settings = read(profile)
    budget = compute_budget(settings, find_hardware(settings.hardware))
    assert budget.unknown == ()
    assert all(place.size is not None for place in budget.places)
    assert {f"engines.{name}" for name in settings.engines} <= {
        entry.claim.server for place in budget.places for entry in place.entries
    }


@every_row("profile", PROFILES)
def test_it_is_refused_on_half_the_memory(profile: str) -> None:
    assert misfits(read(profile, of=0.5)) != []


@pytest.mark.parametrize("profile", ["two-gpu", "cluster"])
def test_it_is_refused_on_fewer_cards(profile: str) -> None:
    settings = read(profile)
    first = settings.hardware.model_copy(update={"card_gib": (79.6,)})
    assert "is not there" in "\n".join(misfits(settings.model_copy(update={"hardware": first})))


@every_row(("profile", "engine"), ENGINES)
def test_every_engine_of_it_has_a_command_line(profile: str, engine: str) -> None:
    program = build_command(engine, read(profile)).program
    port = read(profile).engines[engine].port
    assert program[program.index("--port") + 1] == str(port)


def test_llamacpps_lines_hold_only_flags_that_its_makers_document() -> None:
    documented = set((FLAGS / "llamacpp.txt").read_text(encoding="utf-8").splitlines()[1:])
    program = build_command("llama", read("laptop")).program
    assert {word for word in program if word.startswith("--")} - documented == set()


def test_the_papers_router_stands_beside_three_models_on_one_card() -> None:
    settings = read("paper")
    budget = compute_budget(settings, find_hardware(settings.hardware))
    assert [place.card for place in budget.places] == [0]
    assert len(budget.places[0].entries) == 4
    assert settings.router.engine == "llama"


def test_the_70b_model_of_two_gpus_lies_on_both() -> None:
    settings = read("two-gpu")
    budget = compute_budget(settings, find_hardware(settings.hardware))
    on = [
        place.card
        for place in budget.places
        for entry in place.entries
        if entry.claim.server == "engines.llama"
    ]
    assert on == [0, 1]
