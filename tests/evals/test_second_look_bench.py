"""The benchmark of the second look plays errors as told, and guards what is found of them."""

from collections.abc import Mapping

import pytest

from evals.bench.report import second_look_table
from evals.bench.second_look import RIGHT, SecondLook, measure_second_look

NEEDLESS = 0.01  # of right decisions, asked about again


@pytest.fixture(scope="module")
def looks() -> Mapping[str, SecondLook]:
    return {one.error: one for one in measure_second_look("test", seed=1)}


def test_most_errors_are_asked_about_and_hardly_a_right_decision(
    looks: Mapping[str, SecondLook],
) -> None:
    right, broken = looks[RIGHT], looks["a call that breaks off"]

    assert right.asked <= NEEDLESS * right.prompts
    assert right.tools == right.prompts
    assert asked(looks["another tool"]) >= 0.7
    assert asked(looks["a tool instead of the default model"]) >= 0.5
    assert asked(looks["the default model instead of a tool"]) >= 0.5
    assert asked(looks["a place that nobody spoke of"]) >= 0.95
    assert broken.doubts == {"unusable": broken.asked}
    assert broken.tools == broken.prompts


def test_what_the_larger_model_is_not_asked_about_stays_wrong(
    looks: Mapping[str, SecondLook],
) -> None:
    wrong = looks["another tool"]

    assert wrong.tools == wrong.asked < wrong.prompts


def test_the_table_tells_counts_and_shares() -> None:
    look = SecondLook(
        half="test", error="another tool", prompts=8, asked=6, doubts={"disagreement": 6}, tools=6
    )

    assert second_look_table([look]).splitlines()[-1] == (
        "| test | another tool | 8 | 6 (75.0%) | 6 / 0 / 0 | 75.0% |"
    )


def asked(look: SecondLook) -> float:
    return look.asked / look.prompts
