"""Read which entry a prompt tells to look up at last: "…, sprawdź aneksję Krymu"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import ASKED, CATEGORIES, DETERMINERS, VAGUE
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly
from chatbot.router.detector.trimming import trimmed
from chatbot.router.detector.verbs import is_finite

Place = tuple[int, int]
"""First word and end of a phrase."""

_LOOKED_UP = regex(
    r"[?.!,;…–—-] (?:(?:po prostu|lepiej|wystarczy|i) )?"
    r"(?:(?:sprawdz|poszukaj|wyszukaj|szukaj|odszukaj|znajdz|otworz|popatrz pod|zajrzyj do|"
    r"interesuje mnie|mam na mysli|(?P<meant>chodzi mi o|chodzi o))(?: mi)?(?: pod| o)?[: ]+"
    r"(?:(?:artykul|haslo|hasla|cos)(?: o)?[: ]+)?|haslo[: ]+)"
    r"(?P<this>(?:ten|ta|te|tego|tej) )?(?:(?:slynn|znan)\w+ )?"
)
_OF_CROSSWORDS = regex(r"\b(?:liter[yae]?|krzyzow\w+|jol[ek]\w+)\b")
_CLOSING = frozenset('.,;:?!…–—-”"»')
_OPENING = frozenset('„"«')
_MOST = 6  # words


def entry_told(text: str, words: Sequence[Span]) -> Place | None:
    """Return where the entry stands that is to be looked up, if it is told behind a question.

    Args:
        text: A question.
        words: Its words and marks.
    """
    folded = fold_evenly(text)
    found = list(_LOOKED_UP.finditer(folded))
    if not found or _OF_CROSSWORDS.search(folded):
        return None
    begin = next((at for at, one in enumerate(words) if one.start >= found[-1].end()), len(words))
    begin += begin < len(words) and words[begin].text in _OPENING
    end = begin
    while end < len(words) and _belongs(words[end]):
        end += 1
    entry = words[begin:end]
    is_closed = end == len(words) or words[end].text in _CLOSING
    if not is_closed or not 0 < len(entry) <= _MOST or not _names(entry):
        return None
    is_named = any(word.is_capitalised for word in entry)
    is_quoted = begin > 0 and words[begin - 1].text in _OPENING
    is_pointed = bool(found[-1]["this"])  # "interesuje mnie ta choroba"
    is_meant = found[-1]["meant"] is not None
    if is_meant and is_pointed:
        return None
    is_plain = len(entry) > 1 and not (is_meant or is_pointed)
    return trimmed(words, (begin, end)) if is_named or is_quoted or is_plain else None


def _belongs(word: Span) -> bool:
    """Whether a word may belong to what is looked up: no mark, question word or verb."""
    if not word.text[0].isalnum() or word.folded in VAGUE - {"w", "i"}:
        return False
    return word.is_capitalised or not is_finite(word)


def _names(entry: Sequence[Span]) -> bool:
    """Whether words name a thing, not only a kind of one or what is asked of it."""
    if entry[0].folded in DETERMINERS or not any(
        one.is_nominal or one.is_adjectival for one in readings_of(entry[0].text)
    ):
        return entry[0].is_capitalised and entry[0].folded not in DETERMINERS
    readings = readings_of(entry[0].text)
    if not entry[0].is_capitalised and any(one.pos.startswith("adv") for one in readings):
        return False  # "sprawdź szybko"
    lemmas = {one.lemma.lower() for one in readings}
    return not lemmas & (ASKED | CATEGORIES)
