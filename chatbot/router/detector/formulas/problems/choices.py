"""In how many ways things are put in order, chosen from others, or drawn in a lottery."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_ASKED = regex(
    r"\bna ile (?:\w+ ){0,2}sposob|\b(?:w|na) il[eu] (?:\w+ ){0,2}kolejnosci|"
    r"\bile (?:\w+ ){0,2}(?:sposob|ustawien|ulozen|rozmieszczen|kolejnosci|kombinacj|mozliwosci|"
    r"wyborow|podzbior|permutacj)|"
    r"\bil[eu] (?:\w+ ){0,2}?(?:roznych|mozliwych) (?:\w+ )?(?:rak\b|ukladow|"
    r"rozdan\b|druzyn|grup|delegacj|zespol|komisj|trojek|par\b|dwojek|czworek|piatek)|"
    r"\bil[eu] (?:\w+ )?(?:par|dwojek|trojek|czworek|piatek)\b"
    r"(?! (?:but|skarp|spodn|rekaw|nart|okul))"
    r"(?=.*\b(?:utworz|zlozy|wybra|stworz|dobra|powsta|zrobi))|"
    r"\bliczba (?:\w+ )?(?:permutacj|kombinacj|podzbior|ustawien)"
)
_ORDERED = regex(
    r"\b(?:ustaw|poustaw|uloz|uklada|poukladac|posadz|usadz|rozsadz|usias|siada|stan[aei]|staje|"
    r"wystap|uporzadk|uszereg|rozmies|rozwies|powies|wejs|wejd|przyjs|ukonczy|permutacj|kolejnos|"
    r"ustawien|ulozen|rozmieszczen|w (?:kolejce|rzedzie|szeregu)\b)"
)
_CHOSEN = regex(
    r"\b(?:wybier|wybr|wybor|wylos|losow|losuj|wyciag|wytyp|utworz|tworz|stworz|wylon|powol|"
    r"skomplet|delegacj|komisj|zarzad|druzyn|grup|podzbior|kombinacj|rak\b|rozdan\b|ukladow|zespol|"
    r"trojek|dwojek|czworek)"
)
_WITH_MORE = regex(
    r"\b(?:obok|podziel|rozdziel|okragl|kolo siebie|zeby|aby|tak ze|jesli|jezeli|powtorz|"
    r"powtarza|przy czym|"
    r"co najmniej|przynajmniej|przewodnicz|zastepc|sekretarz|skarbnik|prezes|kapitan|medal|podium|"
    r"miejsce|miejsc|cyfr|liter|hasl|kod|pin|rozn\w+ funkcj|ma (?:byc|stac)|musi|nie moz|szans|"
    r"prawdop)"
)
_CHOICE = regex(
    r"(?<![\d.])(\d{1,3})(?![\d.]) ?-?(?: ?\w+){0,4}? (?:z|ze|sposrod|z grupy|z klasy|z talii)"
    r"(?: \w+){0,2} (\d{1,3})(?![\d.])"
)
_FROM = regex(r"(?:z|ze|sposrod|mam|jest|ma)(?: \w+){0,2} (\d{1,3})\b[^\d]{0,60}?\b(\d{1,2})\b")
_OF_EACH = regex(r"\d [a-z]+ (?:i|oraz|,) \d+ [a-z]+")
_GAME = regex(r"\btot(?:k|ol)|\blott?o|\bgr(?:a|ze|y|e)\b|\bzaklad|\bszostk")
_CHANCE = regex(r"^(?!.*(?:najmniej|przynajmniej)).*\b(?:szans|prawdop)")
_LOTTERY = regex(r"\b(\d{1,2}) (?:liczb |kul |numerow )?z (\d{2})\b|\b(\d{2}) po (\d)\b")
_HITS = regex(
    r"\b(?:na|trafieni\w+|trafi\w+|wygrani\w+|o|prawdopodobienstwo|szansa|szanse) (\d)\b"
    r"(?! liczb)"
)
_SET = regex(r"\{ (\w+(?: [,;] \w+){1,19}) \}")
_SUBSETS = regex(r"\bpodzbior\w*\b")
_OF_SIZE = regex(
    r"\b(\d{1,2}) ?-? ?element|\b(jedno|dwu|trzy|cztero|piecio|szescio|siedmio|osmio)element"
)
_SIZES = ("", "jedno", "dwu", "trzy", "cztero", "piecio", "szescio", "siedmio", "osmio")
_NAMED_SIZE = regex(r"^(?=(?:.* )?(?:z|ze|sposrod) ).*?\b(par|dwojek|trojek|czworek|piatek)\b")
_NAMED_SIZES = {"par": 2, "dwojek": 2, "trojek": 3, "czworek": 4, "piatek": 5}
_MOST_ORDERED = 200
_PAIR = 2


def read_choice(statement: Statement) -> str | None:
    """Return the number of ways or the chance in a lottery, if that is asked."""
    words = statement.words
    if not _ASKED.search(words) or _SUBSETS.search(words) or _WITH_MORE.search(words):
        return _read_lottery(words) or _read_subsets(words)
    if lottery := _read_lottery(words):
        return lottery
    numbers = re.findall(r"(?<![\d.])\d{1,3}(?![\d.])", words)
    if len(numbers) == 1 and _ORDERED.search(words) and int(numbers[0]) <= _MOST_ORDERED:
        return f"factorial({numbers[0]})"
    if len(numbers) == 1 and (size := _NAMED_SIZE.search(words)):
        return f"binomial({numbers[0]}, {_NAMED_SIZES[size[1]]})"
    is_choice = len(numbers) == _PAIR and _CHOSEN.search(words) and "kolejnos" not in words
    found = _CHOICE.search(words) if is_choice else None
    if is_choice and found is None and not _OF_EACH.search(words):
        found = _FROM.search(words)
    return found and _binomial(int(found[1]), int(found[2]))


def _binomial(one: int, other: int) -> str:
    return f"binomial({max(one, other)}, {min(one, other)})"


def _read_lottery(words: str) -> str | None:
    """Read "szansa na piątkę w grze 6 z 49": so many of the drawn ones, and the others."""
    found = _LOTTERY.search(words) if _GAME.search(words) else None
    if found is None:
        return None
    drawn, total = sorted(int(part) for part in found.groups() if part)
    if drawn > 1 and re.search(r"\bile (?:\w+ ){0,3}(?:kombinacj|mozliwosci|zaklad)", words):
        return f"binomial({total}, {drawn})"
    hits = _HITS.search(words.replace(found[0], " "))
    if hits is None or not 1 < int(hits[1]) <= drawn or not _CHANCE.search(words):
        return None
    missed = drawn - int(hits[1])
    if not missed:
        return f"1/binomial({total}, {drawn})"
    hit = f"binomial({drawn}, {hits[1]})*binomial({total - drawn}, {missed})"
    return f"{hit}/binomial({total}, {drawn})"


def _read_subsets(words: str) -> str | None:
    """Read "A = {1, 2, 3}, ile podzbiorów dwuelementowych", "podzbiory zbioru 5-elementowego"."""
    sizes = [int(one[1]) if one[1] else _SIZES.index(one[2]) for one in _OF_SIZE.finditer(words)]
    whole = None
    if listed := _SET.search(words):
        whole = len(re.split(r" [,;] ", listed[1]))
        sizes = [size for size in sizes if size <= whole]
    elif sizes:
        whole = sizes.pop()
    if whole is None or not _SUBSETS.search(words):
        return None
    if not sizes:
        return f"2**{whole}"
    return _binomial(sizes[0], whole) if len(sizes) == 1 else None
