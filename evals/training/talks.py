"""Follow-ups of calculations with what is right, and as the network of word problems reads them."""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue.calculations.proposal_writing import Conversation, read_conversation
from chatbot.router.dialogue.calculations.rereading import is_same_value, plain_value
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED, state
from chatbot.router.dialogue.turns import Turn
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, read_cases, select
from evals.training.follow_up_frames import FRAMES, frame_cases
from evals.training.prompts import SEED
from evals.training.spellings import KEPT
from evals.training.story_trees import right_calculation, value_of_expression

TALKS = Path(__file__).with_name("calculations") / "talks"
"""Conversations: lines ``U`` (the user), ``C`` (the calculation), ``A`` (the reply), empty ones."""

_DIALOGUES = Path(__file__).with_name("dialogues")
_STRANGERS = ("told/", "talks")
_KEPT_EVERY = 15
_NONE = "-"


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUp:
    """A prompt after exchanges, oldest first, the expressions that are right, and its file."""

    turns: tuple[Turn, ...]
    prompt: str
    right: tuple[str, ...]
    source: str

    @property
    def is_kept(self) -> bool:
        """Whether it is kept for measuring: every fifteenth conversation of strangers."""
        digest = hashlib.md5(self.turns[0].prompt.encode(), usedforsecurity=False).hexdigest()
        return self.source.startswith(_STRANGERS) and int(digest, 16) % _KEPT_EVERY == 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TalkExample:
    """A follow-up as the network reads it.

    ``signs`` are its calculation in postfix signs, with quantities by their places; ``None`` where
    the numbers told do not make it. ``values`` are those that are right.
    """

    conversation: Conversation
    values: tuple[float, ...]
    signs: tuple[str | int, ...] | None

    def is_right(self, value: float) -> bool:
        """Whether this is a right value."""
        return any(is_same_value(value, one) for one in self.values)


def read_follow_ups(*, kept: bool = False) -> tuple[FollowUp, ...]:
    """Return the follow-ups of calculations to learn from, each once, or those that are kept."""
    practice = [path for path in sorted(PRACTICE_PL.glob("*.jsonl")) if path.stem not in KEPT]
    told = sorted(_DIALOGUES.rglob("*.jsonl"))
    cases = [(path.stem, case) for path in practice for case in read_cases(path).cases]
    cases += [
        (f"{path.parent.name}/{path.stem}", case)
        for path in told
        for case in read_cases(path).cases
    ]
    cases += [("dev", case) for case in select(read_cases(ZWROTNICA_PL), "dev").cases]
    cases += [("frames", case) for case in frame_cases(FRAMES, seed=SEED)]
    found = [one for source, case in cases for one in _of_case(case, source)]
    found += [one for path in sorted(TALKS.glob("*.txt")) for one in of_talks(path)]
    said = {(one.prompt, *(turn.prompt for turn in one.turns)): one for one in found}
    return tuple(one for one in said.values() if one.is_kept == kept)


def of_talks(path: Path) -> Iterator[FollowUp]:
    """Read a file of conversations."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        turns: list[Turn] = []
        prompt = right = ""
        for line in block.splitlines():
            mark, _, text = line.partition(" ")
            if mark == "U":
                prompt = text
            elif mark == "C":
                right = text
                if turns and right != _NONE:
                    yield FollowUp(
                        turns=tuple(turns), prompt=prompt, right=(right,), source=TALKS.name
                    )
            elif mark == "A":
                turns.append(_turn(prompt, text, () if right == _NONE else (right,)))


def first_rows(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The calculations that a file's conversations begin with."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        match block.splitlines()[:2]:
            case [prompt, right] if right != f"C {_NONE}":
                yield prompt[2:], [right[2:]]


def _turn(prompt: str, reply: str, made: Sequence[str]) -> Turn:
    calls = (DetectedCall(name=MATHEMATICS, arguments={NEEDED[MATHEMATICS]: one}) for one in made)
    return Turn(prompt=prompt, reply=reply, calls=tuple(calls), is_told=True)


def _of_case(case: Case, source: str) -> Iterator[FollowUp]:
    """The follow-ups of a dialogue: its last prompt, and those before it."""
    turns = state(case.history).turns
    for at, turn in enumerate(turns):
        if at and (made := _made(turn)):
            yield FollowUp(turns=turns[:at], prompt=turn.prompt, right=made, source=source)
    calls = case.expected.calls
    if turns and case.tool == MATHEMATICS and len(calls) == 1:
        name = NEEDED[MATHEMATICS]
        said = (calls[0].arguments.get(name), *calls[0].accept.get(name, ()))
        right = tuple(str(one) for one in said if one is not None)
        if right:
            yield FollowUp(turns=turns, prompt=case.prompt, right=right, source=source)


def _made(turn: Turn) -> tuple[str, ...]:
    made = [str(one.arguments.get(NEEDED[MATHEMATICS], "")) for one in turn.calls
            if one.name == MATHEMATICS]  # fmt: skip
    return tuple(made) if len(made) == 1 else ()


def example_of_talk(one: FollowUp) -> TalkExample | None:
    """Return a follow-up as it is learnt; ``None`` if the network does not read it."""
    values = [value for each in one.right if (value := value_of_expression(each)) is not None]
    talk = read_conversation(one.prompt, one.turns) if values else None
    if talk is None:
        return None
    return TalkExample(
        conversation=talk, values=tuple(values), signs=_signs(one.right[0], talk, values)
    )


def _signs(right: str, talk: Conversation, values: Sequence[float]) -> tuple[str | int, ...] | None:
    results = [one.value for one in talk.numbers if one.is_result]
    found = right_calculation(
        _on_results(right, results),
        [one.value for one in talk.numbers],
        [one.is_share for one in talk.numbers],
        values,
    )
    return None if found is None else found.signs


def _on_results(expression: str, results: Sequence[float]) -> str:
    """The expression with results that it calculates again as numbers."""
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        return expression
    return ast.unparse(_OnResults(results).visit(tree))


class _OnResults(ast.NodeTransformer):
    """Puts numbers in the place of what has the value of a result."""

    def __init__(self, results: Sequence[float]) -> None:
        self._results = results

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace what is calculated, the largest part first."""
        if isinstance(node, ast.BinOp | ast.Call):
            value = plain_value(ast.unparse(node))
            if value is not None and any(is_same_value(value, one) for one in self._results):
                return ast.Name(id=f"{value:.12f}".rstrip("0").rstrip("."))
        return super().generic_visit(node)
