"""Which of several places was told to be the warmer or the colder: "w tym chłodniejszym"."""

import re
from collections.abc import Iterator, Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly, split_words

_WARMER = regex(
    r"\b(?:t(?:ym|ego|ej|o|e|a|en)|tam,? gdzie(?: jest| bylo| bedzie)?) (?:naj)?ciepl\w+"
)
_COLDER = regex(
    r"\b(?:t(?:ym|ego|ej|o|e|a|en)|tam,? gdzie(?: jest| bylo| bedzie)?) "
    r"(?:(?:naj)?(?:zimni|chlodni|mrozni)\w+|mroz)"
)
_DEGREES = regex(r"([-−–]?\d+)(?:[.,]\d+)? ?(?:°|stop)")
_STEM = 4  # letters that forms of one name share
_TWO = 2


def by_degrees(names: Sequence[str], folded: str, reply: str) -> str | None:
    """Return the place that the prompt calls warmer or colder, by the degrees of the reply."""
    is_warmer = _WARMER.search(folded) is not None
    if not is_warmer and not _COLDER.search(folded):
        return None
    told = dict(_told(names, fold_evenly(reply)))
    if len(told) < _TWO or len(set(told.values())) < len(told):
        return None
    return (max if is_warmer else min)(told, key=lambda name: told[name])


def _told(names: Sequence[str], reply: str) -> Iterator[tuple[str, int]]:
    """The degrees that stand behind each name, before the next one."""
    stems = {name: fold_evenly(split_words(name)[0].text)[:_STEM] for name in names}
    starts = {name: reply.find(stem) for name, stem in stems.items()}
    for name, start in starts.items():
        end = min((one for one in starts.values() if one > start), default=len(reply))
        found = _DEGREES.search(reply[start:end]) if start >= 0 else None
        if found is not None:
            yield name, int(re.sub("[−–]", "-", found[1]))
