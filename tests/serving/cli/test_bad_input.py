"""What people mistype or have lying about is told in one line, whatever the command."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from serving.cli.main import main, zwrotnica
from serving.settings import SettingsError, load_settings
from serving.storage.sqlite import FILE_NAME

SPOILT = "\udcff co to"
"""As Python hands over an argument that begins with the byte 0xFF."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZWROTNICA_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def with_tables(folder: Path, empty_database: bytes) -> None:
    (folder / "data").mkdir()
    (folder / "data" / FILE_NAME).write_bytes(empty_database)


def invoke(*words: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(zwrotnica, words, given)


def refusal(*words: str) -> str:
    """The one line with which a misused command ends."""
    result = invoke(*words)
    assert result.exit_code == 2, result.exception
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", ["notices", "events"])
def test_a_folder_that_cannot_be_made_is_named_in_one_line(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "plik").touch()
    monkeypatch.setattr("sys.argv", ["zwrotnica", command, "plik/tu"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == "zwrotnica: plik/tu: Not a directory\n"


def test_an_error_that_names_no_file_is_a_fault_and_seen_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["zwrotnica", "events", str(folder)])
    monkeypatch.setattr("click.echo", _fail)
    with pytest.raises(OSError, match="Invalid argument"):
        main()


def _fail(*_words: object, **_options: object) -> None:
    raise OSError(22, "Invalid argument")


@pytest.mark.usefixtures("folder")
def test_a_notice_that_is_no_utf_8_is_named_with_the_remedy() -> None:
    Path("privacy.pl.md").write_bytes("Treść {{…}}".encode("cp1250"))
    result = invoke("notices", ".")
    assert result.exit_code == 1
    assert "privacy.pl.md is not UTF-8; save it as UTF-8" in result.stderr


@pytest.mark.usefixtures("with_tables")
@pytest.mark.parametrize(
    "words",
    [
        ("keys", "create", "--expires", "999999w"),
        ("keys", "rotate", "0", "--overlap", "36526d"),
        ("users", "password", "ala", "--link", "--expires", "999999w"),
        ("metrics", "--since", "999999w"),
        ("metrics", "--every", "5218w"),
    ],
)
def test_nothing_lasts_longer_than_a_century(words: tuple[str, ...]) -> None:
    assert "is longer than 100 years" in refusal(*words)


@pytest.mark.usefixtures("with_tables")
def test_a_key_may_count_for_a_century() -> None:
    made = invoke("keys", "create", "--expires", "36525d", "--json")
    assert json.loads(made.stdout)["expires_at"] > "2100"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("time", ["0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00"])
def test_a_time_that_utc_cannot_tell_is_none(time: str) -> None:
    assert "is no time such as" in refusal("metrics", "--until", time)


@pytest.mark.usefixtures("with_tables")
def test_the_usage_until_one_of_the_first_days_begins_with_the_first() -> None:
    assert invoke("usage", "--to", "0001-01-05").exit_code == 0


@pytest.mark.usefixtures("with_tables")
@pytest.mark.parametrize(
    "words",
    [
        ("ask", SPOILT),
        ("tools", "call", "calculate", f"expression={SPOILT}"),
        ("keys", "create", "--name", SPOILT),
        ("keys", "create", "--user", SPOILT),
        ("keys", "list", "--user", SPOILT),
        ("keys", "revoke", SPOILT),
        ("keys", "rotate", SPOILT),
        ("users", "add", SPOILT),
        ("users", "disable", SPOILT),
        ("users", "sign-out", SPOILT),
        ("groups", "add", SPOILT),
        ("groups", "join", "studenci", SPOILT),
        ("usage", "--user", SPOILT),
        ("notices", SPOILT),
    ],
)
def test_text_that_is_no_utf_8_is_refused_by_every_command(words: tuple[str, ...]) -> None:
    assert "is not UTF-8; write it in a terminal set to UTF-8" in refusal(*words)


def test_a_folder_whose_name_is_no_utf_8_is_filled(folder: Path) -> None:
    assert invoke("events", SPOILT).exit_code == 0
    assert len(list((folder / SPOILT).iterdir())) > 1


@pytest.mark.usefixtures("with_tables")
def test_more_changes_than_a_database_counts_are_not_asked_for() -> None:
    assert "is not in the range" in refusal("keys", "log", "--last", str(2**63))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("host", [SPOILT, "a" * 64, "a..b"])
def test_a_host_that_has_no_form_in_dns_is_refused(host: str) -> None:
    refused = invoke("serve", "--host", host)
    assert isinstance(refused.exception, SettingsError)
    assert "cannot be the name of a host" in str(refused.exception)


def test_a_server_whose_data_folder_cannot_be_made_is_not_started(folder: Path) -> None:
    (folder / "data").touch()
    refused = invoke("serve", "--port", "0")
    assert isinstance(refused.exception, SettingsError)
    assert "data_dir" in str(refused.exception)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_whose_port_is_taken_is_refused_with_what_to_do(
    workers: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        words = ["zwrotnica", "serve", "--port", str(port), "--workers", workers]
        monkeypatch.setattr("sys.argv", words)
        with pytest.raises(SystemExit) as caught:
            main()
    assert caught.value.code == 2
    told = f"zwrotnica: port {port} of '127.0.0.1' is in use; choose another by --port\n"
    assert capsys.readouterr().err.endswith(told)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("given", [("--port", "70000"), ("--chats", "-1")])
def test_a_page_with_a_number_out_of_range_is_not_begun(given: tuple[str, str]) -> None:
    assert "is not in the range" in refusal("ui", *given)


@pytest.mark.usefixtures("with_tables")
def test_a_password_that_is_no_utf_8_is_refused_and_not_shown() -> None:
    refused = invoke("users", "password", "ala", given="zażółć gęślą\n".encode("cp1250"))
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1] == "Error: the password is not UTF-8"


@pytest.mark.usefixtures("folder")
def test_what_is_nested_too_deep_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZWROTNICA_TOOLS", "[" * 100_000)
    assert "setting 'tools'" in str(invoke("config").exception)
    Path("zwrotnica.toml").write_text(f"x = {'[' * 10_000}", encoding="utf-8")
    assert "is nested too deep" in str(invoke("config").exception)


@pytest.mark.usefixtures("folder")
def test_arguments_that_are_nested_too_deep_are_text() -> None:
    refused = invoke("tools", "call", "calculate", f"expression={'[' * 100_000}")
    assert "ma 100000 znaków" in refused.stderr


def test_the_data_folder_is_at_home_for_every_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("ZWROTNICA_DATA_DIR", "~/data")
    assert load_settings().data_dir == folder / "data"


@pytest.mark.usefixtures("folder")
def test_a_home_of_nobody_is_no_place_for_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZWROTNICA_DATA_DIR", "~nobody-is-called-so/data")
    refused = invoke("db", "upgrade")
    assert isinstance(refused.exception, SettingsError)
    assert "a home that is not there" in str(refused.exception)
