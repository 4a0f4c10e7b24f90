"""What is asked, of whom and when: prompts, arrivals and targets of the engine benchmark."""

from collections import Counter
from itertools import islice, pairwise
from random import Random
from statistics import fmean, pstdev

import click
import pytest
from scripted.tables import every_row

from evals.bench.engine.loads import read_loads
from evals.bench.engine.prompts import read_prompts, shuffled_repeats
from evals.bench.engine.targets import read_target

PROMPTS = read_prompts()
LIMITS = {"short": (1, 30), "medium": (31, 300), "long": (301, 1_000)}


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable order


def test_there_are_fifty_prompts_of_every_length_in_two_languages() -> None:
    assert len({prompt.id for prompt in PROMPTS}) == len({one.text for one in PROMPTS}) == 50
    assert set(Counter(prompt.language for prompt in PROMPTS).values()) == {25}
    assert all(LIMITS[one.length][0] <= one.max_tokens <= LIMITS[one.length][1] for one in PROMPTS)


def test_repeats_hold_every_prompt_equally_often_in_an_order_of_the_seed() -> None:
    repeats = shuffled_repeats(PROMPTS, 100, chance(3))

    assert set(Counter(prompt.id for prompt in repeats).values()) == {2}
    assert repeats == shuffled_repeats(PROMPTS, 100, chance(3))
    assert repeats != shuffled_repeats(PROMPTS, 100, chance(4))


@pytest.mark.parametrize(("arrivals", "variation"), [("poisson:4", 1.0), ("gamma:4:2", 2.0)])
def test_requests_come_at_the_rate_and_as_bursty_as_told(arrivals: str, variation: float) -> None:
    (load,) = read_loads([arrivals], [])
    moments = list(islice(load.moments(chance(1)), 20_000))
    gaps = [later - earlier for earlier, later in pairwise(moments)]

    assert fmean(gaps) == pytest.approx(1 / 4, rel=0.05)
    assert pstdev(gaps) / fmean(gaps) == pytest.approx(variation, rel=0.05)


def test_a_closed_loop_has_one_load_for_each_batch_and_fills_it() -> None:
    loads = read_loads(["closed", "closed"], [1, 64])

    assert [load.name for load in loads] == ["1", "64"]
    assert [load.count_requests(50) for load in loads] == [50, 64]


@every_row(
    "text", ["poisson", "poisson:0", "poisson:nan", "gamma:4", "gamma:x:2", "open", "gamma:1:inf"]
)
def test_arrivals_of_no_known_form_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is none of"):
        read_loads([text], [1])


@pytest.mark.parametrize("text", ["vllm", "=http://x/v1", "vllm=ftp://x", "a=http://u:p@x/v1"])
def test_targets_of_no_known_form_are_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        read_target(text)


def test_a_target_keeps_its_key_to_itself() -> None:
    target = read_target("vllm=http://127.0.0.1:1/v1/,bielik", key="tajny")

    assert (target.url, target.model) == ("http://127.0.0.1:1/v1", "bielik")
    assert "tajny" not in repr(target)
