"""Read several calculations with one operand: "NWD i NWW liczb 36 i 90"."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from chatbot.language.literals import Guarded
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.reading import Reading, read_formula
from chatbot.router.detector.formulas.separate import (
    are_apart,
    is_combined,
    leaves_out,
    ways_by_joints,
    ways_by_words,
)
from chatbot.router.detector.spans import fold_evenly

_NOUN = (
    r"(?:nwd|nww|gcd|lcm|sum[aeęy]|iloczyn\w*|roznic\w+|iloraz\w*|pochodn\w+|"
    r"calk\w+(?: nieoznaczon\w+)?|"
    r"sredni\w+|median\w+|pole|obwod|wyznacznik\w*|slad|dzielniki|silni\w+|"
    r"(?:macierz )?odwrotn[aą])"
)
_AND = r"(?: i|,? oraz|,? a takze|,? a potem(?: jeszcze)?|,? a oprocz tego)"
_JOINED = Guarded(rf"\b({_NOUN}){_AND} ({_NOUN}) (?=\S)")
_BEHIND = Guarded(
    rf"^\W*(?:dla|z|ze) (\S(?:\[\[[^a-z]*\]\]|[^,]){{0,60}}?),? (?:potrzebuj\w+|podaj|policz|"
    rf"oblicz|wyznacz|znajdz|chce|poprosze|prosze) (?:mi |o )?(?:najpierw )?({_NOUN}){_AND} "
    rf"(?:jeszcze )?({_NOUN})"
)
_SHARES = Guarded(
    r"(?P<a>\d[\d,]* ?(?:%|proc\w*)),?(?: i| oraz| a takze) "
    r"(?P<b>\d[\d,]* ?(?:%|proc\w*)) (?P<of>(?:z|od) (?:liczby |kwoty )?\d[\d ,]*)(?=\W*$)"
)
_OF = r"(?:liczb\w* |macierzy |funkcji |z )?"
_AGAIN = Guarded(
    rf"\b({_NOUN}) ({_OF})([^,;?]{{1,60}}),? (?:a takze|oraz|a potem|i jeszcze|a oprocz tego) "
    rf"(?:dla )?{_OF}"
    r"(?=[\d(\[])([^,;?]{1,60})$"
)
_ENDED = regex(r"=\s*\?\s+(?:a |i |oraz )?(?=\S)|\?\s+(?:a |i |oraz )(?=\S)")
_MOST = 4
_MOST_JOINTS = 16  # of one kind; what has more is a list, if anything
_BOTH = regex(
    r"[\s,–-]*(?:podaj|prosz\w*|poprosz\w*|potrzebuj\w*|same|chce)? ?(?:mi )?(?:oba|obie|obu|same)"
    r"(?: (?:wynik\w*|naraz|odpowiedzi|na raz|prosze))?[\s.!]*$"
)
_CLOSING = regex(r"(?:[ .?]|(?<!\d)!)+$")
_CORRECTED = regex(
    r",? nie, |\b(?:a nie|a? ?wlasciwie|raczej|jednak"
    r"|wroc|znaczy|tylko|pomylk\w+|przepraszam|ups|sorry)\b"
)
_FIRST = regex(r"^\W*(?:\w+ ){0,2}?najpierw (?:mi )?")
_BETWEEN = regex(
    r"(?:,? (?:oraz|a osobno|a takze|a potem|a nastepnie|a pozniej|potem|"
    r"(?:a |i )?poza tym|(?:a |i )?oprocz tego|(?:a |i )?do tego|ponadto|dodatkowo|"
    r"i potem|i osobno|i na koniec|a na koniec"
    r"|na koniec|a na koncu|na koncu|i wreszcie|wreszcie)|;|\?)"
    r"(?: (?:mi|policz|oblicz|jeszcze|osobno|a|i|dla|liczby))* (?=\S)"
)
_AND_ALSO = regex(
    r",? i (?:jeszcze )?(?!\d+ ?/ ?\d)(?=\S)|(?<=\d/\d) i (?=\d+/\d+ ?(?:[-+*/:·−×]|z \d))"
    r"|(?<=\d) i (?=\d+/\d+ z \d)"
)
_TAKES_LIST = Guarded(
    r"\b(?:nwd|nww|sum|zsumuj|doda[jc]|odej|odjac|pomnoz|iloczyn|iloraz|roznic|sredni|median|uklad|"
    r"miedzy|porownaj|dominant|mod[aeę]\b|gcd|lcm)"
)
_ONE_OPERAND = Guarded(
    r"\b(?:rozloz|czynnik|pierwiast|silni|kwadrat|szescian|wyznacznik|pochodn|calk|sin|cos|tan|"
    r"logarytm|dzielnik|odwrotn|modul)"
)
_OPERAND = regex(r"[\d\s.,]*\d!?[\s.?]*|\[\[.*\]\][\s.?]*")
_BARE = regex(r"-?[\d.]+")
_MATHEMATICAL = regex(
    r"oblicz\w*|policz\w*|wylicz\w*|wyznacz\w*|rozl\w+|podaj\w*|ile|jest|razy|plus|minus|przez|"
    r"podziel\w*|dziel\w+|pomnoz\w*|pierwiast\w+|poteg\w+|kwadrat\w*|szescian\w*|silni\w*|sinus\w*|"
    r"cosinus\w*|tangens\w*|logarytm\w*|pochodn\w+|calk\w+|granic\w+|sum\w*|proc\w*|liczb\w*|"
    r"czynnik\w*|pierwsz\w+|funkcj\w+|macierz\w*|stopni\w*|wynik\w*|wynosi|prosze|jeszcze|wartosc|"
    r"ilosc|frac|sqrt|left|right|infty|cdot|times|tan|drug\w+|trzeci\w*|dobra|teraz|oraz|"
    r"osobno|potem|koniec|koncu|wreszcie|najpierw|nastepnie|pozniej|takze|wynosz\w+|trygonometr\w+|stopnia|"
    r"rown\w+|drugie|mnozeni\w*|dzieleni\w*|zwieksz(?:on\w+)?|zmniejsz(?:on\w+)?|powiekszon\w+|"
    r"pomniejszon\w+|odejmij|dodaj|zsumuj|znajdz|"
    r"niezalezn\w+|siebie|szybko|poza|poszukaj|rozklad\w*|potrzebuj\w+|factorint|factorial|binomial|diff|integrate|ulamk\w*|chce|poprosze|dziekuje|wyjdzie|bedzie|liczbami|obie|kazde|dwoch|dwie|dwa|logarytmu?"
)
_WORD = regex(r"[a-z]{4,}")
_LONE_ANGLE = regex(r"\b(?:sin|cos|tan|tg|ctg)\w* \d+[\s,]*$")
_TRIGONOMETRIC = regex(r"\b(?:sin|cos|tan|tg|ctg)")


def read_formulas(prompt: str) -> tuple[Reading, ...]:
    """Return all formulas of a prompt.

    There are several where two things are asked of one operand, one thing of two operands, or
    where formulas stand side by side; else it is the one of `read_formula`, or none.
    """
    if found := _all_read(list(_parts(prompt))):
        return found
    alone = read_formula(prompt)
    return _apart(prompt, alone) or (() if alone is None else (alone,))


def _apart(prompt: str, alone: Reading | None) -> tuple[Reading, ...]:
    """Two calculations that the prompt itself keeps apart, or that no single formula covers."""
    for parts in ways_by_words(prompt):
        if found := _all_read(parts):
            return found
    folded = fold_evenly(prompt)
    if not _is_plain(folded) or _CORRECTED.search(folded):
        return ()
    is_said = are_apart(prompt)
    for parts in ways_by_joints(prompt):
        found = _all_read(parts)
        expressions = [one.expression for one in found]
        is_bare = any(_BARE.fullmatch(each) for each in expressions)
        is_solved = any("Eq(" in each for each in expressions)
        if not found or is_bare or (is_solved and not is_said):
            continue
        if is_said or alone is None or leaves_out(alone.expression, expressions):
            return found
    return ()


def _all_read(parts: Sequence[str]) -> tuple[Reading, ...]:
    """The readings of all parts, where there are several and no two are the same; else none."""
    if not 1 < len(parts) <= _MOST:
        return ()
    readings = [read_formula(part) for part in parts]
    found = tuple(reading for reading in readings if reading is not None)
    is_each = len({one.expression for one in found}) == len(parts)
    return found if is_each else ()


def _parts(prompt: str) -> Iterator[str]:
    """The questions that the prompt asks when its operand or its operation is said once."""
    folded = _CLOSING.sub("", fold_evenly(prompt))
    if behind := _BEHIND.search(folded):
        operand = prompt[behind.start(1) : behind.end(1)]
        yield f"{behind[2]} {operand}"
        yield f"{behind[3]} {operand}"
    elif (joined := _JOINED.search(folded)) and not is_combined(folded, joined.start()):
        operand = prompt[joined.end() : len(folded)]
        yield f"{joined[1]} {operand}"
        yield f"{joined[2]} {operand}"
    elif shares := _SHARES.search(folded):
        yield f"{shares['a']} {shares['of']}"
        yield f"{shares['b']} {shares['of']}"
    elif again := _AGAIN.search(folded):
        between = again[2] or ""
        yield f"{again[1]} {between}{prompt[again.start(3) : again.end(3)]}"
        yield f"{again[1]} {between}{prompt[again.start(4) : again.end(4)]}"
    else:
        parts = _ENDED.split(prompt)
        if len(parts) == 1:
            parts = _independent(prompt)
        yield from parts if len(parts) <= _MOST else ()


def _independent(prompt: str, most: int = _MOST) -> list[str]:
    """Cut "12! oraz 13!" where each side is a formula of its own and no story is told.

    Where there are more than ``most``, what is left is one part in the end.
    """
    if not most:
        return [prompt]
    folded = fold_evenly(prompt)
    start = found.end() if (found := _FIRST.match(folded)) else 0
    end = found.start() if (found := _BOTH.search(folded, start)) else len(folded)
    text, folded = prompt[start:end], folded[start:end]
    if not _is_plain(folded) or _CORRECTED.search(folded):
        return [prompt]
    for pattern in (_BETWEEN, _AND_ALSO):
        joints = list(islice(pattern.finditer(folded), _MOST_JOINTS + 1))
        for joint in joints if len(joints) <= _MOST_JOINTS else ():
            left, right = text[: joint.start()], text[joint.end() :]
            if parts := _both(left, right):
                return [parts[0], *_independent(parts[1], most - 1)]
    return [prompt]


def _both(left: str, right: str) -> list[str]:
    """The two formulas, with what the second shares with the first; nothing if they are not two."""
    folded = fold_evenly(left)
    first_figure = re.search(r"[\d\[]", left)
    if _OPERAND.fullmatch(right):
        before = folded[: first_figure.start()] if first_figure else ""
        is_shared = _ONE_OPERAND.search(before) and not _TAKES_LIST.search(before)
        right = f"{left[: first_figure.start()]}{right}" if first_figure and is_shared else ""
    elif _TAKES_LIST.search(folded) and not re.match(_NOUN, fold_evenly(right)):
        return []
    if "stopni" in fold_evenly(right) and _LONE_ANGLE.search(folded):
        left = f"{left.rstrip(' ,')} stopni"
    if "stopni" in folded and _TRIGONOMETRIC.match(fold_evenly(right)) and "°" not in right:
        right = right if "stopni" in fold_evenly(right) else f"{right.rstrip(' .?')} stopni"
    return [left, right] if right and _is_formula(left) and _is_formula(right) else []


def _is_formula(text: str) -> bool:
    found = read_formula(text)
    return (
        found is not None
        and "Eq(" not in found.expression
        and not _BARE.fullmatch(found.expression)
    )


def _is_plain(folded: str) -> bool:
    """Whether all longer words are of mathematics: "3 bułki po 2 zł i …" is one sum to pay."""
    return all(
        _MATHEMATICAL.fullmatch(word) or re.fullmatch(_NOUN, word) or read_number(word) is not None
        for word in _WORD.findall(folded)
    )
