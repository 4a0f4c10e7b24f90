"""What detection costs, beside the whole decision."""

from evals.bench.detector import DetectorCost, Spread, measure_detector
from evals.bench.report import detector_table


def test_every_everyday_prompt_is_timed_in_each_way() -> None:
    *costs, whole = measure_detector(rounds=1, seed=1)

    assert {cost.tool for cost in costs} == {
        "calculate", "generate_image", "get_weather", "none", "search_wikipedia",
    }  # fmt: skip
    assert (whole.tool, whole.prompts) == ("all", sum(cost.prompts for cost in costs))
    assert whole.prompts == 250
    for cost in (*costs, whole):
        for spread in (cost.verify, cost.fast_path, cost.detect, cost.decision):
            assert 0 < spread.p50_ms <= spread.p95_ms
            assert spread.quick <= cost.prompts


def test_the_table_tells_the_detectors_share_of_a_decision() -> None:
    cost = DetectorCost(
        tool="calculate",
        prompts=45,
        verify=Spread(p50_ms=0.5, p95_ms=1.0, quick=45),
        fast_path=Spread(p50_ms=0.75, p95_ms=1.25, quick=45),
        detect=Spread(p50_ms=1.5, p95_ms=5.0, quick=40),
        decision=Spread(p50_ms=2.0, p95_ms=6.0, quick=39),
    )

    assert detector_table([cost]).splitlines()[-1] == (
        "| calculate | 45 | 0.50 / 1.00 | 0.75 / 1.25 | 1.50 / 5.00 | 40 | 2.00 / 6.00 | 0.75 |"
    )
