"""Bring the topic of a question to its base form, names in small letters too."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.odds import inflection_odds
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.language.vocabulary import ORIGINS
from chatbot.router.detector.nouns import PARTICLES
from chatbot.router.detector.pairs import REALMS, are_apart, is_club, is_club_of, is_turned
from chatbot.router.detector.readings import labels_of, readings_of, restored
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.detector.titles import find_titles
from chatbot.router.detector.unchanged import is_designation, is_foreign_word
from chatbot.types import NameKind

_PERSONAL = frozenset({"imię", "nazwisko"})
_COMMON_LABEL = "nazwa_pospolita"
_GEOGRAPHIC = "nazwa_geograficzna"
_EPITHETS: Mapping[str, str] = MappingProxyType({  # of rulers; no dictionary has them
    "platonogi": "plątonogi",
    "laskonogi": "laskonogi",
    "krzywousty": "krzywousty",
    "lokietek": "łokietek",
    "odnowiciel": "odnowiciel",
    "pogrobowiec": "pogrobowiec",
    "kedzierzawy": "kędzierzawy",
})
_COMMON = frozenset({
    "historia", "stolica", "flaga", "herb", "hymn", "waluta",
    "kultura", "gospodarka", "budowa", "geografia", "krotka", "dzieje",
})  # fmt: skip
_NUMERAL = regex(r"[ivx]{1,5}")
_PAIR = 2
_SHORTEST_MENDED = 5  # letters of a word in a foreign phrase
_LIKELY = 2.0  # the odds of an inflected ending
_INFLECTED = regex(r"(?:[ęąy]|em|owi|(?<!ow)ie|ach|ami|i|a)$")


def small_name(phrase: str) -> str | None:
    """Write a person typed in small letters as a name, if it can stand in the nominative."""
    words = split_words(phrase)
    if phrase != phrase.lower() or not 1 <= len(words) <= 3:  # noqa: PLR2004 - names of a person
        return None
    for word in words:
        if not any(
            one.labels & _PERSONAL
            and "nom" in one.cases
            and one.nominative is None
            and fold(one.lemma) == word.folded
            for one in morphology().readings(word.text)
        ):
            return None
    is_noun = any(one.is_nominal for one in morphology().readings(words[0].text))
    if len(words) > 1 and is_noun and all(map(_is_everyday, words)):  # "wydra morska"
        return None
    return " ".join(word.text.capitalize() for word in words)


def _is_everyday(word: Span) -> bool:
    """Whether a word in small letters is its own base form and no name."""
    return any(
        one.lemma.islower() and (one.is_adjectival or fold(one.lemma) == word.folded)
        for one in morphology().readings(word.text)
    )


def small_place(text: str, phrase: Sequence[Span]) -> str | None:
    """Return the place that a word in small letters can only be: "ustrój bhutanu"."""
    word = phrase[0].text
    if len(phrase) > 1 or text != text.lower() or not word.isalpha():
        return None
    is_common = any(one.lemma[:1].islower() for one in readings_of(word))
    return None if is_common else place_named(word)


def one_of_its_kind(topic: str) -> str:
    """Write things of one kind in the singular, as articles are called: "trabanty".

    Groups of people keep their plural: "janczarzy", "jezuici".
    """
    readings = readings_of(topic) if topic.isalpha() and topic.islower() else ()
    nouns = [one for one in readings if one.is_nominal]
    lemmas = {one.lemma for one in nouns}
    is_many = any("nom" in one.cases for one in nouns) and all(
        one.numbers == {"pl"} and "m1" not in one.genders for one in nouns
    )
    return lemmas.pop() if is_many and len(lemmas) == 1 and min(lemmas).islower() else topic


def without_ending(topic: str) -> str:
    """Return a word that no dictionary has in the form that nouns have: "lempirą" is "lempira"."""
    is_strange = topic.isalpha() and topic[-1:] in "ąę" and not readings_of(topic)
    return f"{topic[:-1]}a" if is_strange else topic


def first_name_first(topic: str) -> str:
    """Return a person called as in a register by the usual name: "puchalski Włodzimierz"."""
    words = split_words(topic)
    if len(words) != _PAIR or not all(word.is_capitalised or _is_only_name(word) for word in words):
        return topic
    if find_titles(words) or not is_turned(split_words(topic.title())):
        return topic
    return " ".join(word.text.capitalize() for word in reversed(words))


def _is_only_name(word: Span) -> bool:
    """Whether a word in small letters is a name and no common noun: "puchalski"."""
    is_common = any(one.is_nominal and one.lemma.islower() for one in readings_of(word.text))
    return bool(labels_of(word) & _PERSONAL) and not is_common


def place_named(phrase: str) -> str | None:
    """Return the one place that a phrase in any letters and case is a form of."""
    names = {
        one.place.name
        for one in gazetteer().sightings(phrase.title())
        if fold(one.form) == fold(phrase)
    }
    return names.pop() if len(names) == 1 else None


def is_nominative(phrase: str) -> bool:
    """Whether a phrase is a single name that can be a subject: "Piastowie" is no place then."""
    words = split_words(phrase)
    return (
        len(words) == 1
        and words[0].is_capitalised
        and any("nom" in reading.cases for reading in morphology().readings(phrase))
    )


def as_it_stands(phrase: str) -> str:
    """Return a phrase that has its base form already, with its diacritics and capital letters."""
    if is_designation(phrase):
        return phrase[0].upper() + phrase[1:]
    mended = _mended(phrase)
    return _titled(mended, split_words(mended))


def base_form(phrase: str, preposition: str) -> str | None:
    """Bring what follows a frame to its base form."""
    words = split_words(phrase)
    if not words or is_designation(phrase) or _is_named(words):
        return as_it_stands(phrase) if words else None
    if words[0].folded in _COMMON and not _is_instrumental(words[0]):
        return phrase[0].lower() + phrase[1:]
    if _is_base(phrase, words, preposition) or are_apart(words):
        return phrase
    if is_club_of(words):
        return f"{lemmatise(words[0].text, kind='topic')} {words[1].text}"
    if is_turned(words):
        phrase = f"{words[1].text} {words[0].text}"
        words = split_words(phrase)
    if len(words) > 1 and gazetteer().sightings(phrase):
        return lemmatise(phrase, kind="place", preposition=preposition or None)
    preposition = preposition or _case_shown(words[0])
    mended = _mended(_accusative(phrase, preposition))
    titled = _titled(mended, split_words(mended))
    found = lemmatise(titled, kind=_kind(words), preposition=preposition or None) or phrase
    return _agreed(titled, found, preposition)


def _agreed(phrase: str, found: str, preposition: str) -> str:
    """Bring both words of a village to the base form: "Bereźnicy Wyżnej", not its adjective alone.

    Args:
        phrase: What was said.
        found: The base form of it.
        preposition: What stands before it, if it says the case.
    """
    said, bare = phrase.split(" "), found.split(" ")
    is_pair = len(said) == len(bare) == _PAIR and said[0].istitle() and said[1].istitle()
    if not is_pair or morphology().is_known(said[0]) or said[0] != bare[0] or said[1] == bare[1]:
        return found
    for case in (preposition or None, None):
        place = lemmatise(phrase, kind="place", preposition=case)
        if place.split(" ")[0] != said[0]:
            return place
    return found


def _is_base(phrase: str, words: Sequence[Span], preposition: str) -> bool:
    """Whether a phrase is left as it stands: a nominative, or a name no dictionary has."""
    if preposition == "przez":  # "kto zdobył Nanga Parbat"
        return len(words) > 1 and not any(morphology().is_known(word.text) for word in words)
    if preposition:
        return False
    is_lemma = is_nominative(phrase) and any(
        one.lemma == phrase for one in morphology().readings(phrase)
    )
    is_strange = len(words) == 1 and words[0].is_capitalised and not _INFLECTED.search(phrase)
    is_strange = is_strange and not morphology().is_known(phrase)
    return is_lemma or is_strange or _is_foreign(words) or _is_place_by_name(phrase)


def _is_instrumental(word: Span) -> bool:
    """Whether a word can only be an instrumental: "kto był żoną …"."""
    cases = {case for one in morphology().readings(word.text) for case in one.cases}
    return "inst" in cases and not cases & {"nom", "acc"} and not word.is_capitalised


def _is_named(words: Sequence[Span]) -> bool:
    """Whether a full name can only be a nominative: "Andrzej Gołota", "Burdż Chalifa"."""
    if len(words) < _PAIR:
        return False
    first = morphology().readings(words[0].text)
    if not first:
        is_bare = inflection_odds(words[0].text, kind="topic") < _LIKELY
        is_unknown = not morphology().is_known(words[1].text) and words[1].is_capitalised
        return is_bare and is_unknown and words[1].folded.endswith("a")
    cases = {case for one in first if "imię" in one.labels for case in one.cases}
    return cases - {"voc"} == {"nom"}


def _case_shown(word: Span) -> str:
    """Return a preposition that goes with the only case of a word: "denominację"; else ""."""
    if not morphology().is_known(word.text) and word.text.endswith("ę"):
        return "przez"
    if _is_instrumental(word):
        return "przed"
    cases = {one for reading in morphology().readings(word.text) for one in reading.cases}
    return "przez" if cases == {"acc"} and not word.is_capitalised else ""


def _accusative(phrase: str, preposition: str) -> str:
    """Restore the ę of "teorie wzglednosci" where an accusative stands and no accent was typed."""
    first, space, rest = phrase.partition(" ")
    if preposition != "przez" or fold(phrase) != phrase.lower() or not first.endswith("e"):
        return phrase
    restored_one = f"{first[:-1]}ę"
    own = {one.lemma for one in morphology().readings(first)}
    is_open = not own and len(first) >= _SHORTEST_MENDED  # "Biedronke"
    is_singular = any(
        one.is_nominal
        and "acc" in one.cases
        and "sg" in one.numbers
        and (is_open or one.lemma in own)
        for one in morphology().readings(restored_one)
    )
    return f"{restored_one}{space}{rest}" if is_singular else phrase


def _is_place_by_name(phrase: str) -> bool:
    """Whether a phrase is the name of a known place as it stands."""
    return any(one.form == phrase and one.case == "nom" for one in gazetteer().sightings(phrase))


def is_plainly_inflected(word: Span) -> bool:
    """Whether an unknown name has an ending that hardly any nominative has: "Luke'a"."""
    is_known = morphology().is_known(word.text)
    return not is_known and inflection_odds(word.text, kind="person") > _LIKELY


def _is_foreign(words: Sequence[Span]) -> bool:
    """Whether a name of several words, one of them unknown, stands where a nominative stands."""
    names = [word for word in words if word.is_capitalised]
    if not words[0].is_capitalised or any(map(is_plainly_inflected, names)):
        return False
    return len(names) > 1 and any(not morphology().is_known(word.text) for word in names)


def _kind(words: Sequence[Span]) -> NameKind:
    first = words[0]
    labels = labels_of(first)
    if _GEOGRAPHIC in labels and len(words) == 1 and first.is_capitalised:
        return "place"
    is_small = not first.is_capitalised and any(word.is_capitalised for word in words)
    if "imię" in labels and not is_small and _may_be_person(words) and _is_full_name(words):
        return "person"
    if not first.is_capitalised:
        return "topic"
    is_common = any(_COMMON_LABEL in one.labels for one in morphology().readings(first.text))
    is_person = labels & _PERSONAL and not is_common and _is_full_name(words)
    return "person" if is_person else "topic"


def _may_be_person(words: Sequence[Span]) -> bool:
    """Whether a phrase in small letters may be a person: "malina właściwa" is none."""
    if words[0].is_capitalised:
        return True
    is_described = any(one.is_adjectival for word in words[1:2] for one in readings_of(word.text))
    is_common = any(
        one.is_nominal
        and one.lemma.islower()
        and (is_described or fold(one.lemma) == words[0].folded)  # "rysiu iberyjskim"
        for one in readings_of(words[0].text)
    )
    return len(words) > 1 and not (is_common and not labels_of(words[1]) & _PERSONAL)


def _is_full_name(words: Sequence[Span]) -> bool:
    return all(not labels_of(word) or labels_of(word) & _PERSONAL for word in words[:2])


def _mended(phrase: str) -> str:
    """Put the diacritics that were forgotten into words that no dictionary has."""
    words = split_words(phrase)
    is_strange = len(words) > 1 and any(map(is_foreign_word, words))
    for word in words:
        if is_strange and len(word.text) < _SHORTEST_MENDED:  # "La vie en rose"
            continue
        if word.text[0].isalpha() and not word.is_capitalised:
            mended = _EPITHETS.get(word.folded) or restored(word.text)
            phrase = phrase.replace(word.text, mended)
        elif word.is_capitalised and word.text.isascii() and not morphology().is_known(word.text):
            phrase = phrase.replace(word.text, _restored_name(word.text))
    return phrase


def _restored_name(word: str) -> str:
    """Put the diacritics into a name that no dictionary has without them: "Warminski"."""
    if not word.isalpha() or not word.istitle():
        return word
    found = restored(word)
    is_short = len(word) < _SHORTEST_MENDED
    if is_short and found[-1] != word[-1]:  # "Hare" is no "Harę"
        return word
    if any(one.lemma[:1].isupper() for one in morphology().readings(found)):
        return found
    small = restored(word.lower())
    is_adjective = any(one.is_adjectival for one in morphology().readings(small))
    return small.capitalize() if is_adjective else word


def _titled(phrase: str, words: Sequence[Span]) -> str:
    """Write a name typed in small letters as one: of a person, of a ruler, of a club."""
    if phrase != phrase.lower() or len(words) < _PAIR:
        return phrase
    lemmas = {one.lemma for one in readings_of(words[0].text)}
    if lemmas & REALMS:
        return " ".join(
            word.text.capitalize() if labels_of(word) & _PERSONAL else word.text for word in words
        )
    if len(words) == _PAIR and is_club(words):
        return " ".join(restored(word.text).capitalize() for word in words)
    is_named = "imię" in labels_of(words[0]) and _may_be_person(words)
    if not is_named or not _is_full_name(words):
        return phrase
    return " ".join(map(_as_name, words))


def _as_name(word: Span) -> str:
    """Write a word of a person's name: "van" and "z" stay, "xiii" is a number."""
    if word.folded in PARTICLES | ORIGINS:
        return word.text
    is_number = len(word.text) > 1 and _NUMERAL.fullmatch(word.text) is not None
    return word.text.upper() if is_number else word.text.capitalize()
