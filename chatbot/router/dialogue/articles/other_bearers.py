"""Another bearer of the surname that was asked about, told by the first name: "nie ten, Ignacy"."""

from collections.abc import Sequence

from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.dialogue.mentions import shares_word, topic_of
from chatbot.router.dialogue.naming import agreeing_surname, is_first_name, is_person, people
from chatbot.router.dialogue.scene import Scene

_DENIES = regex(
    r"^\W*(?:\w+[,.! ]+){0,3}?(?:nie\b(?! (?:wiem|rozumiem|pamietam|jest|bylo?|byla|ma)\b)|"
    r"zl[aye]g?o?\b|inn[aye]\b|pomyl\w+)|"
    r"\b(?:chodzi\w*|pyta(?:lem|lam|m)|szlo) (?:mi )?o\b|\bmial[ea]m na mysli\b"
)
_MEANT = regex(r"(?:mial[aoy]?|chodzi(?:lo)?)$")
_BEFORE = frozenset({"tylko", "lecz", "ale", "raczej", "o", "mysli", "jednak", "to", "a"})
_MARKS = frozenset({",", ".", "!", "?", ";", ":", "-", "–", "…", "("})
_NUMERALS = frozenset("IVX")
_SHORTEST = 3  # letters


def other_bearer(scene: Scene) -> str | None:
    """Return the person of the last article's surname with the first name that a prompt puts right.

    The first name stands alone between marks: "Nie tego. Juliusz, jego ojciec".
    """
    bearer = _bearer(scene)
    if bearer is None or _DENIES.search(scene.folded) is None:
        return None
    words = scene.words
    for at, word in enumerate(words):
        if _stands_alone(words, at) and _is_given(word) and not shares_word(bearer, word.text):
            before = words[at - 1].folded if at else ""
            case = "o" if before in {"o", "mysli"} else None
            text = word.text[:1].upper() + word.text[1:]
            first = lemmatise(text, kind="person", preposition=case) if case else text
            return f"{first} {agreeing_surname(first, _surname(scene, bearer))}"
    return None


def _bearer(scene: Scene) -> str | None:
    """Whom the last exchange was about, by his full name."""
    topic, last = topic_of(scene), scene.state.last
    if topic is None or last is None:
        return None
    if is_person(bare := topic.partition(" (")[0]):
        return bare
    return next((one for one in people(last.reply) if one.endswith(f" {topic}")), None)


def _surname(scene: Scene, bearer: str) -> str:
    """The last word of a name, or the part of a double one that was asked about: "Tetmajer"."""
    last = scene.state.last
    words = [one for one in bearer.split() if not set(one) <= _NUMERALS]
    asked = [one.text for one in split_words(last.prompt)] if last is not None else []
    parts = [part for part in words[-1].split("-") if any(shares_word(part, one) for one in asked)]
    return parts[0] if len(parts) == 1 else words[-1]


def _stands_alone(words: Sequence[Span], at: int) -> bool:
    """Whether a word is all between two marks, or from "tylko" or "o" to a mark."""
    before = words[at - 1] if at else None
    after = words[at + 1] if at + 1 < len(words) else None
    is_led = before is None or before.text in _MARKS or before.folded in _BEFORE
    return is_led and (
        after is None or after.text in _MARKS or _MEANT.match(after.folded) is not None
    )


def _is_given(word: Span) -> bool:
    """Whether a word is a first name, and no common noun in small letters."""
    text = word.text
    if len(text) < _SHORTEST or not text[0].isalpha():
        return False
    if word.is_capitalised:
        return is_first_name(text)
    readings = readings_of(text)
    return (
        bool(readings) and is_first_name(text) and all(one.lemma[:1].isupper() for one in readings)
    )
