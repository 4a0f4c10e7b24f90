"""A polite or formal wish for a change of a picture, as an order: "prosiłbym o dodanie psa"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly

_WHO = r"(?: (?:panstw\w*|pani?|panu|pana|was|ciebie))?"
_FRAME = (
    r"^\W*(?:(?:a|ok|dobrze|super|swietnie|dziekuj\w+|dzien dobry)[ ,.!]+)*"
    r"(?:(?:bardzo|uprzejmie|serdecznie|moze) )?"
    r"(?:(?:po)?prosz[ea]|prosimy|(?:po)?prosil\w*(?: bym)?|chcial(?:bym|abym)(?: (?:po)?prosic)?|"
    r"(?:czy )?(?:mogl(?:by|aby|bys|abys|ibyscie|ibysmy|bym|abym|iby)|moze(?:sz|cie)|mog[ea]|"
    r"mozna(?: by(?:loby)?)?|zechcial\w*|zechcieliby|da(?:lo(?:by)?)? sie|bylo(?:by)? mozliwe|"
    rf"(?:bylaby|jest|istnieje) mozliwosc)){_WHO}(?: (?:po)?prosic)?{_WHO} (?:o )?"
)
_OBJECT = rf"(?:sceneri\w+|{MEDIUM}|motyw\w*|kompozycj\w+|ujeci\w+|postac\w*)\b"
_POINTED = r"t(?:e|a|o|ej|ego|en|ym) "
_IT = r"(?:to|go|ja|je) "
_INTO = rf"(?:(?:do|na|w) (?:{_POINTED})?(?:{MEDIUM}|kompozycj\w+|niej|niego|nim) )?"
_ING = r"(?:c|e?ni[ea])"
_AGAIN = r"(?:jeszcze (?:jedn\w+|raz)|kolejn\w+|inn\w+|now\w+|nastepn\w+)"
_MAKING = (
    rf"(?:(?:przedstawi|ukaza|pokaza|wykona|przygotowa|zrobi|narysowa|namalowa|wygenerowa|przerobi|"
    rf"utrzyma){_ING}|(?:powtorz|odtworz|stworz)(?:y{_ING}|eni[ea])|przygotuj\w*) "
)
_ADD = regex(
    rf"{_FRAME}(?:(?:doda|dorysowa|domalowa){_ING}|doloz(?:yc|eni[ea])|umiesc(?:ic)?|"
    rf"umieszczeni[ea]|wstawi{_ING}) {_INTO}"
)
_REMOVE = regex(rf"{_FRAME}(?:usun(?:ac|ieci[ea])|wymaza{_ING}|pomini[ea]ci[ea]) ")
_REPLACE = regex(rf"{_FRAME}zastapi{_ING} (?P<old>\w+(?: \w+)??) (?P<new>\w+(?: \w+)?)[.?!]*$")
_CHANGE = regex(rf"{_FRAME}(?:(?:zmian|zamian)[ey]|(?:zmieni|zamieni){_ING}) ")
_SHOW = regex(
    rf"{_FRAME}(?:{_IT}{_MAKING}|{_MAKING}{_IT}|"
    rf"(?:{_MAKING})?(?:{_AGAIN} )?(?:{_POINTED})?(?:sam\w{{1,3}} )?{_OBJECT})"
    r"(?: jeszcze raz)?,? ?(?:tym razem|ale|lecz|tylko|utrzyman\w+|wykonan\w+)? ?"
)
_SAME = regex(
    rf"\b{_IT}|\b{_POINTED}(?:sam\w{{1,3}} )?{_OBJECT}|\bsam\w{{1,3}} |\bwersj|\bpowtorz|{_AGAIN}"
)


def plain_wish(prompt: str) -> str:
    """Return an order for the same change; a prompt that is no polite wish stays as it is."""
    folded = fold_evenly(prompt)
    if (told := _REPLACE.match(folded)) is not None:
        old, new = (prompt[slice(*told.span(one))] for one in ("old", "new"))
        return f"zamiast {old} {new}"
    for order, pattern in (("dodaj", _ADD), ("usuń", _REMOVE), ("zmień", _CHANGE)):
        if (told := pattern.match(folded)) is not None:
            return f"{order} {prompt[told.end() :].strip(' ?!.')}"
    told = _SHOW.match(folded)
    if told is None or not _SAME.search(told[0]):
        return prompt
    return prompt[told.end() :].strip(" ?!.,")
