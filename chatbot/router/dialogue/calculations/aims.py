"""What leads from the last result to a number that is aimed at: "ile dodać, żeby było 2000?"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import is_number, last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_AIMS = (
    r"(?:zeby|aby|by|az)\b.*\b(?:bylo|byla|wyszl[oa]|wynosil[oa]?|dostac|otrzymac|uzyskac|miec|"
    r"dobic|dojsc|zrobilo|bedzie|osiagnac|uzbierac)"
)
_FACTOR = regex(
    rf"\b(?:przez ile|ile razy)\b.*\b{_AIMS}|\bprzez (?:ile|jaka liczbe)\b.*\bpomnoz\w*"
)
_DIVISOR = regex(rf"\bprzez (?:ile|jaka liczbe)\b.*\bpodziel\w*\b.*\b{_AIMS}")
_LOSS = regex(rf"\bile\b.*\b(?:odjac|odejmowac|odjecia)\b.*\b{_AIMS}")
_GAIN = regex(rf"\bile\b.*\b(?:dodac|dolozyc|dorzucic|dobrac|dopisac|doliczyc)\b.*\b{_AIMS}")
_LACKS = regex(r"\b(?:za)?brak(?:uje|nie|lo|owalo)\b(?! (?:mi |nam |jeszcze )*\d)")
_CHANGE = regex(
    r"\b(?:place|zaplac\w*|dal[ae]m|daje|dam|mam|z|ze)\b.*\breszt[aeyę]\b(?! z dziel)|"
    r"\breszt[aeyę]\b(?! z dziel).*\b(?:z|ze)\b"
)
_INSIDE = regex(r"\bile razy\b.*\bmiesci\w* sie\b(?P<in> w (?:tym|nim|wyniku|tej|niej))?")
_AFTER = regex(
    r"\b(?:po ilu|za ile|w ile|ile)\b (?:miesi\w+|tygodni\w*|dni\w*|lat\w*|takich|godzin\w*|razy)"
    r".*\b(?:uzbier\w*|zaoszczedz\w*|odloz\w*|bede miec|bede mial\w*|splac\w*|zarob\w*|zmiesc\w*|"
    r"starcz\w*|wystarcz\w*|zwroc\w*|przejad\w*|przejd\w*|przejed\w*|kupi\w*|zejdzie)"
)
_FITS = regex(r"\bile (?:razy )?(?:takich|takie|to)\b.*\b(?:miesci|zmiesci|wejdzie|kupie)\w*")
_WHOLE = regex(r"\b(?:calkowi\w+|pelnych|calych|maksymalnie|najwyzej|reszt\w*)\b")
_FORMS = (
    (_DIVISOR, "({v})/{a}"),
    (_FACTOR, "{a}/({v})"),
    (_LOSS, "({v}) - {a}"),
    (_GAIN, "{a} - ({v})"),
    (_LACKS, "{a} - ({v})"),
)


def aimed(scene: Scene) -> str | None:
    """Calculate what must be put to the last result, or how many of it make a number."""
    value = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    amounts = read_amounts(scene.text)
    if value is None or not is_number(value) or len(amounts) != 1 or amounts[0].unit == "%":
        return None
    aim, folded = amounts[0].text, scene.folded
    form = next((form for said, form in _FORMS if said.search(folded)), None)
    if form is not None:
        return form.format(v=value, a=aim)
    if _CHANGE.search(folded) and amounts[0].unit in {"", "zl", "piec", "stow", "dych"}:
        return f"{aim} - ({value})"
    if (inside := _INSIDE.search(folded)) is not None:
        return f"({value})/{aim}" if inside["in"] else f"{aim}/({value})"
    is_counted = _AFTER.search(folded) is not None and amounts[0].unit in {"", "zl", "km", "m", "l"}
    if is_counted or _FITS.search(folded):
        return f"floor({aim}/({value}))" if _WHOLE.search(folded) else f"{aim}/({value})"
    return None
