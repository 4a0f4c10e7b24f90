"""A prompt that goes back to something said before the last exchange: "wróćmy do tego zamku"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS, WEATHER
from chatbot.router.dialogue.turns import Turn

_AT_START = regex(r"\b(?:z|na) (?:samego |samym )?poczatku\b")
_BACK = regex(r"\b(?:wro[ct]\w*|wracaj\w*|wracam\w*)\b|\btamt\w+\b|\bjeszcze raz\b")
_WEATHER = regex(
    r"\b(?:t(?:a|e|ej)|to teraz) (?:pogod|prognoz)\w+|\bdo (?:tematu )?(?:pogody|prognozy)\b|"
    r"\b(?:pogod|prognoz)\w+ mia\w+ byc\b"
)
_RECKONED = (
    r"(?:wynik|rachun|oblicz|wylicz|liczeni|dzialan|kwot|sum[aey]\b|iloczyn|iloraz|rownan|ulamk|"
    r"procent)"
)
_CALCULATION = regex(
    rf"\b(?:tamt|poprzedni)\w+ {_RECKONED}|"
    rf"\b(?:wro[ct]\w*|wracaj\w*|wracam\w*|wracamy|to|no|dobra|ok|a)\W+(?:\w+ )?"
    rf"do (?:t\w+ )?{_RECKONED}|"
    r"\btamto (?:\w+ )?jeszcze raz\b[^?]*\d|\bjeszcze raz tamto\b[^?]*\d"
)
"""A calculation is meant, though something else was spoken of since."""

_LED_BACK = regex(
    r"^\W*(?:(?:a|no|ok|dobra|to|jeszcze) )*(?:wro[ct]\w*|wracaj\w*|wracam\w*)"
    r" (?:(?:sie|jeszcze|na chwile) )*do (?:t\w{1,4} |tamt\w+ )?\w+[,.:;–-]+\s+(?=\S)"
)
_POINTED = regex(
    r"\b(?:t(?:en|a|o|e|ego|ej|emu|ym|ych)|tamt\w+) (\w{4,})|"
    r"\b(?:wro[ct]\w*|wracaj\w*|wracam\w*)(?: sie)?(?: jeszcze)? do (?!t\w{1,4} )(\w{3,})"
)
_ORDERED = regex(r"\b(?:pierwsz|drug|ostatn)\w+\b")
_VAGUE = frozenset({
    "czas", "czesc", "dzien", "liczba", "miasto", "miejsce", "moment", "nazwa", "obraz", "obrazek",
    "okres", "osoba", "pogoda", "powod", "raz", "rok", "rzecz", "sam", "samo", "samy", "sposob",
    "sprawa", "temat", "tydzien", "weekend", "wiek", "wiersz", "wynik", "zdjecie", "pora",
})  # fmt: skip
"""What is called so by many prompts, whatever was spoken of."""


def returned(scene: Scene) -> Scene:
    """Put the exchange that a prompt goes back to behind those since; they stay known."""
    turns = scene.state.turns
    at = _meant(scene) if turns[1:] else None
    if at is None or at == len(turns) - 1:
        return scene
    back = scene.after((*turns[:at], *turns[at + 1 :], turns[at]))
    if any(one.name == MATHEMATICS for one in turns[at].calls):
        led = _LED_BACK.match(back.folded)
        return back.within(back.text[led.end() :]) if led else back
    told = _AT_START.search(back.folded)
    if told is None:
        return back
    return back.within(f"{scene.text[: told.start()].strip()} {scene.text[told.end() :].strip()}")


def _meant(scene: Scene) -> int | None:
    """The place of the exchange that is meant, if any earlier one is."""
    turns = scene.state.turns
    if _AT_START.search(scene.folded) and _POINTED.search(scene.folded):
        return next((at for at, turn in enumerate(turns) if turn.calls), None)
    latest = range(len(turns) - 1, -1, -1)
    if _WEATHER.search(scene.folded):
        return next((at for at in latest if _is_of(turns[at], WEATHER)), None)
    if _CALCULATION.search(scene.folded):
        return next((at for at in latest if _is_of(turns[at], MATHEMATICS)), None)
    if _ORDERED.search(scene.folded):
        return None
    for found in _POINTED.finditer(scene.folded):
        said = scene.text[slice(*found.span(found.lastindex or 1))]
        nouns = nouns_of(said) - _VAGUE
        at = next((at for at in latest if nouns and _names(turns[at], nouns)), None)
        if at is not None and _may_return(scene, turns[at]):
            return at
    return None


def _may_return(scene: Scene, turn: Turn) -> bool:
    """Whether a noun is enough: the last exchange was for another tool, or the prompt says so."""
    active = scene.state.active
    was = {one.name for one in active.calls} if active is not None else set()
    is_other = was.isdisjoint(one.name for one in turn.calls)
    return bool(turn.calls) and (is_other or _BACK.search(scene.folded) is not None)


def _is_of(turn: Turn, tool: str) -> bool:
    is_asked = turn.asked is not None and turn.asked[0] == tool
    return is_asked or turn.uses(tool)


def _names(turn: Turn, nouns: frozenset[str]) -> bool:
    """Whether an exchange has one of the nouns, in any of their forms."""
    values = (str(value) for one in turn.calls for value in one.arguments.values())
    texts = (turn.prompt, turn.reply, *values)
    initials = {noun[:3] for noun in nouns}
    return any(
        not nouns.isdisjoint(nouns_of(word.text))
        for text in texts
        for word in split_words(text)
        if fold_evenly(word.text)[:3] in initials
    )
