"""Says by rule in what way the value of an argument is wrong, for Polish."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

from chatbot.language import fold, is_polish, lemmas, lemmatise
from chatbot.language.english import ENGLISH
from chatbot.router.grounding.aliases import aliases, name_key
from chatbot.types import JsonValue
from evals.full_call import content_words

WrongValue: TypeAlias = Literal[
    "missing",
    "diacritics",
    "letter_case",
    "inflection",
    "language",
    "truncation",
    "surplus",
    "context",
    "invention",
    "value",
    "other",
]
"""``missing``: the argument is not there. ``diacritics``: only they differ, or only they and the
letters' case. ``inflection``: the same words in other forms. ``language``: a description is not in
a language asked for, a name is what others call the place ("Vienna", "Wawa"), or has English words
that nobody said. ``truncation``: words of the right
value are left out, none is added; ``surplus``: words are added, none is left out. ``context``: the
right value, or the one given, stands only in what was said before the prompt. ``invention``:
nothing of the value was said by anyone. ``value``: what is no words, as an expression or a day."""

Words: TypeAlias = Literal["name", "description"]
"""What kind of words an argument holds."""

WRONG_VALUES: Final[tuple[WrongValue, ...]] = get_args(WrongValue)


def name_wrong_value(
    right: Sequence[JsonValue], given: JsonValue, texts: Sequence[str], words: Words | None
) -> WrongValue:
    """The first kind that holds, tried in the order of `WrongValue`.

    Args:
        right: Every right value, the expected one first.
        given: A value that is none of them; ``None`` where there is none.
        texts: What was said, the prompt last.
        words: What kind of words the argument holds; ``None``: it holds none.
    """
    if given is None:
        return "missing"
    wanted = [one for one in right if isinstance(one, str)]
    if words is None or not isinstance(given, str) or not wanted:
        return "value"
    if found := _differs_in_letters(wanted, given):
        return found
    if _is_foreign(wanted, given, texts, words):
        return "language"
    return _differs_in_words(wanted, given, texts)


def _differs_in_letters(wanted: Sequence[str], given: str) -> WrongValue | None:
    if any(_squeeze(one).lower() == _squeeze(given).lower() for one in wanted):
        return "letter_case"
    if any(_squeeze(fold(one)) == _squeeze(fold(given)) for one in wanted):
        return "diacritics"
    if any(_has_same_words(one, given) for one in wanted):
        return "inflection"
    return None


def _is_foreign(wanted: Sequence[str], given: str, texts: Sequence[str], words: Words) -> bool:
    if words == "description":
        return all(is_polish(one) != is_polish(given) for one in wanted)
    if set(aliases().polish.get(name_key(given), ())) & set(wanted):
        return True
    said = {word for text in (*wanted, *texts) for word in text.lower().split()}
    return not is_polish(given) and bool((set(given.lower().split()) & ENGLISH) - said)


def _differs_in_words(wanted: Sequence[str], given: str, texts: Sequence[str]) -> WrongValue:
    found, right = content_words(given), [content_words(one) for one in wanted]
    if found and any(found < one for one in right):
        return "truncation"
    if any(one and one < found for one in right):
        return "surplus"
    *earlier, prompt = map(_stems, texts or ("",))
    before, now = frozenset[str]().union(*earlier), prompt
    if _stands_only_before(wanted[0], before, now) or _stands_only_before(given, before, now):
        return "context"
    return "other" if _stems(given) & (before | now) else "invention"


def _squeeze(text: str) -> str:
    return " ".join(text.replace("-", " ").split())


def _has_same_words(one: str, other: str) -> bool:
    """Whether two names have the same base form, or the same lemma word by word."""
    return fold(lemmatise(other)) == fold(lemmatise(one)) or tuple(map(fold, lemmas(one))) == tuple(
        map(fold, lemmas(other))
    )


def _stems(text: str) -> frozenset[str]:
    """Content words by lemma and as written, folded, so that damaged letters still meet."""
    return frozenset(map(fold, (*content_words(text), *(content_words(fold(text))))))


def _stands_only_before(value: str, before: frozenset[str], now: frozenset[str]) -> bool:
    words = _stems(value)
    return bool(words & before) and not words & now
