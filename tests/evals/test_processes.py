"""The family of a process is found while its threads and children come and go."""

import os
from pathlib import Path

import pytest

from evals.bench.processes import list_family


def make(proc: Path, pid: int, threads: dict[int, str | None]) -> None:
    """A process whose ``threads`` have these children; ``None``: it has ended since."""
    for thread, children in threads.items():
        folder = proc / str(pid) / "task" / str(thread)
        folder.mkdir(parents=True)
        if children is not None:
            (folder / "children").write_text(children)


def test_children_of_every_thread_and_their_own_are_listed(tmp_path: Path) -> None:
    make(tmp_path, 1, {1: "2 ", 11: "3 "})
    make(tmp_path, 2, {2: ""})
    make(tmp_path, 3, {3: "4 "})
    make(tmp_path, 4, {4: ""})
    assert sorted(list_family(1, proc=tmp_path)) == [1, 2, 3, 4]


def test_a_thread_or_a_child_that_ends_meanwhile_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, 1, {1: "2 3 ", 11: None})
    make(tmp_path, 2, {2: ""})
    assert list_family(1, proc=tmp_path) == (1, 2)


def test_a_process_that_has_ended_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProcessLookupError, match="7"):
        list_family(7, proc=tmp_path)


def test_this_process_is_found_where_the_kernel_keeps_it() -> None:
    assert list_family(os.getpid())[0] == os.getpid()
