"""What the pages for administrators show again of a form, and of usage and groups."""

import re

import pytest
from scripted.desk_site import KEY, OWN, SPACE, Api, Site


@pytest.fixture
def site() -> Site:
    return Site(Api())


def test_a_refused_form_is_shown_again_as_it_was_filled_in(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    site.api.refusal = (404, "not_found", "groups")
    form = "do=add&name=jan&groups=lap&tools=calculate&tokens_per_day=700"
    text = site.ask("POST", "/admin/users", {**KEY, **OWN}, form).text
    shown = dict(re.findall(r'<input id="([\w-]+)".*?value="(.*?)"', text))
    asked = ("name", "gnew", "tnew", "qnew-tokens_per_day", "g1", "q1-tokens_per_day")
    assert [shown[name] for name in asked] == ["jan", "lap", "calculate", "700", "lab", ""]


def test_a_refused_change_is_shown_again_in_its_own_form(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    site.api.refusal = (400, "invalid_request", "engines")
    form = "do=change&name=lab&engines=bielk&tools=&together_tokens_per_day=1000"
    text = site.ask("POST", "/admin/groups", {**KEY, **OWN}, form).text
    shown = dict(re.findall(r'<input id="([\w-]+)".*?value="(.*?)"', text))
    asked = ("e1", "s1-together_tokens_per_day", "enew", "snew-together_tokens_per_day")
    assert [shown[name] for name in asked] == ["bielk", "1000", "", ""]
    assert '<details open><summary aria-label="Zmień: lab">' in text


def test_a_refused_wish_for_a_key_is_shown_again(site: Site) -> None:
    site.api.scopes = ("chat", "images", "admin")
    site.api.refusal = (400, "invalid_request")
    form = "do=make&name=skrypt&scopes=images&expires_days=30"
    text = site.ask("POST", "/keys", {**KEY, **OWN}, form).text
    shown = dict(re.findall(r'<input id="([\w-]+)".*?value="(.*?)"', text))
    assert (shown["name"], shown["days"]) == ("skrypt", "30")
    assert re.findall(r'value="(\w+)" checked', text) == ["images"]


def test_the_institutions_usage_is_told_by_user_and_group(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    text = site.ask("GET", "/admin/usage").text
    headings = re.findall(r"<h2[^>]*>(.*?)</h2>", text)
    assert headings[-4:] == [
        "Według użytkownika",
        "Według grupy",
        "Miesiąc po miesiącu",
        "Pliki z ostatnich 13 miesięcy",
    ]
    assert '>bez grupy</th><td class="num">22</td>' in text
    files = re.findall(r"by=(\w+)&amp;all=true.*?format=(\w+)", text)
    grouped = ("month", "user", "group", "engine")
    assert files == [(by, form) for by in grouped for form in ("csv", "xlsx")]


def test_groups_tell_the_limits_of_each_member(site: Site) -> None:
    site.api.scopes = ("chat", "admin")
    text = site.ask("GET", "/admin/groups").text
    assert f"<li>Tokeny jednej odpowiedzi: 4{SPACE}096</li>" in text
