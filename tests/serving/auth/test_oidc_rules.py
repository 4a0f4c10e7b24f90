"""Who may come in by a provider, as whom, and which provider is believed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import anyio
import pytest
import requests
from anyio import to_thread
from joserfc.jwk import ECKey
from pydantic import SecretStr
from scripted.keyed import ACTOR, Keyed
from scripted.oidc_provider import CLIENT, SECRET, ScriptedProvider
from scripted.patience import PATIENCE_S
from scripted.service import Asked, Reply, ScriptedService
from scripted.stored import new_id
from scripted.tables import every_row

from chatbot.testing import ManualClock
from serving.auth.oidc.attempt import LASTS, Attempt
from serving.auth.oidc.claims import Somebody
from serving.auth.oidc.errors import NotAdmitted, OidcRefused, ProviderUnavailable
from serving.auth.oidc.fetching import Fetcher, check_address
from serving.auth.oidc.identities import Identities
from serving.auth.oidc.provider import FRESH_S, Provider
from serving.clock import SystemClock
from serving.settings import Settings
from serving.settings.oidc import OidcSettings
from serving.storage import load_keyring

BACK = "http://127.0.0.1/back"
CLAIMS = {"iss": "https://id.example", "sub": "7", "preferred_username": "ala"}
SETTINGS = OidcSettings(issuer="https://id.example", client_id=CLIENT, admitted=("kadra",))


@pytest.mark.parametrize("groups", [["kadra", "x"], "kadra"])
def test_one_group_of_those_admitted_is_enough(groups: object) -> None:
    assert Somebody.read(CLAIMS | {"groups": groups}, SETTINGS).name == "ala"


@every_row("groups", [["x"], [], None, 7, {"kadra": 1}, [["kadra"]], "kadra2"])
def test_without_an_admitted_group_nobody_comes_in(groups: object) -> None:
    with pytest.raises(NotAdmitted):
        Somebody.read(CLAIMS | {"groups": groups}, SETTINGS)


async def settle(keyed: Keyed, settings: OidcSettings, **claims: str) -> str:
    somebody = Somebody.read(CLAIMS | {"groups": "kadra"} | claims, settings)
    entrance = await keyed.database.write(
        lambda connection: Identities(
            connection=connection, settings=settings, new_id=new_id, now=keyed.clock.now()
        ).settle(somebody)
    )
    return entrance.account.account_id


async def test_who_is_here_already_is_adopted_only_where_that_is_wanted(keyed: Keyed) -> None:
    ala = await keyed.accounts.add("ala", actor=ACTOR)
    with pytest.raises(OidcRefused):
        await settle(keyed, SETTINGS)
    adopting = SETTINGS.model_copy(update={"adopt": True})
    assert await settle(keyed, adopting) == ala.account_id


async def test_the_subject_is_who_it_is_and_not_the_name(keyed: Keyed) -> None:
    first = await settle(keyed, SETTINGS)
    assert await settle(keyed, SETTINGS, preferred_username="ola") == first
    with pytest.raises(OidcRefused):
        await settle(keyed, SETTINGS, sub="8")
    with pytest.raises(OidcRefused):
        await settle(keyed, SETTINGS, iss="https://other.example")


@every_row(
    "address", ["http://id.example/keys", "ftp://id.example", "https://", "file:///etc", None, 7]
)
def test_what_the_provider_names_has_to_be_https(address: object) -> None:
    with pytest.raises(ProviderUnavailable):
        check_address(address, what="keys")


async def test_a_provider_under_another_name_is_not_believed(
    keyed: Keyed, clock: ManualClock
) -> None:
    with ScriptedProvider() as scripted:
        scripted.wrong_issuer = True
        settings = OidcSettings(issuer=scripted.url, client_id=CLIENT)
        provider = Provider(settings, keyring=keyed.keyring, clock=clock)
        attempt = Attempt.make(onward="/", now=clock.now(), keyring=keyed.keyring)
        with pytest.raises(ProviderUnavailable, match="try again"):
            await provider.address_of(attempt, back="http://127.0.0.1/back")


async def test_an_attempt_is_kept_whole_and_none_is_like_another(
    keyed: Keyed, clock: ManualClock
) -> None:
    one, other = (
        Attempt.make(onward="/en?ą=1", now=clock.now(), keyring=keyed.keyring) for _ in range(2)
    )
    kept = Attempt.read(one.write(keyed.keyring), keyed.keyring)
    assert kept == one
    assert one.ends_at <= clock.now() + LASTS
    secrets = {
        text
        for attempt in (one, other)
        for text in (attempt.verifier(keyed.keyring), attempt.nonce(keyed.keyring), attempt.state)
    }
    assert len(secrets) == 6
    assert Attempt.read(one.write(keyed.keyring)[:-1] + "g", keyed.keyring) is None


def test_an_issuer_needs_a_client_and_the_scope_openid() -> None:
    for wrong in ({}, {"client_id": CLIENT, "scopes": ("email",)}):
        with pytest.raises(ValueError, match=r"client_id|openid"):
            OidcSettings.model_validate({"issuer": "https://id.example", **wrong})


RSA = {"kty": "RSA", "kid": "odd", "use": "sig", "n": "AQAB", "e": "AQAB"}
EC = {"kty": "EC", "kid": "odd", "crv": "P-256", "x": "AQ", "y": "AQ"}
UNREADABLE: tuple[object, ...] = (
    7,
    {"kid": "without a kind"},
    {"kty": "AKP", "kid": "of tomorrow", "alg": "ML-DSA-44", "pub": "AQ"},
    RSA | {"kty": ["RSA"]},
    RSA | {"n": "no base64!"},
    RSA | {"n": ""},
    RSA | {"n": None},
    RSA | {"use": "x", "key_ops": ["verify"]},
    EC,
    EC | {"crv": "P-1024"},
    {"kty": "OKP", "kid": "on a curve of others", "crv": "P-256", "x": "AQ"},
)


class Visitor:
    """Whoever signs in by a provider of which this server knows nothing yet."""

    def __init__(self, scripted: ScriptedProvider, folder: Path) -> None:
        secret = SecretStr(SECRET)
        settings = OidcSettings(issuer=scripted.url, client_id=CLIENT, client_secret=secret)
        self.keyring = load_keyring(Settings(data_dir=folder), folder)
        self.clock = ManualClock(time=datetime.now(UTC))
        self.provider = Provider(settings, keyring=self.keyring, clock=self.clock)

    async def enter(self) -> object:
        attempt = Attempt.make(onward="/", now=self.clock.now(), keyring=self.keyring)
        page = await self.provider.address_of(attempt, back=BACK)
        ask = partial(requests.get, page, allow_redirects=False, timeout=PATIENCE_S)
        reply = await to_thread.run_sync(ask)
        code = dict(parse_qsl(urlsplit(reply.headers["location"]).query))["code"]
        return (await self.provider.claims_of(code, attempt, back=BACK))["sub"]


@pytest.fixture
def scripted() -> Iterator[ScriptedProvider]:
    with ScriptedProvider() as provider:
        yield provider


@pytest.fixture
def visitor(scripted: ScriptedProvider, tmp_path: Path) -> Visitor:
    return Visitor(scripted, tmp_path)


async def test_keys_that_cannot_be_read_keep_nobody_out(
    scripted: ScriptedProvider, visitor: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.listed = [*UNREADABLE, *scripted.own_keys()]
    scripted.changed = {"exp": int(visitor.clock.now().timestamp() + 2 * FRESH_S)}
    for _ in range(2):
        assert await visitor.enter() == scripted.person["sub"]
        visitor.clock.advance(FRESH_S + 1)
    assert [asked.path for asked in scripted.requests].count("/keys") == 2
    (told,) = [record for record in caplog.records if record.message == "oidc_keys_unreadable"]
    assert {"'of tomorrow'", "'on a curve of others'"} < set(vars(told)["keys"])


async def test_without_a_key_that_can_be_read_nobody_comes_in(
    scripted: ScriptedProvider, visitor: Visitor
) -> None:
    scripted.listed = [*UNREADABLE]
    with pytest.raises(ProviderUnavailable) as refused:
        await visitor.enter()
    assert refused.value.reason == "none of the provider's keys can be read"


@pytest.mark.parametrize("fault", ["silent", "drip", "drip_headers"])
async def test_a_provider_that_is_too_slow_is_cut(scripted: ScriptedProvider, fault: str) -> None:
    scripted.fault = fault
    fetcher = Fetcher(clock=SystemClock(), threads=1, limit_s=0.3)
    for _ in range(2):
        with anyio.fail_after(PATIENCE_S), pytest.raises(ProviderUnavailable):
            await fetcher.get(scripted.url)
    with anyio.fail_after(PATIENCE_S):
        while scripted.open_requests:  # noqa: ASYNC110 - the provider has threads of its own
            await anyio.sleep(0.01)


class Nested(ScriptedService):
    """Answers with brackets in brackets, as deep as the reply may be long."""

    def answer(self, asked: Asked) -> Reply:
        return Reply(body=b"[" * 200_000)


async def test_a_reply_without_an_end_of_its_depth_is_refused() -> None:
    with Nested() as nested, pytest.raises(ProviderUnavailable):
        await Fetcher(clock=SystemClock()).get(nested.url)


async def test_of_keys_of_one_name_that_of_the_tokens_kind_is_used(
    scripted: ScriptedProvider, visitor: Visitor
) -> None:
    other = ECKey.generate_key("P-256", {"kid": str(scripted.key.kid)})
    scripted.listed = [other.as_dict(private=False), *scripted.own_keys()]
    assert await visitor.enter() == scripted.person["sub"]
