"""Cut a prompt into the requests it may hold: "jaka pogoda w Łodzi i ile to 2+2?"."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_opening
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly

MOST = 6
_PAIR = 2
_NEXT = "…"  # stands for the request that follows
_SHORT = 2  # words that only say that another request follows

_ASKING = (
    r"(?:jak(?:[aiey]|iej)?|what|who|how|ile|kim|kto|fto|kogo|co|czym|kiedy|gdzie|czy|"
    r"oblicz|policz|podlicz|dolicz|przelicz|rozwiaz|narysuj|namaluj|wygeneruj|stworz|zrob|sprawdz|"
    r"podaj|powiedz|pedz|opowiedz|znajdz|zerknij|przypomnij|przygotuj|zilustruj|przygotowac|przywolac|"
    r"(?:na|wy)rysowac|namalowac|wygenerowac|stworzyc|zaprojektowac|"
    r"zilustrowac|sprawdzic|podac|policzyc|obliczyc|przeliczyc|znalezc|wyszukac|powiedziec|"
    r"wyszukaj|pokaz|napisz|ilu|w ktorym|w jakim|na czym|skad|naszkicuj|zaprojektuj|daj|dorzuc|"
    r"wrzuc|prognoz[aeęy]|pogod[aeęy]|temperatur[aeęy]|rysun(?:ek|ku|ki|kow|kiem)|obraz(?!u)\w*|"
    r"grafik\w*|wizualizacj[aei]|naklejk[aeąi]|kolorowank[aeąi]|awatar|baner|rycin[aeęy]|"
    r"ilustracj[aeęi]|plakat|portret|hasl[aeo]|artykul\w*|notk[aeęi]|pochodn[aą]|calk[aeę]|"
    r"silni[aeę]|reszt[aeę] z dzielenia|pierwiastek|wyznacz|zsumuj|podziel|pomnoz|dodaj|odejmij|"
    r"zobacz|det|nw[dw]|"
    r"granic[aeę]|machnij|(?:rok|dat[aeę]|miejsce) (?:urodz|smierc|powst|zaloz|wydani|budow)\w*|"
    r"z jak\w+|na jak\w+|\d+ ?%|\d+ ?/ ?\d+ z \d|\d[\d ]* (?:razy|podziel\w+|plus|minus|przez)|"
    r"(?:dzisiejsz|jutrzejsz)\w+ (?:temperatur|pogod|prognoz)\w+|o (?:\w{3,}(?:anie|enie|ecie)|"
    r"(?:(?:dzisiejsz|jutrzejsz)\w+ )?(?:prognoze|pogode)|artykul|haslo|obrazek|"
    r"grafike|ilustracje|informacj\w+)|"
    r"(?:informacj\w+|wiadomosci|dane|cos|(?:par\w|kilka) slow|slowo|notatk\w+|ciekawostk\w+)"
    r"(?: encyklopedyczn\w+)? (?:o|na temat)|biogram\w*|wynik(?:i|u)?)"
)
_BESIDES = (
    r"(?:przy okazji|na przyszlosc|na marginesie|z innej beczki|oprocz tego|poza tym|do tego|"
    r"jeszcze jedno|druga sprawa|aha)"
)
"""Says that what follows is another matter, whatever it begins with."""
_JOINING = (
    r"oraz|i|a|and|a takze|a potem|a potym|a pozniej|a nastepnie|i jeszcze|i przy okazji|"
    r"a przy okazji|potem|nastepnie|no i|a obok|ponadto|poza tym|i krotko|przy okazji|"
    r"a do tego|do tego|a poza tym|i od razu|od razu|po czym|a najpierw|"
    r"potem zas|a drug(?:a rzecz|ie) to|plus(?! (?:pierwiast|silni|\d|"
    r"pochodn|calk|det\b|kwadrat|szescian))|jak rowniez|oprocz tego|a oprocz tego|wiec"
)
_DRAW = r"(?:narysuj|namaluj|wygeneruj|naszkicuj|zaprojektuj|zilustruj)"
_WISH = rf"(?:chc(?:e|ialbym|ialabym) |potrzebn[aey] |potrzebuje |poprosze |{_DRAW})"
_FILLING = (
    r"(?:(?:mi|tez|jeszcze|potem|przy okazji|takze|w ogole|od razu|ten|to|ja sama?|sama?|wez|"
    r"ze|moze|prosze|poprosze|bym|(?:chcial\w*|chce) (?:\w+ )?(?:wiedziec|zapytac|spytac)) )"
)
"""Says nothing of its own between what joins and what asks: "no i bym jeszcze chciał wiedzieć"."""
_MINDED = (
    r"(?<!pamietajac)(?<!pamietaj)(?<!pamietam)(?<!uwazajac)(?<!uwazaj)(?<!niewazne)(?<!obojetne)"
)
"""What a question after it is no request of its own: "pamiętając, co liczy się pierwsze"."""

_BREAK = regex(
    r"(?<=[?;\n])\s*(?=\S)|(?<=[^\d!]!)\s*(?=\S)|(?<=[^\W\d]{3}\.)\s+(?=\S)"
    r"|(?:^|(?<=\s))(?<![=+*/:<>−–-]\s)(?:[1-6][.)]|[a-d]\))\s+(?=\S)"
    rf"|,?\s+(?:{_JOINING}):?\s+{_FILLING}{{0,4}}(?=(?:{_ASKING}(?!\w)|{_WISH}))"
    rf"|,?\s+(?:no )?[ai]\s+(?:na (?:deser|koniec|zakonczenie|poczatek)|od siebie|"
    rf"z (?:matm|matematyk)\w+|dla (?:mnie|nas|siebie)):?\s+(?:dorzuc,? )?(?={_ASKING}(?!\w))"
    r"|,?\s+i\s+(?=\w+ (?:mnie|nas|mi) (?:rysunkiem|obrazkiem|grafika)\b)"
    rf"|{_MINDED}[,:]\s+(?={_ASKING}(?!\w))|\s\+\s+(?={_ASKING}(?!\w))"
    rf"|[,;–-]\s+(?:a |i |no i )?{_BESIDES}\s?[,:–-]\s+(?=\S)"
    rf"|(?<=\d[.])\s+(?=(?:drugie|jeszcze|po drugie|po trzecie|{_ASKING})(?!\w))"
    rf"|,?\s+a\s+(?=(?:ze|zeby|jak|gdy|kiedy|skoro|by) [^.?!]{{3,80}}"
    rf"(?:{_DRAW}|powiedz|sprawdz|po(?:d)?licz|oblicz|[–,-] (?:kim|kto|co to|czym) ))"
    r"|,?\s+a\s+(?=(?:o|dla|do) [^.?!,]{3,60} (?:podaj|powiedz|sprawdz|znajdz|poszukaj)\b)"
    rf"|,\s+a\s+(?=\w+ [–-] {_ASKING}(?!\w))"
)
_SECOND = regex(
    r"^(?:i |a |oraz )?(?:jeszcze jedno|drugie pytanie|po drugie|po trzecie|druga sprawa|"
    r"przy okazji|potem|nastepnie|a obok|dodatkowo)[^:]{0,20}[:,]\s*"
)
_OBJECT = regex(r"o \w{3,}(?:anie|enie|ecie)\b")
"""Goes on with what is asked for: "proszę o opis zamku oraz o narysowanie baszty"."""

_REQUEST = regex(
    rf"(?:^|[ ,:„])(?:{_ASKING}|\w+cie|popro\w+|prosze|prosic|prosb[ae]|chce|chcial\w+|potrzebn\w+|"
    r"potrzebuj\w+|oswiec|podpowiedz|przypomnij|przybliz|zdradz)(?!\w)"
)
_LOOKING = regex(
    r"(?:i |a )?(?:prosze )?(?:znajdz|wyszukaj|poszukaj|sprawdz|powiedz|zobacz|zerknij|przypomnij)"
    r"(?: (?:mi|tez|prosze))?(?: (?:w|na) \w{2,20})?"
    r"|prosze o (?:podanie|sprawdzenie|wyszukanie|znalezienie|informacje|odpowiedz)"
)
_HEADS: Mapping[str, re.Pattern[str]] = MappingProxyType({
    "weather": regex(r"(?:\W*\w+[,:]? )?(?:pogod|temp|prognoz)\w*\b"),
    "wikipedia": regex(r"(?:\W*\w+[,:]? )?(?:wiki\w*|encyklopedi\w*|haslo)\b"),
    "image": regex(
        rf"(?:\W*\w+ )?{MEDIUM}\b|.*[,(–-] ?(?:jako )?(?:{MEDIUM}|pixel art|rycina|"
        r"(?:to )?do (?:namalo|naryso|wygenero)wania)\W*$"
        rf"|.*\b{MEDIUM}:"
    ),
})
"""What heads, or closes, a request that has no verb."""
_FOR_MODEL = regex(
    r"(?:prosze )?(?:napisz|przetlumacz|wymysl|zredaguj|uloz|zaproponuj|doradz|stresc)\b[^:]*$"
)
_ORDER = regex(
    r"(?:prosze )?(?:sprawdz|zobacz|zerknij|po(?:d)?licz|oblicz|znajdz|wyszukaj|podaj|powiedz|"
    r"przypomnij|ile (?:to|wynosi|jest)|(?:na|wy)rysuj|namaluj|wygeneruj|zrob|stworz|zaprojektuj|"
    r"naszkicuj)\b"
)
_CORRECTED = regex(
    r"\b(?:albo|chociaz|a|choc|wroc|oj|tfu|ech)[, ]+(?:jednak )?nie\b|\bzamiast tego\b|"
    r"\bzle (?:przeczyta|napisa|policzy|spojrza|wpisa)l\w*|"
    r"[,.–-]\s*nie,\s|\b(?:niewazne|pomylil\w+|pomylka|miala? byc|mialo byc|cofam)\b"
)
_ALSO = regex(r"(?:a |i |no i |oraz )?(?:jeszcze|takze|dodatkowo|ponadto)\b")
_REFUSED = regex(r"(?:ale |tylko |i |prosze )?(?:nie|bez|byle nie|zadn\w+|zamiast)\b")


_DOING = regex(
    r"jak (?!(?:bardzo|duzo|dlugo|daleko|wysok\w+|to|sie|jest|bedzie)\b)\w+(?:e|i|y|a)\b"
)
_TOTAL = regex(
    r"(?:(?:to|i|a|czyli) )?(?:ile|jak[ai] (?:to|jest|wyjdzie|bedzie))\b[^\d,.?!]{0,40}[.?!]*"
)
_FIGURE = regex(r"\d+(?:[.,]\d+)?")
_LIKENESS = regex(r"jak \w{4,}[.!]?")
"""How a picture looks: "jak miedzioryt"."""
_DRAWN = regex(r"\b(?:na|prze)?(?:rys(?:uj|ow)|mal(?:uj|ow)|szkic(?:uj|ow))\w*|\bportret\b")


def is_corrected(prompt: str) -> bool:
    """Whether the user takes back what stands first: only what holds in the end counts."""
    return _CORRECTED.search(fold_evenly(prompt)) is not None


def is_refused(clause: str) -> bool:
    """Whether a clause says what is not wanted."""
    return _REFUSED.match(fold_evenly(clause)) is not None


def are_alike(clauses: Sequence[str]) -> bool:
    """Whether clauses ask the same: "kim była A, kim B", "kim była A? Jeszcze B sprawdź."."""
    first = {fold_evenly(strip_opening(clause)).split(" ", 1)[0] for clause in clauses}
    is_more = len(clauses) == _PAIR and _ALSO.match(fold_evenly(clauses[1])) is not None
    return len(first) == 1 or is_more


def is_request(clause: str) -> bool:
    """Whether a clause has a sign of asking: "Oleśnica, ta koło Wrocławia" has none."""
    return "?" in clause or _REQUEST.search(fold_evenly(clause)) is not None


def orders_text(clause: str) -> bool:
    """Whether the default model is to write: "Napisz SMS-a do szefa"."""
    readings = (clause, strip_opening(clause))
    return any(_FOR_MODEL.match(fold_evenly(one)) is not None for one in readings)


def is_order(clause: str) -> bool:
    """Whether a clause begins with an order to look up, to calculate or to draw."""
    return _ORDER.match(fold_evenly(clause)) is not None


def is_headed(clause: str, label: str) -> bool:
    """Whether a clause asks for its tool as a heading does: "Pogoda: Bergen", "lis, akwarela"."""
    heads = _HEADS.get(label)
    return heads is not None and heads.match(fold_evenly(clause)) is not None


def is_total(question: str, before: str) -> bool:
    """Whether a question has its figures before it: "… 1,7 m na 1,1 m. Jaka to powierzchnia?"."""
    is_bare = _TOTAL.fullmatch(fold_evenly(question)) is not None
    return is_bare and len(_FIGURE.findall(before)) > 1


def split_clauses(prompt: str) -> tuple[str, ...]:
    """Return the parts that could be requests of their own, in order; at least the whole."""
    folded = fold_evenly(prompt)
    parts: list[str] = []
    start = 0
    for found in _BREAK.finditer(folded):
        parts.append(prompt[start : found.start()])
        start = found.end()
    parts.append(prompt[start:])
    kept = (_plain(part) for part in parts if part.strip(" ,.?!\n"))
    return tuple(_merged(part for part in kept if part))[:MOST] or (prompt,)


def _plain(part: str) -> str:
    """Take off what only says that another request follows: "Drugie pytanie: …"."""
    part = part.strip(" ,\n")
    folded = fold_evenly(part)
    if _SECOND.fullmatch(f"{folded}:") and len(folded.split()) <= _SHORT:
        return ""
    found = _SECOND.match(folded)
    rest = part[found.end() :] if found else part
    return f"proszę {rest}" if _OBJECT.match(folded) else rest


def _merged(parts: Iterable[str]) -> Iterator[str]:
    """Join a polite beginning ("Chciałabym wiedzieć") to the request after it.

    One that ends its sentence ("ponoć ma wiać, sprawdź.", "jedziemy w góry. Mróz?") belongs to
    what stands before it.
    """
    held: list[str] = []
    is_open = False
    for part in parts:
        is_polite = _is_polite(part)
        is_closing = is_polite and part.endswith((".", "?")) and bool(held)
        if held and (is_open or is_closing or _is_shown(held[-1], part)):
            held[-1] = f"{held[-1]}, {part}"
        else:
            held.append(part)
        is_open = is_polite and not is_closing
    yield from held


def _is_shown(before: str, part: str) -> bool:
    """Whether a part says what a picture shows: "narysuj ją, jak jedzie przez most"."""
    folded = fold_evenly(part)
    if _LIKENESS.fullmatch(folded):
        return True
    is_scene = _DOING.match(folded) is not None and "?" not in part
    return is_scene and _DRAWN.search(fold_evenly(before)) is not None


def _is_polite(part: str) -> bool:
    """Whether a part only begins or closes a request; one with a figure says what to compute."""
    rest = strip_opening(f"{part}, {_NEXT}").removesuffix(_NEXT)
    is_short = len(rest.split()) <= 1 and not re.search(r"\d", part)
    return is_short or _LOOKING.fullmatch(fold_evenly(part)) is not None
