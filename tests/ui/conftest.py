"""A scripted gateway whose answers repeat the question."""

from collections.abc import Iterator

import pytest
from scripted.chat_api import ChatApi, Step, serve_chat_api, words

ROUTE: Step = ("route", {"decision": "default", "reason": "plain_text"})
DONE: Step = ("done", {"finish_reason": "stop"})
IMAGE: Step = (
    "image",
    {"image_id": "i1", "url": "http://x/images/i1.9.mac", "alt": "", "width": 1, "height": 1},
)


def story(text: str, force: str | None) -> list[Step]:
    """The text itself word by word; a text of „czekaj” has no end of its own."""
    said = list(words(f"{text} {force or ''}".strip(), pause_s=0.01))
    rest: list[Step] = [0.02, ("text", {"text": "dalej"})] * 2000 if "czekaj" in text else [DONE]
    return [ROUTE, IMAGE, *said, *rest]


@pytest.fixture
def api() -> ChatApi:
    return ChatApi(story)


@pytest.fixture
def address(api: ChatApi) -> Iterator[str]:
    with serve_chat_api(api) as url:
        yield url
