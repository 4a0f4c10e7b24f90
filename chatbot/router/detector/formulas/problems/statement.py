"""A word problem taken apart: its words with figures for number words, and its quantities."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.cursor import ORDINALS
from chatbot.router.detector.formulas.latex import from_latex
from chatbot.router.detector.formulas.tokens import Token, tokenise
from chatbot.router.detector.spans import fold_evenly

MOST_TOKENS = 320
NUMBER = r"(\d+(?:\.\d+)?(?:/\d+)?)"

_EACH_MOMENT = r"(?:na |w ciagu )(?P<told>minut|sekund|godzin|dob)[eya]\b"
_MEASURED = (
    r"razy|litr|mili|metr|centy|kilo|gram|zlot|czasu|minut|godzin|sekund|prad|energii|wody|"
    r"to\b|bedzie|jest|wynosi|zuzy|strac|trac"
)
_SPAN_OF_TIME = r"dob[eya]|godzin[eya]|minut[eya]|tydzien|tygodnia"
_WHILE = r"\bil[eu]\b[^?.\d]*\b(?:przez|w ciagu|w trakcie|w czasie|w) (?:cal[aey] )?(?!(?P=told))"
_RATES: tuple[tuple[Guarded, str], ...] = tuple(
    (Guarded(pattern), written)
    for pattern, written in (
        (r"\bm\s*/\s*s\s*(?:\^\s*2|2|²)(?!\w)", " mpskw "),
        (r"\b(?:km|kilometr\w*)\s*(?:/|na|per)\s*(?:h\b|godz\w*)", " kmh "),
        (r"\bm\s*/\s*s\b|\bmetr\w* na sekund\w*", " mps "),
        (r"\b(?:km|kilometr\w*)\s*(?:\^?2|²|kw\w*)(?!\w)", " kmkw "),
        (r"\bm\s*(?:\^?2|²)(?!\w)|\bmetr\w* kwadratow\w*", " mkw "),
        (r"\bm\s*(?:\^?3|³)(?!\w)|\bmetr\w* szescienn\w*", " msz "),
        (r"\bcm\s*(?:\^?2|²)(?!\w)", " cmkw "),
        (r"\bcm\s*(?:\^?3|³)(?!\w)", " cmsz "),
        (r"\bdm\s*(?:\^?3|³)(?!\w)", " litrow "),
        (
            r"(?<=\w)\s*/\s*(kg|szt\w*|h|godz\w*|os\w*|mies\w*|mkw|litr\w*|l|dzien|noc|dob\w*)\b",
            r" za \1 ",
        ),
        (r"(?<=\d)( ?\w+)? ?/ ?(100 ?km)\b", r"\1 na \2"),
        (r"\b(szt|os|godz|min|tab|kaps)\.(?= ?/)", r"\1"),
        (r"\b(pin|sms|vat|cd|dvd|usb)-(?=[a-z]{1,4}\b)", r"\1"),
        (r"\b(vat\w*(?: (?:to|wynosi))?) (5|8|23)\b(?! ?%| ?proc| ?zl|[,.]\d| ?pln)", r"\1 \2%"),
        (r"\bile +(?:cmkw|mkw) +ma\b", "pole ma"),
        (r"\b(\d{1,3}) ?zl ?(\d\d)(?: ?gr\w*)?\b", r"\1,\2 zl"),
        (r"\b(\d{1,3}) ?zl ?(\d) ?gr\w*", r"\1,0\2 zl"),
        (r"\bmil\w* morsk\w*", " milmorskich "),
        (
            r"((?:spala\w*|pali|bierze|zuzy\w*)[^.?!]{0,30} na )sto\b(?! *(?:km|kilo|metr))",
            r"\g<1>100 km",
        ),
        (r"\b(?:trzy|3) kwadranse\b", "45 minut"),
        (r"(?<![\d-] )\bkwadrans\b(?! (?:po|przed|na)\b)", "15 minut"),
        (r"(\d ?(?!m?[gl]\b|c?m\b|kg\b|zl)[a-z]+) (?:to|=) 1 (m?l|kg|g)\b", r"\1 na \2"),
        (r"\bprzez (?:caly |1 |jeden )?tydzien\b", "przez 7 dni"),
        (r"(?<=watow )(\w[^.?!\d]* )cala dobe\b", r"\1 24 godziny"),
        (
            r"^(?=.*\b(?:miesiecznie|na miesiac|co miesiac))(.*)\bprzez (?:caly |1 |jeden )?rok\b",
            r"\1przez 12 miesiecy",
        ),
        (r"^(?=.*\b(?:kazdego dnia|codzien|dzienn))(.*)\bpo tygodniu\b", r"\1po 7 dniach"),
        (rf"^(.*\d) razy ({_EACH_MOMENT}.*\bile )(?!{_MEASURED})([a-z]{{4,}})\b", r"\1 \4 \2\4"),
        (rf"^(.*\d) razy ({_EACH_MOMENT}.*\bile )razy\b", r"\1 uderzen \2uderzen"),
        (rf"^(.*\d[^.?!]*\b(?:{_EACH_MOMENT}|watow\b).*{_WHILE})({_SPAN_OF_TIME})\b", r"\1 1 \3"),
        (r"\bpo czemu\b", "po ile"),
        (r"(?<=\d) ?(?:deko|dkg|deka)\b", " dag"),
        (
            (
                r"\b(kilogram|kilo|kg|litr|metr) ((?:[a-z]+ ){0,3}?)((?:kosztuje|jest po|po|za) "
                r"\d+(?:[.,]\d+)?)(?: ?(?:zl\w*|pln))?(?=[ ,.].*\d ?(?:dag|g|gram\w*|ml|cm)\b)"
            ),
            r"\2\3 zl za \1",
        ),
        (r"\b(?:2|dwa|dwoch|dwoma) (?=rownolegl\w+ bok)", ""),
        (r"\b(promocj\w*|akcj\w*|ofert\w*):? „?\d ?\+ ?\d”?(?=:)", r"\1"),
        (r"[,;.] [^,.;?\d=]*\bwzor\w* (?:z|ze|na to|jest|byl)\b[^,.;?\d=]*", " "),
        (r"\bna (?:setke|100)(?! *(?:km|kilo|g|ml|os))\b", "na 100 km"),
        (r"\bpolow[aeyo] (?:ceny|kwoty)\b", "50%"),
        (r"\b(?:1?\d|2[0-4])[:.][0-5]\d\b(?= ?(?:-|–|do)|\s*(?:$|[.,?!]))", " "),
        (r"\b(?:o|od|godz\.?|godzinie|przed|po|do) (?:1?\d|2[0-4]):[0-5]\d\b", " "),
        (
            (
                r"(?:§|\b(?:nr|numer|klas\w{1,2}|(?:zad\w*|art|ust)\.?|rozdz\w+|pkt)) ?"
                r"\d+[a-h]?\b(?! (?:osob|uczni|dzieci))"
            ),
            " ",
        ),
        (r"\b(?:1[5-9]|20)\d\d ?(?:r\b\.?|roku?\b)|\brok(?:u|iem)? (?:1[5-9]|20)\d\d\b", " "),
        (r"\bw (?:19|20)\d\d(?=,? (?:byl|juz|mial|wynos|sprzed|zarob))", " "),
        (r"\b\d{1,2}\.(?= ?(?:dnia|dni)\b)", " "),
        (r"\b(\d+)-(?=(?:osob|pokoj|metr|kilo|dni|godzin|minut|liter|groszow|zlot)\w*)", r"\1 "),
    )
)
_LISTED = regex(
    r"(?:(?<=[.:;„\"\n])(?<!\d:)(?<!\d :)|^)\s*\d{1,2}\.\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])"
    r"|\b\d{1,2}\.? (?:stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|"
    r"października|listopada|grudnia)(?: \d{4})?|\b\d{1,2}\. (?=dnia\b)"
)
_WATTS = regex(r"(\d) ?W\b(?! \w* ?(?:sum|ile|lini))")
_NOTATION = regex(
    r"\d ?[+*^] ?\(?\d|[√∫∑]|(?<![a-z] )=(?! ?\?)|(?<![a-z])[a-z] ?[+*^] ?(?:[a-z](?![a-z])|\d)"
    r"|\d ! (?:[-+*/:]|podziel|przez|razy|plus|minus|dzielon)"
    r"|\bod [a-z] = -? ?\d|\d do poteg\w* -? ?\d|\d ?[+*^-] ?[a-z]\b|\) ?[*/+-]|\d ?\) ?: ?[\d(]"
)
_SENTENCE = regex(r" ?(?:(?<!\d)\.|\.(?!\d)|[?!;]) ?")
_BOX = regex(
    r"\d[\d.]* [*x] \d[\d.]*(?: [*x] \d[\d.]*)?(?= (?:m|cm|mm|km|dm|metr\w*|mkw)\b)"
    r"|\d[\d.]* [*x] \d[\d.]* [*x] \d[\d.]*(?! ?[-+*/^])"
)
_STANDING_FOR = (
    (regex("🍕+"), "pizz"),
    (regex("🍎+"), "jabl"),
    (regex("🎂{2,}"), "tort"),
    (regex("([\U0001f300-\U0001faff])\\1+"), "sztuk"),
)
_COUNTED_PICTURE = regex("\\d ?(?:[×x*] ?)?([\U0001f300-\U0001faff])(?!\\1)")
_NUMBER = regex(r"\d+(?:\.\d+)?(?:/\d+)?")
_ASKING = regex(
    r"\b(?:(?:o |po )?ile|wiela|jak[iaąe]\w*|jak (?:dlugo|daleko|duzo|szybko)|oblicz|policz|"
    r"wylicz|zsumuj|"
    r"podlicz|podsumuj|wyjdzie|ilu|podziel|rozdziel|ktor[yae]\w*|starczy|srednia|sume|"
    r"do zaplaty|zosta(?:lo|nie) mi)\b"
)
COUNTS = (
    "dwu",
    "trzy",
    "cztero",
    "piecio",
    "szescio",
    "siedmio",
    "osmio",
    "dziewiecio",
    "dziesiecio",
    "jedenasto",
    "dwunasto",
    "trzynasto",
    "czternasto",
    "pietnasto",
    "szesnasto",
    "siedemnasto",
    "osiemnasto",
    "dziewietnasto",
    "dwudziesto",
)
"""What words of two to twenty parts begin with: "dwudniowy", "pieciokat"."""
_PREFIXES: Mapping[str, str] = MappingProxyType({
    **{name: str(number) for number, name in enumerate(COUNTS, 2)},
    "jedno": "1",
    "pol": "0.5",
    "poltora": "1.5",
    "dwudziestopiecio": "25",
    "dwu i pol": "2.5",
    **{f"{name}dziesto": f"{tens}0" for name, tens in (("trzy", 3), ("czter", 4))},
    **{
        f"{name}dziesiecio": f"{tens}0"
        for name, tens in (("piec", 5), ("szesc", 6), ("siedem", 7), ("osiem", 8), ("dziewiec", 9))
    },
    "stu": "100",
    "dwustu": "200",
    "trzystu": "300",
    "piecset": "500",
    "pieciuset": "500",
})
_KINDS: tuple[tuple[str, str], ...] = (
    ("osobow", "osobow"),
    ("cyfrow", "cyfrow"),
    ("element", "element"),
    ("literow", "literow"),
    ("procentow", "%"),
    ("kilometrow", "km"),
    ("centymetrow", "cm"),
    ("metrow", "m"),
    ("litrow", "l"),
    ("mililitrow", "ml"),
    ("kilogramow", "kg"),
    ("kilow", "kg"),
    ("gramow", "g"),
    ("tonow", "t"),
    ("godzinn", "godzin"),
    ("minutow", "minut"),
    ("dniow", "dni"),
    ("hektarow", "ha"),
)
COMPOUND = Guarded(
    rf"\b({'|'.join(sorted(_PREFIXES, key=len, reverse=True))}|\d+(?:,\d+)?(?: ?- ?| ))"
    rf"({'|'.join(stem for stem, _ in _KINDS)})([aeiy]|ych|ymi?|ego|ej|emu)\b"
    rf"|\b({'|'.join(sorted(_PREFIXES, key=len, reverse=True))})(ka[tc](?!\w* foremn)\w*)"
)
_POINTS = regex(
    r"\b(?:wektor|punkt|wspolrzedn|prost(?:ej|a)\b|nachyleni|odcin)"
    r"|\b[a-z] ?= ?\( ?[-−]?\d+, ?[-−]?\d+ ?\)"
)
_TERM = regex(r"(?<=\b[as])_?[₀-₉]+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_PAIR = regex(r"\( ?([-−]?\d+), ?([-−]?\d+)(?= ?\))")
_TRIPLE = regex(r"\( ?[-−]?\d+(?:, ?[-−]?\d+){2,5} ?\)")
_WORD_OF_ONE = 4
_COUNTED = ("wyraz", "liczb", "element", "cyfr", "czesc", "miejsc", "pozycj")
_TENS = (
    "dwudziest", "trzydziest", "czterdziest", "piecdziesiat", "szescdziesiat", "siedemdziesiat",
    "osiemdziesiat", "dziewiecdziesiat", "setn",
)  # fmt: skip
_SPOKEN_PRICE = regex(r"(?<=\bpo |\bza )(\d{1,2}) (\d{2})(?![\d.]| (?:tys|gr|mln|os))")
_EACH_BEFORE = regex(
    r"(?:\bpo(?: okolo)?|\bkazd\w+(?: (?!z )\w+){0,2}|\bkosztuj\w*|\bcena|\bcenie|\bza sztuke) $"
)
_EACH_AFTER = regex(
    r"^(?: \w+){0,2} (?:za|na|od) (?:1 )?(?:sztuk\w*|szt|kg|kilo\w*|litr\w*|l|metr\w*|m|mkw|"
    r"osob[eay]|os|bilet|noc|dob[eay]|godzin[eay]|godz|h|dzien|mies\w*|tydzien|tygodniu|rok|"
    r"jedn\w+|glowe|sztuce|paczke|opakowanie|rzad|rzedzie|stronie|strone|kazd\w+)\b"
    r"|^(?: \w+){0,2} (?:dziennie|miesiecznie|tygodniowo|rocznie|kazd[yae](?= [,.;?]|$| z nich)|"
    r"za kazd\w+)"
)
_ADJECTIVES = regex(r"\w+(?:ych|owe|owych|nych|ie|ne)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """A number of something: ``unit`` is the folded word after it, ``%`` for a percentage.

    ``is_each`` is true for what one of them has or costs ("po 4,50", "w każdym 12", "30 zł/kg").
    """

    text: str
    unit: str
    is_each: bool
    before: str
    after: str
    end: int

    @property
    def is_share(self) -> bool:
        """Whether this is less than one: "jedna trzecia"."""
        above, _, below = self.text.strip("()").partition("/")
        return bool(below) and float(above) < float(below)

    @property
    def value(self) -> float:
        """The number as it is, for comparisons."""
        above, _, below = self.text.strip("()").partition("/")
        return float(above) / float(below or 1)

    @property
    def kind(self) -> str:
        """The unit without its ending, so that "osoby" and "osób" are the same."""
        return self.unit[:4] if len(self.unit) > 4 else self.unit[:3]  # noqa: PLR2004 - letters


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """``words``: the problem folded, with numbers in figures; ``question``: its asking sentence."""

    words: str
    question: str
    quantities: tuple[Quantity, ...]

    @property
    def has_formula(self) -> bool:
        """Whether something is written in signs, so that the numbers are no story."""
        return bool(_NOTATION.search(self.words))

    @property
    def has_box(self) -> bool:
        """Whether the signs are only those between the sides of things: "4,2 × 3,6 m"."""
        bare = _BOX.sub(" ", self.words)
        return bare != self.words and not _NOTATION.search(bare)

    def having(self, *stems: str) -> tuple[Quantity, ...]:
        """The quantities whose unit begins with one of the stems; short stems are whole words."""
        return tuple(
            one
            for one in self.quantities
            if any(one.unit == stem or (len(stem) > 3 and one.unit.startswith(stem))  # noqa: PLR2004
                   for stem in stems)
        )  # fmt: skip


@lru_cache(maxsize=16)
def state(prompt: str) -> Statement:
    """Take a prompt apart; numbers of dates, hours and paragraphs are left out."""
    text = fold_evenly(from_latex(_WATTS.sub(r"\1 watow", _LISTED.sub(" ", prompt))))
    text = _TERM.sub(lambda found: f" {found[0].translate(_SUBSCRIPTS)}", text)
    for picture in dict.fromkeys(_COUNTED_PICTURE.findall(text)):
        if text.count(picture) > 1:
            text = text.replace(picture, f" {_name(picture)} ")
    for emoji, name in _STANDING_FOR:
        text = emoji.sub(partial(_count, name=name), text)
    for pattern, written in _RATES:
        text = pattern.sub(written, text)
    text = COMPOUND.sub(count_compound, text)
    text = _TRIPLE.sub(lambda found: found[0].replace(",", " ; "), text)
    if _POINTS.search(text):
        text = _PAIR.sub(r"(\1 ; \2", text)
    tokens = tokenise(text, most=MOST_TOKENS)
    words = " ".join(map(_said, tokens, (*tokens[1:], None)))
    words = re.sub(r"(\d) / (\d)", r"\1/\2", words)
    words = _SPOKEN_PRICE.sub(r"\1.\2", words)
    words = re.sub(r"(?<![\d.])(\d+) (?:zl\w*|pln) (?:i )?(\d\d) (?:gr\w*)\b", r"\1.\2 zl", words)
    words = re.sub(r"\b(?:zloty|zlotowk\w) (\d\d)\b(?! ?zl)", r"1.\1 zl", words)
    words = re.sub(r"(?<=\d) (?:proc\w*)\b", " %", words)
    words = re.sub(r"\bpo jedna\b(?! (?:z|w|drug|strona|stronie)\b)", "po 1", words)
    return Statement(words=words, question=_question(words), quantities=tuple(_quantities(words)))


def _said(token: Token, following: Token | None) -> str:
    """The token's text; "jeden" stays a word, and "dziesiąty wyraz" is the 10th."""
    if token.kind == "number" and token.text == "1" and token.end - token.start >= _WORD_OF_ONE:
        return "jedna"
    if token.kind == "word" and following is not None and following.text.startswith(_COUNTED):
        tens = next((at for at, stem in enumerate(_TENS, 2) if token.text.startswith(stem)), 0)
        return str(10 * tens) if tens else token.text
    if token.kind == "ordinal" and following is not None and following.text.startswith(_COUNTED):
        place = next(
            (at for at, stem in enumerate(ORDINALS) if stem and token.text.startswith(stem)), 0
        )
        if place > 1 and following.text.startswith("czesc"):
            return f"1/{place}"
        return str(place) if place > 1 else token.text
    return token.text


def count_compound(found: re.Match[str]) -> str:
    """Write "dziesięciometrowy" as "10 m", and "sześciokąt" as "6 kąt"."""
    if found[4]:
        return f"{_PREFIXES[found[4]]} {found[5]}"
    figure = _PREFIXES.get(found[1]) or found[1].rstrip(" -")
    unit = dict(_KINDS)[found[2]]
    return f"{figure} {unit if unit != found[2] else found[2] + found[3]}"


def _name(picture: str) -> str:
    """A word for what is counted by its picture: "5 🍐"."""
    return "".join(filter(str.isalpha, unicodedata.name(picture, "").lower())) or "sztuk"


def _count(found: re.Match[str], *, name: str) -> str:
    return f" {len(found[0])} {name} "


def _question(words: str) -> str:
    sentences: Sequence[str] = _SENTENCE.split(words)
    asking = [sentence for sentence in sentences if _ASKING.search(sentence)]
    if not asking:
        closed = sentences[-2] if len(sentences) > 1 and not sentences[-1].strip() else ""
        return closed if words.rstrip().endswith("?") and "czy " not in closed else ""
    last = asking[-1]
    found = list(_ASKING.finditer(last))
    return last[found[0].start() :]


_BY_NOUGHT = regex(r"/0+(?:\.0*)?$")
"""The end of a quotient that is no number: "1/0"."""


def _quantities(words: str) -> Iterator[Quantity]:
    for found in re.finditer(r"(?<![\w.])" + _NUMBER.pattern + r"(?![\w.])", words):
        if _BY_NOUGHT.search(found[0]):
            continue
        before, after = words[: found.start()], words[found.end() :]
        unit = re.match(r" (%|[a-z]+)(?: ([a-z]+))?", after)
        name = unit[1] if unit else ""
        if unit and unit[2] and _ADJECTIVES.fullmatch(name):
            name = unit[2]
        text = found[0]
        yield Quantity(
            text=f"({text})" if "/" in text else text,
            unit=name,
            is_each=bool(_EACH_BEFORE.search(before[-40:]) or _EACH_AFTER.match(after[:60])),
            before=before[-60:],
            after=after[:60],
            end=found.end(),
        )
