"""Find what a sentence is about where no frame of a question fits: its noun phrases, weighed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.router.detector.nouns import (
    ASKED,
    CATEGORIES,
    DETERMINERS,
    INDEFINITE,
    INNER,
    KEEPING,
    PARTICLES,
    PLACES_OF_ALL,
    PREPOSITIONS,
    QUESTIONS,
    TIMES,
    VAGUE,
    VERBS,
    WORKS,
)
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, joined, split_words

_WEAK = frozenset({"w", "we", "na", "od", "z", "ze", "po", "przed", "do", "dla", "u", "za"})
_ROMAN = regex(r"[IVXLCDM]+")
_VERBAL = frozenset({"fin", "praet", "impt", "inf", "bedzie", "imps", "aglt", "winien", "pcon"})
_SMALL = frozenset({"adv", "qub", "part", "conj", "comp", "interj", "ppron12", "ppron3", "siebie",
                    "pred", "num", "prep", "comparp"})  # fmt: skip
_PERSONAL = frozenset({"imię", "nazwisko"})
_LONG_NUMBER = 5
_FIRST = regex(r"naj|pierwsz|ostatni")
_UNLIKELY = 50
_MOST_WORDS = 120
_SHORTEST = 4  # letters of a noun that no dictionary has
_PAST = regex(r"(?:[aiye]l[aoiy]?|nal[aoiy]?)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A noun phrase with the preposition before it, and how likely it is the topic."""

    text: str
    preposition: str | None
    words: tuple[Span, ...]
    weight: float


@lru_cache(maxsize=128)  # one prompt asks for the same clause several times
def find_subjects(clause: str, *, is_inner: bool = False) -> tuple[Subject, ...]:
    """Return the noun phrases of a clause that could be its topic, the likeliest first.

    ``is_inner`` says that no sentence begins here, so that a capital letter makes a name.
    """
    reader = _Reader(clause, is_inner=is_inner)
    return tuple(sorted(reader.subjects(), key=lambda one: -one.weight))


class _Reader:
    """Reads the noun phrases of one clause from left to right."""

    def __init__(self, clause: str, *, is_inner: bool) -> None:
        self._clause = clause
        self._is_inner = is_inner
        self._words = split_words(clause)[:_MOST_WORDS]
        self._readings = [readings_of(word.text) for word in self._words]
        self._lemmas = [
            frozenset(one.lemma.lower() for one in readings if one.is_nominal)
            for readings in self._readings
        ]

    def subjects(self) -> Iterator[Subject]:
        at, order, preposition = 0, 0, None
        is_any = False
        while at < len(self._words):
            word = self._words[at].folded
            is_that = self._words[at].text.lower() == "że"
            if word in PREPOSITIONS and not (is_that or self._is_name(at)):
                preposition = word
                at += 1
                continue
            if word in DETERMINERS:
                is_any = word in INDEFINITE
                at += 1
                continue
            end = self._phrase(at)
            if end > at:
                yield self._made(at, end, preposition, order + _UNLIKELY * is_any)
                order += 1
            preposition, is_any = None, False
            at = max(end, at + 1)

    def _phrase(self, start: int) -> int:
        """Return where the noun phrase from ``start`` on ends; ``start`` if there is none."""
        head = start
        while head + 1 < len(self._words) and self._is_before(head):
            head += 1
        if not (self._is_noun(head) or self._is_name(head)):
            return start
        end = head + 1
        while end < len(self._words):
            step = self._step(start, head, end)
            if step == end:
                break
            end = step
        return end

    def _is_from(self, at: int, head: int) -> bool:
        """Whether a place follows a person: "Franciszek z Asyżu"."""
        is_place = at < len(self._words) and "nazwa_geograficzna" in self._labels(at)
        return is_place and self._is_name(head) and self._words[at].is_capitalised

    def _is_before(self, at: int) -> bool:
        """Whether a word belongs to the noun after it: an adjective that agrees, an ordinal."""
        is_verb = any(one.pos == "praet" for one in self._readings[at])
        is_apart = self._words[at + 1].start - self._words[at].end > 1
        if is_verb or is_apart or self._words[at].folded in VAGUE:
            return False
        if _ROMAN.fullmatch(self._words[at].text):
            return self._is_noun(at + 1) and not self._is_name(at + 1)
        before = {
            case
            for one in self._readings[at]
            if one.is_adjectival or one.pos in {"num", "adjc"}
            for case in one.cases
        }
        if not self._is_noun(at) and not self._words[at].is_capitalised and not before:
            return False
        after = {
            case
            for one in self._readings[at + 1]
            if one.is_nominal or one.is_adjectival
            for case in one.cases
        }
        return bool(before & after) and (self._is_noun(at + 1) or self._is_adjective(at + 1))

    def _step(self, start: int, head: int, at: int) -> int:
        """Return where the phrase ends if the word at ``at`` belongs to it; else ``at``."""
        word, before = self._words[at], self._words[at - 1]
        if word.start - before.end > 1:
            return at
        if self._is_tail(at, head):
            return at + 1
        is_next = at + 1 < len(self._words)
        if word.folded in PARTICLES and is_next and self._words[at + 1].is_capitalised:
            return at + 2
        is_first = start < head and _FIRST.match(self._words[start].folded) is not None
        is_keeping = is_first or any(lemmas & KEEPING for lemmas in self._lemmas[start:at])
        is_origin = word.folded in {"z", "ze"} and self._is_from(at + 1, head)
        if word.folded in INNER and is_next and (is_keeping or is_origin):
            inner = self._phrase(at + 1)
            is_small = self._words[inner - 1].text.islower()  # "Wrześni" may be September
            is_time = inner == at + 1 or (is_small and bool(self._lemmas[inner - 1] & TIMES))
            return at if is_time or self._words[at + 1].text.isdigit() else inner
        if word.folded == "i" and is_next and self._is_joint(start, at):
            return at + 2
        return at

    def _is_tail(self, at: int, head: int) -> bool:
        """Whether a word goes on a phrase: a name, a genitive, an adjective that agrees."""
        word, readings = self._words[at], self._readings[at]
        if word.text.isdigit() or self._words[at - 1].text.isdigit():
            return self._is_number(at)
        if not word.text[0].isalpha() or word.folded in DETERMINERS | PREPOSITIONS | VAGUE:
            return False
        if word.is_capitalised or _ROMAN.fullmatch(word.text):
            return not self._is_actor(at)
        if not readings:  # a name that no dictionary has: "irena sendlerowa", "Felis catus"
            before = self._words[at - 1]
            is_name = "imię" in self._labels(at - 1) or not self._readings[at - 1]
            return not _PAST.search(word.folded) and (is_name or before.is_capitalised)
        if self._is_name(at):  # in small letters: "ruch chorzow", "teoria darwina", "jan kowalski"
            own = [one for one in readings if fold(one.lemma) == word.folded]
            is_person = any(one.labels & _PERSONAL for one in own)
            return not is_person or "imię" in self._labels(at - 1)
        return self._is_nominal(at) and self._agrees(at, head)

    def _is_actor(self, at: int) -> bool:
        """Whether a person in the nominative follows what he has: "tron Henryk Walezy"."""
        names = [one for one in self._readings[at] if "imię" in one.labels]
        cases = {case for one in names for case in one.cases}
        before = self._lemmas[at - 1]
        is_thing = bool(before) and not self._words[at - 1].is_capitalised
        is_kind = before & (CATEGORIES | ASKED | KEEPING) or self._is_for_person(at - 1)
        return "nom" in cases and "gen" not in cases and is_thing and not is_kind

    def _is_number(self, at: int) -> bool:
        """Whether a number belongs to the name before it: "Apollo 11", "Konstytucja 3 maja"."""
        if not self._words[at].text.isdigit():
            return bool(self._lemmas[at] & TIMES)
        is_date = any(lemmas & TIMES for lemmas in self._lemmas[at + 1 : at + 2])
        is_short = len(self._words[at].text) < _LONG_NUMBER
        return is_date or (self._words[at - 1].is_capitalised and is_short)

    def _is_nominal(self, at: int) -> bool:
        kinds = {one.pos for one in self._readings[at]}
        nouns = [one for one in self._readings[at] if one.is_nominal]
        is_genitive = any("gen" in one.cases for one in nouns)
        if self._words[at].folded in VERBS or kinds & (_VERBAL - {"impt", "fin"}):
            return False
        return is_genitive or ("fin" not in kinds and (bool(nouns) or not kinds & _SMALL))

    def _agrees(self, at: int, head: int) -> bool:
        cases = frozenset(case for one in self._readings[head] for case in one.cases)
        return any(
            (one.is_nominal and "gen" in one.cases)
            or (one.is_adjectival and (one.cases & cases or "gen" in one.cases))
            for one in self._readings[at]
        )

    def _is_joint(self, start: int, at: int) -> bool:
        """Whether "i" joins two halves of one name: "Pałac Kultury i Nauki", "burza i napór to"."""
        left, right = at - 1, at + 1
        after = self._words[right + 1 : right + 2]
        if start == 0 and any(word.folded == "to" for word in after):
            return self._is_noun(right) and not self._is_name(right)
        if not (self._words[left].is_capitalised and self._words[right].is_capitalised):
            return False
        is_person = any(self._labels(n) & {"imię"} for n in (start, right))
        return left > start and not is_person

    def _labels(self, at: int) -> frozenset[str]:
        return frozenset(label for one in self._readings[at] for label in one.labels)

    def _is_name(self, at: int) -> bool:
        """Whether a capital letter makes the word a name, not the beginning of the clause."""
        word = self._words[at]
        if not word.is_capitalised or not word.text[0].isalpha():
            readings = self._readings[at]
            return bool(readings) and all(one.lemma[:1].isupper() for one in readings)
        is_first = self._words[at - 1].text in '.?!…:„"' if at else not self._is_inner
        if not is_first:
            return word.folded not in QUESTIONS
        return all(one.lemma[:1].isupper() for one in self._readings[at])

    def _is_noun(self, at: int) -> bool:
        readings = self._readings[at]
        word = self._words[at]
        if word.folded in VAGUE | PREPOSITIONS or not word.text[0].isalpha():
            return False
        if any(one.pos in _SMALL for one in readings) and not self._lemmas[at] & KEEPING:
            return False
        common = [one for one in readings if one.lemma[:1].islower()] or list(readings)
        if any(one.pos in _VERBAL for one in common) and not self._is_name(at):
            is_verb = word.folded in VERBS or any(one.pos in {"praet", "inf"} for one in common)
            return not is_verb and any(one.is_nominal for one in common)
        return any(one.is_nominal for one in readings) or (
            not readings and len(word.text) >= _SHORTEST and not _PAST.search(word.folded)
        )

    def _is_adjective(self, at: int) -> bool:
        return self._words[at].folded not in VAGUE and any(
            one.is_adjectival for one in self._readings[at]
        )

    def _made(self, start: int, end: int, preposition: str | None, order: int) -> Subject:
        while start + 1 < end and self._is_participle(start) and self._is_name(start + 1):
            start += 1
        is_asked = start
        start, preposition = self._without_asked(start, end, preposition)
        weight = self._weight(start, end, None if start > is_asked else preposition) - 0.1 * order
        words = self._words[start:end]
        return Subject(
            text=joined(self._clause, words),
            preposition=preposition,
            words=words,
            weight=weight,
        )

    def _is_participle(self, at: int) -> bool:
        return any(one.pos in {"ppas", "pact"} for one in self._readings[at])

    def _without_asked(
        self, start: int, end: int, preposition: str | None
    ) -> tuple[int, str | None]:
        """Take off what the question wants to know ("data", "wysokość") and what kind it is of."""
        begin = start
        while start + 1 < end:
            head = next((at for at in range(start, end) if self._is_head(at, end)), start)
            after = head + 1
            if after >= end:
                break
            is_first = start < head and _FIRST.match(self._words[start].folded)
            if is_first and not self._lemmas[head] & ASKED:
                break
            if self._lemmas[head] & CATEGORIES and self._is_apposition(after, head):
                start = after
            elif (name := self._person(head, end)) is not None:
                start = name
            elif (
                self._is_asked(head, is_inner=start > begin)
                or self._lemmas[head] & WORKS
                or self._is_count(head)
            ) and (later := self._noun_after(head, end)):
                inner = self._words[later - 1].folded
                start, preposition = later, inner if inner in INNER else "do"
            else:
                break
        return start, preposition

    def _is_head(self, at: int, end: int) -> bool:
        is_before = at + 1 < end and self._is_adjective(at) and self._is_before(at)
        is_noun = self._is_noun(at) and not (is_before and not self._lemmas[at] & ASKED)
        return is_noun or self._is_name(at)

    def _is_count(self, at: int) -> bool:
        is_kind = bool(self._lemmas[at + 1] & ASKED) or self._is_adjective(at + 1)
        return is_kind and "liczba" in self._lemmas[at]

    def _is_asked(self, at: int, *, is_inner: bool) -> bool:
        """Whether a noun says what is asked; "powstania" only after "rok" and the like."""
        is_event = is_inner and "powstanie" in self._lemmas[at]
        is_before = self._words[at + 1].folded not in INNER
        return not self._is_name(at) and (
            bool(self._lemmas[at] & ASKED) or (is_event and is_before)
        )

    def _noun_after(self, head: int, end: int) -> int | None:
        """Return where the noun or name begins that something is asked of."""
        at = head + 1
        while (
            at < end
            and self._is_adjective(at)
            and not self._is_name(at)
            and not (at + 1 < end and self._is_noun(at + 1) and self._belongs(at))
        ):
            at += 1
        at += at < end and self._words[at].folded in INNER
        return at if at < end else None

    def _belongs(self, at: int) -> bool:
        """Whether an adjective is of the noun after it, which is a genitive: "nazwa łacińska X"."""
        nouns = [one for one in self._readings[at - 1] if "nom" in one.cases]
        genders = frozenset(gender for one in nouns for gender in one.genders)
        own = [one for one in self._readings[at] if one.is_adjectival and "nom" in one.cases]
        return self._is_before(at) and not any(one.genders & genders for one in own)

    def _person(self, head: int, end: int) -> int | None:
        """Return where a first name follows a noun for a person: "Austriak Felix Baumgartner"."""
        nouns = [one for one in self._readings[head] if one.is_nominal and "m1" in one.genders]
        cases = frozenset(case for one in nouns if not one.labels & _PERSONAL for case in one.cases)
        for at in range(head + 1, end - 1):
            names = [one for one in self._readings[at] if "imię" in one.labels]
            if self._words[at].is_capitalised and any(one.cases & cases for one in names):
                return at
        return None

    def _is_apposition(self, at: int, head: int) -> bool:
        """Whether a name at ``at`` stands in the case of the noun before it."""
        if self._words[head].is_capitalised and self._is_adjective(at):  # "Wyspa Wielkanocna"
            return False
        if not self._words[at].is_capitalised:
            own = [one for one in self._readings[at] if one.is_nominal and "nom" in one.cases]
            return any(fold(one.lemma) == self._words[at].folded for one in own)
        cases = frozenset(c for one in self._readings[head] if one.is_nominal for c in one.cases)
        names = [one for one in self._readings[at] if one.lemma[:1].isupper()]
        is_maker = not self._is_for_person(head) and any(
            one.labels & _PERSONAL and "gen" in one.cases and "nom" not in one.cases
            for one in names
        )
        return not is_maker and (not names or any(one.cases & cases for one in names))

    def _is_for_person(self, at: int) -> bool:
        """Whether a noun may be a man or a woman: after "książkę" the name "Lema" is its author."""
        return (
            any(
                "m1" in one.genders or one.lemma.endswith(("ka", "pani", "królowa"))
                for one in self._readings[at]
                if one.is_nominal and not one.labels & _PERSONAL
            )
            and not self._lemmas[at] & WORKS
        )

    def _weight(self, start: int, end: int, preposition: str | None) -> float:
        weight = 0.0
        names = [at for at in range(start, end) if self._is_name(at)]
        head = next((at for at in range(start, end) if self._is_noun(at)), start)
        heads = frozenset(lemma for at in range(start, end) for lemma in self._lemmas[at])
        if names:
            weight += 3.0
        if any(self._labels(at) & {"imię"} for at in names) and len(names) > 1:
            weight += 1.5
        if self._lemmas[start] & KEEPING:
            weight += 1.0
        if preposition is None:
            weight += 0.5 - 3.5 * (end - start == 1 and bool(heads & PLACES_OF_ALL))
            if any("nom" in one.cases for one in self._readings[start]):
                weight += 1.0 if names else 1.5
        elif preposition == "o":
            weight += 1.5
        elif preposition in _WEAK:
            weight -= (1.5 if names else 1.0) + 2.0 * bool(heads & PLACES_OF_ALL)
        if self._lemmas[head] & TIMES and not self._is_name(head):
            weight -= 5.0
        if not names and self._lemmas[head] & (ASKED | CATEGORIES):
            weight -= 3.5 if end - start == 1 else 1.5
        return weight
