"""What holds of lists and exports whatever happens between two pages: inherited per database."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings, strategies as st
from scripted.stored import (
    START,
    Store,
    answering,
    ended,
    image_part,
    new_id,
    wrote,
)

from serving.storage.records import Conversation, StoredMessage

TOUCHES = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), max_size=12)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
few = settings(
    max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


class PagingCases:
    """A class of tests that inherits them needs the fixture ``store``."""

    @few
    @given(touches=TOUCHES, size=st.integers(1, 4))
    async def test_no_page_loses_or_doubles_what_is_left_alone(
        self, store: Store, touches: list[tuple[bool, int]], size: int
    ) -> None:
        owner = new_id()
        made = [await store.conversations.create(owner) for _ in range(9)]
        touched: set[str] = set()
        seen: list[str] = []
        cursor = None
        pending = iter(touches)
        while True:
            page = await store.conversations.list(owner, cursor=cursor, limit=size)
            seen += [one.conversation_id for one in page.conversations]
            cursor = page.next_cursor
            if cursor is None:
                break
            for is_later, number in (one for one in [next(pending, None)] if one is not None):
                store.clock.advance(1.0 if is_later else 0.0)
                await store.say(made[number], "jeszcze", "raz")
                touched.add(made[number].conversation_id)
        assert len(seen) == len(set(seen))
        assert {one.conversation_id for one in made} - touched <= set(seen)
        again = await store.conversations.list(owner, limit=200)
        newest = {one.conversation_id for one in again.conversations[: len(touched)]}
        assert touched - set(seen) <= newest

    @few
    @given(said=st.lists(st.lists(TEXTS, max_size=5), max_size=4))
    async def test_what_was_exported_comes_back_by_import(
        self, store: Store, said: list[list[str]]
    ) -> None:
        first, second = new_id(), new_id()
        for number, texts in enumerate(said):
            await restore_line(store, first, texts, number)
        exported = [one async for one in store.conversations.stream(first)]
        for conversation in {one.conversation_id: one for one, _ in exported}.values():
            messages = [
                message
                for _, message in exported
                if message.conversation_id == conversation.conversation_id
            ]
            await store.conversations.restore(second, conversation, messages)
        imported = [one async for one in store.conversations.stream(second)]
        assert [strip(*one) for one in imported] == [strip(*one) for one in exported]
        assert len(exported) == sum(map(len, said))


async def restore_line(store: Store, owner: str, texts: list[str], number: int) -> None:
    """A conversation of one branch."""
    messages: list[StoredMessage] = []
    for text in texts:
        last = messages[-1] if messages else None
        if last is not None and last.role == "user":
            messages.append(ended(answering(last), text, image_part("ab" * 20)))
        else:
            messages.append(wrote(text, parent=last.message_id if last else None))
    time = START + timedelta(seconds=number - 10)
    conversation = Conversation(
        conversation_id=new_id(),
        owner=owner,
        title=f"Rozmowa {number}",
        is_named=True,
        created_at=time,
        updated_at=time,
        current=messages[-1].message_id if messages else None,
    )
    await store.conversations.restore(owner, conversation, messages)


def strip(conversation: Conversation, message: StoredMessage) -> tuple[object, ...]:
    """What an import keeps: everything but ids, and of these how they hang together."""
    return (
        replace(conversation, conversation_id="", owner="", current=None),
        replace(message, conversation_id="", message_id="", parent=None),
        message.parent is None,
        conversation.current == message.message_id,
    )
