"""The tiny checkpoint's files are those that its script made, and small."""

import hashlib

from engines.slow_twin import CHECKPOINTS, TINY
from scripted.tables import every_row

RECORDED = {
    name: digest
    for digest, name in (
        line.split() for line in (CHECKPOINTS / "tiny.sha256").read_text("utf-8").splitlines()
    )
}


def test_every_file_is_recorded() -> None:
    assert {path.name for path in TINY.iterdir()} == set(RECORDED)


@every_row("name", RECORDED)
def test_a_file_is_the_recorded_one(name: str) -> None:
    assert hashlib.sha256((TINY / name).read_bytes()).hexdigest() == RECORDED[name]


def test_the_checkpoint_is_smaller_than_two_megabytes() -> None:
    assert sum(path.stat().st_size for path in TINY.iterdir()) < 2_000_000


def test_the_templates_are_one() -> None:
    ours = CHECKPOINTS / "chat_template.jinja"
    assert (TINY / ours.name).read_bytes() == ours.read_bytes()
