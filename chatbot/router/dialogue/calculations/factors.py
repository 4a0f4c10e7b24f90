"""What is asked of the factors that a whole number was taken apart into: their sum, the largest."""

import re
from collections import Counter

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.steps import step
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_FACTORED = regex(r"^(?:factorint|primefactors)\((\d{1,9})\)$")
_THEM = r"(?:tych|ich|nich|te|czynnik\w*|liczb\w*)"
_SUM = regex(rf"\b(?:sum\w*|zsumuj|dodaj)\b.*\b{_THEM}\b")
_MOST = regex(r"\bnajwieksz\w+(?: \w+)?(?: z (?:nich|tych))?(?: czynnik\w*)?")
_LEAST = regex(r"\bnajmniejsz\w+(?: \w+)?(?: z (?:nich|tych))?(?: czynnik\w*)?")
_OF_ONE = regex(r"^(?:isprime|divisors|primefactors)\((\d+)\)$")
_TAKEN_APART = regex(
    r"\b(?:na|jako) (?:co|jakie|jaki|ile|iloczyn\w*|czynnik\w*)\b.*"
    r"\b(?:rozklad|rozloz|rozpad|rozbi|zapis|wyglad)\w*|"
    r"\b(?:jaki\w*|podaj|wypisz|wymien)\b.*\bczynnik\w*|\bjako iloczyn\b|"
    r"\bz (?:jakich|czego) .*\b(?:sklad|zloz|powsta)\w*|\brozloz\w* (?:ja|go|to|te liczbe)\b"
)
_OF_PRIMES = regex(r"^(?:isprime|nextprime|prevprime|prime)\(.+\)$")
_TESTED = regex(r"^isprime\((.+)\)$")
_PRIMES = (
    (
        regex(
            r"\b(?:najblizsz|kolejn|nastepn|sasiedni|pierwsz|najmniejsz)\w+\b.*"
            r"\b(?:wieksz|wyzsz)\w+|"
            r"\b(?:nastepn|kolejn)(?:a|ej)\b(?! \w*(?:mniejsz|nizsz))|"
            r"\b(?:wieksz|wyzsz)\w+ (?:\w+ )?(?:najblizsz|kolejn|nastepn|sasiedni)\w+|"
            r"\bpierwsz\w+\b.*\b(?:po|za) (?:niej|nia|tej|ta|tym)\b"
        ),
        "nextprime({})",
    ),
    (
        regex(
            r"\b(?:najblizsz|kolejn|nastepn|sasiedni|pierwsz|najwieksz)\w+\b.*"
            r"\b(?:mniejsz|nizsz)\w+|\bpoprzedni(?:a|ej|czk\w+)\b|"
            r"\b(?:mniejsz|nizsz)\w+ (?:\w+ )?(?:najblizsz|kolejn|nastepn|sasiedni)\w+|"
            r"\bpierwsz\w+\b.*\bprzed (?:nia|ta|tym)\b"
        ),
        "prevprime({})",
    ),
)
_DIVISORS = regex(r"\bil[eu]\b.*\bdzielnik\w*")
_FEW = 10  # words


def taken_apart(scene: Scene) -> str | None:
    """Factor the one whole number that the last calculation asked something of."""
    active = scene.state.active
    made = [str(one.arguments.get("expression")) for one in active.calls] if active else []
    found = _OF_ONE.match(made[-1]) if len(made) == 1 else None
    is_asked = found is not None and _TAKEN_APART.search(scene.folded)
    return f"factorint({found[1]})" if found and is_asked and not read_amounts(scene.text) else None


def neighbouring_prime(scene: Scene) -> str | None:
    """The next prime number above or below the last one: "a najbliższa większa od niej?"."""
    active = scene.state.active
    made = [str(one.arguments.get("expression")) for one in active.calls] if active else []
    if len(made) != 1 or not _OF_PRIMES.match(made[0]) or scene.size > _FEW:
        return None
    form = next((form for said, form in _PRIMES if said.search(scene.folded)), None)
    if form is None or re.search(r"\d|\bile\b", scene.folded):
        return None
    tested = _TESTED.match(made[0])
    return form.format(tested[1] if tested else made[0])


def of_factors(scene: Scene) -> str | None:
    """Add them, take the largest or the smallest, or count the divisors that they make."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    found = _FACTORED.match(expression) if expression else None
    if found is None:
        return None
    factors = _factors(int(found[1]))
    if _DIVISORS.search(scene.folded):
        return "*".join(f"({count} + 1)" for count in Counter(factors).values()) or None
    if _SUM.search(scene.folded):
        return " + ".join(map(str, factors))
    for said, pick in ((_MOST, max), (_LEAST, min)):
        if (named := said.search(scene.folded)) is not None and factors:
            value = str(pick(factors))
            return step(scene.text[named.end() :], value) or value
    return None


def _factors(number: int) -> list[int]:
    found, divisor = [], 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found.append(divisor)
            number //= divisor
        divisor += 1
    return [*found, number] if number > 1 else found
