"""Exports as Markdown, to be read, and as JSON, to be imported."""

from dataclasses import replace
from pathlib import Path

from scripted.exported import (
    IMAGE_ID,
    answered,
    conversation,
    entries,
    read_document,
    said,
    weather,
    write,
)

from serving.gateway.exports.entries import Entry
from serving.gateway.exports.words import ENGLISH

CODE = "Oto kod:\n\n```c\n#include <stdio.h>\nint a[3]; // ![x](y)\n```\n\nGotowe."


def markdown(told: list[Entry], folder: Path) -> str:
    return write("md", told, folder).decode()


def test_markdown_reads_like_the_page(tmp_path: Path) -> None:
    told = entries(said("Jaka pogoda?"), answered("W Łodzi 21 °C.", parts=weather()))
    assert markdown(told, tmp_path) == (
        "# Pogoda w Łodzi\n\n"
        "## Ty · 21 listopada 2026, 22:40\n\n"
        "Jaka pogoda?\n\n"
        "## Zwrotnica · 21 listopada 2026, 22:40\n\n"
        "> **Pogoda · Łódź** · 0,3 s\n\n"
        "W Łodzi 21 °C.\n\n"
        "*Obraz: Łódź*\n\n"
        "Źródła:\n\n- Open-Meteo, „Łódź”, CC BY 4.0, https://open-meteo.example/\n\n"
    )


def test_markdown_in_english(tmp_path: Path) -> None:
    told = entries(said("a"), answered("b", parts=weather(), state="incomplete"))
    shown = write("md", told, tmp_path, words=ENGLISH).decode()
    for words in ("## You · 21 November 2026, 22:40", "*Picture: Łódź*", "*Incomplete answer.*"):
        assert words in shown


def test_markdown_shows_the_branch_that_the_page_shows(tmp_path: Path) -> None:
    told = entries(said("a"), answered("stara"), answered("nowa", message_id="b0"), hidden=["a0"])
    shown = markdown(told, tmp_path)
    assert "nowa" in shown
    assert "stara" not in shown


def test_code_stays_as_it_was(tmp_path: Path) -> None:
    assert CODE in markdown(entries(said("kod?"), answered(CODE)), tmp_path)


def test_what_one_message_leaves_open_ends_with_it(tmp_path: Path) -> None:
    told = entries(said("```\notwarty"), answered(CODE))
    shown = markdown(told, tmp_path)
    assert "```\notwarty\n```\n\n## Zwrotnica" in shown
    assert CODE in shown


def test_a_failed_call_is_told(tmp_path: Path) -> None:
    route, call, result, *_ = weather()
    parts = (route, call, {**result, "status": "failed", "error": "Nie ma takiego miasta."})
    shown = markdown(entries(said("a"), answered("b", parts=parts)), tmp_path)
    assert "> **Pogoda · Łódź** · nieudane · 0,3 s" in shown


def test_json_has_everything_but_links(tmp_path: Path) -> None:
    answer = answered("W Łodzi 21 °C.", parts=weather(), rating="up", force="get_weather")
    document = read_document(write("json", entries(said("Jaka pogoda?"), answer), tmp_path))
    (chat,) = document.pop("conversations")
    assert document == {
        "format": "zwrotnica.conversations",
        "version": 1,
        "exported_at": "2026-11-21T21:40:05Z",
    }
    question, told = chat.pop("messages")
    assert chat == {
        "id": "r1",
        "title": "Pogoda w Łodzi",
        "is_named": True,
        "created_at": "2026-11-21T21:40:05Z",
        "updated_at": "2026-11-21T21:40:05Z",
        "parameters": {"temperature": 0.5},
        "current": None,
    }
    assert (question["id"], question["parent"], question["role"]) == ("u0", None, "user")
    picture = {
        "type": "image",
        "image_id": IMAGE_ID,
        "alt": "Łódź",
        "width": 8,
        "height": 8,
        "seal": f"pieczec-{IMAGE_ID}",
    }
    parts = [picture if part["type"] == "image" else part for part in weather()]
    said_last = {"type": "text", "text": "W Łodzi 21 °C.", "channel": "answer"}
    assert told["parts"] == [*parts, said_last]
    assert (told["rating"], told["force"], told["total_ms"]) == ("up", "get_weather", 900)


def test_json_of_no_conversation_is_a_document_too(tmp_path: Path) -> None:
    assert read_document(write("json", [], tmp_path))["conversations"] == []


def test_json_of_several_conversations(tmp_path: Path) -> None:
    told = [
        Entry(
            conversation=replace(conversation(), conversation_id=f"r{chat}"),
            message=said("a", number=number),
            is_shown=True,
        )
        for chat in range(3)
        for number in range(chat + 1)
    ]
    chats = read_document(write("json", told, tmp_path))["conversations"]
    assert [(chat["id"], len(chat["messages"])) for chat in chats] == [
        ("r0", 1),
        ("r1", 2),
        ("r2", 3),
    ]
