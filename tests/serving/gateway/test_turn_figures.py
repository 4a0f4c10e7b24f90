"""What a turn's events add to the figures of a gateway."""

from chatbot.events import RouteEvent
from chatbot.types import Doubt
from serving.gateway.turn_figures import TurnFigures
from serving.telemetry import Metrics


def figures(*, verified: bool | None = None, doubt: Doubt | None = None) -> str:
    metrics = Metrics()
    TurnFigures(metrics, engine="bielik").observe(
        RouteEvent(
            seq=0,
            message_id="m",
            at_ms=0,
            decision="default",
            reason="default_function",
            verified=verified,
            doubt=doubt,
        )
    )
    return metrics.render().decode()


def test_a_choice_that_the_detector_shares_is_counted() -> None:
    assert 'zwrotnica_router_verifications_total{agrees="yes"} 1.0' in figures(verified=True)


def test_a_choice_that_the_detector_does_not_share_is_counted() -> None:
    assert 'zwrotnica_router_verifications_total{agrees="no"} 1.0' in figures(verified=False)


def test_a_choice_that_was_not_compared_is_not_counted() -> None:
    assert "zwrotnica_router_verifications_total{" not in figures()


def test_a_second_look_is_counted_by_its_reason() -> None:
    assert 'zwrotnica_second_looks_total{doubt="invented"} 1.0' in figures(doubt="invented")
