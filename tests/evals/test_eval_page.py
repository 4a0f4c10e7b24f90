"""The HTML report: it stands alone, hostile prompts stay text, several runs stand side by side."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chatbot.types import Message, Text
from evals.cases import Case, Expected, ExpectedCall
from evals.page import write_page
from evals.report import as_json
from evals.run import Log, Sample
from evals.saved import SavedRun
from evals.scorers import Scorer
from evals.solver import DecidedCall, Solution
from evals.summary import sum_up
from evals.tables import tables_of

HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror=alert(2)>" onmouseover="alert(3) '
    "{{ 7 * 7 }} \u202egnp.exe"
)
SCORER = Scorer({})


def sample(number: int, *, city: str) -> Sample:
    expected = Expected(calls=(ExpectedCall(tool="get_weather", arguments={"city": HOSTILE}),))
    before = Message(role="user", parts=(Text(text=HOSTILE),))
    case = Case(
        id=f"c{number}", prompt=HOSTILE, expected=expected, history=(before,), tags=("<b>",)
    )
    solution = Solution(
        tool="get_weather",
        calls=(DecidedCall(tool="get_weather", arguments={"city": city}),),
        reason="called",
        verdict_ms=3,
        decision_ms=3.2,
    )
    return Sample(case=case, solution=solution, score=SCORER.score(case, solution))


def log(*cities: str) -> Log:
    samples = tuple(sample(number, city=city) for number, city in enumerate(cities))
    return Log(cases="own", fingerprint="f", engine=HOSTILE, dialect="plain", samples=samples)


def page(*logs: Log) -> str:
    runs = [
        SavedRun.model_validate({**as_json(one, sum_up(one)), "label": f"run {number}"})
        for number, one in enumerate(logs)
    ]
    return write_page(f"Run {HOSTILE}", HOSTILE, tables_of(sum_up(logs[0])), runs)


class Tags(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.articles: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        if tag == "article":
            self.articles.append(dict(attrs))


def read(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    return tags


def test_hostile_text_stays_text() -> None:
    tags = read(page(log(HOSTILE)))
    assert tags.names.count("script") == 1
    assert "img" not in tags.names
    assert [name for name, _ in tags.attributes if name.startswith("on")] == []


def test_the_page_asks_for_nothing_and_allows_nothing() -> None:
    html = page(log("Hel"))
    tags = read(html)
    assert not {"src", "srcset", "action", "data"} & {name for name, _ in tags.attributes}
    links = [value for name, value in tags.attributes if name == "href"]
    assert links
    assert all(value is not None and value.startswith("#") for value in links)
    assert "default-src 'none'" in html
    assert "url(" not in html
    assert "@import" not in html


def test_every_case_is_listed_with_what_it_can_be_filtered_by() -> None:
    [first, second] = read(page(log(HOSTILE, "Hel"))).articles
    assert (first["data-state"], second["data-state"]) == ("right", "wrong")
    assert (first["data-tool"], first["data-tags"]) == ("get_weather", "<b>")


def test_several_runs_stand_side_by_side() -> None:
    html = page(log(HOSTILE), log("Hel"))
    [only] = read(html).articles
    assert only["data-state"] == "mixed"
    assert re.findall(r"<dt>(run \d)</dt>", html) == ["run 0", "run 1"]


@pytest.mark.parametrize("name", ["page.css", "page.js", "page.html.j2"])
def test_templates_name_no_address(name: str) -> None:
    folder = Path(__file__).parents[2] / "evals" / "templates"
    assert "//" not in (folder / name).read_text(encoding="utf-8")
