"""A picture becomes one Markdown image, whatever its description holds."""

from datetime import UTC, datetime

import pytest
from markdown_it import MarkdownIt

from chatbot.events import ImageEvent
from serving.gateway.completion import Told

EXPIRES = datetime(2026, 1, 15, tzinfo=UTC)


def drawn(alt: str) -> str:
    event = ImageEvent(
        seq=0,
        message_id="m",
        at_ms=0,
        image_id="i",
        url="/images/i.1.m",
        expires_at=EXPIRES,
        alt=alt,
        width=1,
        height=1,
    )
    return Told(message_id="m", image_base="http://a").take(event)


@pytest.mark.parametrize(
    ("alt", "shown"),
    [
        ("pies i kot", "pies i kot"),
        ("a](http://e.example) [b", "a)(http://e.example) (b"),
        ("kod ` i \\] koniec", "kod ' i /) koniec"),
        ("cena $$5", "cena ＄＄5"),
    ],
)
def test_a_description_stays_inside_its_image(alt: str, shown: str) -> None:
    page = MarkdownIt().render(drawn(alt) + "a ` b $$ c")
    assert f'<img src="http://a/images/i.1.m" alt="{shown}"' in page
