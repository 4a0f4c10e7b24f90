"""Find the places that a question about the weather names, in their base form."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from chatbot.language.days import read_day
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.places import gazetteer
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.narrowing import find_narrowing
from chatbot.router.detector.spans import Span, joined, split_words

MOST = 4
_LONGEST = 4
_GEOGRAPHIC = "nazwa_geograficzna"
_AT = frozenset({"w", "we", "na", "dla", "do", "kolo", "obok", "niedaleko", "blisko"})
_NEAR = frozenset({"nad", "pod", "przy", "za", "wokol"})
_FROM = frozenset({"z", "ze", "od"})
_PREPOSITIONS = _AT | _NEAR | _FROM
_LINKS = frozenset({"i", "oraz", "a", "albo", "lub", "czy", "niz", ",", "/", "vs", "kontra"})
_INNER = frozenset({"de", "la", "los", "las", "san", "santa", "el", "di", "nad", "upon"})
_COMPARING = frozenset({"cieplej", "zimniej", "porownaj", "porownanie", "niz", "ladniej"})
_AROUND = frozenset({
    "okolicach", "okolicy", "okolice", "centrum", "rejonie", "regionie", "poblizu", "miescie",
    "miasta", "miasto", "miejscowosci", "wsi", "mieste", "obszarze", "terenie", "calej", "calym",
    "poludniu", "polnocy", "wschodzie", "zachodzie", "naszym", "naszej", "moim", "stolicy",
})  # fmt: skip
_NEVER = frozenset({
    "dworze", "dworzu", "zewnatrz", "polu", "domu", "pracy", "dzien", "dni", "tygodniu", "tydzien",
    "weekend", "weekendzie", "rano", "wieczor", "wieczorem", "noc", "nocy", "poludnie", "chwili",
    "razie", "ogole", "tej", "tym", "ten", "ta", "te", "to", "koncu", "lato", "zima", "zime",
    "narty", "rower", "spacer", "grilla", "pogode", "pogoda", "jutro", "dzis", "dzisiaj",
    "pojutrze", "teraz", "pogodzie", "morzem", "gorach", "gory", "morze", "jeziorem", "plazy",
    "ile", "jaka",
    "jaki", "jakie", "jak", "czy", "kiedy", "gdzie", "pogody", "prognoza", "temperatura", "pada",
    "bedzie", "sprawdz", "podaj", "powiedz", "deszcz", "snieg", "co", "hej", "czesc", "prosze",
    "celsjusza", "fahrenheita", "google",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sight:
    """A place in the prompt: words from ``start`` to before ``end``, after ``preposition``."""

    start: int
    end: int
    preposition: str | None
    name: str


def find_places(prompt: str) -> tuple[str, ...]:
    """Return the places asked about, each once; several only where they are joined together."""
    words = split_words(prompt)
    sights = _after_prepositions(prompt, words) or _bare(prompt, words)
    if not sights:
        return ()
    if _COMPARING & {word.folded for word in words}:
        return tuple(dict.fromkeys(sight.name for sight in sights))[:MOST]
    chains = _chains(words, sights)
    if "tam" in {word.folded for word in words}:
        chains.reverse()
    best = max(chains, key=lambda chain: (_rank(chain[0]), _is_asked(words, chain[0])))
    if len(best) == 1:
        narrowing = find_narrowing(prompt[words[best[0].end - 1].end :])
        return (f"{best[0].name}, {narrowing}" if narrowing else best[0].name,)
    return tuple(dict.fromkeys(sight.name for sight in best))[:MOST]


def _after_prepositions(prompt: str, words: Sequence[Span]) -> list[_Sight]:
    found: list[_Sight] = []
    at = 0
    while at < len(words):
        sight = _sight(prompt, words, at, found[-1] if found else None)
        if sight is None:
            at += 1
            continue
        found.append(sight)
        at = sight.end
    return found


def _sight(prompt: str, words: Sequence[Span], at: int, before: _Sight | None) -> _Sight | None:
    word = words[at].folded
    if word in _PREPOSITIONS:
        start = at + 1
        while start < len(words) and words[start].folded in _AROUND:
            start += 1
        preposition = words[at].text.lower() if start == at + 1 else "do"
        if words[start - 1].folded in {"miescie", "miejscowosci"}:
            preposition = words[at].text.lower()
        return _read(prompt, words, start, preposition, is_sure=word in _AT)
    if before is not None and word in _LINKS and at == before.end:
        return _read(prompt, words, at + 1, before.preposition, is_sure=False)
    return None


def _read(
    prompt: str, words: Sequence[Span], start: int, preposition: str | None, *, is_sure: bool
) -> _Sight | None:
    """Read the longest name that begins at word ``start``."""
    if start >= len(words) or words[start].folded in _NEVER or not words[start].text[0].isalpha():
        return None
    size = _known_size(prompt, words, start) or _named_size(prompt, words, start, is_sure=is_sure)
    if not size:
        return None
    phrase = joined(prompt, words[start : start + size])
    if read_day(phrase) is not None and (size == 1 and not words[start].is_capitalised):
        return None
    name = lemmatise(phrase, kind="place", preposition=preposition)
    return _Sight(start=start, end=start + size, preposition=preposition, name=_titled(name))


def _known_size(prompt: str, words: Sequence[Span], start: int) -> int:
    for size in range(min(_LONGEST, len(words) - start), 0, -1):
        if _is_known(joined(prompt, words[start : start + size])):
            return size
    return 0


def _is_known(phrase: str) -> bool:
    return bool(gazetteer().sightings(phrase))


def _named_size(prompt: str, words: Sequence[Span], start: int, *, is_sure: bool) -> int:
    """Count the words of a name that no list has: capitals, or a geographic reading."""
    first = words[start]
    if not first.is_capitalised:
        is_plain = prompt == prompt.lower()
        return int(is_plain and is_sure and _is_place_word(first.text))
    size = 1
    while start + size < len(words) and size < _LONGEST:
        following = words[start + size]
        if not (following.is_capitalised or following.folded in _INNER) or not _is_near(
            words[start + size - 1], following
        ):
            break
        if read_day(following.text) is not None:
            break
        size += 1
    while size > 1 and words[start + size - 1].folded in _INNER:
        size -= 1
    return size


def _is_place_word(word: str) -> bool:
    readings = morphology().readings(word)
    if not readings:
        return len(word) > 3  # noqa: PLR2004 - a name of four letters or more
    return any(_GEOGRAPHIC in reading.labels for reading in readings) and not any(
        reading.pos in {"fin", "praet", "adv", "impt", "inf", "prep", "conj"}
        for reading in readings
    )


def _is_near(left: Span, right: Span) -> bool:
    return right.start - left.end <= 1


def _bare(prompt: str, words: Sequence[Span]) -> list[_Sight]:
    """Read names without a preposition: "pogoda Gliwice jutro", "Warszawa – pada?"."""
    found: list[_Sight] = []
    at = 0
    while at < len(words):
        size = _bare_size(prompt, words, at)
        if not size:
            at += 1
            continue
        phrase = joined(prompt, words[at : at + size])
        name = _titled(lemmatise(phrase, kind="place"))
        found.append(_Sight(start=at, end=at + size, preposition=None, name=name))
        at += size
    return found


def _bare_size(prompt: str, words: Sequence[Span], at: int) -> int:
    word = words[at]
    if word.folded in _NEVER or not word.text[0].isalpha() or read_day(word.text) is not None:
        return 0
    size = _known_size(prompt, words, at)
    if size and (word.is_capitalised or size > 1 or _is_by_weather(words, at, size)):
        return size
    is_name = word.is_capitalised and at > 0 and not groups_of(word.folded)
    return _named_size(prompt, words, at, is_sure=False) if is_name else 0


def _is_by_weather(words: Sequence[Span], at: int, size: int) -> bool:
    beside = [words[place].folded for place in (at - 1, at + size) if 0 <= place < len(words)]
    return any("weather" in groups_of(word) or word in _LINKS for word in beside) or (
        len(words) <= _LONGEST
    )


def _titled(name: str) -> str:
    """Write a name typed in small letters as a name."""
    if name != name.lower():
        return name
    return "".join(part.capitalize() if part.isalpha() else part for part in _pieces(name))


def _pieces(name: str) -> list[str]:
    pieces = [""]
    for letter in name:
        if letter.isalpha() != pieces[-1][-1:].isalpha() and pieces[-1]:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _chains(words: Sequence[Span], sights: Sequence[_Sight]) -> list[list[_Sight]]:
    """Group places that are joined: "w Łodzi i w Radomiu", "w Gdańsku, Gdyni i Sopocie"."""
    chains: list[list[_Sight]] = [[sights[0]]]
    for before, sight in pairwise(sights):
        between = [word.folded for word in words[before.end : sight.start]]
        links = [word for word in between if word in _LINKS]
        others = [word for word in between if word not in _LINKS and word not in _PREPOSITIONS]
        same = before.preposition == sight.preposition or {
            before.preposition,
            sight.preposition,
        } <= {"w", "we", "na"}
        if links and not others and same:
            chains[-1].append(sight)
        else:
            chains.append([sight])
    return chains


def _rank(sight: _Sight) -> int:
    if sight.preposition is None or sight.preposition in {"w", "we", "na", "dla"}:
        return 3
    if sight.preposition in _FROM:
        return 0
    return 1 if sight.preposition in _NEAR else 2


def _is_asked(words: Sequence[Span], sight: _Sight) -> bool:
    """Whether the weather is spoken of in the clause of this place."""
    begin = sight.start
    while begin > 0 and words[begin - 1].text not in {",", ".", "?", "!", ";"}:
        begin -= 1
    end = sight.end
    while end < len(words) and words[end].text not in {",", ".", "?", "!", ";"}:
        end += 1
    return any("weather" in groups_of(word.folded) for word in words[begin:end])
