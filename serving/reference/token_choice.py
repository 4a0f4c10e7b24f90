"""Chooses the next token of every row of a batch from the model's logits."""

import random
from collections.abc import Sequence

import torch

from serving.reference.token_model import Prompt, RowSampling

_COLDEST = 1e-5


class TokenChooser:
    """Chooses for all rows at once; each draws from a random source of its own.

    A row's draw is one number from its seed, turned into a token by the cumulated probabilities,
    so its neighbours change it only by the rounding of the model's logits.
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
        choosy = [row for row, one in enumerate(samplings) if _is_choosy(one)]
        self._choosy = torch.tensor(choosy, dtype=torch.long, device=device)
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
        """A token for each row; only rows that leave tokens out pay for putting them in order."""
        probabilities = torch.softmax(logits / self._temperature, dim=-1)
        aims = self._column([draw.random() for draw in self._draws])
        chosen = _look_up(probabilities, aims)
        if self._choosy.numel():
            chosen[self._choosy] = self._draw_likely(
                probabilities[self._choosy], aims[self._choosy], self._choosy
            )
        return chosen

    def _draw_likely(
        self, probabilities: torch.Tensor, aims: torch.Tensor, rows: torch.Tensor
    ) -> torch.Tensor:
        """A token for each of ``rows`` among those that its bounds leave in."""
        likeliest, ids = probabilities.sort(dim=-1, descending=True)
        ranks = torch.arange(likeliest.shape[-1], device=self._device)[None, :]
        likeliest = likeliest * (ranks < self._top_k[rows])
        likeliest /= likeliest.sum(dim=-1, keepdim=True)
        before = likeliest.cumsum(dim=-1) - likeliest
        is_kept = before < self._top_p[rows]
        is_kept &= likeliest >= self._min_p[rows] * likeliest[:, :1]
        is_kept[:, 0] = True
        return ids.gather(1, _look_up(likeliest * is_kept, aims)[:, None])[:, 0]


def _look_up(shares: torch.Tensor, aims: torch.Tensor) -> torch.Tensor:
    """The place of each row in which ``aims``, from 0 to 1, falls; a place without share never."""
    sums = shares.cumsum(dim=-1)
    places = torch.searchsorted(sums, aims * sums[:, -1:], right=True)[:, 0]
    last = (shares > 0).long().cumsum(dim=-1).argmax(dim=-1)
    return places.minimum(last)


def _is_choosy(sampling: RowSampling) -> bool:
    return sampling.temperature > 0 and bool(sampling.top_k or sampling.top_p < 1 or sampling.min_p)


def _has_penalty(sampling: RowSampling) -> bool:
    return bool(
        sampling.repetition_penalty != 1 or sampling.presence_penalty or sampling.frequency_penalty
    )
