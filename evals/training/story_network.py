"""Train the network that writes calculations: ``python -m evals.training.story_network``.

Needs PyTorch, whose names the weights keep; `chatbot.router.detector.formulas.stories.network` runs
them in numpy.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import nll_loss

import chatbot.router.detector.formulas.stories.network as runtime
from chatbot.router.detector.formulas.stories.network import (
    END,
    MOST,
    NAMES,
    UNKNOWN,
    StoryNetwork,
)
from chatbot.router.detector.formulas.stories.templates import parse
from chatbot.router.detector.formulas.stories.tokens import (
    MOST_GROUPS,
    PARTS,
    TRAITS,
    tokens_of,
)
from evals.training.prompts import SEED
from evals.training.story_examples import Example, read_examples
from evals.training.story_numbers import (
    Names,
    Numbered,
    Story,
    number,
    story_of,
    story_of_talk,
)
from evals.training.talks import TalkExample, example_of_talk, read_follow_ups
from evals.training.weight_file import lines_of, out_option, write_weights

_SIZES = (64, 12, 16)
_OF_PLACES, _OF_GROUPS, _OF_TRAITS, _OF_PARTS = 10, 6, 24, 8
_STATES = 128
_LAYERS = 2
_DECODER = 192
_SIGN = 96
_DROPPED = 0.4
_UNREAD = 0.15
_BATCH = 96
_LIKE_LONG = 32  # so many batches are sorted by length at a time
_RATE = 2.5e-3
_WARMING = 200
_LEAST_RATE = 0.01
_DECAY = 0.01
_LONGEST_STEP = 2.0
_HELD_OUT = 2000
_IGNORED = -100
_IMPOSSIBLE = -30.0
_THREADS = 1  # sums in one order, whatever the machine
_BITS = 127


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Stories side by side, filled up with noughts; ``before`` are the signs moved by one."""

    rows: Tensor
    traits: Tensor
    lengths: Tensor
    places: Tensor
    before: Tensor
    signs: Tensor


class Network(nn.Module):  # type: ignore[misc] # PyTorch has no types here
    """The network as it is trained; the names of its parts are those of the weights."""

    def __init__(self, names: Names) -> None:
        """Make it as large as the names need."""
        super().__init__()
        counts = [len(each) + UNKNOWN + 1 for each in names.of_tokens]
        self.stem, self.ending, self.measure = (
            nn.Embedding(count, size, padding_idx=0)
            for count, size in zip(counts, _SIZES, strict=True)
        )
        self.place = nn.Embedding(MOST + 1, _OF_PLACES)
        self.group = nn.Embedding(MOST_GROUPS + 1, _OF_GROUPS)
        self.traits = nn.Linear(TRAITS, _OF_TRAITS)
        self.part = nn.Embedding(PARTS, _OF_PARTS)
        self.encoder = nn.GRU(
            sum(_SIZES) + _OF_PLACES + _OF_GROUPS + _OF_TRAITS + _OF_PARTS, _STATES, _LAYERS,
            batch_first=True, bidirectional=True, dropout=_DROPPED,
        )  # fmt: skip
        both = 2 * _STATES
        self.start = len(names.signs) + 1
        self.sign = nn.Embedding(self.start + 1, _SIGN)
        self.quantity = nn.Linear(both, _SIGN)
        self.decoder = nn.GRU(_SIGN, _DECODER, batch_first=True)
        self.summary = nn.Linear(both, _DECODER)
        self.attention = nn.Linear(_DECODER, both, bias=False)
        self.mixture = nn.Linear(_DECODER + both, _DECODER)
        self.choice = nn.Linear(_DECODER, self.start)
        self.pointer = nn.Linear(_DECODER, both)
        self.dropped = nn.Dropout(_DROPPED)

    def forward(self, batch: Batch) -> Tensor:
        """Return logarithms of shares of each next sign, shape (stories, signs, choices)."""
        states = self._encode(batch)
        is_token = torch.arange(states.shape[1])[None] < batch.lengths[:, None]
        summary = (states * is_token[..., None]).sum(1) / batch.lengths[:, None]
        quantities = _pick(states, batch.places.clamp(min=0))
        is_quantity = batch.before > self.start
        written = self.sign(torch.where(is_quantity, END, batch.before))
        pointed = _pick(self.quantity(quantities), (batch.before - self.start - 1).clamp(min=0))
        inputs = torch.where(is_quantity[..., None], pointed, written)
        decoded, _ = self.decoder(inputs, torch.tanh(self.summary(summary))[None])
        scale = math.sqrt(states.shape[-1])
        heed = self.attention(decoded) @ states.transpose(1, 2) / scale
        heed = heed.masked_fill(~is_token[:, None], _IMPOSSIBLE).softmax(-1)
        mixed = torch.tanh(self.mixture(torch.cat([decoded, heed @ states], -1)))
        mixed = self.dropped(mixed)
        places = self.pointer(mixed) @ quantities.transpose(1, 2) / scale
        places = places.masked_fill(batch.places[:, None] < 0, _IMPOSSIBLE)
        return torch.cat([self.choice(mixed), places], -1).log_softmax(-1)

    def _encode(self, batch: Batch) -> Tensor:
        stems, endings, measures, places, groups, told = batch.rows.unbind(-1)
        if self.training:
            is_unread = (torch.rand(stems.shape) < _UNREAD) & (stems > UNKNOWN)
            stems = torch.where(is_unread, UNKNOWN, stems)
        parts = [
            self.stem(stems), self.ending(endings), self.measure(measures),
            self.place(places), self.group(groups), self.part(told), self.traits(batch.traits),
        ]  # fmt: skip
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropped(torch.cat(parts, -1)), batch.lengths,
            batch_first=True, enforce_sorted=False,
        )  # fmt: skip
        states, _ = nn.utils.rnn.pad_packed_sequence(
            self.encoder(packed)[0], batch_first=True, total_length=stems.shape[1]
        )
        return states


def _pick(states: Tensor, places: Tensor) -> Tensor:
    """The states at places, shape (stories, places, states)."""
    return torch.gather(states, 1, places[..., None].expand(-1, -1, states.shape[-1]))


def batch_of(stories: Sequence[Numbered], start: int) -> Batch:
    """Return stories side by side; ``start`` is the sign before the first."""
    length = max(len(one.rows) for one in stories)
    most = max(len(one.signs) for one in stories)
    rows = np.zeros((len(stories), length, len(NAMES) + 3), dtype=np.int64)
    traits = np.zeros((len(stories), length, TRAITS), dtype=np.float32)
    signs = np.full((len(stories), most), _IGNORED)
    before = np.zeros((len(stories), most), dtype=np.int64)
    for at, one in enumerate(stories):
        rows[at, : len(one.rows)] = one.rows
        traits[at, : len(one.rows)] = one.traits
        signs[at, : len(one.signs)] = one.signs
        moved = [sign if sign < start else sign + 1 for sign in one.signs[:-1]]
        before[at, : len(one.signs)] = [start, *moved]
    return Batch(
        rows=torch.from_numpy(rows),
        traits=torch.from_numpy(traits),
        lengths=torch.tensor([len(one.rows) for one in stories]),
        places=torch.from_numpy(np.stack([one.places for one in stories])),
        before=torch.from_numpy(before),
        signs=torch.from_numpy(signs),
    )


def fit(stories: Sequence[Story], *, epochs: int) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays of the weight file; the same stories give the same arrays."""
    torch.set_num_threads(_THREADS)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    order = random.Random(SEED)  # noqa: S311 - order of learning, no secret
    names = Names.of(stories)
    learnt = [one for story in stories if (one := number(story, names)) is not None]
    network = Network(names)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = epochs * math.ceil(len(learnt) / _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _pace(step, steps))
    network.train()
    for epoch in range(epochs):
        losses = []
        for some in _batches(learnt, order):
            batch = batch_of(some, network.start)
            loss = nll_loss(
                network(batch).flatten(0, 1), batch.signs.flatten(), ignore_index=_IGNORED
            )
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_STEP)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        click.echo(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}")
    return _arrays(network, names)


def _pace(step: int, steps: int) -> float:
    """Rises at first, then falls along a cosine."""
    falling = 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))
    return min(1.0, step / _WARMING) * (falling + _LEAST_RATE)


def _batches(stories: Sequence[Numbered], order: random.Random) -> list[Sequence[Numbered]]:
    """Stories in a new order, those of one batch about as long as each other."""
    mixed = order.sample(stories, len(stories))
    size = _BATCH * _LIKE_LONG
    batches: list[Sequence[Numbered]] = []
    for at in range(0, len(mixed), size):
        alike = sorted(mixed[at : at + size], key=lambda one: len(one.rows))
        batches += [alike[start : start + _BATCH] for start in range(0, len(alike), _BATCH)]
    order.shuffle(batches)
    return batches


def _arrays(network: Network, names: Names) -> Mapping[str, NDArray[np.generic]]:
    """Weights in eight bits with a scale for each row, biases as they are, names as lines."""
    arrays: dict[str, NDArray[np.generic]] = {
        title: lines_of(each)
        for title, each in zip((*NAMES, "signs"), (*names.of_tokens, names.signs), strict=True)
    }
    for name, tensor in network.state_dict().items():
        values = tensor.numpy()
        if values.ndim == 1:
            arrays[name] = values.astype(np.float16)
            continue
        scale = np.maximum(np.abs(values).max(axis=1) / _BITS, np.finfo(np.float16).tiny)
        scale = scale.astype(np.float16)
        rounded = np.round(values / scale.astype(np.float32)[:, None])
        arrays[name] = np.clip(rounded, -_BITS, _BITS).astype(np.int8)
        arrays[f"{name}{runtime.SCALE}"] = scale
    return arrays


def _report(network: StoryNetwork, examples: Sequence[Example | TalkExample]) -> None:
    first = among = 0
    for one in examples:
        if isinstance(one, Example):
            tokens, numbers = tokens_of(one.statement), one.told.numbers.tolist()
        else:
            talk = one.conversation
            tokens, numbers = list(talk.tokens), [each.value for each in talk.numbers]
        values = (
            parse(found.code).value([np.array([numbers[at]]) for at in found.chosen])
            for found in network.write(tokens)
        )
        right = [one.is_right(float(value[0])) for value in values]
        first += right[:1] == [True]
        among += any(right)
    count = len(examples)
    click.echo(
        f"{count} held out: the first calculation is right for {first / count:.1%}, "
        f"one of those written for {among / count:.1%}"
    )


@click.command()
@out_option(runtime, runtime.WEIGHTS)
@click.option("--epochs", type=click.IntRange(min=1), default=18)
@click.option("--held-out/--no-held-out", default=True, help="Measure on 2,000 stories first.")
def train(out: Path, *, epochs: int, held_out: bool) -> None:
    """Read stories and talks, train, report the quality on what was held out, write the weights."""
    stories, talks = read_examples(with_further=True), _talks(kept=False)
    if held_out:
        mixed = random.Random(SEED).sample(stories, len(stories))  # noqa: S311 - no secret
        with np.errstate(all="ignore"):
            arrays = fit(_learnt(mixed[_HELD_OUT:], talks), epochs=epochs)
            _report(StoryNetwork.from_arrays(arrays), mixed[:_HELD_OUT])
    arrays = fit(_learnt(stories, talks), epochs=epochs)
    write_weights(out, arrays)
    with np.errstate(all="ignore"):
        _report(StoryNetwork.from_arrays(arrays), _talks(kept=True))


def _talks(*, kept: bool) -> list[TalkExample]:
    found = (example_of_talk(one) for one in read_follow_ups(kept=kept))
    return [one for one in found if one is not None]


def _learnt(stories: Sequence[Example], talks: Sequence[TalkExample]) -> list[Story]:
    found = [*map(story_of, stories), *map(story_of_talk, talks)]
    return [one for one in found if one is not None]


if __name__ == "__main__":
    train()
