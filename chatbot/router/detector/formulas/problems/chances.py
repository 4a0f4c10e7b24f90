"""Probabilities of school: urns, coins, dice, cards and independent shots."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_ASKED = regex(r"\b(?:prawdopodob\w*|szans\w*)\b")
_COLOURS = (
    r"(?:bial|czarn|czerwon|zielon|niebiesk|zolt|dobr|wadliw|brazow|fiolet|rozow|szar|"
    r"zepsut|uszkodz|sprawn|wygryw|pust|przegr)"
)
_URN = regex(rf"(\d+) (?:\w+ )?({_COLOURS})\w*")
_CARDS: Mapping[str, int] = MappingProxyType({
    "as": 4, "krol": 4, "dam": 4, "walet": 4, "pik": 13, "kier": 13, "trefl": 13, "karo": 13,
    "figur": 12,
})  # fmt: skip
_UNLIKE = regex(r"\b(?:roznych|co najmniej|przynajmniej|zadn\w+|nie)\b")
_ALL = regex(r"\b(?:obie|oba|obydw\w+|wszystkie|same|kazd\w+|2|3|dwie|trzy)\b")
_SIDES_OF_DIE: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
    (r"\bnieparzyst", lambda side, _: side % 2 == 1),
    (r"\bparzyst", lambda side, _: side % 2 == 0),
    (r"\b(?:wiecej|wieksz\w*) niz (\d)|\bwieksz\w* od (\d)", lambda side, most: side > most),
    (r"\bmniej\w* niz (\d)|\bmniejsz\w* od (\d)", lambda side, least: side < least),
    (r"\b(?:co najmniej|przynajmniej) (\d) ocz", lambda side, least: side >= least),
    (r"\b(?:co najwyzej|najwyzej) (\d) ocz", lambda side, most: side <= most),
    (r"\bpodziel\w* przez (\d)", lambda side, by: by > 0 and side % by == 0),
    (r"\bliczb\w+ pierwsz", lambda side, _: side in {2, 3, 5}),
    (r"\b(?:wyrzuc\w*|wypad\w*|wypas\w*|dokladnie) (\d)\b(?! raz)", lambda side, it: side == it),
)
"""What a single throw may show, with the number that is told."""
_ALIKE = regex(
    r"\b(\d) (?:jedyn|dwoj|troj|czwor|piat|szost)\w+ (?:\w+ ){0,3}(?:\1 (?:\w+ )?kost|\1 rzut)"
)
_THROWN = regex(r"\b(\d) (?:razy|rzut\w*|krotn\w*|(?:\w+ )?kost\w*)")
_FACES = regex(r"\b(\d) (?:jedyn|dwoj|troj|czwor|piat|szost)\w+\b")
_IN_A_ROW = regex(r"\b(\d{1,2}) razy (?:pod rzad|z rzedu|po kolei|kolejno)\b")
_ONE_FACE = regex(
    r"\b(?:wyrzuc|wypad|rzuc)\w* [1-6] (\d) razy\b|"
    r"\b(\d) razy (?:pod rzad|z rzedu|kolejno) (?:(?:wyrzuc|wypad)\w* )?[1-6]"
    r"(?= ?(?:[.,?!]|$| na))|"
    r"\b(\d) (?:razy|rzut\w*|kost\w*)\b.*\b(?:na|wyrzuc\w*|wypadna|beda) \3 [1-6]"
    r"(?= ?(?:[.,?!]|$))"
)
_EACH_TIME = regex(
    r"\b(?:prawdopod\w+|szans\w+|skuteczn\w+) ?(?:rown\w+ |to |na \w+ )?(0\.\d+|\d+ %)"
)
_AT_LEAST_ONCE = regex(
    r"\b(?:co najmniej|przynajmniej|chociaz(?:by)?|choc(?:by)?|minimum) "
    r"(?:(?:\w+ )?raz\b|jed(?:en|n\w{1,2})\b)"
)
_NOT_ONCE = regex(r"\bani (?:razu|jedn\w+)\b|\b(?:zadn\w+|wcale)\b")
_FAILURE = regex(
    r"\b(?:s?pudl\w*|porazk\w*|niepowodz\w*|nie traf\w*(?! (?:\w+ )?ani\b)|chybi\w*)\b"
)
_TRIALS = (
    "razy", "raz", "rzut", "rzuty", "rzutach", "rzutow", "prob", "proby", "probach", "strzal",
    "lat", "lata", "latach", "dni", "dniach", "miesiecy", "podejsc", "otwarc", "wystrz",
    "losowan", "zaklad", "zestaw", "skrzyn", "paczek", "pacz",
)  # fmt: skip
_PAIR = 2


def read_chance(statement: Statement) -> str | None:
    """Return the probability that is asked for, if it is one of these games."""
    if not _ASKED.search(statement.words):
        return None
    for reader in _READERS:
        if (found := reader(statement)) is not None:
            return found
    return None


def _drawn(words: str) -> int | None:
    """How many are drawn at once."""
    if re.search(r"\bz(?:e)? (?:zwracan|zwrot)\w*|\bodklad\w*", words):
        return None
    found = re.search(
        r"\b(?:losuj\w*|wyciag\w*|ciagn\w*|wylosowa\w*|bier\w+|wyjm\w*|wybier\w*) (?:\w+ "
        r"){0,3}?(\d)\b",
        words,
    )
    if found is not None:
        return int(found[1])
    is_one = re.search(
        rf"\b(?:wylosowani|wyciagniec|trafieni|wyciagn|wylosuj|traf)\w* (?:\w+ )?{_COLOURS}"
        rf"(?:ej|n?a|n?ego|n?y)\b|\b(?:jest|na) {_COLOURS}a\b|"
        r"\bjedn[aoey]\w*\b|\b(?:kul[aeę]|kulke|los|kart[aeęy]|asa|dame|krola|waleta|klocek|skarpet\w*|cukier\w*)\b",
        words,
    )
    return 1 if is_one else None


def _read_urn(statement: Statement) -> str | None:
    """Read "5 białych i 3 czarne, ciągnę dwie, szansa, że obie białe"."""
    words = statement.words
    found = list(_URN.finditer(words))
    balls = {one[2]: int(one[1]) for one in found}
    drawn = _drawn(words)
    if len(balls) < _PAIR or drawn is None or len(statement.quantities) > len(balls) + 1:
        return None
    asked = set(re.findall(_COLOURS, words[found[-1].end() :]))
    if len(asked) != 1 or not asked <= balls.keys() or _UNLIKE.search(words):
        return None
    wanted, total = balls[asked.pop()], sum(balls.values())
    if drawn == 1:
        return f"{wanted}/{total}"
    is_all = _ALL.search(statement.question or words)
    return f"binomial({wanted}, {drawn})/binomial({total}, {drawn})" if is_all else None


def _read_kinds(statement: Statement) -> str | None:
    """Read "3 cukierki malinowe i 9 miętowych, szansa na malinowy": kinds by any name."""
    numbers = statement.quantities
    if not _PAIR <= len(numbers) <= _PAIR + 1 or _UNLIKE.search(statement.words):
        return None
    wanted = _ASKED.split(statement.question)[-1].strip(" ?") or statement.question
    asked = {word[:5] for word in wanted.split() if len(word) >= 5}  # noqa: PLR2004 - a stem
    near = [
        {word[:5] for word in re.split(r"[\d.,;?]| i ", one.after)[0].split()[:3]}
        for one in numbers
    ]
    named = [at for at, words in enumerate(near) if words & asked]
    shared = set.intersection(*near)
    own = [at for at in named if (near[at] - shared) & asked]
    is_more = re.search(r"\b(?:2|3|4|dwie|dwa|trzy|obie|oba|zwracan\w*|razy)\b", statement.question)
    if len(own) != 1 or is_more or not all(one.text.isdigit() for one in numbers):
        return None
    return f"{numbers[own[0]].text}/({' + '.join(one.text for one in numbers)})"


def _read_coins(statement: Statement) -> str | None:
    """Read "moneta pięć razy, trzy orły", "dziesięć rzutów, co najmniej jedna reszka"."""
    words = statement.words
    if not re.search(r"\b(?:monet\w*|orl\w*|orzel|reszk\w*)\b", words):
        return None
    thrown = re.search(r"(\d+) (?:razy|krotn\w*|rzut\w*|monet\w*)", words)
    hits = re.search(r"(\d+) (?:razy )?(?:orl\w*|orzel|reszk\w*)", words)
    if thrown is None or len(statement.quantities) > _PAIR:
        return None
    if re.search(r"\b(?:co najmniej|przynajmniej) (?:jedn\w*|raz)\b", words):
        return f"1 - (1/2)**{thrown[1]}"
    if re.search(r"\b(?:co najmniej|przynajmniej|najwyzej)\b", words):
        return None
    is_alike = re.search(
        r"\b(?:same|samych|wszystkie|za kazdym razem|ani razu|ani jedn\w+|zadn\w+)\b", words
    )
    if is_alike or (hits is None and _IN_A_ROW.search(words)):
        return f"(1/2)**{thrown[1]}"
    return f"binomial({thrown[1]}, {hits[1]})/2**{thrown[1]}" if hits else None


def _read_one_face(statement: Statement) -> str | None:
    """Read "szóstka dwa razy pod rząd", "rzucam dwa razy, szansa na dwie szóstki"."""
    found = _ONE_FACE.search(statement.words)
    if found is None or re.search(r"\b(?:najmniej|tyle|monet\w*)\b", statement.words):
        return None
    return f"(1/6)**{found[found.lastindex or 1]}"


def _read_dice(statement: Statement) -> str | None:
    """Read "dwie szóstki w dwóch rzutach", "suma oczek 8 na dwóch kostkach"."""
    words = statement.words
    if not re.search(
        r"\b(?:kost\w*|kosc(?:mi|ach|i)|szostk\w*|rzut\w* kostk\w*|oczek)\b|\b6 w 2 rzut", words
    ):
        return None
    total = re.search(
        r"\bsum\w+ (?:oczek )?(?:(?:na|w|z) (?:2 )?(?:\w+ )?(?:kost|rzut)\w+ )?"
        r"(?:rown\w+ |wynos\w+ |wynies\w+ |"
        r"bedzie |to |da |dokladnie ){0,3}(\d{1,2})\b",
        words,
    )
    if found := _of_one_die(words):
        return found
    if (alike := _ALIKE.search(words)) and len(statement.quantities) <= _PAIR:
        return f"(1/6)**{alike[1]}"
    thrown, faces = _THROWN.search(words), _FACES.search(words)
    if thrown and faces and thrown[1] == faces[1] and len(statement.quantities) == _PAIR:
        return f"(1/6)**{thrown[1]}"
    is_two = re.search(r"\b2 (?:\w+ )?(?:kost\w*|kosc(?:mi|ach))|\b2 razy\b|\b2 rzut\w*", words)
    if total and is_two and _PAIR <= int(total[1]) <= 12 and "najmniej" not in words:  # noqa: PLR2004 - two dice
        return f"(6 - Abs(7 - {total[1]}))/36"
    return None


def _of_one_die(words: str) -> str | None:
    """Read "parzysta liczba oczek w rzucie kostką", "więcej niż 4 oczka"."""
    if re.search(r"\b(?:2|3|4|5)(?: \w+)? (?:kost\w*|rzut\w*)|\b(?:2|3|4|5) razy|\bsum", words):
        return None
    for pattern, sides in _SIDES_OF_DIE:
        found = re.search(pattern, words)
        if found is not None:
            number = int(next((part for part in found.groups() if part), "0"))
            return f"{sum(1 for side in range(1, 7) if sides(side, number))}/6"
    return None


def _read_repeated(statement: Statement) -> str | None:
    """Read "trafiam z prawdopodobieństwem 0,8, szansa na trafienie 3 razy pod rząd"."""
    often, each = _IN_A_ROW.search(statement.words), _EACH_TIME.search(statement.words)
    if often is None or each is None or len(statement.quantities) > _PAIR:
        return None
    return f"({each[1].replace(' %', '/100')})**{often[1]}"


def _read_independent(statement: Statement) -> str | None:
    """Read "15 % szans za każdym razem, że wypadnie chociaż raz w 10 próbach", "ani razu".

    The chance that is told is that of a hit, even where misses are asked for.
    """
    is_once = _AT_LEAST_ONCE.search(statement.words)
    if len(statement.quantities) != _PAIR or not (is_once or _NOT_ONCE.search(statement.words)):
        return None
    trials = [one for one in statement.having(*_TRIALS) if one.text.isdigit()]
    chances = [one for one in statement.quantities if one.unit == "%" or 0 < one.value < 1]
    if len(trials) != 1 or len(chances) != 1 or trials == chances:
        return None
    chance = chances[0].text + ("/100" if chances[0].unit == "%" else "")
    told = statement.words.removesuffix(" ?").removesuffix(statement.question)
    is_other = _FAILURE.search(statement.question) and not _FAILURE.search(told)
    none = f"({chance if is_other else f'1 - {chance}'})**{trials[0].text}"
    return f"1 - {none}" if is_once else none


def _read_card(statement: Statement) -> str | None:
    """Read "z talii 52 kart jedna, że figura", "dwa asy"."""
    words = statement.words
    deck = re.search(
        r"\b(24|32|52)(?: (?:\w+ )?kart|(?=.*\bkart)|\b.*\btali)|\btali\w* (?:\w+ )?(52)\b", words
    )
    if deck is None or "52" not in deck.groups():
        return None
    kinds = [count for stem, count in _CARDS.items() if re.search(rf"\b{stem}\w{{0,3}}\b", words)]
    drawn = _drawn(words)
    if len(kinds) != 1 or drawn is None:
        return None
    return (
        f"{kinds[0]}/52" if drawn == 1 else f"binomial({kinds[0]}, {drawn})/binomial(52, {drawn})"
    )


def _read_lottery(statement: Statement) -> str | None:
    """Read "szóstka w totka, 6 z 49": one choice of all."""
    found = re.search(r"\b(\d) z (\d{2})\b", statement.words)
    is_all = re.search(
        r"\b(?:glown\w+ wygran\w*|szostk\w*|tot\w+|lot\w+|6 (?:1|jedn\w*) zaklad\w*|zaklad\w*|"
        r"trafi\w*)\b",
        statement.words,
    )
    if (
        found is None
        or not is_all
        or len(statement.quantities) != _PAIR
        or re.search(r"\b(?:trojk|czwork|piatk)\w*", statement.words)
    ):
        return None
    return f"1/binomial({found[2]}, {found[1]})"


_READERS: tuple[Callable[[Statement], str | None], ...] = (
    _read_urn,
    _read_coins,
    _read_one_face,
    _read_dice,
    _read_card,
    _read_lottery,
    _read_repeated,
    _read_independent,
    _read_kinds,
)
