"""What a request said of a picture before we asked what it shall show: "plakat w stylu retro"."""

import re

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.asking import Remainder, without_asking
from chatbot.router.detector.picture.naming import name
from chatbot.router.detector.spans import Span, fold_evenly, split_words

_PLAIN = (
    r"(?:obraz(?:ek|ka|u|y|ki|em)?|rysun\w+|malun\w+|grafi[kc]\w*|ilustracj\w+|zdjeci\w+|fot\w+|"
    r"cos|czegos|cokolwiek|zwierz\w+|postac\w*|osob\w+|rzecz\w*|scen[aeęy])"
)
_ANY = (
    r"(?:ladn|fajn|piekn|sliczn|super|swietn|ciekaw|wesol|smieszn|urocz|straszn|now|jak|inn|mil|"
    r"spokojn)(?:y|a|e|ie|ego|iego|ej|iej|ą|i|is|as|ies|iegos|ąs)?"
)
_PURPOSE = regex(
    r",? (?:dla|do|na) (?:moj\w+ |nasz\w+ |swoj\w+ )?(?:mamy|taty|babci|dziadka|cork[iy]|syn\w*|"
    r"wnuk\w*|wnuczk\w*|dziec\w+|zony|meza|kolez\w+|koleg\w+|przyjaci\w+|mnie|nas|pokoju|salonu|"
    r"sypialni|kuchni|biura|scian\w+|blog\w*|fanpage\w*|profil\w*|stron\w+|urodzin\w*|imienin\w*|"
    r"prezent\w*|prezentacj\w+|jutro|dzis\w*|instagram\w*|facebook\w*)\b.*$"
)
_SAYS_NOTHING = regex(rf"(?:(?:{_PLAIN}|{_ANY}|jedn\w+|prosze|poprosze|mi)\W*)*")
_OCCASION = regex(rf"(?:{_PLAIN}|{_ANY})(?: {_ANY})? (?=(?:na|o|w|z)\b)")
_COMPLETING = frozenset({"adj", "ppas", "pact", "prep"})
_LONGEST = 10  # words
_STEM = 4  # letters


def commissioned(request: str, shown: str) -> str:
    """Return ``shown``, what the picture is to show, with what its request said of it before."""
    sentence = re.split(r"[.!?](?:\s|$)", request.strip(), maxsplit=1)[0]
    said = _base(without_asking(sentence))
    if not said:
        return shown
    if (occasion := _OCCASION.match(fold_evenly(said))) is not None:
        return f"{shown}, {said[occasion.end() :]}"
    return f"{said} {shown}" if _goes_on(shown) else f"{said}, {shown}"


def _base(request: Remainder) -> str:
    """The kind, style and occasion of a picture; nothing where any picture will do."""
    text = request.text
    purpose = _PURPOSE.search(fold_evenly(text))
    kept = text[: purpose.start()] if purpose else text
    kept = kept.strip(" ,.:;–-")
    if _SAYS_NOTHING.fullmatch(fold_evenly(kept)) or len(split_words(kept)) > _LONGEST:
        return ""
    based = name(kept, governor=request.governor or "przez")
    is_whole = based is not None and fold_evenly(based)[:_STEM] == fold_evenly(kept)[:_STEM]
    return based if based is not None and is_whole else kept


def _goes_on(shown: str) -> bool:
    """Whether what is shown only completes a noun: "zimowy, z rzeką"."""
    first, second = (*split_words(shown)[:2], None, None)[:2]
    return _is_all(first, _COMPLETING) and not _is_all(second, frozenset({"subst"}))


def _is_all(word: Span | None, pos: frozenset[str]) -> bool:
    readings = morphology().readings(word.text) if word is not None else ()
    return bool(readings) and all(one.pos in pos for one in readings)
