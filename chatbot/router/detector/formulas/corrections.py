"""Follow people who correct themselves: "5x = 12. Sorry, na końcu ma być 14"."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from chatbot.language.numerals import NUMBER_WORDS
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.replacements import parts_replaced, sign_turned
from chatbot.router.detector.spans import fold_evenly

_SLIP = (
    r"(?:o|oj+|ojej|ups+|sorry|sory|sorki|przepraszam|moment|momencik|chwila|chwilka|chwileczke|"
    r"czekaj|poczekaj|zaraz|stop|wroc|cofam|nie|pardon|tfu|kurde|kurcze|poprawka|korekta|"
    r"pomylka|pomylilam sie|pomylilem sie|jednak|"
    r"a (?:wlasciwie|raczej|jednak)|znaczy|tzn\.?|to znaczy|wlasciwie|raczej|a nie|"
    r"zle (?:\w+am|\w+em)|blad|zamiast tego|albo nie|chociaz nie|no nie|dobra nie)"
)
_SLIP_AT_END = regex(rf"[\s,.!:…–—-]*(?:{_SLIP}[\s,.!:…–—-]*)*$")
_MEANT = r"(?:mial[oay] byc|ma byc|powinno byc|mialo tam byc|chodzilo (?:mi )?o|chodzi (?:mi )?o)"
_CORRECTED = regex(
    rf"(?:(?<=[.,;!?…–—-])\s*|\s+(?=przepraszam|sorry|wroc|tfu|pardon|czekaj|stop))"
    rf"{_SLIP}(?:[\s,.!:…–—-]+(?:{_SLIP}|{_MEANT}))*[\s,.!:…–—-]+"
)
_NUMBER = r"-?(?:\d{1,3}(?: \d{3})+|\d+)(?:[.,]\d+)?"
_NOT_BUT = regex(
    rf"\bnie ({_NUMBER}),? (?:tylko|lecz|a|ale) ({_NUMBER})|\bzamiast ({_NUMBER}) (?:\w+ )?"
    rf"(?:ma byc|mialo byc|daj|wez|wstaw|powinno byc) ({_NUMBER})|"
    rf"\b({_NUMBER}) zamiast ({_NUMBER})"
)
_SAID_NUMBER = rf"(?:{_NUMBER}|[a-z]+(?: [a-z]+){{0,2}}?)"
_SIGNS: Mapping[str, str] = MappingProxyType({
    "plus": r"(?:plus|\+)",
    "minus": r"(?:minus|[-−–])",
    "razy": r"(?:razy|[*·×])",
    "przez": r"(?:przez|[:/÷])",
})
_OPERATOR = rf"(?:\b(?:{'|'.join(_SIGNS)})|[-+−–*·×:/÷])"
_NOT_BUT_AGAIN = regex(
    r"\bnie (?P<link>przez|razy|plus|minus|z|od|do|po|za|na) "
    rf"(?P<old>{_SAID_NUMBER}),? (?:(?:tylko|lecz|ale|a) (?P<same>(?P=link))|"
    rf"(?:(?:tylko|lecz|ale|a) )?(?P<other>{'|'.join(_SIGNS)})) (?P<new>{_SAID_NUMBER})"
    r"(?=\s*(?:[.,;?!]|$))"
)
_DENIED = regex(r"\s*nie (?=[a-z]{4,}[ea] \d)")
_NEW = regex(
    r"(?:(?P<where>na koncu|na poczatku|po prawej|po lewej|rabat|znizka|podatek|vat)\b"
    r"[^\d]{0,25})?"
    rf"(?:[^\d]{{0,25}})(?P<term>{_NUMBER}(?:\s*\^\s*\d+)?)(?P<rate>\s*(?:%|proc))?\D{{0,12}}$"
)
_RANGE = regex(rf"\bod {_NUMBER} do {_NUMBER}")
_CLEAR = regex(r"[,.!:…–—-]\s*$|\b(?:przepraszam|sorr?y|wroc|tfu|pardon|czekaj|znaczy)\s*$")
_WORD_OR_FIGURES = rf"(?:{_NUMBER}|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b"
_PART = regex(r"\b(?:drug|trzeci|czwart|piat|szost|siodm|osm|dziewiat|dziesiat)(?:a|e|ych|ej)\b")
_LAST_NUMBER = regex(rf"(?<![\w,.^])(?P<number>{_WORD_OR_FIGURES}(?: {_WORD_OR_FIGURES})*)\W*$")
_FIRST_NUMBER = regex(
    rf"(?P<number>{_WORD_OR_FIGURES}(?: {_WORD_OR_FIGURES})*+)"
    rf"(?! ?(?:{_OPERATOR}|%|\^|=|(?:do|od|z|procent\w*|dodac|odjac)\b))"
)
_SHARE = regex(
    r"\b(?:jedn[aą]|dwie|trzy|cztery|piec|szesc|siedem|osiem) "
    r"(?:drug|trzeci|czwart|piat|szost|siodm|osm|dziewiat|dziesiat)\w+ (?:z|od)\b"
)
_TERM = regex(rf"{_NUMBER}(?:\s*\^\s*\d+)?")
_KEYWORD = regex(
    r"\b(?:(?:drug|trzeci|pierwsz)\w+ )?(?:pochodn\w+|calk\w+|granic\w+|rozwiaz\w*|pierwiast\w+|"
    r"silni\w+|logarytm\w*|log|srednia|mediana|wyznacznik|nwd|nww|uprosc|upraszcz\w*)\b"
)


def corrected(text: str) -> Iterator[str]:
    """Yield what the prompt may mean, the likeliest first; the prompt itself is the last.

    Only marks of a correction count: without one there is nothing but the prompt.
    """
    folded = fold_evenly(text)
    if found := _NOT_BUT.search(folded):
        yield from _replaced(text, folded, found)
    if found := _NOT_BUT_AGAIN.search(folded):
        yield from _put_instead(text, folded, found)
    yield from sign_turned(text)
    marks = [one for one in _CORRECTED.finditer(folded) if not _DENIED.match(folded, one.start())]
    marks = marks[-1:]
    for mark in marks:
        before, after = text[: mark.start()], text[mark.end() :]
        if (said := _said_again(before, after)) is not None:
            yield said
        if _CLEAR.search(mark[0]) and (said := _number_again(before, after)) is not None:
            yield said
        yield from parts_replaced(text, before, after)
        patched = _patched(before, folded[mark.start() :])
        if patched is not None:
            yield patched
        elif re.search(r"\d|[a-z]\s*[-+*/^=]", fold_evenly(after)):
            keyword = _KEYWORD.search(fold_evenly(before))
            if keyword and not _KEYWORD.search(fold_evenly(after)):
                yield f"{keyword[0]} {after}"
            yield after
    yield text


def _number_again(before: str, after: str) -> str | None:
    """Put the number that follows in the place of the one just said: "cztery... nie, pięć"."""
    old = _LAST_NUMBER.search(fold_evenly(before))
    new = _FIRST_NUMBER.match(fold_evenly(after))
    if old is None or new is None or not (_is_number(old["number"]) and _is_number(new["number"])):
        return None
    if _PART.search(new["number"]) and _PART.search(fold_evenly(before)):
        return None
    return f"{before[: old.start('number')]}{after}"


def _is_number(said: str) -> bool:
    return all(word in NUMBER_WORDS or word[0].isdigit() for word in said.split())


def _said_again(before: str, after: str) -> str | None:
    """Put "od 0 do 2" in the place of the range that was said before."""
    new = _RANGE.match(fold_evenly(after))
    places = list(_RANGE.finditer(fold_evenly(before)))
    if new is None or not places:
        return None
    return f"{before[: places[-1].start()]}{after[: new.end()]}{before[places[-1].end() :]}"


def _replaced(text: str, folded: str, found: re.Match[str]) -> Iterator[str]:
    old, new = next(
        (found[one], found[other])
        for one, other in ((1, 2), (3, 4), (6, 5))
        if found[one] is not None
    )
    before = text[: found.start()]
    places = list(re.finditer(rf"(?<![\d.,]){re.escape(old)}(?![\d])", folded[: found.start()]))
    if len(places) == 1:
        start, end = places[0].span()
        yield f"{before[:start]}{new}{before[end:]}"


def _put_instead(text: str, folded: str, found: re.Match[str]) -> Iterator[str]:
    """Read "144 przez osiem, nie przez osiem, tylko przez dziewięć" in the place said before."""
    before, link = text[: found.start()], found["same"] or found["other"]
    said = rf"(?<!\w){_SIGNS.get(found['link'], found['link'])} ?{re.escape(found['old'])}\b"
    places = list(re.finditer(said, folded[: found.start()]))
    if len(places) == 1:
        start, end = places[0].span()
        kept = _SLIP_AT_END.sub("", folded[end : found.start()])
        new = text[found.start("new") : found.end("new")]
        yield f"{before[:start]}{link} {new}{kept}"


def _patched(before: str, after: str) -> str | None:
    """Put the one new number of the correction into what was said before."""
    numbers = _TERM.findall(after)
    new = _NEW.search(after)
    if new is None or not numbers or len(set(numbers)) > 1 or _SHARE.search(after):
        return None
    folded = fold_evenly(before)
    terms = list(_TERM.finditer(folded))
    if not terms:
        return None
    place = _place(new, terms, folded)
    if place is not None and (turned := _turned(before, place, new["term"], after)) is not None:
        return turned
    return None if place is None else before[: place.start()] + new["term"] + before[place.end() :]


def _turned(before: str, place: re.Match[str], term: str, after: str) -> str | None:
    """Put "+ 21" in the place of "- 21", where the sign was wrong."""
    bare, term = place[0].lstrip("-"), term.lstrip("-")
    said = re.search(rf"(?P<sign>{_OPERATOR}) ?{re.escape(term)}(?!\d)", after)
    sign = re.search(rf"(?P<sign>{_OPERATOR}) ?$", fold_evenly(before[: place.end() - len(bare)]))
    if said is None or sign is None or _is_same(said["sign"], sign["sign"]):
        return None
    return f"{before[: sign.start()]}{said['sign']} {term}{before[place.end() :]}"


def _is_same(one: str, other: str) -> bool:
    return one == other or any(
        re.fullmatch(said, one) and re.fullmatch(said, other) for said in _SIGNS.values()
    )


def _place(new: re.Match[str], terms: list[re.Match[str]], folded: str) -> re.Match[str] | None:
    """The number that is meant: the one named, one of the same kind, the last."""
    match new["where"]:
        case "na poczatku" | "po lewej":
            return terms[0]
        case _ if new["where"] in {"rabat", "znizka", "podatek", "vat"} or new["rate"]:
            rates = [one for one in terms if re.match(r"\s*(?:%|proc)", folded[one.end() :])]
            return rates[0] if len(rates) == 1 else None
        case _:
            return terms[-1]
