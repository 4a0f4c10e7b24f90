import pytest
from scripted.tables import every_row

from chatbot.sanitizer.sensitive import Rule, expression, screen_text


@pytest.mark.parametrize(
    ("source", "longest"),
    [
        (r"\bUMW/\d{4}/\d{1,6}\b", 15),
        (r"(?:ab|cde){1,3}", 9),
        ("[A-Z]{2}[^0-9]?", 3),
        (r"(?i)tajne(?: przez poufne)?", 18),
    ],
)
def test_the_length_is_computed(source: str, longest: int) -> None:
    assert expression(source).longest == longest


@every_row(
    ("source", "reason"),
    [
        ("a+", "more than 256"),
        (".*", "empty text"),
        ("x(?:ab)*", "more than 256"),
        (r"\d{300}", "more than 256"),
        (r"(?:a?){20}b", "ways"),
        (r"(?:\w{1,5}){1,20}!", "ways"),
        ("(a)\\1", "not possible"),
        ("a(?=b)", "not possible"),
        ("(?<=a)b", "not possible"),
        ("^a", "not possible"),
        ("a$", "not possible"),
        ("(?i:a)b", "not possible"),
        ("a++", "not possible"),
        ("(", "no regular expression"),
    ],
)
def test_a_pattern_without_bounds_is_refused_with_the_reason(source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        expression(source)


@every_row(
    ("source", "text", "shown"),
    [
        (r"\bUMW/\d{4}/\d{1,6}\b", "zob. UMW/2024/17.", "zob. #."),
        (r"\bUMW/\d{4}/\d{1,6}\b", "UMW/2024/1234567", "UMW/2024/1234567"),
        ("(?i)tajne", "TAJNE akta", "# akta"),
        ("a{2,3}?b", "aaab", "#"),
        (r"[\]\-^]x", "]x -x ^x", "# # #"),
    ],
)
def test_a_pattern_finds_what_python_finds(source: str, text: str, shown: str) -> None:
    rule = Rule(name="x", detector=expression(source), action="mask", mask="#")
    assert screen_text(text, (rule,))[0] == shown
