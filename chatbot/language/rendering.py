"""Write a reading of a word in another case, keeping the capital letters of the original."""

from collections.abc import Iterable

from chatbot.language.morphology import Case, Form, Morphology, Reading

_COMPATIBLE = {
    "m1": ("m1",),
    "m2": ("m2", "m3"),
    "m3": ("m3", "m2"),
    "f": ("f",),
    "n": ("n",),
}


def render(
    words: Morphology, reading: Reading, case: Case, *, number: str, genders: frozenset[str]
) -> str | None:
    """Return the form of ``reading`` in ``case``; ``None`` where the dictionary has none.

    ``number`` and ``genders`` are those of the head that the word agrees with.
    """
    if reading.nominative is not None:
        return reading.nominative if case == "nom" else None
    candidates = [
        form
        for form in words.forms(reading.key)
        if form.reading.pos == reading.pos
        and case in form.reading.cases
        and number in form.reading.numbers
        and form.reading.degree == reading.degree
        and form.reading.is_negated == reading.is_negated
    ]
    agreeing = [form for form in candidates if form.reading.genders & genders] or [
        form for form in candidates if form.reading.genders & _near(genders)
    ]
    return _plainest(agreeing)


def match_case(original: str, form: str) -> str:
    """Give ``form`` the capitals of ``original``; a proper name keeps its own."""
    if len(original) > 1 and original.isupper():
        return form.upper()
    if original[:1].isupper():
        return form[:1].upper() + form[1:]
    return form


def _near(genders: Iterable[str]) -> frozenset[str]:
    return frozenset(near for gender in genders for near in _COMPATIBLE.get(gender, ()))


def _plainest(forms: list[Form]) -> str | None:
    """Prefer a form without a usage label ("daw.", "rzad."); the dictionary's order decides."""
    ranked = sorted(forms, key=lambda form: len(form.reading.qualifiers))
    return ranked[0].text if ranked else None
