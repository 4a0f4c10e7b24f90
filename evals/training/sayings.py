"""Prompts within conversations that the intent classifier learns from; same seed, same examples.

Whole dialogues; replies written for no dialogue in particular, put after such an exchange; and
prompts of the written lists, put after whatever was said: they stand alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np

from chatbot.router.detector import Detector
from chatbot.router.detector.classifier import CLASSES
from chatbot.router.dialogue import DialogueState, recall, state
from chatbot.router.dialogue.scene import LONGEST, Scene
from chatbot.router.dialogue.signs import LABELS, NONE, read_signs
from chatbot.router.dialogue.turns import Turn
from chatbot.types import ToolSpec
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, read_cases, select
from evals.training.calibration import log_softmax
from evals.training.fit import judge_unseen
from evals.training.prompts import SEED, Example
from evals.training.written import read_written

DIALOGUES, REPLIES, ALONE = "dialogues", "replies", "prompts alone"
WEIGHTS: Mapping[str, float] = {DIALOGUES: 1.0, REPLIES: 0.4, ALONE: 0.25}
TODAY = date(2026, 11, 18)
CONTEXTS = 2
"""So many exchanges of the right kind stand before each reply."""

_EVERY = 4  # one list line of so many is put after a conversation
_FOLDER = Path(__file__).parent / "dialogues"
_PRACTICE = (
    "asking_a", "dialogues_alike_a", "mathematics_10", "wikipedia_8", "kept_dialogues",
    "mixed_dialogues", "mixed_dialogues_2", "picture_dialogues", "picture_dialogues_2",
    "weather_dialogues", "weather_dialogues_2", "picture_dialogues_3", "weather_dialogues_3",
    "weather_dialogues_4",
)  # fmt: skip
"""Practice cases, some of them dialogues; files of calculations alone would outweigh the rest."""

_NEIGHBOURS = 10  # dialogues written one after the other are alike


@dataclass(frozen=True, kw_only=True, slots=True)
class Saying:
    """The features of each class, in the order of `CLASSES`, and the right one.

    ``right`` are all classes that may be defended. ``origin`` keeps what is alike together.
    """

    signs: Sequence[Mapping[str, float]]
    label: str
    right: frozenset[str]
    origin: str
    source: str


class Sayings:
    """Reads and builds all examples."""

    def __init__(self, detector: Detector, tools: Sequence[ToolSpec]) -> None:
        """Take the detector with its packaged weights and the built-in tools."""
        self._detector = detector
        self._tools = tools

    def read(self, *, seed: int = SEED) -> tuple[Saying, ...]:
        """Return all examples."""
        random = Random(seed)  # noqa: S311 - training examples, no secret
        return (*self._dialogues(), *self._replies(random), *self._alone(random))

    @cached_property
    def _cases(self) -> tuple[tuple[Case, DialogueState], ...]:
        dev = select(read_cases(ZWROTNICA_PL), "dev").cases
        files = (
            *sorted(_FOLDER.glob("*.jsonl")),
            *(PRACTICE_PL / f"{one}.jsonl" for one in _PRACTICE),
        )
        own = (case for path in files for case in read_cases(path).cases)
        return tuple((case, self._recall(case)) for case in (*own, *dev) if case.history)

    def _recall(self, case: Case) -> DialogueState:
        return recall(state(case.history), self._tools, today=TODAY, detector=self._detector)

    def _dialogues(self) -> Iterator[Saying]:
        for number, (case, said) in enumerate(self._cases):
            yield Saying(
                signs=self._signs(case.prompt, said),
                label=LABELS.get(case.tool or "", NONE),
                right=frozenset(LABELS.get(tool or "", NONE) for tool in _tools_of(case)),
                origin=f"{DIALOGUES}:{number // _NEIGHBOURS}",
                source=DIALOGUES,
            )

    def _replies(self, random: Random) -> Iterator[Saying]:
        """Give the lines of ``replies.txt``; a heading tells the class before and the right one."""
        after = {
            label: [said for _, said in self._cases if _ends(said, label)] for label in CLASSES
        }
        before = label = NONE
        for line in (_FOLDER / "replies.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                before, label = line.removeprefix("# ").split(" > ")
            elif line:
                for said in random.sample(after[before], CONTEXTS):
                    yield _plain(self._signs(line, said), label, line, REPLIES)

    def _alone(self, random: Random) -> Iterator[Saying]:
        """Give prompts that stand alone, judged by a classifier that has not seen them."""
        plain = [one for one in read_written() if one.source != "templates"]
        unseen = {at for at in range(0, len(plain), _EVERY) if len(plain[at].prompt) <= LONGEST}
        learned = [one for at, one in enumerate(plain) if at not in unseen]
        judged = [plain[at] for at in sorted(unseen)]
        for one, shares in zip(judged, _shares(learned, judged), strict=True):
            _, said = random.choice(self._cases)
            yield _plain(self._signs(one.prompt, said, shares), one.label, one.template, ALONE)

    def _signs(
        self, prompt: str, said: DialogueState, shares: Mapping[str, float] | None = None
    ) -> tuple[Mapping[str, float], ...]:
        scene = Scene(prompt, said, self._tools, today=TODAY, detector=self._detector)
        found = read_signs(scene, shares or self._detector.probabilities(prompt))
        return tuple(found[label] for label in CLASSES)


def _tools_of(case: Case) -> tuple[str | None, ...]:
    return (case.tool, *(other.tool for other in case.also))


def _shares(learned: Sequence[Example], judged: Sequence[Example]) -> Iterator[Mapping[str, float]]:
    for row in np.exp(log_softmax(judge_unseen(learned, judged))):
        yield dict(zip(CLASSES, row.tolist(), strict=True))


def _plain(signs: Sequence[Mapping[str, float]], label: str, origin: str, source: str) -> Saying:
    return Saying(signs=signs, label=label, right=frozenset({label}), origin=origin, source=source)


def _ends(said: DialogueState, label: str) -> bool:
    """Whether the last exchange called this class, and nothing is asked for."""
    last: Turn = said.turns[-1]
    called = LABELS.get(last.calls[-1].name, NONE) if last.calls else NONE
    return last.asked is None and called == label
