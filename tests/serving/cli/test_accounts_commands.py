import json
from pathlib import Path
from zipfile import ZipFile

import click
import pytest
from click.testing import CliRunner, Result

from chatbot.errors import InvalidRequest
from serving.auth.key_text import KeyText
from serving.cli.main import zwrotnica
from serving.cli.server import check_binding
from serving.settings import Settings, SettingsError
from serving.storage.sqlite import FILE_NAME

PASSWORD = "poprawny koń bateria zszywka"
BOOTSTRAP = "zw_0123456789abcdef_" + "0a" * 24


class Run:
    """Runs one command line on a data folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, given: str = "") -> Result:
        environ = {"ZWROTNICA_DATA_DIR": str(self.folder), "ZWROTNICA_AUTH__PASSWORD_MIB": "1"}
        return CliRunner().invoke(zwrotnica, words, given, env=environ, standalone_mode=False)

    def json(self, *words: str) -> dict[str, object]:
        result = self(*words, "--json")
        assert result.exception is None
        told: dict[str, object] = json.loads(result.stdout)
        return told


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_database: bytes) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    return Run(tmp_path)


def test_the_first_key_has_all_scopes_and_the_next_not_admin(run: Run) -> None:
    first, second = run.json("keys", "create"), run.json("keys", "create", "--name", "skrypt")
    assert (first["user"], first["scopes"]) == ("local", ["chat", "images", "engines", "admin"])
    assert second["scopes"] == ["chat", "images", "engines"]


def test_a_users_key_administers_only_where_that_is_named(run: Run) -> None:
    run("users", "add", "ala")
    first = run.json("keys", "create", "--user", "ala")
    named = run.json("keys", "create", "--user", "ala", "--scopes", "chat,engines,admin")
    assert first["scopes"] == ["chat", "images", "engines"]
    assert named["scopes"] == ["chat", "engines", "admin"]


def test_it_is_told_what_a_new_key_opens_and_how_it_would_open_more(run: Run) -> None:
    run("users", "add", "ala")
    told = run("keys", "create", "--user", "ala").stderr
    assert "'ala' for chat, images, engines" in told
    assert "--scopes" in told
    assert "--scopes" not in run("keys", "create", "--scopes", "chat").stderr


def test_a_new_key_is_all_that_standard_output_has(run: Run) -> None:
    result = run("keys", "create", "--scopes", "chat")
    assert KeyText.read(result.stdout.strip()) is not None
    assert "this once" in result.stderr
    assert result.stdout.strip() not in result.stderr


def test_a_list_shows_no_secret(run: Run) -> None:
    made = run.json("keys", "create", "--expires", "90d")
    text = KeyText.read(str(made["key"]))
    assert text is not None
    for words in (("keys", "list"), ("keys", "list", "--json"), ("users", "list")):
        assert text.secret not in run(*words).output
    assert text.key_id in run("keys", "list").stdout


def test_a_revoked_and_a_replaced_key_are_told_apart(run: Run) -> None:
    first, second = run.json("keys", "create"), run.json("keys", "create")
    run("keys", "revoke", str(first["id"]))
    new = run.json("keys", "rotate", str(second["id"]), "--overlap", "2h")
    listed = run.json("keys", "list")["keys"]
    assert isinstance(listed, list)
    assert [key["state"] for key in listed] == ["revoked", "replaced", "valid"]
    assert listed[1]["replaced_by"] == new["id"] == listed[2]["id"]


def test_a_user_is_added_and_has_keys_of_its_own(run: Run) -> None:
    added = run.json("users", "add", "ala")
    run("keys", "create")
    made = run.json("keys", "create", "--user", "ala")
    owned = run.json("keys", "list", "--user", "ala")["keys"]
    assert isinstance(owned, list)
    assert [key["id"] for key in owned] == [made["id"]]
    assert run.json("users", "disable", "ala")["disabled_at"] is not None
    assert run.json("users", "enable", "ala") == added


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (("keys", "create", "--user", "ola"), InvalidRequest, "zwrotnica users add ola"),
        (("keys", "create", "--scopes", "cat"), click.BadParameter, "chat, images, engines, admin"),
        (("keys", "create", "--scopes", ","), click.BadParameter, "at least one"),
        (("keys", "create", "--expires", "soon"), click.BadParameter, "90d"),
        (("keys", "revoke", "0"), InvalidRequest, "no such key"),
        (("users", "add", "a b"), InvalidRequest, "cannot be a name"),
    ],
)
def test_what_cannot_be_done_says_what_can(
    run: Run, words: tuple[str, ...], error: type[Exception], message: str
) -> None:
    caught = run(*words).exception
    assert isinstance(caught, error)
    assert message in str(getattr(caught, "message", caught))


def test_an_address_of_others_is_refused_until_there_is_a_key(run: Run) -> None:
    settings = Settings(data_dir=run.folder, host="0.0.0.0")  # noqa: S104 (not opened)
    with pytest.raises(SettingsError, match="zwrotnica keys create"):
        check_binding(settings)
    run("keys", "create")
    check_binding(settings)


def test_an_address_of_others_is_refused_where_there_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no keys are configured"):
        check_binding(Settings(data_dir=tmp_path / "new", host="::"))
    assert not (tmp_path / "new").exists()


def test_a_first_key_in_the_settings_is_enough_and_has_to_be_one(tmp_path: Path) -> None:
    def settings(key: str) -> Settings:
        return Settings.model_validate({
            "data_dir": tmp_path,
            "host": "::",
            "auth": {"bootstrap_key": key},
        })

    check_binding(settings(BOOTSTRAP))
    with pytest.raises(SettingsError, match="openssl rand") as caught:
        check_binding(settings("haslo-maslo"))
    assert "haslo-maslo" not in str(caught.value)


@pytest.fixture
def two_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bielik", "pllum"):
        monkeypatch.setenv(f"ZWROTNICA_ENGINES__{name.upper()}__KIND", "vllm")
        monkeypatch.setenv(f"ZWROTNICA_ENGINES__{name.upper()}__URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ZWROTNICA_DEFAULT_ENGINE", "bielik")


@pytest.mark.usefixtures("two_engines")
def test_groups_have_limits_and_members(run: Run) -> None:
    run("users", "add", "ala")
    added = run.json("groups", "add", "studenci", "--engines", "bielik, pllum", "--tools", "")
    assert (added["engines"], added["tools"]) == (["bielik", "pllum"], [])
    assert run.json("groups", "join", "studenci", "ala")["groups"] == ["studenci"]
    assert run("groups", "list").stdout.splitlines()[1].split() == [
        "studenci",
        "bielik,pllum",
        "none",
        "ala",
    ]
    assert run.json("groups", "limit", "studenci")["engines"] is None
    assert run.json("groups", "leave", "studenci", "ala")["groups"] == []
    assert isinstance(run("groups", "join", "studenci", "ola").exception, InvalidRequest)


def test_a_user_is_limited_and_freed_again(run: Run) -> None:
    run("users", "add", "ala")
    limited = run.json("users", "limit", "ala", "--tools", "get_weather")
    assert (limited["engines"], limited["tools"]) == (None, ["get_weather"])
    assert run.json("users", "limit", "ala")["tools"] is None


def test_a_user_and_a_group_have_budgets(run: Run) -> None:
    run("users", "add", "ala")
    given = ("--tokens-per-day", "1000", "--money-per-month", "12.50")
    limited = run.json("users", "limit", "ala", *given)
    assert limited["quotas"] == run.json("users", "list")["users"][0]["quotas"]  # type: ignore[index]  # JSON
    assert numbers(limited["quotas"]) == {"tokens_per_day": 1000, "money_per_month": 12_500_000}
    run("groups", "add", "studenci", "--images-per-day", "3")
    total = run.json("groups", "total", "studenci", "--money-per-day", "0.000001")
    assert numbers(total["quotas"]) == {"images_per_day": 3}
    assert numbers(total["total"]) == {"money_per_day": 1}
    assert numbers(run.json("groups", "total", "studenci")["total"]) == {}


def numbers(quotas: object) -> dict[str, int]:
    """The limits that there are."""
    assert isinstance(quotas, dict)
    return {name: value for name, value in quotas.items() if value is not None}


@pytest.mark.usefixtures("two_engines")
@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (("--engines", "beilik"), "no engine 'beilik'; did you mean 'bielik'?"),
        (("--tools", "get_wether"), "no tool 'get_wether'; did you mean 'get_weather'?"),
        (("--tools", "xxxx"), "no tool 'xxxx'; there are: "),
        (("--money-per-day", "0.0000001"), "is no amount such as 12.50"),
        (("--money-per-day", "-1"), "is no amount such as 12.50"),
        (("--money-per-day", "NaN"), "is no amount such as 12.50"),
        (("--tokens-per-day", "-1"), "is not in the range"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_refused(
    run: Run, given: tuple[str, str], hint: str
) -> None:
    run("users", "add", "ala")
    refused = run("users", "limit", "ala", *given)
    assert isinstance(refused.exception, click.BadParameter)
    assert hint in str(refused.exception)


def test_the_log_tells_who_changed_what(run: Run) -> None:
    made = run.json("keys", "create")
    run("keys", "revoke", str(made["id"]))
    changes = run.json("keys", "log", "--last", "2")["changes"]
    assert isinstance(changes, list)
    assert [change["action"] for change in changes] == ["key_revoked", "key_created"]
    assert changes[0]["actor"] == "command line"
    printed = run("keys", "log").stdout
    assert "user_added" in printed
    assert str(made["key"]) not in printed


def test_a_user_is_deleted_with_the_keys_and_found_no_more(run: Run) -> None:
    run("keys", "create")
    run("users", "add", "ala")
    run("keys", "create", "--user", "ala")
    assert run("users", "delete", "ala", "--yes").stdout.startswith("deleted ala")
    listed = run.json("users", "list")["users"]
    assert isinstance(listed, list)
    assert [user["name"] for user in listed] == ["local"]
    assert isinstance(run("users", "delete", "ala", "--yes").exception, InvalidRequest)
    assert "ala" not in run("keys", "log", "--json").stdout.replace("local", "")


def test_a_user_is_not_deleted_without_a_yes(run: Run) -> None:
    run("users", "add", "ala")
    assert isinstance(run("users", "delete", "ala").exception, click.Abort)
    assert "ala" in run("users", "list").stdout


def test_all_of_a_user_is_exported_to_a_file_for_its_owner_alone(run: Run) -> None:
    run("users", "add", "ala")
    target = run.folder / "ala.zip"
    assert run("users", "export", "ala", "--to", str(target)).exception is None
    with ZipFile(target) as archive:
        assert json.loads(archive.read("konto.json"))["name"] == "ala"
    assert target.stat().st_mode & 0o777 == 0o600
    again = run("users", "export", "ala", "--to", str(target))
    assert isinstance(again.exception, click.ClickException)
    assert not (run.folder / "ola.zip").exists()
    unknown = run("users", "export", "ola", "--to", str(run.folder / "ola.zip"))
    assert isinstance(unknown.exception, InvalidRequest)
    assert not (run.folder / "ola.zip").exists()


def test_a_password_is_read_from_standard_input_and_never_shown(run: Run) -> None:
    run("users", "add", "ala")
    done = run("users", "password", "ala", given=f"{PASSWORD}\n")
    assert (done.exception, done.stdout) == (None, "set the password of ala\n")
    assert PASSWORD not in run("keys", "log", "--json").output
    assert run("users", "password", "ala", "--remove").stdout == "removed the password of ala\n"
    assert run("users", "sign-out", "ala").stdout == "signed out ala\n"
    assert "password_set" in run("keys", "log").output


def test_a_password_that_is_too_short_is_refused(run: Run) -> None:
    run("users", "add", "ala")
    refused = run("users", "password", "ala", given="krótkie\n")
    assert isinstance(refused.exception, InvalidRequest)
    assert "krótkie" not in str(refused.exception)


def test_a_link_to_set_a_password_is_all_that_standard_output_has(run: Run) -> None:
    run("users", "add", "ala")
    made = run("users", "password", "ala", "--link", "--expires", "2h")
    assert made.stdout.startswith("http://127.0.0.1:7860/sign-in/password?link=")
    assert "once" in made.stderr


def test_a_password_closes_a_server_as_a_key_does(run: Run) -> None:
    elsewhere = Settings(data_dir=run.folder, host="0.0.0.0")  # noqa: S104 (what is tested)
    with pytest.raises(SettingsError):
        check_binding(elsewhere)
    run("users", "add", "ala")
    run("users", "password", "ala", given=f"{PASSWORD}\n")
    check_binding(elsewhere)


def test_a_dry_run_tells_what_is_due_and_deletes_nothing(run: Run) -> None:
    run("users", "add", "ala")
    told = run.json("retention")["retention"]
    assert isinstance(told, list)
    assert {one["what"]: (one["days"], one["due"]) for one in told} == {
        "conversations": (None, 0),
        "pictures": (30, 0),
        "calls": (30, 0),
        "audit": (730, 0),
        "requests": (None, 0),
        "spendings": (None, 0),
        "replies": (1, 0),
    }
    assert "storage.audit_days" in run("retention").stdout
    assert "user_added" in run("keys", "log").stdout
