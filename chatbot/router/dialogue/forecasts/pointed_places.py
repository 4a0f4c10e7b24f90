"""The places that a reference in a prompt means: "tam", "w obu", "w mieście, w którym zmarł"."""

from chatbot.language.countries import find_country
from chatbot.language.patterns import regex
from chatbot.router.detector.placewords import FROM, TO
from chatbot.router.detector.sights import find_sights
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.forecasts.places import CAPITAL, THERE, latest, mentioned, spoken
from chatbot.router.dialogue.state import WEATHER, WIKIPEDIA, DialogueState

_BOTH = regex(r"\b(?:obu|obydwu|oba|obydwa|obie|obydwie|obydwoch|obojga|both)\b")
_ORDER = (  # of the places asked about, the latest first
    (regex(r"\b(?:pierwsz\w+|poczatkow\w+)\b"), -1),
    (regex(r"\bdrugi\w*\b"), -2),
    (regex(r"\b(?:poprzedni\w+|wczesniejsz\w+|tamt\w+ (?:miast\w+|miescie))\b"), 1),
)
_EVENT = regex(
    r"\b(?:miescie|miasta|miejscowosci|miejscu|wsi|kraju|tam),? (?:w ktor\w+|gdzie) (?:\w+ ){0,2}?"
    r"((?:urodz|zmar|umar|zgin|mieszk|studi|pracow|pochow|powsta|wybud|stoi|lezy)\w*)|"
    r"\b(?:miejsc\w+|miescie|miasta|miasto) (?:jego|jej|ich) (urodz|smierc|zgon|zamieszk|studi)"
)
_OF_WAY = r"(?: (?:trasy|drogi|podrozy|wycieczki|wyjazdu|wyprawy|urlopu))?"
_ENDS = (
    (
        regex(
            rf"\b(?:na miejscu|u celu|na mecie|na kon(?:iec|cu){_OF_WAY}|po przylocie|"
            r"(?:tam,? )?dokad (?:\w+ )?(?:jad|jedzi|lec|wybier|ruszam)\w+)\b"
        ),
        TO,
    ),
    (
        regex(
            rf"\b(?:na starcie|(?:przed|w dniu) wy(?:jazdem|lotem|jazdu|lotu)|na poczatku{_OF_WAY}|"
            r"skad (?:rusz|wyjezdz|wylat|jad|jedzi)\w+)\b"
        ),
        FROM,
    ),
)
_START, _FINISH = regex(r"\bstart\w*\b"), regex(r"\b(?:met[aye]|mecie|finisz\w*)\b")
_CLAUSES = regex(r"[,;.!?–]|\b(?:a|ale)\b")
_CLAUSE_END = regex(r"[,;.] ")
_TOLD_AS = {"smie": "zmar", "zgon": "zmar", "zami": "mieszk"}


def meant(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Return the places that a reference in the prompt means; none where it has none."""
    if _BOTH.search(folded):
        return _both(state)
    if event := _of_event(folded, state):
        return event
    if end := _end_of_way(folded, state):
        return end
    if CAPITAL.search(folded):
        return _capital(state)
    asked = state.values(WEATHER, "city")
    order = next((at for pattern, at in _ORDER if pattern.search(folded)), None)
    if len(asked) > 1 and order is not None:
        return (asked[order],)
    return latest(state) if THERE.search(folded) else ()


def _of_event(folded: str, state: DialogueState) -> tuple[str, ...]:
    """The place of what was told: "w mieście, w którym się urodził"."""
    event = _EVENT.search(folded)
    turns = [turn for turn in reversed(state.turns) if turn.uses(WIKIPEDIA)]
    if event is None or not turns:
        return ()
    reply = turns[0].reply
    stem = (event[1] or event[2])[:4]
    told = fold_evenly(reply).find(_TOLD_AS.get(stem, stem))
    after = reply[told:] if told >= 0 else ""
    clause = _CLAUSE_END.split(after, maxsplit=1)[0]
    return (spoken(clause) or mentioned(after) or mentioned(reply))[:1]


def _end_of_way(folded: str, state: DialogueState) -> tuple[str, ...]:
    """Where a way that the user told of ends, or begins: "na miejscu", "na starcie"."""
    ends = next((ends for pattern, ends in _ENDS if pattern.search(folded)), None)
    if ends is None:
        return ()
    for turn in reversed(state.turns):
        sights = find_sights(turn.prompt, split_words(turn.prompt))
        ways = [one for one in sights if one.preposition in {*FROM, *TO}]
        if len(ways) > 1:
            found = [one.name for one in ways if one.preposition in ends]
            names = found or [one.name for one in ways]
            return tuple(names[-1:] if ends is TO else names[:1])
        if named := _named_end(turn.prompt, ends is TO):
            return named
    return ()


def _named_end(text: str, is_last: bool) -> tuple[str, ...]:
    """The place of the clause that calls it so: "start w Gdyni, meta w Sopocie"."""
    word = _FINISH if is_last else _START
    clauses = (one for one in _CLAUSES.split(text) if word.search(fold_evenly(one)))
    return next((found for one in clauses if (found := spoken(one)[:1])), ())


def _both(state: DialogueState) -> tuple[str, ...]:
    asked, last = state.values(WEATHER, "city"), state.last
    if last is not None and last.uses(WEATHER):
        return asked[1::-1]
    told = mentioned(last.reply) if last is not None else ()
    return told[:2] if len(told) > 1 else asked[1::-1]


def _capital(state: DialogueState) -> tuple[str, ...]:
    for topic in state.values(WIKIPEDIA, "query"):
        country = find_country(topic)
        if country is not None and country.capital:
            return (country.capital,)
    return ()
