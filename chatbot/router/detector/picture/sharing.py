"""Give a later picture what it shares with the first: "to samo zimą", "drugi z kotem"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.reading import read_description
from chatbot.router.detector.spans import fold_evenly, split_words

SAME = regex(
    r"^(?:.*?(?<!\w)(?<! na )(?<! w )(?:ten|ta|te|tego|tej) sam\w* (\w+)|(?:\w+ )*?to samo)"
    r"(?:,? ale|,? tylko)?,? ?"
)
"""What begins a picture that repeats the one before."""

_MEANT = regex(MEDIUM)
_VARIED = regex(
    r",? (?:(?P<place>(?:w|we|na|nad|pod|z|ze|przy|o|u) (?![A-ZĆŁŚŹŻ]))|podczas |jako |"
    r"zim[aą]\b|latem\b|wiosn[aą]\b|jesieni[aą]\b|noc[aą]\b|wieczorem\b|rano\b|za dnia\b)"
)
_PREPOSITION = regex(r" (?:z|ze|do|na|w|we|o|dla|przy|nad|pod|jako) ")
_WITH = regex(r"ze? ")


def share(told: Sequence[str], kind: str) -> tuple[str, ...]:
    """Give the descriptions what they share: the first one's noun, or what was announced."""
    first = _completed(told[0], kind) if kind else told[0]
    return (first, *(_completed(one, kind, first) for one in told[1:]))


def _completed(text: str, kind: str, first: str = "") -> str:
    folded = fold_evenly(text)
    if same := SAME.match(folded):
        varied = text[same.end() :]
        is_meant = same[1] is None or _is_in(same[1], _VARIED.split(first, maxsplit=1)[0])
        return f"{_kept(first, varied)} {varied}".strip() if is_meant else text
    if not _PREPOSITION.match(f" {folded}"):
        return text
    head = kind or _PREPOSITION.split(first, maxsplit=1)[0]
    is_plain = kind == "obrazek" or not _MEANT.match(fold_evenly(head))
    if _WITH.match(folded) and is_plain:
        return read_description(f"obrazek {text}") or text
    return text if is_plain and kind else f"{head} {text}"


def _kept(first: str, varied: str) -> str:
    """Return the first picture without the setting that is another one now.

    That is the last one told in the same way: "w słońcu" takes the place of "w deszczu".
    """
    kind = _VARIED.match(f" {varied}")
    settings = list(_VARIED.finditer(first))
    if kind is None or not settings:
        return first
    ends = [*(one.start() for one in settings[1:]), len(first)]
    for setting, end in zip(reversed(settings), reversed(ends), strict=True):
        if bool(setting["place"]) == bool(kind["place"]):
            return f"{first[: setting.start()]}{first[end:]}".strip()
    return first


def _is_in(noun: str, head: str) -> bool:
    """Whether a noun, whatever its form, stands in the head of the first description."""
    stem = noun[: max(3, len(noun) - 3)]
    return any(word.folded.startswith(stem) for word in split_words(head))
