"""Read numbers from Polish words and digits: cardinals, ordinals, fractions, mixed, negative."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

Value: TypeAlias = int | Fraction | Decimal

_UNITS: tuple[tuple[int, str], ...] = (
    (0, "zero zera zeru zerem zerze"),
    (1, "jeden jedyn jedna jedno jednego jednej jednemu jednym"),
    (2, "dwa dwie dwoch dwu dwom dwoma dwiema dwaj dwoje dwojga"),
    (3, "trzy trzi trzech trzem trzema trzej troje trojga"),
    (4, "cztery czyry sztyry sztery styry czterech czterem czterema czterej czworo czworga"),
    (5, "piec piync pinc pienc piynciu pinciu pieciu pieciorgu piecioro pieciorga piecioma"),
    (6, "szesc szejsc szyjsc szesciu szescioro szescioma"),
    (7, "siedem sidem siedym siedmiu siedmioro siedmioma"),
    (8, "osiem osim osiym oziym osmiu osmioro osmioma"),
    (9, "dziewiec dziewiyc dziewinc dziewiync dziewieciu dziewiecioro dziewiecioma"),
    (10, "dziesiec dziesiyc dziesinc dziesiync dziesieciu dziesiecioro dziesiecioma"),
    (11, "jedenascie jedynoscie jedenoscie jedenastu jedenastoma"),
    (12, "dwanascie dwanoscie dwunastu dwunastoma"),
    (13, "trzynascie trzinoscie trzynoscie trzynastu trzynastoma"),
    (14, "czternascie szternoscie sztyrnascie sztyrnoscie czternoscie czternastu czternastoma"),
    (15, "pietnascie pintnascie pietnoscie piytnoscie pietnoscie pietnastu pietnastoma"),
    (16, "szesnascie szesnoscie szesnastu szesnastoma"),
    (17, "siedemnascie siedymnoscie siedemnoscie siedemnastu siedemnastoma"),
    (18, "osiemnascie osiymnoscie osiemnoscie oziymnoscie osiemnastu osiemnastoma"),
    (19, "dziewietnascie dziewiytnoscie dziewietnoscie dziewietnastu dziewietnastoma"),
    (20, "dwadziescia dwajscie dwadziscia dwadziescie dwajscia dwadziysta dwudziestu dwudziestoma"),
    (
        30,
        (
            "trzydziesci trzidzisci trzydzisci trzidziysci "
            "trzidzisci trzidziesci czydziesci trzydziestu trzydziestoma"
        ),
    ),
    (
        40,
        (
            "czterdziesci sztyrdzisci czterdzisci "
            "sztyridzisci sztyrdziesci czterdziestu czterdziestoma"
        ),
    ),
    (
        50,
        (
            "piecdziesiat pindziesiat pincdziesiat piyndziesiat "
            "pindziesiont piyndziesiont piyncdziesiont "
            "piecdziesiont piecdziesieciu piecdziesiecioma"
        ),
    ),
    (
        60,
        (
            "szescdziesiat szejdziesiat szesdziesiat "
            "szescdziesiont szejscdziesiont szejsdziesiat szescdziesieciu szescdziesiecioma"
        ),
    ),
    (
        70,
        (
            "siedemdziesiat siedymdziesiat siedymdziesiont "
            "siedemdziesiont siedemdziesieciu siedemdziesiecioma"
        ),
    ),
    (
        80,
        "osiemdziesiat osiymdziesiat osimdziesiat oziymdziesiont osiemdziesieciu osiemdziesiecioma",
    ),
    (
        90,
        (
            "dziewiecdziesiat dziewindziesiat "
            "dziewiecdziesiont dziewiyncdziesiont dziewiecdziesieciu dziewiecdziesiecioma"
        ),
    ),
    (100, "sto stu stoma"),
    (200, "dwiescie dwiesta dwustu dwustoma"),
    (300, "trzysta trzista trzystu trzystoma"),
    (400, "czterysta sztyrysta czterystu czterystoma"),
    (500, "piecset piyncset pinset piecet pincet piencset pieciuset"),
    (600, "szescset szesset szejset szejscset szesciuset"),
    (700, "siedemset siedymset siedmiuset"),
    (800, "osiemset osiymset osmiuset"),
    (900, "dziewiecset dziewieciuset"),
)
_SCALES: tuple[tuple[int, str], ...] = (
    (
        10**3,
        (
            "tysiac tysionc tysiace tysiecy tysiaca tysiacu tysiacem "
            "tysiacach tysiacom tysiacami tys tys."
        ),
    ),
    (10**6, "milion miliony milionow miliona milionowi milionem milionie milionach milionom mln"),
    (10**9, "miliard miliardy miliardow miliarda miliardem miliardzie miliardach mld"),
    (10**12, "bilion biliony bilionow biliona bilionem bilionie bilionach bln"),
)
_ORDINAL_STEMS: tuple[tuple[int, str], ...] = (
    (0, "zerow"),
    (1, "pierwsz"),
    (2, "drug"),
    (3, "trzec"),
    (4, "czwart"),
    (5, "piat"),
    (6, "szost"),
    (7, "siodm"),
    (8, "osm"),
    (9, "dziewiat"),
    (10, "dziesiat"),
    (11, "jedenast"),
    (12, "dwunast"),
    (13, "trzynast"),
    (14, "czternast"),
    (15, "pietnast"),
    (16, "szesnast"),
    (17, "siedemnast"),
    (18, "osiemnast"),
    (19, "dziewietnast"),
    (20, "dwudziest"),
    (30, "trzydziest"),
    (40, "czterdziest"),
    (50, "piecdziesiat"),
    (60, "szescdziesiat"),
    (70, "siedemdziesiat"),
    (80, "osiemdziesiat"),
    (90, "dziewiecdziesiat"),
    (100, "setn"),
    (200, "dwusetn"),
    (300, "trzechsetn"),
    (400, "czterechsetn"),
    (500, "piecsetn"),
    (600, "szescsetn"),
    (700, "siedemsetn"),
    (800, "osiemsetn"),
    (900, "dziewiecsetn"),
    (1000, "tysieczn"),
    (2000, "dwutysieczn"),
    (10**4, "dziesieciotysieczn"),
    (10**5, "stutysieczn"),
    (10**6, "milionow"),
)
_ENDINGS = (
    "y",
    "a",
    "e",
    "ego",
    "emu",
    "ej",
    "ym",
    "ych",
    "ymi",
    "i",
    "iego",
    "iej",
    "im",
    "ich",
    "ia",
    "ie",
    "iemu",
)
_SHARE_ENDINGS = ("a", "ia", "e", "ie", "ych", "ich", "ej", "iej")  # feminine: (część) trzecia
_HALVES: Mapping[str, Fraction] = MappingProxyType({
    "pol": Fraction(1, 2),
    "polowa": Fraction(1, 2),
    "polowe": Fraction(1, 2),
    "polowy": Fraction(1, 2),
    "cwierc": Fraction(1, 4),
    "poltora": Fraction(3, 2),
    "poltorej": Fraction(3, 2),
})
_DIGITS = regex(r"\d+(?:[.,]\d+)?(?:/\d+)?")
_THOUSANDS = regex(r"(?<![\d.,])(\d{1,3})((?:[ \u00a0\u202f]\d{3})+)(?![\d])")
_TOKEN = regex(r"\d+(?:[.,]\d+)?(?:/\d+)?|[^\W\d]+\.?|[-−–+]")
_LONGEST = 300  # characters; nobody says a longer number
_UNLIMITED = 10**_LONGEST
_NEGATIVE = frozenset({"minus", "-", "−", "–"})


def _table(rows: Sequence[tuple[int, str]]) -> Mapping[str, int]:
    return MappingProxyType({form: value for value, forms in rows for form in forms.split()})


_CARDINALS = _table(_UNITS)
_MAGNITUDES = _table(_SCALES)
_ORDINALS: Mapping[str, int] = MappingProxyType({
    stem + ending: value for (value, stem), ending in product(_ORDINAL_STEMS, _ENDINGS)
})


NUMBER_WORDS = frozenset({*_CARDINALS, *_MAGNITUDES, *_ORDINALS, *_HALVES})
"""All words of numbers, folded: cardinals, ordinals, magnitudes and fractions."""


def is_number_word(word: str) -> bool:
    """Tell whether one word can be part of a number: cardinal, ordinal, magnitude or fraction."""
    return fold(word) in NUMBER_WORDS


def read_number(words: str) -> Value | None:
    """Read one number written in Polish words, digits or both; ``None`` if the text is not one.

    "pięćset dwadzieścia dziewięć" → 529, "dwa i pół" → 5/2, "2,5" → Decimal("2.5"), "minus sto
    dwa" → −102, "trzy czwarte" → 3/4, "dwudziesty piąty" → 25, "5 tysięcy" → 5000, "trzy
    przecinek czternaście" → Decimal("3.14"). Inflected forms and missing diacritics are read.
    """
    if len(words) > _LONGEST:
        return None
    text = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found[0]), fold(words).strip(" .!?"))
    tokens = _TOKEN.findall(text)
    if not tokens or _TOKEN.sub("", text).strip():
        return None
    is_negative = tokens[0] in _NEGATIVE
    if is_negative or tokens[0] in {"plus", "+"}:
        tokens = tokens[1:]
    value = _read_unsigned(tokens)
    return -value if is_negative and value is not None else value


def _read_unsigned(tokens: Sequence[str]) -> Value | None:
    for separator in ("przecinek", "kropka"):
        if separator in tokens:
            return _read_point(tokens, tokens.index(separator))
    for readers in (_read_whole, _read_half, _read_share, _read_mixed):
        if (value := readers(tokens)) is not None:
            return value
    return None


def _read_whole(tokens: Sequence[str]) -> Value | None:
    """Read cardinals and ordinals in descending order: "tysiąc dziewięćset dwudziesty"."""
    total: Value = 0
    group: Value | None = None
    scale_before, step_before = _UNLIMITED, _UNLIMITED
    for token in tokens:
        if token in _MAGNITUDES:
            scale = _MAGNITUDES[token]
            if scale >= scale_before:
                return None
            total = _add(total, _times(1 if group is None else group, scale))
            group, scale_before, step_before = None, scale, _UNLIMITED
            continue
        step = _read_step(token)
        if step is None or not _fits(step, group, step_before):
            return None
        group = step if group is None else _add(group, step)
        step_before = _place(step)
    if group is not None and not group < scale_before:
        return None
    return _plain(_add(total, group or 0)) if tokens else None


def _read_step(token: str) -> Value | None:
    if _DIGITS.fullmatch(token):
        return _read_digits(token)
    if (value := _CARDINALS.get(token)) is not None:
        return value
    return _ORDINALS.get(token)


def _fits(step: Value, group: Value | None, step_before: int) -> bool:
    """Whether a word may stand after the ones before: hundreds, then tens, then units."""
    if group is None:
        return True
    return isinstance(step, int) and 0 < step < step_before


def _place(step: Value) -> int:
    """Return what the next word must be smaller than: 100 after "dwieście", 1 after "pięć"."""
    if not isinstance(step, int):
        return 1
    for place in (1000, 100, 10):
        if step >= place and step % place == 0 and step != 10:  # noqa: PLR2004 - "dziesięć" ends
            return place
    return 1


def _read_half(tokens: Sequence[str]) -> Value | None:
    """Read "pół", "półtora", "dwa i pół", "pół miliona", "ćwierć"."""
    scale = _MAGNITUDES.get(tokens[-1]) if tokens else None
    if scale is not None and (share := _read_half(tokens[:-1])) is not None:
        return _plain(share * scale)
    match list(tokens):
        case [half] if half in _HALVES:
            return _HALVES[half]
        case [*whole, "i" | "z", half] if half in _HALVES:
            value = _read_whole(whole)
            return None if value is None else _plain(_add(value, _HALVES[half]))
        case _:
            return None


def _read_share(tokens: Sequence[str]) -> Fraction | None:
    """Read "trzy czwarte", "jedna druga", "dwadzieścia pięć setnych", "pół" excluded."""
    *above, last = tokens or ("",)
    is_share = last.endswith(_SHARE_ENDINGS)
    denominator = _ORDINALS.get(last)
    numerator = _read_whole(above)
    if not is_share or not denominator or not isinstance(numerator, int):
        return None
    return Fraction(numerator, denominator)


def _read_mixed(tokens: Sequence[str]) -> Value | None:
    """Read "dwa i trzy czwarte", "trzy całe i pięć dziesiątych", "3 i 1/2"."""
    for position, token in enumerate(tokens):
        if token not in {"i", "cale", "calych", "cala"}:
            continue
        rest = [word for word in tokens[position:] if word not in {"i", "cale", "calych", "cala"}]
        whole = _read_whole(tokens[:position])
        share = _read_share(rest) or (_read_whole(rest) if "/" in " ".join(rest) else None)
        if isinstance(whole, int) and share is not None:
            return _plain(_add(whole, share))
    return None


def _read_point(tokens: Sequence[str], position: int) -> Decimal | None:
    """Read "trzy przecinek zero pięć": what follows the point is digits, zeros first."""
    whole = _read_whole(tokens[:position])
    zeros, rest = "", list(tokens[position + 1 :])
    while rest and _read_whole(rest[:1]) == 0:
        zeros, rest = zeros + "0", rest[1:]
    tail = _read_whole(rest) if rest else None
    digits = zeros + (_read_spelled(rest) if tail is None else str(tail))
    if not isinstance(whole, int) or not digits.isdecimal() or (rest and digits == zeros):
        return None
    return Decimal(f"{whole}.{digits}")


def _read_spelled(tokens: Sequence[str]) -> str:
    """Read digits said one by one: "jeden cztery jeden" → "141"; empty if they are none."""
    values = [_CARDINALS.get(token) for token in tokens]
    spelled = [str(value) for value in values if value is not None and value < 10]  # noqa: PLR2004 - one digit
    return "".join(spelled) if len(spelled) == len(tokens) else ""


def _read_digits(token: str) -> Value | None:
    number, _, denominator = token.partition("/")
    value = Decimal(number.replace(",", "."))
    if denominator:
        return None if int(denominator) == 0 else _plain(Fraction(value) / int(denominator))
    return int(number) if number.isdecimal() else value


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        return _to_decimal(left) + _to_decimal(right)
    return left + right


def _times(value: Value, scale: int) -> Value:
    return _plain(value * scale)


def _to_decimal(value: Value) -> Decimal:
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return Decimal(value)


def _plain(value: Value) -> Value:
    """Return a whole value as an int, any other unchanged."""
    return int(value) if value == int(value) else value
