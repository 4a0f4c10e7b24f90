"""Asks one MediaWiki: a few small requests, one after the other, as its etiquette wants."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import mwclient
import requests
from mwclient.errors import MwClientError
from pydantic import BaseModel, ValidationError

from chatbot.errors import ToolError, ToolTimeout
from chatbot.language import plural
from chatbot.tools.context import ToolContext
from chatbot.tools.wikipedia.options import WikipediaSettings
from chatbot.tools.wikipedia.replies import Known, Listing, Page, ParseReply, QueryReply

FOUND = 5
MAX_LAG_S = 5
TIMEOUT_S = 5
MAX_REQUESTS = 3
_TITLES = 20
_REST_S, _LONGEST_REST_S = 30.0, 3600.0
_REFUSED = frozenset({429, 503})
_BUSY_CODES = frozenset({"maxlag", "ratelimited"})
_MINUTE = 60
ReplyT = TypeVar("ReplyT", bound=BaseModel)


class _Busy(requests.RequestException):
    """The wiki asks to be left alone for ``rest_s`` seconds; mwclient would sleep so long."""

    def __init__(self, rest_s: float) -> None:
        super().__init__("The wiki is busy.")
        self.rest_s = rest_s


class Wiki:
    """One edition, for one call: at most three requests, within the session's deadline.

    Errors come out as `ToolError` in Polish. Where the wiki asks for a pause, all calls are
    refused until it is over, without a request.
    """

    def __init__(self, ctx: ToolContext[WikipediaSettings], language: str) -> None:
        """Open and ask nothing yet."""
        self._ctx = ctx
        self._folder = ctx.settings.folder(language)
        self._left = MAX_REQUESTS
        parts = urlsplit(self._folder)
        self._rest_key = f"rest {parts.netloc}"
        session = ctx.session
        session.headers["User-Agent"] = _user_agent(session, ctx.settings.contact)
        session.hooks["response"].append(self._refuse_busy)
        self._site = mwclient.Site(
            parts.netloc,
            path=parts.path,
            scheme=parts.scheme,
            pool=session,
            do_init=False,
            connection_options={"timeout": TIMEOUT_S},
        )

    @property
    def can_ask(self) -> bool:
        """Whether another request is allowed."""
        return self._left > 0

    def look_up(self, titles: tuple[str, ...], *, query: str) -> Known:
        """The pages of these titles with their leads, and what a search for ``query`` finds."""
        reply = self._query(
            titles="|".join(titles),
            exintro="1",
            exlimit=str(_TITLES),
            list="search",
            srsearch=query,
            srlimit=str(FOUND),
            srnamespace="0",
            srinfo="suggestion",
            srprop="",
        )
        return Known.of(reply)

    def read_leads(self, titles: tuple[str, ...]) -> Known:
        """The pages of these titles with their leads."""
        return Known.of(self._query(titles="|".join(titles), exintro="1", exlimit=str(_TITLES)))

    def read_whole(self, title: str) -> Page | None:
        """The page with all its text, headings marked ``== so ==``."""
        known = Known.of(self._query(titles=title, exsectionformat="wiki", exlimit="1"))
        return known.page(title)

    def read_listing(self, title: str) -> Listing:
        """A page that lists the meanings of a name: its source, and which links lead anywhere."""
        raw = self._ask("parse", page=title, prop="wikitext|links", redirects="1")
        return _valid(ParseReply, raw).parse

    def link(self, page: Page, anchor: str = "") -> str:
        """The permanent address of the revision that was read, at a section of it."""
        query = urlencode({"title": page.title.replace(" ", "_"), "oldid": page.lastrevid})
        return f"{self._folder}index.php?{query}" + (f"#{anchor}" if anchor else "")

    def _query(self, **parameters: str) -> QueryReply:
        raw = self._ask(
            "query",
            prop="extracts|info|pageprops",
            explaintext="1",
            ppprop="disambiguation",
            redirects="1",
            **parameters,
        )
        return _valid(QueryReply, raw)

    def _ask(self, action: str, **parameters: str) -> object:
        rest_until = self._ctx.cache.get(self._rest_key)
        if isinstance(rest_until, float):
            raise _overloaded(rest_until - self._ctx.clock.monotonic())
        self._left -= 1
        try:
            raw: object = self._site.raw_api(
                action,
                http_method="GET",
                retry_on_error=False,
                formatversion="2",
                maxlag=str(MAX_LAG_S),
                **parameters,
            )
            _refuse_error(raw)
        except _Busy as error:
            raise self._rest(error.rest_s) from error
        except requests.Timeout as error:
            raise _too_slow() from error
        except (requests.RequestException, MwClientError, RecursionError) as error:
            raise _down() from error
        return raw

    def _rest(self, seconds: float) -> ToolError:
        until = self._ctx.clock.monotonic() + seconds
        self._ctx.cache.put(self._rest_key, until, ttl_s=seconds)
        return _overloaded(seconds)

    def _refuse_busy(self, response: requests.Response, *_: object, **__: object) -> None:
        is_refused = response.status_code in _REFUSED and "retry-after" in response.headers
        if is_refused or "x-database-lag" in response.headers:
            after = response.headers.get("retry-after", "")
            raise _Busy(read_retry_after(after, self._ctx.clock.now()))


def _user_agent(session: requests.Session, contact: str) -> str:
    """Name, contact, library: the form that Wikimedia's policy asks for."""
    agent = str(session.headers["User-Agent"])
    return f"{agent}{f' ({contact})' if contact else ''} mwclient/{mwclient.__version__}"


def read_retry_after(value: str, now: datetime) -> float:
    """Seconds, at most an hour; the header has seconds or a date, or whatever."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            then = parsedate_to_datetime(value)
        except ValueError:
            return _REST_S
        seconds = (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds()
    is_usable = math.isfinite(seconds) and seconds > 0
    return min(seconds, _LONGEST_REST_S) if is_usable else _REST_S


def _refuse_error(raw: object) -> None:
    match raw:
        case {"error": {"code": str() as code}} if code in _BUSY_CODES:
            raise _Busy(_REST_S)
        case {"error": _}:
            raise MwClientError


def _valid(model: type[ReplyT], raw: object) -> ReplyT:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise ToolError(
            "Wikipedia odpowiedziała niezrozumiale. Spróbuj ponownie później."
        ) from error


def _too_slow() -> ToolTimeout:
    return ToolTimeout("Wikipedia nie odpowiedziała w porę. Spróbuj ponownie za chwilę.")


def _down() -> ToolError:
    return ToolError("Wikipedia jest teraz niedostępna. Spróbuj ponownie za kilka minut.")


def _overloaded(seconds: float) -> ToolError:
    return ToolError(
        f"Wikipedia jest teraz przeciążona i prosi o przerwę. Spróbuj ponownie za {_wait(seconds)}."
    )


def _wait(seconds: float) -> str:
    minutes = math.ceil(seconds / _MINUTE)
    if seconds >= _MINUTE * _MINUTE / 2:
        return "godzinę"
    if minutes <= 1:
        return "minutę"
    return f"{minutes} {plural(minutes, 'minutę', 'minuty', 'minut')}"
