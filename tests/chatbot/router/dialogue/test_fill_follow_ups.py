"""Follow-ups of one calculation, by a table: other forms, lists, sequences, solids."""

from datetime import date
from pathlib import Path

from scripted.tables import check_rows

from chatbot.router.detector import Detector
from chatbot.router.dialogue import recall, state
from chatbot.router.dialogue.calculations.fill_mathematics import fill
from chatbot.router.dialogue.scene import Scene
from chatbot.types import Message, Text, ToolCall, ToolSpec
from evals.values import have_same_value

TABLE = Path(__file__).with_name("fill_follow_ups.txt")
TODAY = date(2026, 11, 22)
TOOLS = (
    ToolSpec(
        name="calculate",
        title="calculate",
        description="calculate",
        parameters={"required": ["expression"]},
    ),
)


def rows() -> list[list[str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


def calls(expression: str) -> tuple[ToolCall, ...]:
    """The call that was made; none where the table has a dash: the default model replied."""
    made = {"expression": expression}
    call = ToolCall(call_id="1", name="calculate", arguments=made, raw_arguments=made)
    return () if expression == "-" else (call,)


def test_follow_ups_of_a_calculation_are_read() -> None:
    detector = Detector.load()

    def check(row: list[str]) -> None:
        prompt, expression, reply, following, wanted = row
        told = [
            Message(role="user", parts=(Text(text=prompt),)),
            Message(role="assistant", parts=(*calls(expression), Text(text=reply))),
        ]
        known = recall(state(told), TOOLS, today=TODAY, detector=detector)
        found = fill(Scene(following, known, TOOLS, today=TODAY, detector=detector))
        assert found is not None
        got = [str(one.arguments["expression"]) for one in found.calls]
        right = wanted.split(" ; ")
        assert len(got) == len(right), got
        assert all(map(have_same_value, right, got)), got

    check_rows(rows(), check)
