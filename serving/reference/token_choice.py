"""Chooses the next token of every row of a batch from the model's logits."""

import random
from collections.abc import Sequence

import torch

from serving.reference.token_model import Prompt, RowSampling

_COLDEST = 1e-5


class TokenChooser:
    """Chooses for all rows at once; each draws from a random source of its own.

    A row's draw is one number from its seed, turned into a token by the cumulated probabilities of
    its likeliest tokens, so its neighbours change it only by the rounding of the model's logits.
    """

    def __init__(self, prompts: Sequence[Prompt], device: torch.device) -> None:
        """``device`` is where the logits are."""
        samplings = [prompt.sampling for prompt in prompts]
        self._prompts = prompts
        self._device = device
        self._draws = [random.Random(sampling.seed) for sampling in samplings]  # noqa: S311
        self._is_drawn = self._column([float(one.temperature > 0) for one in samplings]).bool()
        self._temperature = self._column([max(one.temperature, _COLDEST) for one in samplings])
        self._top_k = self._column([float(one.top_k or 2**31) for one in samplings])
        self._top_p = self._column([one.top_p for one in samplings])
        self._min_p = self._column([one.min_p for one in samplings])
        self._repetition = self._column([one.repetition_penalty for one in samplings])
        self._presence = self._column([one.presence_penalty for one in samplings])
        self._frequency = self._column([one.frequency_penalty for one in samplings])
        self._has_draws = bool(self._is_drawn.any())
        self._has_penalties = any(map(_has_penalty, samplings))
        self._in_prompt: torch.Tensor | None = None
        self._generated: torch.Tensor | None = None

    def choose(self, logits: torch.Tensor) -> torch.Tensor:
        """One token for each row: ``logits`` is rows × vocabulary, the result a vector of ids."""
        if self._has_penalties:
            logits = self._penalise(logits)
        chosen = logits.argmax(dim=-1)
        if self._has_draws:
            chosen = torch.where(self._is_drawn[:, 0], self._draw(logits), chosen)
        if self._generated is not None:
            one = torch.ones_like(chosen, dtype=self._generated.dtype)[:, None]
            self._generated.scatter_add_(1, chosen[:, None], one)
        return chosen

    def _column(self, values: list[float]) -> torch.Tensor:
        return torch.tensor(values, dtype=torch.float32, device=self._device)[:, None]

    def _penalise(self, logits: torch.Tensor) -> torch.Tensor:
        """Lower what was said: repetition counts the prompt too, the other two the answer."""
        if self._in_prompt is None or self._generated is None:
            self._in_prompt = torch.zeros_like(logits, dtype=torch.bool)
            for row, prompt in zip(self._in_prompt, self._prompts, strict=True):
                row[list(prompt.ids)] = True
            self._generated = torch.zeros_like(logits)
        said = self._generated > 0
        scaled = torch.where(logits > 0, logits / self._repetition, logits * self._repetition)
        logits = torch.where(said | self._in_prompt, scaled, logits)
        return logits - self._frequency * self._generated - self._presence * said

    def _draw(self, logits: torch.Tensor) -> torch.Tensor:
        probabilities = torch.softmax(logits / self._temperature, dim=-1)
        likeliest, ids = probabilities.sort(dim=-1, descending=True)
        ranks = torch.arange(likeliest.shape[-1], device=self._device)[None, :]
        likeliest = likeliest * (ranks < self._top_k)
        likeliest /= likeliest.sum(dim=-1, keepdim=True)
        before = likeliest.cumsum(dim=-1) - likeliest
        is_kept = (before < self._top_p) & (likeliest >= self._min_p * likeliest[:, :1])
        is_kept[:, 0] = True
        sums = (likeliest * is_kept).cumsum(dim=-1)
        aims = self._column([draw.random() for draw in self._draws]) * sums[:, -1:]
        last = is_kept.sum(dim=-1, keepdim=True) - 1
        places = torch.searchsorted(sums, aims, right=True).minimum(last)
        return ids.gather(1, places)[:, 0]


def _has_penalty(sampling: RowSampling) -> bool:
    return bool(
        sampling.repetition_penalty != 1 or sampling.presence_penalty or sampling.frequency_penalty
    )
