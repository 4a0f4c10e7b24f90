"""The same event of another year: "a w 2018?", "a cztery lata później?", "a rok wcześniej?"."""

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.dialogue.mentions import topic_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WIKIPEDIA

_LED = r"(?:(?:no|a|i|to|czy|ok|okej|dobra|aha|oraz|kto|gdzie|jak)[, ]+)*"
_ASKED = (
    r"(?:,? (?:to|kto|gdzie|jak|kiedy|ktor[ay]|kogo|go|je|ja|sie|byl[aoiy]?|tam|wtedy|final\w*|"
    r"wygral\w*|zwyciezyl\w*|zdobyl\w*|triumfowal\w*|odbyl\w*|zorganizowal\w*|poszlo|"
    r"skonczyl\w*|u pan(?:ow)?|kobiet|mezczyzn)){0,5}"
)
_DID = r"(?:(?:wygral|zwyciezyl|triumfowal|zdobyl)\w* (?:go |je |ja |to )?)?"
_IN_YEAR = regex(
    rf"{_LED}{_DID}(?:(?:w|we|na|z|ten) )?(?:roku? )?(\d{{4}})(?: rok\w*)?{_ASKED}[ ?.!]*$"
)
_YEARS = r"(?:rok|sezon|(?P<count>[a-z\d]{1,20}(?: [a-z]{1,20})?) (?:lata?|sezony|sezonow))"
_APART = regex(
    rf"{_LED}{_DID}{_YEARS} (?:(?P<after>pozniej|potem|po tym|po nim)|wczesniej|przedtem|przed tym|"
    rf"przed nim){_ASKED}[ ?.!]*$"
)
_NEXT = regex(
    rf"{_LED}{_DID}(?:w |na |we )?(?:(?P<after>nastepn|kolejn)|poprzedn)(?:y|ym|a|ej|i|im|iej) "
    rf"(?:rok\w*|sezon\w*|edycj\w+){_ASKED}[ ?.!]*$"
)
_DATED = regex(r"(?<!\()\b(?P<year>\d{4})(?:(?P<mark>[/–-])(?P<end>\d{4}|\d\d))?\b(?!\))")
_CENTURY = 100


def of_other_year(scene: Scene) -> str | None:
    """Return the topic with the year that a prompt tells, or counts from the topic's own.

    "A w 2018?" and "a cztery lata później?" after the cup of 2014; of seasons that one which ended
    in the year: "2002/2003". ``None`` for a year in brackets, which only tells two things apart.
    """
    topic = topic_of(scene) or ""
    dated = _DATED.search(topic) if scene.is_active(WIKIPEDIA) and not is_person(topic) else None
    if dated is None:
        return None
    first = int(dated["year"])
    told = _IN_YEAR.match(scene.folded)
    if told is not None:
        other = int(told[1]) - (1 if dated["end"] else 0)
    elif (shift := _shift(scene.folded)) is not None:
        other = first + shift
    else:
        return None
    return (
        f"{topic[: dated.start()]}{_written(other, dated['mark'], dated['end'])}"
        + (topic[dated.end() :])
    )


def _shift(folded: str) -> int | None:
    """By how many years a prompt goes on or back."""
    found = _APART.match(folded)
    told = found or _NEXT.match(folded)
    if told is None:
        return None
    count = read_number(found["count"]) if found is not None and found["count"] else 1
    if not isinstance(count, int):
        return None
    return count if told["after"] else -count


def _written(year: int, mark: str | None, end: str | None) -> str:
    if not end:
        return str(year)
    following = year + 1
    return (
        f"{year}{mark}{following if len(end) == len(str(year)) else f'{following % _CENTURY:02}'}"
    )
