"""What sounds like a follow-up and is for nothing that a tool does: "czym tam dojadę?"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import is_request, split_clauses
from chatbot.router.detector.services import asks_of_past, asks_opinion, is_for_service
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.forecasts.weather_words import speaks_of_weather
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, WEATHER, WIKIPEDIA

_VEHICLE = r"(?:autobus|bus|pks|pociag|tramwaj|prom|samolot|kolejk|taksowk)\w{0,3}"
_TRAVEL = regex(
    r"\b(?:czym|jak|ktoredy|skad)\b[^.?!]{0,30}\b(?:dojad\w+|dojed\w+|dojech\w+|dojazd\w*|"
    r"dojezdz\w+|dotr\w+|docier\w+|dostac sie|sie (?:tam )?dosta\w+|dostane sie)\b|"
    rf"\b(?:jest|sa|jezdz\w+|jedzie|jada|kursuj\w+|lata|lataja|odjezdza\w*|plywa\w*)\b[^.?!]{{0,25}}\b{_VEHICLE}\b|"
    rf"\b{_VEHICLE} [^.?!]{{0,25}}\b(?:jest|sa|jezdz\w+|jedzie|kursuj\w+|lata|odjezdza\w*|"
    r"plywa\w*)\b|"
    r"\bile (?:sie )?(?:tam )?(?:sie )?(?:jedzie|jedziemy|zajmuje dojazd|leci sie)\b|"
    r"\bjedzie (?:tam )?cos (?:tam )?(?:z|ze|od)\b|\bgdzie\b[^.?!]{0,20}\bzaparkow\w+|"
    r"\bgdzie\b[^.?!]{0,20}\bzaparkuj\w+|\bparking\w*"
)
_DEADLINE = regex(
    r"\b(?:do|od) kiedy\b[^.?!]{0,40}\b(?:zlozyc|sklada\w*|zapis\w+|zglos\w+|zglasza\w*|"
    r"przyjmuj\w+|rekrut\w+|rejestr\w+|oplac\w+|zaplac\w+|wysl\w+|nabor|wnios\w+|podani\w+|"
    r"dokument\w*)\b"
)
_COSTS = regex(
    r"\bile\b[^.?!\d]{0,20}\b(?:wynosi czesne|kosztuje (?:czesne|wstep|wejscie|bilet\w*|nocleg))\b"
)
_SOLD = regex(
    r"^(?:a |i |no |to )*(?:po ile|ile\b[^.?!]{0,20}\bkosztow?\w+|"
    r"gdzie\b[^.?!]{0,25}\b(?:kupi|wydruk|zamow|opraw)\w+)"
)
_DRAWING = r"\w{0,4}(?:rysow|malow|szkicow|projektow|kolorow|cieniow)"
_HOW_TO_DRAW = regex(
    r"\bjak (?!mozesz|mozecie|chcesz|potrafisz|umiesz|dasz|bys\b)"
    rf"(?:(?!\w{{3,}}(?:l|la|li|lo|ly|lby|laby)\b)\w+,? ){{0,8}}?{_DRAWING}ac\b|"
    r"\bjak (?:sie (?:\w+ ){0,2}?(?:rysuje|maluje|szkicuje)|(?:rysuje|maluje|szkicuje) sie)\b"
)
"""How something is drawn, which nobody did yet: "jak samemu narysować takiego lisa?"."""

_DRAW = regex(
    r"\b(?:(?:na|prze|do|wy)?(?:rys|mal|szkic)uj|wygeneruj|zilustruj|zaprojektuj|stworz|zrob|daj)\b"
)
_LENT = regex(
    r"\b(?:egzemplarz\w*|wypozycz\w+)\b|"
    r"\b(?:w|we|na) (?:\w+ )?(?:bibliote\w+|czytelni\w*|ksiegarni\w*|antykwariac\w*|"
    r"empiku|sklep\w*|allegro|stanie)\b"
)
_IN_STOCK = regex(
    r"\b(?:jest|sa|ma(?:ja|cie|my)?|dostan\w+|dostac|kupi\w*|kupie|woln\w+|dostepn\w+|znajd\w+|"
    r"wypozyczon\w+|wypozycz\w+)\b"
)
_WHICH_ONE = regex(r"\b(?:kto|kiedy|gdzie|ktor\w+|jak\w*|dlaczego|skad|czyj\w*|co)\b")
"""What asks of a copy's history, and not whether one may be had."""

_RECKONING = regex(
    r"\b(?:ile|ilu) (?:(?:to|jeszcze|juz) )?(?:dni|tygodni|miesiecy)\b[^.?!]{0,25}"
    r"\b(?:zostal\w+|pozostal\w+|brakuje|minelo|do (?:t\w+ )?(?:rocznic|swiet|urodzin|imienin|"
    r"wakacj|feri|koncert|premier|festiwal)\w*)\b|"
    r"\bza ile (?:dni|tygodni|miesiecy)\b|\bjak\w+ (?:to )?(?:\w+ )?dzien tygodnia\b"
)
_ESSAY = regex(
    r"^(?:(?:a|i|no|to|ok|okej|dobra|teraz|super|prosze|dzieki)[ ,]+)*(?:porownaj|zestaw)(?:cie)? "
    r"(?=.*(?:[„\"«]|\b(?:wypracowan|rozprawk|esej|referat|prezentacj|lekcj|matur|sprawdzian)))"
)
_UNIT = (
    r"(?:(?P<foreign>eur|dolar|usd|funt|gbp|frank|chf|koron|jen|hrywn|rubl|forint|cal|stop|jard|"
    r"mil|akr|uncj|galon|wezl)|kilometr|metr|centymetr|hektar|ton)(?:o|ow|y|a|ach|i|e|iech)?"
)
_CONVERTED = regex(
    r"^(?:(?:a|i|no|to|czyli|ok|dobra|hmm|tyle|razem|t\w{1,2} \w+)\b[ ,]*){0,4}"
    r"(?:\w+ )?(?:to )?(?:ile|przelicz\w*|zamien\w*|podaj)?"
    r"(?: (?:mi|to|te \w+|tyle|jest|byloby|bedzie|wyjdzie|wychodzi))* ?"
    rf"(?:\b(?:w|we|na) )?\b{_UNIT}(?: [a-z]+sk\w+)?"
    r"(?: (?:na (?:h|godzine)|mniej wiecej|ile (?:to )?(?:jest|bedzie|wyjdzie|wychodzi)|teraz|"
    r"dzisiaj|dzis|prosze|po (?:dzisiejszym|obecnym|aktualnym) kursie))*\W*$"
)
"""The same amount in another unit, which no tool converts."""

_ASKED_BACK = regex(
    r"^(?:(?:a|i|to|hej|czekaj|sorry|przypomnij|powiedz|mi|jeszcze raz|no|tylko|dobra|ok)[, ]+)*"
    r"(?:ile|co|jaki|jaka|ktory) (?!razem)(?:mi |nam |to |byla? (?:ten |ta )?|tam )*"
    r"(?:(?:wyszl\w+|wyszedl|(?P<told>bylo|mielismy|mial\w+)) )?(?:(?:mi|nam|w ogole) )*"
    r"(?:za (?:pierwszym|drugim|poprzednim|1\.?) razem|na (?:samym )?poczatku|poprzednio|przedtem|"
    r"ostatnio|przed chwila|wczesniej|(?:pierwsz|poprzedn|tamten|wczesniejsz)\w* wynik)\b[^\d]*$"
)
_APPLIED = regex(r"\b(?:plus|minus|razy|dodaj|odejm\w+|podziel\w*|pomnoz\w*|zanim|gdyby|o ile)\b")
_SHORT = 7  # words


def unserved(scene: Scene) -> Finding:
    """Say that the default model answers: connections, deadlines, past weather, other units."""
    if not _is_unserved(scene) or _wishes_more(scene):
        return None
    return FollowUp(is_settled=True)


def _is_unserved(scene: Scene) -> bool:
    if scene.is_active(MATHEMATICS):
        return _is_of_result(scene)
    if _is_past(scene) or _is_lesson(scene):
        return True
    if scene.is_active(WEATHER) and is_for_service(scene.folded):
        return True
    if scene.is_active(IMAGE):
        return _SOLD.match(scene.folded) is not None
    if not scene.state.calls(WEATHER) + scene.state.calls(WIKIPEDIA):
        return False
    on_article = (_ESSAY.match(scene.folded), _CONVERTED.match(scene.folded))
    is_on_article = scene.is_active(WIKIPEDIA) and (
        any(on_article) or _is_of_copy(scene) or _is_opinion(scene)
    )
    services = (_TRAVEL, _DEADLINE, _COSTS, _RECKONING)
    is_service = any(one.search(scene.folded) for one in services)
    return is_on_article or (is_service and not speaks_of_weather(scene))


def _is_lesson(scene: Scene) -> bool:
    """Whether the user wants to draw something himself."""
    return _HOW_TO_DRAW.search(scene.folded) is not None and not _DRAW.search(scene.folded)


def _is_opinion(scene: Scene) -> bool:
    """Whether we are asked what we think of what was looked up."""
    return asks_opinion(scene.folded) and not speaks_of_weather(scene)


def _is_of_copy(scene: Scene) -> bool:
    """Whether it is asked if a copy can be had: "dostanę ją w bibliotece?"."""
    is_asked = _LENT.search(scene.folded) is not None and _IN_STOCK.search(scene.folded)
    return bool(is_asked) and not _WHICH_ONE.search(scene.folded)


def _is_past(scene: Scene) -> bool:
    """Whether it is asked what the weather was: "a w zeszły piątek tam lało?"."""
    if not asks_of_past(scene.folded):
        return False
    is_short = scene.size <= _SHORT and not scene.detects_other(WEATHER)
    return speaks_of_weather(scene) or (scene.is_active(WEATHER) and is_short)


def _is_of_result(scene: Scene) -> bool:
    """Whether a result is wanted at an exchange rate, in a foreign unit, or once more."""
    if _is_asked_back(scene):
        return True
    converted = _CONVERTED.match(scene.folded)
    foreign = converted["foreign"] if converted else None
    return foreign is not None and not _is_told(scene, foreign)


def _is_asked_back(scene: Scene) -> bool:
    """Whether a result is wanted once more; "ile było na początku?" may ask what a story told."""
    back = _ASKED_BACK.match(scene.folded)
    if back is None or _APPLIED.search(scene.folded):
        return False
    results = sum(one.name == MATHEMATICS for turn in scene.state.turns for one in turn.calls)
    return results > 1 or not back["told"]


def _is_told(scene: Scene, stem: str) -> bool:
    """Whether the conversation has the unit already, so that the calculation has its rate."""
    last = scene.state.last
    said = f"{last.prompt} {last.reply}" if last is not None else ""
    is_said = re.search(rf"\b{re.escape(stem)}", fold_evenly(said)) is not None
    return is_said or bool(read_amounts(scene.text))


def _wishes_more(scene: Scene) -> bool:
    """Whether another clause asks for something that a tool does."""
    clauses = [scene.within(one) for one in split_clauses(scene.text)]
    others = [one for one in clauses if not _is_unserved(one)] if len(clauses) > 1 else []
    judged = {WIKIPEDIA} if asks_opinion(scene.folded) else set()
    return any(
        is_request(one.text) and (one.detected_tools - judged or speaks_of_weather(one))
        for one in others
    )
