"""A scripted token model, and the reference server around it: no torch, every step under control.

A token is a byte of UTF-8; above them are the end, a mark and the start of a text.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from scripted.patience import PATIENCE_S
from scripted.running_model_server import RunningModelServer, running_model_server

from chatbot.errors import InvalidRequest
from chatbot.types import JsonObject
from serving.reference.__main__ import build_server
from serving.reference.batching import BatchQueue
from serving.reference.options import ServerOptions
from serving.reference.token_model import Prompt
from serving.settings import LimitsSettings

END: Final = 256
MARK: Final = 257
START: Final = 258
_WRITTEN: Final[Mapping[int, bytes]] = {END: b"<end>", MARK: b"<mark>", START: b"<start>"}


@dataclass(kw_only=True)
class ScriptedTokenModel:
    """Implements `serving.reference.token_model.TokenModel`.

    It answers a prompt with what `answers` has for it, else with the prompt itself, then ends.
    While `gate` is closed it stands before its first step; a step takes one of the `permits`,
    where there are any. `batches` are the prompts of each batch but the warm-up, `steps` the steps
    done in them.
    """

    answers: dict[str, Sequence[int]] = field(default_factory=dict)
    permits: threading.Semaphore | None = None
    load_error: BaseException | None = None
    step_error: BaseException | None = None
    context_tokens: int = 4096
    end_ids: frozenset[int] = frozenset({END})
    special_ids: frozenset[int] = frozenset({END, MARK, START})
    gate: threading.Event = field(default_factory=threading.Event)
    may_load: threading.Event = field(default_factory=threading.Event)
    batches: list[tuple[Prompt, ...]] = field(default_factory=list)
    tools: list[JsonObject] = field(default_factory=list)
    steps: int = 0
    is_warm: bool = False

    def __post_init__(self) -> None:
        self.gate.set()
        self.may_load.set()

    def load(self) -> None:
        self.may_load.wait(PATIENCE_S)
        if self.load_error is not None:
            raise self.load_error

    def read_chat(
        self, messages: Sequence[JsonObject], tools: Sequence[JsonObject]
    ) -> tuple[int, ...]:
        if messages[-1]["role"] == "assistant":
            raise InvalidRequest("roles must alternate", param="messages")
        self.tools.extend(tools)
        return self.read_text(str(messages[-1]["content"]), has_start=False)

    def read_text(self, text: str, *, has_start: bool) -> tuple[int, ...]:
        return (*([START] if has_start else []), *text.encode())

    def write(self, ids: Sequence[int]) -> str:
        return b"".join(_WRITTEN.get(token) or bytes([token]) for token in ids).decode(
            errors="replace"
        )

    def begin(self, prompts: Sequence[Prompt]) -> "ScriptedBatch":
        if self.is_warm:
            self.batches.append(tuple(prompts))
        return ScriptedBatch(self, [self._answer(prompt) for prompt in prompts])

    def asked(self) -> list[list[str]]:
        """The prompts of each batch as text."""
        return [[self.write(prompt.ids) for prompt in batch] for batch in self.batches]

    def _answer(self, prompt: Prompt) -> Sequence[int]:
        text = self.write(prompt.ids)
        return self.answers.get(text, tuple(text.encode()))


class ScriptedBatch:
    """Implements `serving.reference.token_model.TokenBatch`."""

    def __init__(self, model: ScriptedTokenModel, answers: Sequence[Sequence[int]]) -> None:
        self._model = model
        self._answers = answers
        self._place = 0

    def step(self) -> tuple[int, ...]:
        model = self._model
        if model.is_warm:
            model.gate.wait(PATIENCE_S)
            if model.permits is not None:
                model.permits.acquire(timeout=PATIENCE_S)
            if model.step_error is not None:
                raise model.step_error
            model.steps += 1
        model.is_warm = True
        place, self._place = self._place, self._place + 1
        return tuple(answer[place] if place < len(answer) else END for answer in self._answers)


RunningReference: TypeAlias = RunningModelServer[BatchQueue]


@contextmanager
def running_reference(
    model: ScriptedTokenModel,
    options: ServerOptions,
    *,
    limits: LimitsSettings | None = None,
    is_ready: bool = True,
) -> Iterator[RunningReference]:
    """Serve ``model`` in a thread until the block is left; ``is_ready``: begin once it is."""
    server, queue = build_server(options, limits or LimitsSettings(), model)

    def let_go() -> None:
        model.gate.set()
        model.may_load.set()

    with running_model_server(server, queue, is_ready=is_ready, let_go=let_go) as running:
        yield running
