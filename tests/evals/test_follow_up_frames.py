"""Follow-ups of calculations that are drawn from frames."""

import re
from pathlib import Path

from evals.training.follow_up_frames import FRAMES, frame_cases
from evals.training.story_trees import value_of_expression


def test_follow_ups_of_frames_go_on_with_what_was_calculated(tmp_path: Path) -> None:
    frames = tmp_path / "frames.txt"
    frames.write_text(
        "# bread\n> {a:3-9} bułek po {b:10-20} zł\ta*b\t{=} zł.\n>> <I|Plus> ser?\t\tJaki?\n"
        "<za|po> {c:30-40}\ta*b + c\n",
        encoding="utf-8",
    )

    first, again = (list(frame_cases(frames, seed=3, copies=20)) for _ in range(2))
    texts = [" ".join(one.texts) for one in first]
    (bread, price, total, cheese) = map(int, re.findall(r"\d+", texts[0]))

    assert first == again
    assert len(set(texts)) > len(texts) / 2
    assert total == bread * price
    assert first[0].expected.calls[0].arguments == {"expression": f"{bread}*{price} + {cheese}"}


def test_every_frame_of_follow_ups_comes_to_a_value() -> None:
    cases = frame_cases(FRAMES, seed=1, copies=1)
    expressions = [str(one.expected.calls[0].arguments["expression"]) for one in cases]

    assert [one for one in expressions if value_of_expression(one) is None] == []
