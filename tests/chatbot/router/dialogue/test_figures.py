"""What the reply to a calculation told as its result."""

from fractions import Fraction

from scripted.tables import every_row

from chatbot.router.dialogue import state
from chatbot.router.dialogue.calculations.figures import shown_value
from chatbot.types import Message, Text, ToolCall

TOLD = [
    ("2*2.4", "Wynik: 4,8", Fraction(24, 5)),
    ("1.6*10**-19*3", "Wynik: 4,8·10^−19", None),
    ("10**-15", "Wynik: 1/1000000000000000 = 1·10^−15", None),
]


@every_row(("expression", "reply", "value"), TOLD)
def test_a_result_with_a_power_of_ten_is_not_cut_off(
    expression: str, reply: str, value: Fraction | None
) -> None:
    made = {"expression": expression}
    call = ToolCall(call_id="1", name="calculate", arguments=made, raw_arguments=made)
    told = [
        Message(role="user", parts=(Text(text="ile to?"),)),
        Message(role="assistant", parts=(call, Text(text=reply))),
    ]
    assert shown_value(state(told), expression) == value
