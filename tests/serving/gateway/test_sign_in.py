"""The sign-in pages of a gateway as a browser without scripts uses them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
import pytest
import requests
from scripted.gateway import Backstage, RunningGateway, running_gateway, wait_until
from scripted.keyed import ACTOR, bearing, make_keys, open_keyed
from scripted.patience import PATIENCE_S
from scripted.stored import new_id

from serving.auth.scopes import ALL
from serving.auth.signing_in.opening import open_sign_ins
from serving.settings import AuthSettings, LimitsSettings, Settings
from serving.storage.sqlite import FILE_NAME

PASSWORD = "poprawny koń bateria zszywka"


@dataclass(frozen=True, kw_only=True)
class Site:
    """A gateway where Ala has a password and Ola another."""

    gateway: RunningGateway
    settings: Settings
    key: str

    def get(self, path: str, cookie: str = "", **headers: str) -> requests.Response:
        sent = {**headers, "cookie": f"zwrotnica={cookie}"} if cookie else headers
        url = self.gateway.url + path
        return requests.get(url, headers=sent, allow_redirects=False, timeout=PATIENCE_S)

    def post(
        self, path: str, cookie: str = "", origin: str = "", **fields: str
    ) -> requests.Response:
        headers = {"origin": origin or self.gateway.url}
        headers |= {"cookie": f"zwrotnica={cookie}"} if cookie else {}
        url = self.gateway.url + path
        return requests.post(
            url, data=fields, headers=headers, allow_redirects=False, timeout=PATIENCE_S
        )

    def enter(self, name: str = "ala") -> str:
        reply = self.post("/sign-in", name=name, password=PASSWORD)
        assert reply.status_code == 303
        return str(reply.cookies["zwrotnica"])

    def link(self, name: str) -> str:
        async def make() -> str:
            async with open_keyed(self.settings) as keyed:
                made = open_sign_ins(
                    self.settings.auth, keyed.database, keyed.keyring, keyed.clock, new_id=new_id
                )
                account = await keyed.accounts.find(name)
                return await made.new_passwords.make_link(
                    account, lasts=timedelta(hours=1), actor=ACTOR
                )

        return anyio.run(make)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("site")
    (folder / FILE_NAME).write_bytes(empty_database)
    settings = Settings(
        data_dir=folder,
        limits=LimitsSettings(heartbeat_s=0.2),
        auth=AuthSettings(guesses=50, password_mib=1),
    )
    key = make_keys(settings, szef=ALL)["szef"]
    anyio.run(give_passwords, settings, "ala", "ola")
    with running_gateway(settings, Backstage()) as gateway:
        yield Site(gateway=gateway, settings=settings, key=key)


async def give_passwords(settings: Settings, *names: str) -> None:
    async with open_keyed(settings) as keyed:
        made = open_sign_ins(
            settings.auth, keyed.database, keyed.keyring, keyed.clock, new_id=new_id
        )
        for name in names:
            account = await keyed.accounts.add(name, actor=ACTOR)
            await made.new_passwords.set(account, PASSWORD, actor=ACTOR)


def test_the_form_is_polish_unless_english_is_wanted(site: Site) -> None:
    assert "Zaloguj się" in site.get("/sign-in").text
    english = site.get("/sign-in", **{"accept-language": "en-GB,en;q=0.9,pl;q=0.5"})
    assert 'lang="en"' in english.text
    assert "Sign in" in english.text
    assert "Zaloguj się" in site.get("/sign-in", **{"accept-language": "pl,en;q=0.5"}).text


def test_signing_in_gives_a_cookie_that_no_script_and_no_other_site_can_use(site: Site) -> None:
    reply = site.post("/sign-in", name="ala", password=PASSWORD, next="/api/me")
    assert (reply.status_code, reply.headers["location"]) == (303, "/api/me")
    cookie = reply.headers["set-cookie"].lower()
    assert cookie.startswith("zwrotnica=zws.")
    assert {"httponly", "samesite=lax", "path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "secure" not in cookie


def test_behind_https_the_cookie_is_of_this_host_and_https_alone(site: Site) -> None:
    headers = {"origin": "https://czat.example", "host": "czat.example"}
    headers["x-forwarded-proto"] = "https"
    reply = requests.post(
        f"{site.gateway.url}/sign-in",
        data={"name": "ala", "password": PASSWORD},
        headers=headers,
        allow_redirects=False,
        timeout=PATIENCE_S,
    )
    cookie = reply.headers["set-cookie"].lower()
    assert cookie.startswith("__host-zwrotnica=zws.")
    assert {"secure", "httponly"} <= {part.strip() for part in cookie.split(";")}


def test_behind_https_no_session_counts_that_another_host_can_plant(site: Site) -> None:
    anyio.run(give_passwords, site.settings, "ula")
    text, tls = site.enter("ula"), {"x-forwarded-proto": "https"}
    own = {**tls, "Cookie": f"__Host-zwrotnica={text}"}
    planted = {**tls, "Cookie": f"zwrotnica={text}"}
    assert [site.get("/api/me", **sent).status_code for sent in (own, planted)] == [200, 401]
    assert site.get("/account", **planted).headers["location"] == "/sign-in?next=/account"
    assert site.get("/sign-in", **planted).status_code == 200


def test_a_session_asks_the_api_as_its_account(site: Site) -> None:
    cookie = site.enter()
    me = site.get("/api/me", cookie).json()
    assert (me["name"], me["scopes"], me["key"]) == ("ala", ["chat", "images"], None)
    assert site.get("/api/export?format=json", cookie).json()["conversations"] == []
    assert site.get("/metrics", cookie).status_code == 403


def test_a_session_changes_something_for_our_own_pages_alone(site: Site) -> None:
    cookie = site.enter()
    url, sent = f"{site.gateway.url}/api/conversations", {"cookie": f"zwrotnica={cookie}"}

    def status(**headers: str) -> int:
        return requests.post(
            url, json={}, headers={**sent, **headers}, timeout=PATIENCE_S
        ).status_code

    own = site.gateway.url
    assert status(origin=own) == 201
    assert status(**{"sec-fetch-site": "same-origin"}) == 201
    for headers in ({}, {"origin": "https://evil.example"}, {"origin": "null"}):
        assert status(**headers) == 403
    for site_of in ("cross-site", "same-site"):
        assert status(origin=own, **{"sec-fetch-site": site_of}) == 403


def test_a_session_as_a_key_needs_no_origin(site: Site) -> None:
    url = f"{site.gateway.url}/api/conversations"
    reply = requests.post(url, json={}, headers=bearing(site.enter()), timeout=PATIENCE_S)
    assert reply.status_code == 201


def test_a_key_goes_before_a_cookie(site: Site) -> None:
    reply = site.get("/api/me", site.enter(), **bearing(site.key))
    assert reply.json()["name"] == "szef"


@pytest.mark.parametrize(
    "path", ["/sign-in", "/sign-out", "/sign-in/password", "/account/password", "/account/delete"]
)
def test_no_form_of_another_site_is_taken(site: Site, path: str) -> None:
    cookie = site.enter()
    fields = {"name": "ala", "password": PASSWORD, "link": site.link("ola")}
    fields |= {"new": "nowe dobre hasło", "again": "nowe dobre hasło"}
    reply = site.post(path, cookie, origin="https://evil.example", **fields)
    assert reply.status_code == 403
    assert site.get("/api/me", cookie).status_code == 200


@pytest.mark.parametrize(
    "onward",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "\t/x",
        "",
    ],
)
def test_nobody_is_sent_to_another_server(site: Site, onward: str) -> None:
    reply = site.post("/sign-in", name="ala", password=PASSWORD, next=onward)
    assert reply.headers["location"] == "/"
    again = site.get(f"/sign-in?next={onward}", str(reply.cookies["zwrotnica"]))
    assert (again.status_code, again.headers["location"]) == (303, "/")


def test_a_wrong_password_is_told_on_the_page_which_keeps_the_name(site: Site) -> None:
    replies = [site.post("/sign-in", name=name, password="źle") for name in ("ola", "nikt")]
    assert [reply.status_code for reply in replies] == [401, 401]
    assert [reply.headers.get("set-cookie") for reply in replies] == [None, None]
    ours, nobodys = (re.sub("ola|nikt", "", reply.text) for reply in replies)
    assert ours == nobodys
    assert "Nazwa użytkownika albo hasło się nie zgadza." in ours
    assert 'value="ola"' in replies[0].text


def test_what_is_typed_is_text_on_the_page(site: Site) -> None:
    name = '"><script>alert(1)</script>'
    assert "<script>" not in site.post("/sign-in", name=name, password="źle", next="/").text


def test_a_session_from_before_is_none_afterwards(site: Site) -> None:
    """Nobody can have somebody sign in with a session that they know."""
    planted = site.enter("ola")
    reply = site.post("/sign-in", planted, name="ala", password=PASSWORD)
    assert str(reply.cookies["zwrotnica"]) != planted
    assert site.get("/api/me", str(reply.cookies["zwrotnica"])).json()["name"] == "ala"


def test_signing_out_ends_the_session_and_has_the_browser_forget(site: Site) -> None:
    cookie = site.enter()
    reply = site.post("/sign-out", cookie)
    assert (reply.status_code, reply.headers["location"]) == (303, "/sign-in")
    assert 'zwrotnica=""' in reply.headers["set-cookie"]
    wait_until(lambda: site.get("/api/me", cookie).status_code == 401)


def test_the_account_page_signs_out_everywhere(site: Site) -> None:
    first, second = site.enter("ola"), site.enter("ola")
    page = site.get("/account", first).text
    assert "Zalogowano jako <strong>ola</strong>" in page
    site.post("/sign-out", first, everywhere="yes")
    wait_until(lambda: site.get("/api/me", second).status_code == 401)
    assert site.get("/account", second).headers["location"] == "/sign-in?next=/account"


def test_a_password_is_changed_by_who_knows_the_old_one(site: Site) -> None:
    anyio.run(give_passwords, site.settings, "ewa")
    cookie, new = site.enter("ewa"), "całkiem nowe hasło"
    assert "Zmień hasło" in site.get("/account", cookie).text

    def change(password: str, new: str, again: str) -> int:
        fields = {"password": password, "new": new, "again": again}
        return site.post("/account/password", cookie, **fields).status_code

    assert change("źle", new, new) == 401
    assert change(PASSWORD, "krótkie", "krótkie") == 400
    assert change(PASSWORD, new, f"{new}!") == 200
    assert site.get("/api/me", cookie).status_code == 200
    assert change(PASSWORD, new, new) == 200
    assert site.post("/sign-in", name="ewa", password=new).status_code == 303
    assert site.post("/sign-in", name="ewa", password=PASSWORD).status_code == 401


def test_one_takes_ones_data_along_and_deletes_the_account_by_typing_its_name(site: Site) -> None:
    anyio.run(give_passwords, site.settings, "iza")
    cookie = site.enter("iza")
    page = site.get("/account", cookie).text
    assert 'href="/api/me/data"' in page
    assert "wpisz nazwę konta: iza" in page
    data = site.get("/api/me/data", cookie)
    assert (data.status_code, data.content[:2]) == (200, b"PK")
    refused = site.post("/account/delete", cookie, confirm="ala")
    assert "nic nie zostało usunięte" in refused.text
    assert site.get("/api/me", cookie).json()["name"] == "iza"
    gone = site.post("/account/delete", cookie, confirm=" iza ")
    assert "zostało usunięte" in gone.text
    assert 'zwrotnica=""' in gone.headers["set-cookie"]
    assert site.get("/api/me", cookie).status_code == 401
    assert site.post("/sign-in", name="iza", password=PASSWORD).status_code == 401


def test_a_link_sets_a_password_once(site: Site) -> None:
    link, new = site.link("ola"), PASSWORD
    assert 'value="ola"' in site.get(f"/sign-in/password?link={link}").text
    fields = {"link": link, "new": new, "again": new}
    assert "Możesz się teraz zalogować" in site.post("/sign-in/password", **fields).text
    used = site.post("/sign-in/password", **fields)
    assert (used.status_code, "już użyty" in used.text) == (404, True)
    assert site.get(f"/sign-in/password?link={link}").status_code == 404


def test_pages_are_kept_by_nobody_and_framed_by_nobody(site: Site) -> None:
    for reply in (site.get("/sign-in"), site.get("/account", site.enter())):
        assert reply.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
        assert "<script" not in reply.text


def test_a_form_of_another_kind_is_refused(site: Site) -> None:
    url, headers = f"{site.gateway.url}/sign-in", {"origin": site.gateway.url}
    for sent, status, problem in (
        ({"json": {"name": "ala"}}, 400, "nie mógł odczytać formularza"),
        ({"data": {"name": "a" * 5000}}, 413, "Wpisany tekst jest za długi"),
    ):
        reply = requests.post(url, headers=headers, timeout=PATIENCE_S, **sent)  # type: ignore[arg-type]  # either kind of body
        assert (reply.status_code, problem in reply.text) == (status, True)


def test_what_cannot_be_a_password_is_told_so(site: Site) -> None:
    fields = {"link": site.link("ala"), "new": "krótkie", "again": "krótkie"}
    reply = site.post("/sign-in/password", **fields)
    assert (reply.status_code, "od 12 do 256 znaków" in reply.text) == (400, True)


def test_a_provider_that_is_none_of_ours_is_no_used_link(site: Site) -> None:
    for path in ("/sign-in/oidc", "/sign-in/oidc/callback"):
        reply = site.get(path)
        assert (reply.status_code, "sposób logowania jest" in reply.text) == (404, True)


def test_passwords_that_do_not_count_are_no_used_link(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    settings = Settings(data_dir=tmp_path, auth=AuthSettings(password=False))
    with running_gateway(settings, Backstage()) as gateway:
        closed = Site(gateway=gateway, settings=settings, key="")
        for path in ("/sign-in", "/sign-in/password"):
            reply = closed.post(path, name="ala", password=PASSWORD, link="x")
            assert (reply.status_code, "sposób logowania jest" in reply.text) == (404, True)
