"""Takes the likeliest tool of a prompt within its conversation: nobody better can be asked."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.detector import FUNCTIONS, DetectedCall, Detector
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.articles import fill_topics, topics
from chatbot.router.dialogue.articles.answered import (
    answer_agreeing,
    answer_pointed_at,
    battle_fought,
)
from chatbot.router.dialogue.articles.called import is_exclaimed, own_name
from chatbot.router.dialogue.articles.candidates import Picked
from chatbot.router.dialogue.articles.originals import original_meant
from chatbot.router.dialogue.articles.own_topics import own_topic
from chatbot.router.dialogue.articles.parallels import parallel_name
from chatbot.router.dialogue.articles.pointing import order_meant
from chatbot.router.dialogue.articles.reference import likeliest
from chatbot.router.dialogue.articles.reference_signs import has_pronoun
from chatbot.router.dialogue.articles.referents import agrees_with_topic
from chatbot.router.dialogue.articles.roles import role_meant
from chatbot.router.dialogue.articles.surroundings import located_at
from chatbot.router.dialogue.articles.talked import talked_of
from chatbot.router.dialogue.articles.works import maker_meant, of_work, part_of_topic
from chatbot.router.dialogue.calculations import fill_mathematics
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.proposal import likeliest as likeliest_calculation
from chatbot.router.dialogue.closings import is_dropped, is_remark
from chatbot.router.dialogue.drawings import fill_pictures, pictures
from chatbot.router.dialogue.drawings.antecedents import with_antecedent
from chatbot.router.dialogue.follow_up import recall
from chatbot.router.dialogue.forecasts import fill_weather
from chatbot.router.dialogue.forecasts.weather_words import names_weather, returns_to_weather
from chatbot.router.dialogue.intent import intent
from chatbot.router.dialogue.mentions import find_mentions, shares_word, texts_of
from chatbot.router.dialogue.naming import is_person
from chatbot.router.dialogue.returning import returned
from chatbot.router.dialogue.scene import LONGEST, FollowUp, Scene, call, is_bare
from chatbot.router.dialogue.signs import LABELS, NONE
from chatbot.router.dialogue.state import (
    IMAGE,
    MATHEMATICS,
    NEEDED,
    WEATHER,
    WIKIPEDIA,
    DialogueState,
)
from chatbot.router.dialogue.subjects import lacks_subject
from chatbot.types import ToolSpec

LIKELY = 0.5
"""A class less likely than this decides nothing: the prompt is judged on its own."""

OVERRULES = 0.65
"""From here on a class sets aside what a rule took for certain."""

_OVERRULES_NOTHING = 0.8
"""The same where a rule found thanks, a remark or a dropped wish, which ask for no tool."""

_OVERRULES_FORECAST = 0.8
"""The same for a forecast: its rules have found the place."""

_OVERRULES_CALCULATION = 0.99
"""The same for a calculation: its rules have found every number that they need."""

_NEARLY = 0.9
"""The detector's confidence from which on a question about somebody is one, whatever was said."""

_POINTS = regex(
    r"\b(?:on|ona|go|jego|jej|niego|niej|nim|nia|oni|ich|ten|ta|tego|tej|tym|te|tych|ow|owa|"
    r"ja(?= \w+(?:l|la|li|no|to|a)\b)|tak\w+ (?:scen|pogod|aur)\w*|tam|"
    r"to (?:za|pierwsz|drug|srodkow|miast|miejsc|zwierz|jezior|drzew|wydarzen|schronisk)\w+)\b|"
    r"\b(?:wygeneruj|narysuj|namaluj|zrob|pokaz|zilustruj|stworz) (?:mi )?to\b(?! \w)"
)
_AS_PICTURE = regex(
    r"(?:\w+[,.!]? ){0,2}?(?:z|prze)?rob t(?:o|en|e|ego) \w+ (?:jako|na) "
    r"(?:szyld|plakat|obraz|ilustracj|grafik|logo|baner|ulotk|pocztowk|okladk|rysun|naklejk)\w*"
)
"""An order to make a picture of what was said: "zrób ten wiersz jako plakat"."""

_NUMBER = regex(r"\(?-?\d+(?:\.\d+)?\)?|Rational\(-?\d+, \d+\)")
"""A number that was told, which nothing is done to."""

_AGAIN = regex(
    r"(?:\w+[,.! ]+){0,3}?(?:sprawdz|zobacz|znajdz|(?:wy|po)?szukaj|pokaz|przeczytaj|daj)\w* "
    r"(?:mi )?(?:go|ja|je|to)\b"
)
"""An order to look up once more what was looked up: "sprawdź go jeszcze w angielskiej wersji"."""

_SHORT, _LONG, _LONGEST = 6, 12, 20  # words
_OWN_NUMBERS = 2

_FILL: Mapping[str, Callable[[Scene], FollowUp | None]] = MappingProxyType({
    WEATHER: fill_weather.fill,
    MATHEMATICS: fill_mathematics.fill,
    WIKIPEDIA: fill_topics.fill,
    IMAGE: fill_pictures.fill,
})

_PLAIN = (
    original_meant,
    order_meant,
    role_meant,
    answer_pointed_at,
    maker_meant,
    battle_fought,
    of_work,
    located_at,
    answer_agreeing,
    talked_of,
)
"""Rules that say which article is meant where a prompt says it plainly; the first one decides."""

_SURE_PICTURES = (pictures.writes_on, pictures.bids_thing, pictures.returns)


def guess(
    prompt: str,
    state: DialogueState,
    tools: Sequence[ToolSpec],
    *,
    today: date | None,
    detector: Detector,
    certain: FollowUp | None = None,
) -> FollowUp | None:
    """Return what ``prompt`` most likely asks for after what was said.

    ``certain`` is what a rule says, and stays unless the classifier is next to sure of another
    tool. ``None``: the prompt is best judged on its own. Only ``tools`` are ever called.
    """
    if not state.turns or len(prompt) > LONGEST or is_bare(prompt):
        return certain
    known = recall(state, tools, today=today, detector=detector)
    scene = returned(Scene(prompt, known, tools, today=today, detector=detector))
    if _asks_for_several(scene) or (certain is not None and len(certain.tools) > 1):
        return with_antecedent(scene, certain)
    label, share = _likeliest(scene.past_thanks())
    tool = FUNCTIONS.get(label)
    if tool is None and share < OVERRULES and _AS_PICTURE.match(scene.folded):
        tool = IMAGE if IMAGE in scene.offered else None
    is_same = certain is not None and certain.tools == ({tool} if tool else set())
    is_sure = certain is not None and _is_sure(scene, certain)
    if is_same or is_sure or share < (LIKELY if certain is None else _overrules(certain)):
        return _completed(scene, certain, is_certain=True)
    if tool is None:
        return None if certain is None and _asks_clearly(scene, share) else FollowUp()
    is_alone = certain is None and _stands_alone(scene, tool)
    found = certain if is_alone else _FILL[tool](scene) or certain
    return _completed(scene, found, is_certain=False)


def _is_sure(scene: Scene, certain: FollowUp) -> bool:
    """Whether a rule is right whatever the classifier says: a thing shown, praise."""
    if certain.tools == {IMAGE}:
        return certain.is_settled or any(rule(scene) for rule in _SURE_PICTURES)
    if certain.tools == {WIKIPEDIA}:
        is_own = scene.size <= _SHORT and own_topic(scene) is not None
        return is_own or certain.is_settled or topics.in_edition(scene) is not None
    if certain.tools == {WEATHER}:
        is_short = scene.is_question and scene.size <= _SHORT and names_weather(scene)
        return certain.is_settled or is_short or returns_to_weather(scene)
    asks = scene.is_question or any(one.arguments for one in scene.detection.calls)
    is_closed = certain.is_settled or is_remark(scene) or (is_dropped(scene) and not asks)
    return not certain.tools and is_closed


def _asks_clearly(scene: Scene, share: float) -> bool:
    """Whether a prompt asks about somebody of whom nobody spoke, though none may be wanted."""
    is_clear = share < OVERRULES and scene.detection.confidence >= _NEARLY
    found = scene.detected(WIKIPEDIA) if is_clear else ()
    name = str(found[0].arguments.get(NEEDED[WIKIPEDIA], "")) if len(found) == 1 else ""
    is_named = any(word.folded == fold(name.rsplit(" ", 1)[-1]) for word in scene.words)
    return is_person(name) and is_named and _stands_alone(scene, WIKIPEDIA)


def _overrules(certain: FollowUp) -> float:
    if certain.tools == {MATHEMATICS}:
        return _OVERRULES_CALCULATION
    if certain.tools == {WEATHER}:
        return _OVERRULES_FORECAST
    return OVERRULES if certain.tools else _OVERRULES_NOTHING


def _completed(scene: Scene, found: FollowUp | None, *, is_certain: bool) -> FollowUp | None:
    """Say which article or calculation is meant, and what a picture only points at."""
    named = _with_reference(scene, found, is_certain=is_certain)
    return with_antecedent(scene, _with_calculation(scene, named, is_certain=is_certain))


def _with_calculation(scene: Scene, found: FollowUp | None, *, is_certain: bool) -> FollowUp | None:
    """Let the model say which calculation is meant, where one is asked for or lacks its numbers."""
    if found is None or found.tools != {MATHEMATICS} or len(found.calls) > 1 or found.is_settled:
        return found
    if is_certain and found.calls and scene.state.asked_for(MATHEMATICS):
        return found
    ruled = [str(one.arguments[NEEDED[MATHEMATICS]]) for one in found.calls]
    if ruled and _is_own_story(scene, ruled[0]):
        return found
    meant = likeliest_calculation(scene, ruled[0] if ruled else None, is_certain=is_certain)
    is_none = meant is None or (not ruled and _NUMBER.fullmatch(meant))
    return found if meant is None or is_none else call(MATHEMATICS, expression=meant)


def _is_own_story(scene: Scene, expression: str) -> bool:
    """Whether rules read all of a calculation from a prompt that is long enough to stand alone."""
    if scene.size <= _SHORT or len(read_amounts(scene.text)) < _OWN_NUMBERS:
        return False
    found = read_formula(scene.text)
    return found is not None and found.expression == expression


def _with_reference(scene: Scene, found: FollowUp | None, *, is_certain: bool) -> FollowUp | None:
    """Let the model say which article is meant, where one is asked for."""
    calls = found.calls if found is not None else scene.detection.calls
    is_settled = found is not None and found.is_settled
    if len(calls) > 1 or {one.name for one in calls} != {WIKIPEDIA}:
        return found
    if scene.size > _LONG:
        return found if is_settled else _pointed_at(scene) or found
    if (told := parallel_name(scene) or part_of_topic(scene)) is not None:
        return call(WIKIPEDIA, query=told)
    is_answer = is_certain and found is not None and scene.state.asked_for(WIKIPEDIA)
    is_edition = topics.in_edition(scene) is not None and not _means_other(scene)
    if own_topic(scene) is not None or is_answer or is_settled or is_edition:
        return found
    plain = (rule(scene) for rule in _PLAIN)
    if (meant := next((one for one in plain if one is not None), None)) is not None:
        return call(WIKIPEDIA, query=meant)
    return _weighed(scene, found, calls[0], is_certain=is_certain and found is not None)


def _weighed(
    scene: Scene, found: FollowUp | None, one: DetectedCall, *, is_certain: bool
) -> FollowUp | None:
    """Take the likeliest of all names that the conversation has, where it is another."""
    query = one.arguments.get(NEEDED[WIKIPEDIA])
    picked = Picked(name=str(query), is_certain=is_certain) if query else None
    name = _as_looked_up(scene, likeliest(scene, picked) or (str(query) if query else None))
    is_known = query in scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA])
    is_chosen = not is_known and str(query).endswith(")")  # "Merkury (bóg)": a kind told
    if name is None or name == query or is_chosen:
        return found
    arguments = {**one.arguments, NEEDED[WIKIPEDIA]: name}
    return FollowUp(calls=(DetectedCall(name=WIKIPEDIA, arguments=arguments),))


def _pointed_at(scene: Scene) -> FollowUp | None:
    """Whom a long prompt points at by what he is: "o tym architekcie mi powiedz, skąd …"."""
    if scene.size > _LONGEST or own_name(scene) is not None or own_topic(scene) is not None:
        return None
    rules = (rule(scene) for rule in (role_meant, answer_pointed_at, answer_agreeing))
    meant = next((one for one in rules if one is not None), None)
    return None if meant is None else call(WIKIPEDIA, query=meant)


def _means_other(scene: Scene) -> bool:
    """Whether a pronoun may mean another than the topic: not in "sprawdź go jeszcze …"."""
    is_again = _AGAIN.match(scene.folded) is not None and agrees_with_topic(scene)
    return has_pronoun(scene) and not is_again


def _as_looked_up(scene: Scene, name: str | None) -> str | None:
    """A name as an earlier call has it, where a reply has it in another form only."""
    words = name.split() if name else []
    for known in scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA]):
        parts = known.split()
        if len(parts) == len(words) > 1 and all(map(shares_word, parts, words)):
            return known
        if parts[0].isupper() and parts[1:] == words and _is_quoted(scene, name):
            return known  # "ORP Błyskawica" where a reply has „Błyskawica”
    return name


def _is_quoted(scene: Scene, name: str | None) -> bool:
    return any(
        one.kind == "work" and one.name == name
        for text in texts_of(scene)
        for one in find_mentions(text)
    )


def _likeliest(scene: Scene) -> tuple[str, float]:
    """The likeliest class among none and the tools on offer."""
    shares = intent().probabilities(scene, scene.detector.probabilities(scene.text))
    offered = {
        label: share
        for label, share in shares.items()
        if label == NONE or FUNCTIONS[label] in scene.offered
    }
    best = max(offered, key=lambda label: offered[label])
    return best, offered[best] / sum(offered.values())


def _asks_for_several(scene: Scene) -> bool:
    """Whether the prompt itself asks for several tools, or for one that has no class."""
    names = scene.detected_tools
    return len(names) > 1 or bool(names - LABELS.keys())


def _stands_alone(scene: Scene, tool: str) -> bool:
    """Whether the detector reads all of it from the prompt, which points at nothing said before."""
    found = scene.detected(tool)
    is_whole = bool(found) and all(NEEDED[tool] in one.arguments for one in found)
    if not is_whole or (tool == MATHEMATICS and read_formula(scene.text) is None):
        return False  # what only the model of stories reads may be a part of what was said
    can_point = (tool == WIKIPEDIA and scene.size <= _LONG) or (
        tool == IMAGE and not scene.is_active(MATHEMATICS)
    )
    is_pointing = can_point and _POINTS.search(scene.folded) is not None
    is_apart = (scene.size > _SHORT and tool != IMAGE) or not scene.state.calls(tool)
    if tool == WEATHER and fill_weather.leans_on_question(scene):
        return False
    if tool == IMAGE and fill_pictures.changed_proposal(scene) is not None:
        return False
    if tool == WIKIPEDIA and _leans(scene, str(found[0].arguments.get("query", ""))):
        return False
    return not is_pointing and is_apart


def _leans(scene: Scene, query: str) -> bool:
    """Whether what is found is an exclamation, or stands where the subject is left out."""
    is_told = scene.is_active(WIKIPEDIA) or scene.is_active(WEATHER)
    return is_exclaimed(scene, query) or (is_told and lacks_subject(scene.text))
