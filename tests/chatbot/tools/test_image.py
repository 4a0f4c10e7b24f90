import pytest
from scripted.tables import every_row

from chatbot.errors import (
    ContentRefused,
    EngineBusy,
    EngineLost,
    EngineTimeout,
    EngineUnavailable,
    InvalidRequest,
    ToolError,
)
from chatbot.router import DIALECTS, Dialect, RouterLimits, request_verdict
from chatbot.testing import ONE_PIXEL_PNG, ScriptedImageEngine, StandIn, run_tool
from chatbot.tools.image import generate_image
from chatbot.types import Entity, ImageRequest, RouterView

CUT = "Opis był dłuższy, niż model obrazów potrafi przeczytać; narysowano początek: „A dog, and a”."


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
    assert stand_in.image_steps == [(1, 2), (2, 2)]


def test_without_an_engine_the_user_reads_how_to_connect_one() -> None:
    with pytest.raises(ToolError, match=r"images\.engine\.url"):
        run_tool(generate_image, description="a dog")


@every_row(
    ("error", "words"),
    [
        (EngineUnavailable("down", engine="flux"), "nie odpowiada"),
        (EngineTimeout("late", engine="flux"), "nie zdążył"),
        (EngineLost("broke off", engine="flux"), "nie oddał całego obrazu"),
        (EngineBusy("full", engine="flux"), r"zbyt wiele zleceń\. Spróbuj ponownie za chwilę\."),
        (EngineBusy("full", engine="flux", retry_after_s=62), "za około 1 minutę"),
        (EngineBusy("full", engine="flux", retry_after_s=130), "za około 2 minuty"),
        (EngineBusy("full", engine="flux", retry_after_s=300), "za około 5 minut"),
        (ContentRefused("content policy"), "odmówił .* narusza jego zasady"),
        (InvalidRequest("size"), "nie przyjął"),
    ],
)
def test_a_failing_engine_is_said_in_polish(error: Exception, words: str) -> None:
    stand_in = StandIn(images=ScriptedImageEngine(error=error))
    with pytest.raises(ToolError, match=words):
        run_tool(generate_image, stand_in, description="a dog")


def test_a_missing_description_is_asked_for() -> None:
    assert generate_image.ask("description") == "Co ma przedstawiać obraz?"


def test_the_size_is_a_setting() -> None:
    engine = ScriptedImageEngine()
    stand_in = StandIn(images=engine, settings={"width": 512, "height": 768})
    run_tool(generate_image, stand_in, description="a dog")
    assert engine.requests == [ImageRequest(prompt="a dog", width=512, height=768)]


def test_the_source_names_the_model_that_drew() -> None:
    stand_in = StandIn(images=ScriptedImageEngine(model="FLUX.1-schnell"))
    result = run_tool(generate_image, stand_in, description="a dog")
    assert result.attribution[0].source == "model obrazów „FLUX.1-schnell”"


@pytest.mark.parametrize(
    ("drawn", "notice"),
    [
        ("A dog,  and a", CUT),
        ("a wolf", "Model obrazów zmienił opis i narysował: „a wolf”."),
    ],
)
def test_the_user_is_told_what_was_drawn_instead(drawn: str, notice: str) -> None:
    stand_in = StandIn(images=ScriptedImageEngine(drawn=drawn))
    result = run_tool(generate_image, stand_in, description="a dog and a cat")
    assert result.notices == (notice,)


def test_a_picture_drawn_as_asked_needs_no_notice() -> None:
    result = run_tool(generate_image, StandIn(images=ScriptedImageEngine()), description="a dog")
    assert result.notices == ()


@every_row("dialect", DIALECTS.values())
def test_no_model_sees_the_mark_for_the_language(dialect: Dialect) -> None:
    view = RouterView(tools=(generate_image.spec,), prompt="Narysuj psa")
    request = request_verdict(view, dialect, RouterLimits())
    assert "x-language" not in " ".join(message.text for message in request.messages)


def test_the_description_is_marked_to_be_in_english() -> None:
    properties = generate_image.spec.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["description"]["x-language"] == "en"
