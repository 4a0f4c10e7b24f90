"""Cut a prompt that asks for two calculations: by measures, numbers, questions or joints."""

import re
from collections import Counter
from collections.abc import Iterator

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_MEASURE = (
    r"(?:nwd|nww|gcd|lcm|sum[aeęy]|iloczyn\w*|roznic\w+|iloraz\w*|pochodn\w+|"
    r"calk\w+(?: nieoznaczon\w+)?|sredni\w+(?: arytmetyczn\w+| dzienn\w+)?|median\w+|dominant\w+|"
    r"wariancj\w+|odchyleni\w+(?: standardow\w+)?|rozstep\w*|wyznacznik\w*|slad|rzad|"
    r"macierz odwrotn\w+|odwrotnosc|pol[ea](?: powierzchni)?(?: (?:calkowit|boczn)\w+)?|"
    r"powierzchni\w+|obwod\w*|objetosc\w*|przekatn\w+|wysokosc\w*|reszt\w+|kwadrat|szescian|"
    r"sinus\w*|cosinus\w*|tangens\w*|sin|cos|tg|dzielniki|silni\w+|minimum|maksimum|delt[aeę])"
)
_MEASURES = Guarded(
    rf"\b({_MEASURE})(?:\s*[?,;.]\s*|,? i |,? oraz |,? a takze |,? a potem |,? jak i )"
    rf"(?:(?:jeszcze|tez|jego|jej|ich|od razu|podaj|policz|oblicz) )*({_MEASURE})(?!\w)"
)
_POINTING = regex(r"\b(?:jego|jej|ich|tego|tej)\b")
_SAME_THING = Guarded(
    rf"\b(?P<one>{_MEASURE})(?P<thing> [^?;]{{3,80}}?)"
    r"(?:,? (?:i|oraz|a takze|a potem|plus)|[;,.?]) "
    r"(?:(?:jeszcze|tez|podaj|policz|oblicz|do tego) )*(?:(?:jego|jej|ich) "
    rf"(?P<two>{_MEASURE})|(?P<three>{_MEASURE}) (?:tego|tej|jego|jej)\b)[^\d]*$"
)
_COMBINED = regex(r"\b(?:sum|roznic|iloczyn|iloraz|stosun|sredni|zsumuj|doda[jc])\w* $")
_LISTED = regex(r"(?:^|(?<=[\s:]))(?:[a-d]|[1-4])\)\s*(?=\S)")
_LISTS = ("abcd", "1234")
_ASKING = regex(r"\b(?:(?:po|o|na|przez|w) )?(?:ile|ilu|wiela|jak[aieąy](?:e|im|ej|iego)?)\b")
_BEFORE_ASKING = regex(
    r"(?:[?.;,]|\s)\s*(?:(?:no|a|i|oraz|a takze|potem|ponadto|dodatkowo|wiec|do tego|"
    r"przy okazji|a potem|i jeszcze|to) )*$"
)
_APART = regex(
    r"\b(?:osobno|niezaleznie|niezalezn[eay]|kazd[eaąy](?: z nich)?|oddzielnie|oba|obie|"
    r"dwa rownania)\b"
)
_JOINT = regex(
    r"(?:,? (?:oraz|a osobno|a takze|a potem|a nastepnie|a pozniej|potem|pozniej|i potem|"
    r"(?:a |i )?poza tym|(?:a |i )?oprocz tego|ponadto|dodatkowo|"
    r"i osobno|i jeszcze|i|a|a drugie)|[;,?.]|\n)(?: (?:mi|policz|oblicz|jeszcze|osobno|a|i|oraz|"
    r"potem|pozniej|drugie|podaj|tej|liczb[aeęy]?|z|ze|od|dla))* (?!\d+ ?/ ?\d)(?=\S)"
)
_TAKES_BOTH = regex(
    r"\b(?:nwd|nww|sum|zsumuj|doda[jc]|odej|odjac|pomnoz|mnozen|iloczyn|iloraz|roznic|sredni|median|"
    r"uklad|miedzy|porownaj|dominant|mod[aeę]\b|gcd|lcm|wariancj|odchyleni|rozstep|kwadratow\w+|nie\b)"
)
_OF_ROWS = regex(r"\b(?:macierz|wyznacznik)")
_OF_EACH = regex(r" (?:to|sa|jest) (?:liczb\w+ )?(?:pierwsz|parzyst|podzieln|zlozon)")
_OPERAND = regex(r"[\d(\[√∛∫−-]")
_FIGURE = regex(r"[\d\[(]")
_LAST_NUMBER = regex(r"[\d.,]*\d$")
_NUMBER = regex(r"\d+(?:\.\d+)?")
_FIRST_OPERAND = regex(r"^[\d ]*\d(?:[.,]\d+)?")
_HEAD = regex(r"^(?:(?:po|o|na|przez|w) )?\w+(?: \w+){0,2}")
_HEAD_WITH_SIZES = regex(
    r"^\w+ [^\W\d]+ \d[\d,.]* ?(?:c?m )?(?:x|na|×|\*) ?\d[\d,.]*(?: ?c?m\b)?", re.IGNORECASE
)
_MOST_JOINTS = 6
_FEW_WORDS = 9


def ways_by_words(prompt: str) -> Iterator[list[str]]:
    """Yield ways to take a prompt apart that its own words suggest, all of two parts or more."""
    folded = fold_evenly(prompt)
    found = _MEASURES.search(folded)
    if found and not is_combined(folded, found.start()):
        yield [
            f"{prompt[: found.start()]}{found[group]}{prompt[found.end() :]}" for group in (1, 2)
        ]
    same = _SAME_THING.search(folded) if _POINTING.search(folded) else None
    if same and not is_combined(folded, same.start()) and re.search(r"\d", same["thing"]):
        thing = prompt[same.start("thing") : same.end("thing")]
        yield [
            f"{prompt[: same.start()]}{measure}{thing}"
            for measure in (same["one"], same["two"] or same["three"])
        ]
    marks = list(_LISTED.finditer(folded))
    signs = "".join(one[0][0] for one in marks)
    if len(marks) > 1 and any(each.startswith(signs) for each in _LISTS):
        ends = [*(one.start() for one in marks[1:]), len(prompt)]
        before = prompt[: marks[0].start()]
        yield [f"{before}{prompt[one.end() : end]}".strip(" ,;")
               for one, end in zip(marks, ends, strict=True)]  # fmt: skip
    yield from _questions(prompt, folded)


def is_combined(folded: str, at: int) -> bool:
    """Whether what begins there is put together first: "iloczyn NWD i NWW"."""
    return _COMBINED.search(folded, 0, at) is not None


def _questions(prompt: str, folded: str) -> Iterator[list[str]]:
    """Two questions with what is told before both: "… ile to sztuk, a ile kilogramów?"."""
    asked = list(_ASKING.finditer(folded))[:3]
    for at, second in enumerate(asked[1:], 1):
        joint = _BEFORE_ASKING.search(folded, 0, second.start())
        first = asked[at - 1]
        if joint is None or joint.start() <= first.end():
            continue
        told, one = prompt[: first.start()], prompt[first.start() : joint.start()]
        other = prompt[second.start() :]
        yield [f"{told}{one}?", f"{told}{other}"]
        head = _HEAD_WITH_SIZES.match(one) or _HEAD.match(one)
        if head and len(other.split()) <= _FEW_WORDS:
            yield [f"{told}{one}?", f"{told}{head[0]} {other[second.end() - second.start() :]}"]


def are_apart(prompt: str) -> bool:
    """Whether the prompt says that its calculations have nothing to do with each other."""
    return _APART.search(fold_evenly(prompt)) is not None


def ways_by_joints(prompt: str) -> Iterator[list[str]]:
    """Yield ways to cut at each joint; what one side lacks is taken from the other."""
    folded = fold_evenly(prompt)
    for joint in list(_JOINT.finditer(folded))[:_MOST_JOINTS]:
        left, right = prompt[: joint.start()], prompt[joint.end() :]
        figure = _FIGURE.search(left)
        if figure is None or not _FIGURE.search(right):
            continue
        if _TAKES_BOTH.search(folded, 0, figure.start()) and _OPERAND.match(right):
            continue
        if right[0].isdigit() and _OF_ROWS.search(folded, 0, figure.start()):
            continue
        if _OPERAND.match(right):
            yield [left, f"{left[: figure.start()]}{right}"]
            said = _FIRST_OPERAND.match(right)
            if (
                said
                and _LAST_NUMBER.search(left)
                and _OF_EACH.match(folded, joint.end() + said.end())
            ):
                yield [f"{left}{right[said.end() :]}", f"{left[: figure.start()]}{right}"]
        yield [left, right]


def leaves_out(whole: str, parts: list[str]) -> bool:
    """Whether an expression lacks numbers that those of the parts have, each as often."""
    rest = Counter(number for one in parts for number in _NUMBER.findall(one))
    rest.subtract(Counter(_NUMBER.findall(whole)))
    return any(count > 0 for count in rest.values())
