"""What detection costs, beside the whole decision."""

from evals.bench.detector import DetectorCost, measure_detector
from evals.bench.report import detector_table


def test_every_everyday_prompt_is_timed_in_both_ways() -> None:
    costs = measure_detector(rounds=1, seed=1)

    assert {cost.tool for cost in costs} == {
        "calculate", "generate_image", "get_weather", "none", "search_wikipedia",
    }  # fmt: skip
    assert sum(cost.prompts for cost in costs) == 250
    assert all(0 < cost.detect_p50_ms <= cost.detect_p95_ms for cost in costs)
    assert all(0 < cost.decision_p50_ms <= cost.decision_p95_ms for cost in costs)


def test_the_table_tells_the_detectors_share_of_a_decision() -> None:
    cost = DetectorCost(
        tool="calculate",
        prompts=45,
        detect_p50_ms=1.5,
        detect_p95_ms=5.0,
        decision_p50_ms=2.0,
        decision_p95_ms=6.0,
    )

    assert detector_table([cost]).splitlines()[-1] == (
        "| calculate | 45 | 1.50 / 5.00 | 2.00 / 6.00 | 0.75 |"
    )
