"""Questions about the topic of the conversation, or about whom a pronoun means."""

import re

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import joined, split_words
from chatbot.router.dialogue.articles.battlefields import other_battle
from chatbot.router.dialogue.articles.called import name_meant, opening_name
from chatbot.router.dialogue.articles.fronted import fronted_pair
from chatbot.router.dialogue.articles.likewise import placed_pair
from chatbot.router.dialogue.articles.local_things import local_thing
from chatbot.router.dialogue.articles.own_topics import own_topic
from chatbot.router.dialogue.articles.referents import referent
from chatbot.router.dialogue.articles.renaming import TITLE, corrected
from chatbot.router.dialogue.drawings.counting import uncounted
from chatbot.router.dialogue.forecasts.places import THERE, is_place, latest
from chatbot.router.dialogue.naming import (
    gender_of,
    is_person,
    is_surname,
    people,
    read_subject,
    runs,
    surname_in,
)
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene, call
from chatbot.router.dialogue.state import IMAGE, WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import (
    fits_gender,
    genders_of_verbs,
    is_how_to,
    noun_besides,
    own_subject,
    read_edition,
    tells_its_own,
)

_HE = regex(r"\b(?:on|go|jego|niego|nim|mu|jemu|him|he|his)\b")
_SHE = regex(r"\b(?:ona|jej|niej|nia|she|her)\b")
_HUMAN = regex(
    r"\b(?:urodzil\w*|zmarl\w*|umarl\w*|zginal|zginela|pochowa\w+|zon[aey]\w*|maz|meza|corka|corki|"
    r"syn\w*|dzieci|matka|ojciec|brat|siostra|nazywal\w*|studiowal\w*|mieszkal\w*|pochodzil\w*|"
    r"t(?:en|a|ego|ej) (?:\w+(?:ista|istka|arz|arka|yk|yczka|er|erka|ent|entka|tekt|tektka|log|"
    r"pisarz|poeta|krol|general|tor|torka|odkrywca|wynalazca|tworca|autor|autorka))|"
    r"autor\w*|zyl|zyla|emigr\w+|koronowa\w+|ozenil\w*|debiutowal\w*|nobla|grob\w*|cmentarz\w*)\b"
)
_ASKS = regex(
    r"(?:\w+[,.!]* ){0,4}?(?:kto|kogo|kim|kiedy|gdzie|ile|ilu|jak\w*|co|czym|czego|czy|skad|"
    r"dokad|ktor\w+|"
    r"podaj|podac|wskaz\w*|powiedz|opowiedz|hasl\w+|wersj\w+|na czym|prawda|poszukaj|"
    r"wiecej|znajdz|wyszukaj|sprawdz|dlaczego|from|who|when|where|"
    r"how|what)\b"
)
_PRACTICAL = regex(
    r"\b(?:dojech\w+|dojazd\w*|pociag\w*|autobus\w*|samochod\w*|bilet\w*|kosztuj\w*|cen[ayie]|"
    r"otwart\w+|godzin\w* otwarcia|nocleg\w*|hotel\w*|polec\w*|poradz\w*|warto|lepiej|zjesc|"
    r"ile mam|bylem|bylam|bys|gdyby|masz|pisze sie|sie pisze|odmien\w*|wymawia\w*|obiad\w*|"
    r"mowil[aei]?|ty|lubisz|czytal(?:es|as)|widzial(?:es|as)|wolisz|chcesz|stad|lot|"
    r"kupi\w*|zdani\w+|akapit\w*|wers\b|liter\w+|slajd\w*|twoim zdaniem|sadzisz|"
    r"myslisz|fahrenheit\w*)\b"
)
_NAMED = regex(r"^(?:[Aa] |[Ii] )?[Tt](?:o|en|a|ego|ej) $")
_ASKING = frozenset({"ile", "ilu", "kto", "kiedy", "gdzie", "jak", "czy", "co", "jest", "ma"})
_HISTORY = regex(
    r"\b(?:powstal\w*|zalozy\w+|zalozon\w+|histori\w+|mieszkanc\w+|ludzi mieszka|mieszka ludzi|"
    r"ludnosc\w*|zbudowa\w+|powierzchni\w*|herb\w*|burmistrz\w*|prezydent\w*|slynie|nazwa)\b"
)
_OWN = regex(
    r"\b(?:moj\w*|mnie|mi|mam|mamy|jestem|jestesmy|moge|mozemy|musze|chce|chcialb\w+|ty|ci|cie|"
    r"tobie|toba|jestes|umiesz|potrafisz|dzialasz|lubie|nie wiem|nasz\w*|nam|nas)\b(?! na mysli)"
)
_LINKS = regex(
    r"^(?:(?:no|ok|okej|dobra|super|aha|hmm|yyy|eee|ach|oo?)[,.! ]+)*(?:a|i|oraz|albo)\b|"
    r"\b(?:on|ona|ono|oni|one|jego|jej|ich|go|niego|niej|nim|nia|nich|mu|im|tam|tamtejsz\w+|wtedy|"
    r"(?<!ile )(?<!co )(?<!kto )to(?! (?:jest|bedzie|byl|mozliwe))|tego|tej|"
    r"ten(?! (?:co|weekend|tydzien|rok|miesiac)\b)|ta|te|tym|tych|taki\w*|"
    r"tak\w+|tamt\w+|jeszcze|wiecej|he|she|it|his|her)\b"
)
_OF_EDITION = regex(
    r"^(?:\w+[,.!]* ){0,4}(?:to|te|go|ja|tez|samo|moze|masz|daj|pokaz|sprawdz|zajrzyj|zobacz|"
    r"poprosze|jeszcze|nie|i|a)\b(?:,? \w+){0,6} "
    r"(?:wersj|edycj|wiki|[a-z]{2,}(?:sk|ck)(?:a|iej|im)\b)"
)
_LED = regex(r"(?:\w+[,.! ]+)?(?:a|i|oraz)\b")
_WHY = regex(r"\b(?:dlaczego|czemu)\b")
_WHO_MADE = regex(r"\b(?:kto|kiedy|gdzie) (?:\w+ )?(?:na)?(?:malowal|rysowal|rzezbil)\w*")
_IT = regex(r"\b(?:kto|kiedy|gdzie|o czym) (?:\w+ )?(?:to|go|ja|je|jest)\b")
_SUBJECT = regex(
    r"^(?:[AI] )?([A-ZĄĆĘŁŃÓŚŹŻ]\w+(?: [A-ZĄĆĘŁŃÓŚŹŻ]\w+)?) (?:ma|jest|leży|to|był\w*)\b"
)
_AND_WHO = regex(
    r"^(?:(?:[Oo]k|[Nn]o|[Dd]obra|[Ss]uper|[Aa]ha|[Hh]mm)[,. ]+)?(?:[AaIi]|[Oo]raz|"
    r"[Aa]lbo)(?: (?:co z|jak|ten|ta|to|kim był\w?))? "
    r"(?=[A-ZĄĆĘŁŃÓŚŹŻ]|\w+ (?:pod|w|nad|o) [A-ZĄĆĘŁŃÓŚŹŻ])"
)
_ELSEWHERE = regex(r"^(?:[AaIi] )(?:w|we|na) [A-ZĄĆĘŁŃÓŚŹŻ]")
_TAIL = regex(r" (pod|w|we|nad|o|na) [A-ZĄĆĘŁŃÓŚŹŻ].*$")
_OF_THEM = regex(r"\b(?:takich|takie|taki|taka|ich|one|oni|ten gatunek|te zwierzeta)\b")
_AFTER_HEAD = regex(r"\s+(?:w|we|na|z|ze|nad|pod|przy|o|po|do|dla|który|która|które)\s|,|:")
_SHORT, _LONG, _LIKE, _STEM = 6, 20, 4, 5


def follow(scene: Scene) -> Finding:
    """Ask the encyclopaedia about what the conversation is about."""
    if WIKIPEDIA not in scene.offered:
        return None
    for rule in (
        _of_two,
        _of_itself,
        corrected,
        _local,
        _of_title,
        _of_place,
        _of_picture,
        in_edition,
        _of_topic,
    ):
        if (found := rule(scene)) is not None:
            return found
    return None


def _of_two(scene: Scene) -> Finding:
    """Tell of both names that are asked about together."""
    if (pair := fronted_pair(scene) or placed_pair(scene)) is None:
        return None
    calls = tuple(DetectedCall(name=WIKIPEDIA, arguments={"query": one}) for one in pair)
    return FollowUp(calls=calls)


def in_edition(scene: Scene) -> Finding:
    """Return the last topic in the edition that a prompt asks for, where it names no other."""
    topics = scene.state.values(WIKIPEDIA, "query")
    language = read_edition(scene.text)
    if language is None or not topics or scene.size > _LONG or _names_within(scene.text):
        return None
    is_pointed = scene.is_active(WIKIPEDIA) and _OF_EDITION.search(scene.folded)
    return call(WIKIPEDIA, query=topics[0], language=language) if is_pointed else None


def _names_within(text: str) -> bool:
    """Whether a name stands within a sentence, and not only that of the encyclopaedia."""
    return any(
        text[: run[0].start].rstrip()[-1:] not in {"", *".?!"}
        and not run[0].folded.startswith("wiki")
        for run in runs(text)
    )


def _of_itself(scene: Scene) -> Finding:
    """Tell of what the prompt itself names, whatever the topic was; without a link it is alone."""
    own = own_topic(scene)
    is_read = any(own == one.arguments.get("query") for one in scene.detected(WIKIPEDIA))
    return "alone" if own and is_read and not _LED.match(scene.folded) else _only(own)


def _of_topic(scene: Scene) -> Finding:
    topics = scene.state.values(WIKIPEDIA, "query")
    if not scene.is_active(WIKIPEDIA) or not topics:
        return None
    if _PRACTICAL.search(scene.folded) or scene.size > _LONG:
        return None
    if scene.detects_other(WIKIPEDIA) and not _is_misread(scene):
        return "alone"
    return _asked(scene, topics[0]) if _asks(scene) else None


def _asks(scene: Scene) -> bool:
    if not _is_linked(scene):
        return False
    is_why = _WHY.search(scene.folded) is not None and not scene.detected(WIKIPEDIA)
    return not is_why and (scene.is_question or _ASKS.match(scene.folded) is not None)


def _is_linked(scene: Scene) -> bool:
    """Whether the prompt lacks something that only the conversation gives.

    A pronoun, "a …?", or a few words do; a speaker's own affairs, or a name of its own, do not.
    """
    folded = scene.folded
    if (
        _OWN.search(folded)
        or _names_its_own(scene)
        or (scene.detected(WIKIPEDIA) and tells_its_own(scene.text))
    ):
        return False
    topic = scene.state.values(WIKIPEDIA, "query")[0]
    own = noun_besides(scene.text, topic)
    link = _LINKS.search(folded)
    if link is not None and (own is None or link.start() <= own.start):
        return True
    if own is not None or is_how_to(scene.text) or not fits_gender(scene.text, topic):
        return False
    if not _SHORT - 1 < scene.size <= _SHORT + 4:
        return scene.size < _SHORT
    found = scene.detected(WIKIPEDIA)
    is_of_others = bool(genders_of_verbs(scene.text))  # "zostawił po sobie jakieś książki?"
    is_nameless = bool(found) and (
        not any(run[0].start > 0 for run in runs(scene.text)) or "query" not in found[0].arguments
    )
    return is_of_others or is_nameless


def _names_its_own(scene: Scene) -> bool:
    """Whether the detector finds a name that nobody spoke of, and no pronoun stands beside it."""
    if _HE.search(scene.folded) or _SHE.search(scene.folded) or _AND_WHO.match(scene.text):
        return False
    last = scene.state.last
    said = fold(f"{last.prompt} {last.reply}") if last is not None else ""
    queries = [str(one.arguments.get("query", "")) for one in scene.detected(WIKIPEDIA)]
    is_new = any(
        word.is_capitalised and word.folded[:_LIKE] not in said
        for query in queries
        for word in split_words(query)
        if word.text in scene.text or len(query.split()) <= _LIKE
    )
    is_inside = any(run[0].start > 0 for run in runs(scene.text))
    return is_new and (is_inside or any(_is_typed_small(scene, query) for query in queries))


def _is_typed_small(scene: Scene, query: str) -> bool:
    """Whether the surname of a known person stands in small letters: "gdzie umarł mickiewicz"."""
    last = query.rsplit(" ", 1)[-1].lower()
    return is_person(query) and any(word.text == last for word in scene.words)


def _asked(scene: Scene, topic: str) -> Finding:
    """What is asked about: who or what the prompt itself names, else the topic or a person."""
    if (person := name_meant(scene)) is not None:
        return call(WIKIPEDIA, query=person)
    if _names_another(scene):
        if scene.detected(WIKIPEDIA) or TITLE.search(scene.text):
            return "alone"
        return _only(surname_in(scene.text) or read_subject(_before_verb(scene.text)))
    language = read_edition(scene.text)
    query = (
        _own_name(scene, topic) or opening_name(scene) or referent(scene) or _meant(scene, topic)
    )
    return call(WIKIPEDIA, query=query, **({"language": language} if language else {}))


def _of_title(scene: Scene) -> Finding:
    """Tell of the work whose title stands before the question ("… Kto to namalował?")."""
    title = TITLE.search(scene.text)
    if title is None or not scene.detected(WIKIPEDIA):
        return None
    is_meant = _IT.search(scene.folded, title.end()) is not None
    return _only(read_subject(scene.text[title.start() : title.end()])) if is_meant else None


def _is_misread(scene: Scene) -> bool:
    """Whether another tool was detected only because the prompt lacks its topic."""
    if weather := scene.detected(WEATHER):
        is_told = any("city" in one.arguments or "day" in one.arguments for one in weather)
        return not is_told and not any("weather" in groups_of(one.folded) for one in scene.words)
    return _WHO_MADE.search(scene.folded) is not None


def _only(query: str | None) -> Finding:
    return call(WIKIPEDIA, query=query) if query else None


def _names_another(scene: Scene) -> bool:
    """Whether the prompt has a title, a surname, or a place as its subject."""
    if TITLE.search(scene.text):
        return True
    opening = _SUBJECT.match(scene.text)
    if opening is not None and is_place(opening[1]):
        return True
    return any(
        run[0].start > 0 and is_surname(run[-1].text) and not _AND_WHO.match(scene.text)
        for run in runs(scene.text)
        if len(run) == 1
    )


def _local(scene: Scene) -> Finding:
    return local_thing(scene, opens=_ASKS.match(scene.folded) is not None)


def _of_place(scene: Scene) -> Finding:
    """Tell of the place whose weather was asked for ("a kiedy powstało to miasto?")."""
    if not scene.is_active(WEATHER) or _PRACTICAL.search(scene.folded):
        return None
    place = latest(scene.state) if _HISTORY.search(scene.folded) else ()
    if not place:
        return None
    is_meant = THERE.search(scene.folded) or place[0] in find_places(scene.text)
    return call(WIKIPEDIA, query=place[0]) if is_meant else None


def _of_picture(scene: Scene) -> Finding:
    """Find what the last picture shows ("ile takich żyje w Polsce?")."""
    pictures = scene.state.pictures
    if not pictures or not scene.is_active(IMAGE) or not scene.detected(WIKIPEDIA):
        return None
    if any(run[0].start > 0 for run in runs(scene.text)):
        return None
    them, own = _OF_THEM.search(scene.folded), own_subject(scene.text)
    if them is None or (own is not None and own.start < them.start()):
        return None
    return call(WIKIPEDIA, query=uncounted(_AFTER_HEAD.split(pictures[0])[0].strip()))


def _own_name(scene: Scene, topic: str) -> str | None:
    """The name that the prompt itself asks about."""
    if (tail := _other_tail(scene, topic)) is not None:
        return tail
    opened = _AND_WHO.match(scene.text)
    if opened is not None and scene.size <= _SHORT:
        rest = scene.text[opened.end() :].partition(", ")[0].strip(" ?!.")
        rest = _before_verb(rest)
        if (battle := other_battle(topic, rest)) is not None:
            return battle
        if not any(word.folded in _ASKING for word in split_words(rest)) and not _is_verb(rest):
            preposition = "z" if "co z" in opened[0] else None
            return lemmatise(rest, preposition=preposition)
    for run in runs(scene.text):
        phrase = joined(scene.text, run)
        if len(run) > 1 and is_person(phrase):
            return lemmatise(phrase, kind="person")
        if _NAMED.search(scene.text[: run[0].start]):
            return lemmatise(phrase)
    return None


def _before_verb(text: str) -> str:
    """A name without what is asked of it: "Polska" of "Polska grała"."""
    verbs = (word for word in split_words(text)[1:] if _is_verb(word.text))
    verb = next(verbs, None)
    return text if verb is None else text[: verb.start].strip(" ,")


def _is_verb(text: str) -> bool:
    first = split_words(text)[0]
    readings = morphology().readings(first.text)
    return first.text.islower() and any(reading.pos in {"fin", "praet"} for reading in readings)


def _other_tail(scene: Scene, topic: str) -> str | None:
    """The same kind of thing elsewhere: "a pod Wiedniem?" after the "bitwa pod Grunwaldem"."""
    told = _TAIL.search(topic)
    if scene.size > _SHORT:
        return None
    if is_place(topic) and _ELSEWHERE.match(scene.text):
        return next(iter(find_places(scene.text)), None)
    if told is None:
        return None
    found = re.match(rf"^(?:a|i) ({told[1]} [A-ZĄĆĘŁŃÓŚŹŻ][\w -]+)", scene.text)
    return None if found is None else f"{topic[: told.start()]} {found[1].strip()}"


def _meant(scene: Scene, topic: str) -> str:
    """The topic, or a person of the last reply whom a pronoun means better."""
    last = scene.state.last
    he, she = _HE.search(scene.folded), _SHE.search(scene.folded)
    wanted = ("f" if she and not he else "m") if he or she else None
    if last is None or (is_person(topic) and wanted in {None, gender_of(topic)}):
        return topic
    if wanted is None and not _HUMAN.search(scene.folded):
        return topic
    named = (
        person
        for person in people(last.reply, known=last.prompt)
        if person not in topic and wanted in {None, gender_of(person)}
    )
    return next(named, topic)
