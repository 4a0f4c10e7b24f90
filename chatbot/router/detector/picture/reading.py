"""Read the description of a picture out of a prompt, sentence by sentence."""

import re

from chatbot.router.detector.framing import strip_closing, strip_opening
from chatbot.router.detector.picture.asking import is_empty, mend_verbs, without_asking
from chatbot.router.detector.picture.correcting import corrected
from chatbot.router.detector.picture.emptiness import shows_nothing
from chatbot.router.detector.picture.naming import name, restore_letters, spell_out
from chatbot.router.detector.spans import compose, fold_evenly

LONGEST = 2_000
_OTHER = re.compile(
    r"(?:(?:wy)?generuj|stworz|utworz|zrob|przygotuj)\w* (?:mi |nam |prosze |nowe |nowa |nowy )*"
    r"(?:hasl[oa]|list[eay]|plan|harmonogram|tekst|kod(?! qr)|skrypt|program|funkcj[ea]|"
    r"e?-?maila?|raport|cv|prezentacj[ea]|quiz|test|pytani[ea]|zdani[ea]|nazw[ey]|kaw[ey]|"
    r"herbat[ey]|obiad|sniadanie|kolacj[ea]|kanapk[aei]|ciasto|zakupy|liczb[aey]|uuid|json\w*|"
    r"csv|xml)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ„(\d])|(?<=\?)\s+(?=\w)")
_ASIDE = re.compile(
    r"\b(?:gotowy|dzien dobry|potrzebuj|napisze|wiem|dziekuj|dzieki|pozdraw|organizujemy|"
    r"przyszlo|system|instrukc|zignoruj|pomin|ignore|hasla|szukam|jestem|umiesz|mozesz|czy|"
    r"z gory|pilne|nie musi|to wszystko|dzieci by|zwracam sie|odbedzie)\b"
    r"|\b\w+(?:lismy|libysmy|lysmy)\b"
)
_INJECTED = re.compile(
    r"\b(?:system ?:|zignoruj|ignore|pomin|hasla admin|przyslal\w* (?:sms|mail))"
)
_HEADING = re.compile(r"^(?:temat|tytul|haslo|tekst|opis|wizja|scena|motyw)\b")
_BECAUSE = re.compile(
    r",?\s+(?:bo|poniewaz|gdyz|albowiem) (?:na tym|tak\w*|to|potrzeb\w*|chce|mam|musze|nie|jutro|"
    r"robie|mi|na|w|bede|ten|ta)\b.*$|,?\s+ale najpierw (?:ja|go|je|to) .*$"
    r"|,?\s+ale jeszcze nie \w+ jak\w+.*$|\s+[–-]\s+(?:ale )?najpierw .*$|,?\s+tej[.!]?$"
)
_FRAMED = re.compile(
    r"^(?:wyobraz sobie|widze to tak|pomysl jest taki|mam (?:taki )?pomysl|moj pomysl)\s*[:,–-]?\s*"
)
_POINTER = re.compile(r",? i (?:go|ja|je|to)$")
_AFTERTHOUGHT = re.compile(
    r"[\s,–-]+(?:no |i )?(?:narysuj|namaluj|wygeneruj|zrob|narysujesz|namalujesz|zrobisz)[\s?!.]*$"
)
_CARRY = re.compile(
    r"^(?:wrzuc|wydrukuj|wyslij|wstaw|opublikuj|zapisz|powies|ustaw)\w* (?:\w+ ){0,5}?"
    r"(?=(?:grafik|obraz|rysun|ilustracj|zdjeci|plakat|kolorowank|naklejk|tapet|logo)\w*)"
)
_MEANT = re.compile(
    r"(?<=\s)(?:tyle ze |tylko )?(?:ma|maja|niech|zeby|aby|i zeby|i aby) (?:byc|bylo|byl|byla|"
    r"byly|bedzie|wygladac|wygladal\w*)\s+|(?<!\w)(?:eee+|yyy+|tego no|"
    r"no wiesz|wiesz|znaczy|czyli no|generalnie|"
    r"nie wiem|(?<=, )raczej|cos(?= ze? ))\s+|(?<!\w)(?:jakis|jakas|"
    r"jakies|jakiegos|taki|taka|takiego|takiej|"
    r"takie)\s+(?=\w)|(?<=\s)tylko (?:taki|taka)\w*\s+"
)
_TAKEN = re.compile(
    r"(?<!\w)(?:moj(?:a|e|ego|ej|emu|im|ich)?|swoj\w*|nasz(?:a|e|ego|ej)?)\s+(?=\w{3,})"
)
_NOTHING = frozenset({"", "cos", "cokolwiek", "cos dla mnie", "co chcesz", "prosze", "obraz"})


def read_description(prompt: str) -> str | None:
    """Return the description of the picture ("pies i kot"); ``None`` where it was not given.

    Every word that belongs to the picture is kept; asking, politeness and asides are not, and
    what was taken back within the prompt is replaced.
    """
    text = mend_verbs(corrected(strip_closing(spell_out(compose(prompt[:LONGEST])))))
    described, governor = _described(text)
    tidy = _tidy(described)
    if not tidy or is_empty(tidy) or shows_nothing(tidy):
        return None
    found = name(tidy, governor=governor)
    if found is None or fold_evenly(found).strip() in _NOTHING or is_empty(found):
        return None
    return restore_letters(found)


def asks_for_other(prompt: str) -> bool:
    """Whether what shall be made is plainly no picture: "wygeneruj hasło", "zrób mi kawę"."""
    return _OTHER.match(fold_evenly(strip_opening(prompt.lstrip()))) is not None


def _described(text: str) -> tuple[str, str]:
    """Join what is left of the sentences that describe the picture.

    Also returns what governs the case of its beginning, if it is the object of a request.
    """
    kept: list[str] = []
    governor, has_asked, has_object = "", False, False
    for sentence in _SENTENCE.split(text):
        rest = without_asking(_uncarried(sentence))
        if rest.is_pointing and kept:
            has_asked = True
            continue
        if rest.governor and not has_object:
            has_object = True
            kept = [one for one in kept if _HEADING.match(fold_evenly(one))]
            governor = "" if kept else rest.governor
        has_asked = has_asked or rest.is_asking
        folded = fold_evenly(sentence)
        is_aside = _INJECTED.search(folded) or (not rest.is_asking and _ASIDE.search(folded))
        bare = rest.text.strip(" ,–-.!?")
        if bare and not is_empty(bare) and not (is_aside and (kept or not rest.is_asking)):
            kept.append(bare)
    return ", ".join(kept), governor


def _uncarried(sentence: str) -> str:
    """Drop what else is to be done with the picture: "wydrukuj na drukarce kolorowankę".

    Also what only leads to it: "wyobraź sobie …".
    """
    if framed := _FRAMED.match(fold_evenly(sentence)):
        sentence = sentence[framed.end() :]
    carried = _CARRY.match(fold_evenly(sentence))
    return f"narysuj {sentence[carried.end() :]}" if carried else sentence


def _tidy(text: str) -> str:
    """Take off reasons, hesitation and what only points."""
    for pattern in (_BECAUSE, _AFTERTHOUGHT, _POINTER):
        if found := pattern.search(fold_evenly(text)):
            text = text[: found.start()]
    for pattern in (_MEANT, _TAKEN):
        while found := pattern.search(fold_evenly(text)):
            text = text[: found.start()] + text[found.end() :]
    return " ".join(text.split())
