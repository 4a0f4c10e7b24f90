"""A scripted painter, and the image server around it: no pipeline, every step under control."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from scripted.patience import PATIENCE_S
from scripted.running_model_server import RunningModelServer, running_model_server

from serving.images.__main__ import build_server
from serving.images.painter import Canvas, Drawing, PictureFormat, Wish
from serving.images.queue import PictureQueue
from serving.settings import ImageServerSettings, ImagesSettings, LimitsSettings, Settings

SMALL = Canvas(width=64, height=64, steps=4)


@dataclass(frozen=True, kw_only=True)
class ScriptedPicture:
    """Its file says what it is a picture of."""

    seed: int
    canvas: Canvas

    def encode(self, form: PictureFormat, quality: int) -> bytes:
        return f"{form} {quality} {self.seed} {self.canvas.width}x{self.canvas.height}".encode()


@dataclass(kw_only=True)
class ScriptedPainter:
    """Implements `serving.images.painter.Painter`.

    While `gate` is closed, it stands before its first step. `step_s` is the length of a step,
    which also waits for one of the `permits`, where there are any; `prompt_chars` what it reads of
    a prompt. `batches` are the seeds of each run but the warm-up, `steps` the steps done,
    `stopped` the runs that were left early.
    """

    step_s: float = 0.0
    permits: threading.Semaphore | None = None
    prompt_chars: int = 1000
    load_error: BaseException | None = None
    draw_error: BaseException | None = None
    gate: threading.Event = field(default_factory=threading.Event)
    may_load: threading.Event = field(default_factory=threading.Event)
    batches: list[tuple[int, ...]] = field(default_factory=list)
    canvases: list[Canvas] = field(default_factory=list)
    steps: int = 0
    stopped: int = 0
    is_warm: bool = False

    def __post_init__(self) -> None:
        self.gate.set()
        self.may_load.set()

    def load(self) -> None:
        self.may_load.wait(PATIENCE_S)
        if self.load_error is not None:
            raise self.load_error

    def draw(
        self, wishes: Sequence[Wish], canvas: Canvas, on_step: Callable[[int], bool]
    ) -> tuple[Drawing, ...] | None:
        if not self.is_warm:
            self.is_warm = True
            return ()
        self.batches.append(tuple(wish.seed for wish in wishes))
        self.canvases.append(canvas)
        if self.draw_error is not None:
            raise self.draw_error
        self.gate.wait(PATIENCE_S)
        for step in range(canvas.steps + 1):
            if not on_step(step):
                self.stopped += 1
                return None
            if step < canvas.steps:
                self._take_step()
        return tuple(
            Drawing(
                picture=ScriptedPicture(seed=wish.seed, canvas=canvas),
                prompt=wish.prompt[: self.prompt_chars],
                tokens=len(wish.prompt[: self.prompt_chars]),
            )
            for wish in wishes
        )

    def _take_step(self) -> None:
        time.sleep(self.step_s)
        if self.permits is not None:
            self.permits.acquire(timeout=PATIENCE_S)
        self.steps += 1


RunningImageServer: TypeAlias = RunningModelServer[PictureQueue]


def image_settings(limits: LimitsSettings | None = None, **server: object) -> Settings:
    """Settings of an image server on a free port, whose pictures are small unless asked."""
    own = ImageServerSettings.model_validate({"port": 0, "default_size": "64x64", **server})
    return Settings(images=ImagesSettings(server=own), limits=limits or LimitsSettings())


@contextmanager
def running_image_server(
    painter: ScriptedPainter, settings: Settings, *, is_ready: bool = True
) -> Iterator[RunningImageServer]:
    """Serve ``painter`` in a thread until the block is left; ``is_ready``: begin once it is."""
    server, queue = build_server(settings, painter)

    def let_go() -> None:
        painter.gate.set()
        painter.may_load.set()

    with running_model_server(server, queue, is_ready=is_ready, let_go=let_go) as running:
        yield running
