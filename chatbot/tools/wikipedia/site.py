"""One question to a MediaWiki: search and the leads of what it found, in a single call."""

from urllib.parse import urlencode, urlsplit

import mwclient
import requests
from mwclient.errors import MwClientError
from pydantic import BaseModel, Field, ValidationError

from chatbot.errors import ToolError, ToolTimeout
from chatbot.tools.wikipedia.options import WikipediaSettings

FOUND = 5
TIMEOUT_S = 5


class Page(BaseModel):
    """An article that the search found; ``index`` is its rank."""

    title: str
    index: int = 0
    extract: str = ""
    lastrevid: int = 0
    pageprops: dict[str, str] = Field(default={})

    @property
    def is_disambiguation(self) -> bool:
        """Whether it only lists articles of similar names."""
        return "disambiguation" in self.pageprops


class _Query(BaseModel):
    pages: dict[str, Page] = {}


class _Reply(BaseModel):
    query: _Query = _Query()
    error: dict[str, object] | None = None


class _Lagging(requests.RequestException):
    """The wiki asks us to wait; mwclient would sleep for as long as it says."""


def search(
    session: requests.Session, settings: WikipediaSettings, query: str, language: str
) -> tuple[Page, ...]:
    """The best matches with their leads as plain text, best first.

    Raises:
        ToolError: the wiki is down, slow, or answers something else.
    """
    site = _open_site(session, settings, language)
    try:
        raw = site.raw_api(
            "query",
            http_method="GET",
            generator="search",
            gsrsearch=query,
            gsrlimit=str(FOUND),
            gsrnamespace="0",
            prop="extracts|info|pageprops",
            exintro="1",
            explaintext="1",
            exlimit="max",
            inprop="url",
            ppprop="disambiguation",
            redirects="1",
        )
        reply = _Reply.model_validate(raw)
    except requests.Timeout as error:
        raise _too_slow() from error
    except (requests.RequestException, MwClientError) as error:
        raise _down() from error
    except ValidationError as error:
        raise ToolError(
            "Wikipedia odpowiedziała niezrozumiale. Spróbuj ponownie później."
        ) from error
    if reply.error is not None:
        raise _down()
    return tuple(sorted(reply.query.pages.values(), key=lambda page: page.index))


def link(settings: WikipediaSettings, page: Page, language: str) -> str:
    """The permanent address of the revision that was read."""
    query = urlencode({"title": page.title.replace(" ", "_"), "oldid": page.lastrevid})
    return f"{settings.url.replace('{language}', language)}index.php?{query}"


def _open_site(
    session: requests.Session, settings: WikipediaSettings, language: str
) -> mwclient.Site:
    """Mwclient on the call's session; it opens nothing and asks nothing yet."""
    parts = urlsplit(settings.url.replace("{language}", language))
    if settings.contact:
        agent = session.headers["User-Agent"]
        session.headers["User-Agent"] = f"{agent!s} ({settings.contact}) mwclient"
    session.hooks["response"].append(_refuse_lag)
    return mwclient.Site(
        parts.netloc,
        path=parts.path,
        scheme=parts.scheme,
        pool=session,
        do_init=False,
        max_retries=1,
        retry_timeout=1,
        connection_options={"timeout": TIMEOUT_S},
    )


def _refuse_lag(response: requests.Response, *_: object, **__: object) -> None:
    if "x-database-lag" in response.headers:
        raise _Lagging("The database of the wiki lags.", response=response)


def _too_slow() -> ToolTimeout:
    return ToolTimeout("Wikipedia nie odpowiedziała w porę. Spróbuj ponownie za chwilę.")


def _down() -> ToolError:
    return ToolError("Wikipedia jest teraz niedostępna. Spróbuj ponownie za kilka minut.")
