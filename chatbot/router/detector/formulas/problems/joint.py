"""What several do at once: work together, moves towards each other, currents, games, snails."""

import re
from collections.abc import Callable, Sequence

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_TOGETHER = Guarded(
    r"\b(?:razem|wspolnie|obie|oba|obaj|oboje|naraz|jednoczesnie|rownoczesnie|wszystkie|we (?:2|3)|"
    r"w parze|pracujac)\b"
)
_WORK = regex(
    r"\b(?:napeln\w*|kran\w*|pomp\w*|rur\w*|malu\w*|malarz\w*|pomalu\w*|kopi\w*|kopa\w*|sprzat\w*|"
    r"posprzat\w*|robot\w*|maszyn\w*|druk\w*|wydruk\w*|kos\w*|skos\w*|wykon\w*|zbiornik\w*|basen\w*|"
    r"wann\w*|ukoncz\w*|kombajn\w*|odsnie\w*|traktor\w*|ekip\w*|brygad\w*|zrob\w*|uloz\w*|uklad\w*|"
    r"sam\w?|sama|wymal\w*|przepis\w*|zbier\w*|zbierz\w*)\b"
)
_TOWARDS = Guarded(r"\b(?:naprzeciw\w*|na spotkanie|ku sobie|na przeciw|w przeciwnych)\b")
_MOVER = regex(r"poc|aut|bus|row|tur|sam|sta|mia|kon|cyk|bie|mot|kol|osob|pies")
_CHASE = Guarded(r"\b(?:dogon\w*|dogan\w*|doscign\w*)\b")
_WHEN = Guarded(
    r"\b(?:kiedy|ile (?:\w+ )?(?:czasu|godzin|minut|dni)|jak dlugo|ilu (?:godzin|minut|dni)\w*|"
    r"jakim czasie|w ile|po jakim|potrwa|zajmie)"
)
_TIMES = ("godzin", "godz", "h", "minut", "min", "dni", "dzien", "sekund")
_PAIR = 2


def read_joint(statement: Statement) -> str | None:
    """Return what comes of several doing something at once."""
    for reader in _READERS:
        if (found := reader(statement)) is not None:
            return found
    return None


def _read_work(statement: Statement) -> str | None:
    """Read "pompa napełnia w 6 godzin, druga w 4, obie razem": rates are added."""
    words, numbers = statement.words, statement.quantities
    if not (_TOGETHER.search(words) and _WORK.search(words) and _WHEN.search(words)):
        return None
    times = [one for one in numbers if one.unit in _TIMES or one.unit.startswith(_TIMES[:1])]
    bare = [
        one
        for one in numbers
        if one not in times and re.search(r"\b(?:w|we|za|przez|i)(?: \w+)? $", one.before)
    ]
    others = [one for one in numbers if one not in times and one not in bare]
    units = {one.kind[:3] for one in times}
    parts = [one for one in numbers if one in times or one in bare]
    others = [one for one in others if one.text != str(len(parts))]
    if len(units) != 1 or not _PAIR <= len(parts) <= _PAIR + 1 or others:
        return None
    return f"1/({' + '.join(f'1/{one.text}' for one in parts)})"


def _read_meeting(statement: Statement) -> str | None:
    """Read "75 km, naprzeciw siebie, 55 i 70 na godzinę, za ile się miną"; who catches up."""
    words, question = statement.words, statement.question
    is_chase = bool(_CHASE.search(words))
    if not is_chase and not _TOWARDS.search(words):
        return None
    ways = [one for one in statement.having("km", "kilometr", "m", "metr") if one.unit != "kmh"]
    times = list(statement.having("godzin", "h", "minut", "min"))
    fast = [
        one
        for one in statement.quantities
        if one not in ways and one not in times and not _MOVER.match(one.unit)
    ]
    if len(fast) != _PAIR or len(ways) + len(times) > 1:
        return None
    first, second = sorted(fast, key=lambda one: one.value) if is_chase else fast
    speed = f"({second.text} - {first.text})" if is_chase else f"({first.text} + {second.text})"
    minutes = "*60" if re.search(r"\bminut", question) else ""
    if ways and _WHEN.search(question):
        return f"{ways[0].text}/{speed}{minutes}"
    if times and is_chase and _WHEN.search(question):
        head = times[0].text if times[0].unit.startswith(("g", "h")) else f"{times[0].text}/60"
        return f"{first.text}*{head}/{speed}{minutes}"
    if (
        times
        and not is_chase
        and re.search(r"\b(?:odleg|daleko|ile (?:\w+ )?(?:km|kilom))", question)
    ):
        return f"{speed}*{times[0].text}"
    return None


def _read_current(statement: Statement) -> str | None:
    """Read "z prądem 24 km/h, pod prąd 16, jak szybko płynie rzeka"."""
    words, numbers = statement.words, statement.quantities
    if not re.search(r"\bz (?:pradem|nurtem|wiatrem)\b", words):
        return None
    if not re.search(r"\bpod (?:prad|nurt|wiatr)\b", words) or len(numbers) != _PAIR:
        return None
    first, second = numbers
    if not re.search(r"kmh|mps|predk\w*|szybk\w*", words):
        return None
    is_river = re.search(r"\b(?:rzek|prad|nurt|wiatr|wod)\w*", statement.question)
    return f"({first.text} {'-' if is_river else '+'} {second.text})/2"


def _read_snail(statement: Statement) -> str | None:
    """Read "słup 10 m, w dzień 3 m w górę, nocą 2 m w dół, którego dnia": whole days."""
    words, numbers = statement.words, statement.quantities
    if not re.search(r"\bslimak\w*|\bzab\w*\b.*\bstudn", words) or len(numbers) != _PAIR + 1:
        return None
    if not re.search(
        r"\b(?:ktor\w+ (?:dni\w*|dzien|dob\w*)|ile (?:\w+ )?(?:dni|dob)|il[uo] dni\w*)", words
    ):
        return None
    values = [one.value for one in numbers]
    height = numbers[values.index(max(values))]
    up, down = (one for one in numbers if one is not height)
    if up.value <= down.value:
        return None
    return f"ceiling(({height.text} - {up.text})/({up.text} - {down.text})) + 1"


def _read_games(statement: Statement) -> str | None:
    """Read "16 ekip, każdy z każdym mecz i rewanż": twice as many games."""
    words, numbers = statement.words, statement.quantities
    is_all = re.search(r"\bkazd\w+ (?:\w+ ){0,3}z kazd", words)
    if not is_all or not re.search(r"\brewanz\w*|\b2 razy\b|\bu siebie i\b|\bdwukrotn", words):
        return None
    sides = [one for one in numbers if one.unit != "razy" and not one.unit.startswith("mecz")]
    if len(sides) != 1:
        return None
    return f"{sides[0].text}*({sides[0].text} - 1)"


_SIDES = Guarded(r"(?<![\d.])(\d[\d.]*)(?: m| metr\w*)? (?:na|x|\*) (\d[\d.]*) (?:m|metr\w*)\b")
_GAP = Guarded(
    r"\b(?:bram\w*|furt\w*|drzwi\w*|wjazd\w*|oprocz|bez|minus)\b[^\d]{0,40}"
    r"(\d[\d.]*)(?: m| metr\w*|$| ?[.,?])"
)


def _read_perimeter(statement: Statement) -> str | None:
    """Read "działka 28 na 45 m, ogrodzenie bez bramy 4 m"."""
    words = statement.words
    if not re.search(
        r"\b(?:grodz\w*|ogrodz\w*|siatk\w*|plot\w*|listw\w*|dookola|wokol|naokolo)\b", words
    ):
        return None
    box, gap = _SIDES.search(words), _GAP.search(words)
    if box is None or not re.search(r"\bile|\bobwod", words):
        return None
    used = {box[1], box[2]} | ({gap[1]} if gap else set())
    if len(statement.quantities) != 2 + bool(gap) or used != {
        one.text for one in statement.quantities
    }:
        return None
    return f"2*({box[1]} + {box[2]})" + (f" - {gap[1]}" if gap else "")


def _read_overtime(statement: Statement) -> str | None:
    """Read "31 zł za godzinę, 172 h, z czego 12 nadgodzin o połowę więcej płatnych"."""
    words, numbers = statement.words, statement.quantities
    if "nadgodzin" not in words or len(numbers) not in {3, 4}:
        return None
    rate = next(
        (one for one in numbers if one.unit.startswith(("zl", "zlot")) or one.is_each), None
    )
    said = [one for one in numbers if "nadgodz" in one.after[:25] and one is not rate]
    extra = said[-1] if said else None
    hours = [
        one for one in numbers if one not in (rate, extra) and one.unit.startswith(("h", "godz"))
    ]
    paid = [one for one in numbers if one not in (rate, extra, *hours)]
    if rate is None or extra is None or len(hours) != 1 or len(paid) > 1:
        return None
    factor = _overtime(paid, words)
    if factor is None:
        return None
    usual = hours[0].text
    if re.search(r"\b(?:z czego|w tym|z tego|z ktorych)\b", words):
        usual = f"({usual} - {extra.text})"
    return f"{usual}*{rate.text} + {extra.text}*{rate.text}*{factor}"


def _overtime(paid: Sequence[Quantity], words: str) -> str | None:
    if not paid:
        return "2" if re.search(r"\bpodwojn\w*|\bdwukrotn\w*", words) else None
    one = paid[0]
    is_more = bool(re.search(r"\bwiecej|\bdrozej|\bdodat\w*|\bwyz\w+", one.after))
    if one.unit == "%":
        is_more = is_more or one.value < 100  # noqa: PLR2004 - less than the usual pay
        return f"(1 + {one.text}/100)" if is_more else f"{one.text}/100"
    return f"(1 + {one.text})" if is_more and "/" in one.text else None


def _read_row(statement: Statement) -> str | None:
    """Read posts, lamps and plants "co 40 cm" with both ends, and cuts, one less than pieces."""
    words, numbers = statement.words, statement.quantities
    lengths = [
        one for one in numbers if one.unit in _METRES or one.unit.startswith(("metr", "cent"))
    ]
    if len(lengths) != _PAIR or len(numbers) != _PAIR or not all(one.value for one in lengths):
        return None
    step, whole = sorted(lengths, key=_length)
    ratio = int(_length(whole) / whole.value / (_length(step) / step.value) + 0.5)
    count = f"{whole.text}{f'*{ratio}' if ratio > 1 else ''}/{step.text}"
    if re.search(r"\bile (?:razy|ciec|ciecia|przeciec)\b", words) and re.search(
        r"\b(?:tn\w+|potn\w*|poci\w+|ciach\w*|cia\w+|przeci\w+)\b", words
    ):
        return f"{count} - 1"
    is_row = re.search(rf"\bco {re.escape(step.text)} ", words) and re.search(r"\bile\b", words)
    has_ends = _ENDS.search(words) and not re.search(r"\b(?:obu|dwoch|2) stron", words)
    return f"{count} + 1" if is_row and has_ends else None


_METRES = {"m": 1.0, "cm": 0.01, "km": 1000.0, "mm": 0.001}
_ENDS = Guarded(
    r"\b(?:konc\w*|oba konce|obu koncach|na obu|krancach|poczatk\w*|od brzegu do brzegu)\b"
)


def _length(one: Quantity) -> float:
    unit = {"met": "m", "cen": "cm"}.get(one.unit[:3], one.unit)
    return one.value * _METRES.get(unit, 1.0)


def _read_scale(statement: Statement) -> str | None:
    """Read "mapa 1:25 000, 14 cm, ile to w terenie", and how long a way is on the map."""
    words = statement.words
    found = re.search(r"\b1 : (\d{2,8})\b", words)
    if found is not None and (drawn := _on_map(words, found[1])):
        return drawn
    way = re.search(r"(?<![\d.:] )(?<![\d.])(\d+(?:\.\d+)?) (cm|mm|centymetr\w*)\b", words)
    if found is None or way is None or not re.search(r"\b(?:skal\w*|map\w*|plan\w*)\b", words):
        return None
    unit = re.search(r"\b(km|kilometr\w*|m|metr\w*)\b(?!.*\b(?:km|kilometr|m|metr))", words)
    is_real = re.search(r"\brzeczywist|\bnaprawde|\bw terenie|\bw naturze", words)
    if unit is None and not is_real:
        return None
    if not re.search(r"\bile\b|\bodleglosc|\bdystans|\bw terenie", words):
        return None
    is_far = unit[1].startswith("k") if unit else float(way[1]) * int(found[1]) >= _KILOMETRE
    below = _KILOMETRE if is_far else 100
    return f"{way[1]}*{found[1]}/{below * (10 if way[2] == 'mm' else 1)}"


def _on_map(words: str, scale: str) -> str | None:
    """Read "3 km w skali 1:100 000, ile cm na mapie"."""
    way = re.search(r"(?<![\d.:] )(?<![\d.])(\d+(?:\.\d+)?) (km|m|kilometr\w*|metr\w*)\b", words)
    asked = re.search(
        r"\b(?:il[eu] (?:to )?(cm|centymetr\w*|mm|milimetr\w*)|na (?:mapie|planie|rysunku)[^\d]*$)",
        words,
    )
    if way is None or asked is None or re.search(r"\d (?:cm|mm|centym|milim)", words):
        return None
    is_millimetres = (asked[1] or "").startswith("m")
    units = (_KILOMETRE if way[2].startswith("k") else 100) * (10 if is_millimetres else 1)
    return f"{way[1]}*{units}/{scale}"


_KILOMETRE = 100_000  # centimetres
_READERS: tuple[Callable[[Statement], str | None], ...] = (
    _read_work,
    _read_meeting,
    _read_current,
    _read_snail,
    _read_games,
    _read_perimeter,
    _read_overtime,
    _read_row,
    _read_scale,
)
