"""Finds what answers a query: an article's lead, one of its sections, or a choice of meanings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from chatbot.errors import ToolError
from chatbot.tools.wikipedia.article import Section, read_article
from chatbot.tools.wikipedia.headings import section_words
from chatbot.tools.wikipedia.meanings import Meaning, read_meanings
from chatbot.tools.wikipedia.replies import Known, Page
from chatbot.tools.wikipedia.site import Wiki
from chatbot.tools.wikipedia.titles import Split, Wanted, words_beside

READ_AHEAD = 3
"""How many of the pages that a search found are looked into."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lead:
    """The beginning of an article; ``is_partial`` where its rest could not be fetched."""

    page: Page
    text: str
    is_partial: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """One section of an article."""

    page: Page
    section: Section


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """The name has several meanings; the user is to choose."""

    page: Page
    meanings: tuple[Meaning, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Nothing:
    """No article; the wiki may suggest another spelling."""

    suggestion: str


Finding: TypeAlias = Lead | Passage | Choice | Nothing


def find(wiki: Wiki, wanted: Wanted) -> Finding:
    """What answers best, in this order.

    The article whose title is the whole query; the section of an article that the query names
    beside its subject; what the search ranks first; the article of the subject alone.

    Raises:
        ToolError: the wiki is down, slow, busy, or answers something else.
    """
    if not wanted.whole:
        return Nothing(suggestion="")
    known = wiki.look_up(wanted.titles, query=wanted.search)
    exact = _find_exact(wiki, known, wanted)
    if exact is not None:
        return exact
    subject = next(_subjects(known, wanted), None)
    if subject is not None:
        passage = _find_passage(wiki, *subject)
        if isinstance(passage, Passage) or not known.hits:
            return passage
    return (
        _find_hit(wiki, known, wanted)
        or (Lead(page=subject[0], text=subject[0].extract) if subject else None)
        or _find_ambiguous(wiki, known, wanted)
        or Nothing(suggestion=known.suggestion)
    )


def _find_exact(wiki: Wiki, known: Known, wanted: Wanted) -> Finding | None:
    """The page of the whole query, whatever it is: an article, a section, a list of meanings."""
    for title in wanted.whole:
        page = known.page(title)
        if page is None:
            continue
        if page.is_disambiguation:
            return _choose(wiki, page)
        if page.is_article:
            fragment = known.fragment(title)
            return _read_at(wiki, page, fragment) if fragment else _lead(page)
    return None


def _subjects(known: Known, wanted: Wanted) -> Iterator[tuple[Page, str]]:
    """Articles about a part of the query, with the words that are left, most likely first."""
    for split in wanted.splits:
        for page in _pages(known, split):
            if page.is_article:
                yield page, split.rest


def _pages(known: Known, split: Split) -> Iterator[Page]:
    return (page for page in map(known.page, split.titles) if page is not None)


def _find_passage(wiki: Wiki, page: Page, rest: str) -> Lead | Passage:
    """The section of ``page`` that ``rest`` names, else its lead."""
    try:
        whole = wiki.read_whole(page.title)
    except ToolError:  # what is here already is better than a refusal
        return Lead(page=page, text=page.extract, is_partial=True)
    section = read_article(whole.extract).about(rest) if whole else None
    if whole is None or section is None:
        return _lead(page)
    return Passage(page=whole, section=section)


def _read_at(wiki: Wiki, page: Page, fragment: str) -> Lead | Passage:
    """The section that a redirect leads to."""
    try:
        whole = wiki.read_whole(page.title)
    except ToolError:  # as in `_find_passage`
        return Lead(page=page, text=page.extract, is_partial=True)
    section = read_article(whole.extract).at(fragment) if whole else None
    return Passage(page=whole, section=section) if whole and section else _lead(page)


def _find_hit(wiki: Wiki, known: Known, wanted: Wanted) -> Finding | None:
    """The best page that the search found, at the section asked for."""
    titles = known.hits[:READ_AHEAD]
    if not titles or not wiki.can_ask:
        return None
    leads = wiki.read_leads(titles)
    pages = [page for page in map(leads.page, titles) if page is not None]
    page = next((page for page in pages if page.is_article), None)
    if page is None:
        listed = next((page for page in pages if page.is_disambiguation), None)
        return _choose(wiki, listed) if listed is not None and wiki.can_ask else None
    rest = _asked_of(page, wanted.query)
    return _find_passage(wiki, page, rest) if rest and wiki.can_ask else _lead(page)


def _asked_of(page: Page, query: str) -> str:
    """The words that may name a section: any beside the title, or known ones where it is afar."""
    rest = words_beside(query, page.title)
    return section_words(rest) or (rest if rest != query else "")


def _find_ambiguous(wiki: Wiki, known: Known, wanted: Wanted) -> Finding | None:
    """A part of the query that has several meanings."""
    listed = (
        page for split in wanted.splits for page in _pages(known, split) if page.is_disambiguation
    )
    page = next(listed, None)
    return _choose(wiki, page) if page is not None and wiki.can_ask else None


def _choose(wiki: Wiki, page: Page) -> Choice | Lead:
    """The meanings that a page lists; its text where it has none of the usual form."""
    meanings = read_meanings(wiki.read_listing(page.title), page.title)
    return Choice(page=page, meanings=meanings) if meanings else _lead(page)


def _lead(page: Page) -> Lead:
    return Lead(page=page, text=page.extract)
