"""The answer to our question for a missing argument; a change of subject drops the question."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.detector.formulas.stories import read_calculation
from chatbot.router.detector.picture import read_descriptions
from chatbot.router.detector.picture.media import COUNT, MEDIUM
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.articles.choices import chosen
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.completions import completed
from chatbot.router.dialogue.calculations.operands import operate
from chatbot.router.dialogue.closings import is_dropped
from chatbot.router.dialogue.drawings.commissions import commissioned
from chatbot.router.dialogue.forecasts import slot_weather
from chatbot.router.dialogue.forecasts.namesakes import names_namesakes
from chatbot.router.dialogue.naming import read_subject
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene, call, draw
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, NEEDED, WEATHER, WIKIPEDIA
from chatbot.router.dialogue.subjects import read_edition

_LONGEST_QUESTION = 240
_ASKS = regex(r"\?|\b(?:podaj|podac|napisz|powiedz|wpisz|wskaz)\b")
_WHAT_IS_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        MATHEMATICS,
        regex(
            r"policz|oblicz|rowna(?:ni|nie)|dzialani|wyrazeni|procent|"
            r"z (?:jakiej|czego) \w*licz|kwot|(?:jak|ktor)\w+ liczb|calk|macierz|funkcj|ulamek|"
            r"\blicz\w* mam\b|\bboki?\b|wysokosc|podstaw|\boceny\b|\bliczb\w*\b|\bpromien|"
            r"wspolczynnik|przekatn|krawed|wymiar|srednic|przyprostok|predkosc"
        ),
    ),
    (
        IMAGE,
        regex(
            r"rysunk|obraz|narysow|namalow|przedstawi|grafi[ck]|ilustracj|\bco ma (?:byc|sie|na)\b"
        ),
    ),
    (WEATHER, regex(r"miejscowos|\bmiast|\bmiescie|\bgdzie\b|okolic|\bregion|\bmiejsc")),
    (
        WIKIPEDIA,
        regex(
            r"poszuka|szukac|\bhasl|\btemat|wikiped|artykul|\bo kogo|\bo czym|\bczego|\bktor|o kim|"
            r"co mam sprawdzic"
        ),
    ),
)
_WISHES: Mapping[str, re.Pattern[str]] = MappingProxyType({
    MATHEMATICS: regex(
        r"\b(?:oblicz\w*|policz\w*|wylicz\w*|rozwiaz\w*|rozlozyc|rozloz|ile|procent\w*|pochodn\w+|"
        r"pol[ea]|powierzchni\w*|objetosc\w*|obwod\w*|przekatn\w+|przeciwprostokatn\w+|"
        r"calk\w*|poteg\w*|matematyk\w*|matm\w*|dzialani\w*|rownani\w*|"
        r"delt[aey]|sum[aey]|zsumuj\w*|zsumowac|podlicz\w*|"
        r"median\w*|sredni\w+|pierwiast\w+|silni\w*|podziel\w*|rat[aey]|wyznacznik\w*)\b"
    ),
    IMAGE: regex(
        r"\b(?:rysuj|maluj|narys\w+|namal\w+|wygener\w+|obraz\w*|rysun\w+|grafik\w+|ilustr\w+|zrob|"
        r"stworz|zaprojektuj|plakat\w*|portret\w*|pocztow\w+|logo)\b"
    ),
    WEATHER: regex(
        r"\b(?:pogod\w*|parasol\w*|kurtk\w+|pada\w*|deszcz\w*|snieg\w*|ciepl\w+|zimno|mroz\w*|"
        r"stopni\w*|wia\w+|wiej\w*|prognoz\w*|zmarzn\w+|zmokn\w+|slisk\w*|slonc\w+|burz\w*|"
        r"przymroz\w+|upal\w*|temperatur\w*|bedzie|dzis\w*|jutro|pojutrze)\b"
    ),
    WIKIPEDIA: regex(
        r"\b(?:wiki\w*|poszuka\w*|szukaj|znajdz|wyszukaj|sprawdz(?:ic)?|encyklopedi\w+|opowiedz|"
        r"hasl\w+)\b"
    ),
})
_OPEN_QUESTION = regex(
    r"\b(?:o (?:kim|kogo|czym|co) |(?:jakie|ktore|jakiego) (?:dokladnie )?(?:haslo|hasla|temat)|"
    r"(?:jaki|ktory) (?:dokladnie )?(?:temat|artykul)|(?:kogo|czego) [^?]{0,30}(?:szukac|znalezc|"
    r"wyszukac|odszukac|poszukac|sprawdzic))[^?]*\?"
)
"""A question whose answer is the whole topic, whatever was said of it before."""

_MEASURES = regex(
    r"\b(?:promien|wysokosc|podstaw|bok|przekatn|krawed|srednic|wspolczynnik|wymiar|przyprostok)"
)
_OPERATION = regex(
    r"\b(?:pochodn\w+|calk\w+|pierwiast\w+|silni\w*|rozwiaz\w*|logarytm\w*|uprosc\w*|rozloz\w*|"
    r"granic\w+|odwrotnosc\w*|procent\w*)\b"
)
_OF_LIST = regex(
    r"\b(?:sredni\w*|sum[aey]|zsumuj|zsumowac|podlicz|dodaj|dodac|median\w*|nwd|nww)\b"
)
"""What is done to a list of numbers, whatever they count."""

_ASKED_SHARE = regex(r"\bile procent\b.{0,12}\b(?:z|od) ")
_LONGEST_ANSWER = 24  # words; a longer sentence says itself what it wants
_NOTHING = frozenset({
    "coś", "cokolwiek", "hasło", "temat", "artykuł", "Wikipedia", "wikipedia", "encyklopedia",
})  # fmt: skip
_ENCYCLOPAEDIA = regex(r"(?:\w+ )?(?:wikipedi|encyklopedi)\w+$", re.IGNORECASE)
_OPEN = regex(
    r"\b(?:zaskocz|co chcesz|cokolwiek|co(?:s)? (?:ladn\w+|fajn\w+)|obojetn\w+|niczego|nic|"
    r"nie wiem|"
    r"wszystko jedno|"
    r"wybierz|sam\w* zdecyduj|to co \w+)\b"
)
_TELL = regex(
    r"\b(?:powiedz|opowiedz|wyjasnij|sprawdz|napisz)\b(?: mi)?(?: lepiej| raczej)?,? "
    r"(?:co|kto|kim|kiedy|gdzie|jak\w*|ile|o)\b|"
    r"\b(?:narysuj|namaluj|policz|oblicz) (?:mi )?(?:lepiej|raczej|jednak)\b"
)
_SURE = 0.8
_SEVERAL = regex(rf"\b{COUNT} (?:\w+ ){{0,2}}?{MEDIUM}")


def asked(scene: Scene, reply: str) -> tuple[str, str] | None:
    """Return tool and argument that ``reply`` asks for, after the scene's prompt."""
    question = scene.within(reply[-_LONGEST_QUESTION:]).folded
    if len(reply) > _LONGEST_QUESTION or not _ASKS.search(question):
        return None
    detected = {one.name: one.arguments for one in scene.detection.calls}
    given = {tool: detected.get(tool, {}).get(needed) for tool, needed in NEEDED.items()}
    if given[WEATHER] is not None and (
        slot_weather.is_place_unknown(question) or names_namesakes(reply)
    ):
        return WEATHER, NEEDED[WEATHER]
    is_open = _is_open(given[WIKIPEDIA], question)
    is_measured = _MEASURES.search(question) and _WISHES[MATHEMATICS].search(scene.folded)
    if any(
        value is not None and value not in _NOTHING and not _ENCYCLOPAEDIA.match(str(value))
        for tool, value in given.items()
        if tool != IMAGE and not (tool == WIKIPEDIA and (is_open or is_measured))
    ):
        return None
    lacking = [tool for tool in detected if tool in NEEDED and NEEDED[tool] not in detected[tool]]
    subjects = [tool for tool, pattern in _WHAT_IS_ASKED if pattern.search(question)]
    wished = [tool for tool in subjects if _WISHES[tool].search(scene.folded)]
    both = [tool for tool in subjects if tool in lacking] or wished or lacking
    if not (both or subjects) and _OF_LIST.search(scene.folded) and not read_amounts(scene.text):
        both = [MATHEMATICS]
    both = [WIKIPEDIA] if is_open and not lacking else both
    tool = next((tool for tool in both if tool in scene.offered), None)
    return None if tool is None else (tool, NEEDED[tool])


def _is_open(topic: object, question: str) -> bool:
    """Whether a question asks for the topic, of which only the field was told: "biologia"."""
    is_field = topic is not None and str(topic)[:1].islower()
    return is_field and _OPEN_QUESTION.search(question) is not None


def answer(scene: Scene) -> Finding:
    """Fill the argument that was asked for just before; `None` where the prompt does not."""
    sure = slot_weather.accept(scene) or chosen(scene) or _completed(scene)
    if sure is not None:
        return sure
    last = scene.state.last
    if last is None or last.asked is None or scene.size > _LONGEST_ANSWER:
        return None
    if is_dropped(scene) or _OPEN.search(scene.folded):
        return None
    tool, _ = last.asked
    if _changes_subject(scene, tool):
        return "alone" if scene.detection.confidence > _SURE else None
    fill = _FILL.get(tool)
    return None if fill is None else fill(scene, scene.within(last.prompt))


def _completed(scene: Scene) -> FollowUp | None:
    whole = completed(scene)
    found = None if whole is None else call(MATHEMATICS, expression=whole)
    return None if found is None else replace(found, is_settled=True)


def _changes_subject(scene: Scene, tool: str) -> bool:
    """Whether the prompt asks for something of its own instead of answering."""
    is_asking = scene.is_question or _TELL.search(scene.folded) is not None
    return is_asking and scene.detects_other(tool)


def _expression(scene: Scene, before: Scene) -> Finding:
    if found := _percentage(scene):
        return call(MATHEMATICS, expression=found)
    last = scene.state.last
    if last is not None and (done := operate(last.prompt, last.reply, scene.text)):
        return call(MATHEMATICS, expression=done)
    joined_up = f"{before.text} {scene.text}"
    is_part = _OPERATION.search(before.folded) is not None
    if not is_part and (formula := read_formula(scene.text)) is not None:
        return call(MATHEMATICS, expression=formula.expression)
    for text in (joined_up, scene.text):
        if (formula := read_calculation(text)) is not None:
            return call(MATHEMATICS, expression=formula.expression)
    return None


def _percentage(scene: Scene) -> str | None:
    """Read an amount and a share of it, told apart: "kwota 3850 zł, prowizja 2,4%"."""
    if re.search(r"(?:%|proc\w*) (?:od|z)\b", scene.folded):
        return None
    amounts = read_amounts(scene.text)
    shares = [one for one in amounts if one.unit == "%"] or _shares_asked_for(scene, amounts)
    if len(amounts) != 2 or len(shares) != 1:  # noqa: PLR2004 - a share, what it is of
        return None
    amount = next(one for one in amounts if one is not shares[0])
    return f"{amount.text}*{shares[0].text}/100"


def _shares_asked_for(scene: Scene, amounts: Sequence[Amount]) -> list[Amount]:
    """The number without a unit, where we asked for per cent and an amount: "osiem, 640 zł"."""
    last = scene.state.last
    if last is None or not _ASKED_SHARE.search(fold_evenly(last.reply)):
        return []
    return [one for one in amounts if not one.unit and not one.near] or list(amounts[:1])


def _topic(scene: Scene, before: Scene) -> Finding:
    found = read_subject(scene.text)
    language = read_edition(scene.text) or read_edition(before.text)
    edition = {"language": language} if language else {}
    return call(WIKIPEDIA, query=found, **edition) if found else None


def _description(scene: Scene, before: Scene) -> Finding:
    found = () if scene.is_question else read_descriptions(scene.text)
    if len(found) == 1 and _SEVERAL.search(before.folded):
        several = read_descriptions(f"{before.text.strip(' .!?')}: {scene.text}")
        if len(several) > 1:
            return draw(*several)
    return draw(*(commissioned(before.text, one) for one in found)) if found else None


_FILL: Mapping[str, Callable[[Scene, Scene], Finding]] = MappingProxyType({
    WEATHER: slot_weather.answer_place,
    MATHEMATICS: _expression,
    WIKIPEDIA: _topic,
    IMAGE: _description,
})
