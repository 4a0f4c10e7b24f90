from itertools import pairwise

from hypothesis import example, given, strategies as st
from scripted.tables import every_row

from chatbot.sanitizer.sensitive import (
    Rule,
    Safety,
    Screen,
    card,
    email,
    expression,
    iban,
    pesel,
    phone,
    screen_text,
    words,
)

LOGGED = Rule(name="logged", detector=expression(r"\d{2,4}[a-c]?"), action="log")
RULES = (
    LOGGED,
    Rule(name="pesel", detector=pesel(), action="mask", mask="[PESEL]"),
    Rule(name="card", detector=card(), action="mask", mask="[KARTA]"),
    Rule(name="iban", detector=iban(), action="mask", mask="[KONTO]"),
    Rule(name="phone", detector=phone(), action="mask", mask="[TELEFON]"),
    Rule(name="email", detector=email(), action="mask", mask="[E-MAIL]"),
    Rule(
        name="words",
        detector=words(["Zażółć gęślą", "zażółć", "bomb*", "a b"]),
        action="mask",
        mask="[…]",
    ),
    Rule(
        name="pattern",
        detector=expression(r"\bABC-(?:\d{2,4}|x{1,3}yz)[^\w\s]?\b|qq(?:rst)?"),
        action="mask",
        mask="[NR]",
    ),
)
STOPPING = (*RULES[1:5], Rule(name="stop", detector=email(), action="refuse"), *RULES[6:])
PIECES = st.sampled_from([
    "44051401359", "440514 01359", "44", "051", "401359", "4", "0", "1", "9", " ", "-", "\u00a0",
    "\u200b", "４４０５１４０１３５９", "4111 1111 1111 1111", "4111", "1111", "378282246310005",
    "PL61 1090 1014 0000 0712 1981 2874", "61109010140000071219812874", "PL", "DE", "pl6", "1090",
    "GB29NWBK60161331926819", "+48 600 100 200", "600100200", "+", "(22)", " 123 45 67", "0048",
    "jan.kowalski@firma.pl", "jan", "@", "firma.", "pl", ".", ",", "x", "a", "b", "a b", "_",
    "Zażółć", " gęślą", "zazolc gesl", "BOMBAMI", "bomb", "ami", "ŻÓŁĆ", "İ", "Σ", "ΑΣ", "ABC-12",
    "ABC-", "xx", "yz", "qq", "rs", "t", "\n", "(", ")", "/", "ł", "ß",
    "\u0301", "\u00ad", "z\u0307o\u0301l", "bo\u200bm", "c\u0301",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join)
CUTS = st.lists(st.integers(min_value=0), max_size=20)


def fed(text: str, cuts: list[int], rules: tuple[Rule, ...]) -> tuple[str, Screen]:
    screen = Screen(rules)
    ends = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    shown = "".join(screen.feed(text[start:end]) for start, end in pairwise(ends))
    return shown + screen.finish(), screen


@given(TEXTS, CUTS)
@example("4405140135", [])
@example("ΑΣ bomb", [1, 2])
def test_the_result_is_the_same_for_every_way_of_cutting(text: str, cuts: list[int]) -> None:
    whole, screen = screen_text(text, RULES)
    in_pieces, cut_screen = fed(text, cuts, RULES)
    letters, letter_screen = fed(text, list(range(len(text))), RULES)
    assert whole == in_pieces == letters
    assert screen.found == cut_screen.found == letter_screen.found


@given(TEXTS, CUTS)
def test_a_refusal_comes_at_the_same_place_for_every_way_of_cutting(
    text: str, cuts: list[int]
) -> None:
    whole, screen = screen_text(text, STOPPING)
    in_pieces, cut_screen = fed(text, cuts, STOPPING)
    assert whole == in_pieces
    assert screen.refused == cut_screen.refused
    assert screen.found == cut_screen.found


@given(TEXTS, st.data())
def test_no_more_is_held_back_than_the_longest_match(text: str, data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(RULES))
    screen = Screen((rule,))
    for char in text:
        screen.feed(char)
        assert len(screen.held) <= rule.detector.longest


@every_row("cut", range(1, 40))
def test_a_number_cut_anywhere_is_found(cut: int) -> None:
    text = "Mój PESEL to 44051401359, zapisz go sobie."
    shown, screen = fed(text, [cut], RULES[1:2])
    assert shown == "Mój PESEL to [PESEL], zapisz go sobie."
    assert screen.found == {"pesel": 1}


@given(st.lists(TEXTS, max_size=4))
def test_pieces_are_read_as_the_whole_that_they_are(pieces: list[str]) -> None:
    safety = Safety(RULES)
    read = safety.read_pieces(pieces)
    assert len(read) == len(pieces)
    assert "".join(read) == safety.read("".join(pieces))


def test_text_that_cannot_matter_passes_at_once() -> None:
    screen = Screen(RULES[1:3])
    assert screen.feed("Dzień dobry") == "Dzień dobry"
    assert not screen.held


def test_what_only_began_like_a_match_passes_as_soon_as_it_is_none() -> None:
    screen = Screen(RULES[1:3])
    assert screen.feed("w roku 1410") == "w roku "
    assert screen.feed(" była bitwa") == "1410 była bitwa"


def test_what_is_held_comes_at_the_end() -> None:
    screen = Screen(RULES[1:3])
    assert screen.feed("Było ich 123") == "Było ich "
    assert screen.finish() == "123"
    assert not screen.held


def test_a_refused_text_ends_before_the_match() -> None:
    rule = Rule(name="pesel", detector=pesel(), action="refuse")
    screen = Screen((rule,))
    assert screen.feed("To 44051401359 i 123") == "To "
    assert screen.refused is rule
    assert screen.feed("więcej") == ""
    assert screen.finish() == ""


def test_a_rule_that_logs_changes_nothing_and_counts() -> None:
    rule = Rule(name="mail", detector=email(), action="log")
    shown, screen = screen_text("a@b.pl i c@d.pl", (rule,))
    assert shown == "a@b.pl i c@d.pl"
    assert screen.found == {"mail": 2}


def test_a_rule_that_logs_hides_nothing_from_the_others() -> None:
    logging = Rule(name="any", detector=expression(r"ID \d{11}"), action="log")
    shown, screen = screen_text("ID 44051401359", (logging, RULES[1]))
    assert shown == "ID [PESEL]"
    assert screen.found == {"any": 1, "pesel": 1}


def test_the_first_rule_counts_where_two_match_at_one_place() -> None:
    broad = Rule(name="digits", detector=expression(r"\d{11}"), action="mask", mask="[#]")
    assert screen_text("44051401359", (broad, RULES[1]))[0] == "[#]"
    assert screen_text("44051401359", (RULES[1], broad))[0] == "[PESEL]"
