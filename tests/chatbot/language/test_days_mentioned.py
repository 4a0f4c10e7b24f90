"""Days are found wherever a text speaks of them: feasts, distances, slips, dates without months."""

from datetime import date

from scripted.tables import every_row

from chatbot.language.days import read_day
from chatbot.language.mentions import fold_text, read_mentions

SUNDAY = date(2026, 11, 22)


@every_row(
    ("text", "day"),
    [
        ("w Wigilię", "2026-12-24"),
        ("w sylwestra", "2026-12-31"),
        ("na Trzech Króli", "2027-01-06"),
        ("w Wielkanoc", "2027-03-28"),
        ("w lany poniedziałek", "2027-03-29"),
        ("na Boże Ciało", "2027-05-27"),
        ("w piątek za tydzień", "2026-12-04"),
        ("za tydzień w piątek", "2026-12-04"),
        ("popojutrze", "2026-11-25"),
        ("dwudziestego piątego będzie padać?", "2026-11-25"),
        ("3 grudzień", "2026-12-03"),
        ("15-go grudnia", "2026-12-15"),
        ("za dwie godziny", "today"),
        ("tonight", "today"),
        ("w przyszłym tygodniu", "next_days"),
        ("za kilka dni", "next_days"),
        ("pod koniec tygodnia", "weekend"),
        ("na łikend", "weekend"),
        ("w czwrtek", "thursday"),
        ("w niedizelę", "sunday"),
        ("w sbote", "saturday"),
        ("w sorde", "wednesday"),
    ],
)
def test_a_day_is_read_with_a_calendar(text: str, day: str) -> None:
    assert read_day(text, today=SUNDAY) == day


@every_row(
    "text", ["u Sylwestra", "w Mikołajkach", "robota", "środek lata", "futro na mróz", "XX wiek"]
)
def test_what_looks_like_a_day_is_none(text: str) -> None:
    assert read_day(text, today=SUNDAY) is None


def test_mentions_stand_in_their_order_and_do_not_overlap() -> None:
    text = "Jutro, w piątek za tydzień  i 24 grudnia"
    mentions = read_mentions(text, today=SUNDAY)
    assert [one.day for one in mentions] == ["tomorrow", "2026-12-04", "2026-12-24"]
    words = [fold_text(text)[one.start : one.end] for one in mentions]
    assert words == ["jutro", "piatek za tydzien", "24 grudnia"]
