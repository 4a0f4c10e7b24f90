"""Tell what a user says of himself or of the occasion from what the picture shows."""

import re

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.requests import ASKED, QUOTED
from chatbot.router.detector.spans import Span, fold_evenly, split_words

_SAID_OF_US = frozenset({
    "mam", "mamy", "moge", "musze", "prosze", "poprosze", "wiem", "robie", "lubie", "mysle",
})  # fmt: skip
_PRESENT = regex(r"(?:ę|m|sz|my|cie)$")
_PAST = regex(r"(?:l[ea][ms]|l[iy](?:smy|scie)|by(?:m|s|smy|scie))$")
_PICTURED = regex(
    r"\b(?:na (?:obraz\w*|rysunk\w*|zdjeci\w*|ilustracj\w*|grafice|plakacie|okladce|kartce|"
    r"nim|niej|pierwszym planie|drugim planie)|w tle|tlo|niech|(?:ma|maja|musi|musza) "
    r"(?:to )?byc|ma (?:miec|wygladac|stac|siedziec|trzymac)|napis\w*|podpis\w*|haslo|bez|"
    r"tytul\w*|styl\w*)\b"
)
_OCCASION = regex(
    r"^(?:bo|poniewaz|gdyz)\b|"
    r"\b(?:z gory|pilne|dzieki|dziekuj\w+|pozdraw\w+|dzien dobry|gotowy|instrukc\w*|system|"
    r"zignoruj|pomin|ignore|hasla|nie musi|to wszystko|dzieci by|odbedzie|da sie|dasz rade|czy|"
    r"do dziela|organizuj\w+|zazyczyl\w*|upiera sie|sobie zyczy)\b"
)
_REASON = regex(r"[\s,–-]+(?:(?P<why>bo|poniewaz|gdyz|albowiem)|zeby|aby)\s+")
_MINE = regex(r"\b(?:mi|mnie|nam|nas|moj\w*|nasz\w*|dla mnie|chce|urodziny|prezent)\b")
_OCCASIONAL = regex(r"(?:to|jutro|dzis\w*|tak\w*|potrzeb\w*|na tym)\b")
_AIM = regex(
    r"[\s,–-]+(?:tak )?(?:ze|a)by(?:m|smy|s|scie) .*$|"
    r"[\s,–-]+(?:ze|a)by (?:\w+ ){1,3}mogl\w+ (?:go|ja|je|to|sobie)\b.*$|"
    r",? +(?:i|a|oraz|–|-) (?:potem |pozniej )?(?:wyslij|przeslij|podeslij|zapisz|wydrukuj|wrzuc|"
    r"wstaw|odeslij|daj znac)\b.*$|"
    r"[\s,–-]+(?:(?:moze |najlepiej )?(?:w|jako) )?(?:pliku? )?(?:png|jpe?g|webp|svg|pdf)$"
)
_IF_YOU_CAN = regex(
    r"(?:^|(?<=\s))[,(–-]*\s*(?:jesli|jezeli|jak|o ile|gdy)(?: tylko)? (?:mozesz|mozna|potrafisz|"
    r"umiesz|dasz rade|sie da|to mozliwe|to nie (?:problem|klopot)|masz chwile|moglbys|moglabys)"
    r"\s*[,)–-]?\s*"
)
_LEAD = regex(r"^(?P<said>[^:–„\"]{3,80})(?::| [–-]) (?=\S)")
_HESITATION = regex(
    r"^(?:a (?=moze ))?(?:(?:no|nie wiem|w sumie|sam\w? nie wiem|hm+|moze|chyba|powiedzmy|"
    r"niech to bedzie|niech bedzie)[\s,.…]+)+(?=\w)"
)


def is_aside(sentence: str) -> bool:
    """Whether a sentence that asks for nothing speaks of the user, not of the picture."""
    bare = QUOTED.sub(" ", sentence)
    folded = fold_evenly(bare)
    if _PICTURED.search(folded) or (bare != sentence and not folded.startswith("system")):
        return False
    return _OCCASION.search(folded) is not None or speaks_of_us(bare)


def speaks_of_us(text: str) -> bool:
    """Whether a verb stands in the first or second person: "obiecałam", "chcę", "wiesz"."""
    return any(map(_is_ours, split_words(text)))


def without_lead(sentence: str) -> str:
    """Take off what only leads to the description: "Mam dla ciebie fuchę: szyld do żuka"."""
    lead = _LEAD.match(fold_evenly(sentence))
    if lead is None:
        return sentence
    said = sentence[: lead.end("said")]
    is_ours = speaks_of_us(said.split(maxsplit=1)[0])
    is_kept = not is_ours or _PICTURED.search(lead["said"]) or ASKED.search(lead["said"])
    return sentence if is_kept else sentence[lead.end() :]


def begins_with_quality(text: str) -> bool:
    """Whether a description names no thing at first: "Rudy, biała łatka na lewym oku"."""
    words = split_words(text)
    readings = morphology().readings(words[0].text.lower()) if words else ()
    is_followed = len(words) > 1 and words[1].text == ","
    return is_followed and any(one.is_adjectival for one in readings)


def without_asides(text: str) -> str:
    """Take off reasons, what the picture is needed for, and politeness in between."""
    text = _cut(_IF_YOU_CAN, text)
    if found := _AIM.search(fold_evenly(text)):
        text = text[: found.start()]
    for found in _REASON.finditer(fold_evenly(text)):
        if _is_ours_for(text[found.end() :], is_reason=found["why"] is not None):
            text = text[: found.start()]
            break
    return _cut(_HESITATION, text).strip()


def _is_ours_for(clause: str, *, is_reason: bool) -> bool:
    """Whether the user, not what is drawn, has this reason or aim."""
    folded = fold_evenly(clause)
    if _MINE.search(folded):
        return True
    return is_reason and (speaks_of_us(clause) or _OCCASIONAL.match(folded) is not None)


def _cut(pattern: re.Pattern[str], text: str) -> str:
    while found := pattern.search(fold_evenly(text)):
        text = f"{text[: found.start()]}{text[found.end() :]}"
    return text


def _is_ours(word: Span) -> bool:
    if word.folded in _SAID_OF_US:
        return True
    readings = morphology().readings(word.text)
    if any(one.cases for one in readings):
        return False
    kinds = {one.pos for one in readings}
    is_present = "fin" in kinds and _PRESENT.search(word.text.lower()) is not None
    return is_present or ("praet" in kinds and _PAST.search(word.folded) is not None)
