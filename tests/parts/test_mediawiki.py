"""The Wikipedia tool against a real MediaWiki, by itself and through the whole product."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from parts.wiki_process import Wiki, read_page
from scripted.product import Product, Said, ask, say_streamed, say_whole, serve_product
from scripted.slowness import measure_slowness
from scripted.wikipedia_tool import call, look_up, loop_probe, open_registry, typical

from chatbot.tools import ToolRun

pytestmark = pytest.mark.parts

WHOLE_S = 5.0
CONFIG = '[tools.wikipedia]\nurl = "{wikipedia}"\n'
COPERNICUS = (
    "Mikołaj Kopernik (łac. Nicolaus Copernicus; ur. 19 lutego 1473 w Toruniu, zm. 21 maja 1543 "
    "we Fromborku) – polski uczony czasów odrodzenia, m.in. astronom, lekarz i prawnik."
)
Saying = Callable[..., Said]
LATE, DOWN, BUSY = "nie odpowiedziała w porę", "niedostępna", "prosi o przerwę"


def said(done: ToolRun) -> str:
    """What a terminal shows: the answer, or what failed."""
    return done.outcome.error or done.outcome.plain or ""


def address(done: ToolRun) -> str | None:
    assert done.result is not None
    (source,) = done.result.attribution
    return source.url


@pytest.mark.parametrize(
    "query", ["Mikołaj Kopernik", "Mikołaja Kopernika", "Kopernik", "Kopernikiem", "kopernika"]
)
async def test_a_person_is_found_and_the_lead_is_clean(wiki: Wiki, query: str) -> None:
    done = await look_up(wiki.url, query, sentences=1)
    assert said(done) == COPERNICUS
    revision = wiki.revision("Mikołaj Kopernik")
    assert address(done) == f"{wiki.url}index.php?title=Miko%C5%82aj_Kopernik&oldid={revision}"


async def test_the_permanent_link_shows_the_revision(wiki: Wiki) -> None:
    done = await look_up(wiki.url, "Łódź")
    assert "wyrosło na przemyśle włókienniczym" in read_page(str(address(done)))


@pytest.mark.parametrize(
    ("query", "begins"),
    [
        ("Kraków historia", "Kraków – Historia\n\nOsada na wzgórzu Wawel"),
        ("historia Krakowa", "Kraków – Historia\n\nOsada na wzgórzu Wawel"),
        ("klimat Krakowa", "Kraków – Klimat\n\nZimy są tu"),
        ("geografia Krakowa", "Kraków – Geografia\n\nMiasto leży na styku"),
        ("dzieciństwo Mikołaja Kopernika", "Mikołaj Kopernik – Dzieciństwo i młodość\n\nKopernik"),
        ("twórczość Kopernika", "Mikołaj Kopernik – Twórczość\n\nO obrotach"),
        ("geografia Portugalii", "Portugalia – Ukształtowanie terenu\n\nPółnoc"),
        ("obchody Święta Niepodległości", "Święto Niepodległości – Obchody\n\nGłówna"),
        ("Heliocentryzm Kopernika", "Mikołaj Kopernik – Teoria heliocentryczna\n\nWedług"),
    ],
)
async def test_a_section_is_shown_when_the_question_names_one(
    wiki: Wiki, query: str, begins: str
) -> None:
    assert said(await look_up(wiki.url, query)).startswith(begins)


async def test_the_link_to_a_section_has_the_anchor_of_the_page(wiki: Wiki) -> None:
    link = str(address(await look_up(wiki.url, "dzieciństwo Kopernika")))
    anchor = unquote(link.partition("#")[2])
    assert f'id="{anchor}"' in read_page(link)


async def test_an_ambiguous_name_offers_what_is_written(wiki: Wiki) -> None:
    done = await look_up(wiki.url, "zamek")
    assert said(done) == (
        "Nazwa „Zamek” ma kilka znaczeń.\n\n"
        "- Zamek (budowla) – warowna siedziba władcy lub rycerza\n"
        "- Zamek (mechanizm) – urządzenie, które zamyka drzwi i otwiera się kluczem\n"
        "- Zamek błyskawiczny – zapięcie odzieży z dwóch rzędów ząbków\n"
        "- Zamek (broń) – część broni palnej\n"
        "- Zamek (powieść) – powieść Franza Kafki\n\n"
        "O które znaczenie chodzi?"
    )


@pytest.mark.parametrize("query", ["Zamek (broń)", "zamek broń"])
async def test_a_meaning_that_is_named_is_found(wiki: Wiki, query: str) -> None:
    assert said(await look_up(wiki.url, query)).startswith("Zamek – ruchoma część broni palnej")


async def test_formulas_are_shown_once(wiki: Wiki) -> None:
    done = await look_up(wiki.url, "twierdzenie Pitagorasa")
    assert "Jeżeli a i b są długościami przyprostokątnych" in done.outcome.content
    assert "to a²+b²=c². Stąd" in done.outcome.content
    assert done.outcome.content.endswith(r"wynosi $$\sqrt{a^{2}+b^{2}}$$.")


@pytest.mark.parametrize("query", ["święto niepodległości", "11 listopada (święto)"])
async def test_titles_beyond_ascii_are_found(wiki: Wiki, query: str) -> None:
    assert said(await look_up(wiki.url, query)).startswith("Święto Niepodległości – święto")


@pytest.mark.parametrize("query", ["xyzzy", "Pusta strona", "Specjalna:Losowa strona", "en:Castle"])
async def test_what_is_no_article_is_not_found(wiki: Wiki, query: str) -> None:
    assert said(await look_up(wiki.url, query)).startswith(f"W Wikipedii nie ma hasła „{query}”.")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("html", DOWN),
        ("html503", DOWN),
        ("rest", BUSY),
        ("429", BUSY),
        ("maxlag", BUSY),
        ("loop", DOWN),
        ("elsewhere", DOWN),
        ("huge", DOWN),
        ("drip", LATE),
        ("silent", LATE),
        ("slow", "Kraków – Historia"),
        ("second", "(Nie udało się teraz pobrać dalszej części artykułu.)"),
    ],
)
async def test_a_fault_is_told_within_the_limit(wiki: Wiki, fault: str, words: str) -> None:
    async with loop_probe() as lags:
        done = await look_up(wiki.with_fault(fault), "historia Krakowa")
    assert words in said(done)
    slowness = measure_slowness()
    assert done.outcome.ms <= 1000 * WHOLE_S * slowness
    assert typical(lags) < 0.05 * slowness


async def test_one_registry_asks_the_wiki_again_and_again(wiki: Wiki) -> None:
    async with open_registry(wiki.url, fresh_s=0) as registry:
        for _ in range(20):
            assert said(await registry.run(call("Łódź"))).startswith("Łódź – miasto")


@pytest.fixture(scope="module")
def product(wiki: Wiki, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    folder = tmp_path_factory.mktemp("product")
    with serve_product(folder, CONFIG, {"wikipedia": wiki.url}) as product:
        yield product


@pytest.mark.parametrize("say", [say_whole, say_streamed], ids=["whole", "streamed"])
def test_a_client_of_the_gateway_reads_the_article_and_its_source(
    product: Product, wiki: Wiki, say: Saying
) -> None:
    answer = say(product, {"role": "user", "content": "Kim był Mikołaj Kopernik?"})
    assert answer.text.startswith("**Mikołaj Kopernik** (łac. Nicolaus Copernicus;")
    ((title, link),) = answer.sources
    assert title == "Mikołaj Kopernik"
    assert link.endswith(f"&oldid={wiki.revision('Mikołaj Kopernik')}")


def test_a_client_of_the_gateway_is_asked_which_meaning(product: Product) -> None:
    answer = say_whole(product, {"role": "user", "content": "Co to jest zamek?"})
    assert "- **Zamek (mechanizm)** – urządzenie" in answer.text
    assert "O które znaczenie chodzi?" in answer.text


def test_the_terminal_shows_a_section_with_its_source(product: Product) -> None:
    done = ask(product.config, "Opowiedz o historii Krakowa")
    assert done.returncode == 0
    assert done.stdout.startswith("Kraków – Historia\n\nOsada na wzgórzu Wawel")
    assert "Źródło: Wikipedia, Kraków, CC BY-SA 4.0" in done.stdout
    assert "#Historia" in done.stdout


def test_the_terminals_json_has_the_licence(product: Product) -> None:
    told = json.loads(ask(product.config, "--json", "Kim była Irena Sendlerowa?").stdout)
    assert told["tool"] == "search_wikipedia"
    assert [source["licence"] for source in told["sources"]] == ["CC BY-SA 4.0"]


def test_a_silent_wiki_is_told_by_the_whole_product(wiki: Wiki, tmp_path: Path) -> None:
    config = tmp_path / "zwrotnica.toml"
    config.write_text(CONFIG.format(wikipedia=wiki.with_fault("silent")), encoding="utf-8")
    done = ask(config, "Kim była Irena Sendlerowa?")
    assert "Wikipedia nie odpowiedziała w porę." in done.stdout + done.stderr
