"""Rows of the ledger and ratings as CSV, as Polish spreadsheets open it."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Row

from serving.gateway.exports.cleaning import defuse
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.words import to_local

_MARK: Final = "\ufeff"
USAGE: Final = (
    ("czas", "created_at"),
    ("identyfikator żądania", "request_id"),
    ("klucz", "key_id"),
    ("model", "model"),
    ("droga", "path"),
    ("stan", "state"),
    ("Idempotency-Key", "idempotency_key"),
    ("pobrano za żądanie", "charged"),
    ("błąd", "error"),
    ("silnik", "engine"),
    ("rola", "role"),
    ("tokeny wejścia", "prompt_tokens"),
    ("tokeny wyjścia", "completion_tokens"),
    ("obrazy", "images"),
    ("kwota", "amount"),
    ("płaci", "payer"),
)
"""Heading and column; amounts in millionths of the currency."""
RATINGS: Final = ("czas odpowiedzi", "rozmowa", "wiadomość", "ocena", "komentarz")


def head(names: Iterable[str]) -> bytes:
    """The first row, behind the mark by which Excel knows UTF-8."""
    return _MARK.encode() + _write([list(names)])


def usage_rows(rows: Sequence[Row[tuple[object, ...]]]) -> bytes:
    """A row for each engine call, or for a request without any."""
    return _write([_plain(getattr(row, column)) for _, column in USAGE] for row in rows)


def rating_rows(entries: Sequence[Entry]) -> bytes:
    """A row for each message that was rated."""
    rated = (entry for entry in entries if entry.message.rating or entry.message.comment)
    return _write(
        [
            _plain(entry.message.created_at),
            _plain(entry.conversation.title),
            _plain(entry.message.message_id),
            _plain(entry.message.rating),
            _plain(entry.message.comment),
        ]
        for entry in rated
    )


def _write(rows: Iterable[Sequence[str]]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=";", quoting=csv.QUOTE_ALL).writerows(rows)
    return written.getvalue().encode()


def _plain(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return f"{to_local(value):%Y-%m-%d %H:%M:%S}"
        case str():
            return defuse(value)
        case _:
            return str(value)
