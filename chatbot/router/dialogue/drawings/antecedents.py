"""What a picture is to show that its prompt only points at: "pokaż takiego na rynku"."""

from dataclasses import replace

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.topic import read_topic
from chatbot.router.dialogue.articles.asked_kinds import named_by_kind
from chatbot.router.dialogue.drawings.clauses import AFTER_THEN
from chatbot.router.dialogue.drawings.depicting import shown
from chatbot.router.dialogue.drawings.fresh import names_thing
from chatbot.router.dialogue.drawings.portrayed import portrayed
from chatbot.router.dialogue.drawings.reactions import without_reactions
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.scene import FollowUp, Scene, is_small
from chatbot.router.dialogue.state import (
    IMAGE,
    MATHEMATICS,
    NEEDED,
    WEATHER,
    WIKIPEDIA,
    DialogueState,
)
from chatbot.router.dialogue.turns import Turn

_POINTS = regex(
    r"\b(?:go|ja|je|ich|jego|jej|nim|nia|niej|niego|nich|nimi|ona|on|oni|one|"
    r"tak(?:i|a|ie|iego|iej|im|imi|ich|iemu)|"
    r"t(?:ego|ej|ych|e|en|a|ym|ymi)(?= \w{3,})|"
    rf"to(?= (?!{AFTER_THEN})\w{{3,}})|tamt\w+|to (?=na \w+)|tam)\b"
)
_MEDIUM_ONLY = regex(rf"{MEDIUM}(?:,|$)")
_FRAME = regex(r"^na (?:obraz(?:ku|ie)|rysunku|ilustracji|grafice|zdjeciu) ")
_SELF = regex(
    r"\bt(?:en|a|o|ego|ej|ym|e|ych) (?:sam\w*|obraz\w*|rysun\w*|grafi\w+|ilustrac\w+|plakat\w*|"
    r"raz\w*|sposob\w*|styl\w*|por\w+|moment\w*|chwil\w+)\b"
)
_WORDING = regex(r"\b(?:zdani\w+|napis\w*|haslo|hasla|haslem|tekst\w*|podpis\w*|cytat\w*|motto)\b")
_QUOTED = regex(r"„([^”]{3,160})”")
_SAID = regex(
    r"\bjak (?:mowisz|radzisz|piszesz|opisal\w*|proponujesz)\b|"
    r"\b(?:zwrotk|strof|opcj|propozycj|pomysl)\w*\b"
)
_OF_PICTURES = regex(
    r"\b(?:opisz|opis\w*|wymysl|pomysl\w*|zaproponuj|propozycj\w+|wyobraz|"
    r"jak (?:\w+ ){0,3}wyglad\w+|co (?:na|za)rysowac|"
    r"baj(?:k|ecz)\w+|basn\w*|histor\w+|wiersz\w*|rymowan\w+|opowiad\w+|opowiastk\w+|limeryk\w*|"
    r"fraszk\w+|haiku|kolysan\w+|bohater\w*|postac\w*|stwor\w*|maskotk\w+|logo|kostium\w*|stroj\w*|motyw\w*|scen\w+|podaj)\b"
)
_TOPIC = regex(r"\b[Kk](?:im|to) (?:jest|był)")
_PROPOSES = regex(
    r"(?:(?:jasne|oczywiscie|prosze|dobrze|pewnie|chetnie|ok)[!,.: ]+|"
    r"(?:a )?moze (?:to byc )?|(?:to )?byl[aoy]? to |to |proponuje |na przyklad,? |np\. |oto |"
    r"wyobraz sobie |niech (?:to )?bedzie |moj pomysl(?: to)?:? |co powiesz na )?"
)
_REFUSES = regex(r"\b(?:nie mam|nie moge|nie potrafie|niestety|nie wiem)\b")
_OFFERS = regex(r"\s*(?:Czy|Chcesz|Mam|Co|Jeśli|Daj znać|W czym)\b")
_SENTENCES = regex(r"(?<=[.!?…])\s+")
_LONGEST_REPLY = 300
_MOST = 500


def with_antecedent(scene: Scene, found: FollowUp | None) -> FollowUp | None:
    """Put what a prompt points at before the picture that was read from the prompt alone.

    Among calls of several tools the picture's own words have to point.
    """
    calls = found.calls if found is not None else scene.detection.calls
    pictures = [one for one in calls if one.name == IMAGE]
    if len(pictures) != 1 or (found is not None and found.is_settled):
        return found
    (picture,) = pictures
    description = str(picture.arguments.get(NEEDED[IMAGE], ""))
    pointing = scene.folded if len(calls) == 1 else fold_evenly(description)
    is_open = _points(pointing) or _lacks_thing(scene, description)
    if not description or not is_open or _names_topic(scene, description):
        return found
    if (frame := _FRAME.match(fold_evenly(description))) is not None:
        description = description[frame.end() :]
    subject = antecedent(scene)
    if subject is None or _shares(subject, description):
        return found
    whole = shown(subject, description)[:_MOST]
    changed = replace(picture, arguments={**picture.arguments, NEEDED[IMAGE]: whole})
    return FollowUp(calls=tuple(changed if one is picture else one for one in calls))


def antecedent(scene: Scene) -> str | None:
    """What the conversation was about last: a quotation, a picture, a topic, a place."""
    last = scene.state.last
    if last is None:
        return None
    if _WORDING.search(scene.folded) and (quoted := _QUOTED.search(last.reply)):
        return f"napis „{quoted[1]}”"
    if _SAID.search(scene.folded) and not last.calls:
        return " ".join(last.reply.split())[:_LONGEST_REPLY].rstrip(" .")
    if (shown := portrayed(scene)) is not None:
        return shown
    if (told := described(last)) is not None and not _TOPIC.search(last.prompt):
        return told
    subjects = (_subject_of(turn) for turn in reversed(scene.state.turns))
    return next((one for one in subjects if one is not None), None)


def described(turn: Turn) -> str | None:
    """What a reply without calls describes or proposes as a picture, as it was said."""
    if turn.calls or turn.asked is not None or _REFUSES.search(fold_evenly(turn.reply)):
        return None
    reply = " ".join(turn.reply.split())
    if _OF_PICTURES.search(fold_evenly(turn.prompt)) is None:
        return None
    while (lead := _PROPOSES.match(fold_evenly(reply))) is not None and lead[0]:
        reply = reply[lead.end() :]
    kept = [one for one in _SENTENCES.split(reply) if one.strip() and not _OFFERS.match(one)]
    told = ". ".join(one.strip(" .!?…") for one in kept)[:_LONGEST_REPLY]
    return told or None


def recently_described(state: DialogueState) -> str | None:
    """What the last reply describes; short thanks or praise may stand between."""
    for turn in reversed(state.turns):
        if turn.calls or (told := described(turn)) is not None:
            return None if turn.calls else told
        if not is_small(turn):
            break
    return None


def _subject_of(turn: Turn) -> str | None:
    """What one exchange was about: an argument of its call, else the topic of its question."""
    for made in reversed(turn.calls):
        for tool in (IMAGE, WIKIPEDIA, WEATHER):
            if made.name == tool and NEEDED[tool] in made.arguments:
                return str(made.arguments[NEEDED[tool]]).partition(" (")[0]
    if turn.asked is not None or turn.uses(MATHEMATICS):
        return None
    return topic_told(turn.prompt)


def topic_told(prompt: str) -> str | None:
    """The thing that a prompt without a call was about; praise is about nothing."""
    rest = without_reactions(prompt)
    topic = read_topic(rest) if rest else None
    return topic if topic is not None and names_thing(topic) else None


def _lacks_thing(scene: Scene, description: str) -> bool:
    """Whether what is to be drawn is only where or how something is: "pokaż jednego na gałęzi"."""
    is_thing = names_thing(description) and not _MEDIUM_ONLY.match(fold_evenly(description))
    return not is_thing and not scene.is_active(IMAGE)


def _names_topic(scene: Scene, description: str) -> bool:
    """Whether a description begins with what was looked up, as a rule has put it there."""
    topics = scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA])
    names = (name for one in topics for name in (one.partition(" (")[0], named_by_kind(scene, one)))
    return any(description.startswith(one) for one in names)


def _points(folded: str) -> bool:
    return _POINTS.search(_SELF.sub(" ", folded)) is not None


def _shares(subject: str, description: str) -> bool:
    """Whether a description names the subject, or some noun of it."""
    there = frozenset().union(*(nouns_of(word.text) for word in split_words(description)))
    names = [word.text for word in split_words(subject) if _is_noun(word.text)]
    return fold_evenly(subject) in fold_evenly(description) or any(
        nouns_of(name) & there for name in names
    )


def _is_noun(word: str) -> bool:
    readings = morphology().readings(word)
    return word[0].isalnum() and (not readings or any(one.pos == "subst" for one in readings))
