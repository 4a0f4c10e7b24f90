"""Fit the model of word problems and write its weights: ``python -m evals.training.stories``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

import chatbot.router.detector.formulas.stories.model as runtime
from chatbot.router.detector.formulas.stories.model import Guess, StoryModel
from chatbot.router.detector.formulas.stories.reading import GUESSING, is_taken
from evals.training.prompts import SEED
from evals.training.story_examples import Example, read_examples
from evals.training.story_fit import fit
from evals.training.weight_file import out_option, write_weights

_FOLDS = 4
_THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Judged:
    """What a model that had not seen an example made of it."""

    example: Example
    guess: Guess | None

    @property
    def share(self) -> float:
        """How likely the model finds it."""
        return 0.0 if self.guess is None else self.guess.share

    @property
    def is_right(self) -> bool:
        """Whether the guess has a right value."""
        return self.guess is not None and self.example.is_right(self.guess.value)

    @property
    def is_taken(self) -> bool:
        """Whether the guess is taken, where the rules read nothing or only guess."""
        reader = self.example.reader
        is_asked = not reader or reader in GUESSING
        return self.guess is not None and is_asked and is_taken(self.guess, is_read=bool(reader))


def _held_out(examples: Sequence[Example]) -> list[_Judged]:
    order = list(range(len(examples)))
    Random(SEED).shuffle(order)  # noqa: S311 - folds, no secret
    judged: list[_Judged] = []
    for fold in range(_FOLDS):
        seen = [examples[n] for at, n in enumerate(order) if at % _FOLDS != fold]
        model = StoryModel.from_arrays(fit(seen))
        judged.extend(
            _Judged(
                example=one,
                guess=model.guess(one.statement, reader=one.told.reader, read=one.told.read),
            )
            for one in (examples[n] for n in order[fold::_FOLDS])
        )
    return judged


def _report(title: str, judged: Sequence[_Judged]) -> None:
    by_rules = [one for one in judged if one.example.reader]
    right = sum(one.example.is_read_right for one in judged)
    click.echo(
        f"{title}: {len(judged)} stories; the rules read {len(by_rules) / len(judged):.1%}, "
        f"right {right / max(1, len(by_rules)):.1%} of the read, {right / len(judged):.1%} of all"
    )
    whole = [_whole(one) for one in judged]
    read = sum(is_read for is_read, _ in whole)
    good = sum(is_right for _, is_right in whole)
    click.echo(
        f"  with the model: read {read / len(judged):.1%}, "
        f"right {good / max(1, read):.1%} of the read, {good / len(judged):.1%} of all"
    )
    unread = [one for one in judged if not one.example.reader]
    guessed = [one for one in judged if one.example.reader in GUESSING]
    for least in _THRESHOLDS:
        click.echo(f"  from {least}: {_line('of unread', unread, least)}; "
                   f"{_line('of guessed', guessed, least)}")  # fmt: skip


def _whole(one: _Judged) -> tuple[bool, bool]:
    """Whether an expression is read at all, and whether it is right."""
    if one.is_taken:
        return True, one.is_right
    return bool(one.example.reader), one.example.is_read_right


def _line(title: str, judged: Sequence[_Judged], least: float) -> str:
    read = [one for one in judged if one.share >= least]
    right = sum(one.is_right for one in read)
    rules = sum(one.example.is_read_right for one in read)
    return f"{title} {len(judged)} read {len(read)}, right {right}" + (
        f" (rules {rules})" if title == "of guessed" else ""
    )


def _by_reader(judged: Sequence[_Judged]) -> None:
    """How the rules' readers do on stories that no rule was made from, and the model on them."""
    for reader in sorted({one.example.reader for one in judged if one.example.is_own}):
        own = [one for one in judged if one.example.is_own and one.example.reader == reader]
        lines = "; ".join(_line("of guessed", own, least) for least in _THRESHOLDS[::2])
        rules = sum(one.example.is_read_right for one in own)
        click.echo(f"  {reader or 'none'}: rules right {rules} of {len(own)}; {lines}")


@click.command()
@out_option(runtime, runtime.WEIGHTS)
@click.option("--held-out/--no-held-out", default=True, help="Measure on four folds first.")
def train(out: Path, *, held_out: bool) -> None:
    """Read the stories, fit, report the quality on what was held out, write the weights."""
    examples = read_examples()
    if held_out:
        judged = _held_out(examples)
        _report("all", judged)
        _report("own list", [one for one in judged if one.example.is_own])
        _by_reader(judged)
    write_weights(out, fit(examples))


if __name__ == "__main__":
    train()
