"""A person whose name and words stand wherever the database and the data folder keep any."""

from dataclasses import dataclass, replace
from typing import Any, Final

from scripted.keyed import ACTOR
from scripted.ledgers import entry, kept, keyed, leg
from scripted.stored import Store, answering, ended, image_part, new_id, wrote
from sqlalchemy import Connection, Table, insert, select

from chatbot.testing import ONE_PIXEL_PNG
from chatbot.types import Artifact
from serving.auth.accounts import Accounts
from serving.auth.keys import Keys, Wish
from serving.auth.scopes import USUAL
from serving.auth.signing_in.guesses import Guess
from serving.auth.signing_in.opening import open_sign_ins
from serving.billing import store as ledger
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.ledger_tables import SPENDINGS
from serving.storage.records import StoredCalls, StoredPart
from serving.storage.secret import RootSecret
from serving.storage.sign_in_tables import IDENTITIES
from serving.storage.tables import METADATA

NAME: Final = "ala.makota"
WORDS: Final = "Ornitoptoty-Ali-wtorek"
FOLDED: Final = "ornitoptoty"
KEYRING: Final = Keyring([RootSecret.from_text("sekret do testów, długi")])
COLUMNS: Final = frozenset({"owner", "account_id"})
"""Columns by which a row belongs to an account."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Ids of what the person has."""

    account_id: str
    key_id: str
    picture: str
    drawn: str
    """A picture that was made for a program, and no conversation shows."""


def accounts_of(store: Store) -> Accounts:
    return Accounts(store.database, clock=store.clock, new_id=new_id)


def keys_of(store: Store) -> Keys:
    return Keys(store.database, keyring=KEYRING, clock=store.clock)


async def settle_in(store: Store, name: str = NAME, *, picture: bytes = ONE_PIXEL_PNG) -> Person:
    """Let a person of this name do all that leaves something behind."""
    accounts = accounts_of(store)
    account = await accounts.add(name, actor=ACTOR)
    group = f"grupa-{new_id()}"
    await accounts.add_group(group, actor=account.account_id)
    await accounts.set_member(group, name, is_member=True, actor=ACTOR)
    wish = Wish(account_id=account.account_id, name=f"laptop {WORDS}", scopes=USUAL)
    made = await keys_of(store).create(wish, actor=account.account_id)
    picture_id = await _converse(store, account.account_id, picture)
    drawn = await draw(store, account.account_id, f"{WORDS} dla: {name}")
    await _call(store, account.account_id)
    await _sign_in_and_out(store, account.account_id, name)
    await store.database.write(lambda connection: _request(connection, account.account_id, store))
    return Person(
        account_id=account.account_id, key_id=made.key.key_id, picture=picture_id, drawn=drawn
    )


async def draw(store: Store, owner: str, description: str) -> str:
    """The id of a new picture of the owner's in whose file the description stands."""
    drawn = Artifact(
        media_type="image/png",
        data=ONE_PIXEL_PNG,
        alt=description,
        width=1,
        height=1,
        model="malarz",
    )
    return (await store.images.save(drawn, account=owner)).image_id


async def _sign_in_and_out(store: Store, account_id: str, name: str) -> None:
    entrances = open_sign_ins(
        AuthSettings(password_mib=1), store.database, KEYRING, store.clock, new_id=new_id
    )
    account = await accounts_of(store).find(name)
    await entrances.new_passwords.set(account, WORDS, actor=account_id)
    guess = Guess(name=name, address="192.0.2.1")
    session = await entrances.sign_ins.sign_in(guess, WORDS)
    await entrances.sign_ins.sign_out(session.text)
    row = {"identity_id": new_id(), "account_id": account_id, "issuer": "https://id.example"}
    known = insert(IDENTITIES).values(**row, subject=WORDS, created_at=store.clock.now())
    await store.database.write(lambda connection: connection.execute(known).rowcount)


async def _converse(store: Store, owner: str, picture: bytes) -> str:
    dot = Artifact(media_type="image/png", data=picture, alt=WORDS, width=1, height=1)
    image = await store.images.save(dot, account=owner)
    conversation = await store.converse(WORDS, f"{WORDS}: odpowiedź", owner=owner)
    shown = await store.conversations.change(
        owner,
        conversation.conversation_id,
        title=WORDS,
        parameters={"system_prompt": WORDS},
    )
    user = wrote(WORDS, parent=shown.current)
    answer = answering(user)
    conversation_id = conversation.conversation_id
    await store.conversations.begin(owner, conversation_id, user=user, answer=answer)
    await store.conversations.save(ended(answer, WORDS, image_part(image.image_id)))
    await store.conversations.rate(owner, conversation_id, answer.message_id, "down", WORDS)
    return image.image_id


async def _call(store: Store, owner: str) -> None:
    part: StoredPart = {
        "type": "tool_call",
        "call_id": "1",
        "name": "search",
        "arguments": {"query": WORDS},
    }
    called = StoredCalls(
        message_id=new_id(),
        owner=owner,
        body_hash="0",
        parts=(part,),
        created_at=store.clock.now(),
    )
    await store.calls.put(called)


def _request(connection: Connection, owner: str, store: Store) -> None:
    """One request that was kept, and one that still runs, both by ids of the person's choice."""
    now = store.clock.now()
    done, runs = new_id(), new_id()
    new = replace(keyed(done, f"{WORDS}-{done}", owner=owner), created_at=now)
    open_one = replace(entry(runs, owner=owner), created_at=now)
    named = [
        replace(one, reservation=replace(one.reservation, request_id=WORDS))
        for one in (new, open_one)
    ]
    ledger.write(connection, (), named)
    ledger.write(connection, [replace(kept(done, WORDS.encode()), legs=(leg(),))], ())
    spent = {"tokens": 3, "images": 0, "amount": 5}
    counted = insert(SPENDINGS).values(subject=owner, period=f"{now:%Y-%m-%d}", **spent)
    connection.execute(counted)


def person_tables() -> frozenset[str]:
    """The tables whose rows belong to an account."""
    return frozenset(
        table.name for table in METADATA.sorted_tables if COLUMNS & set(table.c.keys())
    )


def tables_with(connection: Connection, *words: str) -> frozenset[str]:
    """The tables in any of whose rows any of ``words`` stands."""
    return frozenset(
        table.name
        for table in METADATA.sorted_tables
        if any(word in _text(row) for row in _rows(connection, table) for word in words)
    )


def _rows(connection: Connection, table: Table) -> list[tuple[Any, ...]]:  # Any: of any column
    return [tuple(row) for row in connection.execute(select(table))]


def _text(row: tuple[Any, ...]) -> str:
    return " ".join(
        value.decode(errors="replace") if isinstance(value, bytes) else str(value) for value in row
    )
