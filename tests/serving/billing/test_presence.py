from pathlib import Path

from serving.billing.presence import FOLDER, Presence


def test_a_writer_is_alive_while_it_holds_its_file(tmp_path: Path) -> None:
    presence = Presence(tmp_path)
    with presence.hold("one"):
        assert presence.is_alive("one")
        assert not presence.is_alive("two")
    assert not presence.is_alive("one")


def test_looking_removes_no_file_that_is_held(tmp_path: Path) -> None:
    with Presence(tmp_path).hold("one"), Presence(tmp_path).hold("two"):
        assert Presence(tmp_path).is_alive("one")
        assert Presence(tmp_path).is_alive("two")


def test_files_of_dead_writers_are_removed_with_the_next_start(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    dead = tmp_path / FOLDER / "dead.lock"
    dead.touch()
    with Presence(tmp_path).hold("one"):
        assert not dead.exists()


def test_writers_of_one_folder_share_a_name(tmp_path: Path) -> None:
    folder, _, writer = Presence(tmp_path).name("one").rpartition(".")
    assert writer == "one"
    assert Presence(tmp_path).name("two") == f"{folder}.two"


def test_nothing_is_known_of_writers_of_another_folder(tmp_path: Path) -> None:
    folders = [tmp_path / "here", tmp_path / "there"]
    for folder in folders:
        folder.mkdir()
    here, there = map(Presence, folders)
    gone, foreign = here.name("gone"), there.name("one")
    assert not here.is_alive(gone)
    assert (here.knows(gone), here.knows(foreign)) == (True, False)
