"""Completes a prompt that only makes sense within its conversation, where a rule is certain."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import is_request, split_clauses
from chatbot.router.detector.detector import CLEAR, DetectedCall, Detector
from chatbot.router.detector.framing import is_on_text
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue import closings, slots
from chatbot.router.dialogue.articles import topics
from chatbot.router.dialogue.calculations import exercises, mathematics
from chatbot.router.dialogue.drawings import pictures
from chatbot.router.dialogue.forecasts import weather
from chatbot.router.dialogue.forecasts.places import THERE, mentioned
from chatbot.router.dialogue.mistaken import mistaken
from chatbot.router.dialogue.naming import names_before, read_title
from chatbot.router.dialogue.returning import returned
from chatbot.router.dialogue.scene import LONGEST, Finding, FollowUp, Scene, is_bare
from chatbot.router.dialogue.state import (
    IMAGE,
    MATHEMATICS,
    NEEDED,
    WEATHER,
    WIKIPEDIA,
    DialogueState,
)
from chatbot.router.dialogue.turns import Turn
from chatbot.router.dialogue.unserved import unserved
from chatbot.types import ToolSpec

_RULES: tuple[Callable[[Scene], Finding], ...] = (
    slots.answer,
    exercises.follow,
    mistaken,
    unserved,
    closings.close,
    pictures.follow,
    mathematics.follow,
    weather.follow,
    topics.follow,
)

_TELLS = regex(
    r"^\W*(?:bo|gdyz|poniewaz|skoro|zeby)\b|"
    r"^\W*(?:ktor\w+|co) tam (?:stoi|stal|lezy|wisi|plynie|rosnie|jest|byl|mieszka)\w*\b|"
    r"^[^?]*\b(?:jestem|bede|bedziemy|jade|jedziemy|jedzie|lece|lecimy|ruszamy|wracam)\b[^?]*$"
)
"""A clause that gives a reason, says which is meant, or tells what somebody is going to do."""

_DROPS = regex(r"\W*(?:(?:a|i|to|jeszcze) )*(?:zostaw|mniejsza|niewazne|dajmy spokoj|co do)\b")
"""A clause that ends a subject, or leads to another."""

_PROPOSES = regex(
    r"\W*(?:a )?(?:moze|mozesz|proponuje|na przyklad|najlepiej|wystarczy|warto|polecam|"
    r"polecil\w+bym|zachecam|sprobuj|zajrzyj)\b"
)
_ANNOUNCES = regex(
    r"\b(?:jeszcze|mam|dwie|dwa|trzy|par[ey]|kilka)(?: \w+){0,2} (?:rzecz|spraw|pytan)\w*"
    r"(?: \w+)?\W*$"
)
"""A clause that only tells that several wishes follow: "jeszcze dwie rzeczy"."""

_DEGREES = regex(r"\d ?(?:°|stop)")

__all__ = ["FollowUp", "follow_up", "recall"]


def follow_up(
    prompt: str,
    state: DialogueState,
    tools: Sequence[ToolSpec],
    *,
    today: date | None,
    detector: Detector,
) -> FollowUp | None:
    """Return the complete calls that ``prompt`` asks for after what was said, or a question.

    ``None``: the prompt stands on its own, or no rule is certain. Only ``tools`` are ever called.
    """
    if not state.turns or len(prompt) > LONGEST or is_bare(prompt):
        return None
    known = recall(state, tools, today=today, detector=detector)
    scene = returned(Scene(prompt, known, tools, today=today, detector=detector))
    found = _several(scene) or _first(scene)
    if not isinstance(found, FollowUp) or _swallows(found, scene):
        return None
    return found if found.tools <= scene.offered else None


def _first(scene: Scene) -> Finding:
    return next((found for rule in _RULES if (found := rule(scene)) is not None), None)


def _swallows(found: FollowUp, scene: Scene) -> bool:
    """Whether a picture's description would hold a wish for another tool, too."""
    is_picture = [call.name for call in found.calls] == [IMAGE]
    return is_picture and len(scene.detected_tools) > 1


def _several(scene: Scene) -> FollowUp | None:
    """Two wishes for different tools, of which one needs the conversation."""
    clauses = split_clauses(scene.text)
    if _ANNOUNCES.search(fold_evenly(clauses[0])):
        clauses = clauses[1:]
    is_pair = len(clauses) == 2  # noqa: PLR2004 - more is a story
    is_told = any(_TELLS.match(fold_evenly(one)) for one in clauses)
    if not is_pair or is_told or is_on_text(scene.text):
        return None
    there = THERE.search(scene.folded)
    if there is not None and names_before(scene.text, there.start()):
        return None
    scenes = [scene.within(clause) for clause in clauses]
    found = [_first(each) for each in scenes]
    known = [isinstance(one, FollowUp) and bool(one.calls) for one in found]
    if there is not None:
        needs = any(
            is_known and THERE.search(each.folded)
            for is_known, each in zip(known, scenes, strict=True)
        )
    else:
        is_dropped = _DROPS.match(scenes[0].folded) is not None
        is_apart = _is_whole_wish(scenes[1]) and not _goes_on(found[0], scenes)
        needs = known == [True, False] and not is_dropped and is_apart
        needs = needs or (
            known == [False, True] and _is_whole_wish(scenes[0]) and _asks_of_day(scenes[1])
        )
    calls = [
        call
        for one, each in zip(found, scenes, strict=True)
        for call in (one.calls if isinstance(one, FollowUp) else each.detection.calls)
        if call.arguments
    ]
    if not needs or len({call.name for call in calls}) != len(clauses):
        return None
    return FollowUp(calls=tuple(calls))


def _is_whole_wish(scene: Scene) -> bool:
    """Whether a clause surely asks for a tool, and needs nothing that was said before."""
    is_asked = is_request(scene.text) and scene.detection.confidence >= CLEAR
    return is_asked and any(call.arguments for call in scene.detection.calls)


def _goes_on(found: Finding, scenes: Sequence[Scene]) -> bool:
    """Whether the second clause asks for somebody of whom the first tells in a calculation."""
    first, second = scenes
    is_story = isinstance(found, FollowUp) and found.tools == {MATHEMATICS}
    values = (value for one in second.detection.calls for value in one.arguments.values())
    return is_story and any(str(value) in first.text for value in values)


def _asks_of_day(scene: Scene) -> bool:
    """Whether a clause goes on with the last forecast: "i czy w niedzielę też będzie sucho?"."""
    return bool(scene.days) and scene.is_active(WEATHER) and not scene.detects_other(WEATHER)


def recall(
    state: DialogueState, tools: Sequence[ToolSpec], *, today: date | None, detector: Detector
) -> DialogueState:
    """Guess what was called in a conversation that came as text alone, turn by turn.

    Where any message tells its calls, the others had none. Either way the last reply may have
    asked for an argument. Recalling twice changes nothing.
    """
    if state.is_recalled:
        return state
    turns: tuple[Turn, ...] = ()
    is_told = any(turn.is_told for turn in state.turns)
    for turn in state.turns:
        scene = Scene(
            turn.prompt, DialogueState(turns=turns), tools, today=today, detector=detector
        )
        asked = None if turn.calls else slots.asked(scene, turn.reply)
        calls = turn.calls
        if not is_told and asked is None and turn.prompt:
            calls = _shown(scene, turn.reply) or _guessed(scene, turn.reply)
        turns = (*turns, replace(turn, calls=calls, asked=asked))
    return DialogueState(turns=turns, is_recalled=True)


def _shown(scene: Scene, reply: str) -> tuple[DetectedCall, ...]:
    """The weather that a reply tells, though the prompt did not plainly ask for it."""
    places = mentioned(reply) if "°C" in reply and not scene.detected(WEATHER) else ()
    return (DetectedCall(name=WEATHER, arguments={"city": places[0]}),) if places else ()


def _may_follow(call: DetectedCall, reply: str) -> bool:
    """Whether a reply may come from a call: a forecast tells weather, no article advises."""
    if call.name == WEATHER:
        return _tells_weather(reply)
    return call.name == MATHEMATICS or _PROPOSES.match(fold_evenly(reply)) is None


def _tells_weather(reply: str) -> bool:
    """Whether a reply is a forecast: other talk of a place is not."""
    return _DEGREES.search(fold_evenly(reply)) is not None or any(
        "weather" in groups_of(word.folded) for word in split_words(reply)
    )


def _guessed(scene: Scene, reply: str) -> tuple[DetectedCall, ...]:
    """The calls that this prompt must have led to, as far as they were complete.

    A title that question and reply share was looked up.
    """
    may_follow = scene.state.turns and len(scene.text) <= LONGEST and not is_bare(scene.text)
    found = _first(scene) if may_follow else None
    calls = found.calls if isinstance(found, FollowUp) else scene.detection.calls
    complete = tuple(
        call
        for call in calls
        if call.arguments.keys() & NEEDED.values() and (not reply or _may_follow(call, reply))
    )
    title = None if complete else read_title(scene.text)
    if title is None or title not in reply or not scene.is_question:
        return complete
    return (DetectedCall(name=WIKIPEDIA, arguments={"query": title}),)
