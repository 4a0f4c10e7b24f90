"""An institution after months of use: people, groups, keys, a ledger, and the server behind it."""

import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import anyio
import requests
from parts.page_product import START_S
from playwright.sync_api import Page
from scripted.fault_process import fault_process
from scripted.gateway import wait_until
from scripted.gateway_process import serving
from scripted.keyed import ACTOR, Keyed, bearing, open_keyed
from scripted.ledgers import ended, entry, house_leg, leg
from scripted.patience import PATIENCE_S
from scripted.stored import new_id
from sqlalchemy import Connection

from chatbot.testing.surroundings import START
from serving.auth.keys import Wish
from serving.auth.quotas import Quotas
from serving.auth.records import Account, Limits
from serving.auth.scopes import USUAL
from serving.auth.signing_in.opening import open_sign_ins
from serving.billing import store
from serving.billing.records import BilledLeg, NewEntry, Settlement
from serving.settings import Settings
from ui.texts import WARSAW

PASSWORD: Final = "poprawny koń bateria zszywka"
ADMINISTRATOR: Final = "anna.nowak"
PEOPLE: Final = {
    ADMINISTRATOR: ("admins", "pracownicy"),
    "jan.kowalski": ("pracownicy",),
    "maria.wiśniewska": ("studenci",),
    "piotr.zieliński": ("studenci",),
    "zofia.wójcik": ("studenci",),
}
KEYS: Final = ("laptop", "strona wydziału", "zadania nocne")
DAYS: Final = 110
SUNDAY: Final = 6
FAILURES: Final = ("engine_timeout", "engine_lost", "queue_full", "engine_unavailable")
"""What went wrong in the last days."""


PICTURED: Final = {
    "/usage": "usage",
    "/keys": "keys",
    "/admin/users": "admin-users",
    "/admin/groups": "admin-groups",
    "/admin/usage": "admin-usage",
}
"""Pages that the documentation shows, and the names of their pictures."""


@contextmanager
def open_institution(folder: Path) -> Iterator[str]:
    """Serve it, page and all, at the address that is given, until the block ends."""
    with fault_process() as engine:
        environ = {
            "PATH": os.environ["PATH"],
            "ZWROTNICA_PAGE__ENABLED": "true",
            "ZWROTNICA_PAGE__START_S": str(START_S),
            "ZWROTNICA_DEFAULT_ENGINE": "bielik",
            "ZWROTNICA_ENGINES__BIELIK__KIND": "vllm",
            "ZWROTNICA_ENGINES__BIELIK__URL": engine.url,
            "ZWROTNICA_ENGINES__BIELIK__MODEL": "speakleash/Bielik-11B-v3.0-Instruct",
            "ZWROTNICA_QUOTAS__TOKENS_PER_DAY": "60000",
            "ZWROTNICA_QUOTAS__MONEY_PER_MONTH": "12.00",
        }
        with ThreadPoolExecutor(1) as pool:  # Playwright's loop may run in this thread
            key = pool.submit(anyio.run, settle, folder).result()
        with serving(folder, environ) as gateway:
            wait_until(lambda: _is_ready(gateway.url, key), START_S)
            yield gateway.url


def sign_in(page: Page, url: str) -> None:
    """As the administrator, by the form."""
    page.goto("/sign-in")
    page.get_by_label("Nazwa użytkownika").fill(ADMINISTRATOR)
    page.get_by_label("Hasło").fill(PASSWORD)
    page.get_by_role("button", name="Zaloguj się").click()
    page.wait_for_url(f"{url}/")


def _is_ready(url: str, key: str) -> bool:
    return requests.get(f"{url}/usage", headers=bearing(key), timeout=PATIENCE_S).ok


async def settle(folder: Path) -> str:
    """Let people come, and use it for months; gives the administrator's key."""
    settings = Settings(data_dir=folder)
    async with open_keyed(settings) as keyed:
        people = await _admit(keyed, settings)
        account = await keyed.accounts.find(ADMINISTRATOR)
        made = [
            await keyed.keys.create(
                Wish(account_id=account.account_id, name=name, scopes=USUAL), actor=ACTOR
            )
            for name in KEYS
        ]
        await keyed.keys.revoke(made[-1].key.key_id, actor=ACTOR)
        await keyed.database.write(lambda connection: _use(connection, people))
        return (await keyed.key(ADMINISTRATOR, name="administracja")).text.whole


async def _admit(keyed: Keyed, settings: Settings) -> tuple[Account, ...]:
    """The people, in their groups."""
    sign_ins = open_sign_ins(
        settings.auth, keyed.database, keyed.keyring, keyed.clock, new_id=new_id
    )
    for group in sorted({group for groups in PEOPLE.values() for group in groups}):
        await keyed.accounts.add_group(group, actor=ACTOR)
    for name, groups in PEOPLE.items():
        account = await keyed.accounts.add(name, actor=ACTOR)
        await sign_ins.new_passwords.set(account, PASSWORD, actor=ACTOR)
        for group in groups:
            await keyed.accounts.set_member(group, name, is_member=True, actor=ACTOR)
    limits = Limits(quotas=Quotas(images_per_day=10, tokens_per_day=20_000))
    await keyed.accounts.limit_group("studenci", lambda _: limits, actor=ACTOR)
    await keyed.accounts.set_disabled("zofia.wójcik", is_disabled=True, actor=ACTOR)
    return await keyed.accounts.list()


def _use(connection: Connection, people: Sequence[Account]) -> None:
    """Requests of `DAYS`: more on working days, some with a picture, a few that failed."""
    chance = random.Random(7)  # noqa: S311 (the same pictures each time)
    now = datetime.now(WARSAW)
    for back in range(DAYS, -1, -1):
        day = now - timedelta(days=back, minutes=30)
        most = 2 if day.weekday() == SUNDAY else 12
        for one in people:
            new, ends = zip(
                *(
                    _request(chance, one, f"{one.name}-{back}-{number}", day)
                    for number in range(1 + chance.randrange(most))
                ),
                strict=True,
            )
            store.write(connection, (), new)
            store.write(connection, ends, ())


def _request(
    chance: random.Random, asker: Account, name: str, moment: datetime
) -> tuple[NewEntry, Settlement]:
    groups = tuple(group.group_id for group in asker.groups)
    late = moment - START
    new = entry(name, owner=asker.account_id, groups=groups, late=late, path="chat_api")
    if chance.random() < 0.02:
        return new, replace(ended(name, error=chance.choice(FAILURES)), ended_at=moment)
    prompt, completion = chance.randrange(40, 900), chance.randrange(30, 700)
    answer = replace(
        leg(amount=2 * prompt + 6 * completion), prompt_tokens=prompt, completion_tokens=completion
    )
    legs = [house_leg(), answer]
    if chance.random() < 0.08:
        legs.append(_picture())
    return new, replace(ended(name, *legs), ended_at=moment)


def _picture() -> BilledLeg:
    drawn = replace(leg(amount=50_000, tokens=0), engine="images", role="image", source="zero")
    return replace(drawn, images=1)
