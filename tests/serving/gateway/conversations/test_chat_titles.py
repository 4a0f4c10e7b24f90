import time
from collections.abc import Iterator

import pytest
import requests
from scripted.chats import open_chat
from scripted.gateway import wait_until
from scripted.patience import PATIENCE_S
from scripted.theatre import Theatre, open_theatre


@pytest.fixture(scope="module")
def speaking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Theatre]:
    with open_theatre(tmp_path_factory.mktemp("speaking"), speaks=True) as theatre:
        yield theatre


def titles(theatre: Theatre) -> int:
    """How often the model was asked for a title."""
    return sum("Nadajesz tytuły" in one.messages[0].text for one in theatre.actor.requests)


def test_the_first_words_are_the_title_at_once(theatre: Theatre) -> None:
    chat = open_chat(theatre.gateway)
    answer = chat.begin("Opowiadaj ⟦x⟧\nbez końca")
    assert chat.read()["title"] == "Opowiadaj [[x]] bez końca"
    chat.stop(answer.message_id)


def test_the_embedded_engine_makes_no_titles(theatre: Theatre) -> None:
    chat = open_chat(theatre.gateway)
    chat.ask("Ile kosztuje euro?")
    chat.ask("Dziękuję")
    assert titles(theatre) == 0
    assert chat.read()["title"] == "Ile kosztuje euro?"


def test_the_model_names_the_conversation_after_the_first_good_answer(speaking: Theatre) -> None:
    chat = open_chat(speaking.gateway)
    speaking.actor.requests.clear()
    chat.ask("przerwij")
    assert titles(speaking) == 0
    chat.ask("Ile kosztuje euro?")
    wait_until(lambda: chat.read()["title"] == "Zupełnie nowy tytuł")
    chat.ask("A dolar?")
    assert titles(speaking) == 1


def test_a_name_that_a_person_gave_stays(speaking: Theatre) -> None:
    chat = open_chat(speaking.gateway)
    requests.patch(chat.path, json={"title": "Moje kursy"}, timeout=PATIENCE_S)
    speaking.actor.requests.clear()
    chat.ask("Cześć!")
    time.sleep(0.1)
    assert (titles(speaking), chat.read()["title"]) == (0, "Moje kursy")


def test_a_name_given_meanwhile_stays(speaking: Theatre) -> None:
    chat = open_chat(speaking.gateway)
    speaking.actor.requests.clear()
    speaking.actor.gate.clear()
    answer = chat.begin("czekaj na znak")
    requests.patch(chat.path, json={"title": "Moje"}, timeout=PATIENCE_S)
    speaking.actor.gate.set()
    answer.read()
    wait_until(lambda: titles(speaking) == 1)
    time.sleep(0.1)
    assert chat.read()["title"] == "Moje"
