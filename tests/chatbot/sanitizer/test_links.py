"""Links in a model's words: to hosts that nobody named they are plain text, in every renderer."""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial

import cmarkgfm
import commonmark
import html5lib
import markdown
import markdown_it
import mistletoe
import mistune
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given, strategies as st
from scripted.effort import LINEAR, growth
from scripted.tables import check_rows, every_row

from chatbot.sanitizer import Guard, LinkPolicy, guard_text
from chatbot.types import Attribution, Message, Text, ToolResult

DOCUMENTS = 200
HARMLESS = re.compile(
    r"(?:(?:https?|ftp)://(?:dobry\.pl(?:[/?#].*|\W*)|www)|//dobry\.pl|mailto:[^?]*|[^:/&\\<]*)",
    re.IGNORECASE,
)
POLICY = LinkPolicy(named=frozenset({"dobry.pl"}), trusted=frozenset({"wikipedia.org"}))
MISTUNE = mistune.create_markdown(escape=False, plugins=["table", "url"])
RENDERERS: dict[str, Callable[[str], str]] = {
    "markdown-it": markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": True}).render,
    "mistune": lambda text: str(MISTUNE(text)),
    "python-markdown": lambda text: markdown.markdown(text, extensions=["fenced_code", "tables"]),
    "commonmark.py": commonmark.commonmark,
    "mistletoe": mistletoe.markdown,
    "cmark-gfm": lambda text: cmarkgfm.github_flavored_markdown_to_html(
        text.replace("\0", ""), options=Options.CMARK_OPT_UNSAFE
    ),
}
FABRICATED = (
    "![zamek](https://zly.com/images/k3.1796000000.mfrgg2lt)",
    "![a][r]\n\n[r]: https://zly.com/images/2",
    "[![a](https://zly.com/images/3)](https://zly.com)",
    "[obraz](https://zly.com/images/4)",
    "[obraz](HTTPS://ZLY.com/5 'tytuł')",
    "[a](//zly.com/6)",
    "[a](/images/7)",
    "[a](javascript:alert(1))",
    "[a](<https://zly.com/8>)",
    "[a](\n  https://zly.com/9)",
    "[a]: https://zly.com/10\n\n[a] [b][a] [a][]",
    "> [a]: <https://zly.com/11>\n\n[a]",
    "[a]:\n https://zly.com/12\n\n[a]",
    "[a]: javascript:alert(1)\n\n[a]",
    "[a]: &#106;avascript:alert(1)\n\n[a]",
    "<https://zly.com/13>",
    "<mailto:jan@zly.com>",
    "https://zly.com/14",
    "(http://www.zly.com/15)",
    "www.zly.com/16",
    "**WWW.zly.com**",
    "ftp://zly.com/17",
    "mailto:jan@zly.com",
    "[a](https://dobry.pl@zly.com/18)",
    "https://dobry.pl@zly.com/19",
    "https://dobry.pl\\@zly.com/20",
    "https://dobry.pl:80@zly.com/21",
    "[a](https://dobry.pl @zly.com/22)",
    "[a](https://dobry.pl\n@zly.com/23)",
    "[a](https://dobry.pl&#64;zly.com/24)",
    "https://dobry.pl.zly.com/25",
    "https://dobry.pl)@zly.com/26",
    "[a]: https://dobry.pl)@zly.com/27\n\n[a]",
    "https://zlydobry.pl/28",
    "[a](https:zly.com/29)",
    "[a](https:\\\\zly.com/30)",
    "https:///zly.com/31",
    "a](https://dobry.pl)@zly.com/32",
    "`[a](https://zly.com/33)",
    "[a](\u200bhttps://zly.com/34)",
    "http://" + "a" * 300 + ".zly.com/35",
)
FILLERS = (
    *("\n", "\n\n", " ", "> ", "- ", "1. ", "    ", "tekst ", "|a|b|\n|-|-|\n|", "```\n", "```c\n"),
    *("~~~\n", "`", "$$", "\\[", "](", "[", "]", "](https://dobry.pl/a)", "www.", "//", ":", "@"),
    *("https://", "dobry.pl", "(", ")", "<", ">", "\r\n", "\\", "[r]: ", "_", "*"),
)


def documents(seed: int) -> Iterator[str]:
    source = random.Random(seed)  # noqa: S311 (hostile documents, not secrets)
    for _ in range(DOCUMENTS):
        yield "".join(
            source.choice(source.choices((FABRICATED, FILLERS), weights=(2, 3))[0])
            + source.choice(("\n", " ", "", "\n\n"))
            for _ in range(source.randint(1, 10))
        )


def lead_elsewhere(html: str) -> list[str]:
    """Where links and pictures lead that nobody named.

    A plain word is a page beside this one, ``www.`` at the end of a sentence is nowhere, and mail
    is no page.
    """
    elements = html5lib.parse(html, namespaceHTMLElements=False).iter()
    found = [str(element.get(name) or "") for element in elements for name in ("href", "src")]
    return [target for target in found if not HARMLESS.fullmatch(target)]


def in_pieces(text: str, source: random.Random) -> str:
    guard = Guard(links=POLICY)
    shown = []
    while text:
        size = source.randint(1, 9)
        shown.append(guard.feed(text[:size]))
        text = text[size:]
    return "".join(shown) + guard.finish()


@pytest.mark.parametrize("name", RENDERERS)
def test_unguarded_links_lead_elsewhere(name: str) -> None:
    seen = [text for text in FABRICATED if lead_elsewhere(RENDERERS[name](text))]
    assert len(seen) >= len(FABRICATED) // 3


@pytest.mark.parametrize("name", RENDERERS)
def test_a_fabricated_link_is_plain_text(name: str) -> None:
    def check(text: str) -> None:
        html = RENDERERS[name](guard_text(text, links=POLICY))
        assert lead_elsewhere(html) == []
        assert "<img" not in html

    check_rows(FABRICATED, check)


@pytest.mark.parametrize("name", RENDERERS)
def test_no_hostile_document_leads_elsewhere(name: str) -> None:
    source = random.Random(11)  # noqa: S311 (cuts, not secrets)
    leaks = [
        text
        for text in documents(seed=sum(map(ord, name)))
        if lead_elsewhere(RENDERERS[name](in_pieces(text, source)))
    ]
    assert leaks == []


PIECES = st.lists(st.sampled_from([*FABRICATED, *FILLERS]), max_size=20).map("".join)


@given(PIECES, st.lists(st.integers(1, 40), min_size=1, max_size=40))
def test_pieces_are_judged_as_the_whole(text: str, sizes: list[int]) -> None:
    guard, shown, position = Guard(links=POLICY), [], 0
    for size in sizes:
        shown.append(guard.feed(text[position : position + size]))
        position += size
    shown.extend((guard.feed(text[position:]), guard.finish()))
    assert "".join(shown) == guard_text(text, links=POLICY)


@given(PIECES)
def test_nothing_but_spaces_is_added(text: str) -> None:
    bare, judged = guard_text(text), guard_text(text, links=POLICY)
    assert judged.replace(" ", "") == bare.replace(" ", "")


@every_row("text", FABRICATED)
def test_at_most_a_host_is_held_back(text: str) -> None:
    guard = Guard(links=POLICY)
    given_out = 0
    for number, char in enumerate(f"{text} {text}", start=1):
        given_out += len(guard.feed(char))
        assert number - given_out <= 280


@every_row(
    "text",
    [
        "Zobacz [Wawel](https://dobry.pl/wawel) i https://dobry.pl, a także www.dobry.pl.",
        "[Kraków](https://pl.wikipedia.org/wiki/Kraków_(miasto)) – [mapa](https://dobry.pl?q=1)",
        "**https://dobry.pl** (https://dobry.pl/a/b?c=d#e); `https://dobry.pl:8080/x`",
        "[a]: https://dobry.pl/a\n\n[1]: przypis\n\n[uwaga]: tekst dalej",
        "Napisz na jan.kowalski@firma.pl lub zadzwoń. // komentarz, 7//2, a:b, ../x",
        "Adres zaczyna się od https:// i kończy na .pl, a strona www. nie istnieje.",
        '$a[i]$, $$f(x)=[0,1]$$ \\(x\\), {"a": [1, 2], "b": "https://dobry.pl/"}',
        "```c\n[a](https://zly.com) // www.zly.com\n```\n",
        "~~~\nhttps://zly.com\n~~~",
    ],
)
def test_what_may_stay_is_unchanged(text: str) -> None:
    assert guard_text(text, links=POLICY) == text


@every_row(
    ("text", "shown"),
    [
        ("[a](https://zly.com/x)", "[a] (https:/ /zly.com/x)"),
        ("https://zly.com/x", "https:/ /zly.com/x"),
        ("www.zly.com", "www .zly.com"),
        ("mailto:jan@zly.com", "mailto:jan @zly.com"),
        ("[a]: https://zly.com", "[a] : https:/ /zly.com"),
    ],
)
def test_one_space_parts_a_link(text: str, shown: str) -> None:
    assert guard_text(text, links=POLICY) == shown


def test_json_answers_stay_valid() -> None:
    value = {"url": "https://zly.com/a?b=[c](d)", "[a]:": ["www.zly.com", "mailto:a@zly.com"]}
    for indent in (None, 2):
        shown = guard_text(json.dumps(value, indent=indent), links=POLICY)
        assert str(json.loads(shown)).replace(" ", "") == str(value).replace(" ", "")


def test_without_a_policy_links_stay() -> None:
    assert guard_text("[a](https://zly.com)") == "[a](https://zly.com)"


def test_hosts_come_from_the_user_and_from_tools() -> None:
    said = Message(role="user", parts=(Text(text="Co jest na onet.pl i https://intranet/start?"),))
    other = Message(role="assistant", parts=(Text(text="Nie wiem, zob. zly.com"),))
    result = ToolResult(
        content="Zob. https://dane.gov.pl/a",
        attribution=(Attribution(source="NBP", url="https://api.nbp.pl/x"),),
    )
    policy = LinkPolicy.of_turn((other, said), results=(result,), trusted=("PWr.edu.pl",))
    allowed = ("onet.pl", "www.onet.pl", "intranet", "dane.gov.pl", "api.nbp.pl", "a.pwr.edu.pl")
    assert [host for host in (*allowed, "zly.com", "nbp.pl") if not policy.allows(host)] == [
        "zly.com",
        "nbp.pl",
    ]


@pytest.mark.parametrize("piece", ["www.", "//a.", "](", "]:", "https://a@"])
def test_an_endless_host_costs_linear_time(piece: str) -> None:
    assert growth(partial(guard_text, links=POLICY), piece, 20_000) < LINEAR
