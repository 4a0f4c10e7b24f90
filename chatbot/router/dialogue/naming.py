"""Names in a conversation: of persons and things, and whom a pronoun can mean."""

from collections.abc import Sequence
from itertools import pairwise

from chatbot.language.first_names import (
    Gender,
    foreign_bases,
    foreign_gender,
    is_foreign_name,
)
from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import Span, fold_evenly, joined, split_words
from chatbot.router.detector.topic import read_topic

_LED = regex(
    r"^(?:(?:no|a|to|ja|eee|yyy|hmm|najlepiej|moze|niech bedzie|poprosze|prosze|dla|o|"
    r"chodzi(?:lo)? (?:mi )?o|mialem na mysli|mialam na mysli|te|ten|ta|tego|tej|tym)[\s,]+)+"
)
_APPOSED = regex(r"^\s*(?:ta|ten|to|taki|taka|takie|czyli|no|wiesz)\b")
PEOPLE = "nazwa_pospolita"
"""The label of common nouns; one that begins with a capital is the name of a people."""
FIRST_NAME = "imię"
_PROPER = frozenset({"imię", "nazwisko", "nazwa_geograficzna", "nazwa_własna"})
_TITLE = regex(r"[„\"«]([^„”\"«»]{2,80})[”\"»]")
_NUMERAL = regex(r"[IVX]+$")
_STOPS = frozenset({"", ".", "!", "?", "…"})
_STEM = 4  # letters that forms of one name share
_OBLIQUE = regex(r"\w{3}(?:[’'](?:a|ego|em|emu|owi|m)|(?<!t)iego|skiemu)$")
_ADJECTIVAL = ("ski", "cki", "dzki")  # surnames of men, which end so in the nominative alone
_OF_WOMEN = ("ska", "cka", "dzka")
_CONSONANTS = tuple("bcdfghjklmnpqrstvwxzćłńśźż")
"""How surnames end that a man's genitive has an "a" after: "Kamala Harris" is a woman."""

_INNER = frozenset({"de", "van", "von", "da", "di", "la", "le", "del", "der"})


def runs(text: str) -> tuple[tuple[Span, ...], ...]:
    """Return the runs of capitalised words, in order: "Maxa Berga", "Wisły"."""
    words = split_words(text)
    found: list[list[Span]] = []
    for at, word in enumerate(words):
        joins = bool(found) and at > 0 and _follows(words, at, found[-1][-1])
        if word.is_capitalised and word.text[0].isalpha() and not _opens(words, at):
            if joins:
                found[-1].append(word)
            else:
                found.append([word])
        elif (
            joins and word.folded in _INNER and at + 1 < len(words) and words[at + 1].is_capitalised
        ):
            found[-1].append(word)
    return tuple(map(tuple, found))


def _follows(words: Sequence[Span], at: int, last: Span) -> bool:
    """Whether a word goes on with a name, also after an initial: "J.R.R. Tolkiena"."""
    if last is words[at - 1]:
        return not _begins_anew(last.text, words[at].text)
    is_initial = at > 1 and last is words[at - 2] and len(last.text) == 1
    if not is_initial or words[at - 1].text != "." or not words[at].text[0].isalpha():
        return False
    text = words[at].text
    return len(text) == 1 or not morphology().is_known(text) or "nazwisko" in labels_of(text)


def _begins_anew(last: str, word: str) -> bool:
    """Whether a person is named after a place in another case: "pod Kircholmem Jan Karol …"."""
    is_oblique = is_geographic(last) and not _is_nominative(last) and not is_first_name(last)
    return is_oblique and _is_base_first(word)


def names_before(text: str, end: int) -> bool:
    """Whether a name stands before ``end``, and not only at the opening of a sentence."""
    return any(
        run[-1].end <= end and (len(run) > 1 or text[: run[0].start].rstrip()[-1:] not in _STOPS)
        for run in runs(text)
    )


def _opens(words: Sequence[Span], at: int) -> bool:
    """Whether a capital only opens the sentence: "To Czymanowo", "Czy Prus"."""
    is_first = at == 0 or words[at - 1].text in {".", "!", "?", "…"}
    return (
        is_first
        and not is_proper(words[at].text)
        and morphology().is_known(words[at].text.lower())
        and at + 1 < len(words)
        and words[at + 1].is_capitalised
    )


def people(text: str, *, known: str = "") -> tuple[str, ...]:
    """Return the persons that a text names in full, in base form; whom ``known`` names come last.

    A first name may be foreign, hence unknown to the dictionary.
    """
    before = {word.folded[:_STEM] for word in split_words(known)}
    found = [run for run in runs(text) if len(run) > 1 and may_be_person(run)]
    found.sort(key=lambda run: any(word.folded[:_STEM] in before for word in run))
    return tuple(dict.fromkeys(person_name(joined(text, run)) for run in found))


def may_be_person(run: Sequence[Span]) -> bool:
    """Whether capitalised words may be first name and surname; a first name may be foreign."""
    first, last = run[0].text, run[-1].text
    is_last = not morphology().is_known(last) or "nazwisko" in labels_of(last)
    is_initial = len(first) == 1 and len(last) > 1
    return is_last and (_may_be_first(first) or is_initial)


def _may_be_first(word: str) -> bool:
    """Whether a word may be a first name: one, a strange word, or a surname that is no place."""
    readings = morphology().readings(word)
    is_name = any("nazwisko" in labels_in(one) and "nom" in one.cases for one in readings)
    is_other = any(one.lemma.islower() for one in readings) or is_geographic(word)
    return FIRST_NAME in labels_of(word) or not readings or (is_name and not is_other)


def is_geographic(word: str) -> bool:
    """Whether a word can be a place, or a part of the name of one."""
    return any("geograficzn" in label for label in labels_of(word))


def is_person(name: str) -> bool:
    """Whether a name is a person's: it begins with a first name, has more, and is no place's.

    "Neil Armstrong", "Jadwiga Andegaweńska"; not "Aleksandrów Kujawski".
    """
    first, *others = split_words(name) or (None,)
    if first is None or not others or not first.is_capitalised:
        return False
    last = others[-1]
    if FIRST_NAME not in labels_of(first.text):
        return False
    if _NUMERAL.match(others[0].text):
        return True  # "Bolesław I Chrobry"
    is_strange = last.is_capitalised and foreign_gender(first.text) is not None
    return (is_strange or _may_be_last(last)) and gazetteer().find(name) is None


def _may_be_last(word: Span) -> bool:
    """Whether a word may end a person's name: strange, a name, or what somebody is called by."""
    text = word.text.rsplit("-", 1)[-1]  # "Boy-Żeleński"
    readings = morphology().readings(text)
    is_byname = word.is_capitalised and any(one.pos == "adj" for one in readings)
    return not readings or is_byname or bool(labels_of(text) & {FIRST_NAME, "nazwisko"})


def is_first_name(word: str) -> bool:
    """Whether a word is a form of a first name."""
    return FIRST_NAME in labels_of(word)


def is_proper(word: str) -> bool:
    """Whether a word can be a name of any kind."""
    return bool(labels_of(word) & _PROPER)


def is_surname(word: str) -> bool:
    """Whether a word is a surname, and no place."""
    labels = labels_of(word)
    return "nazwisko" in labels and not labels & {"nazwa_geograficzna", "nazwa_pospolita"}


def gender_of(person: str) -> Gender | None:
    """Return the gender that a first name has, or most likely has."""
    first = split_words(person)[:1]
    if not first:
        return None
    return known_gender(person) or ("f" if first[0].folded.endswith("a") else "m")


def agreeing_surname(first: str, surname: str) -> str:
    """Return a surname as somebody of this first name bears it: "Maria" "Kossakowska"."""
    gender = gender_of(first)
    if gender == "f" and surname.endswith(_ADJECTIVAL):
        return f"{surname[:-1]}a"
    if gender == "m" and surname.endswith(_OF_WOMEN):
        return f"{surname[:-1]}i"
    return surname


def known_gender(person: str) -> Gender | None:
    """Return the gender that lists and dictionary give a first name."""
    first = split_words(person)[:1]
    if not first:
        return None
    if (foreign := foreign_gender(first[0].text)) is not None:
        return foreign
    genders = {
        gender[0]
        for reading in morphology().readings(first[0].text)
        if FIRST_NAME in reading.labels and "nom" in reading.cases
        for gender in reading.genders
    }
    if genders & {"m", "f"} == {"m"} or genders & {"m", "f"} == {"f"}:
        return "m" if "m" in genders else "f"
    return None


def surname_in(text: str) -> str | None:
    """Return the surname in a text with the rank before it ("metropolita Szeptycki")."""
    words = split_words(text)
    named = [run for run in runs(text) if len(run) > 1 and may_be_person(run)]
    for before, word in pairwise(words):
        whole = next((run for run in named if word in run), None)
        if whole is not None:
            return person_name(joined(text, whole))
        if word.is_capitalised and is_surname(word.text):
            is_rank = before.text.islower() and "nazwa_pospolita" in labels_of(before.text)
            phrase = joined(text, (before, word) if is_rank else (word,))
            return phrase if _is_nominative(word.text) else lemmatise(phrase, kind="person")
    return None


def _is_nominative(word: str) -> bool:
    """Whether a word can be a nominative; of unknown words nobody knows it."""
    readings = morphology().readings(word)
    return not readings or any("nom" in reading.cases for reading in readings)


def _opens_in_base(word: str) -> bool:
    """Whether a first name stands in its base form: not "Jana" of "Jana Styki"."""
    named = [one for one in morphology().readings(word) if FIRST_NAME in labels_in(one)]
    return not named or any("nom" in one.cases and "sg" in one.numbers for one in named)


def _is_base_only(first: str, last: str) -> bool:
    """Whether nothing but a nominative is possible: "Julian Brzuchowski", "Wołodymyr Zełenski"."""
    is_strange = not morphology().is_known(first)
    is_womans = first.endswith("a") and first != last and last.endswith(_CONSONANTS)
    is_fixed = foreign_gender(first) == "f" and not first.endswith("a")  # "Grace Kelly"
    return (
        _is_base_first(first)
        or is_womans
        or is_fixed
        or (is_strange and last.endswith(_ADJECTIVAL))
    )


def _is_base_first(word: str) -> bool:
    """Whether a word is a first name that can be nothing but a nominative of one person."""
    if foreign_gender(word) == "m" and word.endswith((*_CONSONANTS, "a", "o")):
        return True
    named = [
        one.cases
        for one in morphology().readings(word)
        if FIRST_NAME in labels_in(one) and "sg" in one.numbers
    ]
    return bool(named) and all(cases == {"nom"} for cases in named)


def read_title(text: str) -> str | None:
    """Return the title in quotation marks, as it stands there."""
    found = _TITLE.search(text)
    return found[1] if found else None


def read_subject(text: str) -> str | None:
    """Return what a bare answer names: a person, a battle, a thing; in base form."""
    led = _LED.match(fold_evenly(text))
    bare = text[led.end() :] if led else text
    first, _, rest = bare.partition(",")
    named = runs(rest)
    if led and named and not first[:1].isupper():
        return lemmatise(joined(rest, named[-1]), kind="person", preposition="do")
    if rest and first[:1].isupper() and _APPOSED.match(fold_evenly(rest)):
        is_bound = (led[0].rstrip() if led else "").endswith(("o", "O"))
        return lemmatise(first.strip(), preposition="o") if is_bound else first.strip()
    return read_topic(bare)


def person_name(phrase: str, before: str = "") -> str:
    """Return a full name in its base form; ``before``, a word, tells the case of a strange one."""
    words = [word.text for word in split_words(phrase) if word.is_capitalised]
    is_oblique = any(map(_is_oblique, words))
    if words and not is_oblique and _is_base_only(words[0], words[-1]):
        return phrase
    if words and _governs(before) and _is_mans_genitive(words[0]):
        return lemmatise(phrase, kind="person")
    if is_oblique or _is_closing(before):
        return lemmatise(phrase, kind="person", preposition="do")
    if any(not morphology().is_known(word) for word in words) and _governs(before):
        is_preposition = any(one.pos == "prep" for one in morphology().readings(before.lower()))
        preposition = before.lower() if is_preposition else "do"
        return lemmatise(phrase, kind="person", preposition=preposition)
    is_base = all(map(_is_nominative, words)) and (not words or _opens_in_base(words[0]))
    return phrase if is_base else lemmatise(phrase, kind="person")


def _is_mans_genitive(word: str) -> bool:
    """Whether a first name can be a man's in the genitive: "Dawida"."""
    return any(
        FIRST_NAME in labels_in(one) and "m1" in one.genders and "gen" in one.cases
        for one in morphology().readings(word)
    )


def _is_closing(mark: str) -> bool:
    """Whether a name is that of an author, in the genitive: "„Solaris” Stanisława Lema"."""
    return mark in {"”", "»"}


def _is_oblique(word: str) -> bool:
    """Whether a strange word can be no base form: "Stephena", "Messiego", "Cave'a"."""
    if morphology().is_known(word) or foreign_gender(word) is not None:
        return False
    return bool(foreign_bases(word)) or _OBLIQUE.search(word) is not None


def _governs(word: str) -> bool:
    """Whether a word before a name puts it into another case: "według projektu", "przez".

    Who is what somebody is, in the nominative, does not: "malarz", "aktorka".
    """
    readings = morphology().readings(word.lower()) if word.isalpha() else ()
    if any(one.pos == "prep" for one in readings):
        return True
    nouns = [one for one in readings if one.pos in {"subst", "ger"}]
    if not nouns or any(one.pos in {"praet", "fin", "imps"} for one in readings):
        return False
    return not any("nom" in one.cases and _is_bearer(one) for one in nouns)


def _is_bearer(noun: Reading) -> bool:
    """Whether a noun says what somebody is: "pisarz", "aktorka", "reżyserka"."""
    return "m1" in noun.genders or (
        "f" in noun.genders and noun.lemma.endswith(("ka", "ini", "yni"))
    )


def is_people(word: str) -> bool:
    """Return whether a word says of what people somebody is: "Szwed", "Francuzka"."""
    return any(
        PEOPLE in one.labels and one.lemma[:1].isupper() for one in morphology().readings(word)
    )


def labels_of(word: str) -> frozenset[str]:
    """Return the kinds of name that a word can be."""
    foreign = {FIRST_NAME} if is_foreign_name(word) else set[str]()
    return frozenset(foreign).union(*map(labels_in, morphology().readings(word)))


def labels_in(reading: Reading) -> frozenset[str]:
    """Return the kinds of name of one reading."""
    return frozenset(label.partition("_(")[0] for label in reading.labels)
