from pathlib import Path

from serving.engines.supervision.log_files import KEPT, LogFiles

SMALL = 10


def write(path: Path, *pieces: bytes) -> list[bytes]:
    """What the files hold after ``pieces``, the youngest first."""
    log = LogFiles(path, max_bytes=SMALL)
    for piece in pieces:
        log.write(piece)
    log.close()
    ages = (path, *(path.with_name(f"{path.name}.{age}") for age in range(1, KEPT + 2)))
    return [file.read_bytes() for file in ages if file.exists()]


def test_a_full_file_is_put_aside(tmp_path: Path) -> None:
    assert write(tmp_path / "log", b"one\n", b"two\n", b"three\n") == [b"three\n", b"one\ntwo\n"]


def test_lines_stay_whole_when_a_piece_is_larger_than_the_room(tmp_path: Path) -> None:
    assert write(tmp_path / "log", b"one\n", b"two\nthree\n") == [b"three\n", b"one\ntwo\n"]


def test_only_the_last_files_are_kept(tmp_path: Path) -> None:
    lines = [b"line %03d\n" % number for number in range(9)]
    assert write(tmp_path / "log", *lines) == lines[: -KEPT - 2 : -1]


def test_a_later_log_goes_on_where_the_earlier_one_ended(tmp_path: Path) -> None:
    write(tmp_path / "log", b"one\n")
    assert write(tmp_path / "log", b"two\n") == [b"one\ntwo\n"]


def test_a_file_that_was_full_already_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"from before, and long\n")
    assert write(tmp_path / "log", b"one\n") == [b"one\n", b"from before, and long\n"]
