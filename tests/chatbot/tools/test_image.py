import pytest

from chatbot.errors import (
    EngineBusy,
    EngineTimeout,
    EngineUnavailable,
    InvalidRequest,
    ToolError,
)
from chatbot.testing import ONE_PIXEL_PNG, ScriptedImageEngine, StandIn, run_tool
from chatbot.tools.image import generate_image
from chatbot.types import Entity


def test_the_picture_is_an_artifact_with_its_description() -> None:
    stand_in = StandIn(images=ScriptedImageEngine())
    result = run_tool(generate_image, stand_in, description="a dog and a cat")
    picture = result.artifacts[0]
    assert (picture.data, picture.alt) == (ONE_PIXEL_PNG, "a dog and a cat")
    assert result.state == (Entity(kind="image", value="a dog and a cat"),)


def test_the_answer_has_no_link_and_no_image_syntax() -> None:
    result = run_tool(generate_image, StandIn(images=ScriptedImageEngine()), description="a dog")
    assert result.content == "Gotowe, oto obraz."


def test_the_engine_gets_most_of_the_deadline() -> None:
    class Engine(ScriptedImageEngine):
        def generate(self, request, *, deadline_s, on_step=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - as its base
            deadlines.append(deadline_s)
            return super().generate(request, deadline_s=deadline_s, on_step=on_step)

    deadlines: list[float] = []
    run_tool(generate_image, StandIn(images=Engine()), description="a dog")
    assert deadlines == [pytest.approx(114.0)]


def test_every_step_is_reported() -> None:
    stand_in = StandIn(images=ScriptedImageEngine(steps=2))
    run_tool(generate_image, stand_in, description="a dog")
    assert stand_in.progress == [(0.5, "krok 1 z 2"), (1.0, "krok 2 z 2")]


def test_without_an_engine_the_user_reads_how_to_connect_one() -> None:
    with pytest.raises(ToolError, match=r"images\.engine\.url"):
        run_tool(generate_image, description="a dog")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (EngineUnavailable("down", engine="flux"), "nie odpowiada"),
        (EngineTimeout("late", engine="flux"), "nie zdążył"),
        (EngineBusy("full", engine="flux"), "zbyt wiele zleceń"),
        (InvalidRequest("content policy"), "odmówił"),
    ],
)
def test_a_failing_engine_is_said_in_polish(error: Exception, words: str) -> None:
    stand_in = StandIn(images=ScriptedImageEngine(error=error))
    with pytest.raises(ToolError, match=words):
        run_tool(generate_image, stand_in, description="a dog")


def test_a_missing_description_is_asked_for() -> None:
    assert generate_image.ask("description") == "Co ma przedstawiać obraz?"
