"""The topic that a prompt names itself, whatever its conversation was about before."""

import re
from collections.abc import Sequence

from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.articles.called import is_part, name_meant
from chatbot.router.dialogue.articles.fronted import fronted_topic
from chatbot.router.dialogue.articles.likewise import also_topic
from chatbot.router.dialogue.mentions import find_mentions, shares_word, texts_of
from chatbot.router.dialogue.naming import read_subject
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import NEEDED, WIKIPEDIA
from chatbot.router.dialogue.subjects import is_relation

_OPENED = r"(?:(?:no|a|i|to|ok|okej|dobra|aha|hmm|oraz)[, ]+)*"
_BE = r"(?:jest|są|sa|był[aoy]?|byl[aoyi]?|byli)"
_REALLY = r"(?: w ogóle| w ogole| właściwie| wlasciwie| dokładnie| dokladnie| takiego)?"
_DEFINES = regex(
    rf"{_OPENED}(?:(?:co|kto) to{_REALLY}(?: {_BE})?|(?:kim|czym){_REALLY} {_BE}){_REALLY} "
    r"(?P<this>(?:ten|ta|to|te)(?: cał[yae]| cal[yae])? )?",
    re.IGNORECASE,
)
_GOES_ON = regex(
    r"(?:(?:no|ok|okej|dobra|aha|hmm)[, ]+)*(?:a|i|oraz) (?:kto|kiedy|gdzie|skąd|skad|ile) ",
    re.IGNORECASE,
)
_DEED = regex(
    r"(?:(?:no|ok|okej|dobra|aha|hmm)[, ]+)*(?:a|i|oraz) kto (?:pierwsz[ya] )?"
    r"(?:odkry|wynalaz|wymyśli|wymysli|napisa|namalowa|zbudowa|skomponowa|założy|zalozy|nakręci|"
    r"nakreci|wyreżyserowa|wyrezyserowa|zaprojektowa|stworzy|wyrzeźbi|opracowa|"
    r"skonstruowa)(?:ł|l)a? ",
    re.IGNORECASE,
)
_BESIDE = frozenset({
    "ksiazke", "powiesc", "muzyke", "scenariusz", "scenografie", "portret", "tekst", "slowa",
    "melodie", "libretto", "plakat", "zdjecia", "kostiumy", "tego", "niego", "niej", "nim",
})  # fmt: skip
_TURNS_TO = regex(rf"{_OPENED}co ze? ", re.IGNORECASE)
_KIND_OF_ENTRY = (
    r"(?:hasł\w|haslo|temat|artykuł|artykul|biogram|notk[aę]|wikipedia|wiki|encyklopedia)"
)
_LABELLED = regex(
    rf"{_OPENED}{_KIND_OF_ENTRY}(?: o)?[: –-]+(?P<after>[^,.!?]+)[ .!?]*$|"
    rf"{_OPENED}(?P<before>[^,.!?:]+)[,:–-]+ *"
    r"(?:(?:poproszę|poprosze|proszę|prosze|daj|podaj|ten|to) )*"
    rf"{_KIND_OF_ENTRY}(?: proszę| prosze| z wikipedii)?[ .!?]*$",
    re.IGNORECASE,
)
"""A topic beside the word for an entry: "hasło: żubr", "Daisy von Pless, poproszę biogram"."""
_SPEAKING = (
    r"(?:opowiedz|powiedz|mów|mow|napisz|poczytał\w+|poczytal\w+|posłuchał\w+|posluchal\w+|"
    r"chciał\w+|chcial\w+|chcę|chce|wiedzieć|wiedziec|dowiedzieć|dowiedziec|się|sie|coś|cos|teraz|"
    r"lepiej|jeszcze|też|tez|mi|więcej|wiecej|trochę|troche|no|to|a|i|oraz|dobra|ok|okej)"
)
_ABOUT = regex(
    rf"(?:{_SPEAKING}\W+)*o (?P<about>[^,.!?:]+?)"
    r"(?: (?:też|tez|poproszę|poprosze|proszę|prosze|chętnie|chetnie|słówko|slowko|coś|cos|więcej|"
    r"wiecej|opowiedz|trochę|troche|jeszcze|masz|w takim razie|(?:mi )?chodzi(?:ło|lo)?))*[ .!?]*$",
    re.IGNORECASE,
)
"""A wish to hear of a thing: "opowiedz lepiej o żółwiach morskich", "i o wojnie krymskiej"."""
_ASPECT = regex(
    r"(?:smierc|zyc|tworczosc|rodzin|histori|budow|pochodzen|dziecinstw|mlodosc|smak|wyglad|znaczen|"
    r"poczatk|kon[ic]|kari|przyczyn|skutk|przebieg|wynik|wad|zalet|ros|cen|pog)"
)
_ENDS = frozenset({"", ",", "?", "!", "."})
_POINTING = frozenset({
    "tym", "tej", "tych", "tamtym", "tamtej", "tamtych", "nim", "niej", "nich", "jego", "jej",
    "ich", "samym", "samej", "sobie", "obu", "obydwu", "innym", "innej", "innych", "drugim",
    "pierwszym",
    "takim", "takiej", "takich", "swoim", "moim", "moja", "czyms", "kims", "ile", "co", "czym",
})  # fmt: skip
_EDGES = " ?!.,…"
_LONGEST = 5  # words of a topic
_STEM = 4  # letters that forms of a word share


def own_topic(scene: Scene) -> str | None:
    """Return what a prompt asks the meaning of, or puts in the place of the topic before.

    "A co to jest paracetamol", "kim był ten Herschel", "a kto Lśnienie": a noun phrase that is all
    of the question is its topic. ``None`` where it has none, or where the phrase only points: a
    pronoun, "ten kompozytor", a relation that lacks its other end ("kim jest autor").
    """
    if (labelled := _LABELLED.match(scene.text)) is not None:
        return read_subject((labelled["after"] or labelled["before"]).strip())
    if (defined := _DEFINES.match(scene.text)) is not None:
        rest = scene.text[defined.end() :].strip(_EDGES)
        is_open = not defined["this"] or _is_new_word(scene, rest)
        return _name(scene, rest) or (_notion(scene, rest) if is_open else None)
    if not scene.is_active(WIKIPEDIA):
        return fronted_topic(scene)
    if (goes_on := _GOES_ON.match(scene.text)) is not None:
        return _name(scene, scene.text[goes_on.end() :].strip(_EDGES)) or _made(scene)
    if (turns := _TURNS_TO.match(scene.text)) is not None:
        return _turned_to(scene, turns.end())
    about = _ABOUT.match(scene.text)
    told = _told(scene, about["about"]) if about else None
    return told or also_topic(scene) or fronted_topic(scene)


def _made(scene: Scene) -> str | None:
    """A thing of its own of which a prompt asks who made it: "a kto odkrył insulinę?"."""
    deed = _DEED.match(scene.text)
    words = split_words(scene.text[deed.end() :].strip(_EDGES)) if deed else ()
    if not 1 <= len(words) <= _LONGEST or _is_pronoun(words) or words[0].folded in _POINTING:
        return None
    said = fold_evenly(" ".join(texts_of(scene)))
    is_said = any(word.folded[:_STEM] in said for word in words if len(word.text) >= _STEM)
    is_beside = any(word.folded in _POINTING or word.folded in _BESIDE for word in words)
    return None if is_said or is_beside or is_part(words[0]) else _detected(scene)


def _told(scene: Scene, phrase: str) -> str | None:
    """A thing of at least two words that a prompt wants to hear of, and that nobody named before.

    "O jego żonie", "o tym drugim" and "o dzieciństwie poety" point to what was said.
    """
    words = split_words(phrase)
    if not 1 < len(words) <= _LONGEST or words[0].folded in _POINTING:
        return None
    if _ASPECT.match(words[0].folded) or _is_role(words[0].text) or _is_pronoun(words):
        return None
    topics = scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA])
    said = fold_evenly(" ".join(texts_of(scene)))
    is_known = any(shares_word(topic, word.text) for topic in topics for word in words)
    is_said = all(word.folded[:_STEM] in said for word in words)
    return None if is_known or is_said else lemmatise(phrase, kind="topic", preposition="o")


def _is_role(word: str) -> bool:
    """Whether a noun only says what somebody is: "autorze", but not "kotach"."""
    nouns = [one for one in readings_of(word) if one.pos == "subst"]
    return is_relation(word) and all("m1" in one.genders for one in nouns)


def _is_pronoun(words: Sequence[Span]) -> bool:
    """Whether a word of them stands for something said: "nim", "jego", "tej"."""
    return any(
        readings and all(one.pos in {"ppron3", "ppron12", "siebie"} for one in readings)
        for word in words
        if (readings := readings_of(word.text))
    )


def _turned_to(scene: Scene, start: int) -> str | None:
    """The name that stands alone at this place: "a co z Bajkałem, jak głęboki jest?"."""
    found = next((one for one in find_mentions(scene.text) if one.start == start), None)
    if found is None or scene.text[found.end :].lstrip()[:1] not in _ENDS:
        return None
    known = name_meant(scene)
    return known if known and shares_word(known, found.name) else found.name


def _name(scene: Scene, rest: str) -> str | None:
    """A name that is all of the question and stands in the nominative, whole where it was said."""
    if not rest[:1].isupper() or not 1 <= len(split_words(rest)) <= _LONGEST:
        return None
    spans = (scene.text[one.start : one.end] for one in find_mentions(scene.text))
    if rest not in spans:
        return None
    return _said_whole(scene, rest) or _detected(scene)


def _said_whole(scene: Scene, name: str) -> str | None:
    """The full name that the conversation has for a name, ending as the prompt says it."""
    known = name_meant(scene)
    if known is None or known.endswith(name):
        return known
    base = lemmatise(known, kind="person", preposition="o")
    return base if base.endswith(name) else known


def _is_new_word(scene: Scene, rest: str) -> bool:
    """Whether "ten halny" takes up a word that was said, and not the topic by its kind."""
    topics = scene.state.values(WIKIPEDIA, NEEDED[WIKIPEDIA])
    said = {word.folded for text in texts_of(scene) for word in split_words(text)}
    words = split_words(rest)
    is_said = bool(words) and words[0].folded in said
    return is_said and not any(shares_word(topic, words[0].text) for topic in topics)


def _notion(scene: Scene, rest: str) -> str | None:
    """A phrase that has a noun of its own as its subject."""
    words = split_words(rest)
    is_sized = 1 <= len(words) <= _LONGEST
    return _detected(scene) if is_sized and _is_subject(words) else None


def _is_subject(words: Sequence[Span]) -> bool:
    """Whether words begin with a noun in the nominative, after its adjectives, no relation."""
    for word in words:
        readings = readings_of(word.text)
        if not readings:
            return word.text.isalpha()
        if any(one.pos in {"subst", "ger"} and "nom" in one.cases for one in readings):
            return not is_relation(word.text)
        if not any(one.pos in {"adj", "ppas"} and "nom" in one.cases for one in readings):
            return False
    return False


def _detected(scene: Scene) -> str | None:
    found = [one.arguments.get(NEEDED[WIKIPEDIA]) for one in scene.detected(WIKIPEDIA)]
    return str(found[0]) if len(found) == 1 and found[0] else None
