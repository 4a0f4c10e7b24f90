"""The words of an export in the language of whoever reads it: headers, values, marks, dates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from chatbot.language import format_date, format_number

Language: TypeAlias = Literal["pl", "en"]
ZONE: Final = ZoneInfo("Europe/Warsaw")
_MS: Final = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """One language; ``values`` are the words for what is one of few, by its code.

    ``separator`` is what spreadsheets of the language take between the values of a CSV.
    """

    language: Language
    separator: str
    values: Mapping[str, str]
    sheet: str
    untitled: str
    all_conversations: str
    conversation: str
    sources: str
    picture: str
    incomplete: str
    cut: str
    you: str
    say_date: Callable[[datetime], str]
    say_seconds: Callable[[int], str]

    def value(self, code: str | None) -> str | None:
        """The word for ``code``; what has none stays as it is."""
        return None if code is None else self.values.get(code, code)

    def say_time(self, moment: datetime) -> str:
        """Day and hour as people read them, in Polish time."""
        local = to_local(moment)
        return f"{self.say_date(local)}, {local:%H:%M}"


def to_local(moment: datetime) -> datetime:
    """Polish time without its zone, to the second: what spreadsheets know as a time."""
    return moment.astimezone(ZONE).replace(tzinfo=None, microsecond=0)


def _polish_date(moment: datetime) -> str:
    return format_date(moment.date())


def _english_date(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _polish_seconds(milliseconds: int) -> str:
    return f"{format_number(round(milliseconds / _MS, 1))} s"


def _english_seconds(milliseconds: int) -> str:
    return f"{milliseconds / _MS:.1f} s"


POLISH: Final = Words(
    language="pl",
    separator=";",
    values=MappingProxyType({
        "question": "pytanie",
        "answer": "odpowiedź",
        "call": "wywołanie narzędzia",
        "tool": "narzędzie",
        "default": "model językowy",
        "ok": "udane",
        "failed": "nieudane",
        "cancelled": "przerwane",
        "up": "dobra",
        "down": "zła",
        "complete": "kompletna",
        "incomplete": "niepełna",
        "yes": "tak",
        "no": "nie",
        "phrase": "redakcja",
        "speculated": "na próbę",
        "image": "obraz",
    }),
    sheet="Rozmowy",
    untitled="Rozmowa bez tytułu",
    all_conversations="Rozmowy",
    conversation="Rozmowa",
    sources="Źródła",
    picture="Obraz",
    incomplete="Odpowiedź niepełna.",
    cut="… [ucięto; całość jest w CSV i JSON]",
    you="Ty",
    say_date=_polish_date,
    say_seconds=_polish_seconds,
)
ENGLISH: Final = Words(
    language="en",
    separator=",",
    values=MappingProxyType({"call": "tool call", "default": "language model"}),
    sheet="Conversations",
    untitled="Untitled conversation",
    all_conversations="Conversations",
    conversation="Conversation",
    sources="Sources",
    picture="Picture",
    incomplete="Incomplete answer.",
    cut="… [cut; the whole text is in CSV and JSON]",
    you="You",
    say_date=_english_date,
    say_seconds=_english_seconds,
)
WORDS: Final[Mapping[Language, Words]] = MappingProxyType({"pl": POLISH, "en": ENGLISH})
