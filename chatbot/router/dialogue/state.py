"""What the conversation is about: places, days, topics, results, pictures, an open question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from chatbot.language.days import name_day
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.dialogue.turns import LONGEST_VALUE, Turn, one_line, read_turns
from chatbot.types import Message

MOST_LINES = 6
LONGEST_LINE = 200
MOST_TEXTS = 24

WEATHER, MATHEMATICS = "get_weather", "calculate"
WIKIPEDIA, IMAGE = "search_wikipedia", "generate_image"

NEEDED: Mapping[str, str] = MappingProxyType({
    WEATHER: "city",
    MATHEMATICS: "expression",
    WIKIPEDIA: "query",
    IMAGE: "description",
})
"""The argument that each built-in tool cannot do without."""

_ASKED = {
    (WEATHER, "city"): "o miejscowość",
    (MATHEMATICS, "expression"): "co policzyć",
    (WIKIPEDIA, "query"): "o temat",
    (IMAGE, "description"): "co ma przedstawiać obraz",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class DialogueState:
    """The last exchanges, oldest first, with what can be known of them. Bounded and immutable.

    ``is_recalled``: calls that the messages do not tell have been guessed.
    """

    turns: tuple[Turn, ...] = ()
    is_recalled: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """At most six short Polish lines for the router model, the latest things first."""
        lines = (one_line(line, LONGEST_LINE) for line in self._lines())
        return tuple(line for line in lines if line)[:MOST_LINES]

    @property
    def texts(self) -> tuple[str, ...]:
        """What arguments may be grounded in: values first, then what was said, latest first."""
        values = [
            str(value)
            for turn in reversed(self.turns)
            for call in turn.calls
            for value in call.arguments.values()
        ]
        said = [text for turn in reversed(self.turns) for text in (turn.reply, turn.prompt) if text]
        room = MOST_TEXTS - min(len(said), 2 * MOST_LINES)
        return (*dict.fromkeys(values[:room]), *said[: 2 * MOST_LINES])

    @property
    def last(self) -> Turn | None:
        """The exchange just before the prompt."""
        return self.turns[-1] if self.turns else None

    def asked_for(self, tool: str) -> bool:
        """Whether the last reply asked for the argument that ``tool`` needs."""
        return self.last is not None and self.last.asked == (tool, NEEDED[tool])

    @property
    def active(self) -> Turn | None:
        """The latest exchange in which something was called."""
        return next((turn for turn in reversed(self.turns) if turn.calls), None)

    def values(self, tool: str, argument: str) -> tuple[str, ...]:
        """What a tool was called with, each once, the latest first; joined calls in their order."""
        found = [
            str(call.arguments[argument])
            for turn in reversed(self.turns)
            for call in turn.calls
            if call.name == tool and argument in call.arguments
        ]
        return tuple(dict.fromkeys(found))

    def calls(self, tool: str) -> tuple[DetectedCall, ...]:
        """The calls of a tool in the latest exchange that has any."""
        for turn in reversed(self.turns):
            if found := tuple(call for call in turn.calls if call.name == tool):
                return found
        return ()

    def findings(self, kind: str) -> tuple[str, ...]:
        """The entities of one kind that results were about, the latest first."""
        found = [
            entity.value
            for turn in reversed(self.turns)
            for entity in turn.found
            if entity.kind == kind
        ]
        return tuple(dict.fromkeys(found))

    def _lines(self) -> Iterator[str]:
        if self.last is not None and self.last.asked is not None:
            tool, argument = self.last.asked
            yield f"Zadane pytanie: {_ASKED.get(self.last.asked, argument)} ({tool})"
        if cities := self.values(WEATHER, "city"):
            yield _listed("Miejsce", cities)
        if days := [
            call.arguments["day"] for call in self.calls(WEATHER) if "day" in call.arguments
        ]:
            yield f"Dzień: {name_day(str(days[0]))}"
        if topics := self.values(WIKIPEDIA, "query"):
            yield _listed("Temat", topics)
        if expressions := self.values(MATHEMATICS, "expression"):
            results = self.findings("result")
            told = f" = {results[0]}" if results else ""
            yield f"Ostatnie wyrażenie: {expressions[0]}{told}"
        if shown := self.pictures:
            yield f"Ostatni obraz: {shown[0]}"

    @property
    def pictures(self) -> tuple[str, ...]:
        """Descriptions of the pictures that were drawn, the latest first."""
        alts = [alt for turn in reversed(self.turns) for alt in turn.shown]
        return tuple(dict.fromkeys((*self.values(IMAGE, "description"), *alts)))


def state(messages: Sequence[Message]) -> DialogueState:
    """Read what earlier messages say; the prompt itself is not among them. Pure and bounded."""
    return DialogueState(turns=read_turns(messages))


def _listed(label: str, values: Sequence[str]) -> str:
    latest, *earlier = (value[:LONGEST_VALUE] for value in values)
    before = f" (wcześniej: {', '.join(earlier[:3])})" if earlier else ""
    return f"{label}: {latest}{before}"
