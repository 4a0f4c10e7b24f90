"""Pictures of other things in the style of the last one: "w tej samej manierze łosia"."""

from chatbot.language.patterns import regex
from chatbot.router.detector.picture import read_descriptions
from chatbot.router.detector.picture.media import MEDIUM, PLAIN
from chatbot.router.detector.picture.requests import ASKED
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.drawings.choosing import shared
from chatbot.router.dialogue.drawings.clauses import KINDS, unasked
from chatbot.router.dialogue.drawings.fresh import names_thing
from chatbot.router.dialogue.drawings.reactions import without_reactions

_SAME = regex(
    r",? ?\b(?:(?:w|we|utrzyman\w+ w) )?(?:(?:t(?:ym|ej|a|en)|dokladnie t\w+|tak\w+) "
    r"(?:sam\w+|wlasnie)|identyczn\w+|podobn\w+) "
    r"(?:styl\w*|manier\w+|konwencj\w+|technic\w+|technik\w+|stylistyc\w+|estetyc\w+|kresk\w+)"
)
_ADDS = regex(r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|dopisz|zmien|zamien|przerob|usun)\b")
_KIND = regex(rf"(?!{PLAIN}){MEDIUM}(?!\w)")
_APART = regex(r"(?:,? (?:i|oraz|a))? ?\b(?:osobno|oddzielnie)\b ?")
_STYLE = regex(
    r"\b(?:w (?:stylu|manierze|konwencji|technice|klimacie|estetyce|odcieniach) [^,.;:]+|"
    r"akwarel\w+|olej\w*|olowk\w+|szkic\w*|pastel\w*|tusz\w*|weglem|kredk\w+|linoryt\w*|"
    r"drzeworyt\w*|pixel[ -]?art|anime|komiks\w*|czarno-bial\w+|(?:foto)?realistyczn\w+|w sepii)"
)


def in_same_style(picture: str, prompt: str) -> tuple[str, ...]:
    """Return a picture of each thing that is wanted in the style of ``picture``.

    Nothing where the prompt names no other thing, or adds one to the picture itself.
    """
    told = _SAME.search(fold_evenly(prompt))
    if told is None or _ADDS.search(fold_evenly(prompt)):
        return ()
    rest = without_reactions(f"{prompt[: told.start()]} {prompt[told.end() :]}".strip(" ,.!?"))
    asked = ASKED.search(fold_evenly(rest))
    wish = rest[asked.end() :] if asked else unasked(rest)[1]
    parts = [one for one in _APART.split(wish) if one.strip()]
    things = [one for part in parts for one in read_descriptions(f"narysuj {part.strip()}")]
    if not things or shared(picture, rest) or not all(map(_is_thing, things)):
        return ()
    found = _STYLE.finditer(fold_evenly(picture))
    style = ", ".join(picture[one.start() : one.end()] for one in found)
    kind = _KIND.match(fold_evenly(picture))
    led = f"{picture[: kind.end()]}: " if kind and not _STYLE.match(kind[0]) else ""
    return tuple(_styled(f"{led}{one}", style) for one in things)


def _is_thing(description: str) -> bool:
    folded = fold_evenly(description)
    return names_thing(description) and not any(kind.match(folded) for kind in KINDS)


def _styled(thing: str, style: str) -> str:
    joint = " " if style.startswith("w ") and "," not in thing else ", "
    return f"{thing}{joint}{style}" if style else thing
