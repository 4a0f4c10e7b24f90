from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeAlias

import pytest
from scripted.keyed import ACTOR, Keyed, bearing
from scripted.stored import new_id

from serving.auth.accounts import Accounts
from serving.auth.authenticator import Authenticator
from serving.auth.caller import EVERYONE, Caller
from serving.auth.opening import open_authenticator
from serving.auth.scopes import ALL
from serving.http.errors import Refusal
from serving.settings import Settings, SettingsError

Opening: TypeAlias = AbstractAsyncContextManager[Authenticator]
KEY = "zw_0123456789abcdef_" + "0a" * 24


async def ask(authenticator: Authenticator, key: str) -> Caller:
    sent = [(name.encode(), value.encode()) for name, value in bearing(key).items()]
    return await authenticator.identify(sent, is_https=False)


def opening(keyed: Keyed, folder: Path, host: str = "127.0.0.1", **auth: object) -> Opening:
    settings = Settings.model_validate({"data_dir": folder, "host": host, "auth": auth})
    accounts = Accounts(keyed.database, clock=keyed.clock, new_id=new_id)
    return open_authenticator(
        settings, keyed.database, keyring=keyed.keyring, clock=keyed.clock, accounts=accounts
    )


async def test_the_first_key_comes_from_the_settings(keyed: Keyed, tmp_path: Path) -> None:
    async with opening(keyed, tmp_path, bootstrap_key=KEY) as authenticator:
        caller = await ask(authenticator, KEY)
    assert (caller.account, caller.scopes) == ("local", ALL)


async def test_a_revoked_first_key_does_not_come_back(keyed: Keyed, tmp_path: Path) -> None:
    for _ in range(2):
        async with opening(keyed, tmp_path, bootstrap_key=KEY):
            pass
    (key,) = await keyed.keys.list()
    await keyed.keys.revoke(key.key_id, actor=ACTOR)
    async with opening(keyed, tmp_path, bootstrap_key=KEY) as authenticator:
        with pytest.raises(Refusal):
            await ask(authenticator, KEY)


async def test_what_is_no_key_stops_the_start(keyed: Keyed, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="bootstrap_key must be"):
        async with opening(keyed, tmp_path, bootstrap_key="x"):
            pass


@pytest.mark.parametrize(
    ("host", "required", "is_open"),
    [("127.0.0.1", False, True), ("127.0.0.1", True, False), ("::", False, False)],
)
async def test_only_a_loopback_without_keys_is_open(
    keyed: Keyed, tmp_path: Path, host: str, *, required: bool, is_open: bool
) -> None:
    async with opening(keyed, tmp_path, host, required=required) as authenticator:
        assert authenticator.is_open == is_open


async def test_who_used_a_key_is_written_down_at_the_end(keyed: Keyed, tmp_path: Path) -> None:
    async with opening(keyed, tmp_path) as authenticator:
        assert await ask(authenticator, KEY) is EVERYONE
    async with opening(keyed, tmp_path, bootstrap_key=KEY) as authenticator:
        await ask(authenticator, KEY)
    assert [key.last_used_at for key in await keyed.keys.list()] == [keyed.clock.now()]
