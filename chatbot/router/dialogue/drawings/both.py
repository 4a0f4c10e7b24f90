"""Two things that were compared or asked about, in a picture each or in one: "narysuj oba"."""

import re
from collections.abc import Iterator, Sequence

from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.requests import ASKED
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.drawings.depicting import said_of, shown
from chatbot.router.dialogue.scene import FollowUp, Scene, draw
from chatbot.router.dialogue.state import WIKIPEDIA
from chatbot.router.dialogue.turns import Turn

_BOTH = r"(?:ob(?:a|ie|oje|u|ydwa|ydwie)|jedn(?:ego|a|o|en) i drug\w+)"
_EACH = (
    rf"(?:(?:kazd\w+|{_BOTH}|ale|tylko|koniecznie),? )*(?:z nich )?"
    rf"(?:osobno|oddzielnie|z osobna|"
    rf"(?:na|w|jako) (?:dwoch )?(?:osobn|oddzieln|odrebn)\w+ {MEDIUM})"
)
_TOGETHER = rf"(?:razem(?: ze soba)?|obok siebie|(?:na|w) (?:jedn|wspoln)\w+ {MEDIUM})"
_APART, _ONE = regex(rf"\b{_EACH}"), regex(rf"\b{_TOGETHER}")
_MEANT = regex(rf"\b{_BOTH}\b|\b(?:je|ich|te dwa|te dwie|tych dwoje)\b")
_POINTING = regex(
    rf"(?:[\s,]*\b(?:{_EACH}|{_TOGETHER}|{_BOTH}(?: te| z nich)?|je|ich|te dwa|te dwie)\b)+,?"
)
_WORDS = r"[^\W\d_][^\s,.?!:]*(?: [^\W\d_][^\s,.?!:]*){0,2}?"
_ONE_WORDS, _OTHER_WORDS = rf"(?P<one>{_WORDS})", rf"(?P<other>{_WORDS})(?=[?.,!]|$)"
_COMPARED = (
    (regex(rf"\brozni(?:a|l[ay]?)? (?:sie )?{_ONE_WORDS} od {_OTHER_WORDS}"), ("", "od")),
    (
        regex(rf"\broznic\w+ (?:\w+ )?(?:po)?miedzy {_ONE_WORDS} (?:a|i) {_OTHER_WORDS}"),
        ("przed", "przed"),
    ),
    (
        regex(rf"\b(?:odrozni\w+|rozrozni\w+) {_ONE_WORDS} od {_OTHER_WORDS}"),
        ("przez", "od"),
    ),
    (regex(rf"\bporownaj {_ONE_WORDS} (?:i|oraz) {_OTHER_WORDS}"), ("przez", "przez")),
    (regex(rf"(?:^|: |, |\b(?:to|niz) ){_ONE_WORDS} czy {_OTHER_WORDS}"), ("", "")),
)
"""Questions that compare two things, with what each of them is governed by."""

_TURNS, _PAIR = 2, 2


def of_both(scene: Scene) -> FollowUp | None:
    """Return a picture of each of two things, or one of both as the prompt says."""
    is_apart = _APART.search(scene.folded) is not None
    is_one = _ONE.search(scene.folded) is not None
    if not (is_apart or is_one) or not _MEANT.search(scene.folded):
        return None
    pair = _pair(scene)
    if not pair or ASKED.search(scene.folded) is None:
        return None
    rest = scene.text
    while (found := _POINTING.search(fold_evenly(rest))) is not None:
        rest = f"{rest[: found.start()]} {rest[found.end() :].lstrip()}"
    said = said_of(rest)
    return draw(*(shown(one, said) for one in (pair if is_apart else (" i ".join(pair),))))


def compared_things(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the two things that a question of the last exchanges compared, as it names them."""
    pairs = (next(_compared(turn.prompt), ()) for turn in reversed(turns[-_TURNS:]))
    return next(filter(None, pairs), ())


def _pair(scene: Scene) -> tuple[str, ...]:
    """The two things that were compared last, or that the last two exchanges looked up."""
    if pair := compared_things(scene.state.turns):
        return pair
    topics = [_topic(turn) for turn in scene.state.turns[-_PAIR:]]
    named = tuple(one for one in topics if one)
    return named if len(set(named)) == _PAIR else ()


def _compared(prompt: str) -> Iterator[tuple[str, ...]]:
    folded = fold_evenly(prompt)
    for pattern, prepositions in _COMPARED:
        if (told := pattern.search(folded)) is not None:
            names = (prompt[slice(*told.span(one))] for one in ("one", "other"))
            yield tuple(map(_base, names, prepositions))


def _base(name: str, preposition: str) -> str:
    return lemmatise(name, kind="topic", preposition=preposition) if preposition else name


def _topic(turn: Turn) -> str:
    found = (str(one.arguments.get("query", "")) for one in turn.calls if one.name == WIKIPEDIA)
    return re.sub(r" \(.*", "", next(found, ""))
