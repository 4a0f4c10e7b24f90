"""What a prompt itself speaks of: the nouns that no conversation has to give."""

from collections.abc import Iterator, Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.editions import read_language
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.naming import gender_of, is_person

_LONGEST = 4  # words between a preposition or an interrogative and its noun
_LONGEST_WORD = 24
_CONTENT = 3  # letters; shorter words are particles
_INTERROGATIVE = regex(r"(?:jak(?:i|a|ie|iego|iej|im|ich|imi|a)|ktor\w+|czyj\w*|ile|ilu|iloma)$")
_RELATION = regex(
    r"(?:zon[ae]|maz|mez[ae]?|syn\w*|cork[aię]|dzieci\w*|brat|siostr[aye]|rodzi\w+|matk[aię]|ojciec|"
    r"stolic[ae]|ludnosc|mieszkanc\w+|powierzchni[ae]|wysokosc|dlugosc|glebokosc|rok|data|dat[ey]|"
    r"autor\w*|tworc[ay]|zawod|narodowosc|pochodzenie|przyczyn[aye]|skutki|objawy|histori[ae]|"
    r"nazw[ae]|imie|nazwisko|wzrost|wiek|lat|wiecej|szczegoly|ciekawostki|przyklady|raz|razy|razem|"
    r"tytul|dziela|ksiazki|filmy|film|utwory|nagrody|nobla|rezyser|obsada|fabula|zrodla|metrow|"
    r"kilometrow|km|prawda|rzecz|osob)$"
)
_PRONOUN = regex(r"(?:kto|co|nikt|nic|ktos|cos|kogo|komu|kim|czego|czemu|czym|kiedy|wszystko)$")
_WHO = regex(r"\b(?:kto|co)\b")
_HOW_MANY = regex(r"\b(?:il[eu]|jak(?:i|a|ie)|ktor[aye])\b")
_HAS = regex(r"\b(?:ma|mial[ao]?|licz[ya]\w*|wazy\w*|mierzy\w*|trwa\w*)\b")
_EDITION = regex(
    r"\b(?:wersj\w+|edycj\w+|hasl\w+|artykul\w*|wiki\w*|\w+jezyczn\w+)\b|"
    r"^(?:\w+[,. ]+){0,4}(?:w|z|ze|na) \w+[sc]kiej\W*$|\bpo \w+[sc]ku co (?:\w+ )?pisz\w+"
)
_NO_CODES = frozenset({"ja", "no", "da", "be", "he"})
"""Words that are written like the code of a language."""

_SUBJECT = regex(r"\bkto\b|(?<!\bza )(?<!\bna )(?<!\bpo )(?<!\bo )\bco\b")
_OF_SPEAKERS = ("ę", "m", "sz", "my", "cie", "eś", "aś")
_TELL = regex(
    r"^(?:(?:a|i|no|to|teraz|lepiej) )*(?:opowiedz|powiedz|mow)(?: mi| cos)* o "
    r"(?!t(?:ym|ej|ych)\b|ni(?:m|ej|ch)\b|samym|jego|jej|ich)\w{4}"
)
_NOUNS = frozenset({"subst", "ger", "depr"})
_ELSEWHERE = frozenset({"impt", "adjp"})
_MARKED = (("l", "ł"), ("e", "ę"), ("z", "ż"), ("s", "ś"), ("a", "ą"), ("o", "ó"), ("c", "ć"))


_SPEAKERS = ("lem", "lam", "les", "las")
"""How "I" and "you" end a past verb: "zostawiłam"."""


def own_subjects(text: str) -> tuple[Span, ...]:
    """Return the nouns of a prompt that say themselves what is asked about.

    None is one after a preposition or an interrogative ("na którym cmentarzu", "ile wież"), nor a
    relation whose other end is left out ("stolica?", "kiedy ukazał się film?"). A word that no
    dictionary has, or a name in small letters, counts as a noun.
    """
    return tuple(_own([word for word in split_words(text) if word.text[0].isalpha()]))


def own_subject(text: str) -> Span | None:
    """Return the first of them."""
    return next(iter(own_subjects(text)), None)


def noun_besides(text: str, topic: str) -> Span | None:
    """Return the first noun that is neither the topic nor an object of what that person did.

    "Kiedy wydała pierwszy tomik?": no tomik does anything in the feminine.
    """
    gender = gender_of(topic) if is_person(topic) else None
    is_done = gender is not None and genders_of_verbs(text) == {gender}
    doer = gender if is_done and not _WHO.search(fold_evenly(text)) else None
    return next(
        (
            noun
            for noun in own_subjects(text)
            if not _is_named(noun, topic) and (doer is None or _can_do(noun, doer))
        ),
        None,
    )


def fits_gender(text: str, topic: str) -> bool:
    """Whether verbs without a subject can be said of the person spoken of, if it is one."""
    told = genders_of_verbs(text)
    return not is_person(topic) or not told or gender_of(topic) in {None, *told}


def _can_do(noun: Span, gender: str) -> bool:
    """Whether a noun can be the subject of a past verb of this gender; unknown words can."""
    readings = morphology().readings(noun.text)
    return not readings or any(
        "nom" in one.cases
        and (one.lemma.islower() or noun.is_capitalised)
        and any(each.startswith(gender) for each in one.genders)
        for one in readings
    )


def _is_named(noun: Span, name: str) -> bool:
    """Whether a common noun is one of a name: "zamek" of "Zamek w Malborku"."""
    said = {word.folded for word in split_words(name)}
    return not noun.is_capitalised and any(
        fold_evenly(one.lemma) in said for one in morphology().readings(noun.text)
    )


def is_relation(word: str) -> bool:
    """Whether a noun lacks its other end: "stolica", "żona", "reżyser"."""
    readings = morphology().readings(word)
    common = [one for one in readings if one.pos == "subst" and one.lemma.islower()]
    is_doer = any("m1" in one.genders for one in common)
    return is_doer or _RELATION.match(fold_evenly(word.lower())) is not None


def is_how_to(text: str) -> bool:
    """Whether it is asked how something is done: "jak ugotować jajko", "co robić w deszcz"."""
    first, *others = split_words(text) or (None,)
    return (
        first is not None
        and first.folded in {"jak", "co"}
        and any(_is_a(one, "inf") for one in others)
    )


def lacks_subject(text: str) -> bool:
    """Whether a verb of the third person has no subject: "od kiedy jest na liście UNESCO?"."""
    folded = fold_evenly(text)
    if _SUBJECT.search(folded) or (_HOW_MANY.search(folded) and not _HAS.search(folded)):
        return False
    told = (word for word in split_words(text) if not word.text.endswith(_OF_SPEAKERS))
    is_told = any(_is_a(word, "praet", "fin") for word in told)
    return is_told and not any(_is_free(text, one) for one in own_subjects(text))


def _is_free(text: str, noun: Span) -> bool:
    """Whether a noun can be a nominative, and no genitive of one that a preposition binds."""
    before = split_words(text[: noun.start])[-2:]
    is_bound = len(before) > 1 and _is_a(before[0], "prep") and _is_noun(before[1])
    readings = morphology().readings(noun.text)
    return not is_bound and (not readings or any("nom" in one.cases for one in readings))


def tells_its_own(text: str) -> bool:
    """Whether something new is to be told of: "opowiedz o smoku wawelskim"."""
    return _TELL.search(fold_evenly(text)) is not None


def read_edition(text: str) -> str | None:
    """Return the language of the edition that is asked for ("z wersji niemieckojęzycznej")."""
    if not _EDITION.search(fold_evenly(text)):
        return None
    words = (word.text for word in split_words(text) if word.folded not in _NO_CODES)
    found = (read_language(f"{word} wikipedia") for word in words)
    return next((code for code in found if code is not None), None)


def genders_of_verbs(text: str) -> frozenset[str]:
    """Return the genders, of "m" and "f", that verbs of others in the singular of the past have."""
    found = {
        gender[0]
        for word in split_words(text)
        if not word.folded.endswith(_SPEAKERS)
        for reading in readings_of(word.text)
        if reading.pos == "praet" and "sg" in reading.numbers
        for gender in reading.genders
    }
    return frozenset(found & {"m", "f"})


def _own(words: Sequence[Span]) -> Iterator[Span]:
    """Yield the nouns that nothing before them binds."""
    bound, is_asked, is_counted = 0, False, False
    for at, word in enumerate(words):
        is_noun = _is_noun(word, is_first=at == 0)
        if _is_name(word):
            yield word
        elif _INTERROGATIVE.match(word.folded):
            bound, is_asked, is_counted = _LONGEST, True, word.folded == "ile"
        elif _is_a(word, "prep"):
            bound, is_asked, is_counted = _LONGEST, False, False
        elif not is_noun:
            bound = 0 if _is_a(word, "fin", "praet") and not is_asked else max(bound - 1, 0)
        elif bound and not (is_counted and _is_only_nominative(word)):
            bound = 0
        elif not _lacks_other_end(words[at : at + 2]):
            yield word


def _is_only_nominative(word: Span) -> bool:
    """Whether "ile" cannot count it: "ile waży słoń", not "ile ma wież"."""
    common = [one for one in morphology().readings(word.text) if one.lemma.islower() and one.cases]
    return bool(common) and all("nom" in one.cases and "sg" in one.numbers for one in common)


def _lacks_other_end(words: Sequence[Span]) -> bool:
    word, *after = words
    return _RELATION.match(word.folded) is not None and not (after and _is_genitive(after[0]))


def _is_a(word: Span, *parts: str) -> bool:
    return any(one.pos in parts for one in readings_of(word.text))


def _is_genitive(word: Span) -> bool:
    return _is_noun(word) and any("gen" in one.cases for one in morphology().readings(word.text))


def _is_noun(word: Span, *, is_first: bool = False) -> bool:
    """Whether a word is a noun and can be nothing else, as far as the dictionary knows.

    An order ("słoń") opens a sentence, and "giżycku" is no adverb without "po" before it.
    """
    if len(word.text) < _CONTENT or _PRONOUN.match(word.folded):
        return False
    readings = morphology().readings(word.text)
    if readings:
        rest = [one for one in readings if is_first or one.pos not in _ELSEWHERE]
        return bool(rest) and all(one.pos in _NOUNS for one in rest)
    return not any(
        one.pos not in _NOUNS
        for plain, marked in _MARKED
        for at, letter in enumerate(word.text[:_LONGEST_WORD])
        if letter == plain
        for one in morphology().readings(f"{word.text[:at]}{marked}{word.text[at + 1 :]}")
    )


def _is_name(word: Span) -> bool:
    """Whether a word in small letters can only be a name ("w andorze", "brat kaina")."""
    readings = morphology().readings(word.text)
    return (
        not word.is_capitalised
        and not _PRONOUN.match(word.folded)
        and bool(readings)
        and all(one.pos in _NOUNS and not one.lemma.islower() for one in readings)
    )
