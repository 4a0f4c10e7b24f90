"""The pages beside the chat in front of a gateway that answers from a script."""

import re

import pytest
from scripted.desk_site import HOSTILE, KEY, OWN, SPACE, Api, Site

from serving.auth.quotas import NAMES, SIZES


@pytest.fixture
def site() -> Site:
    return Site(Api())


def test_usage_is_told_in_polish_numbers(site: Site) -> None:
    text = site.ask("GET", "/usage").text
    assert '<html lang="pl">' in text
    assert f"1{SPACE}234" in text
    assert f"1,50{SPACE}PLN" in text
    assert f"Pozostało 1,25{SPACE}PLN z 5,00{SPACE}PLN" in text
    assert text.count('<svg class="columns" role="img"') == 3


def test_usage_is_told_in_english(site: Site) -> None:
    text = site.ask("GET", "/en/usage").text
    assert '<html lang="en">' in text
    assert f"1.50{SPACE}PLN" in text


@pytest.mark.parametrize("path", ["/usage", "/keys"])
def test_names_from_elsewhere_are_text(site: Site, path: str) -> None:
    text = site.ask("GET", path).text
    assert "&lt;script&gt;alert(1)" in text
    assert HOSTILE not in text


def test_a_new_key_is_shown_once_and_kept_nowhere(site: Site) -> None:
    form = "do=make&name=laptop&scopes=chat&expires_days=30"
    reply = site.ask("POST", "/keys", {**KEY, **OWN}, form)
    assert "zw_nowy_sekret" in reply.text
    assert reply.headers["cache-control"] == "no-store"
    wish = {"name": "laptop", "scopes": ["chat"], "expires_days": 30}
    assert ("POST", "/api/keys", wish) in site.api.asked
    assert "zw_nowy_sekret" not in site.ask("GET", "/keys").text


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("do=rotate&id=k1", ("POST", "/api/keys/k1/rotate", {})),
        ("do=revoke&id=k1", ("DELETE", "/api/keys/k1", None)),
    ],
)
def test_keys_are_replaced_and_revoked(site: Site, form: str, asked: object) -> None:
    assert site.ask("POST", "/keys", {**KEY, **OWN}, form).status_code == 200
    assert asked in site.api.asked


def test_only_ones_own_keys_are_shown_also_to_administrators(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    text = site.ask("GET", "/keys").text
    assert "k1" in text
    assert "k2" not in text


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"origin": "http://obcy.example"}, {}],
    ids=["cross-site", "origin", "neither"],
)
def test_a_form_of_another_site_changes_nothing(site: Site, headers: dict[str, str]) -> None:
    reply = site.ask("POST", "/keys", {**KEY, **headers}, "do=revoke&id=k1")
    assert reply.status_code == 403
    assert [method for method, *_ in site.api.asked if method != "GET"] == []


def test_a_form_that_is_too_large_is_refused(site: Site) -> None:
    reply = site.ask("POST", "/keys", {**KEY, **OWN}, "do=make&name=" + "x" * 20_000)
    assert reply.status_code == 403


def test_who_has_no_key_is_sent_to_sign_in_and_back(site: Site) -> None:
    reply = site.ask("GET", "/en/keys", {})
    assert reply.status_code == 401
    assert 'href="/sign-in?next=/en/keys"' in reply.text


def test_a_refusal_stands_beside_what_there_is(site: Site) -> None:
    site.api.refusal = (403, "insufficient_scope")
    reply = site.ask("POST", "/keys", {**KEY, **OWN}, "do=make&scopes=admin")
    assert reply.status_code == 403
    assert "Twoje konto nie ma do tego prawa." in reply.text
    assert "k1" in reply.text


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("users", "lab"),
        ("groups", "bielik"),
        ("keys", "k2"),
        ("engines", "26 %"),
        ("errors", "engine_unavailable"),
        ("usage", "format=xlsx"),
    ],
)
@pytest.mark.parametrize("base", ["", "/en"])
def test_each_section_of_administration_tells_what_it_is_for(
    site: Site, base: str, section: str, told: str
) -> None:
    site.api.scopes = ("chat", "admin")
    reply = site.ask("GET", f"{base}/admin/{section}")
    assert reply.status_code == 200
    assert told in reply.text
    assert HOSTILE not in reply.text


def test_an_unknown_section_is_not_found(site: Site) -> None:
    assert site.ask("GET", "/admin/nic").status_code == 404


@pytest.mark.parametrize(
    ("section", "form", "asked"),
    [
        (
            "users",
            "do=add&name=jan&groups=lab,+kadra&engines=-&tools=",
            (
                "POST",
                "/api/users",
                {
                    "name": "jan",
                    "groups": ["lab", "kadra"],
                    "engines": [],
                    "tools": None,
                    "quotas": {},
                },
            ),
        ),
        (
            "users",
            "do=change&name=a%2Fb&groups=&engines=&tools=calculate&disabled=yes",
            (
                "PATCH",
                "/api/users/a/b",
                {
                    "groups": [],
                    "engines": None,
                    "tools": ["calculate"],
                    "quotas": {},
                    "disabled": True,
                },
            ),
        ),
        (
            "groups",
            (
                "do=change&name=lab&engines=bielik&tools=&tokens_per_day=500&money_per_month="
                "&together_money_per_day=12,5&together_images_per_day=0"
            ),
            (
                "PATCH",
                "/api/groups/lab",
                {
                    "engines": ["bielik"],
                    "tools": None,
                    "quotas": {"tokens_per_day": 500, "money_per_month": None},
                    "total": {"images_per_day": 0, "money_per_day": 12_500_000},
                },
            ),
        ),
        ("keys", "do=revoke&id=k2", ("DELETE", "/api/keys/k2", None)),
    ],
)
def test_administrators_change_users_groups_and_keys(
    site: Site, section: str, form: str, asked: object
) -> None:
    site.api.scopes = ("chat", "admin")
    reply = site.ask("POST", f"/admin/{section}", {**KEY, **OWN}, form)
    assert reply.status_code == 200
    assert asked in site.api.asked
    site.api.asked.clear()
    site.api.scopes = ("chat",)
    assert site.ask("POST", f"/admin/{section}", {**KEY, **OWN}, form).status_code == 403
    assert site.ask("GET", f"/admin/{section}").status_code == 403
    assert {path for _, path, *_ in site.api.asked} == {"/api/me"}


@pytest.mark.parametrize(
    ("code", "param", "told"),
    [
        ("invalid_request", "name", "jest już zajęta"),
        ("not_found", "groups", "Nie ma takiej grupy."),
        ("invalid_request", "disabled", "Nie możesz wyłączyć własnego konta."),
        ("invalid_request", "engines", "Serwer nie zna takiego modelu."),
        ("invalid_request", "tools", "Serwer nie zna takiego narzędzia."),
        ("not_found", "", "Tego już nie ma."),
    ],
)
def test_what_is_refused_of_a_form_is_told_in_polish(
    site: Site, code: str, param: str, told: str
) -> None:
    site.api.scopes = ("chat", "admin")
    site.api.refusal = (400, code, param)
    reply = site.ask("POST", "/admin/users", {**KEY, **OWN}, "do=add&name=jan&groups=nic")
    assert reply.status_code in {400, 404}
    assert told in reply.text


@pytest.mark.parametrize("section", ["users", "groups"])
def test_cards_tell_what_is_left_and_their_forms_what_is_limited(site: Site, section: str) -> None:
    site.api.scopes = ("chat", "admin")
    text = site.ask("GET", f"/admin/{section}").text
    assert f"Pozostało 1,25{SPACE}PLN z 5,00{SPACE}PLN" in text
    values = dict(re.findall(r'id="[qs]1-(\w+)".*?value="(.*?)"', text))
    set_ones = {name: value for name, value in values.items() if value}
    shown = {
        "users": {"money_per_month": "12.5"},
        "groups": {"answer_tokens": "4096", "together_tokens_per_day": "900"},
    }
    assert set_ones == shown[section]
    assert len(values) == {"users": len(NAMES), "groups": 2 * len(NAMES) - len(SIZES)}[section]


@pytest.mark.parametrize("text", ["x", "-1", "1e9", "1.5", "NaN", "1" * 17])
def test_what_is_no_limit_is_not_sent_on(site: Site, text: str) -> None:
    site.api.scopes = ("chat", "admin")
    form = f"do=change&name=ala&tokens_per_day={text}"
    reply = site.ask("POST", "/admin/users", {**KEY, **OWN}, form)
    assert reply.status_code == 400
    assert [method for method, *_ in site.api.asked if method != "GET"] == []


def test_administration_takes_no_form_of_another_site(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    headers = {**KEY, "sec-fetch-site": "cross-site"}
    assert site.ask("POST", "/admin/users", headers, "do=add&name=obcy").status_code == 403
    assert [method for method, *_ in site.api.asked if method != "GET"] == []
