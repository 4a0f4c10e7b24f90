"""The whole and its parts after a share was calculated: the rest, the discount, the full price."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression, variable_of
from chatbot.router.dialogue.scene import Scene

_NUMBER = r"(?:\d+(?:\.\d+)?|Rational\(\d+, \d+\))"
_HUNDREDTHS = regex(
    r"^(?P<a>.+)(?:\*|(?P<divided>/))"
    r"(?:Rational\((?P<p>\d+), (?P<of>\d+)\)|(?P<q>\d+)/(?P<per>100))$"
)
_TAX = regex(r"\b(?:sam\w* )?(?:vat\w*|podat\w+)\b")
_UNCHANGED = regex(
    r"\b(?:bez|przed) (?:t\w+ )?(?:rabat\w*|znizk\w*|obnizk\w*|vat\w*|podat\w+|podwyzk\w*|"
    r"napiwk\w*|prowizj\w*|marz\w*|promocj\w*|przecen\w*|kodu|upust\w*)\b"
)
_YEARLY = regex(r"\brocznie\b|\b(?:przez|na|w skali) (?:caly )?rok")
_CHANCE = regex(r"\b(?:prawdopodobien\w+|szans\w+)")
_NOT = regex(r"\bnie (?!tylko\b)[a-z]+|\bprzeciwn\w+")
_AS_PART = regex(r"\b(?:jaki|ile) (?:to |jest )?(?:jest )?proc\w*|\bw procentach\b")
_SHARE = regex(
    rf"^(?:(?P<a>{_NUMBER})\*(?P<p>Rational\(\d+, \d+\)|\d+/\d+)|"
    rf"(?P<q>Rational\(\d+, \d+\))\*(?P<b>{_NUMBER}))$"
)
_IN_PERCENT = regex(
    r"^(?:Rational\((?P<a>\d+), (?P<b>\d+)\)\*100|100\*\(?(?P<c>\d+)\)?/\(?(?P<d>\d+)\)?|"
    r"\(?(?P<e>\d+)\)?/\(?(?P<f>\d+)\)?\*100|100\*Rational\((?P<g>\d+), (?P<h>\d+)\))$"
)
_PLAIN_SHARE = regex(rf"^(?P<a>{_NUMBER})\*(?:0?\.\d+|Rational\(\d{{1,2}}, 100\)|\d+/100)$")
_FRACTION = regex(r"(\d+)(?:, |/)(\d+)")
_DIFFERENCE = regex(rf"^(?P<a>{_NUMBER}) - (?P<b>{_NUMBER})$")
_CHANGE_ALONE = regex(
    r"\b(?:sam\w*|tylko|ile) (?:\w+ ){0,3}(?:podat\w*|vat\w*|rabat\w*|znizk\w*|odset\w*|marz\w*|"
    r"prowizj\w*|oszczedz\w*|zaoszczedz\w*)|"
    r"\bile (?:to )?(?:wiecej|mniej|dodatkowo|drozej|taniej)\b|"
    r"\bdodatkowo\b|\boszczedz|\bzaoszczedz|\bsam\w* kwot\w+"
)
_REST = regex(
    r"\b(?:reszt\w*|pozosta\w*|zosta\w*|ostan\w*|brakuj\w*|drug\w+ czesc\w*|nie\w+ych|il[eu] nie)\b"
)
_WHOLE = regex(
    r"\bcal(?:a|e|y|ej|ego|osc\w*)\b|\brazem z\b|\bw sumie\b|\blacznie\b|\bbrutto\b|"
    r"\bpo (?:podwyzce|waloryzacji|doliczeniu|dodaniu|wzroscie|zmianie)\b"
)
_REDUCED = regex(
    r"\bpo (?:rabacie|znizce|obnizce|odliczeniu|odjeciu|potraceniu|przecenie|promocji)\b|"
    r"\bodejm\w* (?:to|go|ja|te|ten) .*\bod (?:tej|calej|tego|ceny|kwoty|calosci)\b|"
    r"\bodejm\w* (?:to|go|ja|te|ten) od (?:tej|calej|tego|ceny|kwoty|calosci)\b|"
    r"\b(?:to )?odejm\w* (?:to )?od (?:calosci|calej|calego|kwoty|ceny)\b|"
    r"\bdo zaplaty\b|\bzaplac\w*|\bna reke\b|\bnetto\b"
)
_TAKES = regex(r"\bodejm\w*|\bpo (?:rabacie|znizce|obnizce|przecenie|promocji)\b")
_LOSES = regex(r"\b(?:rabat\w*|znizk\w*|obniz\w*|przecen\w*|taniej|potrac\w*|promocj\w*)\b")
_PERCENT = regex(r"%|\bproc\w*|\bodsetek\b")
_OTHERS = regex(r"\bil[eu] (?:\w+ ){0,2}(?P<a>\w{4,})|\b(?P<b>\w{4,})(?: to)? il[eu]\b|"
                     r"^a (?P<c>\w{4,})\W*$")  # fmt: skip
_AMONG = regex(r"\b(?:w tym|z tego|z czego|z nich|wsrod|sposrod|z|na(?= \d))\b")
_TELLS = frozenset({"zostalo", "bedzie", "teraz", "razem", "wtedy", "zatem", "wyjdzie", "kosztuje"})
_OF_PEOPLE = ("ow", "yn", "iet", "ych")
_GAINS = regex(r"\b(?:zysk\w*|zarob\w*|wzros\w*|podroz\w*|przyby\w*|drozej|urosl\w*)\b")
_HUNDRED, _STEM, _FEW = 100, 4, 7


def part(scene: Scene) -> str | None:
    """Turn the last share, or the last difference, into what the prompt names of the same whole."""
    expression = last_expression(scene.state)
    if expression is None or variable_of(expression) or not scene.is_active("calculate"):
        return None
    if found := _DIFFERENCE.match(expression):
        is_asked = _PERCENT.search(scene.folded) and len(read_amounts(scene.text)) < 2  # noqa: PLR2004
        last = scene.state.last
        is_gain = last is not None and _GAINS.search(fold_evenly(last.prompt)) is not None
        names_none = re.search(r"(?:proc\w*|%)\W*$", scene.folded) is not None
        base = found["b"] if is_gain and names_none else found["a"]
        return f"100*({expression})/{base}" if is_asked else None
    if (against := _against(scene, expression)) is not None:
        return against
    if (other := _with_other(scene, expression)) is not None:
        return other
    if read_amounts(scene.text):
        return None
    return _of_hundredths(scene, expression) or _of_share(scene, expression)


def of_others(scene: Scene) -> str | None:
    """How many percent the others are: boys, where it was asked how many are girls."""
    expression, last = last_expression(scene.state), scene.state.last
    found = _IN_PERCENT.match(expression) if expression else None
    if found is None or last is None or read_amounts(scene.text):
        return None
    some, everything = (one for one in found.groups() if one)
    said = fold_evenly(last.prompt)
    asked = _OTHERS.search(scene.folded) if scene.size <= _FEW and _AMONG.search(said) else None
    word = next(filter(None, asked.groups()), "") if asked else ""
    is_other = word and word not in _TELLS and word[:_STEM] not in said
    if not is_other and not _REST.search(scene.folded):
        return None
    is_part = int(some) < int(everything)
    return f"100*({everything} - {some})/{everything}" if is_part else None


def _against(scene: Scene, expression: str) -> str | None:
    """The chance that it does not happen: "a że nie wypadnie?"."""
    last = scene.state.last
    is_chance = last is not None and _CHANCE.search(fold_evenly(last.prompt))
    is_asked = _NOT.search(scene.folded) and not read_amounts(scene.text)
    return f"1 - ({expression})" if is_chance and is_asked and scene.size <= _FEW else None


def _with_other(scene: Scene, expression: str) -> str | None:
    """The whole with another share put to it: "wolę 10 % napiwku, ile razem z rachunkiem"."""
    found, amounts = _PLAIN_SHARE.match(expression), read_amounts(scene.text)
    if found is None or len(amounts) != 1 or amounts[0].unit != "%":
        return None
    if not re.search(r"\brazem z\b|\bz rachunkiem\b|\bbrutto\b|\bw sumie z\b", scene.folded):
        return None
    return f"{found['a']}*(1 + {amounts[0].text}/100)"


def _of_hundredths(scene: Scene, expression: str) -> str | None:
    """The tax, the discount, the difference alone, after the whole was calculated, and back."""
    found = _HUNDREDTHS.match(expression)
    if found is None:
        return None
    above, below = int(found["p"] or found["q"]), int(found["of"] or found["per"])
    if _HUNDRED % below:
        return None
    base, share = found["a"], above * _HUNDRED // below
    if found["divided"]:
        is_net = _CHANGE_ALONE.search(scene.folded) or _TAX.search(scene.folded)
        return f"{base} - {expression}" if is_net else None
    if _UNCHANGED.search(scene.folded):
        return base
    if _CHANGE_ALONE.search(scene.folded):
        times = "12*" if _YEARLY.search(scene.folded) else ""
        return f"{times}{base}*Rational({abs(_HUNDRED - share)}, 100)"
    return None


def _of_share(scene: Scene, expression: str) -> str | None:
    """The rest of what a share was taken of, or all of it with the share put to it or taken off."""
    found = _SHARE.match(expression)
    if found is None:
        return None
    base, share = found["a"] or found["b"], found["p"] or found["q"]
    fraction = _FRACTION.search(share)
    if fraction is None or int(fraction[1]) >= int(fraction[2]):
        return None
    last = scene.state.last
    said = fold_evenly(last.prompt) if last else ""
    if _AS_PART.search(scene.folded) and not _PERCENT.search(said):
        return f"100*({share})"
    if _REST.search(scene.folded) or _is_of_others(scene, said):
        return f"{base} - {base}*{share}"
    is_less = _LOSES.search(said) is not None
    if _REDUCED.search(scene.folded) and (is_less or _TAKES.search(scene.folded)):
        return f"{base} - {base}*{share}"
    return f"{base} + {base}*{share}" if _WHOLE.search(scene.folded) and not is_less else None


def _is_of_others(scene: Scene, said: str) -> bool:
    """Whether a short question counts what the last one did not: girls, then "a chłopców?"."""
    is_told = scene.size <= _FEW and re.search("[/%:]", said)
    asked = _OTHERS.search(scene.folded) if is_told else None
    word = next(filter(None, asked.groups()), "") if asked else ""
    is_counted = "/" in said or ":" in said or word.endswith(_OF_PEOPLE)
    counted = said[max(said.rfind(" ilu "), said.rfind(" ile ")) :]
    told = counted if ":" in said else said
    return bool(word) and word not in _TELLS and word[:_STEM] not in told and is_counted
