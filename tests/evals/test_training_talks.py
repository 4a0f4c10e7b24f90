"""Follow-ups of calculations that are learnt: what they are read from, and what is right."""

from pathlib import Path

from scripted.tables import every_row

from evals.training.talks import (
    TALKS,
    FollowUp,
    TalkExample,
    example_of_talk,
    first_rows,
    of_talks,
)

TALK = """\
U Ile zapłacę za 64 odbitki po 0,79?
C 64*0.79
A Zapłacisz 50,56 zł.
U fajnie, dzięki
C -
A Proszę!
U a gdyby było ich sto, po 0,69
C 100*0.69
A Sto odbitek to 69 zł.
U czyli ile drożej
C 100*0.69 - 64*0.79

U cześć
C -
A Cześć!
U 3 bilety po 28
C 3*28
"""


def talks(folder: Path, text: str = TALK) -> list[FollowUp]:
    path = folder / "talks.txt"
    path.write_text(text, encoding="utf-8")
    return list(of_talks(path))


def example(folder: Path, *lines: str) -> TalkExample:
    *_, last = talks(folder, "\n".join(lines))
    found = example_of_talk(last)
    assert found is not None
    return found


def test_a_talk_has_a_follow_up_for_each_later_calculation(tmp_path: Path) -> None:
    found = talks(tmp_path)

    assert [(one.prompt, one.right, len(one.turns)) for one in found] == [
        ("a gdyby było ich sto, po 0,69", ("100*0.69",), 2),
        ("czyli ile drożej", ("100*0.69 - 64*0.79",), 3),
        ("3 bilety po 28", ("3*28",), 1),
    ]
    assert [len(turn.calls) for turn in found[1].turns] == [1, 0, 1]


def test_what_talks_begin_with_are_stories(tmp_path: Path) -> None:
    talks(tmp_path)

    assert list(first_rows(tmp_path / "talks.txt")) == [
        ("Ile zapłacę za 64 odbitki po 0,79?", ["64*0.79"])
    ]


@every_row(
    ("prompt", "right", "signs"),
    [
        ("a 4?", "4*28", (0, 3, "*")),
        ("na dwie osoby", "3*28/2", (1, 0, "/")),
        ("i 10 zł", "3*28 + 10", (0, 1, "+")),
        ("rabat 10 %", "3*28*(1 - 10/100)", ("1", 0, "-", 1, "*")),
    ],
)
def test_a_result_that_is_calculated_again_is_that_result(
    tmp_path: Path, prompt: str, right: str, signs: tuple[str | int, ...]
) -> None:
    told = ("U 3 bilety po 28", "C 3*28", "A 84 zł")
    found = example(tmp_path, *told, f"U {prompt}", f"C {right}")

    assert found.signs == signs


def test_numbers_that_nobody_told_make_nothing(tmp_path: Path) -> None:
    found = example(tmp_path, "U 3 bilety po 28", "C 3*28", "A 84 zł", "U a ulgowe?", "C 3*19")

    assert found.signs is None
    assert found.is_right(57.0)


def test_one_conversation_is_learnt_or_kept_as_a_whole() -> None:
    path = TALKS / "talks_1.txt"
    by_first: dict[str, set[bool]] = {}
    for one in of_talks(path):
        by_first.setdefault(one.turns[0].prompt, set()).add(one.is_kept)

    kept = [one for one in by_first.values() if True in one]
    assert all(len(one) == 1 for one in by_first.values())
    assert 1 / 40 < len(kept) / len(by_first) < 1 / 7
