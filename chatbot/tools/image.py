"""The tool `generate_image`: has the connected engine draw a picture."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from chatbot.errors import EngineBusy, EngineError, EngineTimeout, InvalidRequest, ToolError
from chatbot.tools.context import ToolContext
from chatbot.tools.tool import tool
from chatbot.types import Artifact, Attribution, Entity, ImageRequest, ToolResult

DESCRIPTION_LENGTH = 2000
ENGINE_SHARE = 0.95


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
    answer="verbatim",
    deadline_s=120.0,
)
def generate_image(
    description: Annotated[
        str,
        Field(
            max_length=DESCRIPTION_LENGTH,
            description="What the picture shows, translated into English, with style and mood.",
            json_schema_extra={"question": "Co ma przedstawiać obraz?"},
        ),
    ],
    ctx: ToolContext,
) -> ToolResult:
    """Draws a new picture from a description, when the user asks for an image, drawing or photo.

    Not for finding existing pictures, describing them, charts of data, or writing about art.
    """
    artifact = _draw(description, ctx)
    return ToolResult(
        content="Gotowe, oto obraz.",
        attribution=(Attribution(source=_engine_name(ctx), title="Obraz wygenerowany"),),
        artifacts=(replace(artifact, alt=description),),
        state=(Entity(kind="image", value=description),),
    )


def _engine_name(ctx: ToolContext) -> str:
    return f"model obrazów „{ctx.images.name}”" if ctx.images else ""


def _draw(description: str, ctx: ToolContext) -> Artifact:
    if ctx.images is None:
        raise ToolError(
            "Nie mogę narysować obrazu, bo nie podłączono modelu, który rysuje. Operator może "
            "podać adres dowolnej usługi obrazów zgodnej z OpenAI w ustawieniu images.engine.url."
        )
    try:
        return ctx.images.generate(
            ImageRequest(prompt=description),
            deadline_s=ctx.deadline_s * ENGINE_SHARE,
            on_step=lambda step, of: ctx.progress(step / of, f"krok {step} z {of}"),
        )
    except EngineTimeout as error:
        raise ToolError(
            "Model obrazów nie zdążył narysować obrazu. Spróbuj ponownie albo uprość opis."
        ) from error
    except EngineBusy as error:
        raise ToolError(
            "Model obrazów ma teraz zbyt wiele zleceń. Spróbuj ponownie za kilka minut."
        ) from error
    except EngineError as error:
        raise ToolError(
            "Model obrazów nie odpowiada, więc obraz nie powstał. Spróbuj ponownie później."
        ) from error
    except InvalidRequest as error:
        raise ToolError(
            "Model obrazów odmówił narysowania tego obrazu. Zmień opis i spróbuj ponownie."
        ) from error
