"""A client of the Chat API: conversations, answers read to their end or left, and two accounts."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import requests
from fastapi import FastAPI
from scripted.gateway import RunningGateway
from scripted.patience import PATIENCE_S

from serving.auth.authenticator import Authenticator
from serving.auth.caller import EVERYONE, Caller
from serving.gateway.services import Services

Fields: TypeAlias = dict[str, object]


class Served(Protocol):
    """A gateway, in this process or in one of its own."""

    @property
    def url(self) -> str: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One event as it came; ``id`` is what its line said."""

    name: str
    id: int
    data: Fields

    def __getitem__(self, key: str) -> object:
        return self.data[key]


@dataclass(kw_only=True)
class Answer:
    """One reply with the events of an answer: ``events`` reads it to its end, once."""

    reply: requests.Response
    message_id: str
    parent: str

    def stream(self) -> Iterator[Told]:
        """The events as they come; comments are left out."""
        block: dict[str, str] = {}
        for line in self._lines():
            if not line and block:
                data = json.loads(block["data"])
                yield Told(name=block["event"], id=int(block["id"]), data=data)
                block = {}
            elif line and not line.startswith(":"):
                key, _, value = line.partition(": ")
                block[key] = value

    def _lines(self) -> Iterator[str]:
        """The lines as the standard parts them: a text may hold every other sign of a new line."""
        rest = b""
        for piece in self.reply.iter_content(None):
            *lines, rest = (rest + piece).split(b"\n")
            yield from (line.decode() for line in lines)

    def read(self) -> list[Told]:
        """All events that are still to come."""
        with self.reply:
            return list(self.stream())

    def read_until(self, name: str) -> list[Told]:
        """The events up to the first of this name; then the reader leaves."""
        told = []
        with self.reply:
            for event in self.stream():
                told.append(event)
                if event.name == name:
                    break
        return told


@dataclass(kw_only=True)
class Chat:
    """One conversation at a gateway."""

    url: str
    id: str
    session: requests.Session = field(default_factory=requests.Session)

    @property
    def path(self) -> str:
        return f"{self.url}/api/conversations/{self.id}"

    def post(self, text: str | None = None, **fields: object) -> requests.Response:
        """Ask; the reply is not read."""
        return self.post_body(fields if text is None else {"text": text, **fields})

    def post_body(self, body: Fields) -> requests.Response:
        """Send any body; the reply is not read."""
        return requests.post(f"{self.path}/messages", json=body, stream=True, timeout=PATIENCE_S)

    def begin(self, text: str | None = None, **fields: object) -> Answer:
        """Ask; the answer has begun."""
        return _answer(self.post(text, **fields))

    def ask(self, text: str | None = None, **fields: object) -> list[Told]:
        """Ask, and read the whole answer."""
        return self.begin(text, **fields).read()

    def events(self, message_id: str, **query: object) -> requests.Response:
        """Read an answer again."""
        where = f"{self.path}/messages/{message_id}/events"
        found: dict[str, str] = {name: str(value) for name, value in query.items()}
        return requests.get(where, params=found, stream=True, timeout=PATIENCE_S)

    def follow(self, message_id: str, **query: object) -> list[Told]:
        """Read an answer again, to its end."""
        reply = self.events(message_id, **query)
        assert reply.status_code == 200, reply.text
        return Answer(reply=reply, message_id=message_id, parent="").read()

    def stop(self, message_id: str) -> int:
        """The status of stopping an answer."""
        where = f"{self.path}/messages/{message_id}/stop"
        return requests.post(where, timeout=PATIENCE_S).status_code

    def read(self) -> Fields:
        """The conversation with its messages."""
        told: Fields = requests.get(self.path, timeout=PATIENCE_S).json()
        return told

    def messages(self) -> list[Fields]:
        """All messages."""
        messages = self.read()["messages"]
        assert isinstance(messages, list)
        return messages

    def last(self) -> Fields:
        """The message that was made last."""
        return self.messages()[-1]


def open_chat(gateway: Served, **fields: object) -> Chat:
    """A new conversation."""
    reply = requests.post(f"{gateway.url}/api/conversations", json=fields, timeout=PATIENCE_S)
    assert reply.status_code == 201, reply.text
    return Chat(url=gateway.url, id=reply.json()["id"])


def text_of(told: list[Told]) -> str:
    """What the answer says."""
    return "".join(
        str(event["text"])
        for event in told
        if event.name == "text" and event["channel"] == "answer"
    )


def shown_text(message: Fields) -> str:
    """The text parts of a stored message."""
    parts = message["parts"]
    assert isinstance(parts, list)
    return "".join(part["text"] for part in parts if part["type"] == "text")


def kinds(message: Fields) -> list[str]:
    """The types of a stored message's parts, in order."""
    parts = message["parts"]
    assert isinstance(parts, list)
    return [part["type"] for part in parts]


class _Certain(Authenticator):
    """Takes everybody for one account."""

    def __init__(self, account: str) -> None:
        self._account = account

    @property
    def is_open(self) -> bool:
        return False

    async def identify(self, headers: Iterable[tuple[bytes, bytes]], *, is_https: bool) -> Caller:
        return replace(EVERYONE, account=self._account)


@contextmanager
def as_account(gateway: RunningGateway, name: str) -> Iterator[None]:
    """Every request within the block is the account's."""
    app = gateway.server.config.app
    assert isinstance(app, FastAPI)
    services: Services = app.state.services
    app.state.services = replace(services, authenticator=_Certain(name))
    yield
    app.state.services = services


def _answer(reply: requests.Response) -> Answer:
    assert reply.status_code == 200, reply.text
    return Answer(
        reply=reply,
        message_id=reply.headers["x-message-id"],
        parent=reply.headers["x-parent-id"],
    )
