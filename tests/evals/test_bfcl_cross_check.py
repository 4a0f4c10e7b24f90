"""The cross-check with the published checker, as far as it goes without it."""

import sys
from pathlib import Path

import pytest

from evals.bfcl.cross_check import CrossCheckError, compare, install
from evals.bfcl.entries import read_entries
from evals.bfcl.variants import make_variants

SAMPLE = Path(__file__).parent / "bfcl"


def test_without_its_installer_the_published_checker_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(CrossCheckError, match="does not run"):
        install(tmp_path)


def test_an_environment_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    package = tmp_path / "bfcl-eval==2026.3.23" / "lib" / "python3.11" / "site-packages"
    (package / "bfcl_eval").mkdir(parents=True)
    assert install(tmp_path) == tmp_path / "bfcl-eval==2026.3.23" / "bin" / "python"


def test_a_checker_that_fails_is_told_with_its_own_words() -> None:
    with pytest.raises(CrossCheckError, match="No module named 'bfcl_eval'"):
        compare(SAMPLE, "multiple", Path(sys.executable))


@pytest.mark.parametrize("category", ["simple_python", "parallel"])
def test_the_variants_change_every_argument(category: str) -> None:
    for entry in read_entries(SAMPLE, category):
        given = [dict(calls[0].arguments) for calls in make_variants(entry) if calls]
        for name in entry.right[0].answer:
            values = [repr(one[name]) for one in given if name in one]
            assert len(set(values)) > 3
            assert any(name not in one for one in given)
