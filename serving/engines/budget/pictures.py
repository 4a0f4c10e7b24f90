"""What our image server takes, where it draws for the chatbot on this machine."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from serving.engines.budget.claim import Claim, Need
from serving.engines.budget.hardware import GIB
from serving.settings import ImageServerSettings, Settings, is_loopback

SERVER: Final = "images.server"
_KIND: Final = "zwrotnica"
_FLUX: Final = "flux.1"
_PARTS: Final = ("transformer", "text_encoder", "text_encoder_2", "vae")
_BYTES: Final = (23_802_816_640, 246_144_352, 9_524_621_312, 167_666_902)
"""Of FLUX.1's parts in bfloat16, as their files are published."""
_OF_FLOAT32: Final = 2
_CONTEXT: Final = GIB // 2
_DENOISED: Final = GIB // 2
"""For each megapixel of a batch while it is drawn: an assumption."""
_DECODED: Final = round(2.5 * GIB)
"""For each megapixel that the last part decodes at once: an assumption."""
_TILE: Final = 1.0
"""Megapixels of a tile: FLUX's are 1024 × 1024, of each picture that is decoded at once."""
_LAYER: Final = GIB // 2
"""What lies on the card of a model that passes through it layer by layer: FLUX's largest layer has
a quarter GiB. With the rest of this table 4 GiB for a picture of a megapixel; 2.7 were measured."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureModel:
    """Bytes of all parts of a picture model, and of the largest."""

    whole: int
    largest: int


def is_drawn_here(settings: Settings) -> bool:
    """Whether pictures come from our own server on this machine."""
    engine = settings.images.engine
    if engine is None or engine.kind != _KIND:
        return False
    return is_loopback(urlsplit(engine.url).hostname or "")


def claim_pictures(server: ImageServerSettings, *, cards: int | None) -> Iterable[Claim]:
    """What the server takes of the first card and of main memory."""
    model = _measure(server.model)
    if server.device == "cpu" or (server.device == "auto" and cards == 0):
        whole = None if model is None else model.whole * _OF_FLOAT32
        yield Claim(server=SERVER, place=None, need=_need(server, whole))
        return
    if server.offload == "none":
        whole = None if model is None else model.whole
        yield Claim(server=SERVER, place=0, need=_need(server, whole))
        return
    largest = None if model is None else model.largest
    on_card = _LAYER if server.offload == "sequential_cpu_offload" else largest
    yield Claim(server=SERVER, place=0, need=_need(server, on_card))
    waiting = None if model is None else Need(weights=model.whole, cache=0, overhead=_CONTEXT)
    yield Claim(server=SERVER, place=None, need=waiting)


def _need(server: ImageServerSettings, weights: int | None) -> Need | None:
    """The weights and what a full batch of the largest pictures takes while it is drawn."""
    if weights is None:
        return None
    megapixels = server.max_pixels / 2**20
    at_once = 1 if server.vae_slicing else server.batch
    decoded = min(megapixels, _TILE) if server.vae_tiling else megapixels
    decoding = round(_DECODED * decoded * at_once)
    drawing = round(_DENOISED * megapixels * server.batch)
    return Need(weights=weights, cache=0, overhead=_CONTEXT + drawing + decoding)


def _measure(model: str) -> PictureModel | None:
    """By the pipeline's files where it is a folder, else as FLUX.1 where its id says so."""
    folder = Path(model).expanduser()
    sizes = [
        sum(file.stat().st_size for file in (folder / part).glob("*.safetensors"))
        for part in _PARTS
    ]
    if not any(sizes):
        sizes = list(_BYTES) if _FLUX in model.lower() else []
    return PictureModel(whole=sum(sizes), largest=max(sizes)) if sizes else None
