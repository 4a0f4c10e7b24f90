"""Two processes that know a key, and how long they go on to after it was revoked."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import anyio
from scripted.databases import storage_in
from scripted.keyed import ACTOR, make_keys, open_keyed
from scripted.slowness import measure_slowness

from serving.auth.key_text import KeyText
from serving.auth.scopes import ALL
from serving.settings import Settings

LIMIT_S = 2.0
PROCESS = """
import anyio, sys, time
from pathlib import Path
from scripted.databases import storage_in
from serving.auth.accounts import Accounts
from serving.auth.opening import open_authenticator
from serving.clock import SystemClock
from serving.http.errors import Refusal
from serving.settings import Settings
from serving.storage import load_keyring
from serving.storage.database import open_database

async def main():
    folder, clock = Path(sys.argv[1]), SystemClock()
    settings = Settings(data_dir=folder, storage=storage_in(folder))
    headers = [(b"authorization", b"Bearer " + sys.argv[2].encode())]
    keyring = load_keyring(settings, settings.data_dir)
    async with open_database(settings.storage, settings.data_dir) as database:
        accounts = Accounts(database, clock=clock, new_id=str)
        async with open_authenticator(
            settings, database, keyring=keyring, clock=clock, accounts=accounts
        ) as authenticator:
            await authenticator.identify(headers, is_https=False)
            print("known", flush=True)
            while True:
                try:
                    await authenticator.identify(headers, is_https=False)
                except Refusal:
                    print(time.monotonic(), flush=True)
                    return
                await anyio.sleep(0.01)

anyio.run(main)
"""


def line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


def test_a_revoked_key_counts_in_no_process_after_two_seconds(any_folder: Path) -> None:
    settings = Settings(data_dir=any_folder, storage=storage_in(any_folder))
    whole = make_keys(settings, ala=ALL)["ala"]
    text = KeyText.read(whole)
    assert text is not None
    words = (sys.executable, "-c", PROCESS, str(any_folder), whole)

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    async def revoke() -> None:
        async with open_keyed(settings) as keyed:
            await keyed.keys.revoke(text.key_id, actor=ACTOR)

    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(words, stdout=subprocess.PIPE, env=environment, encoding="utf-8")
            )
            for _ in range(2)
        ]
        assert [line(process.stdout) for process in processes] == ["known"] * 2
        anyio.run(revoke)
        revoked_at = time.monotonic()
        late = [float(line(process.stdout)) - revoked_at for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert max(late) <= LIMIT_S * measure_slowness()
