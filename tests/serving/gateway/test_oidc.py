"""Signing in by a scripted OpenID Connect provider, as a browser goes through it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, quote_plus, urlsplit

import anyio
import pytest
import requests
from pydantic import SecretStr
from scripted.gateway import Backstage, RunningGateway, running_gateway, wait_until
from scripted.keyed import ACTOR, open_keyed
from scripted.oidc_provider import (
    CLIENT,
    SECRET,
    ScriptedProvider,
    Sign,
    leave_unsigned,
    sign,
    sign_with_other_key,
    sign_with_public_key,
)
from scripted.patience import PATIENCE_S

from serving.auth.records import AuditEntry
from serving.settings import AuthSettings, LimitsSettings, Settings
from serving.settings.oidc import OidcSettings
from serving.storage.sqlite import FILE_NAME

CALLBACK = "/sign-in/oidc/callback"


@dataclass(kw_only=True)
class Browser:
    """One browser with its cookies; `go` follows nothing by itself."""

    gateway: RunningGateway
    session: requests.Session = field(default_factory=requests.Session)

    def go(self, url: str) -> requests.Response:
        url = self.gateway.url + url if url.startswith("/") else url
        return self.session.get(url, allow_redirects=False, timeout=PATIENCE_S)

    def leave(self, onward: str = "/") -> str:
        """Away to the provider; gives the address by which it sends back."""
        away = self.go(f"/sign-in/oidc?next={onward}")
        assert away.status_code == 303
        return self.go(away.headers["location"]).headers["location"]

    def enter(self) -> requests.Response:
        return self.go(self.leave())

    def me(self) -> dict[str, object]:
        found: dict[str, object] = self.go("/api/me").json()
        return found

    @property
    def is_in(self) -> bool:
        return self.go("/api/me").status_code == 200


@dataclass(frozen=True, kw_only=True)
class Site:
    """A gateway and the provider that it asks."""

    gateway: RunningGateway
    provider: ScriptedProvider
    settings: Settings

    def browser(self) -> Browser:
        return Browser(gateway=self.gateway)

    def log(self) -> tuple[AuditEntry, ...]:
        async def read() -> tuple[AuditEntry, ...]:
            async with open_keyed(self.settings) as keyed:
                return await keyed.accounts.log(500)

        return anyio.run(read)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("oidc")
    (folder / FILE_NAME).write_bytes(empty_database)
    with ScriptedProvider() as provider:
        oidc = OidcSettings(
            issuer=provider.url,
            client_id=CLIENT,
            client_secret=SecretStr(SECRET),
            label="Uczelnia",
            groups={"kadra": "staff", "it": "admins"},
        )
        settings = Settings(
            data_dir=folder,
            limits=LimitsSettings(heartbeat_s=0.2),
            auth=AuthSettings(oidc=oidc, poll_s=0.05),
        )
        with running_gateway(settings, Backstage()) as gateway:
            yield Site(gateway=gateway, provider=provider, settings=settings)


@pytest.fixture
def site(running: Site) -> Site:
    provider = running.provider
    provider.person = {"sub": "248289761001", "preferred_username": "jan.kowalski"}
    provider.changed, provider.sign, provider.fault = {}, sign, None
    return running


def test_a_provider_closes_the_server(site: Site) -> None:
    assert site.browser().go("/api/me").status_code == 401
    assert "Zaloguj się przez: Uczelnia" in site.browser().go("/sign-in").text


def test_whom_the_provider_knows_comes_in_and_goes_on(site: Site) -> None:
    browser = site.browser()
    reply = browser.go(browser.leave("/docs"))
    assert (reply.status_code, reply.headers["location"]) == (303, "/docs")
    assert browser.me()["name"] == "jan.kowalski"
    again = site.browser()
    again.enter()
    assert again.me()["account"] == browser.me()["account"]


def test_who_has_no_password_is_offered_none_to_change(site: Site) -> None:
    browser = site.browser()
    browser.enter()
    page = browser.go("/account").text
    assert "Wyloguj się" in page
    assert "Zmień hasło" not in page


def test_what_is_sent_to_the_provider_holds_no_secret_of_the_attempt(site: Site) -> None:
    browser = site.browser()
    browser.leave()
    asked = site.provider.asked
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["state"]) >= 32
    assert asked["nonce"] not in str(browser.session.cookies)
    assert asked["redirect_uri"] == f"{site.gateway.url}{CALLBACK}"


def test_groups_are_those_of_the_claim_at_each_sign_in(site: Site) -> None:
    browser = site.browser()
    site.provider.person |= {"sub": "g", "preferred_username": "grupowa"}
    for listed, groups in (
        (["kadra", "obca"], ["staff"]),
        (["it", "kadra"], ["admins", "staff"]),
        ("it", ["admins"]),
        (None, []),
    ):
        site.provider.changed = {"groups": listed}
        browser.enter()
        wait_until(partial(belongs_to, browser, groups))
        assert ("admin" in str(browser.me()["scopes"])) == ("admins" in groups)


def belongs_to(browser: Browser, groups: list[str]) -> bool:
    return browser.me()["groups"] == groups


NOW = int(time.time())


@pytest.mark.parametrize(
    "changed",
    [
        {"nonce": "other"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another-client"]},
        {"aud": [CLIENT, "another-client"], "azp": "another-client"},
        {"aud": None},
        {"exp": NOW - 3600},
        {"exp": None},
        {"iat": NOW + 3600},
        {"nbf": NOW + 3600},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"sub": None},
        {"exp": "tomorrow"},
    ],
    ids=[  # times would differ from process to process
        "other nonce",
        "no nonce",
        "other audience",
        "two audiences",
        "other authorized party",
        "no audience",
        "ended",
        "no end",
        "of the future",
        "not yet",
        "other issuer",
        "no issuer",
        "nobody",
        "no time",
    ],
)
def test_a_token_that_is_not_for_us_now_lets_nobody_in(
    site: Site, changed: dict[str, object]
) -> None:
    site.provider.changed = changed
    browser = site.browser()
    assert browser.enter().status_code == 403
    assert not browser.is_in


@pytest.mark.parametrize(
    "forge", [leave_unsigned, sign_with_public_key, sign_with_other_key, lambda *_: "a.b.c"]
)
def test_a_token_that_the_provider_did_not_sign_lets_nobody_in(site: Site, forge: Sign) -> None:
    site.provider.sign = forge
    browser = site.browser()
    assert browser.enter().status_code == 403
    assert not browser.is_in
    failed = next(entry for entry in site.log() if entry.action == "sign_in_failed")
    assert str(failed.details["reason"]).startswith("the ID token")


def test_a_reply_counts_once(site: Site) -> None:
    browser = site.browser()
    back = browser.leave()
    kept = dict(browser.session.cookies)
    assert browser.go(back).status_code == 303
    thief = Browser(gateway=site.gateway)
    thief.session.cookies.update({name: text for name, text in kept.items() if "oidc" in name})
    assert thief.go(back).status_code == 403
    assert not thief.is_in


def test_a_state_cannot_be_used_with_another_code(site: Site) -> None:
    browser = site.browser()
    first = dict(parse_qsl(urlsplit(browser.leave()).query))
    kept = dict(browser.session.cookies)
    assert browser.go(f"{CALLBACK}?state={first['state']}&code=wrong").status_code == 403
    browser.session.cookies.update(kept)
    assert browser.go(f"{CALLBACK}?state={first['state']}&code={first['code']}").status_code == 403


def test_a_reply_in_another_browser_lets_nobody_in(site: Site) -> None:
    """Nobody can have somebody sign in as themselves."""
    attacker, victim = site.browser(), site.browser()
    back = attacker.leave()
    assert victim.go(back).status_code == 403
    victim.leave()
    assert victim.go(back).status_code == 403
    assert not victim.is_in


def test_behind_https_no_attempt_counts_that_another_host_can_plant(site: Site) -> None:
    """Else it could have somebody sign in as themselves."""
    browser = site.browser()
    browser.session.headers["x-forwarded-proto"] = "https"
    browser.leave()
    set_cookie = next(cookie for cookie in browser.session.cookies if "oidc" in cookie.name)
    assert (set_cookie.name, set_cookie.path, set_cookie.secure) == (
        "__Host-zwrotnica-oidc",
        "/",
        True,
    )
    state = str(set_cookie.value).split(".")[1]

    def come_back(name: str) -> None:
        victim = site.browser()
        victim.session.headers["x-forwarded-proto"] = "https"
        victim.session.headers["cookie"] = f"{name}={set_cookie.value}"
        victim.go(f"{CALLBACK}?state={state}&error=access_denied")

    before = site.log()
    come_back("zwrotnica-oidc")
    assert site.log() == before
    come_back("__Host-zwrotnica-oidc")
    assert site.log()[0].details["reason"] == "the provider gave no code"


def test_the_provider_refuses_a_code_without_its_verifier(site: Site) -> None:
    back = dict(parse_qsl(urlsplit(site.browser().leave()).query))
    form = {
        "grant_type": "authorization_code",
        "code": back["code"],
        "redirect_uri": f"{site.gateway.url}{CALLBACK}",
    }
    refused = requests.post(
        f"{site.provider.url}/token",
        data=form,
        auth=(CLIENT, quote_plus(SECRET)),
        timeout=PATIENCE_S,
    )
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")


def test_a_code_of_another_attempt_lets_nobody_in(site: Site) -> None:
    """Its challenge is not that of our verifier (RFC 7636)."""
    victim, attacker = site.browser(), site.browser()
    stolen = dict(parse_qsl(urlsplit(victim.leave()).query))["code"]
    own = dict(parse_qsl(urlsplit(attacker.leave()).query))
    assert attacker.go(f"{CALLBACK}?state={own['state']}&code={stolen}").status_code == 403
    assert not attacker.is_in


@pytest.mark.parametrize("query", ["", "?error=access_denied", "?code=x", "?state=x&code=x"])
def test_what_is_no_reply_lets_nobody_in(site: Site, query: str) -> None:
    browser = site.browser()
    browser.leave()
    reply = browser.go(CALLBACK + query)
    assert (reply.status_code, "nie powiodło się" in reply.text) == (403, True)


def test_the_log_of_changes_grows_by_attempts_that_began_here_alone(site: Site) -> None:
    browser = site.browser()
    own = dict(parse_qsl(urlsplit(browser.leave()).query))
    kept = dict(browser.session.cookies)
    before = len(site.log())
    for query in ("?state=x&code=y", "?error=access_denied", ""):
        assert site.browser().go(CALLBACK + query).status_code == 403
        browser.session.cookies.update(kept)
        assert browser.go(CALLBACK + query).status_code == 403
    assert len(site.log()) == before
    for _ in range(3):
        browser.session.cookies.update(kept)
        assert browser.go(f"{CALLBACK}?state={own['state']}&code=wrong").status_code == 403
    assert [entry.action for entry in site.log()[: len(site.log()) - before]] == ["sign_in_failed"]


def test_a_reply_that_names_another_provider_is_refused(site: Site) -> None:
    browser = site.browser()
    own = dict(parse_qsl(urlsplit(browser.leave()).query)) | {"iss": "https://evil.example"}
    query = "&".join(f"{name}={value}" for name, value in own.items())
    assert browser.go(f"{CALLBACK}?{query}").status_code == 403


def test_new_keys_of_the_provider_are_asked_for(site: Site) -> None:
    site.browser().enter()
    site.provider.renew_key()
    browser = site.browser()
    browser.enter()
    assert browser.is_in


@pytest.mark.parametrize("name", ["local", "a b", "", "x" * 129, None, 7])
def test_a_name_that_cannot_be_one_is_refused(site: Site, name: object) -> None:
    site.provider.person = {"sub": f"name {name}", "preferred_username": name}
    assert site.browser().enter().status_code == 403


def test_a_user_who_is_here_already_is_not_taken_over(site: Site) -> None:
    async def add() -> None:
        async with open_keyed(site.settings) as keyed:
            await keyed.accounts.add("dyrektor", actor=ACTOR)

    anyio.run(add)
    site.provider.person = {"sub": "1", "preferred_username": "dyrektor"}
    assert site.browser().enter().status_code == 403


def test_a_disabled_user_does_not_come_in(site: Site) -> None:
    site.provider.person = {"sub": "2", "preferred_username": "byly"}
    site.browser().enter()

    async def disable() -> None:
        async with open_keyed(site.settings) as keyed:
            await keyed.accounts.set_disabled("byly", is_disabled=True, actor=ACTOR)

    anyio.run(disable)
    reply = site.browser().enter()
    assert (reply.status_code, "nie ma wstępu" in reply.text) == (403, True)


@pytest.mark.parametrize("fault", ["503", "html", "close", "huge"])
def test_a_provider_that_fails_is_told(site: Site, fault: str) -> None:
    browser = site.browser()
    back = browser.leave()
    site.provider.fault = fault
    reply = browser.go(back)
    assert (reply.status_code, "nie odpowiada" in reply.text) == (503, True)
    assert not browser.is_in


def test_nothing_of_a_sign_in_is_in_the_log(site: Site) -> None:
    browser = site.browser()
    back = browser.leave()
    browser.go(back)
    code = dict(parse_qsl(urlsplit(back).query))["code"]
    told = str(site.log())
    assert not [text for text in (code, SECRET, "eyJ") if text in told]
