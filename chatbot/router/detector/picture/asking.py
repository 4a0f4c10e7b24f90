"""Take the asking off a sentence: "narysuj mi proszę", "poproszę obrazek", "namalujesz?"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.router.detector.spans import fold_evenly

_VERB = (
    r"(?:wy|na|od|do|za)?(?:rysuj|rysowac|rysowal|malu[jl]|malowac|szkicuj|szkicowac)\w*|"
    r"(?:wy|z|prze)?generuj\w*|(?:wy|z)generowac|stworz\w*|utworz\w*|zrob\w{0,4}|przygotuj\w*|"
    r"zilustruj\w*|z?wizualizuj\w*|zobraz(?:uj|owac)\w*|przedstaw|zaprojekt(?:uj|owac)\w*|"
    r"wyczaruj\w*|machn\w+|pierdykn\w+|strzel|ciachn\w+|skrob\w*|nabazgr\w+|poka(?:z|zac)?|"
    r"daj|wymysl|skompon\w+|wyprodukuj|uwiecznij|udowodnij obrazkiem"
)
_WISH = (
    r"poprosze(?: o)?|prosze o|prosilbym o|prosilabym o|chc(?:e|emy)(?: zobaczyc| dostac| miec|"
    r" prosic o)?|chcial(?:bym|abym)(?: zobaczyc| dostac| miec| prosic o| poprosic o)?|"
    r"(?:czy )?mog[el]?(?:bym|labym)? prosic o|wole|prosic o|potrzebuj\w+|potrzebn[yae](?: mi)?"
    r"(?: jest)?|przydal(?:by|aby|oby)(?: mi)? sie|marzy mi sie|zwracam sie z (?:\w+ )?prosba o|"
    r"(?:uprzejmie )?prosimy o|ma powstac|niech powstanie|co powiesz na|zobaczyc|dostac|"
    r"(?:ciekawe |a )?jak ?by (?:mogl\w* )?wygladal\w*(?: by)?|jak (?:moze|moglby) wygladac|"
    r"jak wygladal(?:by|aby|oby)"
)
_GERUND = (
    r"(?:narysowani|namalowani|wygenerowani|stworzeni|przygotowani|zaprojektowani|sporzadzeni|"
    r"wykonani|naszkicowani|utworzeni|zilustrowani)[ea]"
)
_PLEASE = (
    r"(?:mi|nam|dla mnie|prosze|prosem|piyknie|teraz|szybko|szybciutko|moze|sobie|no|eee+|yyy+|"
    r"jakis|jakas|jakies|jakiegos|jakos|taki|taka|takie|takiego|takiej|jeden|jedna|jedno|jednego|"
    r"od ciebie|graficznie|na obrazku|na rysunku|wiesz|tak|o|od razu|prosze cie|weź|wez|weznij|tu)"
)
_POLITE = (
    r"(?:hej(?:ka)?|ej|siema|czesc|witam|dzien dobry|okej|ok|dobra|no|to|teraz|a|wez|weź|prosze|"
    r"czy|moglbys|moglabys|mozesz|potrafisz|umiesz|jeszcze|sluchaj|dawaj|bardzo|tak|tylko|mi)"
)
ASKED = re.compile(
    rf"(?<!\w)(?<!nie )(?:(?:{_POLITE})[\s,!.]+){{0,6}}(?:(?:{_VERB})|(?:{_WISH}))(?!\w)"
    rf"(?:\s*[,–-]?\s*(?:{_GERUND}|{_PLEASE})(?!\w),?){{0,6}}"
    rf"(?:\s+(?:{_VERB}|{_GERUND}|jak ?(?:by )?wygladal\w*)(?!\w)(?:\s+{_PLEASE}(?!\w)){{0,3}})?"
)
POINTING = re.compile(
    r"^\s*(?:(?:mi|nam|go|ja|je|to|ich|tego|tym|cos takiego|tak(?:i|a|ie|iego)|ten|ta|z tego|"
    r"o tym|wlasnie|tylko|oczywiscie|najpierw|sama?)\s*)+"
    r"(?:(?:obraz\w*|rysun\w+|ilustracj\w+|grafik\w+|widok\w*|scen\w+|fotk\w+|motyw)(?!\s+(?:na|dla|do|w)\b))?"
    r"(?=\s*(?:$|[.,!?–-]|na |w |dla |do |jako|jak ))|^\s*(?:to|je|go)(?= \w)"
)
_EMPTY = re.compile(
    r"^[\s,.!?–-]*(?:(?:tylko|sam|to|ten|taki|jeden|jednego|jedna|now\w+|ladn\w+|fajn\w+|"
    r"szybki\w*|szybciutki\w*)\s*)*"
    r"(?:obraz\w{0,5}|rysun\w+|ilustracj\w+|grafik\w+|fotk\w+|zdjec\w+|"
    r"(?:cos|czegos)(?: \w+ego)?|cokolwiek)?"
    r"(?:\s+(?:ladn\w+|fajn\w+|do salonu|do pokoju|na sciane|dla (?:moj\w+ )?\w+|"
    r"mi|zaraz))*[\s,.!?–-]*$"
)
_MEDIUM = re.compile(
    r"^[\s,]*(?:taka? |takie )?(?:grafik|obraz|rysun|ilustracj|plakat|naklejk|tapet)\w* "
    r"(?:na|do|dla) \w+(?: \w+)?[\s.!?]*$"
)
_MEANT_VERBS = (
    "narysuj", "namaluj", "wygeneruj", "zaprojektuj", "naszkicuj", "stworz", "zilustruj",
    "przygotuj",
    "zrob", "obrazek", "obraz", "rysunek", "graffiti", "zdjecie", "ilustracja",
)  # fmt: skip
_MENDED = {
    "obrazek": "obrazek", "obraz": "obraz", "rysunek": "rysunek", "graffiti": "graffiti",
    "zdjecie": "zdjęcie", "ilustracja": "ilustracja",
}  # fmt: skip
_LIKENESS = 0.8
_EDGES = " ,.–-:!?"


def mend_verbs(text: str) -> str:
    """Mend the words of asking among the first ones: "nasryuj" → "narysuj"."""
    head, tail = text[:60], text[60:]
    return re.sub(r"[^\W\d_]{5,12}", lambda found: _mended(found[0]), head) + tail


@lru_cache(maxsize=4_096)
def _mended(word: str) -> str:
    folded = fold(word)
    if folded in _MEANT_VERBS or morphology().is_known(word):
        return word
    nearest = get_close_matches(folded, _MEANT_VERBS, n=1, cutoff=_LIKENESS)
    return _MENDED.get(nearest[0], nearest[0]) if nearest else word


@dataclass(frozen=True, kw_only=True, slots=True)
class Remainder:
    """What is left of a sentence without the asking in it.

    ``governor``: a preposition with the case that it stands in as what was asked for ("narysuj
    psa": "przez", "o narysowanie psa": "do"). ``is_pointing``: the sentence asks for what was
    said before it ("namaluj mi ten widok").
    """

    text: str
    is_asking: bool = False
    governor: str = ""
    is_pointing: bool = False


def without_asking(sentence: str) -> Remainder:
    """Take the asking off a sentence."""
    found = _strongest(sentence)
    if found is None:
        return Remainder(text=sentence)
    before, after = sentence[: found.start()].strip(_EDGES), sentence[found.end() :]
    folded = fold_evenly(after)
    if pointing := POINTING.match(folded):
        rest = after[pointing.end() :].strip(_EDGES)
        return Remainder(text=_joined(before, rest), is_asking=True, is_pointing=not before)
    if not any(letter.isalnum() for letter in after):
        return Remainder(text=before, is_asking=True, is_pointing=not before)
    if before and _MEDIUM.match(folded):
        return Remainder(text=f"{before}, {after.strip(_EDGES)}", is_asking=True)
    if _EMPTY.match(folded):
        return Remainder(text=before, is_asking=True, is_pointing=True)
    is_genitive = re.search(rf"{_GERUND}|potrzebuj\w+$", fold_evenly(found[0]).rstrip())
    governor = "do" if is_genitive else "przez"
    return Remainder(text=after.lstrip(" ,:–-"), is_asking=True, governor=governor)


def is_empty(text: str) -> bool:
    """Whether nothing is named that could be drawn."""
    return _EMPTY.match(fold_evenly(text)) is not None


def _strongest(sentence: str) -> re.Match[str] | None:
    """The request that has the most behind it: the last of those that begin the description."""
    found: Sequence[re.Match[str]] = list(ASKED.finditer(fold_evenly(sentence)))
    with_object = [one for one in found if len(sentence[one.end() :].strip(" ,.!?–-")) > 0]
    if not found:
        return None
    return with_object[0] if with_object else found[-1]


def _joined(before: str, after: str) -> str:
    if not before or not after:
        return before or after
    gap = " " if re.match(r"(?:w|we|na|z|ze|do|dla|jako) ", fold_evenly(after)) else ", "
    return f"{before}{gap}{after}"
