"""A browser's tab of the page against a scripted gateway, without a browser."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from typing import Any, cast

import anyio
import gradio as gr
from scripted.patience import PATIENCE_S

from ui.abilities import Abilities
from ui.chat import Chat
from ui.client import Gateway
from ui.fields import JsonObject
from ui.texts import POLISH


class Tab:
    """A browser's tab: calls the page's events and keeps what the page keeps in it."""

    def __init__(self, chat: Chat, session: str = "tab") -> None:
        self.chat = chat
        self.session = session
        self.conversation = ""
        self.answer = ""
        self.draft = ""
        self.updates: list[tuple[Any, ...]] = []  # Any: values as Gradio sends them

    @property
    def shown(self) -> str:
        messages = cast("list[dict[str, Any]]", self.updates[-1][0])
        return " ".join(part["text"] for one in messages for part in one["content"])

    @property
    def signals(self) -> list[JsonObject]:
        return [read_signal(update[3]) for update in self.updates]

    @property
    def signal(self) -> JsonObject:
        return self.signals[-1]

    def request(self, **query: str) -> gr.Request:
        return gr.Request(session_hash=self.session, query_params=query)

    async def see(self, updates: AsyncIterator[tuple[Any, ...]]) -> None:  # Any: as above
        self.updates = []
        async for update in updates:
            self.updates.append(update)
            self.conversation, self.answer = update[1], update[2]

    async def load(self, conversation_id: str) -> None:
        await self.see(self.chat.load(self.request(c=conversation_id)))

    async def open(self, conversation_id: str) -> None:
        order = json.dumps({"id": conversation_id})
        await self.see(self.chat.open(order, self.draft, self.request()))

    async def send(self, text: str) -> None:
        await self.see(self.chat.send(text, self.conversation, self.draft, self.request()))

    async def act(self, **order: str) -> None:
        await self.see(self.chat.act(json.dumps(order), self.conversation, self.request()))

    def button(self, action: str) -> str:
        """What the last button of this kind is for."""
        return str(re.findall(rf'id="zw:{action}:([^"]*)"', self.shown)[-1])


def read_signal(drawn: str) -> JsonObject:
    found = re.search(r'data-json="([^"]*)"', drawn)
    assert found
    return cast("JsonObject", json.loads(unescape(found[1])))


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Tab]:
    async with Gateway(address) as gateway:
        abilities = Abilities(gateway)
        chat = Chat(gateway=gateway, texts=POLISH, abilities=abilities, pauses_s=(0.01,) * 20)
        with anyio.fail_after(PATIENCE_S):
            yield Tab(chat)
