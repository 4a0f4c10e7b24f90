"""Long and hostile text: found by arrays as by patterns, at a price that grows with its length."""

import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, strategies as st
from scripted.effort import LINEAR, growth, ratio

from chatbot.bot.screening import QUICK_CHARS, screen_text as screen_where_it_fits
from chatbot.sanitizer.sensitive import (
    Detector,
    Rule,
    Safety,
    Span,
    card,
    email,
    iban,
    pesel,
    phone,
    screen_text,
    words,
)
from chatbot.sanitizer.sensitive.detector import Matches
from chatbot.sanitizer.sensitive.found import NO_MATCHES
from chatbot.sanitizer.sensitive.numbers import LONG_CHARS, NumberDetector
from chatbot.sanitizer.sensitive.pattern import PatternDetector

NUMBERS: dict[str, Callable[[], Detector]] = {
    "pesel": pesel,
    "card": card,
    "iban": iban,
    "phone": phone,
}
WORDS = ["projekt Łabędź", "tajn*", *(f"słowo{number}" for number in range(500))]
DETECTORS = {name: make() for name, make in NUMBERS.items()}
RULES = tuple(
    Rule(name=name, detector=detector, action="mask", mask="[…]")
    for name, detector in {**DETECTORS, "email": email(), "words": words(WORDS)}.items()
)
PIECES = st.sampled_from([
    "44051401359", "440514 01359", "22222222222", "2 2 2 2", "00290200000", "0", "1", "2",
    "4", "9", " ", "-", "\u00a0", "\u200b", "  ", "４４０５１４０１３５９", "4111 1111 1111 1111",
    "4111111111111111", "378282246310005", "6011000990139424", "4222222222222", "4111",
    "1111", "PL61 1090 1014 0000 0712 1981 2874", "61109010140000071219812874",
    "61 1090 1014 0000 0712 1981 2874", "GB29NWBK60161331926819",
    "gb29 nwbk 6016 1331 9268 19", "NO9386011117947", "PL", "P L", "DE", "1090",
    "MT84MALT011000012345MTLCAST001S", "+48 600 100 200", "+48600100200",
    "0048 22 123 45 67", "00", "48", "(22) 123 45 67", "(22)1234567", "22 123 45 67",
    "22 1234567", "600 100 200", "600100200", "60 010 020 0", "(", ")", "+", "ł", "_", "a",
    "Z", ".", "\n", "１", "७", "\U0001d7d8", "\U00020000", "\U000e0041", "\0",
])  # fmt: skip
TEXTS = st.lists(PIECES, min_size=8, max_size=60).map("".join)
HOSTILE = {
    "digits": "1",
    "valid everywhere": "2 ",
    "digits and dashes": "1 2-3 ",
    "joiners": "1\u200b",
    "nearly cards": "4111 1111 1111 1112 ",
    "nearly accounts": "PL61 1090 1014 0000 0712 1981 2875 ",
    "nearly telephones": "600 100 20 ",
    "telephones": "600 100 200 ",
    "countries": "+48 ",
    "country in groups": "00 48 ",
    "brackets": "(1",
    "at signs": "@",
    "nearly addresses": "a@a.",
    "listed words": "projekt ",
    "stems": "tajn",
}


def every(matches: Matches) -> Iterator[Span]:
    span = matches.first(0)
    while span is not None:
        yield span
        span = matches.first(span.start + 1)


def by_patterns(detector: NumberDetector, text: str) -> list[Span]:
    return list(every(PatternDetector.matches(detector, text, start=0, before=len(text))))


@pytest.mark.parametrize("kind", NUMBERS)
@given(TEXTS)
@example("PL61 1090 1014 0000 0712 1981 2874")
@example("٦١١٠٩٠١٠١٤٠٠٠٠٠٧١٢١٩٨١٢٨٧٤")
@example("x" * 200 + "44051401359")
def test_arrays_find_what_patterns_find(kind: str, text: str) -> None:
    detector = NUMBERS[kind]()
    assert isinstance(detector, NumberDetector)
    assert list(every(detector._scan(text))) == by_patterns(detector, text)


def test_in_long_texts_a_number_is_found_up_to_the_place_asked_for() -> None:
    text = "x" * LONG_CHARS + " 44051401359 i 44051401359"
    first = text.index("4405")
    assert pesel().matches(text, start=0, before=first).first(0) is None
    assert pesel().matches(text, start=0, before=first + 1).first(0) is not None


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_four_times_the_text_costs_four_times_as_much(piece: str) -> None:
    assert growth(lambda text: screen_text(text, RULES), piece, 40_000, runs=3) < LINEAR


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_costs_a_few_times_what_prose_does(piece: str) -> None:
    """It was up to 150 times when each candidate was judged by itself."""
    prose = "Ala ma 2 koty i psa, a ul. Długa 5 jest blisko. "
    length = 30_000
    texts = prose * (length // len(prose)), piece * (length // len(piece))
    assert ratio(lambda text: screen_text(text, RULES), *texts, runs=3) < 15


class _Listening:
    """A detector that finds nothing and remembers who asked."""

    longest = 1
    trigger = ""

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def matches(self, text: str, *, start: int, before: int) -> Matches:
        self.threads.add(threading.get_ident())
        return NO_MATCHES

    def tail(self, text: str, *, start: int) -> int:
        return len(text)


@pytest.mark.parametrize(("length", "is_here"), [(QUICK_CHARS, True), (QUICK_CHARS + 1, False)])
async def test_long_texts_are_screened_in_a_thread(length: int, is_here: bool) -> None:
    detector = _Listening()
    safety = Safety([Rule(name="any", detector=detector, action="mask")])
    await screen_where_it_fits(safety, "x" * length)
    assert (detector.threads == {threading.get_ident()}) is is_here
