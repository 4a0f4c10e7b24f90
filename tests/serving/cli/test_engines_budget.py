"""`engines budget`, `engines profiles`, and `engines command` where something does not fit."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from serving.cli.main import zwrotnica
from serving.settings import SettingsError, shipped_profiles


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Run":
    monkeypatch.chdir(tmp_path)
    return Run()


class Run:
    """Runs one command line in an empty folder, for a machine that is planned."""

    def __call__(
        self, *words: str, profile: str = "one-gpu", cards: str = "79.6", **environ: str
    ) -> Result:
        environ |= {
            "ZWROTNICA_PROFILE": profile,
            "ZWROTNICA_HARDWARE__DETECT": "false",
            "ZWROTNICA_HARDWARE__CARD_GIB": cards,
        }
        return CliRunner().invoke(zwrotnica, words, env=environ)


def test_a_budget_that_fits_is_a_table_for_each_card(run: Run) -> None:
    result = run("engines", "budget")
    assert result.exit_code == 0
    assert result.stdout.startswith("card 0: 79.6 GiB, 2.4 kept free, 75.4 taken: fits\n")
    assert [line.split()[0] for line in result.stdout.splitlines()[2:]] == [
        "engines.llama",
        "engines.bielik",
        "images.server",
    ]


def test_a_budget_needs_no_engines_key(run: Run) -> None:
    result = run("engines", "budget", ZWROTNICA_ENGINES__BIELIK__API_KEY_ENV="NOBODY_SET_THIS_KEY")
    assert result.exit_code == 0


def test_a_budget_that_does_not_fit_says_what_to_do_and_fails(run: Run) -> None:
    result = run("engines", "budget", cards="40")
    assert result.exit_code == 1
    assert "taken: too small" in result.stdout
    assert "does not fit: engines.bielik needs 24.9 GiB of card 0" in result.stdout


def test_a_budget_as_json_is_in_bytes(run: Run) -> None:
    result = run("engines", "budget", "--json", cards="40")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["places"][0]["size"] == 40 * 2**30
    assert found["places"][0]["servers"][0]["weights"] == pytest.approx(9.08e9, rel=0.001)
    assert found["unknown"] == []
    assert len(found["misfits"]) == 3


def test_cards_that_nobody_knows_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zwrotnica.toml").write_text(
        '[engines.one]\nkind = "vllm"\nport = 1\nmodel = "org/x"\n[engines.one.launch]\n'
        "[hardware]\ndetect = false\n"
    )
    result = CliRunner().invoke(zwrotnica, ["engines", "budget"])
    assert result.exit_code == 0
    assert "card 0: size unknown" in result.stdout
    assert "engines.one: nothing tells how large the model is" in result.stdout


def test_nothing_to_start_is_told(run: Run) -> None:
    assert "Nothing is started" in CliRunner().invoke(zwrotnica, ["engines", "budget"]).stdout


def test_the_line_of_an_engine_that_fits_is_printed(run: Run) -> None:
    assert "vllm serve" in run("engines", "command", "llama").stdout


def test_the_line_of_an_engine_that_does_not_fit_is_refused(run: Run) -> None:
    result = run("engines", "command", "llama", cards="24")
    assert isinstance(result.exception, SettingsError)
    assert "engines.llama needs" in result.exception.message
    assert result.stdout == ""


def test_the_line_is_printed_anyway_when_asked_for(run: Run) -> None:
    assert "vllm serve" in run("engines", "command", "llama", "--anyway", cards="24").stdout


def test_profiles_are_listed_with_a_line_each(run: Run) -> None:
    lines = run("engines", "profiles").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped_profiles())


def test_a_profile_is_printed_to_copy(run: Run) -> None:
    assert run("engines", "profiles", "paper").stdout == shipped_profiles()["paper"]


def test_an_unknown_profile_names_those_that_ship(run: Run) -> None:
    result = CliRunner().invoke(zwrotnica, ["engines", "profiles", "x"], standalone_mode=False)
    assert isinstance(result.exception, click.UsageError)
    assert "laptop" in result.exception.format_message()
