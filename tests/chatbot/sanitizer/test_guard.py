import pytest
from hypothesis import given, strategies as st
from scripted.hostile_text import IMAGES
from scripted.tables import every_row

from chatbot.sanitizer import Guard, LinkPolicy, guard_text

HOSTILE_PIECES = st.sampled_from([
    "!", "[", "]", "(", ")", "<", ">", "/", "?", "img src=//e.example/x", "x", " ", "\n", "\r",
    "\t", "```", "~~~", "`", "~", "````", "python", "html", "\n```\n", "\n```python\n", "$$", "$",
    "\\", "\\[", "\\]", "\u200b", "\ufe0f", "\x02", "\x00", "\u2028", "⟦", "⟧", "> ", "- ", "    ",
    "![a](http://e.example/a.png)", "<img src=http://e.example/b>", "<!--", "-->", "&#33;", "[r]: ",
    "1. ", "<svg>", "</code>", "\n\n", "```\n", "\n~~~\n", "\n~~~ js\n",
])  # fmt: skip
HOSTILE = st.lists(HOSTILE_PIECES, max_size=40).map("".join)


def in_pieces(text: str, cuts: list[int]) -> str:
    guard = Guard()
    ends = sorted({cut % (len(text) + 1) for cut in cuts} | {len(text)})
    starts = [0, *ends[:-1]]
    fed = "".join(guard.feed(text[a:b]) for a, b in zip(starts, ends, strict=True))
    return fed + guard.finish()


@every_row(
    ("text", "shown"),
    [
        ("![a](b)", "! [a](b)"),
        ("[![a](b)](c)", "[! [a](b)](c)"),
        ("!\u200b[a](b)", "!\u200b [a](b)"),
        ("!\x02[a](b)", "! [a](b)"),
        ("<img src=x>", "< img src=x>"),
        ("</p>", "< /p>"),
        ("<!-- x", "< !-- x"),
        ("<![CDATA[", "< ! [CDATA["),
        ("!⟦a](b)", "! [[a](b)"),
        ("a\ud800b", "a\ufffdb"),
        ("a < b i 1<2, 0<$x$", "a < b i 1<2, 0<$x$"),
        ("Cześć! [źródło](https://a.example)", "Cześć! [źródło](https://a.example)"),
        ("$0<\\x<1$", "$0<\\x<1$"),
    ],
)
def test_prose_shows_no_image_and_no_tag(text: str, shown: str) -> None:
    assert guard_text(text) == shown


@every_row(
    "text",
    [
        "```python\nif a<b: print('![x](y)')\n```\n",
        "Oto kod:\n\n```c\n#include <stdio.h>\n```\n\nKoniec.",
        "~~~js\nconst a = `<b>`;\n~~~",
        "```\n<b>\n```",
        "```python\na = '''```'''\n```\n",
        "$$x<1$$\n\n```js\na<b>c\n```",
    ],
)
def test_clean_fenced_code_is_unchanged(text: str) -> None:
    assert guard_text(text) == text


@every_row(
    "opening",
    [
        "```html",
        "```SVG",
        "````python",
        " ```python",
        "``` python",
        "> ```",
        "x ```",
        "$$\n```c",
        "\r```c",
    ],
)
def test_code_after_a_fence_of_another_form_is_prose(opening: str) -> None:
    shown = guard_text(f"{opening}\n<img src=x>\n")

    assert "<img" not in shown


@every_row("closing", ["````", " ```", "~~~", "``` x", "\r```", "\u200b```"])
def test_what_follows_a_doubtful_closing_line_is_prose(closing: str) -> None:
    shown = guard_text(f"```c\na<b\n{closing}\n<img src=x>\n")

    assert "<img" not in shown


def test_code_left_open_is_closed_at_the_end() -> None:
    assert guard_text("```c\nint a;") == "```c\nint a;\n```"


def test_code_closed_by_the_last_line_is_not_closed_twice() -> None:
    assert guard_text("```c\nint a;\n```") == "```c\nint a;\n```"


@given(HOSTILE, st.lists(st.integers(0, 10_000), max_size=12))
def test_pieces_are_guarded_as_the_whole(text: str, cuts: list[int]) -> None:
    assert in_pieces(text, cuts) == guard_text(text)


@given(st.text())
def test_no_text_yields_a_frame_character(text: str) -> None:
    shown = guard_text(text + "⟦źródło: x · z1.a.b.c⟧" + text)

    assert not {"⟦", "⟧"} & set(shown)


@pytest.mark.parametrize("links", [None, LinkPolicy()], ids=["not judged", "judged"])
def test_every_form_of_an_image_may_be_cut_anywhere(links: LinkPolicy | None) -> None:
    for text in list(IMAGES.values())[::3]:
        whole = guard_text(text, links=links)
        for at in range(1, len(text)):
            guard = Guard(links=links)
            assert guard.feed(text[:at]) + guard.feed(text[at:]) + guard.finish() == whole
