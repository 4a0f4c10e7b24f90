"""The figures that replies and prompts name, compared: "o ile cieplej", "ile to lat"."""

import re
from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.measures import KNOWN, is_same, kind_of
from chatbot.router.dialogue.calculations.quantities import Quantity, nouns_in, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS, WEATHER

_DIFFERENCE = regex(
    r"\broznic\w*|\brozni\w*|\bo ile\b|\bile (?:\w+ )?(?:to )?(?:lat|stopni|metrow|wiekow)\b|"
    r"\bile (?:\w+ ){0,3}(?:trwa\w*|zaje\w*|zyl\w*|minel\w*|uplyn\w*|dziel\w*|brakuj\w*|roznic\w*|"
    r"do pokonania|w gore|pod gore|podejsci\w*|przewyzsz\w*|panowa\w*|rzadzi\w*|mial\w*|"
    r"wiecej|mniej|wyzsz\w*|nizsz\w*|starsz\w*|mlodsz\w*)"
)
_TAKES = regex(
    r"\bodejm\w* (?:t(?:en|a|e|amten|amta)|pierwsz\w+|drug\w+|poprzedni\w*)(?: \w+)? od "
    r"(?P<from>t(?:amtego|amtej|ego|ej)|pierwsz\w+|drug\w+|poprzedni\w*)(?: \w+)?\W*$"
)
_EARLIER = ("tamt", "pierwsz", "poprzedni")
_YEARS = regex(r"\b(?:rok\w*|lat\w*|dat\w*)\b")
_SAVES = r"\bile (?:\w+ ){0,2}(?:za|przy)?oszczedz\w*|\bile (?:\w+ )?(?:taniej|drozej)"
_RATIO = regex(r"\bile razy\b|\bstosunek\b")
_MEAN = regex(r"\bsredni\w*\b")
_TOTAL = regex(
    r"\brazem\b|\blacznie\b|\bw sumie\b|\bsum[aeęy]\b|\bzsumuj\b|\bdodaj (?:je|to)\b|"
    r"\bobaj\b|\bobie\b"
)
_PER = regex(r"\bna (?:jedn\w+|kazd\w+|kilometr|km|osob\w+|mieszkanca|glowe)\b")
_ASKED_NOUN = regex(r"\bil[eu] (\w+)")
_PLAINLY = regex(
    r"\b(?:o ile|ile razy) (?:wiecej|mniej)\b(?: \w+){0,4}? (?:w |na |ma )?"
    r"t(?:ym|ej|en|a|o|amtym|amtej) "
    r"(?:pierwsz|drug)\w+(?: \w+)?\W*$|"
    r"\bo ile\b.*\b(?:\w{3,}ej|\w{3,}sz[aey]|sie (?:ociepl|ochlodz|podnios|zmien)\w*)\W*$|"
    r"\bo ile\b.*\b(?:\w{3,}ej|\w{3,}sz[aey])(?: \w+)? t(?:en|a|o) (?:drug\w+|pierwsz\w+)\W*$|"
    r"\broznic\w+ (?:\w+ )?miedzy (?:nimi|tymi|jedn\w+ a)|\b(?:jaka|ile) (?:to |jest |"
    r"wynosi )?(?:ta )?roznic\w+\W*$|"
    r"\bile (?:to )?lat\b.*\b(?:zajelo|trwala?o?|minel\w*|uplyn\w*|budowa\w*|to|dziel\w*)\b|"
    r"\bile razy (?:\w{3,}ej|\w{3,}sz[aey])\W*$|^(?:a|i|no|to) (?:ta )?roznic\w+\W*$"
)
_CHANGES = regex(
    r"\bo ile (?:\w+ ){0,5}?(?:\w{3,}ej|spad\w+|wzr(?:osn|ost)\w+|rosni\w+|(?:pod|prze)?skocz\w+|"
    r"obniz\w+|opad(?:nie|a)|podnies\w+|zjed\w+|zleci|pojdzie|ociepl\w*|ochlodz\w*|zmieni\w*|"
    r"rozni\w*)\b|\b(?:jaka|ile|duza)\b.*\broznic\w*|\broznic\w* temperatur\w*"
)
_DEGREES = "deg"
_SHARE = regex(r"\b(?:jaki\w*|ile|ilu) (?:\w+ ){0,2}(?:proc\w*|%)|\bjak\w+ czesc\w*")
_SUMS = regex(
    r"\b(?:ile|ilu|jak\w*) .*\b(?:razem|lacznie|w sumie)\b|"
    r"\b(?:razem|lacznie|w sumie)\b.*\bil[eu]\b|"
    r"\b(?:zsumuj|dodaj je|suma|sume|srednia|usrednij)\b"
)
_COMPARES = regex(
    r"\b(?:o ile|ile razy)\b.*\b(?:\w{3,}ej|\w{3,}sz[aeyi]\w{0,3})\b|\broznic\w+|"
    r"\bile (?:\w+ )?lat (?:zyl\w*|mial\w*|przezyl\w*)\b"
)
_ASIDE = regex(
    r"(?:roznic|sum|sredni|proc|czesc|temperatur|stop|lat|nich|tym|tego|dw|drug|pierwsz|liczb|"
    r"miast|rzek|ob[ai]|dzien|dni|mial|stanow|polic|dlugosc|wysokosc|jed|powierzchni|ludnos|"
    r"mieszkanc|wynos|wzrost|wiek|miedz|kilometr|metr|"
    r"poniedzial|wtor|srod|czwart|piat|sobot|niedziel|jutr|dzis|weekend|wieczor)\w*"
)
_FEW = 12
_TWO = 2
_MOST = 8


def compared(scene: Scene) -> str | None:
    """Calculate with the figures that were named last: a difference, a ratio, a mean, a sum."""
    own = list(read_amounts(scene.text))
    if not own and _SHARE.search(scene.folded):
        return _share(scene)
    if _RATIO.search(scene.folded):
        return _of_two(scene, own, "({})/({})")
    if _PER.search(scene.folded) and not own:
        return _per(scene)
    if _MEAN.search(scene.folded):
        found = _all(scene, own)
        return f"({' + '.join(one.text for one in found)})/{len(found)}" if found else None
    if _DIFFERENCE.search(scene.folded) or re.search(_SAVES, scene.folded):
        return _of_two(scene, own, "{} - {}")
    return _total(scene, own) if _TOTAL.search(scene.folded) else None


def _total(scene: Scene, own: Sequence[Amount]) -> str | None:
    power = "**2" if "kwadrat" in scene.folded else ""
    return " + ".join(f"{one.text}{power}" for one in _all(scene, own)) or None


def surely_compared(scene: Scene) -> str | None:
    """Compare what two replies, or one, just told, where the prompt plainly means nothing else."""
    is_plain = scene.size <= _FEW and not read_amounts(scene.text)
    names = [word.text for word in scene.words[1:] if word.text[:1].isupper()]
    if not is_plain or scene.is_active(MATHEMATICS):
        return None
    if _is_of_forecasts(scene):
        return compared(scene)
    if _PER.search(scene.folded) and _ASKED_NOUN.search(scene.folded):
        return _per(scene)
    if (takes := _TAKES.search(scene.folded)) is not None:
        return _taken(scene, is_from_earlier=takes["from"].startswith(_EARLIER))
    if _speaks_of(scene, _named(scene)):
        return compared(scene)
    return compared(scene) if _PLAINLY.search(scene.folded) and not names else None


def _is_of_forecasts(scene: Scene) -> bool:
    """Whether the two temperatures just told are compared, and no other place or day is named."""
    if not scene.is_active(WEATHER) or _CHANGES.search(scene.folded) is None:
        return False
    last = scene.state.last
    told = read_amounts(last.reply) if last else ()
    asked = [one.arguments for one in last.calls] if last else []
    days = {str(one["day"]) for one in asked if "day" in one}
    is_new = {*scene.days} - days if days else scene.days
    degrees = [one for one in told if one.unit == _DEGREES]
    return len(degrees) == _TWO == len(told) and len(asked) == _TWO and not is_new


def figure(scene: Scene) -> Amount | None:
    """The figure that the last reply names: the only one, or the last that is no year."""
    is_year = re.search(r"\b(?:rok|roku|date|daty)\b", scene.folded) is not None
    for turn in reversed(scene.state.turns):
        for text in (turn.reply, turn.prompt):
            found = read_amounts(text)
            fitting = [one for one in found if one.is_year == is_year] or found
            if fitting:
                return fitting[-1]
    return None


def _of_two(scene: Scene, own: Sequence[Amount], form: str) -> str | None:
    """Compare two figures, the greater first."""
    pair = _pair(scene, own)
    if pair is None:
        return None
    less, more = sorted(pair, key=lambda one: one.value)
    return form.format(more.text, less.text)


def _taken(scene: Scene, *, is_from_earlier: bool) -> str | None:
    """Take the figure of one reply from that of the other: "odejmij tamten rok od tego"."""
    is_of_years = _YEARS.search(scene.folded) is not None
    told = [
        [one for one in read_amounts(turn.reply) if one.is_year == is_of_years]
        for turn in scene.state.turns[-_TWO:]
    ]
    if [len(figures) for figures in told] != [1, 1]:
        return None
    earlier, later = (figures[0].text for figures in told)
    return f"{earlier} - {later}" if is_from_earlier else f"{later} - {earlier}"


def _share(scene: Scene) -> str | None:
    """How many percent of the one the other is: the whole is what is named after "procent"."""
    pair = [one for one, _ in _named(scene)]
    if len(pair) != _TWO or pair[0].unit != pair[1].unit:
        return None
    marks = re.search(r"\bproc\w*|%|\bczesc\w*", scene.folded)
    after = nouns_in(scene.text[marks.end() :] if marks else "")
    first = next((one for word in after for one in pair if one.is_of(word)), pair[0])
    whole, part = (pair[0], pair[1]) if first is pair[0] else (pair[1], pair[0])
    return f"100*({part.text})/({whole.text})"


def _named(scene: Scene) -> list[tuple[Quantity, str]]:
    """The quantities of the last replies that the prompt names, each with its word."""
    words = [word for word in nouns_in(scene.text) if kind_of(word) not in KNOWN]
    found: list[tuple[Quantity, str]] = []
    for turn in scene.state.turns[-_TWO:]:
        for one in read_quantities(turn.reply):
            said = next((word for word in words if one.is_of(word)), None)
            if said is not None and said not in {word for _, word in found}:
                found.append((one, said))
    if len(found) != 1 or found[0][0].is_year:
        return found
    others = [
        one
        for turn in scene.state.turns[-_TWO:]
        for one in read_quantities(turn.reply)
        if one.unit == found[0][0].unit and one != found[0][0]
    ]
    return [*found, (others[-1], "")] if len(others) == 1 else found


def _speaks_of(scene: Scene, named: Sequence[tuple[Quantity, str]]) -> bool:
    """Whether a prompt compares two figures just told, and names nothing else."""
    is_comparison = _COMPARES.search(scene.folded) or _SUMS.search(scene.folded)
    if not is_comparison and not (_SHARE.search(scene.folded) and len(named) == _TWO):
        return False
    last = scene.state.last
    told = read_quantities(last.reply) if last else ()
    pair = [one for one, _ in named] if len(named) == _TWO else list(told)
    if len(pair) != _TWO or pair[0].unit != pair[1].unit:
        return False
    words = [word for word in nouns_in(scene.text) if kind_of(word) not in KNOWN]
    known = {word for _, word in named}
    return all(
        word in known
        or _ASIDE.fullmatch(word)
        or any(one.is_of(word) or is_same(one.unit, word) for one in pair)
        for word in words
    )


def _pair(scene: Scene, own: Sequence[Amount]) -> tuple[Amount, Amount] | None:
    """Two figures of one kind: of the prompt and the talk, of one reply, of two exchanges."""
    if len(own) > 1:
        return None
    named = _named(scene) if not own else []
    if len(named) == _TWO and named[0][0].unit == named[1][0].unit:
        one, other = (Amount(value=each.value, start=0, end=0) for each, _ in named)
        return one, other
    told = list(own)
    is_of_years = not own and _asks_years(scene)
    for turn in reversed(scene.state.turns):
        for text in (turn.reply, turn.prompt):
            fitting = [one for one in read_amounts(text) if not told or _alike(told[0], one)]
            fitting = [one for one in fitting if one.is_year] if is_of_years else fitting
            if not told and len(fitting) > _TWO:
                fitting = _same_kind(fitting)
            told += fitting if len(told) + len(fitting) <= _TWO else fitting[:1]
            if len(told) == _TWO:
                return told[0], told[1]
    return None


def _asks_years(scene: Scene) -> bool:
    """Whether a prompt is about years, and the last two replies tell some."""
    replies = [turn.reply for turn in scene.state.turns[-_TWO:]]
    years = [one for text in replies for one in read_amounts(text) if one.is_year]
    return len(years) >= _TWO and _YEARS.search(scene.folded) is not None


def alike_figures(scene: Scene) -> tuple[Amount, ...]:
    """The last two figures of one kind, in the order in which they were told; else nothing."""
    pair = _pair(scene, ())
    if pair is None:
        return ()
    one, other = (_place(scene, each) for each in pair)
    return pair if one <= other else pair[::-1]


def _place(scene: Scene, figure_told: Amount) -> int:
    """Which text of the conversation tells a figure last."""
    texts = [text for turn in scene.state.turns for text in (turn.prompt, turn.reply)]
    told = (at for at, text in enumerate(texts) if figure_told in read_amounts(text))
    return max(told, default=0)


def _same_kind(amounts: Sequence[Amount]) -> list[Amount]:
    """The first two numbers of one unit."""
    for at, one in enumerate(amounts):
        for other in amounts[at + 1 :]:
            if _alike(one, other):
                return [one, other]
    return list(amounts[:1])


def _alike(one: Amount, other: Amount) -> bool:
    return (one.is_year == other.is_year) and (
        one.unit == other.unit or not one.unit or not other.unit
    )


def _per(scene: Scene) -> str | None:
    """So many of what is asked for to one of the other: "ilu Szwedów na jednego naszego"."""
    last = scene.state.last
    found = [one for one in read_amounts(last.reply) if not one.is_year] if last else []
    if len(found) != _TWO or read_amounts(scene.text):
        return None
    asked = _ASKED_NOUN.search(scene.folded)
    one, other = found
    if asked and other.unit and asked[1].startswith(other.unit):
        one, other = other, one
    return f"({one.text})/({other.text})"


def _all(scene: Scene, own: Sequence[Amount]) -> list[Amount]:
    """The figures of the last exchange that names two or more, those of one kind."""
    if own:
        return []
    for turn in reversed(scene.state.turns):
        for text in (turn.reply, turn.prompt):
            found = [one for one in read_amounts(text) if not one.is_year]
            if _TWO <= len(found) <= _MOST:
                return found
    pair = _pair(scene, ())
    return list(pair) if pair else []
