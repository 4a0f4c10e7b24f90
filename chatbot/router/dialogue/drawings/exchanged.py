"""The last picture of another thing that is named alone: "a Rysy?" after "Giewont zimą"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import IMAGE

_NAME = r"[A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+(?: [A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+){0,2}"
_ALONE = regex(
    r"(?:(?:[Nn]o|[Oo]k|[Ss]uper|[Ff]ajnie)[,.! ]+)*(?:[Aa]|[Ii]|[Tt]eraz|[Aa] teraz|[Tt]o)"
    rf" (?P<name>{_NAME})[ ?.!]*$"
)
_LED = regex(rf"(?P<name>{_NAME})(?=,| (?:w|we|na|nad|pod|z|ze|o|przy|jako|zim|latem|noc))")


def with_other_thing(scene: Scene) -> str | None:
    """Return the last picture with the prompt's name in the place of the name that leads it."""
    other = _ALONE.match(scene.text) if scene.is_active(IMAGE) else None
    led = _LED.match(scene.state.pictures[0]) if other and scene.state.pictures else None
    if other is None or led is None or not _may_be_base(other["name"]):
        return None
    return f"{other['name']}{scene.state.pictures[0][led.end() :]}"


def _may_be_base(name: str) -> bool:
    """Whether a name can stand in the nominative: not "a Rysów?"."""
    readings = morphology().readings(split_words(name)[0].text)
    return not readings or any("nom" in one.cases for one in readings)
