"""Follow corrections within a description: "zamek w Niedzicy, nie, czekaj, w Czorsztynie"."""

import re

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_SLIP = (
    r"(?:nie|a nie|albo nie|czekaj|poczekaj|chwila|moment|sorry|sory|przepraszam|jednak|znaczy|"
    r"lepiej|moze lepiej|tzn\.?|to znaczy|wroc|stop|kurde|kurcze|raczej|wlasciwie|tfu|pardon)"
)
_MARK = regex(
    rf"\s*(?:,|\.{{1,3}}|…|–|-)\s*{_SLIP}(?:[\s,.!…–-]+{_SLIP})*[\s,.!…–-]+(?:(?:ten|ta|to) \w+, )?"
)
_PREPOSITION = regex(r"^(w|we|na|nad|pod|przy|z|ze|do|o|u|obok|przed|za)\s+(?=\w)")
_LET_IT_BE = regex(
    r"^[^.]{0,60}?\b(?:niech (?:to )?bedzie|ma byc|zrob|daj)\s+(?P<adjective>\w+)\s+(?P<noun>\w+)"
)
_NOT_BUT = regex(
    r"(?:[–-]?\s*(?:tzn\.?|to znaczy|znaczy)\s+)?\b(?:nie|zamiast)\s+(?:(?:chce|szukaj|rob|rysuj|"
    r"maluj)\s+)?(?:\w+ ){0,3}\w+, (?:tylko|lecz|ale raczej|a raczej)\s+"
)
_INSTEAD = regex(
    r"^(?:no )?(?:zamiast|tym razem bez|nie szukaj|opowiedz|przeczytaj|ktos mi|mama)\b[^:–]{0,90}?"
    r"(?P<kept>\b(?:widoczek|rysunek|grafika|obraz(?:ek|kiem)?|ilustracja|zobrazuj))\s*[:–-]\s*"
)


def corrected(text: str) -> str:
    """Return the description with what was taken back replaced by what was meant."""
    text = _without_rejected(text)
    folded = fold_evenly(text)
    for mark in list(_MARK.finditer(folded))[-1:]:
        before, after = text[: mark.start()], text[mark.end() :]
        replaced = _replace_place(before, after) or _replace_thing(
            before, folded[mark.end() :], after
        )
        replaced = replaced or _replace_noun(before, after)
        if replaced is not None:
            return replaced
    return text


def _without_rejected(text: str) -> str:
    """Drop what is not wanted: "nie chcę zdjęcia, tylko rysunek" → "rysunek"."""
    folded = fold_evenly(text)
    if found := _INSTEAD.match(folded):
        kept = found["kept"] if found["kept"] == "widoczek" else ""
        return f"{kept}: {text[found.end() :]}" if kept else text[found.end() :]
    if found := _NOT_BUT.search(folded):
        gap = ": " if found.start() and found[0].lstrip().startswith(("–", "-", "tzn")) else ""
        return f"{text[: found.start()].rstrip(' –-')}{gap}{text[found.end() :]}"
    return text


def _replace_place(before: str, after: str) -> str | None:
    """Replace the last phrase that begins with the same preposition."""
    folded = fold_evenly(after)
    found = _PREPOSITION.match(folded)
    if found is None:
        return None
    places = list(re.finditer(rf"\b{found[1]}\s+\w+", fold_evenly(before)))
    return f"{before[: places[-1].start()]}{after}" if places else None


def _replace_thing(before: str, folded: str, after: str) -> str | None:
    """Give a noun that was named its new adjective: "niech będzie niebieski klucz"."""
    found = _LET_IT_BE.match(folded)
    if found is None:
        return None
    noun = found["noun"]
    place = re.search(rf"\w+\s+{re.escape(noun)}\b", fold_evenly(before))
    if place is None:
        return None
    meant = after[found.start("adjective") : found.end("noun")]
    return f"{before[: place.start()]}{meant}{before[place.end() :]}"


def _replace_noun(before: str, after: str) -> str | None:
    """Replace the last word by a noun in the same case: "psa, nie, kota na rowerze"."""
    old, new = re.search(r"\w+$", before), re.match(r"\w+", after)
    if old is None or new is None or not _cases(old[0]) & _cases(new[0]) - {"nom"}:
        return None
    return f"{before[: old.start()]}{after}"


def _cases(word: str) -> frozenset[str]:
    """The cases that a noun can stand in here; none for other words."""
    readings = morphology().readings(word)
    return frozenset(case for one in readings if one.is_nominal for case in one.cases)
