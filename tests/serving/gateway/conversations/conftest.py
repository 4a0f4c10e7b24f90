from collections.abc import Iterator

import pytest
from scripted.chats import Chat, open_chat
from scripted.theatre import Actor, Theatre, open_theatre

from serving.settings import ChatSettings

CHAT = ChatSettings(save_s=0.05, text_chars=2000, system_prompt_chars=200, title_chars=40)


@pytest.fixture(scope="session")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    """One gateway for all tests of this room; each has conversations of its own."""
    with open_theatre(tmp_path_factory.mktemp("theatre"), chat=CHAT) as theatre:
        yield theatre


@pytest.fixture
def actor(theatre: Theatre) -> Actor:
    """The model, with nothing said yet and its gate closed."""
    theatre.actor.requests.clear()
    theatre.actor.gate.clear()
    return theatre.actor


@pytest.fixture
def chat(theatre: Theatre, actor: Actor) -> Chat:
    """A new conversation."""
    assert actor.requests == []
    return open_chat(theatre.gateway)
