from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from serving.settings import Settings, SettingsError
from serving.storage import Keyring, load_keyring, open_data_dir
from serving.storage.secret import RootSecret

OLD = "stary sekret, dość długi"
NEW = "nowy sekret, dość długi"


def test_a_secret_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    first = load_keyring(Settings(), tmp_path)
    second = load_keyring(Settings(), tmp_path)
    assert first.sign("p", "x") == second.sign("p", "x")
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_processes_that_start_together_agree_on_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        kids = set(pool.map(lambda _: load_keyring(Settings(), tmp_path).kid, range(16)))
    assert len(kids) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_a_configured_secret_leaves_no_file(tmp_path: Path) -> None:
    load_keyring(Settings(secret=SecretStr(NEW)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="at least 16"):
        load_keyring(Settings(secret=SecretStr("krótki")), tmp_path)


def test_a_signature_holds_for_its_purpose_and_text_alone() -> None:
    keyring = Keyring([RootSecret.from_text(NEW)])
    mac = keyring.sign("link", "a.1")
    assert keyring.verify("link", "a.1", mac)
    assert not keyring.verify("frame", "a.1", mac)
    assert not keyring.verify("link", "a.2", mac)
    assert not keyring.verify("link", "a.1", "ą" * 26)


def test_earlier_secrets_verify_but_no_longer_sign(tmp_path: Path) -> None:
    before = load_keyring(Settings(secret=SecretStr(OLD)), tmp_path)
    after = load_keyring(
        Settings(secret=SecretStr(NEW), previous_secrets=(SecretStr(OLD),)), tmp_path
    )
    assert after.verify("link", "a", before.sign("link", "a"))
    assert not before.verify("link", "a", after.sign("link", "a"))
    assert before.kid != after.kid


def test_a_secret_that_is_no_utf_8_is_refused_and_not_shown(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is not UTF-8") as caught:
        RootSecret.from_text(f"{NEW}\udcff")
    assert caught.value.__cause__ is None
    (tmp_path / "secret").write_bytes(NEW.encode("cp1250"))
    with pytest.raises(SettingsError, match="secret' is not UTF-8"):
        load_keyring(Settings(), tmp_path)


def test_a_secret_is_never_shown() -> None:
    assert NEW not in repr(RootSecret.from_text(NEW))


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plik"
    path.touch()
    with pytest.raises(SettingsError, match="plik"):
        open_data_dir(path)


def test_a_data_folder_is_private(tmp_path: Path) -> None:
    assert open_data_dir(tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
