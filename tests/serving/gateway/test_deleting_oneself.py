"""`DELETE /api/me`: what it asks for, what it stops, and what keys are worth afterwards."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
import requests
from scripted.gateway import Backstage, RunningGateway, call, running_gateway, wait_until
from scripted.keyed import ACTOR, bearing, make_keys, open_keyed
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.persons import tables_with

from chatbot.testing import ScriptedEngine
from serving.assembly import make_images
from serving.auth.erasure import STRAGGLING, Erasure
from serving.auth.scopes import ALL, USUAL
from serving.settings import AuthSettings, LimitsSettings, Settings
from serving.storage.conversations import Conversations
from serving.storage.sqlite import FILE_NAME

TEXT = "Narysuj kota z kokarda"


class Server:
    """A gateway at which Ala waits for an answer that does not end."""

    def __init__(self, gateway: RunningGateway, settings: Settings, keys: dict[str, str]) -> None:
        self.gateway = gateway
        self.settings = settings
        self.keys = keys

    def ask(
        self, user: str, method: str, path: str, body: object = None, *, stream: bool = False
    ) -> requests.Response:
        return requests.request(
            method,
            self.gateway.url + path,
            json=body,
            headers=bearing(self.keys[user]),
            stream=stream,
            timeout=PATIENCE_S,
        )

    def converse(self, user: str) -> requests.Response:
        made = self.ask(user, "POST", "/api/conversations", {}).json()["id"]
        path = f"/api/conversations/{made}/messages"
        answer = self.ask(user, "POST", path, {"text": TEXT}, stream=True)
        assert answer.status_code == 200
        return answer

    def tables_with(self, *words: str) -> frozenset[str]:
        async def look() -> frozenset[str]:
            async with open_keyed(self.settings) as keyed:
                return await keyed.database.read(lambda one: tables_with(one, *words))

        return anyio.run(look)


@pytest.fixture
def server(tmp_path: Path, empty_database: bytes) -> Iterator[Server]:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    settings = Settings(
        data_dir=tmp_path,
        limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5),
        auth=AuthSettings(poll_s=0.05),
    )
    keys = make_keys(settings, ala=USUAL, ola=USUAL, szef=ALL)
    waits = ScriptedEngine(script=call("wait", f'{{"seconds": {NEVER_S}}}'))
    with running_gateway(settings, Backstage(router=waits)) as gateway:
        yield Server(gateway, settings, keys)


def test_a_deleted_person_has_neither_answers_nor_keys_nor_words(server: Server) -> None:
    account_id = server.ask("ala", "GET", "/api/me").json()["account"]
    of_ola = server.converse("ola")
    with of_ola, server.converse("ala") as answer:
        assert server.gateway.turns == 2
        assert server.ask("ala", "DELETE", "/api/me", {"confirm": "ala"}).status_code == 204
        assert b'"finish_reason":"cancelled"' in answer.content
        wait_until(lambda: server.gateway.turns == 1)
    assert server.ask("ala", "GET", "/api/me").status_code == 401
    assert server.ask("ola", "GET", "/api/me").status_code == 200
    assert server.tables_with(account_id) == {"accounts"}
    assert len(server.ask("ola", "GET", "/api/conversations").json()["conversations"]) == 1


@pytest.mark.parametrize("body", [{}, {"confirm": "ola"}, {"confirm": ""}, {"confirm": 1}])
def test_nothing_is_deleted_without_the_name(server: Server, body: dict[str, object]) -> None:
    refused = server.ask("ala", "DELETE", "/api/me", body)
    assert (refused.status_code, refused.json()["error"]["param"]) == (400, "confirm")
    assert server.ask("ala", "GET", "/api/me").status_code == 200


@contextmanager
def let_in(server: Server, request: str, body: bytes) -> Iterator[Callable[[], bytes]]:
    """Ala's request has been let in, and its body is waited for.

    Gives what sends that, which returns the first line of the reply.
    """
    head = (
        f"{request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.keys['ala']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Expect: 100-continue\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.gateway.port), PATIENCE_S) as client:
        client.sendall(head.encode())
        assert b" 100 " in client.recv(1024)

        def end() -> bytes:
            client.sendall(body)
            return client.recv(1024).partition(b"\r\n")[0]

        yield end


def test_a_deletion_is_of_the_account_that_asked_and_not_of_the_next_of_its_name(
    server: Server,
) -> None:
    with let_in(server, "DELETE /api/me", b'{"confirm": "ala"}') as end:
        assert server.ask("ala", "DELETE", "/api/me", {"confirm": "ala"}).status_code == 204
        assert server.ask("szef", "POST", "/api/users", {"name": "ala"}).status_code == 201
        assert b" 404 " in end()
    listed = server.ask("szef", "GET", "/api/users?q=ala").json()["users"]
    assert [user["name"] for user in listed] == ["ala"]


def test_a_key_ordered_while_its_account_is_deleted_is_not_made(server: Server) -> None:
    with let_in(server, "POST /api/keys", b'{"name": "telefon Ali"}') as end:
        assert server.ask("ala", "DELETE", "/api/me", {"confirm": "ala"}).status_code == 204
        assert b" 404 " in end()
    listed = server.ask("szef", "GET", "/api/keys").json()["keys"]
    assert {key["user"] for key in listed} == {"ola", "szef"}
    assert server.tables_with("telefon Ali") == frozenset()


def test_an_answer_is_stopped_by_a_deletion_elsewhere(server: Server) -> None:
    async def delete() -> str:
        """What another worker or the command line does."""
        async with open_keyed(server.settings) as keyed:
            conversations = Conversations(
                keyed.database, clock=keyed.clock, new_id=lambda: "unused"
            )
            erasure = Erasure(
                keyed.database,
                conversations=conversations,
                images=make_images(
                    server.settings,
                    server.settings.data_dir,
                    keyring=keyed.keyring,
                    clock=keyed.clock,
                ),
                clock=keyed.clock,
                grace=STRAGGLING,
            )
            return await erasure.mark("ala", actor=ACTOR)

    with server.converse("ala"):
        account_id = anyio.run(delete)
        wait_until(lambda: server.gateway.turns == 0)
    wait_until(lambda: server.ask("ala", "GET", "/api/me").status_code == 401)
    wait_until(lambda: server.tables_with(TEXT) == frozenset())
    wait_until(lambda: server.tables_with(account_id) == {"accounts"})


def test_a_server_without_keys_has_nobody_to_delete(tmp_path: Path, empty_database: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    with running_gateway(Settings(data_dir=tmp_path), Backstage()) as gateway:
        reply = requests.delete(
            f"{gateway.url}/api/me", json={"confirm": "local"}, timeout=PATIENCE_S
        )
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_request")
    assert "no person's" in reply.json()["error"]["message"]
