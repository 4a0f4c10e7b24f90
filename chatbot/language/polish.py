"""Tells Polish text from English by the share of words that only Polish has."""

from chatbot.language.english import ENGLISH
from chatbot.language.morphology import morphology
from chatbot.language.pieces import WORD
from chatbot.language.restoration import restore
from chatbot.language.vocabulary import PROPER

POLISH_SHARE = 0.5
MOST_WORDS = 400
MOST_RESTORED = 32
_DIACRITICS = frozenset("ąćęłńóśźż")


def is_polish(text: str) -> bool:
    """Tell whether ``text`` is Polish rather than English, also where a name or two is foreign.

    A word counts for Polish if it has Polish letters or is in the dictionary, for English if it
    is a common English one or unknown; a word that both languages have, and a name, counts for
    neither. More than half of those that count must be Polish. Only the first 400 words are read,
    and in the first 32 diacritics are put back that were left out.
    """
    words = WORD.findall(text)[:MOST_WORDS]
    votes = [
        _vote(word, is_first=at == 0, may_restore=at < MOST_RESTORED)
        for at, word in enumerate(words)
    ]
    polish = sum(vote for vote in votes if vote > 0)
    return polish > POLISH_SHARE * sum(map(abs, votes))


def _vote(word: str, *, is_first: bool, may_restore: bool) -> float:
    """More than 0: only Polish has the word; less: only English; 0: a name, a number, or both."""
    lowered = word.lower()
    if word[:1].isupper() and not is_first and not word.isupper():
        return 0.0
    if not word.isalpha():
        return 0.0
    if _DIACRITICS & set(lowered):
        return 1.0
    is_known = _is_common_polish(lowered)
    if lowered in ENGLISH:
        return 0.0 if is_known else -1.0
    if is_known or not may_restore:
        return 1.0 if is_known else -1.0
    restored = restore(morphology(), lowered, kind="topic", may_end=True)
    return 1.0 if restored != lowered else -1.0


def _is_common_polish(word: str) -> bool:
    return any(
        not one.labels & PROPER and one.pos not in {"brev", "frag", "interj", "xxx"}
        for one in morphology().readings(word.lower())
    )
