"""Questions about figures that are no formula yet: prices, rebates, shares, speeds."""

import re

from chatbot.language.folding import fold

_N = r"(\d+(?:[.,]\d+)?)"
_PERCENT = r" ?(?:%|proc\w*)"
_UNIT = r"(?: ?(?:zl\w*|pln|euro|kg|sztuk\w*|jabl\w+|cukierk\w+))?"
_GAP = r"\D{0,40}"

# Folded text, and the expression of its figures in order.
_SAYINGS: tuple[tuple[str, str], ...] = (
    (
        rf"{_N} (?:to|jest|stanowi) (?:ile|jaki\w*) (?:procent\w*|%) (?:z|od|liczby) {_N}",
        r"\1/\2*100",
    ),
    (rf"{_N}/{_N} (?:w|na|jako) procent", r"\1/\2*100"),
    (rf"{_N} ?(?:%|procent\w*) (?:na|jako) ulamek", r"\1/100"),
    (rf"ile razy {_N} (?:z?miesci sie|wchodzi) w {_N}", r"\2/\1"),
    (rf"procent {_N} z {_N}", r"\1/100*\2"),
    (rf"vat {_N}{_PERCENT} (?:od|z|dla) {_N}", r"\1/100*\2"),
    (rf"\bod {_N} (?:odejmij|odjac) {_N}", r"\1 - \2"),
    (rf"\bdo {_N} (?:dodaj|dodac) {_N}", r"\1 + \2"),
    (rf"ile brakuje (?:z |od )?{_N}{_UNIT} do {_N}", r"\2 - \1"),
    (rf"(?:podwojn\w+ wartosc|podwojon\w+|dwukrotnosc|podwoj) (?:liczby )?{_N}", r"2*\1"),
    (rf"(?:potrojn\w+ wartosc|trzykrotnosc|potroj) (?:liczby )?{_N}", r"3*\1"),
    (rf"czterokrotnosc (?:liczby )?{_N}", r"4*\1"),
    (rf"pieciokrotnosc (?:liczby )?{_N}", r"5*\1"),
    (rf"dziesieciokrotnosc (?:liczby )?{_N}", r"10*\1"),
    (rf"ile procent wzrosl\w*{_GAP} z {_N}{_UNIT} (?:do|na) {_N}", r"(\2 - \1)/\1*100"),
    (rf"ile procent spadl\w*{_GAP} z {_N}{_UNIT} (?:do|na) {_N}", r"(\1 - \2)/\1*100"),
    (
        (
            rf"{_N} ?(?:zl\w*|pln|euro){_GAP}(?:obniz\w+|raba[ct]\w*|zniz\w+|przecen\w*|taniej)"
            rf"\D{{0,12}}{_N}{_PERCENT}"
        ),
        r"\1*(1 - \2/100)",
    ),
    (
        rf"{_N} ?(?:zl\w*|pln|euro){_GAP}(?:podwyzc?\w+|drozej)\D{{0,12}}{_N}{_PERCENT}",
        r"\1*(1 + \2/100)",
    ),
    (rf"{_N} \w+ po {_N} ?(?:zl\w*|pln|euro)\b.*\bile\b", r"\1*\2"),
    (rf"\bile\b{_GAP}{_N} \w+ po {_N} ?(?:zl\w*|pln|euro)\b", r"\1*\2"),
    (
        (
            rf"\b(?:mam|mial\w*){_GAP}\b{_N}\D{{0,30}}(?:wydal|odda|zjad|zgub|stracil|pozyczyl)\w*"
            rf"\D{{0,12}}{_N}\D*\bile\b\D*(?:zosta|mam)"
        ),
        r"\1 - \2",
    ),
    (
        (
            rf"\b(?:mam|mial\w*){_GAP}\b{_N}\D{{0,30}}(?:dosta|dokup|znalaz|zarobi)\w*"
            rf"\D{{0,12}}{_N}\D*\bile\b\D*(?:mam|razem|lacznie)"
        ),
        r"\1 + \2",
    ),
    (rf"{_N} ?km/h\D*\bile\b\D*(?:w|przez|po|ciagu) {_N} ?(?:godz\w*|h)\b", r"\1*\2"),
    (rf"ile zaplac\w* za {_N} \w+ po {_N}", r"\1*\2"),
)
_COMPILED = tuple((re.compile(pattern), written) for pattern, written in _SAYINGS)
_AS_FRACTION = re.compile(r"(\d+)[.,](\d+) (?:na|jako) ulamek(?! dziesietn)")


def read_saying(text: str) -> str | None:
    """Return the expression of a question such as "rower za 1200 zł, rabat 15%, ile zapłacę?"."""
    words = " ".join(fold(text).split())
    if found := _AS_FRACTION.search(words):
        return f"{int(found[1] + found[2])}/1{'0' * len(found[2])}"
    for pattern, written in _COMPILED:
        if found := pattern.search(words):
            return re.sub(r"(?<=\d),(?=\d)", ".", found.expand(written))
    return None
