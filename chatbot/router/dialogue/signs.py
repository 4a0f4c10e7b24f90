"""What the intent classifier sees of a prompt within its conversation: features of each class.

Training and run time use this one function, so the weights always meet the features they know.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.classifier import CLASSES
from chatbot.router.detector.detector import FUNCTIONS
from chatbot.router.detector.features import words
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import split_words
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.turns import Turn

NONE = "none"
LABELS: Mapping[str, str] = {name: label for label, name in FUNCTIONS.items()}
"""The class of each built-in function."""

_LEAST = 0.002
_SIZES = (1, 2, 3, 5, 8, 12, 20)
_STEPS = (0.5, 0.8, 0.95, 0.99)
_CONTENT = frozenset({"subst", "adj", "fin", "praet", "inf", "ger", "impt"})
_VERBAL = frozenset({"fin", "praet", "impt", "inf"})
_STEM, _SHORT = 5, 2
_LEFT_OUT = ("n=", "w=", "p=", "s2=", "s3=", "a:", "q:", "r:")
"""Features of the single prompt that are too rare among dialogues."""

_POINTING = regex(
    r"\b(?:on|ona|ono|oni|one|jego|jej|ich|go|niego|niej|nim|nia|nich|mu|im|tam|stamtad|"
    r"tamtejsz\w+|to|tego|tej|ten|ta|te|tym|tych|ja|je|taki\w*|tak|tamt\w+|it|this|that|there)\b"
)

_ASKING = regex(
    r"\b(?:kto|kogo|komu|kim|kiedy|gdzie|skad|dokad|ile|ilu|jak|jaki\w*|jaka|ktor\w+|co|czym|czego|"
    r"czyj\w*|czy|dlaczego|czemu|po co)\b"
)
_MODAL = regex(
    r"\b(?:mozna|warto|trzeba|oplaca|wypada|musz\w+|musi|powin\w+|da sie|dam rade|lepiej|wolno|"
    r"nalezy|wystarczy|mog[el]\w*|moze(?:my|sz)?)\b"
)
_FIRST = regex(r"(?i:ę|[^ł]am|[eiu]m|my|ł[ea]m|l[ea]m|śmy|smy|bym)$")
_SECOND = regex(r"(?i:sz|cie|ł[ea]ś|l[ea]s|ście|scie)$")
_NEAR = 4  # words after a question word

_OTHERS = regex(r"(?:l|la|lo|li|ly)$")
"""How a past verb of a third person ends: "zostawił", not "zostawiłam"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Setting:
    """The classes that the conversation has called, and the one that lacks an argument."""

    last: str
    active: str
    asked: str
    before: frozenset[str]

    def role(self, label: str) -> str:
        """What a class is to the conversation."""
        if label == NONE:
            return "nothing"
        named = ((self.asked, "asked"), (self.last, "last"), (self.active, "active"))
        for known, role in named:
            if label == known:
                return role
        return "before" if label in self.before else "new"


def read_signs(scene: Scene, shares: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return the features of each class, with their values.

    Args:
        scene: The prompt and its conversation.
        shares: How likely each class is for the prompt alone.
    """
    setting, own = _read_setting(scene), list(dict.fromkeys(_read_prompt(scene)))
    size = _step(scene.size, _SIZES)
    best = max(shares, key=lambda each: shares[each])
    found: dict[str, dict[str, float]] = {}
    for label in CLASSES:
        role = setting.role(label)
        context = f"{label}<{setting.last}" if label == NONE else f"{label}={role}"
        step = _step(shares[best], _STEPS)
        names = [
            *own,
            f"best={setting.role(best)}",
            f"best={best}",
            f"best={setting.role(best)}{step}",
        ]
        signs = dict.fromkeys(
            (f"{lead}|{name}" for lead in (label, role, context) for name in names), 1.0
        )
        share = log(max(shares[label], _LEAST))
        signs |= dict.fromkeys(("p", f"p|{role}", f"p|{role}|{size}", f"p|{context}"), share)
        found[label] = signs
    return found


def _read_setting(scene: Scene) -> _Setting:
    labels = [_label(turn) for turn in scene.state.turns]
    called = [label for label in labels if label != NONE]
    last = scene.state.last
    return _Setting(
        last=labels[-1] if labels else NONE,
        active=called[-1] if called else NONE,
        asked=LABELS.get(last.asked[0], NONE) if last is not None and last.asked else NONE,
        before=frozenset(called),
    )


def _label(turn: Turn) -> str:
    return next((LABELS[call.name] for call in reversed(turn.calls) if call.name in LABELS), NONE)


def _read_prompt(scene: Scene) -> Iterator[str]:
    """Give what the prompt shows, whatever the class: its words, its shape, its ties."""
    size = _step(scene.size, _SIZES)
    yield "1"
    yield from (name for name in words(scene.text) if not name.startswith(_LEFT_OUT))
    yield from _read_ties(scene)
    yield from dict.fromkeys(_read_speech(scene))
    yield f"size={size}"
    pointing = _POINTING.findall(scene.folded)
    yield from (f"it={one}" for one in pointing)
    if pointing:
        yield "it"
    if scene.words:
        yield f"opens={scene.words[0].folded}"
        yield from (f"opens:{kind}" for kind in sorted(_kinds(scene.words[0].text)))
    if scene.is_question:
        yield f"?{size}"
    if scene.days:
        yield "day"
    if find_places(scene.text):
        yield "place"
    yield f"figures={min(sum(word.text[0].isdigit() for word in scene.words), 3)}"


def _read_ties(scene: Scene) -> Iterator[str]:
    """Give which words were said just before, which are new, and what the verbs are."""
    last = scene.state.last
    if last is None:
        return
    yield "reply?" if "?" in last.reply[-200:] else "reply."
    said = _stems(f"{last.prompt} {last.reply}")
    own = [word for word in scene.words if len(word.text) > _SHORT and _kinds(word.text) & _CONTENT]
    shared = sum(word.folded[:_STEM] in said for word in own)
    yield f"shared={min(shared, 3)}"
    yield f"fresh={min(len(own) - shared, 5)}"
    near = {stem[: _STEM - 1] for stem in said}
    for word in scene.words[1:]:
        if word.is_capitalised:
            yield "name:old" if word.folded[: _STEM - 1] in near else "name:new"
    for word in scene.words:
        kinds = _kinds(word.text)
        yield from (f"verb={kind}" for kind in sorted(kinds & _VERBAL))
        if "praet" in kinds and _OTHERS.search(word.folded):
            yield "others?" if scene.is_question else "others"


def _read_speech(scene: Scene) -> Iterator[str]:
    """Give who speaks of whom, what may or should be done, and whether anything is asked."""
    asked = _ASKING.search(scene.folded)
    is_ordered = any("impt" in _kinds(word.text) for word in scene.words)
    shape = "asks" if asked or scene.is_question else "orders" if is_ordered else "tells"
    yield f"shape={shape}"
    persons = {person for word in scene.words if (person := _person(word.text)) is not None}
    yield from (f"person={one}" for one in sorted(persons))
    yield from (f"shape={shape}&person={one}" for one in sorted(persons))
    if _MODAL.search(scene.folded):
        yield "modal"
    if asked is not None:
        after = split_words(scene.text[asked.end() :])[:_NEAR]
        if any("inf" in _kinds(word.text) for word in after):
            yield "how_to"


def _person(word: str) -> str | None:
    """The person of a verb, as its ending tells it: "zgadzasz" the second, "biorę" the first."""
    kinds = _kinds(word)
    if not kinds & {"fin", "praet", "bedzie"}:
        return None
    if _FIRST.search(word):
        return "first"
    return "second" if _SECOND.search(word) else "third"


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.folded[:_STEM] for word in split_words(text) if len(word.text) > _SHORT)


@lru_cache(maxsize=4096)
def _kinds(word: str) -> frozenset[str]:
    return frozenset(reading.pos for reading in morphology().readings(word))


def _step(value: float, steps: tuple[float, ...]) -> int:
    return sum(value > each for each in steps)
