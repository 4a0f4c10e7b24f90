"""How little a follow-up to a forecast says besides its places and days: "a w Radomiu jutro?"."""

from chatbot.language.days import read_day
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.landmarks import find_landmark
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.weather import EXCUSED
from chatbot.router.dialogue.forecasts.places import undenied
from chatbot.router.dialogue.scene import Scene

_ASIDE = regex(
    r",\s*(?:gdzie|zeby)\b.*$|(?:,\s*|\s)(?:bo|poniewaz|gdyz|skoro)\b.*$|"
    rf",\s*(?:w |we )?\w+{EXCUSED}.*$"
)
_FUNCTION = frozenset({
    "a", "i", "no", "to", "w", "we", "na", "nad", "pod", "przy", "u", "z", "ze", "do", "dla", "o",
    "od", "po", "za", "ok", "okej", "dobra", "hmm", "aha", "czy", "tez", "takze", "rowniez",
    "tyz", "tak", "taki", "taka", "takie", "jak", "jaka", "jaki", "co", "ile", "jest", "bedzie",
    "byc", "tam", "teraz", "jeszcze", "moze", "wez", "mi", "sprawdz", "podaj", "pokaz", "powiedz",
    "prosze", "poprosze", "nie", "tylko", "jednak", "ale", "lub", "albo", "oraz", "samo", "sama",
    "sam", "ta", "te", "ten", "tym", "tego", "tej", "dni", "dniach", "najblizszych", "ciagu",
    "czasie", "czas", "miescie", "miasta", "pogoda", "pogode", "pogody", "prognoza", "prognoze",
    "okolicach", "okolicy", "kolo", "wlasciwie", "lepiej", "raczej", "tfu", "sorry",
    "przepraszam", "mialem", "mialam", "mysli", "chodzilo", "chodzi", "pytalem", "pytalam",
    "termin", "bedziemy", "tu", "tutaj", "analogiczna", "analogiczne", "informacje", "informacja",
    "dnia", "dniu", "dzien", "samego", "samym", "wtedy", "wowczas",
    "obu", "obydwu", "oba", "obie", "podobnie", "identycznie",
})  # fmt: skip


def rest(scene: Scene) -> int:
    """Count the words that are neither places, days nor those that every question has."""
    return sum(
        word.text[0].isalpha()
        and not word.is_capitalised
        and word.folded not in _FUNCTION
        and read_day(word.text) is None
        and not gazetteer().sightings(word.text)
        and find_landmark([word]) is None
        for word in split_words(without_aside(undenied(scene.folded, scene.text)))
    )


def without_aside(text: str) -> str:
    """Leave out what a prompt tells at its end: a reason, where one is on another day."""
    aside = _ASIDE.search(fold_evenly(text))
    return text[: aside.start()] if aside else text
