"""Read which places and days a question about the weather is about."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise, product

from chatbot.language.days import resolve_day
from chatbot.language.mentions import (
    MONTH_WORDS,
    WEEKDAYS,
    Mention,
    fold_text,
    read_mentions,
)
from chatbot.language.patterns import regex
from chatbot.router.detector.corrections import CORRECTION, NEGATION
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.places import find_places
from chatbot.router.detector.quotations import blank_quotations
from chatbot.router.detector.spans import fold_evenly

_LINKED = regex(
    r"\s*(?:\([^()]{1,40}\)\s*)?"
    r"(?:,|/|\?|,? ?(?:i|oraz|a|czy|albo|lub|vs|tez|i tez|a potem|a takze|jak rowniez)"
    r"(?: (?:lepiej|raczej|dopiero|moze|jeszcze))?)\s*(?:(?:w|we|na)\s)?\s*"
)
_BESIDE = regex(r"[ ,(]*(?:(?:w|we|na|dnia|czyli|to jest|rano|tj)\b\.?)?[ (]*")
_UNTIL = regex(r" *[-–] *| (?:az )?do ")
_NEXT = regex(r"^(?:no |i |a |to |ok |okej |dobra |dobrze |super )*teraz$")
_NEXT_MATTER = regex(
    r"(?:(?:no|i|to|ok|okej|dobra|dobrze|super)[ ,.]+)+teraz (?:(?:ta|o|sama) )*(?:pogod|prognoz)"
)
EXCUSED = (
    r"(?: (?:ja|my|akurat|juz|to|raczej|i tak))* "
    r"(?:(?:nigdzie )?nie (?:id|jad|wychodz|ruszam|wyjezdzam)|"
    r"siedz|zostaj|pracuj|nie ma (?:mnie|nas)\b|(?:jest|bed)\w+ w (?:domu|pracy|robocie))"
)
"""What follows a day that is only told of: "jutro, dziś i tak siedzę w domu"."""

_IS_EXCUSED = regex(EXCUSED)
_IS_DISMISSED = regex(
    r"(?: (?:to|juz|raczej|chyba|wiec|jednak|nam|mi|sobie|u nas|jest|w takim razie)){0,3} "
    r"(?:odpad(?:a|l\w+|nie)\b|skresl|wyklucz|daruj|odpuszcz|rezygnuj|przepad(?:a|l\w+)\b|"
    r"z glowy\b|stracon|spalon|do (?:bani|kitu|niczego)\b|(?:nie ma|bez) sensu\b|"
    r"nie wchodzi w gre\b)"
)
"""What follows a day that is given up: "jutro odpada, a pojutrze?"."""

_DISMISSES = regex(
    r"\b(?:odpad(?:a|nie)|(?:s|wy)kresl\w+|wyklucz\w+|daruj\w+|odpuszcz\w+|rezygnuj\w+)"
    r"(?: (?:nam|mi|wiec|sobie|juz|z|ze|te|ta|ten))* $"
)
"""What stands before one: "skreślamy piątek"."""

_NEXT_WEEK = regex(r"\b(?:przyszl|nastepn)\w+ (?:tydzien|tygodni\w*)")
_UP_TO = regex(r"\bdo (?:najblizsz\w+ |przyszl\w+ )?$")
_WEEKEND = {"saturday", "sunday"}
_PAST = {"wczoraj": 1, "przedwczoraj": 2}
_LONGEST_RANGE = 5
_PARTS = (
    (
        regex(
            r"\b(?:rano|nad ranem|o swicie|o poranku)\b"
            r"(?! (?:\w+ ){0,2}\w+[aeiy]l(?:[aoiy]|em|am)?\b)"
        ),
        "tomorrow",
    ),
    (
        regex(
            r"\b(?:w nocy|na noc|noca|wieczorem|wieczor|wieczora|po ?poludniu|przed poludniem|"
            r"w poludnie|po zmroku|po zachodzie)\b"
        ),
        "today",
    ),
)
_RANGE = regex(
    r"(?<![\d.])(\d{1,2})(?=\.? *(?:[-–]|do|i|oraz) *\d{1,2}\.?"
    rf" ({MONTH_WORDS})\b)"
)
_PARTED = regex(
    r"[,?]? (?:[Aa]|[Ii]|oraz) (?=(?:\w+ )?(?:w|we|na|do|dla|jutro|dzi[sś]\w*|pojutrze) )|; ?|"
    r"(?:, |,? (?:a|i|oraz) )(?=[A-ZĆŁŚŹŻ][^\W\d_]+ (?:[Jj]utro|[Dd]zi[sś]\w*|[Pp]ojutrze)\b)|"
    r", (?=(?:[Jj]utro|[Pp]ojutrze|w(?:e)? (?:pon|wt|[sś]r|czw|pi[aą]|sob|nie)\w+) )"
)
_CLAUSE = regex(r"[^,.?!;…:–]+")
_SENTENCE_END = regex(r"[.?!;…]+(?=\s|$)")
_PIECE = regex(r"[,.?!;…:–]+(?=\s|$)|\s(?:a|i|oraz)\s")


def read_weather(prompt: str, *, today: date | None = None) -> tuple[Mapping[str, str], ...]:
    """Return the arguments of each call: every place with every day; what is not said is left out.

    ``today`` makes "15 lipca" and "za trzy dni" ISO dates.
    """
    pairs = _paired(prompt, today)
    if pairs:
        return pairs
    cities = [{"city": name} for name in find_places(prompt)] or [{}]
    days = [{"day": day} for day in find_days(prompt, today=today)] or [{}]
    return tuple({**city, **day} for city, day in product(cities, days))


def _paired(prompt: str, today: date | None) -> tuple[Mapping[str, str], ...]:
    """Read "w Łodzi jutro, a w Radomiu w piątek": each part has one place and one day."""
    asked = blank_quotations(prompt)
    if asked != prompt and not find_places(asked):
        asked = prompt
    if len(read_mentions(asked, today=today)) < 2:  # noqa: PLR2004 - two places, two days
        return ()
    said = [_said(part, today) for part in _PARTED.split(asked) if part.strip()]
    if found := _joined(said):
        return found
    said = [_said(part, today) for part in _PIECE.split(asked) if part.strip()]
    return _joined([one for one in said if one[0] or one[1]])


def _said(text: str, today: date | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return find_places(text), find_days(text, today=today)


def _joined(
    said: Sequence[tuple[Sequence[str], Sequence[str]]],
) -> tuple[Mapping[str, str], ...]:
    """Make a call of each part, if there are several and each has one place and one day."""
    if len(said) < 2 or any((len(one), len(other)) != (1, 1) for one, other in said):  # noqa: PLR2004
        return ()
    return tuple({"city": place, "day": day} for (place,), (day,) in said)


def find_days(prompt: str, *, today: date | None = None) -> tuple[str, ...]:
    """Return the day that is spoken of, or several that are joined: "jutro i pojutrze".

    A past day is returned too where ``today`` is known: today's weather would be the wrong answer.
    A part of the day alone means today, a morning that is not told of tomorrow;
    "do piątku" the next days.
    """
    if found := _RANGE.search(fold_evenly(prompt)):
        prompt = f"{prompt[: found.end()]} {found[2]} {prompt[found.end() :]}"
    words = fold_text(prompt)
    mentions = _held(words, _told_once(words, read_mentions(prompt, today=today)))
    mentions = _without_filler(words, mentions)
    if not mentions:
        return _past(words, today) or _part(words)
    if (ahead := _of_next_week(words, mentions, today)) is not None:
        return (ahead,)
    groups = list(_groups(words, mentions))
    kinds = (_is_asked, _is_in_question)
    chosen = (one for is_it in kinds for one in groups if is_it(words, one[0]))
    best = next(chosen, groups[0])
    if len(best) == 1 and best[0].day in WEEKDAYS and _UP_TO.search(words[: best[0].start]):
        return ("next_days",)
    days = tuple(dict.fromkeys(_all_days(words, best, today)))
    return ("weekend",) if set(days) == _WEEKEND else days


def _of_next_week(words: str, mentions: Sequence[Mention], today: date | None) -> str | None:
    """The only weekday of a prompt about the next week: "w przyszłym tygodniu w piątek"."""
    named = [one.day for one in mentions if one.day in WEEKDAYS]
    if len(named) != 1 or not _NEXT_WEEK.search(words):
        return None
    if today is None:
        return named[0]
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7)
    return str(monday + timedelta(days=WEEKDAYS.index(named[0])))


def _told_once(words: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Of a weekday with its date, or a weekend with its days, keep what says more."""
    kept: list[Mention] = []
    for one in mentions:
        before = kept[-1] if kept else None
        if (
            before is not None
            and before.rank != one.rank
            and _BESIDE.fullmatch(words[before.end : one.start])
        ):
            kept[-1] = min(before, one, key=lambda mention: mention.rank)
        else:
            kept.append(one)
    return kept


def _without_filler(words: str, mentions: list[Mention]) -> list[Mention]:
    """Leave out a first "teraz" that only goes on with the talk: "no i teraz jutro w Łodzi"."""
    if not mentions:
        return mentions
    first, *others = mentions
    is_filler = bool(others) and _NEXT.search(words[: first.end]) is not None
    is_filler = is_filler or _NEXT_MATTER.match(words) is not None
    return others if is_filler else mentions


def _held(words: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Leave out what is denied or taken back: "nie jutro, tylko w piątek", "w sobotę – nie, …"."""
    denied = {one.day for one in mentions if NEGATION.search(words[: one.start])}
    kept = [one for one in mentions if one.day not in denied] or list(mentions)
    kept = [one for one in kept if not _is_given_up(words, one)] or kept
    start = 0
    for at, (left, right) in enumerate(pairwise(kept), start=1):
        if CORRECTION.search(words[left.end : right.start]):
            start = at
    return kept[start:]


def _is_given_up(words: str, day: Mention) -> bool:
    """Whether a day is only told of, or given up: "dziś siedzę w domu", "sobota odpada"."""
    after = (_IS_EXCUSED, _IS_DISMISSED)
    is_after = any(one.match(words, day.end) is not None for one in after)
    return is_after or _DISMISSES.search(words, 0, day.start) is not None


def _groups(words: str, mentions: Sequence[Mention]) -> Iterator[list[Mention]]:
    group = [mentions[0]]
    for left, right in pairwise(mentions):
        between = words[left.end : right.start]
        if not (_LINKED.fullmatch(between) or _UNTIL.fullmatch(between)):
            yield group
            group = []
        group.append(right)
    yield group


def _all_days(words: str, group: Sequence[Mention], today: date | None) -> Iterator[str]:
    yield group[0].day
    for left, right in pairwise(group):
        if _UNTIL.fullmatch(words[left.end : right.start]):
            yield from _until(left.day, right.day, today)
        yield right.day


def _until(first: str, last: str, today: date | None) -> Iterator[str]:
    """Give the days between two: "od poniedziałku do środy" has Tuesday too."""
    if first in WEEKDAYS and last in WEEKDAYS:
        at = WEEKDAYS.index(first) + 1
        while WEEKDAYS[at % 7] != last and at < WEEKDAYS.index(first) + _LONGEST_RANGE:
            yield WEEKDAYS[at % 7]
            at += 1
    elif today is not None:
        begin, end = resolve_day(first, today)[-1], resolve_day(last, today)[0]
        for ahead in range(1, min((end - begin).days, _LONGEST_RANGE)):
            yield (begin + timedelta(days=ahead)).isoformat()


def _is_asked(words: str, mention: Mention) -> bool:
    """Whether the weather is spoken of in the clause of this day."""
    return any(
        "weather" in groups_of(word)
        for clause in _CLAUSE.finditer(words)
        if clause.start() <= mention.start < clause.end()
        for word in clause[0].split()
    )


def _is_in_question(words: str, mention: Mention) -> bool:
    """Whether the sentence of this day ends in a question mark, and not the first does."""
    end = _SENTENCE_END.search(words, mention.end)
    return end is not None and "?" in end[0]


def _past(words: str, today: date | None) -> tuple[str, ...]:
    past = next((_PAST[word] for word in words.split() if word in _PAST), None)
    return () if today is None or past is None else (str(today - timedelta(days=past)),)


def _part(words: str) -> tuple[str, ...]:
    return next(((day,) for pattern, day in _PARTS if pattern.search(words)), ())
