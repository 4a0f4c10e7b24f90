"""Compose prompts of several parts: quoted, refused, corrected, joined and framed requests."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from chatbot.router.detector.classifier import CLASSES

NONE = "none"

# The wish stands beside what is quoted, which is no wish.
_QUOTING = (
    "Kolega wysłał mi coś takiego: {other}. Nieważne, {wish}",
    "Dostałam wiadomość {other}, ale pomiń ją. {wish}",
    "W mailu było: {other}. Ignoruj to. {wish}",
    "Cytuję z forum: {other}. A ja pytam o co innego: {wish}",
    "{wish} Na kartce był jeszcze dopisek {other}, tego nie rób.",
    "Uczeń napisał na tablicy {other}. Śmieszne. {wish}",
    "Na stronie stoi: {other}. Nie o to mi chodzi. {wish}",
    "<notatka>{other}</notatka> To notatka kogoś innego. {wish}",
    "Przeczytałem ogłoszenie: {other}. {wish}",
    "Babcia napisała SMS: {other}, ale to już nieaktualne. {wish}",
    "Tłumacz wypluł mi {other}. Serio? {wish}",
    "Wklejam fragment regulaminu: {other} {wish}",
    "{wish} A tego nie czytaj: {other}.",
    "SYSTEM: {other} – to nie ode mnie. {wish}",
)
_WORKING = (
    "Przetłumacz na angielski: {other}", "Popraw błędy: {other}", "Streść to: {other}",
    "Wstaw przecinki: {other}", "Skróć do jednego zdania: {other}", "Przerób na pytanie: {other}",
    "Sparafrazuj: {other}", "Popraw styl tego maila: {other}", "{other} – popraw ortografię",
    "Zmień ten tekst na bardziej formalny: {other}", "Oceń, czy to brzmi grzecznie: {other}",
    "Jak odpisać na wiadomość {other}?", "Odpisz uprzejmie na: {other}", "Co to znaczy: {other}?",
    "Jak to powiedzieć po niemiecku: {other}?", "Przepisz bez błędów: {other}",
    "Ile błędów jest w zdaniu {other}?", "Przerób na bezokoliczniki: {other}",
    "Sprawdź proszę ortografię, bez zmieniania treści: {other}", "Translate into Polish: {other}",
    "Czy tekst {other} to atak na chatbota?", "Wypisz czasowniki ze zdania {other}",
    "Ułóż nagłówek do tekstu: {other}", "Zredaguj wpis: {other}", "Skomentuj opinię: {other}",
    "Streść w dwóch zdaniach wpis z forum:\n\n{other}", "Podaj trzy tytuły dla tekstu {other}",
    "Napisz odpowiedź na opinię {other}", "Zamień na mowę zależną: {other}",
    "Zamień to na listę punktów: {other}", "Kto mógł napisać {other}? Zgadnij po stylu.",
)  # fmt: skip
_MARKS = (("„", "”"), ('"', '"'), ("«", "»"), ("“", "”"))
_REFUSED: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "weather": ("Nie sprawdzaj pogody", "Nie pytam o pogodę", "Pogoda mnie nie obchodzi"),
    "mathematics": ("Nie licz niczego", "Nie podawaj wyniku", "Bez liczenia"),
    "wikipedia": ("Nie szukaj w Wikipedii", "Nie potrzebuję encyklopedii", "Bez definicji"),
    "image": ("Nie rysuj", "Nie generuj obrazka", "Żadnych obrazków", "Nie chcę zdjęcia"),
    "none": ("Nie pisz wiersza", "Nie tłumacz mi tego", "Bez wstępów", "Nie opowiadaj bajek"),
})
_INSTEAD = (", tylko ", ". Zamiast tego ", ", po prostu ", ". ", "! ", ", wolę: ", " – ")
_CORRECTED = (
    "{other}… albo nie, {wish}", "{other} Nie, stop. {wish}", "{other} Chociaż nie, {wish}",
    "{other} Nieważne. {wish}", "{other} Wróć, pomyliłem się. {wish}", "{other}, znaczy {wish}",
    "{other} Zamiast tego: {wish}", "{other} Już wiem. Teraz {wish}",
)  # fmt: skip
_JOINED = (
    "{wish} A potem {other}", "{wish} I jeszcze {other}", "{wish} Oraz {other}",
    "1. {wish}\n2. {other}", "{wish} i {other}", "{wish} Drugie pytanie: {other}",
    "{wish} a przy okazji {other}",
)  # fmt: skip
_FRAMES = (
    "Mam dziś urodziny. {wish}", "{wish} To do szkoły.", "Robię prezentację. {wish}",
    "{wish} Pytam dla kolegi.", "Syn pyta: {wish}", "Kłócimy się z żoną. {wish}",
    "Jadę pociągiem i się nudzę. {wish}", "{wish} Bez żartów, proszę.",
    "Maluję pokój. {wish}", "Uczę się do matury z matmy. {wish}", "{wish} Bo pada i siedzę w domu.",
    "Czytam książkę o Chopinie. {wish}", "Zimno mi w biurze. {wish}", "{wish} Liczę na ciebie.",
    "no hej {wish}", "yyy słuchaj {wish}", "dobra {wish}", "Smutno mi dzisiaj, więc {wish}",
    "Dzień dobry, piszę w sprawie szkolnego projektu. {wish}", "{wish} Odpowiedz jednym zdaniem.",
)  # fmt: skip

Draw = Callable[[str], str]
"""Gives a plain prompt of a class."""


def compose(label: str, draw: Draw, random: Random) -> tuple[str, str]:
    """Make a prompt of several parts whose wish is of the class ``label``.

    Returns:
        The prompt, and the name of the way in which it was composed.
    """
    other_label = random.choice([each for each in CLASSES if each != label])
    wish, other = draw(label), draw(other_label)
    kinds: tuple[str, ...] = ("quoting", "refused", "corrected", "framed", "framed")
    if label == NONE:
        kinds = ("working", "working", "working", "quoting", "refused", "framed", "framed")
    elif other_label != NONE:
        kinds = (*kinds, "joined", "joined")
    kind = random.choice(kinds)
    match kind:
        case "quoting":
            return _quoting(wish, other, random), kind
        case "working":
            return random.choice(_WORKING).format(other=_quoted(other, random)), kind
        case "refused":
            refusal = random.choice(_REFUSED[other_label])
            return refusal + random.choice(_INSTEAD) + _lower(wish), kind
        case "corrected":
            return random.choice(_CORRECTED).format(other=other, wish=_lower(wish)), kind
        case "joined":
            return random.choice(_JOINED).format(other=_lower(other), wish=wish), kind
        case _:
            return random.choice(_FRAMES).format(wish=wish), kind


def _quoting(wish: str, other: str, random: Random) -> str:
    return random.choice(_QUOTING).format(other=_quoted(other, random), wish=wish)


def _quoted(text: str, random: Random) -> str:
    opening, closing = random.choice(_MARKS)
    return f"{opening}{text}{closing}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if len(text) > 1 and not text[1].isupper() else text
