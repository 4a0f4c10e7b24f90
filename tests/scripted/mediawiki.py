"""A MediaWiki on loopback: `api.php` with titles, redirects, leads, sections, search, parse.

Written from mediawiki.org/wiki/API:Query, API:Search, API:Parsing_wikitext, API:Etiquette and
Extension:TextExtracts; compared with a real one in tests/parts.
"""

import re
from dataclasses import dataclass

from scripted.service import Asked, Reply, ScriptedService, json_reply


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """One page: ``extract`` is its text with headings; ``wikitext`` only where it is a list."""

    revision: int
    extract: str
    words: tuple[str, ...] = ()
    wikitext: str = ""

    @property
    def lead(self) -> str:
        """The text before the first heading."""
        return self.extract.partition("\n\n\n==")[0]


PAGES: dict[str, Page] = {
    "Irena Sendlerowa": Page(
        revision=75_000_001,
        extract=(
            "Irena Stanisława Sendlerowa z domu Krzyżanowska, ps. „Jolanta” (ur. 15 lutego 1910 r. "
            "w Warszawie, zm. 12 maja 2008 r. tamże) – polska działaczka społeczna i charytatywna. "
            "Kierowała referatem dziecięcym Żegoty, tzn. Rady Pomocy Żydom. W 1965 r. otrzymała "
            "tytuł Sprawiedliwej wśród Narodów Świata. Była kawalerem Orderu Orła Białego. "
            "Urodziła się w rodzinie lekarza S. Krzyżanowskiego. Mieszkała w Otwocku."
        ),
        words=("żegota", "kierowniczka"),
    ),
    "Zamek": Page(
        revision=70_000_002,
        extract="Zamek – budowla obronna. Zamek – mechanizm zamykający drzwi.",
        words=("zamek",),
        wikitext=(
            "{{Ujednoznacznienie}}\n'''Zamek''' to:\n"
            "* [[Zamek (budowla)|zamek]] – budowla [[obrona|obronna]]<ref>Także pałac.</ref>\n"
            "* [[Zamek (mechanizm)|zamek]] – ''mechanizm'', który zamyka drzwi &amp; bramy\n"
            "* [[Zamek (broń)|zamek]]\n"
            "* [[Zamek (narciarstwo)|zamek]] – o tym nikt jeszcze nie napisał\n"
            "* [[obrona]] – wyjaśnia, a nie znaczy\n"
            "== Zobacz też ==\n* [[Zamek błyskawiczny]]\n"
        ),
    ),
    "Zamek (budowla)": Page(
        revision=70_000_003,
        extract="Zamek – budowla mieszkalno-obronna. Powstawała w średniowieczu.",
        words=("warownia",),
    ),
    "Zamek (mechanizm)": Page(revision=70_000_004, extract="Zamek – mechanizm."),
    "Zamek (broń)": Page(revision=70_000_008, extract="Zamek – część broni."),
    "Zamek błyskawiczny": Page(revision=70_000_005, extract="Zamek błyskawiczny – zapięcie."),
    "Obrona": Page(revision=70_000_006, extract="Obrona – działanie przeciw napaści."),
    "Kraków": Page(
        revision=70_000_007,
        extract=(
            "Kraków ( ) – miasto nad Wisłą[1].\n\n\n== Historia ==\nOsada powstała w pradziejach.\n"
            "\n\n=== Nowożytność ===\nStolicę przeniesiono do Warszawy.\n\n\n== Gospodarka ==\n"
            "Miasto żyje z usług.\n\n\n== Kultura ==\n\n\n=== Muzea ===\nSukiennice to galeria."
            "\n\n\n== Historia ==\nDrugi rozdział o tym samym tytule."
        ),
        words=("stolica", "małopolski"),
    ),
    "Pusta strona": Page(revision=70_000_009, extract="", words=("pustka",)),
    "Castle": Page(revision=1_300_000_001, extract="A castle is a fortified building."),
}
REDIRECTS = {
    "Sendlerowa": ("Irena Sendlerowa", ""),
    "Dzieje Krakowa": ("Kraków", "Historia"),
    "Zamki": ("Zamek", ""),
}
SUGGESTIONS = {"zmaek": "zamek"}
_LINK = re.compile(r"\[\[([^\]|]+)")


class ScriptedMediaWiki(ScriptedService):
    """Finds an article by any of its ``words``.

    `is_lagging`: the database lags (``maxlag``). `retry_after`: it refuses with 429 and this
    header. `instead`: the body of every reply. `later_fault`: a fault (see `ScriptedService`) for
    every request of a call but the first, which is the one that searches. An address may name its
    fault: ``/fault/drip/w/``, ``/later/drip/w/``, ``/fault/lag/w/``, ``/fault/pause/w/``.
    """

    is_lagging = False
    later_fault: str | None = None
    retry_after: str | None = None
    instead: bytes | None = None

    def fault_of(self, asked: Asked) -> str | None:
        is_later = "list" not in asked.query
        match asked.path.split("/"):
            case ["", "fault", "lag" | "pause", *_]:
                return None
            case ["", "fault", name, *_]:
                return name
            case ["", "later", name, *_] if is_later:
                return name
            case _:
                return self.later_fault if is_later and self.later_fault else self.fault

    def answer(self, asked: Asked) -> Reply:
        if self.is_lagging or asked.path.startswith("/fault/lag/"):
            body = {"error": {"code": "maxlag", "info": "Waiting for a database: 6 seconds lagged"}}
            reply = json_reply(body)
            return Reply(body=reply.body, headers={"X-Database-Lag": "6", "Retry-After": "3600"})
        pause = "3600" if asked.path.startswith("/fault/pause/") else self.retry_after
        if pause is not None:
            return Reply(body=b"Busy", status=429, headers={"Retry-After": pause})
        if self.instead is not None:
            return Reply(body=self.instead)
        match asked.path.rpartition("/")[2], asked.query.get("action"):
            case "api.php", "query":
                return json_reply({"batchcomplete": True, "query": _query(asked)})
            case "api.php", "parse":
                return json_reply({"parse": _parse(asked.query["page"])})
            case _:
                return json_reply({"error": {"code": "unknown_action", "info": "unrecognized"}})

    def error_body(self, status: int) -> object:
        return {"error": {"code": f"scripted-{status}", "info": "Scripted failure"}}


def _query(asked: Asked) -> dict[str, object]:
    given = asked.query.get("titles", "").split("|")
    first_up = {title: title[:1].upper() + title[1:] for title in given}
    redirected = {title: REDIRECTS[title] for title in first_up.values() if title in REDIRECTS}
    targets = dict.fromkeys(redirected.get(title, (title, ""))[0] for title in first_up.values())
    is_lead = "exintro" in asked.query
    query: dict[str, object] = {
        "normalized": [{"from": a, "to": b} for a, b in first_up.items() if a != b],
        "redirects": [
            {"from": source, "to": to} | ({"tofragment": fragment} if fragment else {})
            for source, (to, fragment) in redirected.items()
        ],
        "pages": [_page(title, is_lead=is_lead) for title in reversed(targets)],
    }
    if "srsearch" in asked.query:
        query |= _search(asked.query["srsearch"], int(asked.query["srlimit"]))
    return query


def _search(words: str, limit: int) -> dict[str, object]:
    wanted = words.lower().split()
    found = [title for title, page in PAGES.items() if any(word in page.words for word in wanted)]
    suggestion = SUGGESTIONS.get(words.lower())
    return {
        "searchinfo": {"suggestion": suggestion} if suggestion else {},
        "search": [{"ns": 0, "title": title} for title in found[:limit]],
    }


def _page(title: str, *, is_lead: bool) -> dict[str, object]:
    page = PAGES.get(title)
    if page is None:
        return {"ns": 0, "title": title, "missing": True}
    return {
        "pageid": page.revision % 1000,
        "ns": 0,
        "title": title,
        "extract": page.lead if is_lead else page.extract,
        "lastrevid": page.revision,
        **({"pageprops": {"disambiguation": ""}} if page.wikitext else {}),
    }


def _parse(title: str) -> dict[str, object]:
    wikitext = PAGES[title].wikitext
    linked = {name[:1].upper() + name[1:] for name in _LINK.findall(wikitext)}
    links = [{"ns": 0, "title": name, "exists": name in PAGES} for name in sorted(linked)]
    return {"title": title, "pageid": PAGES[title].revision % 1000, "links": links} | {
        "wikitext": wikitext
    }
