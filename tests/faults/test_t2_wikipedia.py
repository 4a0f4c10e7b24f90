"""FAULTS T2 with the true limits: a MediaWiki that fails in every way it can."""

import asyncio
from collections.abc import Iterator
from statistics import median

import pytest
from scripted.fault_report import Figure, Publish
from scripted.mediawiki_process import serve_apart
from scripted.slowness import measure_slowness
from scripted.wikipedia_tool import call, look_up, loop_probe, open_registry

from chatbot.language import morphology
from chatbot.tools import ToolRun

pytestmark = pytest.mark.faults

WHOLE_S = 5.0
LAG_S = 0.05
NAP_S = 0.5
"""Shorter than any pause that the wiki or its client library would have us sleep."""
RUNS = 10
LATE, DOWN, BUSY = "nie odpowiedziała w porę", "niedostępna", "prosi o przerwę"
PARTIAL = "(Nie udało się teraz pobrać dalszej części artykułu.)"
SECTION = "historia Krakowa"
FIRST = {
    "html": DOWN,
    "html_503": DOWN,
    "503": DOWN,
    "429": DOWN,
    "404": DOWN,
    "loop": DOWN,
    "elsewhere": DOWN,
    "huge": DOWN,
    "gzip_bomb": DOWN,
    "truncated": DOWN,
    "cut": DOWN,
    "close": DOWN,
    "lag": BUSY,
    "pause": BUSY,
    "drip": LATE,
    "drip_headers": LATE,
    "silent": LATE,
}
"""What the wiki does to every request, and what the user reads.

``lag``: the database lags and it wants an hour; ``pause``: 429, and it wants an hour.
"""
LATER = ("html", "huge", "loop", "cut", "drip", "silent")
"""What it does to the second request of a call, when the first was answered."""
PLAIN = {
    "missing": ("xyzzy", "W Wikipedii nie ma hasła „xyzzy”."),
    "disambiguation": ("zamek", "O które znaczenie chodzi?"),
    "section": (SECTION, "Kraków – Historia"),
}
"""What is asked where nothing is wrong, and what the user reads."""


@pytest.fixture(scope="module")
def wiki() -> Iterator[str]:
    morphology()  # its dictionary takes a moment, once for the whole product
    with serve_apart() as address:
        yield address


async def play(folder: str, query: str = SECTION) -> tuple[list[ToolRun], list[float]]:
    """The same question ``RUNS`` times at once, with the lags of the loop meanwhile."""
    async with open_registry(f"{folder}/w/") as registry, loop_probe() as lags:
        runs = await asyncio.gather(*(registry.run(call(query)) for _ in range(RUNS)))
        await asyncio.sleep(LAG_S)
    return runs, lags


def publish_runs(
    publish: Publish, what: str, words: str, played: tuple[list[ToolRun], list[float]]
) -> None:
    runs, lags = played
    passed = [words in (run.outcome.error or run.outcome.plain or "") for run in runs]
    times = tuple(run.outcome.ms / 1000 for run in runs)
    publish(Figure(case="T2", what=what, n=RUNS, passed=sum(passed), times=times, limit_s=WHOLE_S))
    assert median(lags) <= LAG_S * measure_slowness()


@pytest.mark.parametrize("fault", FIRST)
async def test_a_wiki_that_fails(wiki: str, publish: Publish, fault: str) -> None:
    played = await play(f"{wiki}/fault/{fault}")
    publish_runs(publish, f"`{fault}` → refusal", FIRST[fault], played)


@pytest.mark.parametrize("fault", LATER)
async def test_a_wiki_that_fails_at_the_second_request(
    wiki: str, publish: Publish, fault: str
) -> None:
    played = await play(f"{wiki}/later/{fault}")
    publish_runs(publish, f"`{fault}` at the second request → lead, notice", PARTIAL, played)


@pytest.mark.parametrize("kind", PLAIN)
async def test_a_wiki_that_is_well(wiki: str, publish: Publish, kind: str) -> None:
    query, words = PLAIN[kind]
    publish_runs(publish, f"none: {kind}", words, await play(wiki, query))


async def test_the_loop_is_free_whatever_fails(wiki: str, publish: Publish) -> None:
    folders = [f"{wiki}/fault/{name}/w/" for name in FIRST]
    folders += [f"{wiki}/later/{name}/w/" for name in LATER]
    async with loop_probe() as lags:
        runs = await asyncio.gather(*(look_up(folder, SECTION) for folder in folders))
    most_s = WHOLE_S * measure_slowness()
    assert all(run.outcome.ms <= 1000 * most_s for run in runs)
    awake = sum(lag < NAP_S for lag in lags)
    what = f"all {len(runs)} faults at once: lag of the event loop"
    publish(
        Figure(case="T2", what=what, n=len(lags), passed=awake, times=tuple(lags), limit_s=LAG_S)
    )
