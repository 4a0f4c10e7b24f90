"""Pictures behind short-lived links with random names, in bounded memory."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from serving.images.metrics import ImageMetrics
from serving.images.painter import PictureFormat

PATH: Final = "/v1/images/files/"
_NAME_BYTES: Final = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptPicture:
    """A picture's file; ``until`` is on the clock of the store."""

    content: bytes
    form: PictureFormat
    until: float


class PictureLinks:
    """Keeps pictures for a while: whoever knows the name may read, as with a signed link."""

    def __init__(
        self,
        *,
        link_s: float,
        max_bytes: int,
        monotonic: Callable[[], float],
        metrics: ImageMetrics,
    ) -> None:
        """``link_s``: seconds that a picture is kept; ``max_bytes``: all together."""
        self._link_s = link_s
        self._max_bytes = max_bytes
        self._monotonic = monotonic
        self._metrics = metrics
        self._kept: OrderedDict[str, KeptPicture] = OrderedDict()
        self._bytes = 0

    def keep(self, content: bytes, form: PictureFormat) -> str:
        """Keep a picture; returns the path of its link. The oldest make room."""
        name = f"{secrets.token_hex(_NAME_BYTES)}.{form}"
        self._kept[name] = KeptPicture(
            content=content, form=form, until=self._monotonic() + self._link_s
        )
        self._bytes += len(content)
        self._make_room()
        return PATH + name

    def find(self, name: str) -> KeptPicture | None:
        """The picture of this name; ``None`` if there never was one or its time is over."""
        self._make_room()
        return self._kept.get(name)

    def seconds_left(self, kept: KeptPicture) -> int:
        """For how long a link that was found is still valid."""
        return int(kept.until - self._monotonic())

    def _make_room(self) -> None:
        now = self._monotonic()
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if oldest.until > now and self._bytes <= self._max_bytes:
                break
            _, gone = self._kept.popitem(last=False)
            self._bytes -= len(gone.content)
        self._metrics.links.set(len(self._kept))
