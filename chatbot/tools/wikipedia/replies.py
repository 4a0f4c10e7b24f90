"""What a MediaWiki answers, as far as it is read; written from mediawiki.org/wiki/API:Query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, Field

_HOPS = 5
_ARTICLE = 0
_LISTS = ("(ujednoznacznienie)", "(disambiguation)", "(begriffsklärung)", "(homonymie)")


class Page(BaseModel):
    """A page under a title; ``extract`` is plain text."""

    title: str = ""
    ns: int = _ARTICLE
    missing: bool = False
    invalid: bool = False
    extract: str = ""
    lastrevid: int = 0
    pageprops: dict[str, str] = Field(default={})

    @property
    def is_article(self) -> bool:
        """Whether it exists, with text, and is neither a list of meanings nor a service page."""
        return self.is_there and bool(self.extract.strip()) and not self.is_disambiguation

    @property
    def is_there(self) -> bool:
        """Whether it exists among the articles."""
        return not (self.missing or self.invalid) and self.ns == _ARTICLE and self.lastrevid > 0

    @property
    def is_disambiguation(self) -> bool:
        """Whether it only lists articles of similar names."""
        return "disambiguation" in self.pageprops or self.title.lower().endswith(_LISTS)


class Hop(BaseModel):
    """One title that stands for another: spelled otherwise, or a redirect."""

    source: str = Field(alias="from")
    to: str
    tofragment: str = ""


class Hit(BaseModel):
    """One page that a search found."""

    title: str


class SearchNotes(BaseModel):
    """What the search says beside its results."""

    suggestion: str = ""


class QueryBody(BaseModel):
    """The member ``query``; it is missing where nothing was asked for that exists."""

    pages: list[Page] = []
    normalized: list[Hop] = []
    redirects: list[Hop] = []
    search: list[Hit] = []
    searchinfo: SearchNotes = SearchNotes()


class QueryReply(BaseModel):
    """A reply to ``action=query``."""

    query: QueryBody = QueryBody()


class Link(BaseModel):
    """A link on a page; ``exists`` is false for one that leads nowhere yet."""

    title: str
    ns: int = _ARTICLE
    exists: bool = False


class Listing(BaseModel):
    """The source of a page, in wikitext, and its links."""

    wikitext: str = ""
    links: list[Link] = []


class ParseReply(BaseModel):
    """A reply to ``action=parse``."""

    parse: Listing


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What one request told: pages by title, where titles lead, what the search found."""

    pages: Mapping[str, Page]
    hops: Mapping[str, Hop]
    hits: tuple[str, ...] = ()
    suggestion: str = ""

    @classmethod
    def of(cls, reply: QueryReply) -> Self:
        """Put a reply into order."""
        body = reply.query
        return cls(
            pages={page.title: page for page in body.pages if page.title},
            hops={hop.source: hop for hop in (*body.normalized, *body.redirects)},
            hits=tuple(hit.title for hit in body.search),
            suggestion=body.searchinfo.suggestion,
        )

    def page(self, title: str) -> Page | None:
        """The page that ``title`` leads to, if there is one."""
        page = self.pages.get(self._follow(title)[0])
        return page if page is not None and page.is_there else None

    def fragment(self, title: str) -> str:
        """The section that ``title`` leads to, where it is a redirect to one."""
        return self._follow(title)[1]

    def _follow(self, title: str) -> tuple[str, str]:
        fragment = ""
        for _ in range(_HOPS):
            hop = self.hops.get(title)
            if hop is None:
                break
            title, fragment = hop.to, hop.tofragment or fragment
        return title, fragment
