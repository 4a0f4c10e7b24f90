"""Count how words are spelt, for `chatbot.language.diacritics`.

``python -m evals.training.spellings`` reads own texts that were typed with Polish letters, says how
many words of texts it did not count are restored, and writes both tables.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import click

import chatbot.language.diacritics as runtime
from chatbot.language.diacritics import ACCENTS, PLAIN, PREPOSITIONS, WORD, Spellings
from chatbot.language.morphology import morphology
from chatbot.router.detector.mistyping import OFTEN
from evals.cases import PRACTICE_PL

KEPT = (
    "dialogues_alike_b", "fresh_dialogues", "fresh_dialogues_2", "fresh_dialogues_3",
    "fresh_dialogues_4", "fresh_dialogues_5", "fresh_dialogues_6", "fresh_dialogues_7",
    "fresh_singles", "kept_alike", "kept_dialogues_2", "kept_mathematics", "kept_singles_2",
    "kept_stories", "kept_talks", "kept_topics", "long_dialogues", "mathematics_13",
)  # fmt: skip
"""Practice files that nothing is learnt from."""

_HERE = Path(__file__).parent
_LEAST_SHARE = 0.03  # of the forms of one plain word, rarer ones are left out
_FOLDS = 10
_TITLE = "# {}; counted by `python -m evals.training.spellings`. Own work, CC BY 4.0."


def read_texts() -> tuple[str, ...]:
    """Read prompts and replies of the training lists, training dialogues and practice cases."""
    texts = dict.fromkeys(_texts())
    return tuple(text for text in texts if text != text.translate(PLAIN))


def count(texts: Sequence[str]) -> tuple[Mapping[str, int], Mapping[str, Sequence[int]]]:
    """Count forms and accents; rare forms that are guessed right anyway are left out."""
    forms = Counter(form for text in texts for form in _counted(_words(text)))
    letters = _count_letters(forms)
    guessing = Spellings({}, letters)
    kept: dict[str, int] = {}
    for plain, counts in _by_plain(forms).items():
        least = max(counts.values()) * _LEAST_SHARE
        common = {form: n for form, n in counts.items() if n >= max(least, _least(form))}
        guess = guessing.likeliest(plain)
        if guess != plain and guess not in common and not morphology().is_known(plain):
            common.pop(plain, None)  # diacritics left out in a text that has others
        if set(common) - {plain, guess} or len(common) > 1:
            kept |= common
        else:
            kept |= {form: n for form, n in common.items() if n >= OFTEN}
    return kept, letters


def right(spellings: Spellings, texts: Sequence[str]) -> float:
    """Return the share of words that are restored when all diacritics are taken away."""
    pairs = [
        (typed, restored)
        for text in texts
        for typed, restored in zip(
            _words(text), _words(spellings.restore(text.translate(PLAIN))), strict=True
        )
    ]
    return sum(typed == restored for typed, restored in pairs) / len(pairs)


def _counted(words: Sequence[str]) -> Iterator[str]:
    """Give the forms; "-ą" after a preposition, which asks for it, as the nominative."""
    for before, word in pairwise(("", *words)):
        nominative = f"{word[:-1]}a"
        is_asked = word.endswith("ą") and before in PREPOSITIONS
        if len(word) > 1:
            yield nominative if is_asked and morphology().is_known(nominative) else word


def _least(form: str) -> int:
    """How often a form must be written to be no mistake."""
    return 1 if morphology().is_known(form) else OFTEN


def _words(text: str) -> list[str]:
    return [found[0].lower() for found in WORD.finditer(text)]


def _by_plain(forms: Mapping[str, int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for form, n in sorted(forms.items()):
        found.setdefault(form.translate(PLAIN), {})[form] = n
    return found


def _count_letters(forms: Mapping[str, int]) -> dict[str, list[int]]:
    letters: dict[str, list[int]] = {}
    for form, n in sorted(forms.items()):
        padded = f" {form.translate(PLAIN)} "
        for at, letter in enumerate(form):
            accents = ACCENTS.get(padded[at + 1], "")
            if letter in accents:
                counts = letters.setdefault(padded[at : at + 3], [0] * len(accents))
                counts[accents.index(letter)] += n
    return letters


def _texts() -> Iterator[str]:
    for path in sorted((_HERE / "written").glob("*.txt")):
        yield from path.read_text(encoding="utf-8").splitlines()
    practice = (path for path in PRACTICE_PL.glob("*.jsonl") if path.stem not in KEPT)
    for path in (*sorted((_HERE / "dialogues").glob("*.jsonl")), *sorted(practice)):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield case["prompt"]
            yield from (turn["content"] for turn in case.get("history", ()))


@click.command()
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(runtime.__file__).parent,
    help="Where the tables go; by default into the package.",
)
def train(into: Path) -> None:
    """Count, report how many words of unseen texts are right, write the tables."""
    texts = read_texts()
    unseen = texts[::_FOLDS]
    seen = [text for at, text in enumerate(texts) if at % _FOLDS]
    share = right(Spellings(*count(seen)), unseen)
    plain = right(Spellings({}, {}), unseen)
    click.echo(f"{len(texts)} texts; of words not counted {share:.2%} right, {plain:.2%} before")
    written, letters = count(texts)
    _write(into / runtime.FORMS, "Forms and how often each was written", written)
    rows = {window: " ".join(map(str, counts)) for window, counts in letters.items()}
    _write(into / runtime.LETTERS, "Letters between neighbours and their accents", rows)


def _write(path: Path, title: str, rows: Mapping[str, object]) -> None:
    lines = [_TITLE.format(title), *(f"{key}\t{told}" for key, told in sorted(rows.items()))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    train()
