"""A picture with another number of things, or another person, than it shows: "nie trzy, pięć"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.mentions import nouns_of

_SUPPOSES = regex(r"\b(?:jakby|gdyby|niech|zeby|a jesli|co jesli) to (?:byl\w*|bedzie) (.+)$")
_UP_TO_FOUR = frozenset({"dwa", "dwie", "trzy", "cztery"})
_IDLE = frozenset({
    "nie", "tylko", "lecz", "ale", "a", "i", "no", "to", "niech", "bedzie", "beda", "ma", "maja",
    "byc", "zamiast", "daj", "zrob", "raczej", "wole", "jednak", "ich", "zeby", "bylo", "byly",
    "mialy", "mialo", "teraz", "moze", "mi", "narysuj", "poprosze", "prosze", "raz", "jeszcze",
    "hm", "hmm", "jakby", "gdyby", "jesli", "co", "tak", "ok", "w", "sumie", "razem", "wiecej",
})  # fmt: skip


def recounted(picture: str, clause: str) -> tuple[str, str] | None:
    """Return the picture with the number of a clause that names nothing else; no addition."""
    numbers = [word for word in split_words(clause) if _is_number(word)]
    others = [word for word in split_words(clause) if word.text[0].isalnum()]
    words = split_words(picture)
    shown = frozenset().union(*(nouns_of(one.text) for one in words if _is_counted(one)))
    if not numbers or any(
        one not in numbers and one.folded not in _IDLE and not nouns_of(one.text) & shown
        for one in others
    ):
        return None
    said = frozenset(word.folded for word in words)
    new = next((one for one in numbers if one.folded not in said), None)
    at = next((at for at, one in enumerate(words[:-1]) if _is_number(one)), None)
    if new is None or at is None:
        return None
    noun = next((one for one in words[at + 1 :] if _is_counted(one)), None)
    named = frozenset().union(*(nouns_of(one.text) for one in others if one not in numbers))
    if noun is None or (shown & named and not nouns_of(noun.text) & named):
        return None
    between = "".join(
        f" {_agreeing(one, new)}" for one in words[at + 1 :] if one.start < noun.start
    )
    told = f"{new.text.lower()}{between} {_counted(noun, new)}"
    return f"{picture[: words[at].start]}{told}{picture[noun.end :]}", ""


def uncounted(phrase: str) -> str:
    """Return one thing of those that a phrase counts: "pingwin" for "trzy pingwiny"."""
    first, *others = split_words(phrase) or (None,)
    if first is None or not others or not _is_number(first):
        return phrase
    noun = next((one for one in others if _is_counted(one)), others[-1])
    readings = (one for one in morphology().readings(noun.text) if one.pos == "subst")
    return next((one.lemma for one in readings), noun.text)


def recast(picture: str, clause: str) -> tuple[str, str] | None:
    """Return the picture with another person in the place of the one it shows."""
    supposed = _SUPPOSES.search(fold_evenly(clause))
    if supposed is None:
        return None
    new = clause[supposed.start(1) :].strip(" ?!.")
    (first, *others) = split_words(new) or (None,)
    if first is None or others:
        return None
    for word in split_words(picture):
        cases = _cases_of_person(word)
        if cases:
            form = _form(first.text, cases, "sg")
            return f"{picture[: word.start]}{form}{picture[word.end :]}", ""
    return None


def _is_number(word: Span) -> bool:
    return word.text.isdecimal() or any(
        one.pos == "num" for one in morphology().readings(word.text.lower())
    )


def _is_counted(word: Span) -> bool:
    readings = morphology().readings(word.text)
    is_noun = any(one.pos == "subst" and one.lemma.islower() for one in readings)
    return is_noun and not any(one.pos == "adj" for one in readings)


def _takes_genitive(number: Span) -> bool:
    """Whether a number takes the genitive of several: "pięć kotów", but "trzy koty"."""
    if number.text.isdecimal():
        last, is_teen = number.text[-1], number.text[-2:-1] == "1"
        return is_teen or last not in "234"
    return number.folded not in _UP_TO_FOUR


def _counted(noun: Span, number: Span) -> str:
    case = "gen" if _takes_genitive(number) else "nom"
    return _form(noun.text, frozenset({case}), "pl")


def _agreeing(adjective: Span, number: Span) -> str:
    readings = [one for one in morphology().readings(adjective.text) if one.pos == "adj"]
    if not readings:
        return adjective.text
    case = "gen" if _takes_genitive(number) else "nom"
    return _form(adjective.text, frozenset({case}), "pl")


def _form(word: str, cases: frozenset[str], number: str) -> str:
    """A word in one of these cases, in this number; as it was said where nobody knows it."""
    for reading in morphology().readings(word):
        if reading.pos not in {"subst", "adj"}:
            continue
        for form in morphology().forms(reading.key):
            is_same = (form.reading.pos, form.reading.degree) == (reading.pos, reading.degree)
            is_same = is_same and number in form.reading.numbers
            if is_same and cases & form.reading.cases and _is_plain(form.reading.genders):
                return form.text
    return word


def _is_plain(genders: frozenset[str]) -> bool:
    """Whether a form may stand with things: no plural of men alone."""
    return genders != {"m1"}


def _cases_of_person(word: Span) -> frozenset[str]:
    nouns = [
        one
        for one in morphology().readings(word.text)
        if one.pos == "subst" and "m1" in one.genders and one.lemma.islower()
    ]
    return frozenset(case for one in nouns for case in one.cases if "sg" in one.numbers)
