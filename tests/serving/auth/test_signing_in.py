"""Sessions, passwords and guesses on a database, with a clock of the test's own."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal

import pytest
from argon2 import PasswordHasher
from scripted.keyed import ACTOR, Keyed
from scripted.stored import new_id

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.testing import ManualClock
from serving.auth.authenticator import Authenticator
from serving.auth.caller import Caller
from serving.auth.records import Account
from serving.auth.scopes import Scope
from serving.auth.signing_in.guesses import WIDE, Guess
from serving.auth.signing_in.new_passwords import NewPasswords
from serving.auth.signing_in.opening import open_sign_ins
from serving.auth.signing_in.rows import keep_password
from serving.auth.signing_in.sign_ins import SignIns
from serving.auth.signing_in.tokens import PREFIX, Session
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage.secret import Keyring, RootSecret

PASSWORD = "poprawny koń bateria zszywka"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SETTINGS = AuthSettings(guesses=3, session_s=3600.0)


@dataclass(frozen=True, kw_only=True)
class House:
    """Ala's account, the ways into it, and a worker that looks who asks."""

    keyed: Keyed
    ala: Account
    sign_ins: SignIns
    new_passwords: NewPasswords
    worker: Authenticator
    clock: ManualClock

    async def enter(self, password: str = PASSWORD, *, address: str = "192.0.2.1") -> str:
        guess = Guess(name="ala", address=address)
        return (await self.sign_ins.sign_in(guess, password)).text

    async def fail(self, name: str = "ala", address: str = "192.0.2.1") -> Refusal:
        with pytest.raises(Refusal) as caught:
            await self.sign_ins.sign_in(Guess(name=name, address=address), "źle")
        return caught.value

    async def identify(self, cookie: str, *, is_https: bool = False) -> Caller:
        return await self.worker.identify([(b"cookie", cookie.encode())], is_https=is_https)

    async def is_present(self, text: str) -> bool:
        await self.worker.refresh()
        try:
            caller = await self.identify("a=b; zwrotnica=" + text)
        except Refusal:
            return False
        return caller.account == self.ala.account_id

    async def actions(self) -> list[str]:
        return [entry.action for entry in await self.keyed.accounts.log(20)]


@pytest.fixture
async def house(keyed: Keyed, clock: ManualClock) -> House:
    ala = await keyed.accounts.add("ala", actor=ACTOR)
    made = open_sign_ins(
        SETTINGS, keyed.database, keyed.keyring, clock, new_id=new_id, hasher=CHEAP
    )
    await made.new_passwords.set(ala, PASSWORD, actor=ACTOR)
    return House(
        keyed=keyed,
        ala=ala,
        sign_ins=made.sign_ins,
        new_passwords=made.new_passwords,
        worker=keyed.authenticator(),
        clock=clock,
    )


async def test_a_password_opens_a_session_with_the_scopes_of_the_chat(house: House) -> None:
    text = await house.enter()
    await house.worker.refresh()
    caller = await house.worker.identify(
        [(b"authorization", b"Bearer " + text.encode())], is_https=False
    )
    assert (caller.name, caller.by_cookie) == ("ala", False)
    assert caller.scopes == {Scope.CHAT, Scope.IMAGES}
    assert (await house.actions())[0] == "signed_in"


async def test_administrators_are_the_members_of_a_group(house: House) -> None:
    await house.keyed.accounts.add_group("admins", actor=ACTOR)
    text = await house.enter()
    await house.worker.refresh()
    cookie = f"zwrotnica={text}"
    assert not (await house.identify(cookie)).is_admin
    await house.keyed.accounts.set_member("admins", "ala", is_member=True, actor=ACTOR)
    await house.worker.refresh()
    assert (await house.identify(cookie)).is_admin


async def test_behind_https_the_cookie_of_this_host_counts_alone(house: House) -> None:
    """Another host of the domain can plant the other one (RFC 6265bis, 4.1.3.2)."""
    own, planted = f"__Host-zwrotnica={await house.enter()}", f"zwrotnica={await house.enter()}"
    await house.worker.refresh()
    with pytest.raises(Refusal):
        await house.identify(planted, is_https=True)
    assert (await house.identify(f"{planted}; {own}", is_https=True)).name == "ala"
    assert (await house.identify("zwrotnica=x; " + own, is_https=False)).name == "ala"
    assert (await house.identify(planted, is_https=False)).name == "ala"


async def test_the_same_letters_are_the_same_password(house: House) -> None:
    await house.new_passwords.set(house.ala, "zażółć gęślą jaźń", actor=ACTOR)
    assert await house.is_present(
        await house.enter("zaz\u0307o\u0301łc\u0301 ge\u0328s\u0301la\u0328 jaz\u0301n\u0301")
    )


async def test_a_wrong_name_is_answered_as_a_wrong_password_is(house: House) -> None:
    await house.keyed.accounts.add("bez-hasla", actor=ACTOR)
    await house.keyed.accounts.add("ola", actor=ACTOR)
    ola = await house.keyed.accounts.find("ola")
    await house.new_passwords.set(ola, PASSWORD, actor=ACTOR)
    await house.keyed.accounts.set_disabled("ola", is_disabled=True, actor=ACTOR)
    said = {str(await house.fail(name)) for name in ("ala", "nikt", "bez-hasla", "ola")}
    with pytest.raises(Refusal) as caught:
        await house.sign_ins.sign_in(Guess(name="ola", address="192.0.2.1"), PASSWORD)
    assert said == {str(caught.value)}


async def test_nobodys_password_is_compared_with_a_hash_of_the_same_cost(house: House) -> None:
    compared: list[str] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002 (argon2's)
            compared.append(str(hash).rpartition("$")[0].rpartition("$")[0])
            return super().verify(hash, password)

    watched = open_sign_ins(
        SETTINGS,
        house.keyed.database,
        house.keyed.keyring,
        house.clock,
        new_id=new_id,
        hasher=Watched(time_cost=1, memory_cost=8, parallelism=1),
    )
    for name in ("ala", "nikt"):
        with pytest.raises(Refusal):
            await watched.sign_ins.sign_in(Guess(name=name, address="192.0.2.1"), "źle")
    assert compared == ["$argon2id$v=19$m=8,t=1,p=1"] * 2


@pytest.mark.parametrize("name", ["ala", "nikt"])
async def test_too_many_wrong_passwords_close_the_account_for_that_address(
    house: House, name: str
) -> None:
    codes = [(await house.fail(name)).code for _ in range(4)]
    assert codes == [ErrorCode.INVALID_API_KEY] * 3 + [ErrorCode.RATE_LIMIT_EXCEEDED]
    refused = await house.fail(name)
    assert refused.retry_after_s is not None
    assert 0 < refused.retry_after_s <= SETTINGS.guesses_s


async def test_the_right_password_is_refused_too_until_the_time_is_over(house: House) -> None:
    for _ in range(3):
        await house.fail()
    with pytest.raises(Refusal):
        await house.enter()
    assert await house.is_present(await house.enter(address="198.51.100.7"))
    house.clock.advance(SETTINGS.guesses_s)
    assert await house.is_present(await house.enter())


async def test_a_right_password_makes_up_for_wrong_ones(house: House) -> None:
    for _ in range(4):
        await house.fail()
        await house.fail()
        await house.enter()
    assert await house.is_present(await house.enter())


async def test_one_address_tries_no_more_names_than_it_may(house: House) -> None:
    codes = [(await house.fail(f"u{number}")).code for number in range(3 * WIDE + 1)]
    assert codes.count(ErrorCode.RATE_LIMIT_EXCEEDED) == 1
    assert (await house.fail("inny")).code == ErrorCode.RATE_LIMIT_EXCEEDED


async def test_addresses_of_one_ipv6_network_are_one(house: House) -> None:
    codes = [(await house.fail(address=f"2001:db8::{number}")).code for number in range(4)]
    assert codes[-1] == ErrorCode.RATE_LIMIT_EXCEEDED


async def test_a_session_ends(house: House) -> None:
    text = await house.enter()
    house.clock.advance(SETTINGS.session_s - 1)
    assert await house.is_present(text)
    house.clock.advance(1)
    assert not await house.is_present(text)


async def test_a_session_that_was_signed_out_counts_no_more_and_another_does(house: House) -> None:
    first, second = await house.enter(), await house.enter()
    await house.sign_ins.sign_out(first)
    await house.sign_ins.sign_out(first)
    assert [await house.is_present(text) for text in (first, second)] == [False, True]
    assert (await house.actions()).count("signed_out") == 1


async def test_signing_out_everywhere_ends_all_sessions_of_the_account(house: House) -> None:
    texts = [await house.enter(), await house.enter()]
    await house.sign_ins.sign_out(texts[0], everywhere=True)
    assert [await house.is_present(text) for text in texts] == [False, False]
    assert await house.is_present(await house.enter())


async def test_a_disabled_user_is_out_and_a_new_password_ends_sessions(house: House) -> None:
    text = await house.enter()
    await house.keyed.accounts.set_disabled("ala", is_disabled=True, actor=ACTOR)
    assert not await house.is_present(text)
    await house.keyed.accounts.set_disabled("ala", is_disabled=False, actor=ACTOR)
    assert await house.is_present(text)
    await house.new_passwords.set(house.ala, PASSWORD + "!", actor=ACTOR)
    assert not await house.is_present(text)


async def test_no_change_of_a_sessions_text_counts(house: House) -> None:
    text = await house.enter()
    changed = [
        text[:place] + ("0" if text[place] != "0" else "1") + text[place + 1 :]
        for place in range(len(text))
    ]
    cut = [text[:-1], text + "0", text.removeprefix(PREFIX), "", PREFIX, PREFIX + ".", "zws.ą"]
    keyring = house.keyed.keyring
    assert [one for one in (*changed, *cut) if Session.read(one, keyring)] == []
    assert Session.read(text, keyring) is not None


async def test_a_session_under_another_root_secret_is_none_of_ours(house: House) -> None:
    other = Keyring([RootSecret.from_text("x" * 32)])
    session = Session.read(await house.enter(), house.keyed.keyring)
    assert session is not None
    assert not await house.is_present(session.write(other))


async def test_a_link_sets_one_password(house: House) -> None:
    text = await house.new_passwords.make_link(house.ala, lasts=timedelta(hours=1), actor=ACTOR)
    assert (await house.new_passwords.set_by_link(text, "nowe dobre hasło")).name == "ala"
    assert await house.is_present(await house.enter("nowe dobre hasło"))
    for attempt in (text, text[:-1] + "x", "", await house.enter("nowe dobre hasło")):
        with pytest.raises(InvalidRequest) as caught:
            await house.new_passwords.set_by_link(attempt, "jeszcze inne hasło")
        assert caught.value.code == ErrorCode.NOT_FOUND


async def test_a_link_ends_with_its_time_and_with_a_disabled_account(house: House) -> None:
    hour = timedelta(hours=1)
    text = await house.new_passwords.make_link(house.ala, lasts=hour, actor=ACTOR)
    await house.keyed.accounts.set_disabled("ala", is_disabled=True, actor=ACTOR)
    with pytest.raises(InvalidRequest):
        await house.new_passwords.find_linked(text)
    await house.keyed.accounts.set_disabled("ala", is_disabled=False, actor=ACTOR)
    assert await house.new_passwords.find_linked(text) == house.ala
    house.clock.advance(hour.total_seconds())
    with pytest.raises(InvalidRequest):
        await house.new_passwords.find_linked(text)


@pytest.mark.parametrize("password", ["krótkie", "", "x" * 257])
async def test_what_cannot_be_a_password_is_refused(house: House, password: str) -> None:
    with pytest.raises(InvalidRequest):
        await house.new_passwords.set(house.ala, password, actor=ACTOR)
    assert await house.is_present(await house.enter())


async def test_a_name_is_no_password(house: House) -> None:
    long = await house.keyed.accounts.add("zygmunt.kowalski", actor=ACTOR)
    with pytest.raises(InvalidRequest, match="name"):
        await house.new_passwords.set(long, "Zygmunt.Kowalski", actor=ACTOR)


async def test_a_password_kept_with_older_parameters_is_hashed_anew(house: House) -> None:
    newer = open_sign_ins(
        SETTINGS,
        house.keyed.database,
        house.keyed.keyring,
        house.clock,
        new_id=new_id,
        hasher=PasswordHasher(time_cost=2, memory_cost=8, parallelism=1),
    )
    guess = Guess(name="ala", address="192.0.2.1")
    before = (await newer.sign_ins.check(guess, PASSWORD)).password
    after = (await newer.sign_ins.check(guess, PASSWORD)).password
    assert [kept and kept.split("$")[3] for kept in (before, after)] == [
        "m=8,t=1,p=1",
        "m=8,t=2,p=1",
    ]


async def test_a_password_hashed_anew_replaces_none_that_was_set_meanwhile(house: House) -> None:
    entrance = await house.sign_ins.check(Guess(name="ala", address="192.0.2.1"), PASSWORD)
    anew = partial(keep_password, entrance=entrance, kept=CHEAP.hash(PASSWORD))
    await house.new_passwords.set(house.ala, "nowe hasło Ali", actor=ACTOR)
    await house.keyed.database.write(anew)
    assert await house.enter("nowe hasło Ali")
    with pytest.raises(Refusal):
        await house.enter(PASSWORD)


async def test_who_knew_the_old_password_changes_none_that_was_set_meanwhile(house: House) -> None:
    entrance = await house.sign_ins.check(Guess(name="ala", address="192.0.2.1"), PASSWORD)
    await house.new_passwords.set(house.ala, "nowe hasło Ali", actor=ACTOR)
    with pytest.raises(Refusal, match="wrong"):
        await house.new_passwords.change(entrance, "hasło kogoś innego")
    assert await house.enter("nowe hasło Ali")


async def test_the_log_holds_no_password_and_no_wrong_name(house: House) -> None:
    await house.fail("haslo-w-polu-nazwy")
    text = await house.enter()
    told = str(await house.keyed.accounts.log(20))
    assert not [secret for secret in (PASSWORD, "haslo-w-polu-nazwy", text) if secret in told]
    assert "sign_in_failed" in told
