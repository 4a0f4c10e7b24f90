"""The grounding benchmark damages names as told, tells right from wrong, and guards the figures."""

from evals.bench.corruptions import Mention, corruptions
from evals.bench.grounding import ELSEWHERE, GOOD, GroundingCost, measure_grounding

LEAST = 0.97  # of the corrupted values of the unseen part


def test_a_name_is_damaged_in_every_way_and_the_same_for_the_same_seed() -> None:
    mention = Mention(name="Lądek-Zdrój", form="Lądku-Zdroju", foreign=("Bad Landeck",))
    damaged = dict(corruptions(mention, 1))
    assert damaged == dict(corruptions(mention, 1))
    assert damaged["no diacritics"] == "Ladek-Zdroj"
    assert damaged["lower case"] == "lądek-zdrój"
    assert damaged["foreign letters"] == "Lådek-Zdròj"
    assert damaged["inflected"] == "Lądku-Zdroju"
    assert damaged["half inflected"] == "Ladku-Zdroju"
    assert damaged["truncated"] == "Lądek-Zd"
    assert damaged["no hyphen"] == "Lądek Zdrój"
    assert damaged["exonym"] == "Bad Landeck"


def test_a_name_that_a_corruption_leaves_alone_is_left_out() -> None:
    assert set(dict(corruptions(Mention(name="Hel"), 1))) == {"lower case"}


def test_grounding_keeps_its_figures_on_the_unseen_part() -> None:
    costs, outcomes = measure_grounding("unseen", seed=1)
    rows = {cost.label: cost for cost in costs}
    assert len(outcomes) == rows["all"].values
    assert _share(rows["all corrupted"]) >= LEAST
    assert rows["all corrupted"].flagged <= 0.015 * rows["all corrupted"].values
    assert rows[GOOD].right == rows[GOOD].values
    assert rows[GOOD].flagged == 0
    assert _share(rows[ELSEWHERE]) >= 0.98


def _share(cost: GroundingCost) -> float:
    return cost.right / cost.values
