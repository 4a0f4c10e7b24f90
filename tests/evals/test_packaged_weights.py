"""The packaged weights: those of the recorded trainings, and small."""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

LARGEST = 5_000_000
PACKAGED = {
    "chatbot/router/detector/weights.npz": LARGEST,
    "chatbot/router/detector/topics.npz": LARGEST,
    "chatbot/router/detector/topic_trees.npz": 30_000,
    "chatbot/router/detector/formulas/stories/stories.npz": 300_000,
    "chatbot/router/detector/formulas/stories/network.npz": LARGEST,
    "chatbot/router/dialogue/intent.npz": 350_000,
    "chatbot/router/dialogue/calculations/proposals.npz": 100_000,
    "chatbot/router/dialogue/articles/references.npz": 120_000,
    "chatbot/router/dialogue/articles/question_kinds.npz": 60_000,
}
"""Files by their paths, with the bytes that each must stay below."""

ROOT = Path(str(files("chatbot"))).parent


@pytest.mark.parametrize(("path", "largest"), PACKAGED.items())
def test_the_packaged_weights_are_those_of_the_recorded_training(path: str, largest: int) -> None:
    data = (ROOT / path).read_bytes()
    recorded = (files("evals.training") / "weights.sha256").read_text(encoding="utf-8")

    assert len(data) < largest
    assert f"{sha256(data).hexdigest()}  {Path(path).name}" in recorded.splitlines()


def test_all_packaged_weights_together_are_small() -> None:
    assert sum(path.stat().st_size for path in (ROOT / "chatbot").rglob("*.npz")) < LARGEST
