"""What every database does with conversations: each one's tests inherit these cases."""

from dataclasses import replace
from datetime import timedelta

import pytest
from scripted.stored import (
    OWNER,
    STRANGER,
    Store,
    answering,
    ended,
    text_part,
    wrote,
)

from chatbot.errors import ErrorCode, InvalidRequest
from serving.storage.records import Conversation, StoredMessage, StoredPart


class ConversationCases:
    """A class of tests that inherits them needs the fixture ``store``, over an empty database."""

    async def test_a_new_conversation_is_read_as_it_was_made(self, store: Store) -> None:
        made = await store.conversations.create(
            OWNER, title="Wakacje", parameters={"temperature": 0.5, "tools": None}
        )
        assert made.is_named
        assert await store.conversations.read(OWNER, made.conversation_id) == (made, ())

    @pytest.mark.parametrize("odd", ["a\0b", "\0", "x" * 10_000, "żółw", "' OR 1=1 --", "%s", ":x"])
    async def test_an_id_that_nobody_has_is_of_nothing(self, store: Store, odd: str) -> None:
        made = await store.conversations.create(OWNER)
        for key in ((OWNER, odd), (odd, made.conversation_id)):
            with pytest.raises(InvalidRequest) as caught:
                await store.conversations.read(*key)
            assert caught.value.code is ErrorCode.NOT_FOUND
        assert await store.calls.find(odd, [odd]) == {}
        assert (await store.conversations.list(OWNER, query=odd)).conversations == ()

    async def test_what_was_begun_is_there_before_the_answer_is(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        store.clock.advance(5)
        user = wrote("Jaka jest pogoda?")
        answer = answering(user)
        changed = await store.conversations.begin(
            OWNER, conversation.conversation_id, user=user, answer=answer
        )
        assert (changed.current, changed.updated_at) == (answer.message_id, store.clock.now())
        read, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        assert read == changed
        assert messages == (placed(user, changed), placed(answer, changed))
        assert messages[1].state == "incomplete"

    async def test_a_saved_answer_is_read_whole(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        user = wrote("Ile to 2 + 2?")
        answer = answering(user)
        await store.conversations.begin(
            OWNER, conversation.conversation_id, user=user, answer=answer
        )
        call: StoredPart = {
            "type": "tool_call",
            "call_id": "c1",
            "arguments": {"x": [1, 2.5, None, True]},
        }
        whole = replace(
            ended(answer, "4 – „cztery”\0 🙂", call),
            parameters={"top_p": 0.9},
            error={"code": "engine_lost"},
        )
        assert await store.conversations.save(whole)
        found = await store.conversations.message(
            OWNER, conversation.conversation_id, answer.message_id
        )
        assert found == placed(whole, conversation)

    async def test_half_a_surrogate_pair_comes_back(self, store: Store) -> None:
        conversation = await store.converse("tak", "nie \ud83d")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        assert messages[1].parts == (text_part("nie \ud83d"),)

    async def test_saving_leaves_what_people_think_of_it(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        user = wrote("pytanie")
        answer = answering(user)
        key = (OWNER, conversation.conversation_id)
        await store.conversations.begin(*key, user=user, answer=answer)
        await store.conversations.rate(*key, answer.message_id, "up", "dobrze")
        await store.conversations.save(ended(answer, "odpowiedź"))
        found = await store.conversations.message(*key, answer.message_id)
        assert (found.rating, found.comment) == ("up", "dobrze")
        await store.conversations.rate(*key, answer.message_id, None)
        found = await store.conversations.message(*key, answer.message_id)
        assert (found.rating, found.comment) == (None, None)

    async def test_only_answers_are_rated(self, store: Store) -> None:
        conversation = await store.converse("pytanie", "odpowiedź")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        with pytest.raises(InvalidRequest, match="only answers"):
            await store.conversations.rate(
                OWNER, conversation.conversation_id, messages[0].message_id, "up"
            )

    async def test_branches_are_all_kept_in_the_order_of_their_making(self, store: Store) -> None:
        conversation = await store.converse("pierwsze", "raz", "drugie", "dwa")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        again = answering(messages[0])
        edited = wrote("pierwsze inaczej")
        anew = answering(edited)
        key = (OWNER, conversation.conversation_id)
        await store.conversations.begin(*key, user=None, answer=again)
        changed = await store.conversations.begin(*key, user=edited, answer=anew)
        _, after = await store.conversations.read(*key)
        assert after[:4] == messages
        assert [message.message_id for message in after[4:]] == [
            again.message_id,
            edited.message_id,
            anew.message_id,
        ]
        assert changed.current == anew.message_id
        back = await store.conversations.change(*key, current=messages[3].message_id)
        assert back.current == messages[3].message_id

    @pytest.mark.parametrize("parent", ["unknown", "question"])
    async def test_a_message_stands_below_an_answer(self, store: Store, parent: str) -> None:
        conversation = await store.converse("pytanie", "odpowiedź")
        _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        user = wrote("dalej", parent=messages[0].message_id if parent == "question" else parent)
        with pytest.raises(InvalidRequest):
            await store.conversations.begin(
                OWNER, conversation.conversation_id, user=user, answer=answering(user)
            )
        _, after = await store.conversations.read(OWNER, conversation.conversation_id)
        assert after == messages

    async def test_a_parent_of_another_conversation_is_none(self, store: Store) -> None:
        other = await store.converse("pytanie", "odpowiedź")
        conversation = await store.conversations.create(OWNER)
        user = wrote("dalej", parent=other.current)
        with pytest.raises(InvalidRequest) as caught:
            await store.conversations.begin(
                OWNER, conversation.conversation_id, user=user, answer=answering(user)
            )
        assert caught.value.code is ErrorCode.NOT_FOUND

    async def test_an_answer_of_a_deleted_conversation_is_not_saved(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        user = wrote("pytanie")
        answer = answering(user)
        key = (OWNER, conversation.conversation_id)
        await store.conversations.begin(*key, user=user, answer=answer)
        await store.conversations.delete(*key)
        assert not await store.conversations.save(ended(answer, "odpowiedź"))

    async def test_a_persons_title_stays(self, store: Store) -> None:
        conversation = await store.conversations.create(OWNER)
        key = (OWNER, conversation.conversation_id)
        assert (await store.conversations.name(*key, "Z modelu")).title == "Z modelu"
        assert (await store.conversations.name(*key, "Lepiej")).title == "Lepiej"
        named = await store.conversations.change(*key, title="Mój tytuł")
        assert (named.title, named.is_named) == ("Mój tytuł", True)
        assert (await store.conversations.name(*key, "Z modelu")).title == "Mój tytuł"

    async def test_a_change_moves_nothing_in_the_list(self, store: Store) -> None:
        first = await store.converse("pierwsza")
        store.clock.advance(1)
        second = await store.converse("druga")
        store.clock.advance(1)
        changed = await store.conversations.change(
            OWNER, first.conversation_id, title="nowy", parameters={"temperature": 1}
        )
        assert (changed.title, changed.parameters) == ("nowy", {"temperature": 1})
        listed = (await store.conversations.list(OWNER)).conversations
        assert [one.conversation_id for one in listed] == [
            second.conversation_id,
            first.conversation_id,
        ]

    async def test_a_clock_that_goes_back_moves_nothing_down(self, store: Store) -> None:
        conversation = await store.converse("pytanie", "odpowiedź")
        store.clock.advance(-3600)
        later = await store.say(conversation, "dalej", "dobrze")
        assert later.updated_at == conversation.updated_at

    async def test_what_another_has_does_not_exist(self, store: Store) -> None:
        mine = await store.converse("pytanie", "odpowiedź")
        key = (STRANGER, mine.conversation_id)
        user = wrote("moje", parent=mine.current)
        answer = mine.current or ""
        attempts = [
            store.conversations.read(*key),
            store.conversations.message(*key, answer),
            store.conversations.change(*key, title="moja"),
            store.conversations.name(*key, "moja"),
            store.conversations.begin(*key, user=user, answer=answering(user)),
            store.conversations.rate(*key, answer, "down"),
            store.conversations.delete(*key),
            anext(aiter(store.conversations.stream(*key))),
        ]
        for attempt in attempts:
            with pytest.raises(InvalidRequest) as caught:
                await attempt
            assert caught.value.code is ErrorCode.NOT_FOUND
        assert (await store.conversations.list(STRANGER)).conversations == ()
        assert [one async for one in store.conversations.stream(STRANGER)] == []
        assert len((await store.conversations.read(OWNER, mine.conversation_id))[1]) == 2

    async def test_the_order_of_conversations_is_that_of_their_messages(self, store: Store) -> None:
        made = []
        for text in ("a", "b", "c"):
            store.clock.advance(1)
            made.append(await store.converse(text))
        store.clock.advance(1)
        await store.say(made[0], "znowu", "tak")
        listed = (await store.conversations.list(OWNER)).conversations
        order = [made[0], made[2], made[1]]
        assert [one.conversation_id for one in listed] == [one.conversation_id for one in order]

    async def test_a_cursor_goes_on_where_a_page_ended(self, store: Store) -> None:
        made = {(await store.conversations.create(OWNER)).conversation_id for _ in range(7)}
        seen: list[str] = []
        cursor = None
        for size in (3, 3, 1):
            page = await store.conversations.list(OWNER, cursor=cursor, limit=3)
            assert len(page.conversations) == size
            seen += [one.conversation_id for one in page.conversations]
            cursor = page.next_cursor
        assert cursor is None
        assert sorted(seen) == sorted(made)

    @pytest.mark.parametrize(
        "cursor", ["", "żółw", "eA==", "MS4=x", "OTk5OTk5OTk5OTk5OTk5OTk5OS4="]
    )
    async def test_another_cursor_is_refused(self, store: Store, cursor: str) -> None:
        with pytest.raises(InvalidRequest) as caught:
            await store.conversations.list(OWNER, cursor=cursor)
        assert caught.value.param == "cursor"

    async def test_all_is_streamed_in_the_order_of_its_making(self, store: Store) -> None:
        first = await store.converse("a", "b", "c", "d")
        store.clock.advance(1)
        second = await store.converse("e", "f")
        await store.conversations.create(OWNER)
        streamed = [one async for one in store.conversations.stream(OWNER)]
        expected = []
        for key in (first.conversation_id, second.conversation_id):
            conversation, messages = await store.conversations.read(OWNER, key)
            expected += [(conversation, message) for message in messages]
        assert streamed == expected
        alone = [one async for one in store.conversations.stream(OWNER, second.conversation_id)]
        assert alone == expected[4:]

    async def test_an_import_never_lies_in_the_future(self, store: Store) -> None:
        conversation = await store.converse("a", "b")
        whole, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        ahead = replace(whole, updated_at=whole.updated_at + timedelta(days=9000))
        restored = await store.conversations.restore(OWNER, ahead, messages)
        assert restored.updated_at == store.clock.now()

    async def test_an_import_with_a_missing_parent_leaves_nothing(self, store: Store) -> None:
        conversation = await store.converse("a", "b")
        whole, messages = await store.conversations.read(OWNER, conversation.conversation_id)
        with pytest.raises(InvalidRequest, match="comes before"):
            await store.conversations.restore(STRANGER, whole, messages[::-1])
        assert (await store.conversations.list(STRANGER)).conversations == ()

    async def test_empty_conversations_go_after_a_day(self, store: Store) -> None:
        empty = await store.conversations.create(OWNER)
        kept = await store.converse("pytanie")
        assert await store.conversations.sweep(store.clock.now() + timedelta(hours=23)) == 0
        assert await store.conversations.sweep(store.clock.now() + timedelta(hours=25)) == 1
        listed = (await store.conversations.list(OWNER)).conversations
        assert empty.conversation_id not in {one.conversation_id for one in listed}
        assert [one.conversation_id for one in listed] == [kept.conversation_id]


def placed(message: StoredMessage, conversation: Conversation) -> StoredMessage:
    """The message as it is read from its conversation."""
    return replace(message, conversation_id=conversation.conversation_id)
