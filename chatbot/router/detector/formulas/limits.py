"""A limit that a story tells besides, no part of the sum that it asks for: "bus bierze 1500 kg"."""

from itertools import pairwise

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_SUMMED = Guarded(
    r"\b(?:ile|jak[iea]) (?:jest |bedzie |to )?(?:laczn|calkowit)\w+|"
    r"\bile\b[^.?!]*\b(?:razem|lacznie|w sumie|ogolem|calosc|calkowit\w+|zaplac\w*|wyda\w*|"
    r"wyniesie|waz[ya]\w*|zajm\w*|zajete|to (?:kilo|kg|zl|osob|ludzi|ton|litrow|gb|sztuk))\b"
)
_WHAT_IS_LEFT = regex(
    r"\b(?:zosta|zmie(?:sc|ssc)|zmiesz|wejdzie|brak|zabrak|starcz|wystarcz|przekr|wiecej|mniej|woln|"
    r"jeszcze|reszt|doloz|zapas|kurs|razy|ponad|luz|moze|mog|udzwign|przewie|pomie|zabior|wezm|czy|"
    r"procent|usiad|przeplac)\w*|%|\bo ile\b"
)
_HOLDS = (
    r"(?:bus|busik|auto|samochod|ciezarowk|przyczep|wind|polk|regal|wozek|naczep|dysk|pendrive|"
    r"kart|most|kladk|lodz|lodk|tratw|kontener|szuflad|stol|rower|dron|bagaznik)\w*"
)
_LIMIT = regex(
    r"\b(?P<stem>ladown|udzwig|nosnos|pojemno|limit|budzet|dopuszcz|wytrzym|unosi|uniesi)\w*|"
    rf"\b{_HOLDS} (?:\w+ )?(?:bierze|wezmie|zabiera|zabierze|miesci|na|do|ma|moze|max|maks\w*) |"
    rf"\bmam {_HOLDS} \d|"
    r"\b(?:na sali|w sali|sala|autobus|autokar|kino|teatr|aula|samolot|prom|statek)\b"
    r"[^\d]*\d+ miejsc"
)
_OWNED = regex(
    r"\W*(?:mam|mamy|mialam|mialem|dysponuj\w+|w portfelu mam) (?:\w+ ){0,2}\d+ ?(?:zl\w*|pln)"
    r"(?:\W+i\b)?\W*"
)
_PAID = regex(r"\bile\b[^.?!]*\b(?:zaplac|wyda|kosztuj|koszt|wyniesie|place|rachun)\w*")
_MARK = regex(r"[.;?!](?=\s)|,(?!\d)|\s[–-]\s|\si\s(?=kup|wzi|bior|zamaw)")
_NUMBER = regex(r"\d+(?:[ .,]\d+)*")
_MEASURED = regex(r"\b(?:po|x|×|razy) \d|\b(?:waz|zajm|zaplac|koszt|wyda|osob|ludzi|wlan)\w*")
_LONGEST, _LEAST = 400, 2


def without_limit(text: str) -> str:
    """Drop the one clause that tells how much there may be, where all of something is asked for."""
    if len(text) > _LONGEST or not _NUMBER.search(text):
        return text
    folded = fold_evenly(text)
    asked = _SUMMED.search(folded)
    if asked is None or _WHAT_IS_LEFT.search(folded, asked.start()):
        return text
    ends = [*(one.end() for one in _MARK.finditer(folded, 0, asked.start())), asked.start()]
    question = folded[asked.start() :]
    found = [
        (start, end)
        for start, end in pairwise([0, *ends])
        if _tells_limit(folded[start:end], question)
    ]
    if len(found) != 1:
        return text
    start, end = found[0]
    rest = f"{text[:start]} {text[end:]}"
    is_last = not folded[end : asked.start()].strip()
    is_sum = is_last or _MEASURED.search(fold_evenly(rest)) is not None
    return rest if is_sum and len(_NUMBER.findall(rest)) >= _LEAST else text


def _tells_limit(clause: str, question: str) -> bool:
    """Whether a clause has one number, and that is a limit of which nothing is asked."""
    if len(_NUMBER.findall(clause)) != 1:
        return False
    found = _LIMIT.search(clause)
    if found is None:
        return _OWNED.fullmatch(clause) is not None and _PAID.search(question) is not None
    return not (found["stem"] and found["stem"] in question)
