"""Follow-ups to a question about the weather: another place, another day, the same again."""

from chatbot.language.days import read_day
from chatbot.language.patterns import regex
from chatbot.router.detector.places import find_places
from chatbot.router.detector.services import without_past
from chatbot.router.dialogue.forecasts.days import (
    NEXT_DAY,
    asks_when_it_turns,
    likely_days,
    own_days,
    said,
    without_comparison,
    without_that_day,
)
from chatbot.router.dialogue.forecasts.ellipsis import rest, without_aside
from chatbot.router.dialogue.forecasts.namesakes import namesake
from chatbot.router.dialogue.forecasts.places import (
    CAPITAL,
    THERE,
    is_place,
    latest,
    named_places,
    said_of_oneself,
    undenied,
    without_openings,
)
from chatbot.router.dialogue.forecasts.slot_weather import as_planned, forecasts
from chatbot.router.dialogue.forecasts.ways import on_way
from chatbot.router.dialogue.forecasts.weather_words import (
    RETURN,
    asks_of_climate,
    names_weather,
    speaks_of_weather,
)
from chatbot.router.dialogue.forecasts.whereabouts import is_missed, names_no_place, referred_places
from chatbot.router.dialogue.naming import names_before
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene, call
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED, WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import genders_of_verbs

_OTHER = regex(
    r"\b(?:(?<!jakby )(?<!gdyby )kto|kogo|komu|kim|czyj\w*|skad|dlaczego|czemu|po co|"
    r"fahrenheit\w*|farenheit\w*|"
    r"amerykansk\w+|kelwin\w*|pyl\w*|smog\w*|pm ?2|pm ?10|pylk\w+|powietrz\w+|"
    r"miesiac\w*|ktora godzina|swiet[oa]|lawin\w+|ubieg\w+|urodzin|ostrzezen\w+|jak to mozliwe|"
    r"odplyw\w*|przyplyw\w*|kurs\w* (?:euro|walut\w*|dolar\w*|frank\w*|zlot\w*)|w morzu|"
    r"(?:temperatur\w+|ciepla|zimna) (?:jest )?(?:wod[ay]|morz\w+)|wod[ay] w|prawdopodobienstw\w*|"
    r"po ilu|wsch\w+ (?:\w+ )?slonc\w+|"
    r"zach\w+ (?:\w+ )?slonc\w+|klimat\w*|wczoraj\w*|przedwczoraj|rok temu|zeszl\w+|kalendarz\w*|"
    r"pociag\w*|dojech\w+|dojazd\w*|po ile|kosztuj\w+|hotel\w*|nocleg\w*|restauracj\w+|zwiedz\w+|"
    r"mieszkanc\w+|ludnosc\w*|ludzi|osob mieszka|mieszka|powstal\w*|zalozon\w+|historia|"
    r"historie|roznic\w+|sredni\w*|czujnik\w*|stacj\w+|"
    r"lubi\w*|nienawidz\w+|wierz\w+|polec\w*|z?jesc|robic|film\w*|obejrz\w+|zdrow\w+|kino|"
    r"dzien jest|dni do|blad|bledn\w+|cieszy|szkoda|trudno|zanieczyszczen\w+|zwykle|zazwyczaj)\b"
)
_SERVICE = regex(
    r"\b(?:pociag(?:i|u|ow)?|autobus(?:y|ow)?|dojech\w+|dojazd\w*|dojezdz\w+|bilet\w*|hotel\w*|"
    r"nocleg\w*|pokoj\w*|kwater\w*|restauracj\w+|kawiarni\w+|kawe|zarezerw\w+|zaklep\w*|"
    r"bezpieczn\w+|czynn\w+|godzin\w* otwarcia|parking\w*|wypozycz\w+)\b"
)
_NATURE = regex(
    r"\b(?:odplyw\w*|przyplyw\w*|kurs\w* (?:euro|walut\w*|dolar\w*|frank\w*|zlot\w*)|"
    r"woda (?:\w+ )?w|w morzu|temperatur\w+ (?:wody|morza)|wzejdzie|zajdzie|"
    r"(?:wschod|zachod)\w* slonca|alarm\w*|ostrzezen\w+)\b"
)
_WHEN = regex(r"\b(?:kiedy|ktorym (?:roku|wieku)|jak dlugo)\b")
_NOT_WEATHER = regex(
    r"\b(?:pogod\w+ (?:mnie )?nie interesuj\w+|nie (?:o )?pogod\w+|nie pytal\w+ o pogod\w+)\b"
)
_OF_NATURE = regex(
    r"\bskad sie (?:bior\w+|bierze|wzi\w+)\b|\bfa[hr]+renh\w+|\bpo amerykansku\b|\bkel[wv]in\w*|"
    r"\b(?:pm ?2|pm ?10|smog\w*|pylk\w+|zanieczyszczen\w+)"
)
_LEAD = regex(
    r"^(?:(?:no|ok|okej|dobra|hmm|aha|super|dzieki|dziekuje|hej)[\s,.!]+)*"
    r"(?:a|i|oraz|albo|to|jednak|lepiej|raczej|moze|tez|and|what about|how about|"
    r"wez|sprawdz\w*|podaj|poprosze|prosze|ta sama|to samo|wlasciwie|tfu|nie|sorry|przepraszam|"
    r"pomylka|wroc\w*|jeszcze|teraz|porownaj|zamiast|czekaj|stop|moment|chwila)\b"
)
_LIKE_BEFORE = regex(
    r"\b(?:tez|takze|rowniez|tyz|tak|tak samo|taki\w*|tam|ten termin|tym terminie|nadal|dalej|"
    r"jeszcze|cieplej|zimniej|lepiej|gorzej|porownaj\w*|to samo|wtedy|w tym czasie|tego dnia|"
    rf"w ten dzien|samo|same|{RETURN})\b"
)
_FIRMLY = regex(
    r"^(?:\w+[,.]? )?a (?!(?:potem|nawet|propos)\b)|"
    r"\b(?:tez|takze|rowniez|tyz|tak (?:samo|zimno|cieplo|goraco|mokro)|tam|stamtad|t(?:en|ym) "
    r"(?:sam\w+ )?termin\w*|zapasow\w+|porownaj\w*|to samo|w tym czasie|tego dnia|w ten dzien|"
    r"nazajutrz|dzien (?:po|pozniej|wczesniej)|nastepnego dnia|jeszcze raz|ponownie|odswiez|"
    r"znowu|tfu|pomyl\w+|cofam|mi\w+ na mysli|chodzil\w+ (?:mi )?o|poprawk\w+|zostaj\w+|wroc\w*|"
    r"dotyczyl\w+|jednak|analogiczn\w+|t(?:en|ego|ym) sam\w* (?:dzien|dnia|dniu)|"
    rf"(?:tej|tych|ta|tym|tego) (?:miejscowosc\w*|miast\w*|miesc\w*)|{RETURN})\b"
)
_AGAIN = regex(
    r"\b(?:jeszcze raz|ponownie|od nowa|aktualn\w+|zaktualizuj|odswiez|again|znowu sprawdz)\b"
)
_MENDS = regex(
    r"\b(?:czekaj|stop|moment|chwila|nie|jednak|tfu|pomyl\w+|"
    r"cofam|mial\w+ na mysli|mam na mysli|chodzil\w+|poprawk\w+|"
    r"zapasow\w+|termin\w*|zostaj\w+|wroc\w*|przesu\w+|zmian\w+|zmien\w*|dotyczyl\w+|mial\w* byc|"
    r"ostatecznie|interesuje mnie|autokorekt\w+|literowk\w+|przejezycz\w+|"
    r"zle (?:na|w)?pisal\w+|mialo byc|zamiast)\b"
)
_ABOUT = regex(
    r"\b(?:za)?pytanie dotyczyl\w+ |\bchodzil\w+ (?:mi )?o |\bporownaj\w*(?: mi)?(?: to)? z |"
    r"\bzamiast \w+ |\bmial\w+ na mysli "
)
_PART_OF_DAY = regex(
    r"^(?:(?:a|i|no|tez|jak|bedzie)\s+)*(?:rano|nad ranem|przed poludniem|w poludnie|po poludniu|"
    r"popoludniu|wieczorem|w nocy|noca|w dzien|z rana|o swicie|pozniej)\b"
)
_WHICH = regex(
    r"\b(?:gdzie|ktor\w+ z (?:nich|tych))\b.{0,40}"
    r"\b(?:ciepl|zimn|lepi|ladni|sloneczn|mniej|wiecej|bardziej|chlodn|najciepl)"
)
_COMMENT = regex(r"^(?:czyli|no to|to znaczy|ojej|o nie|uff|ufff)\b")
_TOGETHER = regex(r"\btam\b[^.?!]{0,12}\b(?:czy|i|a|niz|oraz)\b|\b(?:czy|niz) tam\b")
_PLACED = regex(r"\b(?i:w|we|na|do|dla|u|koło|obok|pod|nad|przy|z|ze)\s+(?:\w+\s+)?[A-ZĄĆĘŁŃÓŚŹŻ]")
_STATES = regex(r"^(?:\w+[,.]? )?(?:jade|jedziemy|lece|lecimy|bede|bylem|bylam|wracam)\b[^?,]*$")
_ASKING = regex(
    r"\b(?:czy|jak\w*|ile|gdzie|kiedy|co|sprawdz\w*|podaj|pokaz|powiedz|prosze|poprosze|ciekawe|"
    r"moze|prognoz[ae]|weather)\b"
)
_BACK = regex(r"^(?:\w+[, ]+)?(?:wroc\w*|wracaj\w*|jeszcze raz)\b")
_LINKED = regex(r",|\b(?:i|oraz|albo|lub|czy|niz|a|kontra|vs|od)\b")
_APART = regex(
    r"\b(?:co|jak) tam (?:slychac|u (?:ciebie|was)|leci|zycie|zdrowie)\b|"
    r"\b(?:moim|naszym) miescie\b"
)
_REGRETS = regex(
    r"^(?:(?:o|oj|no|ojej\w*|hm+|ech|eh|kurcze|kurde)[ ,]+)*(?:to )?"
    r"(?:nie ?(?:dobrze|fajnie|ciekawie)|kiepsko|slabo|fatalnie|zle|szkoda|pech|trudno)\b"
    r"[ ,.!]*(?=(?:a|to|i) )"
)
_FEW, _INITIALS, _SURE = 6, 2, 0.9


def follow(scene: Scene) -> Finding:
    """Complete a question about the weather from the places and days before."""
    if scene.is_active(WEATHER) and (regrets := _REGRETS.match(scene.folded)) is not None:
        scene = scene.within(scene.text[regrets.end() :])
    if WEATHER not in scene.offered or _is_complete(scene) or _asks_of_the_past(scene):
        return None
    return on_way(scene) or _follow(scene)


def _follow(scene: Scene) -> Finding:
    folded = without_past(scene.within(undenied(scene.folded, scene.text)).folded)
    folded = without_aside(folded)
    if scene.is_active(WEATHER) and (found := _leaves_weather(scene)) is not None:
        return found
    is_climate = asks_of_climate(scene)
    if is_climate or (
        _OTHER.search(folded) and not (_lacks_place(scene) and referred_places(scene))
    ):
        return FollowUp() if is_climate or _is_remark(scene) else None
    is_weather = speaks_of_weather(scene) or (
        bool(scene.detected(WEATHER)) and (not scene.is_active(WIKIPEDIA) or _lacks_place(scene))
    )
    if scene.is_active(WEATHER):
        return _same_subject(scene, is_weather=is_weather)
    if _AGAIN.search(folded) and "prognoz" in folded and scene.state.calls(WEATHER):
        return _complete(scene, own_places(scene), own_days(scene))
    return _again_later(scene) if is_weather else None


def _asks_of_the_past(scene: Scene) -> bool:
    """Whether it is asked when somebody did something: "a kiedy Litwa wstąpiła do NATO?"."""
    is_asked = _WHEN.search(scene.folded) is not None and not speaks_of_weather(scene)
    return is_asked and bool(genders_of_verbs(scene.text))


def _is_other_service(scene: Scene) -> bool:
    """Whether trains, rooms, tides or sunsets are asked about right after the weather."""
    if scene.detects_other(WEATHER) or scene.size > 2 * _FEW:
        return False
    if _NATURE.search(scene.folded):
        return True
    return _SERVICE.search(scene.folded) is not None and not (
        speaks_of_weather(scene) or scene.detected(WEATHER)
    )


def _lacks_place(scene: Scene) -> bool:
    """Whether the detector is sure of a question about the weather, but finds no place in it."""
    is_sure = bool(scene.detected(WEATHER)) and scene.detection.confidence > _SURE
    return is_sure and not any(one.arguments.get("city") for one in scene.detection.calls)


def _is_complete(scene: Scene) -> bool:
    """Whether several tools are asked for with all that they need, or a place that is not said."""
    calls = scene.detection.calls
    if len({one.name for one in calls}) > 1:
        return all(NEEDED.get(one.name) in one.arguments for one in calls)
    return _APART.search(scene.folded) is not None or _is_told_before(scene)


def _is_told_before(scene: Scene) -> bool:
    """Whether the prompt itself names what its "tam" means, where no list knows the place."""
    there = THERE.search(scene.folded)
    if there is None or own_places(scene):
        return False
    return names_before(scene.text, there.start())


def _leaves_weather(scene: Scene) -> Finding:
    """Whether the weather is not what is asked about ("nie o pogodę", "skąd się biorą wiatry")."""
    if _NOT_WEATHER.search(scene.folded):
        place = latest(scene.state)
        return call(WIKIPEDIA, query=place[0]) if place else None
    if _is_other_service(scene):
        return FollowUp()
    is_told = not scene.is_question and (
        _COMMENT.match(scene.folded) or _STATES.search(scene.folded)
    )
    if any(one.arguments for one in scene.detection.calls) and scene.size > _FEW:
        return None
    return FollowUp() if is_told or _OF_NATURE.search(scene.folded) else None


def _same_subject(scene: Scene, *, is_weather: bool) -> Finding:
    """The exchange just before was about the weather."""
    if _stands_apart(scene):
        return None
    cities, days = own_places(scene), own_days(scene)
    is_asked = is_weather and _asks(scene) and _is_linked(scene)
    is_part = _PART_OF_DAY.match(scene.folded) is not None and _is_short(scene)
    is_again = _AGAIN.search(scene.folded) is not None or is_missed(scene)
    is_again = is_again or (asks_when_it_turns(scene) and _is_short(scene))
    if not (is_asked or is_part or is_again or _is_elliptic(scene, cities, days)):
        return FollowUp() if _is_remark(scene) else None
    if scene.detects_other(WEATHER) and not is_weather and not _may_be_misread(scene):
        return None
    if is_weather and cities and not leans(scene):
        return "alone"
    return _complete(scene, cities, days)


def _stands_apart(scene: Scene) -> bool:
    """Whether a longer prompt has nothing that leans on what was before.

    It may well ask for the weather: then it says itself of what place.
    """
    if scene.detects_other(WEATHER) and scene.detected(MATHEMATICS) and scene.size > _FEW:
        return True
    is_firm = _FIRMLY.search(scene.folded) or THERE.search(scene.folded)
    if scene.size <= _FEW or is_firm:
        return False
    weather = scene.detected(WEATHER)
    if any("city" in one.arguments for one in weather) and scene.size > _FEW + 2:
        return True
    if scene.detects_other(WEATHER) or scene.size > 2 * _FEW:
        return not weather
    return not weather and _LEAD.match(scene.folded) is None


def _is_linked(scene: Scene) -> bool:
    """Whether the detector hears a question about the weather, or the prompt leans on the last."""
    return (
        bool(scene.detected(WEATHER))
        or (bool(scene.days) and names_weather(scene))
        or scene.size <= _INITIALS + 1
        or _LEAD.match(scene.folded) is not None
        or _LIKE_BEFORE.search(scene.folded) is not None
    )


def _is_remark(scene: Scene) -> bool:
    """Whether the weather just told is only spoken of: nothing is asked, and nothing new named."""
    asked = scene.detected(WEATHER)
    calls = scene.state.calls(WEATHER)
    if not asked or not scene.is_active(WEATHER) or scene.is_question:
        return False
    is_new = {*own_days(scene)} - {*said(calls, "day"), "today"}
    before = {None, *said(calls, "city")}
    return not is_new and all(one.arguments.get("city") in before for one in asked)


def _may_be_misread(scene: Scene) -> bool:
    """Whether the prompt is so short that what the detector finds in it alone says little."""
    is_led = _LEAD.match(scene.folded) is not None and scene.size <= _FEW
    return is_led or scene.size <= _INITIALS or _MENDS.search(scene.folded) is not None


def _again_later(scene: Scene) -> Finding:
    """The weather is asked for, some other subject having been between or before."""
    referred = referred_places(scene)
    places = referred or _unsaid(scene)
    named = tuple(
        name
        for name in find_places(scene.text)
        if is_place(name) and name not in places and not (referred and CAPITAL.search(scene.folded))
    )
    if named and not _TOGETHER.search(scene.folded):
        return "alone"
    if not places or (referred and not _asks(scene)):
        return None
    planned = as_planned(scene, places) if not named else None
    days = likely_days(scene, is_same=False, places=places)
    return planned or forecasts((*places, *named), days)


def _unsaid(scene: Scene) -> tuple[str, ...]:
    """The place of a plain question about the weather that names none."""
    if not scene.detected(WEATHER) and not names_weather(scene):
        return ()
    return scene.state.values(WEATHER, "city")[:1] or said_of_oneself(scene.state)


def _complete(scene: Scene, cities: tuple[str, ...], days: tuple[str, ...]) -> Finding:
    before = scene.state.calls(WEATHER)
    if not cities and _WHICH.search(scene.folded):
        cities = scene.state.values(WEATHER, "city")[:2]
    if cities and _TOGETHER.search(scene.folded):
        cities = tuple(dict.fromkeys((*latest(scene.state), *cities)))
    places = cities or referred_places(scene)
    places = places or (() if names_no_place(scene) else said(before, "city"))
    return forecasts(places, days or said(before, "day")) if places else None


def own_places(scene: Scene) -> tuple[str, ...]:
    """Return the places that the prompt itself names, without what it denies."""
    if scene.is_active(WEATHER) and (name := namesake(scene)) is not None:
        return (name,)
    scene = scene.within(without_comparison(scene))
    text = undenied(scene.folded, scene.text)
    if (about := _ABOUT.search(scene.within(text).folded)) is not None:
        text = f"dla {text[about.end() :]}"
    text = without_openings(without_that_day(text))
    found = find_places(text)
    if _is_short(scene) and len(several := named_places(text)) > len(found):
        found = several
    if len(found) > 1 and not _LINKED.search(scene.folded):
        found = found[-1:]
    is_placed = _PLACED.search(text) is not None or text == text.lower()
    there = THERE.search(scene.folded)
    is_placed = is_placed or _is_only_named(scene, text)
    is_placed = is_placed and (there is None or names_before(scene.text, there.start()))
    found = tuple(name for name in found if read_day(name) is None or name in scene.text)
    return tuple(name for name in found if is_place(name) or (is_placed and len(name) > _INITIALS))


def _is_only_named(scene: Scene, text: str) -> bool:
    """Whether a few words only put a name in the place of the last: "A Porto tego samego dnia?"."""
    is_open = scene.is_active(WEATHER) and _is_short(scene) and not speaks_of_weather(scene)
    return is_open and rest(scene.within(text)) == 0


def _asks(scene: Scene) -> bool:
    return scene.is_question or (
        _ASKING.search(scene.folded) is not None and not _STATES.search(scene.folded)
    )


def _is_short(scene: Scene) -> bool:
    return scene.size <= _FEW


def _is_elliptic(scene: Scene, cities: tuple[str, ...], days: tuple[str, ...]) -> bool:
    """Whether another place or day stands in hardly more words: "a w Radomiu?", "nie, jutro"."""
    before = scene.state.calls(WEATHER)
    is_new = bool({*cities} - {*said(before, "city")} or {*days} - {*said(before, "day")})
    if not is_new and not (_is_short(scene) and referred_places(scene)):
        return _BACK.match(scene.folded) is not None and bool(cities)
    is_led = _LEAD.match(scene.folded) is not None
    room = 3 if _MENDS.search(scene.folded) else scene.is_question
    room += 3 if is_led and scene.is_question else is_led
    return rest(scene) <= room


def leans(scene: Scene) -> bool:
    """Whether the prompt takes something from the question before, though it has a place."""
    folded = scene.folded
    return bool(
        _LEAD.match(folded)
        or _FIRMLY.search(folded)
        or _LIKE_BEFORE.search(folded)
        or _MENDS.search(folded)
        or NEXT_DAY.search(folded)
        or THERE.search(folded)
        or scene.size <= _INITIALS + 1
    )
