"""Ground a person or a topic: whole, where a text says it; else each damaged word by itself."""

from collections.abc import Iterator, Sequence
from functools import cache

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.language.pieces import WORD
from chatbot.router.detector.titles import read_names
from chatbot.router.grounding.bases import Bases, guesses
from chatbot.router.grounding.likeness import SHORTEST, are_forms, is_cut, is_slip, likeness
from chatbot.router.grounding.spans import Span, Texts
from chatbot.router.grounding.spelling import accents, is_cyrillic, key
from chatbot.types import NameKind

_NEAR = 0.7  # of 1: spans that may be a name of one word
_LIKE = 0.8  # of 1: a name and the word that it was made of
_ENDING = 3  # letters of the longest common ending
_FULL = 2  # words of a full name
_SHORTEST = 4  # letters of a word that may be damaged and still be known
_LINKS = frozenset({"i", "oraz", "w", "we", "na", "z", "ze", "pod", "nad", "o", "do", "za", "de"})
_TAIL = regex(r"\s*\([^()]*\)$")


class Phrases:
    """The persons or topics that some texts speak of."""

    def __init__(self, kind: NameKind, said: Texts) -> None:
        """Ground names of one kind in ``said``."""
        self._kind = kind
        self._said = said
        self._bases = Bases(kind)

    def ground(self, name: str) -> str | None:
        """Return the person or topic that ``name`` stands for; ``None`` for a person nobody named.

        A topic is never held for invented: a model may know what was only described.
        """
        tail = _TAIL.search(name)
        core = name[: tail.start()] if tail else name
        found = self._whole(core)
        if found is None:
            is_single = WORD.fullmatch(core) is not None
            found = WORD.sub(lambda word: self._word(word[0], is_single=is_single), core)
            if self._kind == "person" and not self._is_named(found):
                return None
        return found + (tail[0] if tail else "")

    # --- the whole name -------------------------------------------------------------------------

    def _whole(self, name: str) -> str | None:
        """Return the name as a span of the texts gives it; ``None`` where no span is the name."""
        own = key(name)
        found = list(self._said.similar(own))
        if name in _well_known() and any(score >= _LIKE for score, _ in found):
            return name
        near = [
            span
            for score, span in found
            if " " in own or score >= _NEAR or span.key.startswith(own)
        ]
        spans = [span for span in near if span.key.count(" ") == own.count(" ")]
        for span in spans:
            if self._is_right(name, span):
                proper = self._bases.of(span)
                is_same = proper.lower() == name  # a model that writes small letters
                right = self._cased(proper if is_same else name, name, span)
                return self._full(right, span) or right
        is_quoted = all(self._said.find(word) is not None for word in own.split())
        for span in spans:
            proper = self._bases.of(span)
            if key(proper) == own:
                return self._cased(_better(name, proper, span), name, span)
            is_other = is_quoted and own != span.key
            if self._is_left(name, span) or (not is_other and _is_damaged(name, span, proper)):
                return self._cased(proper, name, span)
        return self._completed(own, near)

    def _full(self, name: str, span: Span) -> str | None:
        """Return the full name of a person of whom only the first name is left."""
        if span.size > 1 or not any("imię" in one.labels for one in morphology().readings(name)):
            return None
        for longer in self._said.around(span):
            surname = longer.text.rpartition(" ")[2]
            if longer.size == _FULL and longer.first == span.first and surname.istitle():
                full = self._bases.of(longer)
                return full if full.startswith(f"{name} ") else None
        return None

    def _completed(self, own: str, spans: Sequence[Span]) -> str | None:
        """Return the name that ``own`` begins and stops where no name ends: "bitwa pod"."""
        last = own.rpartition(" ")[2]
        if last not in _LINKS and not last.isdigit():
            return None
        names = (self._bases.of(span) for span in spans)
        return next((name for name in names if key(name).startswith(f"{own} ")), None)

    def _is_right(self, name: str, span: Span) -> bool:
        """Tell whether ``name`` is the base form of a span, or may be."""
        proper = self._bases.of(span)
        if key(name) != span.key:
            is_other = key(proper) != key(name)
            return proper.lower() == name.lower() or (is_other and self._bases.has(name, span))
        if _is_nominative_of(name, span.text):
            return self._bases.has(name, span)
        is_bare = key(proper) == span.key and accents(proper) > accents(span.text)
        return name.lower() == span.text.lower() and not is_bare and not self._is_left(name, span)

    def _is_left(self, name: str, span: Span) -> bool:
        """Tell whether ``name`` was copied from a text in a case that is not the nominative."""
        return key(name) == span.key and self._bases.is_inflected(span)

    # --- word by word ---------------------------------------------------------------------------

    def _word(self, word: str, *, is_single: bool) -> str:
        """Repair a damaged word by the word of the texts that it is like."""
        own = key(word)
        spans = [span for _, span in self._said.similar(own) if span.size == 1]
        if len(own) < _SHORTEST or any(
            word.lower() == span.text.lower() or self._bases.has(word, span) for span in spans
        ):
            return word
        candidates = [(span, one) for span in spans for one in self._forms(span)]
        for span, one in candidates:
            if key(one) == own:
                return self._cased(_better(word, one, span), word, span)
        if _is_known(word) or any(are_forms(own, span.key) for span in spans):
            return word
        likely = [
            (likeness(own, key(one)), one, span)
            for span, one in candidates
            if is_slip(own, key(one))
            or (is_cut(own, key(one)) and (is_single or span.is_capitalised))
        ]
        if not likely:
            return word
        _, best, span = max(likely, key=lambda found: found[0])
        return self._cased(best, word, span)

    def _forms(self, span: Span) -> Iterator[str]:
        yield self._bases.of(span)
        yield span.text
        if not morphology().is_known(span.text):
            yield from guesses(span.text, self._kind)

    def _is_named(self, name: str) -> bool:
        """Tell whether some word of a person's name stands in the texts."""
        return any(
            span.size == 1
            and (
                key(word) in {span.key, key(self._bases.of(span))}
                or self._bases.has(word, span)
                or (len(word) >= _SHORTEST and score >= _LIKE)
            )
            for word in WORD.findall(name)
            if len(word) > 1
            for score, span in self._said.similar(key(word))
        )

    def _cased(self, proper: str, name: str, span: Span) -> str:
        """Give each word of ``proper`` the capital that the model or the text gave it."""
        words, said = WORD.findall(name), WORD.findall(span.text)
        right = list(WORD.finditer(proper))
        if not len(words) == len(said) == len(right):
            return proper
        written = list(proper)
        for number, match in enumerate(right):
            is_telling = said[number][:1].isupper() and not (number == 0 and span.is_opening)
            is_name = self._kind == "person" and match[0][:1].isupper()
            first = written[match.start()]
            if match[0][1:].isupper():
                continue  # "VIII", "NATO"
            is_upper = words[number][:1].isupper() or is_telling or is_name
            written[match.start()] = first.upper() if is_upper else first.lower()
        return "".join(written)


@cache
def _well_known() -> frozenset[str]:
    """Names as an encyclopaedia has them, which are no case of anything: "Lady Gaga"."""
    return frozenset(read_names())


def _is_nominative_of(name: str, said: str) -> bool:
    """Tell whether a name ends in "-a" where the text has "-ą" or "-ę": no accent was lost."""
    return name[-1:] == "a" and said[-1:] in {"ą", "ę"} and name[:-1].lower() == said[:-1].lower()


def _is_damaged(name: str, span: Span, proper: str) -> bool:
    """Tell whether ``name`` is what a model made of a span: cut, with slips, half inflected.

    Every word has to be one of the span or of its base form, or be like it without being a form
    of it; a paraphrase has forms, or words of its own.
    """
    own, wanted = key(name), key(proper)
    if is_cut(own, wanted):
        is_near = len(wanted) - len(own) <= _ENDING
        is_mended = is_near and _is_known(name) and not _is_known(proper)
        return not is_mended and (" " in name or span.is_capitalised or not _is_known(name))
    words, forms, right = (WORD.findall(text) for text in (name, span.text, proper))
    if not len(words) == len(forms) == len(right) or (len(words) == 1 and _is_known(name)):
        return False
    return all(
        key(word) in {key(form), key(base_form)} or _is_wrong(word, form, base_form)
        for word, form, base_form in zip(words, forms, right, strict=True)
    )


def _is_wrong(word: str, form: str, proper: str) -> bool:
    """Tell whether a word is a slip for another, or a wrong case of a name."""
    own = {reading.lemma for reading in morphology().readings(form)}
    shared = [reading for reading in morphology().readings(word) if reading.lemma in own]
    if shared:
        is_nominative = any("nom" in one.cases and "sg" in one.numbers for one in shared)
        return word[:1].isupper() and not is_nominative
    is_mended = morphology().is_known(word) and not morphology().is_known(form)
    return not is_mended and len(word) >= SHORTEST and is_slip(key(word), key(proper))


def _is_known(name: str) -> bool:
    """Tell whether every word is one of the dictionary's."""
    return all(
        is_cyrillic(word) or word.isdigit() or morphology().is_known(word)
        for word in WORD.findall(name)
    )


def _better(name: str, proper: str, span: Span) -> str:
    """Of two spellings with one key choose the model's, where the text was typed carelessly."""
    is_plain = not accents(span.text) and accents(name) >= accents(proper)
    is_mended = _is_known(name) and not _is_known(proper)
    return name if is_plain or is_mended else proper
