"""The words of a story, and the nouns that something is counted in."""

from collections.abc import Iterator, Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.units import (
    PER_TIME,
    is_alike,
    is_noun,
    name_of,
    unit_of,
)

_NUMBER = regex(r"\d+(?:\.\d+)?|\d+/[1-9]\d*")
_BREAKS = frozenset(".,;:?!()-")
STOP = frozenset({
    "i", "a", "to", "na", "za", "z", "w", "od", "do", "po", "o", "u", "oraz", "lub", "czy", "ale",
    "ze", "sie", "jest", "sa", "byl", "byla", "bylo", "byly", "bedzie", "beda", "razy", "plus",
    "minus", "przez", "co", "jak", "ile", "ilu", "jaki", "jaka", "jakie", "tylko", "jeszcze",
    "juz", "mam", "mial", "miala", "ma", "maja", "mamy", "kosztuje", "kosztuja", "wiecej",
    "mniej", "potem", "teraz", "kazdy", "kazda", "kazde", "wazy", "trwa", "niz", "idzie", "mi",
    "dla", "we", "no", "wyszlo", "zostalo", "zostaje", "czyli", "bo", "zeby", "raz", "pod", "nad",
    "przy", "bez", "kto", "gdy", "jesli", "wynosi", "musi", "dostal", "dostala", "kupil",
    "kupila", "zjadl", "oddal", "oddala", "wzial", "wziela", "dal", "dala", "miesci", "zaplacil",
    "sprzedal", "stoi", "jedzie", "leci", "zrobil", "przejechal", "uszylo", "uzyskal", "bierze",
    "dzieli", "podziel", "wiec", "tego", "ich", "moj", "byc", "miec", "robic", "powinno", "wydal",
    "wydalam", "wydalem", "ktora", "ktore", "x", "vat", "brutto", "netto", "gotowka", "gotowki",
})  # fmt: skip
"""Words that are never what is counted."""
_ADJECTIVE = regex(r"\w+(?:ych|owe|owych|nych|ie|ne|kie|kich)$")


class Words:
    """The words of a story, with the nouns that something is counted in."""

    def __init__(self, words: str, asked: Sequence[str]) -> None:
        """Cut ``words`` at spaces; ``asked`` are the nouns that the question may ask for."""
        self.all = words.split()
        self.counted = [name_of(noun) for noun in (*asked, *self._counted())]

    def _counted(self) -> Iterator[str]:
        for at in range(len(self.all)):
            if _NUMBER.fullmatch(self.all[at]) and (noun := self.noun(at + 1)[0]):
                yield noun

    def word(self, at: int) -> str:
        """The word at a place, empty outside."""
        return self.all[at] if 0 <= at < len(self.all) else ""

    def noun(self, at: int) -> tuple[str, int]:
        """The counted noun that begins here, and the place after it."""
        word, following = self.word(at), self.word(at + 1)
        if not word.isalpha() or word in STOP or unit_of(word):
            return "", at
        if _ADJECTIVE.fullmatch(word) and is_counted(following):
            return following, at + 2
        return (word, at + 1) if is_counted(word) else ("", at)

    def clause(self, at: int) -> tuple[int, int]:
        """Where the clause around a place begins and ends; other numbers end it too."""
        first = at
        while first > 0 and self.all[first - 1] not in _BREAKS and not self.is_number(first - 1):
            first -= 1
        last = at + 1
        while last < len(self.all) and self.all[last] not in _BREAKS and not self.is_number(last):
            last += 1
        return first, last

    def is_number(self, at: int) -> bool:
        """Whether a number stands here."""
        return bool(_NUMBER.fullmatch(self.word(at)))

    def name(self, noun: str) -> str | None:
        """The name under which a noun is counted somewhere in the story, if it is."""
        alike = (name_of(one) for one in self.counted if is_alike(one, noun))
        return next(alike, "osob" if name_of(noun) == "osob" and "osob" in self.counted else None)


def is_counted(word: str) -> bool:
    """Whether a word may name what is counted."""
    return word not in STOP and word not in PER_TIME and is_noun(word)
