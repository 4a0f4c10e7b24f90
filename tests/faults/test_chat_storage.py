"""FAULTS D1 and D2 through the Chat API: a locked, full, failing, read-only, damaged database."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from scripted.chat_product import (
    DATABASE,
    Outside,
    named_chat,
    open_outside,
    picture,
    poem,
    readiness,
)
from scripted.chats import Chat, Fields, shown_text
from scripted.fault_report import Figure, Publish
from scripted.gateway import wait_until
from scripted.gateway_process import GatewayProcess, serving
from scripted.line import read_script
from scripted.listening import Listener, join_all
from scripted.patience import PATIENCE_S
from scripted.storage_faults import (
    Lock,
    empty_log,
    failing_disk,
    fill_disk,
    page_with,
    root_page,
    rotten,
    small_disk,
)

from serving.settings import StorageSettings

pytestmark = pytest.mark.faults

WAIT_S, KEEP_S = StorageSettings().wait_s, StorageSettings().keep_s
ASKING = 8
REFUSED = "503 storage_unavailable"
MARGIN_S = 0.5
DISK_MB = 4
FULL, FAILS = "the disk of the database is full", "the disk of the database fails"
LOCKED, DAMAGED = "the database is locked by another process", "the database is damaged"
HELLO = poem("fault=none;tokens=5")


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with open_outside() as outside:
        yield outside


@contextmanager
def ended_well(folder: Path, outside: Outside, **settings: object) -> Iterator[GatewayProcess]:
    """A gateway that is asked to end when the block is left, and waited for."""
    with serving(folder, outside.environ(**settings)) as gateway:
        yield gateway
        gateway.stop()
        assert gateway.process.wait(PATIENCE_S) == 0


def speak(gateway: GatewayProcess, tokens: int, seed: int) -> Listener:
    """An answer that takes ``tokens`` times 40 ms."""
    return Listener(named_chat(gateway), poem(f"fault=none;tokens={tokens};pace=40;seed={seed}"))


def settle(gateway: GatewayProcess) -> list[Chat]:
    """Conversations with answers that have ended well."""
    chats = [named_chat(gateway) for _ in range(3)]
    for chat in chats:
        for seed in range(2):
            assert chat.ask(poem(f"fault=none;seed={seed}"))[-1].name == "done"
    return chats


def ask_all(chats: Sequence[Chat], text: str = HELLO) -> list[Listener]:
    """Ask in all of them at once; gives who has heard everything."""
    listeners = [Listener(chat, text) for chat in chats]
    join_all(listeners)
    return listeners


def is_said(listener: Listener) -> bool:
    """Whether all that the engine said is stored, as a complete answer."""
    message = listener.chat.last()
    whole = read_script(listener.text.partition("jesieni. ")[2]).text
    return message["state"] == "complete" and shown_text(message) == whole


def passed(case: str, what: str, *results: bool) -> Figure:
    return Figure(case=case, what=f"Chat API, {what}", n=len(results), passed=sum(results))


def timed(case: str, what: str, times: Sequence[float], limit_s: float) -> Figure:
    count = len(times)
    return Figure(
        case=case,
        what=f"Chat API, {what}",
        n=count,
        passed=count,
        times=tuple(times),
        limit_s=limit_s,
    )


def refusals(listeners: Sequence[Listener]) -> list[bool]:
    """Whether each was refused as it should be, with a hint when to come again."""
    return [
        one.refusal == REFUSED
        and one.refused is not None
        and int(one.refused.headers["retry-after"]) >= 1
        and bool(one.refused.json()["error"]["request_id"])
        for one in listeners
    ]


def ready_again(gateway: GatewayProcess) -> float:
    """Seconds until `/readyz` says that all is well."""
    began = time.monotonic()
    wait_until(lambda: readiness(gateway) == (200, None))
    return time.monotonic() - began


def wait_unready(gateway: GatewayProcess, reason: str) -> None:
    wait_until(lambda: readiness(gateway)[0] != requests.codes.ok)
    assert readiness(gateway) == (503, reason)


@pytest.mark.timeout(300)
def test_d1_another_process_locks_the_database(
    outside: Outside, tmp_path: Path, publish: Publish
) -> None:
    with ended_well(tmp_path, outside) as gateway:
        settled = settle(gateway)
        before = [chat.messages() for chat in settled]
        asking = [named_chat(gateway) for _ in range(ASKING)]
        ask_all(asking)  # what is loaded once is no part of the figures

        running = [speak(gateway, 75, seed) for seed in range(4)]
        lock = Lock(tmp_path / DATABASE, 1.0)
        new = ask_all(asking)
        lock.wait()
        join_all(running)
        publish(passed("D1", "1 s: new messages are answered", *map(is_said, new)))
        publish(passed("D1", "1 s: running answers end and are stored", *map(is_said, running)))
        publish(timed("D1", "1 s: until a new answer begins", [one.took_s for one in new], 1.5))

        drawing = Listener(named_chat(gateway), picture(steps=50))
        running = [speak(gateway, tokens, tokens) for tokens in (25, 50, 75, 350, 400)]
        refused = [named_chat(gateway) for _ in range(ASKING)]
        for one in (drawing, *running):
            one.wait(lambda heard: len(heard.names) > 1)
        lock = Lock(tmp_path / DATABASE, 10.0)
        new = ask_all(refused)
        reason = readiness(gateway)
        reads = [chat.messages() for chat in settled]
        released_at = lock.wait()
        join_all((drawing, *running))
        publish(passed("D1", f"10 s: new messages → {REFUSED}, Retry-After", *refusals(new)))
        publish(timed("D1", "10 s: until refused", [one.took_s for one in new], WAIT_S + MARGIN_S))
        publish(passed("D1", "10 s: `/readyz` is 503 and says why", reason == (503, LOCKED)))
        publish(passed("D1", "10 s: reading goes on", reads == before))
        silent_s = [one.longest_silence_s for one in running[3:]]
        publish(timed("D1", "10 s: longest silence of a running answer", silent_s, 1.0))
        whole = [*map(is_said, running), drawing.chat.last()["state"] == "complete"]
        publish(passed("D1", "10 s: running answers end and are stored", *whole))
        held = [one for one in (drawing, *running[:3]) if one.ended_at is not None]
        late = [max(0.0, (one.ended_at or 0.0) - released_at) for one in held]
        publish(timed("D1", "10 s: from its end until held answers are done", late, 1.0))
        publish(timed("D1", "10 s: until `/readyz` is 200 again", [ready_again(gateway)], 2.0))
        nothing = [chat.messages() == [] for chat in refused]
        publish(passed("D1", "10 s: nothing of a refused message is stored", *nothing))
        publish(passed("D1", "10 s: afterwards all is as before", *_as_before(settled, before)))
        publish(passed("D1", "10 s: afterwards answers", *map(is_said, ask_all(refused))))


def _as_before(chats: Sequence[Chat], before: Sequence[list[Fields]]) -> Iterator[bool]:
    for chat, messages in zip(chats, before, strict=True):
        yield chat.messages()[: len(messages)] == messages


@pytest.mark.timeout(300)
def test_d2_the_disk_is_full(outside: Outside, tmp_path: Path, publish: Publish) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk, DISK_MB), ended_well(disk, outside) as gateway:
        settled = settle(gateway)
        before = [chat.messages() for chat in settled]
        asking = [named_chat(gateway) for _ in range(ASKING)]
        lost = [speak(gateway, 50, seed) for seed in range(3)]
        kept = [speak(gateway, 500, seed) for seed in range(3, 6)]
        for one in (*lost, *kept):
            one.wait(lambda heard: "text" in heard.names)
        empty_log(disk / DATABASE)
        fill_disk(disk / "junk")
        wait_unready(gateway, FULL)
        new = ask_all(asking)
        reads = [chat.messages() for chat in settled]
        join_all(lost, KEEP_S + 2 * PATIENCE_S)
        told = [one.end for one in lost]
        (disk / "junk").unlink()
        space_at = time.monotonic()
        join_all(kept)
        again_s = ready_again(gateway)
        publish(passed("D2", f"full disk: new messages → {REFUSED}", *refusals(new)))
        publish(passed("D2", "full disk: reading goes on", reads == before))
        errors = [end == "error storage_unavailable" for end in told]
        publish(
            passed("D2", f"full for {KEEP_S:g} s after its end: an answer is an error", *errors)
        )
        shown = [one.chat.last()["state"] == "incomplete" for one in lost]
        publish(passed("D2", "full disk: what is unsaved is not shown as complete", *shown))
        publish(passed("D2", "space returns: running answers end well", *map(is_said, kept)))
        late = [max(0.0, (one.ended_at or 0.0) - space_at) for one in kept]
        publish(timed("D2", "space returns: until held answers are done", late, 2.0))
        publish(timed("D2", "space returns: until `/readyz` is 200 again", [again_s], 2.0))
        publish(passed("D2", "space returns: all is as before", *_as_before(settled, before)))
        publish(passed("D2", "space returns: new answers", *map(is_said, ask_all(asking))))


@pytest.mark.timeout(300)
def test_d2_the_disk_fails(outside: Outside, tmp_path: Path, publish: Publish) -> None:
    with ended_well(tmp_path, outside) as gateway:
        settled = settle(gateway)
        before = [chat.messages() for chat in settled]
        asking = [named_chat(gateway) for _ in range(ASKING)]
        running = [speak(gateway, 50, seed) for seed in range(4)]
        for one in running:
            one.wait(lambda heard: "text" in heard.names)
        with failing_disk(gateway.process.pid):
            wait_unready(gateway, FAILS)
            new = ask_all(asking)
            reads = [chat.messages() for chat in settled]
            time.sleep(2.0)
        again_s = ready_again(gateway)
        join_all(running)
        publish(passed("D2", f"writes fail: new messages → {REFUSED}", *refusals(new)))
        publish(passed("D2", "writes fail: reading goes on", reads == before))
        publish(passed("D2", "writes work again: answers end well", *map(is_said, running)))
        publish(timed("D2", "writes work again: until `/readyz` is 200", [again_s], 2.0))
        publish(passed("D2", "writes work again: all is as before", *_as_before(settled, before)))
        publish(passed("D2", "writes work again: answers", *map(is_said, ask_all(asking))))


@pytest.mark.timeout(300)
def test_d2_a_read_only_database(outside: Outside, tmp_path: Path, publish: Publish) -> None:
    with ended_well(tmp_path, outside) as gateway:
        before = [(chat.id, chat.messages()) for chat in settle(gateway)]
    address = f"sqlite:///file:{tmp_path / DATABASE}?mode=ro&uri=true"
    with ended_well(tmp_path, outside, storage__url=address) as gateway:
        chats = [Chat(url=gateway.url, id=name) for name, _ in before]
        read = [chat.messages() for chat in chats]
        new = ask_all(chats)
        reason = readiness(gateway)
    publish(passed("D2", "read-only: messages are read", read == [old for _, old in before]))
    publish(passed("D2", f"read-only: new messages → {REFUSED}", *refusals(new)))
    is_told = reason == (503, "the database is read-only")
    publish(passed("D2", "read-only: `/readyz` is 503 and says why", is_told))


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("what", "find"),
    [
        ("a page of one message", lambda file: page_with(file, "tyle słów tyle słów")),
        ("the first page of all conversations", lambda file: root_page(file, "conversations")),
        ("the first page of all messages", lambda file: root_page(file, "messages")),
    ],
)
def test_d2_a_damaged_page(
    outside: Outside, tmp_path: Path, publish: Publish, what: str, find: Callable[[Path], int]
) -> None:
    file = tmp_path / DATABASE
    with ended_well(tmp_path, outside) as gateway:
        before = [(chat.id, chat.messages()) for chat in settle(gateway)]
        long = named_chat(gateway)
        long.ask(f"{HELLO} {'tyle słów ' * 3_000}")
        damaged = long.messages()
    with rotten(file, find(file)), ended_well(tmp_path, outside) as gateway:
        (asked,) = ask_all([Chat(url=gateway.url, id=long.id)])
        reply = requests.get(f"{gateway.url}/api/conversations/{long.id}", timeout=PATIENCE_S)
        reason = readiness(gateway)
        others = [Chat(url=gateway.url, id=name) for name, _ in before]
        replies = [requests.get(chat.path, timeout=PATIENCE_S) for chat in others]
    publish(passed("D2", f"{what} damaged: {REFUSED}", *refusals([asked])))
    is_told = reply.status_code == 503 and reply.json()["error"]["code"] == "storage_unavailable"
    publish(passed("D2", f"{what} damaged: reading it is 503", is_told))
    publish(passed("D2", f"{what} damaged: `/readyz` is 503, why", reason == (503, DAMAGED)))
    statuses = {one.status_code for one in replies}
    is_read = statuses == ({200} if "one" in what else {503})
    publish(passed("D2", f"{what} damaged: the others", is_read))
    with ended_well(tmp_path, outside) as gateway:
        chats = [Chat(url=gateway.url, id=name) for name, _ in before]
        same = [*_as_before(chats, [messages for _, messages in before])]
        same.append(Chat(url=gateway.url, id=long.id).messages() == damaged)
    publish(passed("D2", f"{what} mended: all is as before", *same))
