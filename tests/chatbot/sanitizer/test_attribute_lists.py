import json

from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.sanitizer import Guard, guard_text


@every_row(
    ("text", "shown"),
    [
        ('a\n{: style="b" }', 'a\n{: style ="b" }'),
        ("# a {onclick=b}", "# a {onclick =b}"),
        ('*a*{: title="}" STYLE="b" }', '*a*{: title="}" STYLE ="b" }'),
        ('a\n{: title="b"\nstyle="c" }', 'a\n{: title="b"\nstyle ="c" }'),
        ('[a](b){: href="javascript:c" }', '[a](b){: href ="javascript:c" }'),
    ],
)
def test_an_active_attribute_is_parted_from_its_value(text: str, shown: str) -> None:
    assert guard_text(text) == shown


@every_row(
    "text",
    [
        '# Tytuł {: #kotwica .klasa title="Napis" }',
        "$\\sum_{i=1}^{n} i$ i $f_{n}=1$, $\\displaystyle{x=1}$",
        'style="b", onclick=c i https://a.example/?style=1&href=2',
        "{a=1}\n\nstyle=b",
        "{a}\nstyle=b",
        '```css\n{style="b"}\n```',
    ],
)
def test_everything_else_is_unchanged(text: str) -> None:
    assert guard_text(text) == text


def test_json_keeps_its_values() -> None:
    value = {"wzór": "a=b", "pole": {"adres": "https://a.example/?q=1&on=2"}}

    assert json.loads(guard_text(json.dumps(value, ensure_ascii=False))) == value


@given(st.lists(st.sampled_from(["!", "[", "<", "a", "{", "}", "style", "=", "\\", "\n", "`" * 3,
                                 "~~~", " ", "c", "$$", "\r", "\u200b"])).map("".join))  # fmt: skip
def test_what_is_guarded_passes_a_second_guard_unchanged(text: str) -> None:
    shown = guard_text(text)

    assert Guard().feed(shown) == shown
