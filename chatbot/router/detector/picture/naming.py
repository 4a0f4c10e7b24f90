"""Bring a description to its base form, without losing a word of it."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.morphology import Case, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_opening
from chatbot.router.detector.spans import fold_evenly, split_words

_PLAIN = (
    r"(?:nowy |nowa |nowego |nowej )?(?:obraz(?:ek|ka|ku|ki|kow|u|y|ie)?|grafik[aiey]?|"
    r"ilustracj[aei]|rysun(?:ek|ku|ki|kow)|obrazow|fotk[aei])"
)
_MEDIA = (("grafik", "grafika"),)
"""Things whose form may be a person's as well."""
_NOUN = regex(rf"^{_PLAIN}(?=[\s:,–-]|$)")
_PHOTO = regex(r"^(?:zdjeci[ea]|fotografi[aei])(?=[\s:,–-]|$)")
_SHOWING = regex(r"^\s*,?\s*(?:przedstawiaj|pokazuj|ukazuj|obrazuj|prezentuj)\w+\s+")
_WHERE = regex(
    r"^\s*,?\s*(?:(?:na|w) (?:ktorym|ktorej|ktorych)|gdzie)\s+"
    r"(?:(?:jest|sa|bedzie|beda|widac|widoczn\w+ (?:jest|sa)|znajduj[ea] sie|znajdzie sie|"
    r"pojawia sie|wystepuj[ea])\s+)?"
)
_COLON = regex(r"^\s*[:–—-]\s*")
_WITH = regex(r"^\s*ze? ")
_PREPOSITIONS = regex(r"^\s*(?:w|we|na|dla|do|o|pod|nad|jak|przy|od|po) ")
_CLAUSE = regex(r"(?:jak|ze|gdy|to|ten|moj|minus)\b")
_OF_CASE: Mapping[str, Case] = MappingProxyType({"do": "gen", "przez": "acc", "przed": "inst"})
_LISTED = re.compile(r"(,\s+(?:a\s+obok\s+|oraz\s+|i\s+)?)(?![^„]*”)")  # none within a title
_CLOSING = "\"'”»)"
_THINGS = {
    "🌧": "deszcz", "☀": "słońce", "❄": "śnieg", "🌈": "tęcza", "🐱": "kot", "🐶": "pies",
    "🌙": "księżyc", "⭐": "gwiazda", "🔥": "ogień", "🏔": "góry", "🚀": "rakieta", "🌸": "kwiat",
    "🦄": "jednorożec", "🐉": "smok", "🏰": "zamek", "🤖": "robot", "🎄": "choinka", "🌊": "fala",
    "🦊": "lis", "🐻": "niedźwiedź", "🌻": "słonecznik", "⛵": "żaglówka", "🍕": "pizza",
}  # fmt: skip
_EMOJI = regex(f"([{''.join(_THINGS)}])\ufe0f?\\s*(?=[^\\W\\d_])")


def name(text: str, *, governor: str) -> str | None:
    """Return the thing that is described, named in the nominative; ``None`` without one.

    ``governor`` is a preposition with the case of the beginning; empty if it was no object.
    """
    opened = strip_opening(text)
    if _NOUN.match(fold_evenly(opened)):
        text = opened
    if photo := _PHOTO.match(fold_evenly(text)):
        nominative = "zdjęcie" if fold_evenly(text).startswith("zdj") else "fotografia"
        return _photograph(nominative, text[photo.end() :])
    noun = _NOUN.match(fold_evenly(text))
    if noun is not None:
        return _after_noun(text, noun.end())
    if not governor and _has_case(text, "nom"):
        return text.strip(" .!?,")
    return _phrase(text, governor or "przez")


def spell_out(text: str) -> str:
    """Write the words of emoji that stand for a thing; those at the end are decoration."""
    return _EMOJI.sub(lambda found: f"{_THINGS[found[1]]} ", text)


def _photograph(noun: str, rest: str) -> str | None:
    folded = fold_evenly(rest)
    if (told := _COLON.match(folded)) or (told := _WHERE.match(folded)):
        return f"{noun}: {rest[told.end() :]}"
    return f"{noun}{rest}" if rest.strip() else None


def _after_noun(text: str, end: int) -> str | None:
    noun, rest = text[:end], text[end:]
    folded = fold_evenly(rest)
    if showing := _SHOWING.match(folded):
        return _turn(rest[showing.end() :], "przez")
    if told := _WHERE.match(folded) or _COLON.match(folded):
        return rest[told.end() :].strip()
    if (with_ := _WITH.match(folded)) and _has_case(rest[with_.end() :], "inst"):
        return _turn(rest[with_.end() :], "przed")
    if _PREPOSITIONS.match(folded) or rest.lstrip().startswith(",") or _is_described(rest):
        return f"{_nominative(noun)}{rest}".strip()
    return _turn(rest, "do") or None


def _nominative(noun: str) -> str:
    """Return what is asked for, "grafikę" or "grafika", in the nominative, as a thing."""
    last = noun.rsplit(maxsplit=1)[-1]
    base = next((one for stem, one in _MEDIA if fold_evenly(last).startswith(stem)), None)
    found = lemmatise(noun, preposition="przez")
    return found if base is None or found == last else f"{found[: -len(found.split()[-1])]}{base}"


def _is_described(rest: str) -> bool:
    """Whether what follows cannot be a genitive: "ilustracja naukowa", "rysunek piórkiem"."""
    words = split_words(rest)
    readings = morphology().readings(words[0].text) if words else ()
    declined = [one for one in readings if one.cases]
    return bool(declined) and not any("gen" in one.cases for one in declined)


def _phrase(text: str, governor: str) -> str | None:
    """Bring what follows "narysuj" to its base form; a clause stays as it is."""
    bare = _COLON.sub("", text).strip(" .!?,")
    if _CLAUSE.match(fold_evenly(bare)):
        return re.sub(r"^jak\s+", "", bare) or None
    return _turn(bare, governor)


def _turn(phrase: str, preposition: str) -> str:
    """Turn a phrase, and each part of a list, into the nominative where its case is certain.

    What follows a colon or a relative clause is told in the nominative already.
    """
    head, colon, tail = phrase.strip(" .!?").partition(":")
    parts = _LISTED.split(head)
    turned: list[str] = []
    for at, part in enumerate(parts):
        is_first = at == 0
        is_listed = turned and turned[0] != parts[0] and not _has_case(part, "nom")
        if at % 2 or not (is_first or is_listed) or not _has_case(part, _OF_CASE[preposition]):
            turned.append(part)
        else:
            turned.append(_safely(part, preposition))
    return "".join(turned) + colon + tail


def _safely(part: str, preposition: str) -> str:
    bare, joint, rest = _split_clause(part)
    found = lemmatise(bare, kind="topic", preposition=preposition)
    if len(found.split()) != len(bare.split()):
        return part
    found = _agree(bare, found)
    if bare[:1].islower() and found[:1].isupper():
        found = found[:1].lower() + found[1:]
    closing = bare[-1] if bare[-1:] in _CLOSING and found[-1:] != bare[-1] else ""
    return f"{found}{closing}{joint}{rest}"


def _split_clause(part: str) -> tuple[str, str, str]:
    """Cut off a clause without a comma: "jeża co jeździ na wrotkach"."""
    found = re.search(r" (?=(?:co|ktor[yaeo]\w*|jak|zeby) )", fold_evenly(part))
    return (part, "", "") if found is None else (part[: found.start()], " ", part[found.end() :])


def _agree(part: str, found: str) -> str:
    """Let a participle far behind its noun follow it: "żyrafa w szaliku jedząca lody"."""
    if part == found:
        return found
    is_feminine = found.split(maxsplit=1)[0].endswith("a")
    ending, new = ("ącą", "ąca") if is_feminine else ("ącego", "ący")
    return re.sub(rf"(?<=\w){ending}\b", new, found, count=1)


def _has_case(phrase: str, case: Case) -> bool:
    """Whether the first word that declines can stand in this case."""
    words = split_words(phrase)
    if not words:
        return False
    readings = morphology().readings(words[0].text)
    return not readings or any(case in reading.cases for reading in readings)
