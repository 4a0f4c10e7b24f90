"""How soon the page can be used, and how much of it has to be sent."""

from statistics import median

import pytest
from parts.chat_page import ChatPage
from parts.chromium_page import Chromium
from parts.page_figures import Figures, measure, publish, time_first_word
from parts.page_product import PageProduct

pytestmark = pytest.mark.parts

MOST_BYTES = 600_000
USABLE_MS = 2_500
FIRST_WORD_MS = 150
SLOWER = 4
"""What a machine that does other things too may take longer."""


@pytest.fixture(scope="module")
def figures(chromium: Chromium, product: PageProduct) -> Figures:
    """The best of three visits with an empty cache."""
    product.forget()
    return min((measure(chromium, product.url) for _ in range(3)), key=lambda one: one.usable_ms)


@pytest.fixture(scope="module")
def first_word_ms(chromium: Chromium, product: PageProduct, figures: Figures) -> float:
    """The median of five answers, each in a conversation of its own."""
    product.forget()
    taken: list[float] = []
    with chromium.window(product.url) as window:
        for number in range(5):
            chat = ChatPage(window=window, url=product.url).open()
            taken.append(time_first_word(chat, product, f"Wiersz numer {number}", "Zaczynam"))
    publish(figures, first_word_ms=median(taken))
    return median(taken)


def test_the_page_is_light(figures: Figures) -> None:
    assert figures.transferred <= MOST_BYTES


def test_words_are_on_the_page_as_soon_as_they_are_said(first_word_ms: float) -> None:
    assert first_word_ms <= SLOWER * FIRST_WORD_MS


def test_one_can_soon_write(figures: Figures) -> None:
    assert figures.painted_ms <= figures.usable_ms <= SLOWER * USABLE_MS
