"""What remains of things shared out whole: "112 mandarynek, 23 dzieci po równo, ile zostanie"."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_SHARED = Guarded(
    r"\b(?:po rowno|tyle samo|jednakow\w+|rowno|jak najwiecej|ile sie da|mozliwie (?:duzo|wiele)|"
    r"cal(?:e|ych) sztuk\w*|rozda\w*|rozdziel\w*|dziel\w*|pakuj\w*|rozklada\w*)\b"
)
_WHOLE = Guarded(
    r"\b(?:jak najwiecej|ile sie da|mozliwie (?:duzo|wiele)|cal(?:e|ych) sztuk\w*|luzem|"
    r"bez krojenia|nie (?:mozna )?kroi\w*|pakuj\w*)\b"
)
_LEFT = regex(
    r"\bil[eu]\b[^.?!\d]*\b(?:zosta(?:nie|je|lo)|pozosta(?:nie|je|lo)|nie wejdzie|niepelne)"
)
_MEASURED = ("zl", "kg", "m", "l", "km", "cm", "g", "dag", "%", "godzin", "minut", "lat", "procent")
_NOT_GIVEN = regex(r"\b(?:zjad|zgubi|odda|sprzeda|zepsu|zuzy)\w*")
_PAIR, _TRIPLE = 2, 3


def read_leftover(statement: Statement) -> str | None:
    """Return the remainder of a division among people or packs, each with all there can be."""
    words, numbers = statement.words, statement.quantities
    is_shared = _SHARED.search(words) and _WHOLE.search(words) and _LEFT.search(words)
    if not is_shared or _NOT_GIVEN.search(words) or not all(map(_is_count, numbers)):
        return None
    each = [one for one in numbers if one.is_each]
    if len(numbers) == _TRIPLE and [one.is_each for one in numbers] == [False, True, False]:
        return f"Mod({numbers[0].text}*{numbers[1].text}, {numbers[2].text})"
    if len(numbers) == _PAIR and (not each or each == [numbers[1]]):
        return f"Mod({numbers[0].text}, {numbers[1].text})"
    return None


def _is_count(one: Quantity) -> bool:
    return one.text.isdigit() and one.unit not in _MEASURED
