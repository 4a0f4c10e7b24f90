"""The tool `generate_image`: has the connected engine draw a picture."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from chatbot.errors import (
    ContentRefused,
    EngineBusy,
    EngineError,
    ErrorCode,
    InvalidRequest,
    ToolError,
)
from chatbot.language import plural
from chatbot.ports import ImageEngine
from chatbot.tools.context import ToolContext
from chatbot.tools.echo import echo
from chatbot.tools.tool import tool
from chatbot.types import Artifact, Attribution, Entity, ImageRequest, ToolResult, WrittenIn

DESCRIPTION_LENGTH = 2000
ENGINE_SHARE = 0.95
QUOTED_LENGTH = 200
_MINUTE_S = 60.0
_NO_ENGINE: Final = (
    "Nie mogę narysować obrazu, bo nie podłączono modelu, który rysuje. Operator może uruchomić "
    "nasz serwer obrazów (`zwrotnica images serve`) albo wybrać dowolną usługę obrazów zgodną "
    "z OpenAI i podać jej adres w ustawieniu images.engine.url."
)
_FAILURES: Final[Mapping[ErrorCode, str]] = MappingProxyType({
    ErrorCode.ENGINE_TIMEOUT: (
        "Model obrazów nie zdążył narysować obrazu. Spróbuj ponownie albo uprość opis."
    ),
    ErrorCode.ENGINE_LOST: (
        "Model obrazów nie oddał całego obrazu, więc nie ma czego pokazać. Spróbuj ponownie."
    ),
    ErrorCode.ENGINE_UNAVAILABLE: (
        "Model obrazów nie odpowiada, więc obraz nie powstał. Spróbuj ponownie później."
    ),
})
_REFUSED: Final = (
    "Model obrazów odmówił narysowania tego obrazu, bo opis narusza jego zasady. Zmień opis "
    "i spróbuj ponownie."
)
_NOT_TAKEN: Final = (
    "Model obrazów nie przyjął tego zlecenia. Skróć albo zmień opis i spróbuj ponownie."
)
_CUT: Final = "Opis był dłuższy, niż model obrazów potrafi przeczytać; narysowano początek: „{}”."
_CHANGED: Final = "Model obrazów zmienił opis i narysował: „{}”."


class ImageToolSettings(BaseModel):
    """The settings of `[tools.image]`; sides in pixels."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    width: int = Field(default=1024, ge=64, le=2048, multiple_of=16, description="Width, pixels.")
    height: int = Field(default=1024, ge=64, le=2048, multiple_of=16, description="Height, pixels.")


@tool(
    title="Obraz",
    key="image",
    examples=[
        "Wygeneruj obraz psa i kota",
        "Narysuj zamek nad jeziorem o zachodzie słońca",
        "Stwórz ilustrację: smok czyta książkę",
        "namaluj jesienny las w stylu akwareli",
        "Zrób grafikę z logo kawiarni",
    ],
    settings=ImageToolSettings,
    answer="verbatim",
    deadline_s=120.0,
)
def generate_image(
    description: Annotated[
        str,
        WrittenIn("en"),
        Field(
            max_length=DESCRIPTION_LENGTH,
            description="What the picture shows, translated into English, with style and mood.",
            json_schema_extra={"question": "Co ma przedstawiać obraz?"},
        ),
    ],
    ctx: ToolContext[ImageToolSettings],
) -> ToolResult:
    """Draws a new picture from a description, when the user asks for an image, drawing or photo.

    Not for finding existing pictures, describing them, charts of data, or writing about art.
    """
    if ctx.images is None:
        raise ToolError(_NO_ENGINE)
    artifact = _draw(description, ctx, ctx.images)
    model = artifact.model or ctx.images.name
    return ToolResult(
        content="Gotowe, oto obraz.",
        attribution=(Attribution(source=f"model obrazów „{model}”", title="Obraz wygenerowany"),),
        artifacts=(replace(artifact, alt=description, prompt=artifact.prompt or description),),
        state=(Entity(kind="image", value=description),),
        notices=_notices(description, artifact.prompt),
    )


def _draw(description: str, ctx: ToolContext[ImageToolSettings], images: ImageEngine) -> Artifact:
    size = ctx.settings
    try:
        return images.generate(
            ImageRequest(prompt=description, width=size.width, height=size.height),
            deadline_s=ctx.deadline_s * ENGINE_SHARE,
            on_step=ctx.image_step,
        )
    except EngineBusy as error:
        when = _say_when(error.retry_after_s)
        raise ToolError(f"Model obrazów ma teraz zbyt wiele zleceń. {when}") from error
    except EngineError as error:
        words = _FAILURES.get(error.code, _FAILURES[ErrorCode.ENGINE_UNAVAILABLE])
        raise ToolError(words) from error
    except ContentRefused as error:
        raise ToolError(_REFUSED) from error
    except InvalidRequest as error:
        raise ToolError(_NOT_TAKEN) from error


def _say_when(retry_after_s: float | None) -> str:
    if retry_after_s is None or retry_after_s < _MINUTE_S:
        return "Spróbuj ponownie za chwilę."
    minutes = round(retry_after_s / _MINUTE_S)
    return f"Spróbuj ponownie za około {minutes} {plural(minutes, 'minutę', 'minuty', 'minut')}."


def _notices(description: str, drawn: str | None) -> tuple[str, ...]:
    """What the user has to know where the model drew something else than was asked."""
    if drawn is None:
        return ()
    quoted = echo(drawn, longest=QUOTED_LENGTH)
    if _fold(description).startswith(_fold(drawn)):
        return (_CUT.format(quoted),)
    return (_CHANGED.format(quoted),)


def _fold(text: str) -> str:
    """Letters and digits alone: tokenizers change case, spaces and punctuation."""
    return "".join(filter(str.isalnum, text.casefold()))
