"""Where "tam" is after an article: the place itself, the town of a building, not a river."""

from scripted.tables import every_row

from chatbot.router.detector import DetectedCall
from chatbot.router.dialogue.forecasts.places import latest
from chatbot.router.dialogue.state import DialogueState
from chatbot.router.dialogue.turns import Turn


def told(topic: str, reply: str) -> DialogueState:
    call = DetectedCall(name="search_wikipedia", arguments={"query": topic})
    turn = Turn(prompt="Opowiedz o tym", reply=reply, calls=(call,), is_told=True)
    return DialogueState(turns=(turn,), is_recalled=True)


@every_row(
    ("topic", "reply", "place"),
    [
        ("Perast", "Perast leży w Czarnogórze, nad Zatoką Kotorską.", "Perast"),
        ("Kazimierz Dolny", "Kazimierz Dolny leży nad Wisłą.", "Kazimierz Dolny"),
        ("Twierdza Kłodzko", "Twierdza Kłodzko powstała w XVIII wieku.", "Kłodzko"),
        ("Wieża Eiffla", "Zbudowano ją na wystawę światową w Paryżu.", "Paryż"),
        ("Zamek w Niedzicy", "Zamek stoi nad Dunajcem.", "Niedzica"),
    ],
)
def test_there_is(topic: str, reply: str, place: str) -> None:
    assert latest(told(topic, reply)) == (place,)
