"""FLUX by diffusers: loads the pipeline, draws batches of prompts, stops within one step."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import torch
from diffusers import FluxPipeline
from diffusers.utils import logging as diffusers_logging
from PIL.Image import Image
from transformers.utils import logging as transformers_logging

from chatbot.errors import ErrorCode, ZwrotnicaError
from serving.http.errors import Refusal
from serving.images.painter import Canvas, Drawing, PictureFormat, Wish
from serving.settings import ImageServerSettings

INDEX: Final = "model_index.json"
PNG_LEVEL: Final = 2
"""A third of the time of zlib's usual 6, for a file that is some 15 % larger."""
_PATH_STARTS: Final = ("/", ".", "~")
_DTYPES: Final[Mapping[str, torch.dtype]] = MappingProxyType({
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float32": torch.float32,
})
_MISSING: Final = """the weights of {model!r} are not on this machine: {reason}
Either set images.server.model to a folder that holds the pipeline (with its model_index.json),
or let them be downloaded: images.server.download = true, HF_HUB_OFFLINE unset, for the original
after its licence was accepted and with a token of the hub (HF_TOKEN).
Nie ma wag modelu {model!r}: podaj w images.server.model folder z modelem albo pozwól go pobrać
(images.server.download = true, bez HF_HUB_OFFLINE)."""


class WeightsMissing(ZwrotnicaError):
    """The weights are not where the settings say; the message tells what to do."""


class _Stopped(Exception):
    """Nobody waits for the batch any more; raised through the pipeline to leave it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PixelPicture:
    """Implements `serving.images.painter.Picture`."""

    image: Image

    def encode(self, form: PictureFormat, quality: int) -> bytes:
        """The picture's file; PNG keeps every pixel whatever ``quality`` says."""
        buffer = io.BytesIO()
        options = {"compress_level": PNG_LEVEL} if form == "png" else {"quality": quality}
        self.image.save(buffer, format=form, **options)
        return buffer.getvalue()


class FluxPainter:
    """Implements `serving.images.painter.Painter` with diffusers' `FluxPipeline`.

    The steps' noise comes from a generator on the CPU for each picture, so that a seed means the
    same picture on every device, up to rounding.
    """

    def __init__(self, settings: ImageServerSettings) -> None:
        """Nothing is read before `load`."""
        self._settings = settings
        self._pipeline: FluxPipeline | None = None

    def load(self) -> None:
        """See `Painter.load`.

        Raises:
            WeightsMissing: no such folder, or not downloaded and not to be.
            ZwrotnicaError: the device of the settings is not there.
        """
        silence_libraries()
        device = self._device()
        pipeline = self._read(self._dtype(device))
        pipeline.set_progress_bar_config(disable=True)
        if self._settings.vae_tiling:
            pipeline.vae.enable_tiling()
        if self._settings.vae_slicing:
            pipeline.vae.enable_slicing()
        match self._settings.offload:
            case "none":
                pipeline.to(device)
            case "model_cpu_offload":
                pipeline.enable_model_cpu_offload(device=device)
            case "sequential_cpu_offload":
                pipeline.enable_sequential_cpu_offload(device=device)
        self._pipeline = pipeline

    def draw(
        self, wishes: Sequence[Wish], canvas: Canvas, on_step: Callable[[int], bool]
    ) -> tuple[Drawing, ...] | None:
        """See `Painter.draw`."""
        prompts = [self._cut(wish.prompt) for wish in wishes]
        try:
            images = self._run(prompts, [wish.seed for wish in wishes], canvas, on_step)
        except _Stopped:
            self._loaded.maybe_free_model_hooks()
            return None
        except torch.OutOfMemoryError as error:
            self._loaded.maybe_free_model_hooks()
            torch.cuda.empty_cache()
            raise Refusal(
                "the card has not enough memory for pictures of this size: ask for a smaller one",
                code=ErrorCode.ENGINE_UNAVAILABLE,
            ) from error
        return tuple(
            Drawing(picture=PixelPicture(image=image), prompt=cut.text, tokens=cut.tokens)
            for image, cut in zip(images, prompts, strict=True)
        )

    def _run(
        self,
        prompts: "Sequence[_Cut]",
        seeds: Sequence[int],
        canvas: Canvas,
        on_step: Callable[[int], bool],
    ) -> list[Image]:
        """Encode and draw, asking ``on_step`` between the two and after each step."""

        def leave_if_unwanted(
            _pipeline: object, step: int, _time: object, tensors: dict[str, object]
        ) -> dict[str, object]:
            _catch_up()
            if not on_step(step + 1):
                raise _Stopped
            return tensors

        pipeline = self._loaded
        with torch.no_grad():
            words, gist, _ = pipeline.encode_prompt(
                prompt=[prompt.text for prompt in prompts],
                max_sequence_length=self._settings.prompt_tokens,
            )
        _catch_up()
        if not on_step(0):
            raise _Stopped
        drawn = pipeline(
            prompt_embeds=words,
            pooled_prompt_embeds=gist,
            generator=[torch.Generator("cpu").manual_seed(seed) for seed in seeds],
            width=canvas.width,
            height=canvas.height,
            num_inference_steps=canvas.steps,
            guidance_scale=self._settings.guidance,
            output_type="pil",
            callback_on_step_end=leave_if_unwanted,
        )
        return list(drawn.images)

    @property
    def _loaded(self) -> FluxPipeline:
        if self._pipeline is None:
            raise ZwrotnicaError("the pipeline was used before it was loaded")
        return self._pipeline

    def _cut(self, prompt: str) -> "_Cut":
        """What the model reads of ``prompt``.

        The T5 encoder carries the words and reads ``prompt_tokens``; CLIP gives one vector for the
        whole from its first 77 tokens, which is how the model was made and cuts nothing off.
        """
        read = self._loaded.tokenizer_2(
            prompt,
            truncation=True,
            max_length=self._settings.prompt_tokens,
            return_offsets_mapping=True,
        )
        whole = self._loaded.tokenizer_2(prompt, truncation=False)
        tokens = len(read.input_ids)
        if len(whole.input_ids) == tokens:
            return _Cut(text=prompt, tokens=tokens)
        return _Cut(text=prompt[: max(end for _, end in read.offset_mapping)], tokens=tokens)

    def _device(self) -> str:
        settings = self._settings
        has_card = torch.cuda.is_available()
        device = settings.device
        if device == "auto":
            device = "cuda" if has_card else "cpu"
        if device == "cuda" and not has_card:
            raise ZwrotnicaError("images.server.device is 'cuda', but torch finds no card")
        if device == "cpu" and settings.offload != "none":
            raise ZwrotnicaError(
                f"images.server.offload = {settings.offload!r} needs a graphics card; set 'none'"
            )
        return device

    def _dtype(self, device: str) -> torch.dtype:
        if self._settings.dtype != "auto":
            return _DTYPES[self._settings.dtype]
        return torch.float32 if device == "cpu" else torch.bfloat16

    def _read(self, dtype: torch.dtype) -> FluxPipeline:
        model = self._settings.model
        folder = Path(model).expanduser()
        if model.startswith(_PATH_STARTS) or folder.is_dir():
            if not (folder / INDEX).is_file():
                raise self._missing(f"{str(folder)!r} has no {INDEX}")
            model = str(folder)
        try:
            return FluxPipeline.from_pretrained(
                model, dtype=dtype, local_files_only=not self._settings.download
            )
        except (OSError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise self._missing(reason) from error

    def _missing(self, reason: str) -> WeightsMissing:
        return WeightsMissing(_MISSING.format(model=self._settings.model, reason=reason))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cut:
    """A prompt as the model reads it, and in how many tokens."""

    text: str
    tokens: int


def _catch_up() -> None:
    """Wait for the card, which otherwise is told of all steps long before it has done the first."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def silence_libraries() -> None:
    """Keep diffusers and transformers from logging what was cut off a prompt, and from bars."""
    diffusers_logging.set_verbosity_error()
    diffusers_logging.disable_progress_bar()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
