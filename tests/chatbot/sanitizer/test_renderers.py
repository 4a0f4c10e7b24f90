"""Hostile documents in six Markdown renderers: nothing that was guarded fetches or is active."""

import random
from collections.abc import Iterator

import pytest
from scripted.hostile_text import IMAGES
from scripted.renderers import EXTENDED, RENDERERS, active

from chatbot.sanitizer import Guard, guard_text

DOCUMENTS = 500
FETCHING = (
    "![a](//e.example/1.png)",
    "![a][r]\n\n[r]: //e.example/2.png",
    "[r]: //e.example/3.png\n\n![r]",
    "[![a](//e.example/4.png)](//e.example)",
    "<img src=//e.example/5>",
    "<picture><source srcset=//e.example/6></picture>",
    "<svg><image href=//e.example/7 /></svg>",
    "<video poster=//e.example/8></video>",
    "<input type=image src=//e.example/9>",
    "<p style='background:url(//e.example/10)'>",
    "<base href=//e.example/11>",
    "<iframe src=//e.example/12></iframe>",
    "<link rel=stylesheet href=//e.example/13>",
    "<script src=//e.example/14></script>",
    "<!-- --><img src=//e.example/15>",
    "<details open ontoggle=alert(1)>",
    "<?php ?><img src=//e.example/16>",
    "!\u200b[a](//e.example/17)",
    "!\ufe0f[a](//e.example/18)",
    "!\x02[a](//e.example/19)",
    "\\![a](//e.example/20)",
    "\\\\![a](//e.example/21)",
    "！［a］(//e.example/22)",
    "&#33;[a](//e.example/23)",
    "![a](data:image/png;base64,iVBORw0KGgo=)",
    "![a\n](//e.example/24)",
    "!\n[a](//e.example/25)",
    "<object data=//e.example/26></object>",
    "<style>@import '//e.example/27'</style>",
    "<IMG\nSRC=//e.example/28>",
)
FENCES = (
    *("```", "~~~", "````", "~~~~", "```python", "```html", "~~~ js", " ```", "   ~~~", "``"),
    *(
        "\t```",
        "> ```",
        "- ```",
        "1. ~~~",
        "```a```",
        "`",
        "```\r",
        "\u2028```",
        "```\x00",
        "\ufeff```",
    ),
    *(
        "```c <b>",
        "```c\u200b",
        "$$",
        "\\[",
        "\\]",
        "</code></pre>",
        "    ",
        "<pre>",
        "<!--",
        "]]>",
    ),
)
FILLERS = (
    *("\n", "\n\n", " ", "> ", "- ", "* ", "1. ", "    ", "tekst", "|a|b|\n|-|-|\n|", "|"),
    "\r\n",
    "\r",
)


def documents(seed: int, count: int) -> Iterator[str]:
    """Hostile documents: fetching snippets among fences, containers and line ends."""
    source = random.Random(seed)  # noqa: S311 (hostile documents, not secrets)
    for _ in range(count):
        pieces = []
        for _ in range(source.randint(1, 12)):
            kind = source.choices((FETCHING, FENCES, FILLERS), weights=(3, 4, 4))[0]
            pieces.append(source.choice(kind))
            pieces.append(source.choice(("\n", "\n", "\n\n", "")))
        yield "".join(pieces)


def guarded_in_pieces(text: str, source: random.Random) -> str:
    guard = Guard()
    shown = []
    while text:
        size = source.randint(1, 7)
        shown.append(guard.feed(text[:size]))
        text = text[size:]
    return "".join(shown) + guard.finish()


@pytest.mark.parametrize("name", RENDERERS)
def test_every_renderer_shows_the_unguarded_snippets_active(name: str) -> None:
    seen = [text for text in FETCHING if active(RENDERERS[name](text))]

    assert len(seen) >= len(FETCHING) // 2


@pytest.mark.parametrize("name", RENDERERS)
def test_no_guarded_snippet_is_active(name: str) -> None:
    leaks = [text for text in FETCHING if active(RENDERERS[name](guard_text(text)))]

    assert leaks == []


@pytest.mark.parametrize("name", RENDERERS)
def test_no_guarded_hostile_document_is_active(name: str) -> None:
    source = random.Random(7)  # noqa: S311 (cuts, not secrets)
    leaks = [
        text
        for text in documents(seed=sum(map(ord, name)), count=DOCUMENTS)
        if active(RENDERERS[name](guarded_in_pieces(text, source)))
    ]

    assert leaks == []


@pytest.mark.parametrize("name", EXTENDED)
def test_no_form_of_an_image_is_active_in_a_renderer_with_extensions(name: str) -> None:
    leaks = {
        form: found
        for form, text in IMAGES.items()
        if (found := active(EXTENDED[name](guard_text(text)), is_extended=True))
    }

    assert leaks == {}


@pytest.mark.parametrize("name", EXTENDED)
def test_most_forms_are_active_unguarded(name: str) -> None:
    shown = [text for text in IMAGES.values() if active(EXTENDED[name](text), is_extended=True)]

    assert len(shown) >= len(IMAGES) // 3
