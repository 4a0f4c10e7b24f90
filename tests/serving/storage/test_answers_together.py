from pathlib import Path

import anyio
from scripted.patience import PATIENCE_S
from scripted.stored import OWNER, Store, answering, ended, open_store, wrote

from serving.storage.records import StoredMessage

ANSWERS = 24


async def begin(store: Store) -> StoredMessage:
    conversation = await store.conversations.create(OWNER)
    user = wrote("Cześć!")
    answer = answering(user)
    await store.conversations.begin(OWNER, conversation.conversation_id, user=user, answer=answer)
    _, messages = await store.conversations.read(OWNER, conversation.conversation_id)
    return messages[-1]


async def test_who_gives_up_waiting_takes_nobody_elses_answer_along(tmp_path: Path) -> None:
    async with open_store(tmp_path) as store:
        answers = [await begin(store) for _ in range(ANSWERS)]
        kept: list[bool] = []

        async def save_twice(answer: StoredMessage, patience_s: float) -> None:
            with anyio.move_on_after(patience_s):
                await store.conversations.save(answer, patience_s=PATIENCE_S)
            last = ended(answer, "Dzień dobry.")
            kept.append(await store.conversations.save(last, patience_s=PATIENCE_S))

        async with anyio.create_task_group() as group:
            for number, answer in enumerate(answers):
                group.start_soon(save_twice, answer, number / 1000)
        assert kept == [True] * ANSWERS
