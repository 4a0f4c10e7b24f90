import json

import pytest
from scripted.chat_api import ChatApi
from scripted.page_tab import opened

from ui.abilities import FRESH_S, Abilities
from ui.client import Gateway, GatewayError


class Holder:
    """Whose key the next request carries, and what time it is."""

    def __init__(self) -> None:
        self.key = "ala"
        self.time = 1000.0

    def credential(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"}

    def now(self) -> float:
        return self.time


async def test_what_one_key_opens_is_not_told_to_another(api: ChatApi, address: str) -> None:
    holder = Holder()
    api.keys = frozenset({"ala"})
    async with Gateway(address, credential=holder.credential) as gateway:
        abilities = Abilities(gateway, now=holder.now)
        await abilities.check()
        assert len(await abilities.tools()) > 0
        holder.key = "ola"
        assert await abilities.tools() == ()
        with pytest.raises(GatewayError) as caught:
            await abilities.check()
    assert caught.value.code == "invalid_api_key"


async def test_a_key_that_counts_no_more_is_told(api: ChatApi, address: str) -> None:
    holder = Holder()
    async with Gateway(address, credential=holder.credential) as gateway:
        abilities = Abilities(gateway, now=holder.now)
        api.keys = frozenset({"ala"})
        await abilities.check()
        api.keys = frozenset({"ola"})
        await abilities.check()
        holder.time += FRESH_S
        with pytest.raises(GatewayError):
            await abilities.check()
        api.keys = frozenset({"ala"})
        holder.time += FRESH_S
        await abilities.check()


async def test_who_opens_the_page_without_a_key_reads_that_one_is_needed(
    api: ChatApi, address: str
) -> None:
    api.keys = frozenset({"ala"})
    async with opened(address) as tab:
        await tab.load("")
        assert "Trzeba się zalogować" in json.dumps(tab.signal, ensure_ascii=False)
