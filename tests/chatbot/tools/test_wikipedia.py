from collections.abc import Iterator

import pytest
from scripted.mediawiki import ScriptedMediaWiki
from scripted.tables import every_row
from scripted.wikipedia_tool import call, look_up, open_registry

from chatbot.errors import ToolArgumentError
from chatbot.tools import ToolRun
from chatbot.tools.wikipedia import search_wikipedia
from chatbot.types import Attribution, Entity


@pytest.fixture
def wiki() -> Iterator[ScriptedMediaWiki]:
    with ScriptedMediaWiki() as service:
        yield service


async def ask(
    wiki: ScriptedMediaWiki, query: str, language: str | None = None, **settings: object
) -> ToolRun:
    return await look_up(f"{wiki.url}/w/", query, language, **settings)


def source(done: ToolRun) -> Attribution:
    assert done.result is not None
    (only,) = done.result.attribution
    return only


async def test_the_lead_is_cut_after_whole_sentences(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Irena Sendlerowa", sentences=2)
    assert done.outcome.plain == (
        "Irena Stanisława Sendlerowa z domu Krzyżanowska, ps. „Jolanta” (ur. 15 lutego 1910 r. "
        "w Warszawie, zm. 12 maja 2008 r. tamże) – polska działaczka społeczna i charytatywna. "
        "Kierowała referatem dziecięcym Żegoty, tzn. Rady Pomocy Żydom."
    )


async def test_the_title_is_bold(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Zamek błyskawiczny")
    assert done.outcome.content == "**Zamek błyskawiczny** – zapięcie."


async def test_a_lead_is_left_to_the_model_to_phrase(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Irena Sendlerowa")
    assert search_wikipedia.answer == "phrased"
    assert done.result is not None
    assert done.result.answer is None


async def test_the_source_is_the_revision_that_was_read(wiki: ScriptedMediaWiki) -> None:
    cited = source(await ask(wiki, "Irena Sendlerowa"))
    assert cited.url == f"{wiki.url}/w/index.php?title=Irena_Sendlerowa&oldid=75000001"
    assert (cited.source, cited.title, cited.licence) == (
        "Wikipedia",
        "Irena Sendlerowa",
        "CC BY-SA 4.0",
    )
    assert cited.retrieved_at is not None


@pytest.mark.parametrize(
    "query",
    ["Ireny Sendlerowej", "Irenie Sendlerowej", "irena sendlerowa", "Sendlerowa", "„Sendlerowa”?"],
)
async def test_a_title_is_found_by_its_base_form_and_by_redirects(
    wiki: ScriptedMediaWiki, query: str
) -> None:
    assert source(await ask(wiki, query)).title == "Irena Sendlerowa"
    assert len(wiki.requests) == 1


async def test_a_title_goes_before_what_the_search_ranks_first(wiki: ScriptedMediaWiki) -> None:
    assert source(await ask(wiki, "Kraków stolica")).title == "Kraków"
    assert source(await ask(wiki, "Zamek mechanizm")).title == "Zamek (mechanizm)"


async def test_the_search_is_asked_where_no_title_fits(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "kierowniczka")
    assert done.outcome.state == (Entity(kind="topic", value="Irena Sendlerowa"),)
    assert len(wiki.requests) == 2


@pytest.mark.parametrize("query", ["Kraków gospodarka", "gospodarka Krakowa", "ekonomia Krakowa"])
async def test_a_section_is_shown_when_the_query_names_one(
    wiki: ScriptedMediaWiki, query: str
) -> None:
    done = await ask(wiki, query)
    assert done.outcome.content == "**Kraków – Gospodarka**\n\nMiasto żyje z usług."
    address = f"{wiki.url}/w/index.php?title=Krak%C3%B3w&oldid=70000007"
    assert source(done).url == f"{address}#Gospodarka"
    assert len(wiki.requests) == 2


async def test_a_section_of_what_the_search_found_is_shown(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "stolica małopolska kultura")
    assert done.outcome.plain == "Kraków – Kultura\n\nSukiennice to galeria."
    assert len(wiki.requests) == 3


async def test_a_redirect_to_a_section_leads_there(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Dzieje Krakowa")
    assert (done.outcome.plain or "").startswith("Kraków – Historia\n\nOsada powstała")


async def test_a_section_that_is_not_there_gives_the_lead(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "fauna Krakowa")
    assert done.outcome.content == "**Kraków** – miasto nad Wisłą."


async def test_a_section_that_cannot_be_fetched_gives_the_lead_and_says_so(
    wiki: ScriptedMediaWiki,
) -> None:
    wiki.later_fault = "huge"
    done = await ask(wiki, "historia Krakowa")
    assert done.outcome.plain == (
        "Kraków – miasto nad Wisłą.\n\n(Nie udało się teraz pobrać dalszej części artykułu.)"
    )


async def test_an_ambiguous_name_offers_its_meanings(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "zamek")
    assert done.outcome.content == (
        "Nazwa „Zamek” ma kilka znaczeń.\n\n"
        "- **Zamek (budowla)** – budowla obronna\n"
        "- **Zamek (mechanizm)** – mechanizm, który zamyka drzwi \\& bramy\n"
        "- **Zamek (broń)**\n\n"
        "O które znaczenie chodzi?"
    )
    assert (done.outcome.plain or "").splitlines()[2] == "- Zamek (budowla) – budowla obronna"
    assert done.result is not None
    assert done.result.answer == "verbatim"
    assert len(wiki.requests) == 2


async def test_an_offered_meaning_is_then_found(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Zamek (budowla)")
    assert (done.outcome.plain or "").startswith("Zamek – budowla mieszkalno-obronna.")


async def test_more_meanings_than_are_offered_are_counted(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "zamki", meanings=2)
    assert "broń" not in done.outcome.content
    assert "To nie wszystkie znaczenia (jeszcze 1)." in done.outcome.content


async def test_the_user_agent_names_contact_and_library(wiki: ScriptedMediaWiki) -> None:
    await ask(wiki, "zamek", contact="admin@uczelnia.pl")
    agents = {request.headers["User-Agent"] for request in wiki.requests}
    assert agents == {"zwrotnica/0.1 (admin@uczelnia.pl) mwclient/0.11.0"}


async def test_requests_are_as_the_etiquette_asks(wiki: ScriptedMediaWiki) -> None:
    await ask(wiki, "historia Krakowa")
    assert {request.method for request in wiki.requests} == {"GET"}
    assert {request.query["maxlag"] for request in wiki.requests} == {"5"}
    assert {request.headers["Accept-Encoding"] for request in wiki.requests} == {"gzip"}


async def test_a_query_cannot_command_the_search(wiki: ScriptedMediaWiki) -> None:
    await ask(wiki, "-insource:/a/ !Zamek* intitle:x~2|Zamek#x")
    assert wiki.requests[0].query["srsearch"] == "insource /a/ Zamek intitle x 2 Zamek x"
    assert all(set("|#<>[]{}").isdisjoint(title) for title in titles(wiki))


def titles(wiki: ScriptedMediaWiki) -> list[str]:
    return wiki.requests[0].query["titles"].split("|")


async def test_many_words_make_no_more_titles_than_one_request_takes(
    wiki: ScriptedMediaWiki,
) -> None:
    await ask(wiki, "Jedna Druga Trzecia Czwarta Piąta Szósta Siódma Ósma")
    assert len(titles(wiki)) <= 20


@pytest.mark.parametrize("query", ["xyzzy", "Pusta strona"])
async def test_nothing_found_is_said(wiki: ScriptedMediaWiki, query: str) -> None:
    done = await ask(wiki, query)
    assert done.outcome.plain == (
        f"W Wikipedii nie ma hasła „{query}”. Sprawdź pisownię albo podaj pełną nazwę."
    )
    assert done.result is not None
    assert (done.result.answer, done.result.attribution) == ("verbatim", ())


async def test_another_spelling_is_suggested_where_the_wiki_knows_one(
    wiki: ScriptedMediaWiki,
) -> None:
    done = await ask(wiki, "zmaek")
    assert done.outcome.plain == "W Wikipedii nie ma hasła „zmaek”. Czy chodzi o „zamek”?"


@pytest.mark.parametrize("query", ["||", "???", "„”", "\u200b"])
async def test_a_query_without_words_asks_nothing(wiki: ScriptedMediaWiki, query: str) -> None:
    done = await ask(wiki, query)
    assert "nie ma hasła" in (done.outcome.plain or "")
    assert wiki.requests == []


async def test_an_answer_is_kept_for_its_time(wiki: ScriptedMediaWiki) -> None:
    async with open_registry(f"{wiki.url}/w/") as registry:
        first = await registry.run(call("Irena Sendlerowa"))
        second = await registry.run(call(" Irena  Sendlerowa "))
    assert len(wiki.requests) == 1
    assert source(first) == source(second)


async def test_a_kept_answer_is_forgotten_after_its_time(wiki: ScriptedMediaWiki) -> None:
    async with open_registry(f"{wiki.url}/w/", fresh_s=0) as registry:
        await registry.run(call("Irena Sendlerowa"))
        await registry.run(call("Irena Sendlerowa"))
    assert len(wiki.requests) == 2


async def test_half_an_answer_is_not_kept(wiki: ScriptedMediaWiki) -> None:
    wiki.later_fault = "huge"
    async with open_registry(f"{wiki.url}/w/") as registry:
        await registry.run(call("historia Krakowa"))
        wiki.later_fault = None
        done = await registry.run(call("historia Krakowa"))
    assert (done.outcome.plain or "").startswith("Kraków – Historia")


async def test_another_language_is_another_folder(wiki: ScriptedMediaWiki) -> None:
    done = await look_up(f"{wiki.url}/{{language}}/w/", "Castle", "en")
    assert wiki.requests[0].path == "/en/w/api.php"
    assert source(done).url == f"{wiki.url}/en/w/index.php?title=Castle&oldid=1300000001"


async def test_what_is_missing_in_another_language_is_said(wiki: ScriptedMediaWiki) -> None:
    done = await look_up(f"{wiki.url}/{{language}}/w/", "Xyzzy", "en")
    assert "W Wikipedii (en) nie ma hasła „Xyzzy”" in (done.outcome.plain or "")


async def test_a_wiki_of_one_edition_refuses_other_languages(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Castle", "en")
    assert "Podłączono tylko polską Wikipedię" in (done.outcome.error or "")
    assert wiki.requests == []


@every_row("language", ["evil.com/", "en.evil.com/x", "pl.wikipedia", "p", "../x", "pl@host"])
def test_a_language_cannot_become_another_host(language: str) -> None:
    with pytest.raises(ToolArgumentError, match="nie jest kodem języka"):
        search_wikipedia.validate({"query": "a", "language": language})


@pytest.mark.parametrize("language", ["xx", "qqq", "en-evil"])
def test_an_edition_that_does_not_exist_is_refused_in_polish(language: str) -> None:
    with pytest.raises(ToolArgumentError, match="Nie ma Wikipedii w języku"):
        search_wikipedia.validate({"query": "a", "language": language})


@every_row(
    ("said", "code"),
    [("EN", "en"), ("angielska", "en"), ("niemieckiej", "de"), ("Polish", "pl"), ("szl", "szl")],
)
def test_a_language_may_be_said_in_words(said: str, code: str) -> None:
    assert search_wikipedia.validate({"query": "a", "language": said})["language"] == code


def test_a_summary_names_a_foreign_edition_only() -> None:
    polish = search_wikipedia.validate({"query": "Zamek"})
    english = search_wikipedia.validate({"query": "Castle", "language": "EN"})
    assert search_wikipedia.summarise(polish) == "Wikipedia · Zamek"
    assert search_wikipedia.summarise(english) == "Wikipedia · Castle · en"
