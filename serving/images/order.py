"""What one client has ordered: its pictures, how far they are, and how they came out."""

import time
from collections.abc import Sequence

import anyio

from serving.images.painter import Canvas, Drawing, Wish


class Commission:
    """One picture of an order; ``has_left`` is read by the painter's thread."""

    def __init__(self, order: "Order", wish: Wish) -> None:
        """Nothing is done yet."""
        self.order = order
        self.wish = wish
        self.ordered = time.monotonic()
        self.step = 0
        self.drawing: Drawing | None = None
        self.has_left = False

    @property
    def canvas(self) -> Canvas:
        """Sides and steps, as the order has them."""
        return self.order.canvas

    def goes_with(self, other: "Commission") -> bool:
        """Whether both can be drawn in one run of the pipeline."""
        is_alone = self.order.is_alone or other.order.is_alone
        return not is_alone and self.canvas == other.canvas

    def advance(self, step: int) -> None:
        """Note that ``step`` steps are done."""
        self.step = step
        self.order.tell()

    def finish(self, drawing: Drawing) -> None:
        """Hand over the finished picture."""
        self.step = self.canvas.steps
        self.drawing = drawing
        self.order.tell()


class Order:
    """One to a few pictures of the same canvas, with different seeds."""

    def __init__(self, wishes: Sequence[Wish], canvas: Canvas, *, is_alone: bool) -> None:
        """``is_alone``: each picture has a run of the pipeline to itself."""
        self.canvas = canvas
        self.is_alone = is_alone
        self.commissions = tuple(Commission(self, wish) for wish in wishes)
        self._failure: BaseException | None = None
        self._has_changed = anyio.Event()

    @property
    def step(self) -> int:
        """Steps done, of all its pictures together."""
        return sum(commission.step for commission in self.commissions)

    @property
    def of(self) -> int:
        """Steps that all its pictures need."""
        return self.canvas.steps * len(self.commissions)

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """What is finished, in the order of the wishes."""
        return tuple(one.drawing for one in self.commissions if one.drawing is not None)

    @property
    def is_done(self) -> bool:
        """Whether every picture is finished.

        Raises:
            ZwrotnicaError: the order has failed; whatever the painter raised.
        """
        if self._failure is not None:
            raise self._failure
        return len(self.drawings) == len(self.commissions)

    def fail(self, error: BaseException) -> None:
        """End the order: its pictures are not drawn any further."""
        self._failure = error
        for commission in self.commissions:
            commission.has_left = True
        self.tell()

    def tell(self) -> None:
        """Wake whoever waits for a change."""
        self._has_changed.set()
        self._has_changed = anyio.Event()

    async def change(self) -> None:
        """Wait for the next change."""
        await self._has_changed.wait()
