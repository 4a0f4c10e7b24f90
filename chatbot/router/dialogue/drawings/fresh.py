"""A picture of its own that is asked for after another: "kolejny obrazek: pociąg na moście"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.picture import read_descriptions
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly, split_words

_LED = (
    r"^\W*(?:(?:a|i|no|ok|okej|dobra|super|swietnie|dzieki|teraz|to teraz|jeszcze|poprosze|prosze|"
    r"chce|zrob|daj|narysuj|namaluj|wygeneruj|mi|moze)[\s,.!]+)*"
)
_NEXT = r"(?:kolejn|osobn|nastepn|now|inn|oddzieln)\w+"
_OWN = regex(
    rf"{_LED}(?:{_NEXT} {MEDIUM}(?:,? (?:poprosze|prosze))?\s?[:–-]|"
    rf"(?:cos|{MEDIUM}) (?:zupelnie|calkiem|kompletnie) (?:inn|now)\w+(?:\s?[:–-]|,)|"
    r"cos (?:innego|nowego)\s?[:–-])\s+(?=\S)"
)
_PRODUCT = (
    r"(?:plakat|logo|pocztowk|kartk|naklejk|baner|okladk|ikon|etykiet|zaprosze|ulotk|awatar|avatar|"
    r"dyplom|emblemat|mural|tapet)\w*"
)
_PRODUCED = regex(
    rf"{_LED}(?:(?:teraz|jeszcze|tez|potrzebuj\w+|{_NEXT}|mi)\s)+(?:\w+ )?{_PRODUCT}"
    r"(?:\s?[:–-]| (?:na|dla|o|z okazji)(?! (?:ni|t)\w+\b)) "
)
_ASKED = regex(r"\b(?:teraz|jeszcze|tez|potrzebuj\w+|kolejn\w+|nastepn\w+|now\w+)\b")
_ALIKE = regex(r"\b(?:sam\w?|tak\w{1,3}|podobn\w+|t(?:ego|ym|ej|ych)|nim|nia|niego|niej)\b")


def fresh(prompt: str) -> tuple[str, ...]:
    """Return what the new pictures show; nothing where the last one may be meant."""
    folded = fold_evenly(prompt)
    if _ALIKE.search(folded):
        return ()
    if (own := _OWN.match(folded)) is not None:
        rest = prompt[own.end() :]
        return read_descriptions(f"obrazek: {rest}") if names_thing(rest) else ()
    produced = _PRODUCED.match(folded)
    return read_descriptions(prompt) if produced and _ASKED.search(produced[0]) else ()


def names_thing(phrase: str) -> bool:
    """Whether a phrase begins with a thing: "białe miasto", not "w śniegu", "większe"."""
    for word in split_words(phrase):
        readings = [one for one in morphology().readings(word.text) if one.pos != "brev"]
        if not readings or any(one.pos == "subst" for one in readings):
            return word.text[0].isalpha()
        if not any(one.pos in {"adj", "ppas", "pact", "num"} for one in readings):
            return False
    return False
