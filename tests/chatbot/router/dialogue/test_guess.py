"""The likeliest tool of a prompt within its conversation, where nobody better can be asked."""

from datetime import date

import pytest
from scripted.needing_tools import TOOLS
from scripted.tables import every_row

from chatbot.router.detector import DetectedCall, Detector
from chatbot.router.detector.classifier import CLASSES
from chatbot.router.dialogue import DialogueState, FollowUp, follow_up, guess, state
from chatbot.router.dialogue.intent import Intent, intent
from chatbot.router.dialogue.scene import Scene
from chatbot.types import JsonObject, Message, Text, ToolCall, ToolOutcome

TODAY = date(2026, 11, 22)
WEATHER, MATHEMATICS = "get_weather", "calculate"
WIKIPEDIA, IMAGE = "search_wikipedia", "generate_image"
SAID: dict[str, tuple[str, str, str, JsonObject]] = {
    WEATHER: (
        "Zimno dziś w Kutnie?",
        "W Kutnie jest 3°C i mgła.",
        WEATHER,
        {"city": "Kutno", "day": "today"},
    ),
    MATHEMATICS: ("Policz 36 razy 12", "36 · 12 = 432.", MATHEMATICS, {"expression": "36*12"}),
    WIKIPEDIA: (
        "Kim był Ignacy Domeyko?",
        "Ignacy Domeyko (1802–1889) – geolog, rektor uniwersytetu w Santiago.",
        WIKIPEDIA,
        {"query": "Ignacy Domeyko"},
    ),
    IMAGE: (
        "Namaluj chatę pod lasem",
        "Oto chata pod lasem.",
        IMAGE,
        {"description": "chata pod lasem"},
    ),
}
FOLLOWING = (
    (WEATHER, "ruszamy jednak jutro nad ranem", WEATHER),
    (WEATHER, "a wiatr da się wytrzymać?", WEATHER),
    (WEATHER, "i co, brać rękawiczki dla małej?", WEATHER),
    (WEATHER, "a po ile tam są pokoje?", None),
    (WEATHER, "ilu ludzi mieszka w tym mieście?", WIKIPEDIA),
    (MATHEMATICS, "i dorzuć do tego jeszcze osiem", MATHEMATICS),
    (MATHEMATICS, "to ile wychodzi na głowę, jest nas sześcioro", MATHEMATICS),
    (MATHEMATICS, "Wytłumacz mi po kolei, jak to wyszło", None),
    (WIKIPEDIA, "a żonę miał?", WIKIPEDIA),
    (WIKIPEDIA, "Czy zostawił po sobie jakieś książki?", WIKIPEDIA),
    (WIKIPEDIA, "Ułóż o nim wierszyk na akademię", None),
    (IMAGE, "dodaj jeszcze bociana na dachu", IMAGE),
    (IMAGE, "trochę więcej śniegu i ciemniejsze niebo", IMAGE),
    (IMAGE, "Śliczna, zupełnie jak u mojej babci.", None),
)
ALONE = (
    ("Jaka będzie jutro pogoda w Pszczynie?", WEATHER),
    ("Ile to 17 razy 23?", MATHEMATICS),
    ("Kto napisał „Chłopów”?", WIKIPEDIA),
    ("Narysuj żabę grającą na trąbce", IMAGE),
    ("Napisz życzenia na imieniny dla teściowej", None),
    ("Jak wyczyścić przypalony garnek?", None),
)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


def after(kind: str) -> DialogueState:
    prompt, reply, name, arguments = SAID[kind]
    parts = (
        ToolCall(call_id="1", name=name, arguments=arguments, raw_arguments=arguments),
        ToolOutcome(call_id="1", name=name, status="ok", content=reply),
        Text(text=reply),
    )
    return state((
        Message(role="user", parts=(Text(text=prompt),)),
        Message(role="assistant", parts=parts),
    ))


def chosen(prompt: str, said: DialogueState, detector: Detector) -> str | None:
    """The tool that the embedded engine calls or asks about."""
    certain = follow_up(prompt, said, TOOLS, today=TODAY, detector=detector)
    found = guess(prompt, said, TOOLS, today=TODAY, detector=detector, certain=certain)
    calls = found.calls if found else detector.detect(prompt, TOOLS, today=TODAY).calls
    if calls:
        return calls[0].name
    return found.asks[0] if found and found.asks else None


@pytest.mark.parametrize(("before", "prompt", "tool"), FOLLOWING)
def test_a_prompt_is_read_within_its_conversation(
    before: str, prompt: str, tool: str | None, detector: Detector
) -> None:
    assert chosen(prompt, after(before), detector) == tool


@every_row("before", SAID)
@every_row(("prompt", "tool"), ALONE)
def test_what_stands_alone_keeps_its_tool_after_anything(
    before: str, prompt: str, tool: str | None, detector: Detector
) -> None:
    assert chosen(prompt, after(before), detector) == tool


def test_without_a_conversation_nothing_is_guessed(detector: Detector) -> None:
    assert guess("a pojutrze?", state(()), TOOLS, today=TODAY, detector=detector) is None


def test_tools_that_are_not_offered_are_never_called(detector: Detector) -> None:
    others = TOOLS[1:]
    found = guess("a pojutrze?", after(WEATHER), others, today=TODAY, detector=detector)
    assert found is None or not found.calls


@every_row("before", SAID)
@every_row("prompt", ("?", "...", "!", "_"))
def test_nothing_is_guessed_from_punctuation(before: str, prompt: str, detector: Detector) -> None:
    assert guess(prompt, after(before), TOOLS, today=TODAY, detector=detector) is None


def test_what_is_certain_stays_unless_the_classifier_is_next_to_sure(detector: Detector) -> None:
    certain = FollowUp(calls=(DetectedCall(name=WEATHER, arguments={"city": "Kutno"}),))
    said = after(WEATHER)
    kept = guess("a jutro?", said, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert kept == certain
    prompt = "Napisz maila do szefa, że jutro mnie nie będzie"
    dropped = guess(prompt, said, TOOLS, today=TODAY, detector=detector, certain=certain)
    assert dropped == FollowUp()


def test_thanks_stay_what_they_are_after_an_article(detector: Detector) -> None:
    asked = "Dziękuję. Co dalej?"
    found = guess(
        asked, after(WIKIPEDIA), TOOLS, today=TODAY, detector=detector, certain=FollowUp()
    )
    assert found == FollowUp()


def test_several_certain_wishes_are_left_alone(detector: Detector) -> None:
    certain = FollowUp(
        calls=(
            DetectedCall(name=WEATHER, arguments={"city": "Kutno"}),
            DetectedCall(name=IMAGE, arguments={"description": "Kutno"}),
        )
    )
    said = after(WEATHER)
    assert (
        guess("Dziękuję!", said, TOOLS, today=TODAY, detector=detector, certain=certain) == certain
    )


def test_probabilities_sum_to_one(detector: Detector) -> None:
    scene = Scene("a jutro?", after(WEATHER), TOOLS, today=TODAY, detector=detector)
    shares = intent().probabilities(scene, detector.probabilities("a jutro?"))
    assert tuple(shares) == CLASSES
    assert sum(shares.values()) == pytest.approx(1.0)


def test_without_weights_every_class_is_as_likely(detector: Detector) -> None:
    scene = Scene("a jutro?", after(WEATHER), TOOLS, today=TODAY, detector=detector)
    shares = Intent({}).probabilities(scene, detector.probabilities("a jutro?"))
    assert set(shares.values()) == {0.2}
