"""Tell what looks like a request for a tool and is one for something that no tool does.

Other services beside the weather (air, pollen, water, sunrise, slopes, warnings, timetables), the
weather of the past, opinions, comparisons and letters beside articles, currencies beside
calculations.
"""

import re
from types import MappingProxyType

from chatbot.language.mentions import MONTH_WORDS
from chatbot.language.patterns import regex
from chatbot.router.detector.quotes import part, sentences
from chatbot.router.detector.spans import fold_evenly

_SKY = regex(
    r"\b(?:pogod|prognoz|temperatur|stopni|pada|deszcz|mroz|snieg|wieje|wiatr|chmur|bezchmurn|"
    r"slisk|burz|grzmi|mgl|ciepl|zimn|upal|leje|parasol|widac|widoczn)"
)
"""The weather itself, asked for beside something else."""

_DENIED = regex(r"\bnie(?:wazn\w*)?\b|\bpoza\b|\boprocz\b|\bobojetn\w*|\bbez\b")
_AHEAD = regex(
    r"\b(?:dzis|dzisiaj|teraz|aktualnie|obecnie|jutr\w*|pojutrze|bedzie|beda|weekend\w*|dalej|nadal|"
    r"tym tygodniu|"
    r"przestan\w*|(?:w|we|na) (?:poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele))\b"
)
_AIR = regex(
    r"\bsmog|\bpm ?(?:2[.,]5|10)\b|\bpyl(?:y|i|a|ki|ku|kow|kami|enie|enia)\b|jakosc powietrza"
)
_SUN = regex(
    r"\b(?:wschod\w*|zachod\w*|zachodzi|wzejdzie|zajdzie)\b.{0,20}\bslonc|"
    r"\bslonc\w*.{0,20}\b(?:wschodzi|zachodzi|wzejdzie|zajdzie)\b|"
    r"robi(?: sie)?(?: \w+){0,2} (?:ciemno|jasno|widno)\b"
)
_WATER = regex(
    r"\b(?:temperatur\w*|stopni|(?:ciepl|zimn)[aey]|ile ma)\b.{0,25}"
    r"\b(?<!nad )(?:wod[aey]|morz[aeu]|baltyku?)\b|"
    r"\b(?<!nad )wod[aey] (?:w|ma)\b.{0,40}\b(?:stopni|ciepl|zimn)|"
    r"\b(?<!nad )wod[aey]\b[^.?!]{0,25}\b(?:stopni|temperatur|ciepl|zimn|lodowat|kapiel)|"
    r"\b(?:ciepl|zimn|lodowat)a\b[^.?!]{0,15}\b(?<!nad )woda\b|"
    r"\b(?:stan|poziom)\w* (?:wody|rzeki|wisl\w|odr\w|wart\w)\b"
)
_NOTICES = regex(
    r"\b(?:otwart|czynn|zamkniet)\w+ (?:tras|stok|wyciag|nartostrad|szlak)\w*|"
    r"\bostrzezeni\w*|\balert\w*|\blawinow\w*|\bkarnet\w*|\bwyciagi?\b"
)
_TRAVEL = regex(
    r"\b(?:pociag|autobus|bus|tramwaj|prom|lot|samolot)\w{0,3}\b.{0,30}"
    r"\b(?:o ktorej|odjezdza|odplywa|jezdzi|opozni\w*|odwolan\w*)\b|"
    r"\b(?:o ktorej|kiedy)\b.{0,30}\b(?:pociag|autobus|bus|tramwaj|prom|samolot)\b|rozklad jazdy"
)
_YEAR = r"(?:1[5-9]\d\d|20[01]\d)"
_WEEKDAY = r"(?:poniedzial|wtor|srod|czwart|piat|sobot|niedziel)\w+"
_GONE = (
    rf"(?:(?:(?:w|we|z|ze|na|od|do|w nocy|o|tej|porze) |{_WEEKDAY} ){{0,10}}"
    rf"\b(?:zeszl|ubiegl|minion)\w+(?: (?:{_WEEKDAY}|weekend\w*|tygodni\w*|tydzien|miesiac\w*|"
    r"rok\w*|lat\w*|zim\w+|wiosn\w+|jesien\w*|noc\w*))?\b|"
    r"\b(?:przed)?wczoraj\w*\b|"
    r"\b(?:(?:\w+ )?(?:dni|tygodnie|tygodni|miesiecy|miesiace|lata|lat)|tydzien|miesiac|rok|"
    r"dzien|noc) temu\b|"
    rf"\b(?:w|z|od|rok|roku|{MONTH_WORDS}) {_YEAR}\b|\b{_YEAR} ?r(?:\.|oku\b))"
)
"""A time that is over, with the days in it: "z piątku na sobotę zeszłego tygodnia"."""

_PAST = regex(_GONE)
_THAN_PAST = regex(rf"\b(?:niz|jak|od) {_GONE}")
_INVENTED = regex(
    r"\b(?:glupaw|zmyslon|smieszn|zartobliw|fikcyjn|wymyslon|absurdaln|bajkow|kabaretow|satyryczn|"
    r"zabawn|humorystyczn|nieprawdziw)\w+ (?:\w+ )?(?:prognoz|pogod|zapowied|komunikat)"
)
"""A forecast that shall be written, not looked up."""

_ELSEWISE = regex(
    r"\b(?:co (?:mozna |warto |tam |mam |moge )?"
    r"(?:robic|zrobic|zwiedzic|zobaczyc|ugotowac|obejrzec|poczytac|zjesc)|"
    r"(?:jakies |jakie )?(?:atrakcj\w+|pomysl\w*|film\w*|knajp\w*|muzea|zajeci\w+)|"
    r"plan(?:u|y)? (?:na|wyciecz\w+|zwiedzan\w+|wyjazd\w*)|zaplanuj|przepis\w*|rozbaw|pociesz|"
    r"opowiedz (?:mi |nam )?(?:cos|kawal|dowcip|bajk\w|zart|histori\w|legend\w|o)|"
    r"polec(?:ic|isz|cie)?|zaproponuj|wymysl|do jedzenia|gdzie (?:\w+ ){0,3}"
    r"(?:kupi\w*|nocowac|przenocowac|zjesc|zjem|napraw\w+|schowac|isc|pojsc|spac))\b"
)
"""What is wished where the weather is only told, feared or a condition."""

_ASKS_SKY = regex(
    r"\b(?:czy|jaki|jaka|jakie|ile)\b[^,.?!]{0,40}?\b(?:pogod|prognoz|temperatur|stopni|pada|"
    r"deszcz|mroz|snieg|wieje|wiatr|slisk|burz|ciepl|zimn|upal|\w{0,2}leje|parasol|zmok|zmarz)|"
    r"\bprognoz\w+|\bpogod\w+|\bsprawdz\w*|\bubrac|\bzalozyc|\bstopni\b"
)
_REMARK = regex(
    r"^(?:ale|alez|uff?|brr+|nareszcie|wreszcie|no i|pieknie|slicznie|ladnie|cudownie)\b|"
    r"\b(?:brr+|masakra|strasznie|okropnie|cholernie)\b"
)
_WANTS = regex(
    r"\b(?:jak\w{0,3}|ile|czy|co|kiedy|gdzie|kaj|podaj|sprawdz\w*|powiedz|prognoz\w*|pogod\w*|"
    r"brac|wziac|zabrac|bedzie|beda|jutr\w*|pojutrze|weekend\w*|\w*mokne|\w*marzne)\b"
)
"""Marks of a question, in a prompt that may have no question mark."""

_OPINION = regex(
    r"\b(?:odbierasz|sadzisz|myslisz|uwazasz|wolisz|lubisz|polecasz|poleci\wbys|co bys|"
    r"(?:twoim|waszym|panskim|pan[ai]|panstwa) (?:\w+ )?zdaniem|"
    r"(?:wedlug|w oczach|zdaniem) (?:ciebie|was|pan[ai]|panstwa)|"
    r"(?:pan|pani|panstwo) (?:(?:sam\w?|osobiscie|najbardziej|bardziej|naprawde) )?"
    r"(?:sadz[ia]|mysl[ia]|uwaza(?:ja)?|wol[ia]|lubia?|poleca(?:ja)?)|"
    r"(?:twoj|twoim|wasz|panski|panskim|twoja|panska) ulubion\w+)\b"
)
_CHOICE = regex(r"^[^\W\d_]+(?: [^\W\d_]+)? czy [^\W\d_]+(?: [^\W\d_]+)?[?! ]*$")
_SUPPOSED = regex(r"^(?:a |co by bylo, )?gdyby (?!ktos|pan)")
_WRITTEN = regex(
    r"^(?:(?:uprzejmie|bardzo|prosze|poprosze|hej|czesc|no|pomoz(?: mi)?|dzien dobry|prosil\w+)"
    r"[, ]+)*"
    r"(?:(?:o )?(?:zredagow|napis|sporzadz|uloz|przygotow|sklec|opracow)(?:anie|enie)|"
    r"napisz|zredaguj|uloz|sklej|sklec\w*|naskrob|skrobnij|wyskrob|machnij|wysmaz|sporzadz|"
    r"przygotuj)(?: mi| nam| szybko| prosze)*(?: \w+)? "
    r"(?:podani[ae]|pism[ao]|list(?:u|ik|ika)?|liscik\w*|e?-?maila?|sms-?a?|"
    r"bio(?= pod| na| do|:| o mnie)|notk\w (?:o mnie|o nas|o sobie)|ogloszeni[ae]|"
    r"przemowieni[ae]|toastu?|zaproszeni[ae]|zycze(?:n|nia)|reklamacj[ei]|wnios(?:ek|ku)|cv|"
    r"postu?|usprawiedliwieni[ae]|skarg[ai])\b"
    r"(?!.*(?:\?|\b(?:sprawdz|znajdz|wyszukaj|podaj|powiedz|policz|narysuj|namaluj|zerknij|"
    r"wiki\w*)\b))",
    re.DOTALL,
)
"""A text for everyday use that shall be written, whatever names are in it."""

_CURRENCY = regex(r"\b\d+ (?:euro|dolar\w*|funt\w*|frank\w*|koron\w*)\b.{0,20}\b(?:zlot\w*|pln)\b")
_RATE_TOLD = regex(
    r"\bkurs\w*\b[^\d?!;]{0,25}\d|"
    r"(?<!\w)(?:po|=|kosztuj\w+|to|wynosi|stoi|jest)(?: (?:za|po))? \d+[.,]\d+"
)
"""What a currency is said to cost, so that the sum can be calculated."""


def is_for_service(said: str) -> bool:
    """Whether timetables, water or notices are spoken of."""
    return any(one.search(said) for one in (_TRAVEL, _WATER, _NOTICES))


def asks_opinion(said: str) -> bool:
    """Whether we are asked what we think: "Pana zdaniem", "jak pani sądzi"."""
    return _OPINION.search(said) is not None and not _DENIED.search(said)


def asks_of_past(said: str) -> bool:
    """Whether a time that is over is the only one spoken of; comparisons with it are not."""
    if _PAST.search(said) is None:
        return False
    rest = without_past(said)
    return _PAST.search(rest) is not None and _AHEAD.search(_PAST.sub(" ", rest)) is None


def without_past(said: str) -> str:
    """Leave out a time that the weather is only compared with: "cieplej niż wczoraj"."""
    return _THAN_PAST.sub(" ", said)


def _is_beside_weather(said: str) -> bool:
    if _DENIED.search(said):
        return False
    if is_for_service(said) and not any(
        one.endswith("?") and _SKY.search(one) and not is_for_service(one)
        for one in sentences(said)
    ):
        return True
    if any(_ELSEWISE.search(one) for one in sentences(said)[-1:]) and not _ASKS_SKY.search(said):
        return True
    if _REMARK.search(said) and "?" not in said and not _WANTS.search(said):
        return True
    if _INVENTED.search(said) or asks_of_past(said):
        return True
    other = _AIR.search(said) or _SUN.search(said)
    return other is not None and not _SKY.search(said)


def _is_beside_articles(said: str) -> bool:
    if _WRITTEN.match(said):
        return True
    return (
        asks_opinion(said) or _CHOICE.match(said) is not None or _SUPPOSED.match(said) is not None
    )


def _is_beside_mathematics(said: str) -> bool:
    return _CURRENCY.search(said) is not None and _RATE_TOLD.search(said) is None


_BESIDE = MappingProxyType({
    "weather": _is_beside_weather,
    "wikipedia": _is_beside_articles,
    "mathematics": _is_beside_mathematics,
})


def is_for_other(prompt: str, label: str) -> bool:
    """Whether a prompt that looks like one for the tool of ``label`` asks for no tool at all."""
    is_beside = _BESIDE.get(label)
    return is_beside is not None and is_beside(fold_evenly(part(prompt).own).strip())
