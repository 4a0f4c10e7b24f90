"""When budgets are renewed: days and months in Warsaw, with their changes of the hour."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from scripted.tables import every_row

from serving.billing import Period
from serving.gateway.remaining import renewal

WARSAW = ZoneInfo("Europe/Warsaw")


@every_row(
    ("period", "now", "renewed"),
    [
        ("day", "2026-01-31T22:59:59", "2026-01-31T23:00:00"),
        ("day", "2026-01-31T23:00:00", "2026-02-01T23:00:00"),
        ("day", "2026-03-28T23:00:00", "2026-03-29T22:00:00"),  # a day of 23 hours
        ("day", "2026-10-24T22:00:00", "2026-10-25T23:00:00"),  # a day of 25 hours
        ("day", "2026-10-25T00:30:00", "2026-10-25T23:00:00"),  # half past two, the first one
        ("day", "2026-10-25T01:30:00", "2026-10-25T23:00:00"),  # and the second
        ("month", "2026-01-31T22:59:59", "2026-01-31T23:00:00"),
        ("month", "2026-01-31T23:00:00", "2026-02-28T23:00:00"),
        ("month", "2026-03-15T12:00:00", "2026-03-31T22:00:00"),
        ("month", "2026-10-01T12:00:00", "2026-10-31T23:00:00"),
        ("month", "2026-12-31T23:00:00", "2027-01-31T23:00:00"),
    ],
)
def test_a_budget_is_renewed_at_midnight_in_warsaw(period: Period, now: str, renewed: str) -> None:
    there = datetime.fromisoformat(now).replace(tzinfo=UTC).astimezone(WARSAW)
    found = renewal(period, there)
    assert found is not None
    assert found.astimezone(UTC) == datetime.fromisoformat(renewed).replace(tzinfo=UTC)
