"""`/privacy` and `/accessibility`: the operator's words, in which nothing is active."""

import logging
from importlib.resources import files
from pathlib import Path

import html5lib
import pytest
import requests
from click.testing import CliRunner
from pydantic import ValidationError
from scripted.gateway import Backstage, running_gateway
from scripted.patience import PATIENCE_S

from serving.cli.main import zwrotnica
from serving.gateway.notices.rendering import UNFILLED, render
from serving.gateway.notices.routes import draw
from serving.settings import PageSettings, Settings

TEMPLATES = ("privacy.pl.md", "accessibility.pl.md")
STATEMENT_IDS = {
    *("a11y-podmiot", "a11y-url", "a11y-data-publikacja", "a11y-data-aktualizacja"),
    *("a11y-status", "a11y-ograniczenia", "a11y-data-sporzadzenie", "a11y-data-przeglad"),
    *("a11y-kontakt", "a11y-osoba", "a11y-email", "a11y-telefon", "a11y-procedura"),
    "a11y-architektura",
}
HOSTILE = """
<script>alert(1)</script> <img src=x onerror=alert(1)> <b onclick="x">b</b>

[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)
![obraz](https://elsewhere.example/p.png) <javascript:alert(1)>

[x" onclick="y]{#z} [link](https://a.example "t\\" onclick=\\"y"){#u} [e]{#f" onclick="y}

[q]: javascript:alert(1)
[q]
"""


def template(name: str) -> str:
    return files("serving.gateway.notices").joinpath(name).read_text("utf-8")


def test_nothing_in_a_notice_is_active() -> None:
    tree = html5lib.parse(render(HOSTILE), namespaceHTMLElements=False)
    found = {element.tag for element in tree.iter()}
    assert found <= {"html", "head", "body", "p", "a", "span", "time"}
    attributes = {name for element in tree.iter() for name in element.attrib}
    assert attributes <= {"href", "title", "id"}
    links = [element.attrib["href"] for element in tree.iter("a")]
    assert links == ["https://elsewhere.example/p.png", "https://a.example"]  # no picture


def test_marked_words_have_their_ids() -> None:
    html = render(
        "## [Stan]{#a11y-a}\n\n[2026-11-24]{#a11y-b} i [my](mailto:a@b.pl){#a11y-c}, koniec"
    )
    assert '<h2><span id="a11y-a">Stan</span></h2>' in html
    assert '<time id="a11y-b" datetime="2026-11-24">2026-11-24</time>' in html
    assert '<a href="mailto:a@b.pl" id="a11y-c">my</a>, koniec' in html


def test_tables_and_lists_are_drawn() -> None:
    html = render("| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n")
    assert "<td>1</td>" in html
    assert "<li>x</li>" in html


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_a_page_with_fields_to_fill_in(name: str) -> None:
    assert len(UNFILLED.findall(template(name))) > 8
    tree = html5lib.parse(render(template(name)), namespaceHTMLElements=False)
    levels = [element.tag for element in tree.iter() if element.tag in {"h1", "h2", "h3"}]
    assert levels[0] == "h1"
    assert levels.count("h1") == 1


def test_the_statement_has_the_prescribed_ids() -> None:
    tree = html5lib.parse(render(template("accessibility.pl.md")), namespaceHTMLElements=False)
    assert {element.attrib.get("id") for element in tree.iter()} >= STATEMENT_IDS


def test_a_notice_with_open_fields_is_shown_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "p.md"
    path.write_text("# Kto\n\n{{nazwa}}", "utf-8")
    assert "{{nazwa}}" in draw(path, title="t", setting="page.privacy_notice")
    (record,) = [one for one in caplog.records if one.message == "notice_unfinished"]
    assert vars(record)["fields"] == 1
    assert record.levelno == logging.WARNING


def test_notices_are_public_pages_that_are_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "privacy.md"
    path.write_text("# Administrator\n\nZażółć <script>x</script>", "utf-8")
    settings = Settings(data_dir=tmp_path, page=PageSettings(privacy_notice=path))
    assert settings.page.notices == ("privacy",)
    with running_gateway(settings, Backstage()) as gateway:

        def get(name: str) -> requests.Response:
            return requests.get(f"{gateway.url}/{name}", timeout=PATIENCE_S)

        first = get("privacy")
        path.write_text("# Nowa", "utf-8")
        second, absent = get("privacy"), get("accessibility")
        path.write_bytes(b"\xff\xfe")
        broken = get("privacy")
    assert "<h1>Administrator</h1>" in first.text
    assert "<script" not in first.text
    assert 'lang="pl"' in first.text
    assert "default-src 'none'" in first.headers["content-security-policy"]
    assert "<h1>Nowa</h1>" in second.text
    assert (absent.status_code, broken.status_code) == (404, 503)
    assert "page.accessibility_statement" in absent.json()["error"]["message"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("pl", ["Prywatność"]), ("en", ["Privacy (in Polish)"])],
)
def test_the_sign_in_page_links_to_the_notices_that_there_are(
    tmp_path: Path, language: str, words: list[str]
) -> None:
    notice = tmp_path / "privacy.md"
    notice.write_text("# Prywatność", "utf-8")
    settings = Settings(data_dir=tmp_path, page=PageSettings(privacy_notice=notice))
    with running_gateway(settings, Backstage()) as gateway:
        asked = {"accept-language": language}
        page = requests.get(f"{gateway.url}/sign-in", headers=asked, timeout=PATIENCE_S)
    links = html5lib.parse(page.text, namespaceHTMLElements=False).findall(".//footer/a")
    assert [link.attrib["href"] for link in links] == ["/privacy"]
    assert [link.text for link in links] == words


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="privacy_notice"):
        PageSettings(privacy_notice=tmp_path / "missing.md")


def test_a_file_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_bytes(b"x" * 300_000)
    settings = Settings(data_dir=tmp_path, page=PageSettings(privacy_notice=path))
    with running_gateway(settings, Backstage()) as gateway:
        reply = requests.get(f"{gateway.url}/privacy", timeout=PATIENCE_S)
    assert reply.status_code == 503


def test_the_command_writes_what_is_missing_and_counts_open_fields(tmp_path: Path) -> None:
    (tmp_path / "privacy.pl.md").write_text("# Gotowe", "utf-8")
    told = CliRunner().invoke(zwrotnica, ["notices", str(tmp_path)]).stdout
    assert "privacy.pl.md: 0 fields" in told
    assert (tmp_path / "privacy.pl.md").read_text("utf-8") == "# Gotowe"
    written = (tmp_path / "accessibility.pl.md").read_text("utf-8")
    assert written == template("accessibility.pl.md")
    assert f'accessibility_statement = "{tmp_path / "accessibility.pl.md"}"' in told
