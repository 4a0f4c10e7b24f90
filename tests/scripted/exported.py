"""Stored conversations to export, and how each format is read again by what people open it with."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl

from serving.gateway.exports.entries import Entry
from serving.gateway.exports.formats import FORMATS, Order
from serving.gateway.exports.words import POLISH, Words
from serving.storage.records import Conversation, StoredMessage, StoredPart

BEGAN = datetime(2026, 11, 21, 21, 40, 5, tzinfo=UTC)
IMAGE_ID = "ab" * 20


def conversation(title: str = "Pogoda w Łodzi", *, current: str | None = None) -> Conversation:
    return Conversation(
        conversation_id="r1",
        owner="local",
        title=title,
        is_named=True,
        created_at=BEGAN,
        updated_at=BEGAN,
        parameters={"temperature": 0.5},
        current=current,
    )


def said(text: str, *, number: int = 0, parent: str | None = None) -> StoredMessage:
    """A user's message."""
    return StoredMessage(
        message_id=f"u{number}",
        conversation_id="r1",
        parent=parent,
        role="user",
        state="complete",
        parts=({"type": "text", "text": text, "channel": "answer"},),
        created_at=BEGAN + timedelta(minutes=number),
    )


def answered(
    text: str, *, number: int = 0, parts: Sequence[StoredPart] = (), **fields: object
) -> StoredMessage:
    """An answer to the user's message of the same number; ``parts`` come before its words."""
    told: dict[str, Any] = {  # Any: each field of its own type
        "message_id": f"a{number}",
        "conversation_id": "r1",
        "parent": f"u{number}",
        "role": "assistant",
        "state": "complete",
        "parts": (*parts, {"type": "text", "text": text, "channel": "answer"}),
        "created_at": BEGAN + timedelta(minutes=number, seconds=1),
        "first_text_ms": 120,
        "total_ms": 900,
        "finish_reason": "stop",
    }
    return StoredMessage(**{**told, **fields})


def weather(text: str = "Łódź", *, number: int = 0) -> tuple[StoredPart, ...]:
    """The parts of an answer that a tool gave; every text of it is ``text``."""
    call_id = f"c{number}"
    return (
        {
            "type": "route",
            "decision": "tool",
            "reason": "called",
            "tools": ["get_weather"],
            "engine": "embedded",
            "dialect": "llama3.1",
            "verdict_ms": 12,
            "confirmed": None,
            "verified": None,
            "doubt": None,
        },
        {
            "type": "tool_call",
            "call_id": call_id,
            "name": "get_weather",
            "title": "Pogoda",
            "arguments": {"city": text},
            "raw_arguments": {"city": text},
            "summary": f"Pogoda · {text}",
        },
        {
            "type": "tool_result",
            "call_id": call_id,
            "status": "ok",
            "error": None,
            "ms": 310,
            "notices": [],
            "content": text,
            "plain": text,
            "state": [{"kind": "place", "value": text}],
        },
        {
            "type": "image",
            "image_id": IMAGE_ID,
            "url": f"/images/{IMAGE_ID}.1796000000.mfrgg2lt",
            "expires_at": "2026-11-21T22:40:05Z",
            "alt": text,
            "width": 8,
            "height": 8,
        },
        {
            "type": "attribution",
            "call_id": call_id,
            "source": "Open-Meteo",
            "title": text,
            "url": "https://open-meteo.example/",
            "licence": "CC BY 4.0",
            "retrieved_at": None,
        },
        {
            "type": "usage",
            "legs": [
                {
                    "engine": "embedded",
                    "role": "router",
                    "prompt_tokens": 40,
                    "completion_tokens": 5,
                    "source": "zero",
                },
                {
                    "engine": "bielik",
                    "role": "phrase",
                    "prompt_tokens": 60,
                    "completion_tokens": 7,
                    "source": "estimate",
                },
            ],
        },
    )


def entries(
    *messages: StoredMessage, title: str = "Pogoda w Łodzi", hidden: Sequence[str] = ()
) -> list[Entry]:
    whole = conversation(title)
    return [
        Entry(conversation=whole, message=message, is_shown=message.message_id not in hidden)
        for message in messages
    ]


def write(
    name: str, told: Sequence[Entry], folder: Path, *, words: Words = POLISH, batch: int = 2
) -> bytes:
    """The whole file."""
    order = Order(words=words, folder=folder, exported_at=BEGAN, seal=lambda one: f"pieczec-{one}")
    writer = FORMATS[name].open(order)
    try:
        pieces = [writer.add(told[start : start + batch]) for start in range(0, len(told), batch)]
        return b"".join([*pieces, *writer.finish()])
    finally:
        writer.close()


def read_sheets(content: bytes) -> Iterator[list[dict[str, Any]]]:  # Any: what a cell holds
    """The rows of each sheet, by header; a formula would come as one."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    for sheet in book.worksheets:
        header, *rows = sheet.iter_rows(values_only=True)
        yield [dict(zip(map(str, header), row, strict=True)) for row in rows]


def read_csv(content: bytes, *, separator: str = ";") -> list[dict[str, str]]:
    text = content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))


def read_document(content: bytes) -> dict[str, Any]:  # Any: JSON
    document: dict[str, Any] = json.loads(content)
    return document
