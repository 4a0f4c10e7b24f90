"""A MediaWiki on loopback: `api.php` with search, extracts, info and page properties.

Written from mediawiki.org/wiki/API:Search, Extension:TextExtracts and API:Etiquette.
"""

from dataclasses import dataclass

from scripted.service import Asked, Reply, ScriptedService, json_reply


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """One article of the scripted wiki."""

    page_id: int
    revision: int
    extract: str
    words: tuple[str, ...]
    is_disambiguation: bool = False


PAGES: dict[str, Page] = {
    "Irena Sendlerowa": Page(
        page_id=38_417,
        revision=75_000_001,
        extract=(
            "Irena Stanisława Sendlerowa z domu Krzyżanowska, ps. „Jolanta” (ur. 15 lutego 1910 r. "
            "w Warszawie, zm. 12 maja 2008 r. tamże) – polska działaczka społeczna i charytatywna. "
            "Kierowała referatem dziecięcym Żegoty, tzn. Rady Pomocy Żydom. W 1965 r. otrzymała "
            "tytuł Sprawiedliwej wśród Narodów Świata. Była kawalerem Orderu Orła Białego. "
            "Urodziła się w rodzinie lekarza S. Krzyżanowskiego. Mieszkała w Otwocku."
        ),
        words=("irena", "sendlerowa", "żegota"),
    ),
    "Zamek (ujednoznacznienie)": Page(
        page_id=12,
        revision=70_000_002,
        extract="Zamek – budowla obronna. Zamek – mechanizm zamykający drzwi.",
        words=("zamek",),
        is_disambiguation=True,
    ),
    "Zamek": Page(
        page_id=13,
        revision=70_000_003,
        extract="Zamek – budowla mieszkalno-obronna. Powstawała w średniowieczu.",
        words=("zamek",),
    ),
    "Pusta strona": Page(page_id=99, revision=70_000_009, extract="", words=("pustka",)),
}


class ScriptedMediaWiki(ScriptedService):
    """Finds an article by any of its words; further fault: ``lag`` (``maxlag`` exceeded)."""

    is_lagging = False

    def answer(self, asked: Asked) -> Reply:
        if self.is_lagging:
            body = {"error": {"code": "maxlag", "info": "Waiting for a database: 6 seconds lagged"}}
            reply = json_reply(body)
            return Reply(body=reply.body, headers={"X-Database-Lag": "6", "Retry-After": "3600"})
        if not asked.path.endswith("/api.php") or asked.query.get("generator") != "search":
            return json_reply({"error": {"code": "unknown_action", "info": "unrecognized"}})
        wanted = asked.query["gsrsearch"].lower().split()
        found = [
            _page(self.url, title, page, index)
            for index, (title, page) in enumerate(PAGES.items(), start=1)
            if any(word in page.words for word in wanted)
        ][: int(asked.query.get("gsrlimit", "10"))]
        query: dict[str, object] = {"userinfo": {"id": 0, "name": "127.0.0.1", "anon": ""}}
        if found:
            query["pages"] = {str(page["pageid"]): page for page in reversed(found)}
        return json_reply({"batchcomplete": "", "query": query})

    def error_body(self, status: int) -> object:
        return {"error": {"code": f"scripted-{status}", "info": "Scripted failure"}}


def _page(url: str, title: str, page: Page, index: int) -> dict[str, object]:
    properties = {"pageprops": {"disambiguation": ""}} if page.is_disambiguation else {}
    return {
        "pageid": page.page_id,
        "ns": 0,
        "title": title,
        "index": index,
        "extract": page.extract,
        "lastrevid": page.revision,
        "fullurl": f"{url}/wiki/{title.replace(' ', '_')}",
        **properties,
    }
