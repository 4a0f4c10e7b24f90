"""Read the topic of one sentence: titles, frames of questions, else the likeliest noun phrase."""

import re
from collections.abc import Iterator, Sequence

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.odds import inflection_odds
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.bases import base_form, is_nominative, small_name
from chatbot.router.detector.frames import (
    ABOUT,
    AT_QUESTION,
    CUT,
    FRAMES,
    MADE,
    MAKERS,
    PEOPLE,
    QUESTION,
    TRAILING,
    TURNED,
    WIKI,
)
from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.nouns import (
    ASKED,
    CATEGORIES,
    DETERMINERS,
    INDEFINITE,
    VAGUE,
)
from chatbot.router.detector.readings import labels_of, readings_of
from chatbot.router.detector.spans import fold_evenly, joined, split_words
from chatbot.router.detector.subjects import Subject, find_subjects
from chatbot.router.detector.verbs import is_clause, is_finite, is_skipped, verbs_end

TITLES = regex(r"[„\"«”]([^„”\"«»]{2,60})[”\"»“]")
_WORDS = frozenset({"hasło", "słowo", "termin", "pojęcie", "nazwa", "wyraz", "określenie"})
_COUNTING = regex(r"(?:\w+ )?(?:ile|ilu|jak[aie]|ktor)")
_PREPOSITION = regex(r"\b(w|we|na|o|z|ze|do|od|dla|przez|po|pod|nad|przy|za|przed)\s*$")
_TONGUE = regex(r"[a-ząćęłńóśźż]{3,30}[sc]ki")
_NAMED = regex(r"\b(?:nazywa|zwa|nazwa|okresla|tytulowa)n\w{1,2} $")
_LAST_WORD = regex(r"(\w+)\s*$")
_QUESTION_WORD = (
    r"(?:\w{1,4} )?(?:kto|co|kim|czym|kiedy|gdzie|ile|ilu|jak|jak[aie]\w*|ktor\w+|skad|dlaczego)\b"
)
_REPORTED = regex(
    r"(?:\b(?:pyta\w*|wie|wiem|wiecie|pamietam|powiedz|sprawdz|powiesz|zastanawia\w*|ciekaw\w*|"
    r"spytal\w*|zapytal\w*|dowiedziec sie|wiedziec)(?: \w+)?,|:,?)(?: \d[.)])? "
    rf"(?={_QUESTION_WORD})"
)
_EMPTY = regex(r"\s*\(\s*\)")
_POINTING = frozenset({"tam", "on", "ona", "ono", "jego", "jej", "go", "ja", "ich", "nim", "niej"})
_HEADED = regex(
    rf"(?!{AT_QUESTION}\b)([^?!.:;]{{2,80}}?)(?:\s*[,–—-])?"
    rf" (?:(?:dzis|dzisiaj|teraz|obecnie) )?"
    rf"(?:(?:to|ma|mial[ao]?|lezy|zyl[ao]?|nazywal?[ao]? sie) )?(?={AT_QUESTION}\b)"
)
_LATER = regex(
    r",(?: (?:ale|a|no|wiec|to|i))? (?=(?:kiedy|kto|kim|co to|czym|ile|ilu|skad|jaki?[ae]?) )"
)
_BACK = _POINTING | {"ten", "ta", "te", "tego", "tej", "tym"}
_AND_WHO = regex(r",? (?:a|i) (?:kto|kim|czym|gdzie|kiedy|co)(?: (?:to|jest|byl[aoiy]?|lez[ay]))* ")
_SURE = 3.0
_INFLECTED = 2.4  # the odds of an inflected ending
_LIKELY = 1.2
_CLEARLY = 0.75
_LEAST = -1.3
_PAIR = 2
_LONGEST_HEAD = 6


def is_framed(sentence: str) -> bool:
    """Whether a sentence begins as questions to an encyclopaedia do."""
    core = fold_evenly(strip_opening(sentence))
    return any(frame.match(core) for frame, _ in FRAMES)


def is_list(sentence: str) -> bool:
    """Whether several quoted titles are asked about alike."""
    between = TITLES.sub("|", sentence)
    return re.search(r"\| ?(?:,|i|oraz|, a kto|a kto)+ ?\|", between) is not None


def read_title(text: str, found: re.Match[str]) -> str:
    """Return a quoted title in its base form; what stands before it tells its case."""
    before = text[: found.start()]
    title = found[1].strip()
    case = case_before(before) if before.strip() else None
    is_open = case in {None, "przez"} and _may_be_nominative(title)
    if not before.strip() or _is_named_so(title) or is_open or is_word(before):
        return title
    return lemmatise(title, kind="topic", preposition=case)


def is_word(before: str) -> bool:
    """Whether what follows is quoted as a word or entry: "hasła „antropocen”"."""
    last = _LAST_WORD.search(before.rstrip(' „"«'))
    return last is not None and bool({one.lemma for one in readings_of(last[1])} & _WORDS)


def _may_be_nominative(title: str) -> bool:
    """Whether a title of several words can stand as it is called: "Bajki robotów"."""
    words = split_words(title)
    return len(words) > 1 and any("nom" in one.cases for one in readings_of(words[0].text))


def _is_named_so(title: str) -> bool:
    """Whether a title of one word is quoted as it is called: "Hubal", and what is foreign."""
    readings = morphology().readings(title)
    if not readings or " " in title:
        return " " not in title and inflection_odds(title, kind="topic") < _INFLECTED
    is_common = any("nazwa_pospolita" in one.labels for one in readings)
    return not is_common and any(one.lemma == title and "nom" in one.cases for one in readings)


def case_before(before: str) -> str | None:
    """Tell the case of a title or phrase from what stands before it, as a preposition."""
    folded = fold_evenly(before)
    if preposition := _PREPOSITION.search(folded):
        return preposition[1]
    if _NAMED.search(folded):
        return "przed"
    last = _LAST_WORD.search(before)
    readings = readings_of(last[1]) if last else ()
    is_made = MAKERS.search(folded) is not None
    if not is_made and {one.lemma for one in readings} & (CATEGORIES - ASKED):
        return None  # "skomponował operę „Halka”"
    for frame, case in FRAMES:
        found = frame.match(folded)
        if found is not None and found.end() >= len(folded) - 1:
            return case or None
    if is_made:
        return "do"
    is_object = MADE.search(folded) or (last and is_skipped(split_words(last[1])[0]))
    return "przez" if is_object else None


def read_sentence(sentence: str) -> Iterator[str]:
    """Give the topics of a sentence without quoted titles, in their base form."""
    core = (
        _EMPTY.sub("", WIKI.sub(" ", strip_closing(sentence)))
        if not is_framed(sentence)
        else strip_closing(sentence)
    )
    if (trailing := TRAILING.search(fold_evenly(core))) is not None and trailing.start() > 0:
        core = core[: trailing.start()]
    if reported := _REPORTED.search(fold_evenly(core)):
        core = _reported(core, reported)
    elif asked := _asked_later(core):
        core = asked
    if head := _head(strip_opening(core)):
        yield from _each(head, "", is_person=" " in head)
        return
    for opened in dict.fromkeys((core, strip_opening(core))):
        if found := list(_framed(opened)):
            yield from found
            return
    if about := ABOUT.search(fold_evenly(core)):
        rest = _cut(core[about.end() :].partition(":")[0])
        yield from () if _is_vague(rest) else _chosen(f"{about[1] or 'do'} {rest}")
        return
    yield from _asked(strip_opening(core))


def _asked_later(text: str) -> str | None:
    """Return the question that follows what is told: "w radiu grali, kiedy zmarł Ciechowski"."""
    later = _LATER.search(fold_evenly(text))
    if later is None or QUESTION.match(fold_evenly(strip_opening(text))):
        return None
    told, asked = text[: later.start()], text[later.end() :]
    is_named = _weight(asked) >= _SURE and not {w.folded for w in split_words(asked)} & _BACK
    return asked if is_named and is_clause(told) else None


def _head(text: str) -> str | None:
    """Return a name in the nominative before the question: "lech wałęsa kiedy dostał nobla"."""
    found = _HEADED.match(fold_evenly(text))
    words = split_words(text[: found.end(1)]) if found else ()
    while words and words[0].folded in DETERMINERS | {"a"}:
        words = words[1:]
    if not words or len(words) > _LONGEST_HEAD or any(is_finite(word) for word in words):
        return None
    phrase = joined(text, words)
    subjects = find_subjects(phrase, is_inner=True)
    parts = [one.text for one in sorted(subjects, key=lambda one: one.words[0].start)]
    is_whole = phrase in {" ".join(parts), " i ".join(parts)} and len(parts) <= _PAIR
    is_subject = any("nom" in one.cases for one in readings_of(words[0].text))
    is_subject = is_subject or (words[0].is_capitalised and not readings_of(words[0].text))
    return phrase if is_whole and is_subject and not _is_generic(phrase) else None


def _reported(text: str, found: re.Match[str]) -> str:
    """Return the question after "syn pyta," or "zadanie:", unless its subject stands before."""
    before, later = text[: found.start()], text[found.end() :]
    words = split_words(before)
    is_name = bool(words) and all(word.is_capitalised for word in words)
    points = {word.folded for word in split_words(later)} & _POINTING
    is_open = bool(points) or _weight(later) < _LIKELY
    is_told = (is_open and _weight(before) >= _SURE) or (is_name and text[found.start()] == ":")
    return text if is_told else later


def _framed(text: str) -> Iterator[str]:
    folded = fold_evenly(text)
    if turned := TURNED.match(folded):
        noun, where, superlative = (text[turned.start(n) : turned.end(n)] for n in (1, 2, 3))
        yield f"{superlative} {noun} w {where}"
        return
    for frame, case in FRAMES:
        if (found := frame.match(folded)) is None:
            continue
        start = _name_start(text, found.end())
        if rest := _cut(text[start:]):
            if _is_vague(rest):
                continue
            later = text[found.end() :]
            if _is_generic(rest) and later != rest and _weight(later) >= _SURE:
                yield from _chosen(later)
                return
            second = _second(text, found.end())
            if not case and folded.startswith(("kim ", "kto ")) and is_nominative(rest):
                yield rest
            elif is_clause(rest):
                yield from _chosen(rest)
            else:
                yield from _each(rest, case, is_person=PEOPLE.match(folded) is not None)
            if second:
                yield from _framed(second)
            return


def _name_start(text: str, end: int) -> int:
    """Return where the name after a frame begins: "co to za Pustynia Błędowska"."""
    last = _LAST_WORD.search(text[:end])
    return last.start() if last and last.start() and last[1].istitle() else end


def _second(text: str, start: int) -> str | None:
    """Return what is asked of another name in the same way: "…, a kto Australię"."""
    found = _AND_WHO.search(fold_evenly(text), start)
    if found is None:
        return None
    name = text[found.end() :].strip(" ?.!")
    is_name = all(word.is_capitalised for word in split_words(name))
    return text[:start] + name if name and is_name else None


def _asked(text: str) -> Iterator[str]:
    """Take a question word and verbs off; what stays is the subject, or the clause about it."""
    question = QUESTION.match(fold_evenly(text))
    if question and (second := _second(text, question.end())):
        first = _AND_WHO.search(fold_evenly(text), question.end())
        yield from _chosen(text[: first.start()] if first else text)
        yield from _chosen(second[question.end() :])
        return
    rest = _cut(text[question.end() :] if question else text)
    if not question and _weight(text) > _weight(rest) + 0.5:
        yield from _chosen(text)
        return
    words = split_words(rest)
    if question and words:
        counts = _COUNTING.match(question[0]) is not None
        rest = joined(rest, words[verbs_end(words, counts=counts) :])
    is_plain = not rest or all(is_skipped(word) for word in split_words(rest))
    if "jezyk" in fold_evenly(text) and (tongue := _TONGUE.fullmatch(rest)):
        yield f"język {tongue[0]}"
    elif is_plain or _is_generic(rest) or is_clause(rest) or not _is_phrase(rest):
        yield from _chosen(text)
    else:
        yield from _each(rest, "", is_person=PEOPLE.match(fold_evenly(text)) is not None)


def _weight(text: str) -> float:
    return max((one.weight for one in find_subjects(text)), default=-1.0)


def _is_generic(phrase: str) -> bool:
    """Whether a phrase is a single word that says only what kind of thing is asked about."""
    words = split_words(phrase)
    lemmas = {one.lemma.lower() for word in words for one in morphology().readings(word.text)}
    return len(words) == 1 and bool(lemmas & (CATEGORIES | ASKED))


def _is_phrase(text: str) -> bool:
    """Whether a text is one noun phrase and nothing else."""
    subjects = find_subjects(text)
    return len(subjects) == 1 and subjects[0].text == text


def _chosen(clause: str) -> Iterator[str]:
    """Give the likeliest subject of a clause, in its base form."""
    subjects = find_subjects(clause)
    if not subjects or subjects[0].weight < _LEAST:
        return
    best = subjects[0]
    others = [one for one in subjects[1:] if _is_joined(clause, best, one)]
    for subject in (best, *others):
        yield base_form(subject.text, _case_of(subject)) or subject.text


def _case_of(subject: Subject) -> str:
    """Return the preposition that tells the case; none where "w którym roku" stood before."""
    cases = {case for one in readings_of(subject.words[0].text) for case in one.cases}
    is_told = subject.preposition == "do" and cases and "gen" not in cases
    return "" if is_told else subject.preposition or ""


def _is_joined(clause: str, left: Subject, right: Subject) -> bool:
    """Whether two names stand side by side: "Płock i Radom"."""
    first, second = sorted((left, right), key=lambda one: one.words[0].start)
    between = clause[first.words[-1].end : second.words[0].start].strip()
    return between in {"i", "oraz", "a"} and min(left.weight, right.weight) >= _SURE


def _each(rest: str, case: str, *, is_person: bool = False) -> Iterator[str]:
    """Give the names that are joined in a phrase, or the whole of it, in their base forms."""
    parts = re.split(r" (?:i|oraz) |, ", rest)
    if len(parts) == _PAIR and _are_names(parts) and not gazetteer().sightings(rest):
        for part in parts:
            if found := base_form(part, case):
                yield found
        return
    subjects = find_subjects(rest, is_inner=True) if " " in rest else ()
    if best := _narrower(rest, subjects):
        is_first = rest.startswith(best.text)
        yield base_form(best.text, (case if is_first else best.preposition) or "") or best.text
        return
    whole = next((one for one in subjects if rest.endswith(one.text)), None)
    if whole is not None and len(subjects) == 1 and whole.text != rest:
        case = whole.preposition or case
        rest = whole.text
    elif not subjects or len(subjects) > 1:
        rest = _cut_description(rest)
    if is_person and (name := small_name(rest)):
        yield name
    elif found := base_form(rest, case):
        yield found


def _narrower(phrase: str, subjects: Sequence[Subject]) -> Subject | None:
    """Return the one of several subjects that a phrase is about, if it is not all of them."""
    if len(subjects) < _PAIR:
        return None
    first = min(subjects, key=lambda one: one.words[0].start)
    best = subjects[0]
    rest = phrase[first.words[-1].end :]
    if rest.lstrip().startswith(("i ", "oraz ")):
        return None
    is_foreign = any(not readings_of(word.text) for word in first.words)
    if is_foreign and rest.strip() == best.text:  # "liberum veto"
        return None
    if best is not first and best.weight >= first.weight + _CLEARLY and best.weight >= _LIKELY:
        return best
    has_name = any(word.is_capitalised for word in split_words(rest))
    return first if has_name and phrase.startswith(first.text) else None


def _are_names(parts: Sequence[str]) -> bool:
    """Whether each part is a name of its own: persons with surnames, or places."""
    words = [split_words(part) for part in parts]
    if not all(one and all(word.is_capitalised for word in one) for one in words):
        return False
    if all(gazetteer().sightings(part) for part in parts):
        return True
    is_full = [len(one) > 1 and "imię" in labels_of(one[0]) for one in words]
    is_surname = [len(one) == 1 and "nazwisko" in labels_of(one[0]) for one in words]
    is_first_name = any(len(one) == 1 and "imię" in labels_of(one[0]) for one in words)
    return all(is_full) or (all(is_surname) and not is_first_name)


def _cut_description(phrase: str) -> str:
    """Leave determiners out, and what describes: "ten Fahrenheit od stopni"."""
    words = list(split_words(phrase))
    while words[1:] and words[0].folded in DETERMINERS:
        del words[0]
    end = next((at for at, w in enumerate(words) if at and w.folded in {"od", "co"}), len(words))
    return joined(phrase, words[:end]) if words else phrase


def _cut(text: str) -> str:
    found = CUT.search(fold_evenly(text), 1) if text else None
    return (text[: found.start()] if found else text).strip(' \t.,;:!?…„”"-–')


def _is_vague(phrase: str) -> bool:
    """Whether a phrase names nothing: "coś", "pewne miasto"."""
    words = split_words(phrase)
    lemmas = {one.lemma for word in words for one in morphology().readings(word.text)}
    named = [word for word in words if word.folded not in VAGUE | DETERMINERS]
    is_any = any(word.folded in INDEFINITE for word in words) and bool(lemmas & CATEGORIES)
    return not named or (is_any and not any(word.is_capitalised for word in named))
