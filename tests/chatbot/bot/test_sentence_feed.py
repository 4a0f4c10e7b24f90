"""Streamed text is cut into whole sentences, the same for every way of cutting it into pieces."""

from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.bot.sentence_feed import LONGEST, SentenceFeed

TEXT = (
    "Mikołaj Kopernik (ur. 19 lutego 1473 r. w Toruniu) był astronomem. Zmarł w 1543 r.\n"
    "- W Łodzi jest 3,5 °C. Dziś śnieg!\n\nKoniec"
)
SENTENCES = [
    "Mikołaj Kopernik (ur. 19 lutego 1473 r. w Toruniu) był astronomem.",
    " Zmarł w 1543 r.",
    "\n- W Łodzi jest 3,5 °C.",
    " Dziś śnieg!",
    "\n\nKoniec",
]


def cut(*pieces: str) -> list[str]:
    feed = SentenceFeed()
    sentences = [sentence for piece in pieces for sentence in feed.feed(piece)]
    return [*sentences, feed.finish()]


@every_row("size", [1, 2, 3, 7, 1000])
def test_sentences_do_not_depend_on_the_pieces(size: int) -> None:
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    assert cut(*pieces) == SENTENCES


def test_a_sentence_is_known_when_the_next_begins() -> None:
    feed = SentenceFeed()
    assert feed.feed("Pada śnieg.") == ()
    assert feed.feed(" ") == ()
    assert feed.feed("J") == ("Pada śnieg.",)


def test_what_never_ends_is_cut() -> None:
    assert max(map(len, cut(*["a " * 100] * 20))) <= LONGEST + 200


@given(st.lists(st.text(alphabet="aB. \n!?(„”)1", max_size=12), max_size=30))
def test_nothing_is_lost(pieces: list[str]) -> None:
    assert "".join(cut(*pieces)) == "".join(pieces)
