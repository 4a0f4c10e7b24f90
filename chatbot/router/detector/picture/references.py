"""What a request says without naming a thing: "to", "taki w stylu retro", "z tego grafikę"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.picture.emptiness import shows_nothing
from chatbot.router.detector.spans import fold_evenly

_REFERENCE = regex(
    r"^\s*(?:(?:mi|nam|go|ja|je|to|ich|tego|tym|cos takiego|tak(?:i|a|ie|iego)|ten|ta|te|z tego|"
    r"z niego|z niej|z nich|o tym|wlasnie|dokladnie|tylko|oczywiscie|najpierw|sama?|wszystko|"
    r"jak (?:to|on|ona|ono) (?:by )?(?:mogl\w* |moze )?wyglad\w*)(?!\w)[\s,]*)+"
    r"(?:(?:sen|scen|widok|pomysl|wizj|histori|motyw|chwil|moment|opis|bajk|wspomnieni|kadr|"
    r"legend|temat|obraz|rysun|ilustracj|grafik|fotk)\w{0,5}(?!\s+(?:na|dla|do|w)\b))?"
    r"(?=\s*(?:$|[.,!?–-]|na |w |dla |do |jako|jak ))|^\s*(?:to|je|go)(?= \w)"
)
_ON_IT = regex(r"^[\s,]*na (?:obrazku|rysunku|ilustracji|grafice|zdjeciu)(?!\w)")
_POINTER = regex(r"^(?:(?:z tego|z niego|z niej|z nich|to|go|ja|je|taki|taka|takie)\s+)+")
_EMPTY = regex(
    r"^[\s,.!?–-]*(?:(?:tylko|sam|to|ten|taki|jeden|jednego|jedna|now\w+|ladn\w+|fajn\w+|"
    r"szybki\w*|szybciutki\w*)\s*)*"
    r"(?:obraz\w{0,5}|rysun\w+|ilustracj\w+|grafik\w+|fotk\w+|zdjec\w+|"
    r"(?:cos|czegos)(?: \w+ego)?|cokolwiek)?"
    r"(?:\s+(?:ladn\w+|fajn\w+|do salonu|do pokoju|na sciane|dla (?:moj\w+ )?\w+|"
    r"mi|zaraz))*[\s,.!?–-]*$"
)
_TECHNIQUE = (
    r"(?:akwarel(?:a|ka|kami|ami)|olowki(?:em|ami)|weglem|tuszem|kredkami|farb(?:ami|kami)|"
    r"pastel(?:ami|a|owo)|olejem|piorkiem|pisakami|flamastrami|dlugopisem|kreda|tempera|"
    r"gwaszem|akrylem|sepia|wycinanka)"
)
_WAY = (
    r"(?:(?:foto|hiper|sur|nad)?realistyczn|ekspresjonistyczn|impresjonistyczn|komiksow|bajkow|"
    r"kolorow|mroczn|pastelow|minimalistyczn|humorystyczn|kreskowkow|nastrojow|abstrakcyjn)(?:ie|o)"
)
_MANNER_UNIT = regex(
    rf"[\W_]+|(?:{_TECHNIQUE}|{_WAY}|pixel[ -]?art|anime|3d|czarno[- ]bial\w+|cienk\w+ kreska|"
    r"cieniutk\w+ kreska|grub\w+ kreska|olej na plotnie|linoryt\w*|drzeworyt\w*|"
    r"(?:w|ze?|na) (?:stylu|styl|klimacie|konwencji|duchu|technice|manierze|estetyce|formacie|"
    r"pionie|poziomie|kwadracie|kolorze|kolorach|barwach|odcieniach|tonacji|sepii|3d|fiolet\w+|"
    r"blekit\w+|czerni i bieli|stylistyce|wersji|tle|bialym tle)[^,.;]*|"
    r"(?:tak )?(?:troche )?jak (?:u|z|na|w|stara?e?|dawn\w+) [^,.;]+"
    r")(?!\w)"
)
_MEDIUM_OF_IT = regex(
    r"^[\s,]*(?:tak[ia]? |takie |takiego |jako )?(?:grafik|obraz|rysun|ilustracj|plakat|naklejk|"
    r"tapet|szkic|akwarel|nadruk|baner|logo|okladk|pocztowk|mural|szyld|etykiet|wlepk|haft|tatuaz|"
    r"ikon|znacz|zakladk|kubek|koszulk|magnes)\w* (?:na|do|dla|w) [^,.:]+[\s.!?]*$"
)
_TECHNIQUE_AHEAD = regex(
    rf"\s*(?:{_TECHNIQUE}|w (?:3d|pionie|poziomie|kolorze|sepii|czerni i bieli|formacie \w+)|"
    rf"{_WAY})\s+(?=[^\W\d])(?!(?:w|na|i|z|ze|do|dla|po|jak|oraz)\b)"
)
_EDGES = " ,.–-:!?"


def is_empty(text: str) -> bool:
    """Whether nothing is named that could be drawn."""
    return _EMPTY.match(fold_evenly(text)) is not None


def technique_ahead(text: str) -> re.Match[str] | None:
    """The technique that stands before the thing itself: "ołówkiem starego rybaka"."""
    return _TECHNIQUE_AHEAD.match(fold_evenly(text))


def refers(after: str) -> bool:
    """Whether a pronoun stands for what was said before: "to", "ten widok", "z tego grafikę"."""
    folded = fold_evenly(after)
    return (_REFERENCE.match(folded) or _POINTER.match(folded.lstrip())) is not None


def manner_of(after: str) -> str | None:
    """Return how what was said before shall be drawn; ``None`` where a thing of its own is named.

    ``after`` is what stands behind the request: "to akwarelą" → "akwarelą", "to" → "".
    """
    if found := _REFERENCE.match(fold_evenly(after)):
        rest = after[found.end() :]
        on_it = _ON_IT.match(fold_evenly(rest))
        return rest[on_it.end() if on_it else 0 :].strip(_EDGES)
    if on_it := _ON_IT.match(fold_evenly(after)):
        after = after[on_it.end() :]
    folded = fold_evenly(after)
    pointer = _POINTER.match(folded.lstrip())
    rest = after.lstrip()[pointer.end() :] if pointer else after
    if _EMPTY.match(fold_evenly(rest)):
        return ""
    if _MEDIUM_OF_IT.match(fold_evenly(rest)) or shows_nothing(rest) or is_manner(rest):
        return rest.strip(_EDGES)
    return None


def is_manner(text: str) -> bool:
    """Whether only the way of drawing is told: "w stylu komiksu", "akwarelą, w sepii"."""
    folded = fold_evenly(text)
    at = 0
    while at < len(folded):
        found = _MANNER_UNIT.match(folded, at)
        if found is None:
            return False
        at = found.end()
    return True
