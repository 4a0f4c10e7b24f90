"""Make generated prompts look typed by people: politeness, no diacritics, lower case, typos."""

from random import Random

from chatbot.language.folding import fold

_OPENINGS = (
    "Hej, ", "Cześć, ", "Dzień dobry, ", "Witam, ", "Proszę, ", "Słuchaj, ", "No to ", "A ",
    "Ej, ", "Mam pytanie: ", "Szybkie pytanie: ", "Powiedz mi, ", "Powiedz, ", "Hejka! ",
    "Dzięki. ", "Super, dziękuję. ", "Ok, ", "Dobra, ", "Dobrze, a teraz ", "Wiesz może, ",
    "Halo, ", "Siema, ", "Cześć! ", "Dzień dobry. ", "Wiesz, ", "To teraz ",
)  # fmt: skip
_CLOSINGS = (
    " proszę", ", proszę", " Z góry dziękuję.", ", dzięki", " Dzięki!", " pls", " pilne",
    " :)", "!", "...", " ok?", " Odpowiedz krótko.", " bo nie wiem", " jeśli możesz",
)  # fmt: skip
_ANECDOTES = (
    "Wczoraj byłem u babci i rozmawialiśmy długo. ", "Mam dziś mało czasu. ",
    "Córka pyta, a ja nie wiem. ", "Siedzę w pracy i się nudzę. ", "Uczę się do klasówki. ",
    "Poprzednia odpowiedź była świetna. ", "Mam jeszcze jedno pytanie. ",
    "Nie znam się na tym. ", "Jestem w podróży. ", "Pomóż mi, proszę. ",
)  # fmt: skip
# How many of the prompts get each change.
_POLITE = 0.16
_CHATTY = 0.06
_CLOSED = 0.12
_PLAIN = 0.12
_LOWER = 0.22
_UNMARKED = 0.15
_MISTYPED = 0.09
_LETTERS = "abcdefghijklmnoprstuwyz"


def roughen(prompt: str, random: Random) -> str:
    """Return the prompt as some person might have typed it; half of the time unchanged."""
    text = prompt
    if random.random() < _POLITE:
        text = _join(random.choice(_OPENINGS), text)
    if random.random() < _CHATTY:
        text = random.choice(_ANECDOTES) + text
    if random.random() < _CLOSED:
        text = text.rstrip(" ") + random.choice(_CLOSINGS)
    if random.random() < _PLAIN:
        text = _strip_accents(text)
    if random.random() < _LOWER:
        text = text.lower()
    if random.random() < _UNMARKED:
        text = text.rstrip("?.!")
    if random.random() < _MISTYPED:
        text = mistype(text, random)
    return text


def mistype(text: str, random: Random) -> str:
    """Make one typing error: two letters swapped, one lost, doubled or wrong."""
    places = [at for at, letter in enumerate(text[:-1]) if letter.isalpha()]
    if not places:
        return text
    at = random.choice(places)
    kind = random.randrange(4)
    if kind == 0:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:  # noqa: PLR2004 - the third of four kinds
        return text[: at + 1] + text[at] + text[at + 1 :]
    return text[:at] + random.choice(_LETTERS) + text[at + 1 :]


def _join(opening: str, text: str) -> str:
    if opening.endswith((". ", "! ")) or len(text) < 2 or text[1].isupper():  # noqa: PLR2004
        return opening + text
    return opening + text[0].lower() + text[1:]


def _strip_accents(text: str) -> str:
    return "".join(fold(letter).upper() if letter.isupper() else fold(letter) for letter in text)
