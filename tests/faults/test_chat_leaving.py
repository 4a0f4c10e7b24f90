"""FAULTS C1 through the Chat API: readers leave at every stage; answers are stopped at each."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from scripted.chat_leaving import ENDLESS, STAGES, TOKENS, Left, departure_s, leave_all
from scripted.chat_product import WEATHER, Outside, named_chat, open_outside, readers
from scripted.chats import Chat, kinds, shown_text
from scripted.fault_report import Figure, Publish
from scripted.gateway import wait_until
from scripted.gateway_process import GatewayProcess, serving
from scripted.http_client import wait_for
from scripted.listening import Listener
from scripted.patience import PATIENCE_S

from serving.settings import ChatSettings

pytestmark = pytest.mark.faults

ROUNDS = 4
STOPS = 4
UNREAD_S = ChatSettings().unread_s
NOTICED_S = 1.0
SOON_S = 1.0


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with open_outside() as outside:
        yield outside


def port_of(gateway: GatewayProcess) -> int:
    return int(gateway.url.rpartition(":")[2])


def open_chats(gateway: GatewayProcess, count: int) -> list[Chat]:
    return [named_chat(gateway) for _ in range(count)]


def wrong_with(outside: Outside, left: Left) -> str:
    """What is wrong with an answer whose reader left; empty where nothing is."""
    wait_until(lambda: not left.chat.read()["busy"])
    messages = left.chat.messages()
    if not messages:
        return "" if not left.message_id else "nothing is stored"
    user, answer = messages
    if (answer["state"], answer["finish_reason"], answer["running"]) != ("complete", "stop", False):
        return f"{answer['state']}, {answer['finish_reason']}, {answer['error']}"
    if left.stage.text == WEATHER:
        return "" if "tool_result" in kinds(answer) else "no result"
    exchange = outside.asked(left.seed)
    if exchange is None:
        return "the engine was never asked"
    if "image" in left.stage.name:
        return "" if "image" in kinds(answer) else "no picture"
    is_whole = shown_text(answer) == exchange.script.text and exchange.sent_tokens == TOKENS
    is_asked = shown_text(user).endswith(f"seed={left.seed}")
    return "" if is_whole and is_asked else f"other words: {shown_text(answer)!r}"


@pytest.mark.timeout(300)
async def test_c1_a_reader_who_leaves_does_not_end_the_answer(
    outside: Outside, tmp_path: Path, publish: Publish
) -> None:
    wrong: list[str] = []
    back: list[float] = []
    with serving(tmp_path, outside.environ()) as gateway:
        before = readers(gateway, outside)
        for number in range(ROUNDS):
            chats = await to_thread.run_sync(open_chats, gateway, len(STAGES))
            seed = 1_000 * (number + 1)
            for left in await leave_all(port_of(gateway), STAGES, chats, seed=seed):
                what = await to_thread.run_sync(wrong_with, outside, left)
                wrong += [f"{left.stage.name}: {what}"] if what else []
            back.append(await wait_for(lambda: readers(gateway, outside) <= before))
    assert wrong == []
    count = ROUNDS * len(STAGES)
    publish(
        Figure(
            case="C1",
            what=f"Chat API, {len(STAGES)} points × {ROUNDS}: the reader leaves, the answer is "
            "made to its end and read later",
            n=count,
            passed=count,
        )
    )
    publish(
        Figure(
            case="C1",
            what="Chat API: sockets back to their number before (I3)",
            n=len(back),
            passed=len(back),
            times=tuple(back),
            limit_s=2.0,
        )
    )


async def unread(
    outside: Outside, gateway: GatewayProcess, unread_s: float, *, seed: int, rounds: int
) -> tuple[list[float], list[bool]]:
    """Seconds over ``unread_s`` until answers were stopped, and whether they are stored as such."""
    late: list[float] = []
    stored: list[bool] = []
    stages = [stage for stage in ENDLESS if stage.text != WEATHER]
    for number in range(rounds):
        chats = await to_thread.run_sync(open_chats, gateway, len(stages))
        every = await leave_all(port_of(gateway), stages, chats, seed=seed + 100 * number)
        for left in every:
            with anyio.fail_after(unread_s + PATIENCE_S):
                exchange = outside.asked(left.seed)
                while exchange is None or exchange.client_left_at is None:
                    await anyio.sleep(0.05)
                    exchange = outside.asked(left.seed)
            late.append(exchange.client_left_at - left.left_at - unread_s)
            stored.append(await to_thread.run_sync(is_cancelled, left))
    return late, stored


def is_cancelled(left: Left) -> bool:
    wait_until(lambda: not left.chat.read()["busy"])
    answer = left.chat.last()
    return (answer["state"], answer["finish_reason"]) == ("incomplete", "cancelled")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("unread_s", "rounds"), [(UNREAD_S, 1), (SOON_S, 2)])
async def test_c1_an_answer_that_nobody_reads_is_stopped(
    outside: Outside, tmp_path: Path, publish: Publish, unread_s: float, rounds: int
) -> None:
    # the engine's silence must last longer than the reader's absence
    engine = {"first_token_s": 2 * UNREAD_S + PATIENCE_S, "idle_s": 2 * UNREAD_S + PATIENCE_S}
    settings = outside.environ(chat__unread_s=unread_s, images__engine__deadline_s=200)
    for name, seconds in engine.items():
        settings[f"ZWROTNICA_ENGINES__bielik__{name}"] = str(seconds)
    settings["ZWROTNICA_TOOLS__IMAGE__DEADLINE_S"] = "300"
    with serving(tmp_path, settings) as gateway:
        seed = 50_000 + int(unread_s) * 1_000
        late, stored = await unread(outside, gateway, unread_s, seed=seed, rounds=rounds)
    publish(
        Figure(
            case="C1",
            what=f"Chat API, nobody reads for {unread_s:g} s: the engine is left soon after",
            n=len(late),
            passed=sum(stored) if min(late) > -NOTICED_S else 0,
            times=tuple(max(0.0, one) for one in late),
            limit_s=NOTICED_S,
        )
    )


@pytest.mark.timeout(300)
async def test_c1_stop_at_every_stage(outside: Outside, tmp_path: Path, publish: Publish) -> None:
    took: list[float] = []
    back: list[float] = []
    right: list[bool] = []
    chats: list[Chat] = []
    with serving(tmp_path, outside.environ()) as gateway:
        before = readers(gateway, outside)
        for number in range(STOPS):
            chats = await to_thread.run_sync(open_chats, gateway, len(ENDLESS))
            seed = 900_000 + 100 * number
            every = await leave_all(port_of(gateway), ENDLESS, chats, seed=seed)
            for left in every:
                await wait_for(lambda left=left: _is_there(outside, left))  # type: ignore[misc]
            began = time.monotonic()
            stops = [to_thread.run_sync(one.chat.stop, one.message_id) for one in every]
            statuses = await asyncio.gather(*stops)
            took += [await departure_s(outside, left, began) for left in every]
            right += [status == 204 for status in statuses]
            right += [await to_thread.run_sync(is_cancelled, left) for left in every]
            back.append(await wait_for(lambda: readers(gateway, outside) <= before))
        again = Listener(chats[0], "Ułóż fraszkę o zimie. fault=none;tokens=5")
        await to_thread.run_sync(again.join)
    publish(
        Figure(
            case="C1",
            what=f"Chat API, Stop at {len(ENDLESS)} points × {STOPS}: the engine is left (I8), "
            "the answer is incomplete",
            n=2 * len(took),
            passed=sum(right),
            times=tuple(took),
            limit_s=NOTICED_S,
        )
    )
    publish(
        Figure(
            case="C1",
            what="Chat API, Stop: sockets back to their number before (I3), then a new answer",
            n=len(back),
            passed=len(back) if again.end == "done stop" else 0,
            times=tuple(back),
            limit_s=2.0,
        )
    )


def _is_there(outside: Outside, left: Left) -> bool:
    if left.stage.text == WEATHER:
        return bool(outside.weather.exchanges)
    return outside.asked(left.seed) is not None
