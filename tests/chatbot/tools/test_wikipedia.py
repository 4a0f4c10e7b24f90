from collections.abc import Iterator, Mapping

import anyio
import pytest
from hypothesis import given, strategies as st
from scripted.mediawiki import ScriptedMediaWiki
from scripted.ticking import TickingClock

from chatbot.errors import ToolArgumentError
from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, ToolRun
from chatbot.tools.wikipedia import search_wikipedia
from chatbot.tools.wikipedia.sentences import cut_sentences
from chatbot.types import Entity, ToolCall


@pytest.fixture
def wiki() -> Iterator[ScriptedMediaWiki]:
    with ScriptedMediaWiki() as service:
        yield service


async def ask(wiki: ScriptedMediaWiki, query: str, **settings: object) -> ToolRun:
    call = ToolCall(
        call_id="c",
        name="search_wikipedia",
        arguments={"query": query},
        raw_arguments={"query": query},
    )
    async with open_registry({"url": f"{wiki.url}/w/", **settings}) as registry:
        return await registry.run(call)


def open_registry(settings: Mapping[str, object]) -> Registry:
    return Registry(
        tools=[search_wikipedia],
        settings={"wikipedia": settings},
        workers=InlineWorkers(),
        clock=TickingClock(),
        user_agent="zwrotnica/0.1",
    )


async def test_the_lead_is_cut_after_whole_sentences(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Irena Sendlerowa", sentences=2)
    assert done.outcome.plain == (
        "Irena Stanisława Sendlerowa z domu Krzyżanowska, ps. „Jolanta” (ur. 15 lutego 1910 r. "
        "w Warszawie, zm. 12 maja 2008 r. tamże) – polska działaczka społeczna i charytatywna. "
        "Kierowała referatem dziecięcym Żegoty, tzn. Rady Pomocy Żydom."
    )


async def test_the_title_is_bold(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "zamek")
    assert done.outcome.content.startswith("**Zamek** – budowla mieszkalno-obronna.")


async def test_the_source_is_the_revision_that_was_read(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "Irena Sendlerowa")
    assert done.result is not None
    source = done.result.attribution[0]
    assert source.url == f"{wiki.url}/w/index.php?title=Irena_Sendlerowa&oldid=75000001"
    assert (source.source, source.title, source.licence) == (
        "Wikipedia",
        "Irena Sendlerowa",
        "CC BY-SA 4.0",
    )


async def test_one_call_is_enough(wiki: ScriptedMediaWiki) -> None:
    await ask(wiki, "zamek")
    assert len(wiki.requests) == 1


async def test_the_user_agent_names_the_contact(wiki: ScriptedMediaWiki) -> None:
    await ask(wiki, "zamek", contact="admin@uczelnia.pl")
    agent = wiki.requests[0].headers["User-Agent"]
    assert agent == "zwrotnica/0.1 (admin@uczelnia.pl) mwclient"


async def test_the_state_is_the_article(wiki: ScriptedMediaWiki) -> None:
    done = await ask(wiki, "żegota")
    assert done.outcome.state == (Entity(kind="topic", value="Irena Sendlerowa"),)


@pytest.mark.parametrize("query", ["xyzzy", "pustka"])
async def test_nothing_found_is_said(wiki: ScriptedMediaWiki, query: str) -> None:
    done = await ask(wiki, query)
    assert done.outcome.error == (
        f"W Wikipedii nie ma hasła „{query}”. Podaj pełną nazwę albo inne słowa."
    )


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("silent", "nie odpowiedziała w porę"),
        ("drip", "nie odpowiedziała w porę"),
        ("drip_headers", "nie odpowiedziała w porę"),
        ("html", "niedostępna"),
        ("503", "niedostępna"),
        ("html_503", "niedostępna"),
        ("429", "niedostępna"),
        ("404", "niedostępna"),
        ("huge", "niedostępna"),
        ("gzip_bomb", "niedostępna"),
        ("loop", "niedostępna"),
        ("elsewhere", "niedostępna"),
        ("truncated", "niedostępna"),
        ("close", "niedostępna"),
    ],
)
async def test_a_failing_wiki_is_said_in_polish_within_the_deadline(
    wiki: ScriptedMediaWiki, fault: str, words: str
) -> None:
    wiki.fault = fault
    done = await ask(wiki, "zamek", deadline_s=0.5)
    assert words in (done.outcome.error or "")
    assert done.outcome.ms < 1500


async def test_a_lagging_wiki_does_not_put_a_thread_to_sleep(wiki: ScriptedMediaWiki) -> None:
    wiki.is_lagging = True
    done = await ask(wiki, "zamek")
    assert "niedostępna" in (done.outcome.error or "")
    assert done.outcome.ms < 1500


async def test_the_event_loop_stays_free_while_a_wiki_is_slow(wiki: ScriptedMediaWiki) -> None:
    wiki.fault = "silent"
    lags: list[float] = []

    async def probe() -> None:
        while True:
            before = anyio.current_time()
            await anyio.sleep(0.01)
            lags.append(anyio.current_time() - before - 0.01)

    async with anyio.create_task_group() as group:
        group.start_soon(probe)
        await ask(wiki, "zamek", deadline_s=0.4)
        group.cancel_scope.cancel()
    assert sorted(lags)[len(lags) // 2] < 0.05


async def test_nobody_listening_is_said() -> None:
    call = ToolCall(
        call_id="c", name="search_wikipedia", arguments={"query": "a"}, raw_arguments={}
    )
    async with open_registry({"url": "http://127.0.0.1:1/w/"}) as registry:
        done = await registry.run(call)
    assert "Wikipedia jest teraz niedostępna" in (done.outcome.error or "")


@pytest.mark.parametrize("language", ["evil.com/", "pl.wikipedia", "p", "../x", "pl@host"])
def test_a_language_cannot_become_another_host(language: str) -> None:
    with pytest.raises(ToolArgumentError, match="nie jest kodem języka"):
        search_wikipedia.validate({"query": "a", "language": language})


def test_a_summary_names_a_foreign_edition_only() -> None:
    polish = search_wikipedia.validate({"query": "Zamek"})
    english = search_wikipedia.validate({"query": "Castle", "language": "EN"})
    assert search_wikipedia.summarise(polish) == "Wikipedia · Zamek"
    assert search_wikipedia.summarise(english) == "Wikipedia · Castle · en"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Jan (ur. 5 maja 1900 r. w Łodzi) był malarzem. Żył długo.", None),
        ("Jest to prof. Jan Nowak. Uczy w szkole.", "Jest to prof. Jan Nowak."),
        ("Syn S. Krzyżanowskiego. Lekarz.", "Syn S. Krzyżanowskiego."),
        ("Powstał w 1965 r. Otwarto go później.", "Powstał w 1965 r."),
        ("Żył w XV w. Był królem.", "Żył w XV w."),
        ("Służył w 15. Pułku Ułanów. Poległ.", "Służył w 15. Pułku Ułanów."),
        ("Skończył się w 1410. Trwał rok.", "Skończył się w 1410."),
        ("Napisał „Co dalej? Nic.” i odszedł. Koniec.", "Napisał „Co dalej? Nic.” i odszedł."),
        ("Czy to on? Tak.", "Czy to on?"),
        ("Bez kropki na końcu", "Bez kropki na końcu"),
    ],
)
def test_the_first_sentence_ends_where_a_reader_ends_it(text: str, first: str | None) -> None:
    expected = first or "Jan (ur. 5 maja 1900 r. w Łodzi) był malarzem."
    assert cut_sentences(text, count=1, max_chars=500) == expected


def test_a_sentence_that_does_not_fit_is_cut_at_a_word() -> None:
    assert cut_sentences("Bardzo długie zdanie bez końca", count=1, max_chars=16) == (
        "Bardzo długie…"
    )


@given(st.text(alphabet="Aaż. ?!„”()1\n", max_size=200), st.integers(1, 4), st.integers(10, 60))
def test_a_cut_never_exceeds_its_bounds_and_never_invents(
    text: str, count: int, max_chars: int
) -> None:
    cut = cut_sentences(text, count=count, max_chars=max_chars)
    assert len(cut) <= max_chars
    assert text.strip().startswith(cut.removesuffix("…"))
