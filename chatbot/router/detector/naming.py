"""Tell questions that name nothing: "ilu tam mieszka ludzi", "kiedy zmarł ten aktor"."""

from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import ASKED, CATEGORIES, INDEFINITE, KEEPING
from chatbot.router.detector.phrases import align
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words

_ANY = frozenset({
    "jeden", "jedna", "jedno", "jednej", "jednym", "jednego", "taki", "taka", "takie", "takiej",
    "takim", "takiego",
})  # fmt: skip
_POINTING = frozenset({
    "on", "ona", "ono", "oni", "go", "jego", "jej", "nim", "niej", "nia", "tam", "tamten", "ich",
    "im", "nich", "jemu",
})  # fmt: skip
_THIS = frozenset({
    "ten", "ta", "to", "te", "tego", "tej", "temu", "tym", "tych", "tamten", "tamta", "tamto",
    "tamtego", "tamtej", "tamtym",
})  # fmt: skip
_OF_ANYTHING = ASKED | CATEGORIES | {
    "stolica", "waluta", "hymn", "flaga", "człowiek", "ludzie", "żona", "mąż", "syn", "córka",
    "ojciec", "matka", "brat", "siostra", "rodzic", "dziecko", "dzieło", "nagroda", "partner",
    "partnerka", "sąsiad", "burmistrz", "budynek", "budowla", "wieżowiec",
}  # fmt: skip
_FINITE = frozenset({"fin", "praet", "impt", "inf", "bedzie", "imps"})
_LOOKING = regex(
    r"wiki(?!ng)\w*|encykloped\w+|hasl\w+|artykul\w*|definicj\w+|notk\w+|pytani\w+|strone?|pls|plis|coś|cos|cze(?:go|mu)s|czyms|mam|"
    r"(?:wyszuka|odszuka|poszuka|poka[zs]a)ni\w+|(?:przytocze|znalezie|podani|sprawdze|"
    r"przedstawie|przeczyta)ni\w+|(?:angiel|niemiec|francu|hiszpan|wlo|ukrain|rosyj|cze|slowac|"
    r"polskojezyczn|anglojezyczn)\w*sk\w+|czesk\w+|po|w|na|do|z|dobr(?:ze|a|e)|okej|zgoda"
)
_WHAT_IT_IS = regex(
    r"\b(?:co to|co (?:o|z)naczy|czym (?:jest|sa|byl\w*)|kto|kiedy|gdzie|skad|"
    r"roznic\w+)\b"
)
_COUNTING = regex(
    r"(?:(?:a|i|to|no) )*(?:ile|ilu) "
    r"(?:ma(?:ja)?|licz[ay]|mial\w{0,2}|mieli)"
)
_CIRCUMSTANCE = frozenset({"z", "ze", "w", "od", "co"})
_LATER = regex(
    r"\b(?:zaraz|za chwile|za moment|potem|pozniej|w nastepnej wiadomosci)\b[^.?!]{0,20}"
    r"\b(?:napisz|poda|powie|dopisz|zdradz|dopowie|dosl)\w*"
)
_SOMETHING = regex(
    r"\b(?:musze|chce|mam|trzeba|potrzebuje|chcial\w+)\b(?: \w+){0,2}? (?:jedna rzecz|cos)(?: tam)?"
    r"(?: do)? (?:\w+(?:[bcdlmnrstwz]i[cć]|ac|yc|nia|enia))\W*$"
)
_UNNAMED = regex(
    r"\bt(?:ego|ej|e|a|en) (?:pan\w?|pania?|facet\w|gosci\w|kobiet\w|aktor\w*|rzecz|piosenkar\w+|"
    r"polityk\w)(?:, | )(?:o (?:ktor\w+|czym)|co|z) [^,.?!]*\b(?:mowi\w+|wspomina\w+|telewizj\w|"
    r"radi\w|wczoraj\w*|dzis\w*)\b"
)
"""Requests that put off what they are about, or only point at what was heard."""
_QUOTES = frozenset('„”"«»')


def names_nothing(text: str, topic: str) -> bool:
    """Whether what was found as the topic names nothing, so that it must be asked for.

    That is a kind of thing and not which ("o takiej jednej bitwie", "ten aktor"), what is asked of
    something that is only pointed at ("kto jest jego autorem") or not told ("ile ma metrów"), a
    verb, or the wish to look something up ("znajdź hasło", "dobrze?").
    """
    words = split_words(text)
    place = align(words, topic)
    spoken = words[slice(*place)] if place else split_words(topic)
    if _is_any(words, place, topic) or (not _names_any(words) and _is_put_off(fold(text))):
        return True
    if _is_named(words, place):
        return False
    if all(_is_verb(word.text) for word in spoken) or (place and _is_counted(words, place)):
        return True
    if all(_LOOKING.fullmatch(word.folded) for word in spoken):
        return _WHAT_IT_IS.search(fold(text)) is None
    if _is_pointed_at(words, place, spoken):
        return True
    before = words[: place[0] if place else None]  # "złoty podział, kto go opisał" points back
    is_pointing = any(word.folded in _POINTING for word in before) or _points_at_kind(words)
    return is_pointing and all(
        word.folded in _THIS or _is_of_anything(word.text) for word in spoken
    )


def _is_put_off(folded: str) -> bool:
    """Whether a request comes without its topic: "zaraz napiszę której", "muszę coś sprawdzić"."""
    return any(one.search(folded) for one in (_LATER, _SOMETHING, _UNNAMED))


def _names_any(words: Sequence[Span]) -> bool:
    """Whether something is quoted, or written with a capital letter that begins no sentence."""
    return any(
        word.text in _QUOTES
        or (at and words[at - 1].text not in ".?!" and _is_named(words, (at, at + 1)))
        for at, word in enumerate(words)
    )


def _is_any(words: Sequence[Span], place: tuple[int, int] | None, topic: str) -> bool:
    """Whether only a kind of thing is named, and not which: "o takiej jednej bitwie"."""
    *others, kind = split_words(topic)
    if any(word.folded not in _ANY for word in others):
        return False
    if not _lemmas(kind.text) & (CATEGORIES | KEEPING):
        return False
    before = words[max(place[0] - 1, 0) : place[0]] if place else ()
    if place and [word.folded for word in words[max(place[0] - 2, 0) : place[0]]] == ["ten", "o"]:
        return True
    return any(word.folded in _ANY for word in others) or any(
        word.folded in INDEFINITE | _ANY for word in before
    )


def _is_named(words: Sequence[Span], place: tuple[int, int] | None) -> bool:
    """Whether a topic is quoted, or has a capital letter that no sentence begins with."""
    if place is None:
        return True
    start, end = place
    if start and words[start - 1].text in _QUOTES:
        return True
    return any(
        words[at].is_capitalised
        and not words[at].folded.startswith(("wiki", "encyklop"))
        and at > 0
        and words[at - 1].text not in ".?!"
        for at in range(start, end)
    )


def _is_pointed_at(
    words: Sequence[Span], place: tuple[int, int] | None, spoken: Sequence[Span]
) -> bool:
    """Whether a topic is "ten aktor", "ta firma", "ten gość z telewizji"."""
    if place is None or not place[0] or words[place[0] - 1].folded not in _THIS:
        return False
    if place[0] > 1 and words[place[0] - 2].folded in {"co", "kto"}:
        return False
    head, *others = spoken
    is_kind = bool(_lemmas(head.text) & (_OF_ANYTHING | KEEPING))
    return is_kind and (
        not others or (others[0].folded in _CIRCUMSTANCE and not any(map(_is_name, others)))
    )


def _is_counted(words: Sequence[Span], place: tuple[int, int]) -> bool:
    """Whether a topic is what is counted of something that is not told: "ile ma metrów?"."""
    before = " ".join(word.folded for word in words[: place[0]])
    is_last = not any(word.text[0].isalnum() for word in words[place[1] :])
    if any("nom" in one.cases for one in readings_of(words[place[0]].text)):
        return False  # "ile ma stonoga"
    return is_last and _COUNTING.fullmatch(before) is not None


def _points_at_kind(words: Sequence[Span]) -> bool:
    """Whether a kind of thing is pointed at: "stolica tego kraju"."""
    return any(
        word.folded in _THIS and _lemmas(after.text) & CATEGORIES for word, after in pairwise(words)
    )


def _is_verb(word: str) -> bool:
    readings = readings_of(word)
    return any(one.pos in _FINITE for one in readings) and not any(
        one.is_nominal for one in readings
    )


def _is_of_anything(word: str) -> bool:
    readings = readings_of(word)
    return any(
        one.lemma in _OF_ANYTHING or one.pos in _FINITE or one.is_adjectival for one in readings
    )


def _is_name(word: Span) -> bool:
    return all(one.lemma[:1].isupper() for one in readings_of(word.text))


def _lemmas(word: str) -> frozenset[str]:
    return frozenset(one.lemma for one in readings_of(word))
