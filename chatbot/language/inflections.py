"""Every form that a word may take, for a search that finds it inflected."""

from functools import lru_cache

from chatbot.language.morphology import morphology
from chatbot.language.restoration import restore


@lru_cache(maxsize=1024)
def inflections(word: str) -> frozenset[frozenset[str]]:
    """The forms of each lemma that ``word`` may be a form of, in lower case; a set each.

    The degrees of an adjective are sets of their own. A word typed without diacritics gets them
    back where only so it is known. Negated forms are left out. An unknown word has no forms.
    """
    words = morphology()
    known = restore(words, word, kind=None, may_end=True)
    forms: dict[tuple[str, str], set[str]] = {}
    for key in {reading.key for reading in words.readings(known)}:
        for form in words.forms(key):
            if not form.reading.is_negated:
                forms.setdefault((key, form.reading.degree), set()).add(form.text.lower())
    return frozenset(map(frozenset, forms.values()))
