"""The place that we asked for, and what we offered to look up: "no jasne"."""

from dataclasses import replace

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import split_clauses
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.placenames import base_form, is_geographic
from chatbot.router.detector.spans import fold_evenly, joined, split_words
from chatbot.router.detector.weather import find_days
from chatbot.router.dialogue.forecasts.days import is_part_alone, likely_days, planned_days, said
from chatbot.router.dialogue.forecasts.namesakes import namesake
from chatbot.router.dialogue.forecasts.places import (
    THERE,
    named_places,
    planned_place,
    spoken,
    undenied,
    without_openings,
)
from chatbot.router.dialogue.forecasts.whereabouts import referred_places
from chatbot.router.dialogue.naming import is_person, runs
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, NEEDED, WEATHER, WIKIPEDIA

_ASSENT = regex(
    r"(?:(?:no|tak|jasne|pewnie|poprosze|prosze|dawaj|ok|okej|oki|dobra|dobrze|chetnie|oczywiscie|"
    r"mozesz|sprawdz|a|jak najbardziej|no ba|super|spoko|yes|yep|tez|bardzo|o|aha|git|zgoda|"
    r"pokaz|podaj|zerknij|to)\b[\s,.!:)]*)+"
)
_OFFER = regex(
    r"\b(?:czy |mam |moge |chcesz|zyczysz|sprawdzic|zerknac|pokazac|podac)[^.?!]*\?\s*$|"
    r"\b(?:jesli chcesz|moge|chetnie)[^.?!]* (?:sprawdz\w+|podam|podac|zerkn\w+)[^.?!]*[.!]?\s*$"
)
_LOOK_UP = regex(r"\bsprawdz\w*(?: tez| takze| ci)*,? (?=(?:kiedy|kto|kogo|kim|ile|skad) )")
_DAY, _NAME = 4, 3  # words
_WEATHER = regex(r"pogod|prognoz|temperatur|opad|deszcz|wiatr|sprawdz|zerkn|poda[cm]")
_UNKNOWN = regex(
    r"\bnie (?:znam|znalazlem|znalazlam|moge znalezc|udalo|wiem|ma takiej|kojarze|rozpoznaje)\b|"
    r"\bjest (?:kilka|wiele|pare|dwie|trzy|wiecej)\b"
)
_EXPLAINED = regex(
    r"((?:[A-ZĄĆĘŁŃÓŚŹŻ][\w-]+ ?){1,3})[.,(–-]+ *"
    r"(?:[Tt]ak[ai] (?:wieś|wioska|miejscowość|osada|dziura)|"
    r"[Tt]o (?:jest )?(?:wieś|taka|takie|koło|pod)|"
    r"(?:woj\w*\.? )?\w+(?:skie|ckie)$)"
)
_WITH_ASIDE = regex(
    r"\W*([^\W\d_][\w-]*(?: [^\W\d_][\w-]*){0,2})(?:,| ?[–(]| -)\s*"
    r"([\w-]+(?:[ ,.!)]+[\w-]+){1,11}[ ,.!)]*)$"
)
"""A name, and more about it or the user: "Kudowa, wychodzę po obiedzie"."""

_POINTS = regex(r"(?:tam|tu|tutaj)\b")
_PLACE = regex(r"miejscowos|\bmiast|\bmiescie|\bmiejsc|o ktor\w+ .{0,30}chodzi")


def is_place_unknown(question: str) -> bool:
    """Whether a reply asks for another place, because it does not know the one that was said."""
    return _UNKNOWN.search(question) is not None and _PLACE.search(question) is not None


def accept(scene: Scene) -> FollowUp | None:
    """Look up what we offered at the end of the last reply, where the prompt only says yes."""
    last = scene.state.last
    yes = _ASSENT.match(scene.folded)
    if last is None or yes is None or not _is_day_at_most(scene.within(scene.text[yes.end() :])):
        return None
    offer = _OFFER.search(fold_evenly(last.reply))
    if offer is None or not _WEATHER.search(offer[0]):
        return None
    text = last.reply[offer.start() :]
    lead = _LOOK_UP.search(offer[0])
    other = scene.within(text[lead.end() :]).detected(WIKIPEDIA) if lead else ()
    if other and not scene.days and "query" in other[0].arguments:
        return FollowUp(calls=other[:1])
    before = scene.state.calls(WEATHER)
    places, days = spoken(text), scene.days or find_days(text, today=scene.today)
    cities = places or said(before, "city")
    if not cities or not (places or days):
        return None
    return forecasts(cities, days or said(before, "day"))


def _is_day_at_most(rest: Scene) -> bool:
    """Whether nothing follows but a day: "poproszę, na weekend"."""
    return rest.size == 0 or (bool(rest.days) and rest.size <= _DAY)


def forecasts(cities: tuple[str, ...], days: tuple[str, ...]) -> FollowUp:
    """Ask for the weather of each place on each day."""
    return FollowUp(
        calls=tuple(
            DetectedCall(name=WEATHER, arguments={"city": city} | ({"day": day} if day else {}))
            for city in cities
            for day in days or ("",)
        )
    )


def as_planned(scene: Scene, places: tuple[str, ...]) -> FollowUp | None:
    """Ask for each of several places on the day on which the user will be there."""
    days = [likely_days(scene, is_same=False, places=(place,)) for place in places]
    if len(set(days)) <= 1 or not all(days):
        return None
    asked = (forecasts((place,), on) for place, on in zip(places, days, strict=True))
    return FollowUp(calls=tuple(call for one in asked for call in one.calls))


def answer_place(scene: Scene, before: Scene) -> Finding:
    """Answer our question for the place; ``before`` is the prompt that lacked it."""
    if (name := namesake(scene)) is not None:
        return replace(forecasts((name,), scene.days or before.days), is_settled=True)
    if pointed := _pointed(scene):
        if days := scene.days or before.days:
            return forecasts(pointed, days)
        days = likely_days(scene, is_same=False, places=pointed)
        return as_planned(scene, pointed) or forecasts(pointed, days)
    others = _others(scene)
    days = before.days if before.days and is_part_alone(scene, before.days) else scene.days
    text = split_clauses(scene.text)[0] if others else scene.text
    if (explained := _EXPLAINED.match(text)) is not None:
        text = explained[1]
        scene = scene.within(text)
    cities = (
        _before_aside(scene)
        or named_places(undenied(fold_evenly(text), text))
        or _unknown_place(scene)
    )
    if len(cities) > 1 and days and days == before.days and scene.days == days:
        cities = planned_place(text) or cities
    if not cities:
        return FollowUp(asks=(WEATHER, NEEDED[WEATHER])) if _is_day_alone(scene) else None
    found = forecasts(cities, days or before.days or planned_days(scene, cities))
    return FollowUp(calls=(*found.calls, *others))


def _pointed(scene: Scene) -> tuple[str, ...]:
    """The places that an answer of a few words without a name points to: "w obu", "u celu"."""
    words = [word for word in scene.words if word.text[0].isalpha()]
    is_bare = len(words) <= _DAY and not any(word.is_capitalised for word in words[1:])
    return referred_places(scene) if is_bare and not scene.is_question else ()


def bare_place(scene: Scene) -> tuple[str, ...]:
    """An answer of hardly more than an unknown name, if only in small letters: "kozia wólka"."""
    words = [word for word in scene.words if word.text[0].isalpha()]
    is_other = _POINTS.match(scene.folded) or _ASSENT.fullmatch(scene.folded)
    if is_other or scene.is_question or not 0 < len(words) <= _NAME:
        return ()
    readings = [morphology().readings(word.text.title()) for word in words]
    is_name = any(not each or any(map(is_geographic, each)) for each in readings)
    return (base_form(joined(scene.text, words).title(), None),) if is_name else ()


def new_place(scene: Scene) -> tuple[str, ...]:
    """A name that no list has, inside a prompt that goes on with the weather: ", Harrachov?"."""
    if not scene.is_active(WEATHER) or referred_places(scene):
        return ()
    said = [turn.prompt + turn.reply for turn in scene.state.turns]
    found = [
        joined(scene.text, run)
        for run in runs(scene.text)
        if run[0].start > 0 and scene.text[: run[0].start].rstrip()[-1] in ",:-–"
    ]
    names = [one for one in found if not is_person(one) and not any(one in text for text in said)]
    return tuple(names) if len(names) == 1 else ()


def _before_aside(scene: Scene) -> tuple[str, ...]:
    """The place of an answer after which hardly a name stands: "Kortowo, te przy akademikach"."""
    told = _WITH_ASIDE.match(scene.text)
    if told is None or scene.is_question:
        return ()
    name, aside = without_openings(told[1]).strip(), told[2]
    if any(word.is_capitalised for word in split_words(aside)) or find_days(aside):
        return ()
    if not name or THERE.search(fold_evenly(name)):
        return ()
    if (name.islower() and named_places(aside)) or not all(map(_is_nominal, name.split())):
        return ()
    return named_places(name) or bare_place(scene.within(name))


def _is_nominal(word: str) -> bool:
    """Whether a word may be a part of a name: a noun, an adjective, or one that nobody knows."""
    readings = morphology().readings(word.lower()) or morphology().readings(word.title())
    return not readings or any(one.is_nominal or one.is_adjectival for one in readings)


def _others(scene: Scene) -> tuple[DetectedCall, ...]:
    """What is asked for besides: "w Łodzi, i narysuj mi kota"."""
    _, *clauses = split_clauses(scene.text)
    calls = scene.within(" ".join(clauses)).detection.calls if clauses else ()
    return tuple(
        one
        for one in calls
        if one.name in {IMAGE, MATHEMATICS} and NEEDED[one.name] in one.arguments
    )


def _is_day_alone(scene: Scene) -> bool:
    return bool(scene.days) and scene.size <= 2  # noqa: PLR2004 - "na jutro"


def _unknown_place(scene: Scene) -> tuple[str, ...]:
    """A bare name that no list has; who was asked for a place answers with one."""
    found = runs(scene.text)
    is_bare = len(found) == 1 and scene.size <= len(found[0]) + 1 and not scene.is_question
    return (joined(scene.text, found[0]),) if is_bare else ()
