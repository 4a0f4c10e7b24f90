"""D3: the clock of a whole gateway is set back by an hour, or on by a day, while it serves."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import pytest
import requests
from scripted.databases import database_of, storage_in
from scripted.faked_clock import FakedClock
from scripted.fault_report import Figure, Publish
from scripted.gateway import wait_until
from scripted.gateway_process import serving
from scripted.held_engine import TOKENS, HeldEngine, held_engine
from scripted.keyed import ACTOR, bearing, open_keyed
from scripted.opened_ledger import rows_in, states_in
from scripted.patience import PATIENCE_S
from scripted.stored import new_id

from serving.auth.key_text import KeyText
from serving.auth.quotas import Quotas
from serving.auth.records import Limits
from serving.auth.signing_in.opening import open_sign_ins
from serving.settings import Settings

pytestmark = [pytest.mark.faults, pytest.mark.parts]

WARSAW = ZoneInfo("Europe/Warsaw")
BACK, ON = timedelta(hours=-1), timedelta(days=1)
LASTING, ENDING = "lasting", "ending"
PASSWORD = "poprawny koń bateria zszywka"
A_MINUTE = 5


class Scene:
    """A gateway at noon of tomorrow in Warsaw, its engine, and keys of those who ask it."""

    def __init__(self, folder: Path, clock: FakedClock, engine: HeldEngine) -> None:
        self.folder = folder
        self.clock = clock
        self.engine = engine
        self.url = ""
        self.keys: dict[str, str] = {}
        self._settings = Settings(data_dir=folder, storage=storage_in(folder))

    async def prepare(self) -> None:
        async with open_keyed(self._settings) as keyed:
            for name in ("ala", "ewa", LASTING):
                self.keys[name] = (await keyed.key(name)).text.whole
            ends = self.clock.now() + timedelta(minutes=30)
            self.keys[ENDING] = (await keyed.key(ENDING, expires_at=ends)).text.whole
            fast = Limits(quotas=Quotas(requests_per_minute=A_MINUTE))
            much = Limits(quotas=Quotas(tokens_per_day=100))
            await keyed.accounts.limit("ala", lambda _: fast, actor=ACTOR)
            await keyed.accounts.limit("ewa", lambda _: much, actor=ACTOR)
            made = open_sign_ins(
                self._settings.auth, keyed.database, keyed.keyring, keyed.clock, new_id=new_id
            )
            account = await keyed.accounts.find(LASTING)
            await made.new_passwords.set(account, PASSWORD, actor=ACTOR)

    def say(self, who: str) -> requests.Response:
        body = {"model": "bielik", "messages": [{"role": "user", "content": "Cześć!"}]}
        return requests.post(
            f"{self.url}/v1/chat/completions",
            json={**body, "stream": True, "max_tokens": TOKENS},
            headers=bearing(self.keys[who]),
            timeout=PATIENCE_S,
        )

    def say_until_refused(self, who: str) -> requests.Response:
        replies = (self.say(who) for _ in range(20))
        return next(reply for reply in replies if reply.status_code != 200)

    def sign_in(self) -> str:
        reply = requests.post(
            f"{self.url}/sign-in",
            data={"name": LASTING, "password": PASSWORD},
            headers={"origin": self.url},
            allow_redirects=False,
            timeout=PATIENCE_S,
        )
        return f"zwrotnica={reply.cookies['zwrotnica']}"

    def me(self, **headers: str) -> int:
        reply = requests.get(f"{self.url}/api/me", headers=headers, timeout=PATIENCE_S)
        return reply.status_code

    async def revoke(self, who: str) -> None:
        text = KeyText.read(self.keys[who])
        assert text is not None
        async with open_keyed(self._settings) as keyed:
            await keyed.keys.revoke(text.key_id, actor=ACTOR)


@pytest.fixture
def scene(any_folder: Path) -> Iterator[Scene]:
    tomorrow = datetime.now(WARSAW).date() + timedelta(days=1)
    clock = FakedClock(any_folder, begins=datetime.combine(tomorrow, time(12), tzinfo=WARSAW))
    with ExitStack() as stack:
        engine = stack.enter_context(held_engine())
        made = Scene(any_folder, clock, engine)
        anyio.run(made.prepare)
        environ = {**clock.environ, **engine.environ(any_folder)}
        made.url = stack.enter_context(serving(any_folder, environ)).url
        yield made


def jump_in_mid_answer(scene: Scene, jump: timedelta) -> dict[str, bool]:
    """Set the clock while an answer runs; what became of it."""
    with ThreadPoolExecutor(1) as pool:
        scene.engine.hold()
        running = pool.submit(scene.say, LASTING)
        wait_until(lambda: states_in(scene.folder).get("reserved") == 1)
        scene.clock.jump(jump)
        is_served = scene.me(**bearing(scene.keys[LASTING])) == 200
        is_left_alone = states_in(scene.folder)["reserved"] == 1
        scene.engine.go_on()
        is_whole = running.result().text.endswith("data: [DONE]\n\n")
    return {
        "others are served": is_served,
        "a running answer is not taken for left behind": is_left_alone,
        "a running answer ends well": is_whole,
    }


def look_after(scene: Scene, session: str, *, is_on: bool) -> dict[str, bool]:
    """What goes by monotonic time, and what has a date and follows the clock."""
    refused = scene.say("ala")  # one comes back each twelve seconds, whatever the clock shows
    seconds = int(refused.headers.get("retry-after", "12"))
    return {
        "a limit of a minute": (refused.status_code, 0 < seconds <= 12)
        in {(429, True), (200, True)}
        and scene.say("ala").status_code == 429,
        "a day's budget": scene.say("ewa").status_code == (200 if is_on else 429),
        "a key's end": scene.me(**bearing(scene.keys[ENDING])) == (401 if is_on else 200),
        "a session's end": scene.me(cookie=session) == (401 if is_on else 200),
        "signing in": scene.me(cookie=scene.sign_in()) == 200,
    }


@pytest.mark.parametrize("jump", [BACK, ON], ids=["an hour back", "a day on"])
def test_d3_timers_limits_and_the_ledger_go_on_and_dates_follow_the_clock(
    scene: Scene, publish: Publish, jump: timedelta
) -> None:
    session = scene.sign_in()
    assert scene.say(ENDING).status_code == 200
    assert scene.me(cookie=session) == 200
    assert scene.say_until_refused("ala").json()["error"]["code"] == "rate_limit_exceeded"
    assert scene.say_until_refused("ewa").json()["error"]["code"] == "budget_exceeded"

    found = jump_in_mid_answer(scene, jump) | look_after(scene, session, is_on=jump == ON)
    anyio.run(scene.revoke, LASTING)
    wait_until(lambda: scene.me(**bearing(scene.keys[LASTING])) == 401)
    wait_until(lambda: "reserved" not in states_in(scene.folder))
    rows = rows_in(scene.folder).requests.values()
    right = [row["state"] == "settled" and row["charged"] == TOKENS for row in rows]

    assert [what for what, is_right in found.items() if not is_right] == []
    where = f"{database_of(scene.folder)}, {'a day on' if jump == ON else 'an hour back'}"
    what = f"{where}: limits, budgets, keys, sessions, a running answer"
    publish(Figure(case="D3", what=what, n=len(found), passed=sum(found.values())))
    what = f"{where}: requests settled once, by what they used (I1, I2)"
    publish(Figure(case="D3", what=what, n=len(right), passed=sum(right)))
