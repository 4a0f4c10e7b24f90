"""The ways to a decision: rules, router model, verifier, second look, grounding."""

from collections.abc import Sequence
from datetime import date
from threading import get_ident
from typing import Any

import pytest

from chatbot.errors import EngineLost
from chatbot.router import DIALECTS, Dispatcher, DispatchPolicy, Router
from chatbot.router.detector import Detector
from chatbot.router.detector.classifier import Classifier
from chatbot.router.dialogue import DialogueState
from chatbot.router.dispatch import QUICK_CHARS
from chatbot.testing import ManualClock, ScriptedEngine
from chatbot.types import Decision, Message, RouterView, Text, ToolSpec

TODAY = date(2026, 3, 4)
NOTHING = DialogueState()
DEFAULT = '<|python_tag|>{"name": "default_function", "parameters": {}}'


def tool(name: str, argument: str, kind: str | None) -> ToolSpec:
    schema = {"type": "string"} if kind is None else {"type": "string", "x-name": kind}
    parameters: Any = {
        "type": "object",
        "properties": {argument: schema, "day": {"type": "string"}},
        "required": [argument],
    }
    return ToolSpec(name=name, title=name, description="", parameters=parameters)


TOOLS = (
    tool("get_weather", "city", "place"),
    tool("calculate", "expression", None),
    tool("search_wikipedia", "query", "topic"),
    tool("generate_image", "description", None),
)


def call(name: str, **arguments: str) -> str:
    written = ", ".join(f'"{key}": "{value}"' for key, value in arguments.items())
    return f'<|python_tag|>{{"name": "{name}", "parameters": {{{written}}}}}'


def said(*texts: str) -> tuple[Message, ...]:
    """A conversation; the user begins."""
    return tuple(
        Message(role="assistant" if number % 2 else "user", parts=(Text(text=text),))
        for number, text in enumerate(texts)
    )


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


class Bench:
    """A dispatcher over scripted router models, and what they were asked."""

    def __init__(self, detector: Detector | None, *scripts: str | Exception, **ways: bool) -> None:
        self.engines = [
            ScriptedEngine(script=[script], name=f"model-{number}")
            for number, script in enumerate(scripts, start=1)
        ]
        clock = ManualClock()
        routers = [
            Router(engine=engine, dialect=DIALECTS["llama3.1"], clock=clock)
            for engine in self.engines
        ]
        self.dispatcher = Dispatcher(
            router=routers[0],
            clock=clock,
            detector=detector,
            second=routers[1] if len(routers) > 1 else None,
            policy=DispatchPolicy(**ways),
        )

    async def decide(self, *texts: str) -> Decision:
        dialogue = await self.dispatcher.recall(said(*texts[:-1]), TOOLS, today=TODAY)
        view = RouterView(tools=TOOLS, prompt=texts[-1], state=dialogue.lines)
        return await self.dispatcher.decide(view, dialogue, today=TODAY)

    @property
    def asked(self) -> list[int]:
        return [len(engine.requests) for engine in self.engines]


def made(decision: Decision) -> list[tuple[str, object]]:
    return [(one.name, dict(one.arguments)) for one in decision.calls]


async def test_certain_mathematics_does_not_ask_the_model(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT)
    decision = await bench.decide("Ile to 17 * 23?")
    assert (decision.reason, bench.asked) == ("fast_path", [0])
    assert [name for name, _ in made(decision)] == ["calculate"]


async def test_the_fast_path_can_be_closed(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT, fast_path=False)
    decision = await bench.decide("Ile to 17 * 23?")
    assert (decision.reason, bench.asked) == ("default_function", [1])


async def test_what_is_not_certain_is_the_models(detector: Detector) -> None:
    bench = Bench(detector, call("search_wikipedia", query="Irena Sendlerowa"))
    decision = await bench.decide("Kim była Irena Sendlerowa?")
    assert (decision.reason, bench.asked) == ("called", [1])
    assert decision.verified is not False


async def test_a_choice_that_plainly_misfits_is_told(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT, fast_path=False)
    decision = await bench.decide("Jaka będzie jutro pogoda w Krakowie?")
    assert (decision.verified, decision.doubt) == (False, None)


async def test_a_disagreement_asks_the_larger_model(detector: Detector) -> None:
    bench = Bench(
        detector, DEFAULT, call("get_weather", city="Kraków", day="tomorrow"), fast_path=False
    )
    decision = await bench.decide("Jaka będzie jutro pogoda w Krakowie?")
    assert made(decision) == [("get_weather", {"city": "Kraków", "day": "tomorrow"})]
    assert (decision.doubt, decision.engine) == ("disagreement", "model-2")
    assert [leg.engine for leg in decision.legs] == ["model-1", "model-2"]


async def test_agreement_does_not_ask_the_larger_model(detector: Detector) -> None:
    bench = Bench(detector, call("get_weather", city="Kraków"), DEFAULT, fast_path=False)
    decision = await bench.decide("Jaka jest pogoda w Krakowie?")
    assert (decision.doubt, bench.asked) == (None, [1, 0])


async def test_an_unusable_call_asks_the_larger_model() -> None:
    bench = Bench(None, call("fly_to", city="Kraków"), call("get_weather", city="Kraków"))
    decision = await bench.decide("Jaka jest pogoda w Krakowie?")
    assert (decision.reason, decision.doubt) == ("called", "unusable")


async def test_a_larger_model_that_fails_changes_nothing() -> None:
    bench = Bench(None, call("fly_to", city="Kraków"), EngineLost("cut", engine="model-2"))
    decision = await bench.decide("Jaka jest pogoda w Krakowie?")
    assert (decision.reason, decision.doubt) == ("unknown_tool", "unusable")


async def test_a_damaged_name_is_put_right_and_the_raw_one_kept() -> None:
    bench = Bench(None, call("get_weather", city="Lądek"))
    decision = await bench.decide("Czy w Lądku-Zdroju pada?")
    assert made(decision) == [("get_weather", {"city": "Lądek-Zdrój"})]
    assert decision.calls[0].raw_arguments == {"city": "Lądek"}


async def test_an_invented_place_is_left_out() -> None:
    bench = Bench(None, call("get_weather", city="Kraków", day="tomorrow"))
    decision = await bench.decide("Czy jutro będzie padać?")
    assert made(decision) == [("get_weather", {"day": "tomorrow"})]
    assert decision.calls[0].raw_arguments == {"city": "Kraków", "day": "tomorrow"}


async def test_an_invented_place_asks_the_larger_model() -> None:
    bench = Bench(None, call("get_weather", city="Kraków"), DEFAULT)
    decision = await bench.decide("Czy jutro będzie padać?")
    assert (decision.reason, decision.doubt) == ("default_function", "invented")


async def test_grounding_can_be_switched_off() -> None:
    bench = Bench(None, call("get_weather", city="Kraków"), grounding=False)
    assert made(await bench.decide("Czy jutro będzie padać?")) == [
        ("get_weather", {"city": "Kraków"})
    ]


async def test_a_place_of_the_conversation_is_not_invented() -> None:
    bench = Bench(None, call("get_weather", city="Radom"))
    decision = await bench.decide(
        "Gdzie leży Radom?", "Radom leży na Mazowszu.", "A jaka tam pogoda?"
    )
    assert made(decision) == [("get_weather", {"city": "Radom"})]


async def test_a_certain_follow_up_does_not_ask_the_model(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT)
    decision = await bench.decide("Jaka jest pogoda w Łodzi?", "W Łodzi jest 5 °C.", "a pojutrze?")
    assert made(decision) == [("get_weather", {"city": "Łódź", "day": "day_after_tomorrow"})]
    assert (decision.reason, bench.asked) == ("fast_path", [0])


async def test_what_is_no_certain_follow_up_reaches_the_model_with_the_state(
    detector: Detector,
) -> None:
    bench = Bench(detector, DEFAULT)
    await bench.decide(
        "Jaka jest pogoda w Łodzi?", "W Łodzi jest 5 °C.", "Napisz o tym krótki wiersz."
    )
    assert "Miejsce: Łódź" in bench.engines[0].requests[0].messages[-1].text


async def test_where_nobody_better_can_be_asked_the_likeliest_tool_is_called(
    detector: Detector,
) -> None:
    bench = Bench(detector, DEFAULT, local=True)
    decision = await bench.decide(
        "Jaka jest pogoda w Łodzi?", "W Łodzi jest 5 °C.", "a wiatr da się wytrzymać?"
    )
    assert [found.name for found in decision.calls] == ["get_weather"]
    assert (decision.reason, bench.asked) == ("fast_path", [0])


async def test_without_dialogue_only_the_last_prompt_is_seen(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT, dialogue=False)
    await bench.decide("Jaka jest pogoda w Łodzi?", "W Łodzi jest 5 °C.", "a pojutrze?")
    assert "Łódź" not in bench.engines[0].requests[0].messages[-1].text


async def test_without_tools_nothing_is_decided_by_rule(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT)
    view = RouterView(tools=(), prompt="Ile to 2 + 2?")
    decision = await bench.dispatcher.decide(view, NOTHING, today=TODAY)
    assert decision.reason == "no_tools"


async def test_a_follow_up_calls_offered_tools_alone(detector: Detector) -> None:
    bench = Bench(detector, DEFAULT)
    before = said("Jaka jest pogoda w Łodzi?", "W Łodzi jest 5 °C.")
    dialogue = await bench.dispatcher.recall(before, TOOLS[1:], today=TODAY)
    view = RouterView(tools=TOOLS[1:], prompt="a pojutrze?")
    assert (await bench.dispatcher.decide(view, dialogue, today=TODAY)).calls == ()


class Witness(Detector):
    """A detector that remembers which threads it was asked in."""

    def __init__(self) -> None:
        super().__init__(Classifier.load())
        self.threads: set[int] = set()

    def agrees(self, prompt: str, tools: Sequence[ToolSpec], names: frozenset[str]) -> bool | None:
        self.threads.add(get_ident())
        return super().agrees(prompt, tools, names)


@pytest.mark.parametrize(("chars", "is_beside"), [(QUICK_CHARS, False), (QUICK_CHARS + 1, True)])
async def test_only_long_texts_are_read_in_a_thread(chars: int, is_beside: bool) -> None:
    witness = Witness()
    await Bench(witness, DEFAULT).decide("Napisz wiersz o jesieni. ".ljust(chars, "a"))

    assert (witness.threads != {get_ident()}) is is_beside
    assert len(witness.threads) == 1
