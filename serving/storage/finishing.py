"""Makes a tool's picture fit to be shown: looked at, labelled, marked in its file."""

from collections.abc import Mapping
from dataclasses import replace
from pkgutil import resolve_name
from threading import BoundedSemaphore
from types import MappingProxyType
from typing import Final

from chatbot.errors import ToolError
from chatbot.types import Artifact
from serving.settings import ImagesSettings
from serving.storage.picture_marks import Marks, mark_picture
from serving.storage.redrawing import BrokenPicture, Label, LabelNotDrawn, Redraw, Redrawn

MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
})
"""The types that are stored and served, with their files' suffix; none of them is active."""
TOGETHER: Final = 2
"""Pictures decoded at once: each takes up to 4 bytes of memory a pixel, 8 with a label."""
_REDRAW: Final = "serving.storage.pixels:redraw"


class Finisher:
    """Applies the settings to pictures; it blocks, so call it in a thread."""

    def __init__(self, settings: ImagesSettings) -> None:
        """Nothing is loaded before the first picture."""
        self._settings = settings
        self._turn = BoundedSemaphore(TOGETHER)

    def finish(self, artifact: Artifact, *, wanted: str | None = None) -> Artifact:
        """The picture, whole and of its type, as it may be stored and sent.

        Only what a model drew (`Artifact.model`) is labelled, and marked in its file. ``wanted``
        is the media type to give it in place of its own.

        Raises:
            ToolError: it is broken, too large, or cannot be labelled (in Polish).
        """
        media_type = wanted or artifact.media_type
        redrawn = self._redraw(artifact, media_type, self._label(artifact))
        data = redrawn.data
        if artifact.model is not None:
            data = mark_picture(data, media_type, self._marks(artifact, artifact.model))
        return replace(
            artifact,
            data=data,
            media_type=media_type,
            width=redrawn.width,
            height=redrawn.height,
        )

    def inspect(self, artifact: Artifact) -> None:
        """Look whether the picture is whole and within bounds.

        Raises:
            ToolError: it is not (in Polish).
        """
        self._redraw(artifact, artifact.media_type, None)

    def _redraw(self, artifact: Artifact, media_type: str, label: Label | None) -> Redrawn:
        if artifact.media_type not in MEDIA_TYPES or media_type not in MEDIA_TYPES:
            raise ToolError("Usługa obrazów zwróciła coś, co nie jest obrazem PNG, JPEG ani WebP.")
        if len(artifact.data) > self._settings.max_image_bytes:
            raise ToolError("Obraz jest za duży, żeby go zapisać.")
        redraw: Redraw = resolve_name(_REDRAW)
        try:
            with self._turn:
                return redraw(
                    artifact.data,
                    artifact.media_type,
                    max_pixels=self._settings.max_pixels,
                    label=label,
                    wanted=media_type,
                )
        except BrokenPicture as error:
            raise ToolError(
                "Obraz jest uszkodzony, więc nie ma czego pokazać. Spróbuj ponownie."
            ) from error
        except LabelNotDrawn as error:
            raise ToolError(
                "Obraz powstał, ale nie udało się go podpisać, więc nie może zostać pokazany."
            ) from error

    def _label(self, artifact: Artifact) -> Label | None:
        words = self._settings.label
        if words is None or artifact.model is None:
            return None
        return Label(words=words, font=self._settings.label_font)

    def _marks(self, artifact: Artifact, model: str) -> Marks:
        prompt = artifact.prompt or artifact.alt
        return Marks(model=model, prompt=prompt if self._settings.prompt_in_file else None)
