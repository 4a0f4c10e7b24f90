"""Read what an encyclopaedia is asked about, in its base form."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.spans import Span, compose, fold_evenly, joined, split_words
from chatbot.types import NameKind

_PERSONAL = frozenset({"imię", "nazwisko"})
_BE = r"(?:jest|sa|byl[aoiy]?|bywa|zostal[ao]?)"
_WHEN = r"(?:kiedy|gdzie|w ktorym roku|ktorego dnia|ktorego roku|dlaczego|czemu|jak|po co|skad|odkad|od kiedy|do kiedy|jak dlugo|ile(?: lat| dni| czasu)?|na co|w jakim wieku|w jakim kraju|w jakim miescie|na jakim kontynencie|w ktorym wieku|w jakim roku)"
_HAPPENED = (
    r"(?:(?:u|na)rodzil[ao]? sie|zmarl[ao]?|umarl[ao]?|zgin(?:al|ela)|zyl[ao]?|zyje|zyja|"
    r"odbyl[aoy]? sie|mial[ao] miejsce|wybuchl[aoy]?|"
    r"(?:roz|za)?po?cz(?:al|ela|elo|ely) sie|zacz(?:al|ela|elo) sie|"
    r"(?:za|s)konczyl[aoy]? sie|powstal[aoy]?|powstaje|powstaja|panowal[ao]?|rzadzil[ao]?|"
    r"studiowal[ao]?|mieszkal[ao]?|pracowal[ao]?|upadl[ao]?|zaton(?:al|ela)|wynaleziono|odkryto|"
    r"wymyslono|zalozono|zbudowano|wydano|napisano|uchwalono|podpisano|lezy|leza|znajduje sie|"
    r"znajduja sie|rosnie|rosna|wystepuje|wystepuja|istnieje|dziala|dzialaja|trwal[aoy]?|trwa|"
    r"wyginely|pochodzi|wyglada|zbudowan[aey] jest|jest zbudowan[aey]|zyje|jest|sa|byl[aoiy]?|"
    r"ma|maja|mial[ao]?|liczy|mierzy|wazy|kosztowal[ao]?)"
)
_MADE = (
    r"(?:napisal|namalowal|skomponowal|wyrezyserowal|nakrecil|stworzyl|zbudowal|zaprojektowal|"
    r"wyrzezbil|odkryl|wynalazl|wymyslil|opisal|zalozyl|ufundowal|podbil|zdobyl|wygral|"
    r"opracowal|wprowadzil|skonstruowal|ulozyl|wydal|zagral|spiewal|nagral)[ai]?"
)
_ABOUT = r"(?:cos|krotko|wiecej|troche|pare slow|kilka slow|kilka zdan|ciekawego|historie|mi|nam|prosze|dokladnie)"
_TELL = r"(?:opowiedz|powiedz|napisz|opisz|przybliz|przedstaw|mow|opowiadaj|opowiesz|opowiedziec|powiedziec|poczytaj|przeczytaj)"
_SEEK = r"(?:znajdz|wyszukaj|poszukaj|szukam|szukaj|sprawdz|podaj|zajrzyj|otworz|daj|pokaz|potrzebuje|przeczytaj|przedstaw|przybliz|chce|streszcz|stresc)"
_WIKI = r"(?:(?:w|na|z) )?(?:wikipedi[aięie]*|wiki|encyklopedi\w*)"
_ENTRY = r"(?:haslo|hasla|hasle|artykul\w*|strone|informacj[eia]|info|wiadomosci|fakty|dane|cos|najwazniejsze|podstawowe|wszystko|notke)"
_LIFE = r"(?:zyciorys|biografi[aęe]|biogram|sylwetk[aęe]|postac|definicj[aęei]+|dorobek|opis|znaczenie|charakterystyk[aęe])"

# Each frame of a question, with the preposition that tells the case of what follows ("" free).
_FRAMES: tuple[tuple[str, str], ...] = (
    (rf"(?:co (?:mowi|pisze|podaje|wie) )?{_WIKI} (?:o|na temat) ", "o"),
    (rf"{_SEEK} (?:mi )?(?:{_WIKI} )?(?:{_ENTRY} )*(?:{_WIKI} )?(?:o|nt) ", "o"),
    (rf"(?:{_SEEK} )?(?:mi )?(?:{_WIKI} )?(?:{_ENTRY} )*(?:{_WIKI} )?(?:na temat|dotyczac\w+) ", "do"),
    (rf"{_SEEK} (?:mi )?{_WIKI} (?:{_ENTRY}:? )*(?:kim (?:byl[aio]?|jest) |co to (?:jest )?|czym jest )?", ""),
    (rf"{_SEEK} (?:mi )?(?:{_ENTRY} )+{_WIKI} ", ""),
    (rf"(?:{_ENTRY} )(?:o|nt) ", "o"),
    (rf"(?:ciekawostk[iae]|fakty|co warto wiedziec|podstawowe fakty) (?:o|na temat) ", "o"),
    (rf"{_WIKI}[:,]? ", ""),
    (rf"{_TELL} (?:{_ABOUT} )*(?:na temat) ", "do"),
    (rf"{_TELL} (?:{_ABOUT} )*o ", "o"),
    (rf"co (?:wiesz|wiadomo|wiecie|mozesz (?:mi )?powiedziec|powiesz|potrafisz powiedziec|mozesz opowiedziec) (?:mi )?(?:o|na temat) ", "o"),
    (rf"kim (?:z pochodzenia |z zawodu |wlasciwie |tak naprawde )?{_BE} ", ""),
    (rf"kto (?:to )?(?:{_BE} )(?:autorem|autorka|tworca|tworczynia|wynalazca|odkrywca|kompozytorem|rezyserem|zalozycielem) ", "do"),
    (rf"kto (?:to )?(?:taki )?(?:{_BE}|byla? to) (?:to )?", ""),
    (r"kto to (?:taki )?", ""),
    (rf"kto (?:pierwszy |jako pierwszy )?(?:wy)?{_MADE} ", "przez"),
    (rf"co to (?:sa|jest|za|takiego|byl[aoy]?)?(?: takiego| za)?(?: {_BE})? ?(?:pojecie |termin |slowo )?", ""),
    (rf"co (?:oznacza|znaczy|to znaczy) (?:slowo |pojecie |termin |skrot |nazwa |okreslenie |wyraz )?", ""),
    (rf"co (?:napisal|odkryl|wynalazl|zrobil|osiagnal|namalowal|skomponowal|wymyslil|stworzyl)a? ", ""),
    (rf"czym {_BE} ", ""),
    (r"czym (?:zajmuje|zajmowal|zajmowala|zajmuja) sie ", ""),
    (r"na czym (?:dokladnie )?polegal?[aoy]? ", ""),
    (r"z czego (?:slynie|slynal|slynela|slyna|jest znan[ay]|sklada sie|zrobion[aey] jest|jest zrobion[aey]) ", ""),
    (r"(?:do czego|czemu) sluzy ", ""),
    (r"skad (?:wzial sie|wziela sie|wzielo sie|sie wzial|sie wziela|sie wzielo|pochodzi|pochodzil[ao]?|wywodzi sie) (?:nazwa |okreslenie |slowo )?", ""),
    (rf"jakiej narodowosci {_BE} ", ""),
    (r"(?:ilu|ile) (?:jest )?(?:mieszkancow|ludzi|osob|ludnosci|obywateli|studentow) (?:ma|liczy|mieszka (?:w|we)|zyje w|jest w) ", "w?"),
    (r"(?:jak(?:a|i|ie)?|jak (?:bardzo|daleko)) (?:wysok[aie]|dlug[aie]|duz[aye]|glebok[aie]|star[aye]|wielk[aie]|wysoko|dlugo|gleboko|szybk[aie]) (?:jest|sa|ma|byl[ao]?) ", ""),
    (r"ile (?:metrow|kilometrow|km|m|lat|wzrostu|centymetrow|kilogramow|dzieci|stron|tomow|czesci|kosci|ksiezycow|planet|nog) (?:wysokosci |dlugosci |wzrostu |powierzchni |npm )?(?:ma|maja|mial[ao]?|mierzy|liczy|zyl[ao]?|trwal[aoy]?|zyje|zyja|wazy) ", ""),
    (r"(?:jaka|ktora) rzeka (?:przeplywa|plynie) przez ", "przez"),
    (r"(?:jaka jest |podaj |jaka |podac )?(?:data|date|rok|miejsce|dzien) (?:urodzenia|smierci|urodzin|powstania|zalozenia|wydania) ", "do"),
    (rf"(?:{_SEEK} (?:mi )?)?(?:jaka jest |krotk[aęi] )?{_LIFE} (?:pojecia |slowa |terminu |postaci )?", "do"),
    (r"(?:zdefiniuj|wyjasnij|wytlumacz|objasnij|przybliz)(?: mi)?(?: pojecie| termin| slowo| zjawisko| zasade| postac)? (?!mi\b|co |czym |kim |kto |jak |dlaczego |na czym |po co )", "przez"),
    (r"(?:jaka|jaki|jakie|ktora|ktory|ktore|co) (?:jest|sa|byl[aoy]?)(?: dokladnie)? ", ""),
    (rf"{_WHEN} (?:dokladnie |wlasciwie |to )?{_HAPPENED} (?:sie )?", ""),
    (rf"{_WHEN} ", ""),
)  # fmt: skip
_COMPILED = tuple((re.compile(frame), case) for frame, case in _FRAMES)
_CUT = re.compile(
    r"[?!]|[.](?=\s+\w|$)|,? (?:i|oraz|a) (?:co|kiedy|gdzie|dlaczego|czym|jak|kto|kim|ile|z czego|jakie|jaki|czemu|skad|w ktorym|opowiedz|podaj|napisz)\b"
    r"|, (?:ktor|co|gdzie|kiedy|bo|a|ale|jesli|prosze|w tym|to)\w*\b| w (?:dwoch|kilku|paru|trzech|jednym) zdani| (?:w|z|na) (?:wikipedii|wiki)\b| [-–—] "
)
_TITLES = re.compile(r"[„\"«”]([^„”\"«»]{2,80})[”\"»“]")
_LOWER = frozenset({"o", "na", "temat", "z", "do", "w"})
_SUPERLATIVE = re.compile(r"^(?:ktor[ayey]+|jak[aie]+) (\w+) (?:w|na) (\w+) jest (naj\w+)$")
_VERBAL = frozenset({"fin", "praet", "impt", "bedzie", "aglt", "imps"})


def read_topic(prompt: str) -> str | None:
    """Return the thing or person asked about ("Irena Sendlerowa"); ``None`` if there is none."""
    text = compose(prompt)
    if title := _TITLES.search(text):
        return lemmatise(title[1], kind="topic", preposition=_case_before(text, title.start()))
    core = strip_closing(text)
    for opened in dict.fromkeys((core, strip_opening(core))):
        if (found := _framed(opened)) is not None:
            return found
    core = strip_opening(core)
    return _named(core) or _base(_cut(core), "")


def _framed(text: str) -> str | None:
    folded = fold_evenly(text)
    if turned := _SUPERLATIVE.match(folded):
        noun, where, superlative = (text[turned.start(n) : turned.end(n)] for n in (1, 2, 3))
        return f"{superlative} {noun} w {where}"
    for frame, case in _COMPILED:
        found = frame.match(folded)
        if found is None:
            continue
        rest = _cut(text[found.end() :])
        if not rest:
            continue
        if _is_clause(rest) and (name := _named(rest)):
            return name
        return _base(
            rest, "w" if case == "w?" and re.search(r" we? $", found[0]) else case.strip("?w")
        )
    return None


def _case_before(text: str, at: int) -> str | None:
    folded = fold_evenly(text[:at])
    for frame, case in _COMPILED:
        found = frame.match(folded)
        if found is not None and found.end() >= len(folded) - 1:
            return case or None
    return "przez" if re.search(_MADE, folded) else None


def _cut(text: str) -> str:
    found = _CUT.search(fold_evenly(text), 1) if text else None
    return (text[: found.start()] if found else text).strip(' \t.,;:!?…„”"-–')


def _base(phrase: str, preposition: str) -> str | None:
    """Bring what follows a frame to its base form."""
    if not phrase:
        return None
    words = split_words(phrase)
    if not preposition and _is_foreign(words):
        return phrase
    name = lemmatise(_titled(phrase, words), kind=_kind(words), preposition=preposition or None)
    return name or phrase


def _is_foreign(words: Sequence[Span]) -> bool:
    """Whether a name of several words, one of them unknown, stands where a nominative stands."""
    names = [word for word in words if word.is_capitalised]
    return len(names) > 1 and any(not morphology().is_known(word.text) for word in names)


def _kind(words: Sequence[Span]) -> NameKind:
    first = morphology().readings(words[0].text) if words else ()
    labels = {label for reading in first for label in reading.labels}
    is_name = words[0].is_capitalised if words else False
    if "imię" in labels and (is_name or len(words) > 1) and _all_named(words):
        return "person"
    if is_name and "nazwa_geograficzna" in labels and len(words) == 1:
        return "place"
    if is_name and labels & _PERSONAL and "nazwa_pospolita" not in labels:
        return "person"
    return "topic"


def _all_named(words: Sequence[Span]) -> bool:
    return all(_is_personal(word) for word in words[:2])


def _is_personal(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return not readings or any(reading.labels & _PERSONAL for reading in readings)


def _titled(phrase: str, words: Sequence[Span]) -> str:
    """Write a person's name typed in small letters as a name."""
    if phrase != phrase.lower() or len(words) < 2:  # noqa: PLR2004 - a first name and a surname
        return phrase
    first = morphology().readings(words[0].text)
    if not any("imię" in reading.labels for reading in first) or not _all_named(words):
        return phrase
    return " ".join(word.text.capitalize() for word in words)


def _is_clause(text: str) -> bool:
    """Whether a finite verb stands in the text: then it is no name."""
    return any(word.text.islower() and _is_verb(word.text) for word in split_words(text))


def _is_verb(word: str) -> bool:
    readings = morphology().readings(word)
    return bool(readings) and all(reading.pos in _VERBAL for reading in readings)


def _named(text: str) -> str | None:
    """Return the base form of the first proper name after the first word."""
    words = split_words(text)
    runs: list[list[Span]] = []
    for at, word in enumerate(words):
        is_name = word.is_capitalised and (at > 0 or bool(_labels(word)))
        if is_name and runs and runs[-1][-1] is words[at - 1]:
            runs[-1].append(word)
        elif is_name:
            runs.append([word])
    if not runs:
        return None
    people = [run for run in runs if _is_personal(run[0]) and _labels(run[0]) & _PERSONAL]
    run = (people or runs)[0]
    before = words.index(run[0]) - 1
    preposition = words[before].folded if before >= 0 else ""
    phrase = joined(text, run)
    return lemmatise(phrase, kind=_kind(run), preposition=preposition or None)


def _labels(word: Span) -> frozenset[str]:
    readings = morphology().readings(word.text)
    return frozenset(label for reading in readings for label in reading.labels)
