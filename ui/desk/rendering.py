"""Fills the templates of the pages beside the chat: numbers, money and dates as people say."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from typing import Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from ui.desk.words import FORMS, LANGUAGES, WORDS
from ui.fields import JsonObject, whole_of
from ui.look.files import LookFiles
from ui.look.icons import draw_icon
from ui.texts import Texts, say_count, say_moment, say_number

MICRO: Final = 1_000_000
_CENTS: Final = 10_000
_SPACE: Final = "\N{NO-BREAK SPACE}"
_HEADERS: Final = {"cache-control": "no-store", "vary": "cookie"}


class Pages:
    """The templates with everything that they share."""

    def __init__(self, look: LookFiles) -> None:
        """``look`` has the style and the script."""
        self._look = look
        self._environment = Environment(
            loader=FunctionLoader(_load), autoescape=True, undefined=StrictUndefined
        )

    def show(self, texts: Texts, page: str, *, status: int = 200, **values: object) -> HTMLResponse:
        """The page ``page``; ``here`` among ``values`` is its path without the language."""
        shared: Mapping[str, object] = {
            "texts": texts,
            "w": WORDS[texts.language],
            "base": texts.path.rstrip("/"),
            "others": [(one.path.rstrip("/"), one) for one in LANGUAGES if one is not texts],
            "style": self._look.url("style.css"),
            "desk_style": self._look.url("desk.css"),
            "script": self._look.url("desk.js"),
            "early": Markup(self._look.text("early.js")),  # noqa: S704 (our own file)
            "icon": lambda name: Markup(draw_icon(name)),  # noqa: S704 (our own drawing)
            "number": partial(say_whole, texts),
            "moment": partial(say_when, texts),
            "money": partial(say_money, texts),
            "column": partial(say_column, texts),
            "counted": partial(say_forms, texts),
            "is_admin": False,
            "is_session": False,
            "error": "",
            "news": "",
            "again": {},
            "again_scopes": (),
        }
        text = self._environment.get_template(page).render({**shared, **values})
        return HTMLResponse(text, status, dict(_HEADERS))


def say_whole(texts: Texts, value: object) -> str:
    """A count; what is none is a dash."""
    return say_number(texts, value) if isinstance(value, int) else "–"


def say_money(texts: Texts, micro: object, currency: str, digits: int | None = None) -> str:
    """Micro-units in the currency: „1,25 PLN”; below one unit parts of a cent are shown, too.

    The less it is, the more of them, unless it has to have ``digits``.
    """
    amount = micro if isinstance(micro, int) else 0
    said = say_number(texts, amount / MICRO, _digits_of(amount) if digits is None else digits)
    return f"{said}{_SPACE}{currency}"


def say_column(
    texts: Texts, rows: Sequence[tuple[str, JsonObject]], name: str, currency: str
) -> Callable[[object], str]:
    """What says the amounts of a column, all with as many digits as that which needs the most."""
    digits = max((_digits_of(whole_of(row, name)) for _, row in rows), default=2)
    return partial(say_money, texts, currency=currency, digits=digits)


def _digits_of(amount: int) -> int:
    if amount % _CENTS == 0 or amount >= MICRO:
        return 2
    return 4 if amount >= _CENTS else 6


def say_when(texts: Texts, text: object) -> str:
    """A moment in ISO 8601 as people read it; empty where there is none."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return ""
    return say_moment(texts, moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def say_forms(texts: Texts, name: str, value: int) -> str:
    """A count with its noun: „2 obrazy”, „5 obrazów”."""
    return say_count(texts, FORMS[texts.language][name], value)


def _load(name: str) -> str:
    return files("ui.desk").joinpath(name).read_text(encoding="utf-8")
