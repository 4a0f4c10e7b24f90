"""A small recurrent network that writes the calculation of a story sign by sign, in numpy.

The encoder reads the tokens in both directions (gated recurrent units, Cho et al. 2014); the
decoder writes postfix signs: operators, constants, or a pointer to a quantity, with attention over
the tokens (Luong et al. 2015). `evals.training.story_network` trains it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.formulas.stories.templates import BINARY, LETTERS, UNARY
from chatbot.router.detector.formulas.stories.tokens import Token
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "network.npz"

MOST = 16
"""How many quantities there may be."""

MOST_TOKENS = 160
"""Longer stories and conversations are not read."""

NAMES = ("stems", "endings", "measures")
"""What tokens are known by; each has a list of those that occurred often enough."""

UNKNOWN = 1
"""The row of a name that is not listed; row 0 fills up."""

END = 0
"""The decoder's sign for the end of a calculation; the listed signs follow, then quantities."""

SCALE = ".scale"
"""What the name of a matrix's scales ends with."""

_LOOKED_UP = frozenset({"stem", "ending", "measure", "place", "group", "part", "sign"})
"""Matrices whose rows are taken; the others are multiplied with."""

_WIDTH = 6
_LONGEST = 17
_DEEPEST = 4
_FAR = 6.0
"""What is so much less likely than another, by its logarithm, is not written on."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A calculation: a template's code, the quantities in its slots, the logarithm of its share."""

    code: str
    chosen: tuple[int, ...]
    likelihood: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """An encoded story: its tokens' states, shape (tokens, states), as they are and turned.

    ``pointed`` are the states of its quantities, shape (states, MOST), ``inputs`` what the decoder
    reads after each of them, ``known`` tells which there are.
    """

    states: Floats
    turned: Floats
    pointed: Floats
    inputs: Floats
    known: NDArray[np.bool_]
    summary: Floats


@dataclass(frozen=True, kw_only=True, slots=True)
class _Beam:
    """A calculation that is being written, and how many values it has not joined yet."""

    signs: tuple[int, ...]
    likelihood: float
    open: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Layer:
    """A layer of the encoder; what reads forwards comes first, then what reads backwards."""

    moving: tuple[Floats, Floats]
    moved: tuple[Floats, Floats]
    inner: Floats
    bias: Floats

    @classmethod
    def of(
        cls, weights: Mapping[str, Floats], turned: Mapping[str, Floats], number: int
    ) -> "_Layer":
        """Take the layer of a number from the weights, matrices from the turned ones."""
        ends = (f"l{number}", f"l{number}_reverse")
        forward, backward = ends
        return cls(
            moving=(
                turned[f"encoder.weight_ih_{forward}"],
                turned[f"encoder.weight_ih_{backward}"],
            ),
            moved=(
                weights[f"encoder.bias_ih_{forward}"],
                weights[f"encoder.bias_ih_{backward}"],
            ),
            inner=np.stack([turned[f"encoder.weight_hh_{end}"] for end in ends]),
            bias=np.stack([weights[f"encoder.bias_hh_{end}"] for end in ends]),
        )

    def read(self, inputs: Floats) -> Floats:
        """Return the states of both ways at every token, shape (tokens, 2 * states)."""
        moved = np.stack([
            each @ matrix + bias
            for each, matrix, bias in zip(
                (inputs, inputs[::-1]), self.moving, self.moved, strict=True
            )
        ])
        state = np.zeros((2, self.inner.shape[1]), dtype=np.float32)
        found = np.zeros((2, len(inputs), state.shape[1]), dtype=np.float32)
        for at in range(len(inputs)):
            inner = np.matmul(state[:, None], self.inner)[:, 0] + self.bias
            state = _gated(moved[:, at], inner, state)
            found[:, at] = state
        return np.concatenate([found[0], found[1, ::-1]], axis=1)


class StoryNetwork:
    """Writes the likeliest calculations of stories; immutable, deterministic, safe in threads."""

    def __init__(
        self, weights: Mapping[str, Floats], names: Sequence[Sequence[str]], signs: Sequence[str]
    ) -> None:
        """Take the weights by PyTorch's names, the lists of `NAMES` and the decoder's signs."""
        self._weights = weights
        self._turned = {
            name: np.ascontiguousarray(each.T)
            for name, each in weights.items()
            if each.ndim > 1 and name.partition(".")[0] not in _LOOKED_UP
        }
        self._rows = [{name: row for row, name in enumerate(each, UNKNOWN + 1)} for each in names]
        self._signs = ("", *signs)
        self._joining = np.array([_joined(sign) for sign in self._signs] + [-1] * MOST)
        self._needing = np.array([_needed(sign) for sign in self._signs] + [0] * MOST)
        count = sum(name.startswith("encoder.weight_ih") for name in weights) // 2
        self._layers = [_Layer.of(weights, self._turned, number) for number in range(count)]

    @classmethod
    def load(cls, source: Traversable | None = None) -> "StoryNetwork":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.detector.formulas.stories") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "StoryNetwork":
        """Build from the arrays that training writes: eight bits a weight, a scale for each row."""
        lists = [read_lines(arrays, name) for name in (*NAMES, "signs")]
        weights: dict[str, Floats] = {}
        for name in arrays:
            if f"{name}{SCALE}" in arrays:
                scale = arrays[f"{name}{SCALE}"].astype(np.float32)
                weights[name] = arrays[name].astype(np.float32) * scale[:, None]
            elif name.endswith("bias") or ".bias_" in name:
                weights[name] = arrays[name].astype(np.float32)
        return cls(weights, lists[:-1], lists[-1])

    def write(self, tokens: Sequence[Token]) -> list[Written]:
        """Return up to six calculations, the likeliest first; none for what is too long."""
        if not 0 < len(tokens) <= MOST_TOKENS or max(one.place for one in tokens) >= MOST:
            return []
        read = self._encode(tokens)
        beams = [_Beam(signs=(), likelihood=0.0, open=0)]
        state = np.tanh(self._linear("summary", read.summary))[None]
        done: list[_Beam] = []
        for _ in range(_LONGEST):
            scores, state = self._step(beams, state, read)
            beams, parents = self._extend(beams, scores, done)
            if not beams or self._are_best(done, beams[0]):
                break
            state = state[parents]
        done.sort(key=lambda one: -one.likelihood)
        return [self._written(one) for one in done[:_WIDTH]]

    def _encode(self, tokens: Sequence[Token]) -> _Read:
        rows = [
            [known.get(name, UNKNOWN) for known, name in zip(self._rows, one.names, strict=True)]
            for one in tokens
        ]
        stems, endings, measures = np.array(rows).T
        traits = np.array([one.traits for one in tokens], dtype=np.float32)
        states = np.concatenate(
            [
                self._weights["stem.weight"][stems],
                self._weights["ending.weight"][endings],
                self._weights["measure.weight"][measures],
                self._weights["place.weight"][[one.place + 1 for one in tokens]],
                self._weights["group.weight"][[one.group for one in tokens]],
                self._weights["part.weight"][[one.part for one in tokens]],
                self._linear("traits", traits),
            ],
            axis=1,
        )
        for layer in self._layers:
            states = layer.read(states)
        quantities = np.zeros((MOST, states.shape[1]), dtype=np.float32)
        known = np.zeros(MOST, dtype=np.bool_)
        for at, one in enumerate(tokens):
            if one.place >= 0:
                quantities[one.place], known[one.place] = states[at], True
        return _Read(
            states=states,
            turned=np.ascontiguousarray(states.T),
            pointed=np.ascontiguousarray(quantities.T),
            inputs=self._linear("quantity", quantities),
            known=known,
            summary=states.mean(axis=0),
        )

    def _step(self, beams: Sequence[_Beam], state: Floats, read: _Read) -> tuple[Floats, Floats]:
        """Logarithms of the next signs' shares, shape (beams, signs + MOST), and the new states."""
        inputs = np.stack([self._last(one, read) for one in beams])
        moved = self._linear("decoder", inputs, "_ih_l0")
        inner = self._linear("decoder", state, "_hh_l0")
        state = _gated(moved, inner, state)
        scale = np.float32(np.sqrt(read.states.shape[1]))
        sought: Floats = state @ self._turned["attention.weight"] / scale
        heed = _log_shares(sought @ read.turned)
        mixed = np.concatenate([state, np.exp(heed) @ read.states], axis=1)
        mixed = np.tanh(self._linear("mixture", mixed))
        pointed = self._linear("pointer", mixed) @ read.pointed / scale
        pointed[:, ~read.known] = -np.inf
        return _log_shares(np.concatenate([self._linear("choice", mixed), pointed], axis=1)), state

    def _last(self, one: _Beam, read: _Read) -> Floats:
        """What the decoder reads: the sign written last, or the start."""
        start = len(self._signs)
        last = one.signs[-1] if one.signs else None
        if last is None or last < start:
            row: Floats = self._weights["sign.weight"][start if last is None else last]
        else:
            row = read.inputs[last - start]
        return row

    def _extend(
        self, beams: Sequence[_Beam], scores: Floats, done: list[_Beam]
    ) -> tuple[list[_Beam], list[int]]:
        """The best calculations with one more sign, and which each goes on from."""
        so_far = np.array([one.likelihood for one in beams], dtype=np.float32)
        open_values = np.array([one.open for one in beams])[:, None]
        total = scores + so_far[:, None]
        for at, one in enumerate(beams):
            if one.open == 1 and 1 <= self._count(one) <= len(LETTERS):
                done.append(_Beam(signs=one.signs, likelihood=float(total[at, END]), open=1))
        left = open_values - self._joining
        total[(self._needing > open_values) | (left > _DEEPEST)] = -np.inf
        total[:, END] = -np.inf
        likeliest = max([total.max(), *(one.likelihood for one in done)])
        best = np.argsort(-total, axis=None, kind="stable")[:_WIDTH]
        places = [divmod(int(at), total.shape[1]) for at in best]
        kept = [(at, sign) for at, sign in places if total[at, sign] > likeliest - _FAR]
        longer = [
            _Beam(
                signs=(*beams[at].signs, sign),
                likelihood=float(total[at, sign]),
                open=int(left[at, sign]),
            )
            for at, sign in kept
        ]
        return longer, [at for at, _ in kept]

    def _count(self, one: _Beam) -> int:
        """How many quantities it has."""
        return len({sign for sign in one.signs if sign >= len(self._signs)})

    def _are_best(self, done: Sequence[_Beam], going_on: _Beam) -> bool:
        """Whether as many calculations as wanted are likelier than any that goes on."""
        return sum(one.likelihood > going_on.likelihood for one in done) >= _WIDTH

    def _written(self, one: _Beam) -> Written:
        start = len(self._signs)
        chosen = sorted({sign - start for sign in one.signs if sign >= start})
        letters = {place: LETTERS[at] for at, place in enumerate(chosen)}
        code = " ".join(
            self._signs[sign] if sign < start else letters[sign - start] for sign in one.signs
        )
        return Written(code=code, chosen=tuple(chosen), likelihood=one.likelihood)

    def _linear(self, name: str, inputs: Floats, which: str = "") -> Floats:
        weights = self._turned[f"{name}.weight{which}"]
        moved: Floats = inputs @ weights + self._weights[f"{name}.bias{which}"]
        return moved


def _joined(sign: str) -> int:
    """How many values fewer there are after a sign."""
    return 1 if sign in BINARY else 0 if sign in UNARY else -1


def _needed(sign: str) -> int:
    """How many values a sign joins."""
    return 2 if sign in BINARY else 1 if sign in UNARY else 0


def _gated(moved: Floats, inner: Floats, state: Floats) -> Floats:
    """The next state of gated recurrent units, as PyTorch orders them: reset, update, new."""
    size = state.shape[-1]
    gates = 1 / (1 + np.exp(-(moved[..., : 2 * size] + inner[..., : 2 * size])))
    reset, update = gates[..., :size], gates[..., size:]
    new = np.tanh(moved[..., 2 * size :] + reset * inner[..., 2 * size :])
    after: Floats = new + update * (state - new)
    return after


def _log_shares(scores: Floats) -> Floats:
    moved = scores - scores.max(axis=-1, keepdims=True)
    shares: Floats = moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))
    return shares


@cache
def story_network() -> StoryNetwork:
    """Return the packaged network, read once."""
    return StoryNetwork.load()
