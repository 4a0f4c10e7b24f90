"""Read the description of a picture out of a prompt, sentence by sentence."""

from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_closing
from chatbot.router.detector.picture.asides import (
    begins_with_quality,
    is_aside,
    without_asides,
    without_lead,
)
from chatbot.router.detector.picture.asking import without_asking
from chatbot.router.detector.picture.correcting import corrected
from chatbot.router.detector.picture.emptiness import shows_nothing
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.picture.naming import name, spell_out
from chatbot.router.detector.picture.references import is_empty
from chatbot.router.detector.picture.requests import QUOTED
from chatbot.router.detector.picture.slips import mend_verbs
from chatbot.router.detector.picture.spelling import mend_words
from chatbot.router.detector.spans import compose, fold_evenly

LONGEST = 2_000
_SENTENCE = regex(r"(?<=[.!?])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ„(\d])|(?<=\?)\s+(?=\w)")
_ASKED_AFTER = regex(
    rf"(?P<thing>{MEDIUM} [^,.;:!?–-]{{2,60}}?),? (?:po)?pros(?:ze|imy)(?=,? ?[–:,-] )"
)
_INJECTED = regex(r"\b(?:system ?:|zignoruj|ignore|pomin|hasla admin|przyslal\w* (?:sms|mail))")
_HEADING = regex(r"^(?:temat|tytul|haslo|tekst|opis|wizja|scena|motyw)\b")
_BECAUSE = regex(
    r",?\s+(?:bo|poniewaz|gdyz|albowiem) (?:na tym|tak\w*|to|potrzeb\w*|chce|mam|musze|nie|jutro|"
    r"robie|mi|na|w|bede|ten|ta)\b.*$|,?\s+ale najpierw (?:ja|go|je|to) .*$"
    r"|,?\s+ale jeszcze nie \w+ jak\w+.*$|\s+[–-]\s+(?:ale )?najpierw .*$|,?\s+tej[.!]?$"
)
_FRAMED = regex(
    r"^(?:wyobraz sobie|widze to tak|pomysl jest taki|mam (?:taki )?pomysl|moj pomysl)\s*[:,–-]?\s*"
)
_GOES_ON = regex(r"(?:w|we|na|z|ze|do|dla|wedlug|zanim|po|przed|przy|i|a)\b")
_TOLD = regex(r"[:„\"]")
_BECAUSE_OF = regex(r"(?:bo|poniewaz|gdyz)\b")
_LET = regex(
    r"^(?:[Aa] |[Ii] |[Nn]o )*(?:(?:[Dd]odaj|[Dd]orzuć|[Dd]orzuc|[Dd]orysuj|[Dd]ołóż|[Uu]mieść)"
    r"(?: (?:mu|jej|im|mi|jeszcze|też|tam|proszę|do tego)(?!\w))*"
    r"|[Nn]iech (?:tam |to )?(?:będzie|będą|znajdzie się|znajdą się)(?: (?:na nim|na niej|tam))?"
    r"|(?:[Nn]a (?:nim|niej|obrazku|rysunku|grafice|ilustracji) )?"
    r"(?:(?:[Mm]a|[Mm]ają|[Mm]usi|[Mm]uszą|[Pp]owin\w+) (?:to |tam |na nim |na niej )?"
    r"(?:być|się znaleźć|znaleźć się)|[Nn]iech (?:będzie|będą))(?: widać)?)\s+(?=\w)"
)
_POINTER = regex(r",? i (?:go|ja|je|to)$")
_AFTERTHOUGHT = regex(
    r"[\s,–-]+(?:no |i )?(?:narysuj|namaluj|wygeneruj|zrob|narysujesz|namalujesz|"
    r"zrobisz|wygenerujesz|pomozesz|da sie|da rade|dasz rade|dobrze|ok|okej|co ty na to)[\s?!.]*$"
    r"|,\s*(?:dobra|zgoda|hej)[\s?!.]*$"
)
_CARRY = regex(
    r"^(?:wrzuc|wydrukuj|wyslij|wstaw|opublikuj|zapisz|powies|ustaw)\w* (?:\w+ ){0,5}?"
    r"(?=(?:grafik|obraz|rysun|ilustracj|zdjeci|plakat|kolorowank|naklejk|tapet|logo)\w*)"
)
_MEANT = regex(
    r"(?<=\s)(?:tyle ze |tylko )?(?:ma|maja|niech|zeby|aby|i zeby|i aby) (?:byc|bylo|byl|byla|"
    r"byly|bedzie|wygladac|wygladal\w*)\s+|(?<!\w)(?:eee+|yyy+|tego no|"
    r"no wiesz|wiesz|znaczy|czyli no|generalnie|"
    r"nie wiem|(?<=, )raczej|cos(?= ze? ))\s+|(?<!\w)(?:jakis|jakas|"
    r"jakies|jakiegos|taki|taka|takiego|takiej|"
    r"takie)\s+(?=\w)|(?<=\s)tylko (?:taki|taka)\w*\s+"
)
_TAKEN = regex(r"(?<!\w)(?:moj(?:a|e|ego|ej|emu|im|ich)?|swoj\w*|nasz(?:a|e|ego|ej)?)\s+(?=\w{3,})")
_NOTHING = frozenset({"", "cos", "cokolwiek", "cos dla mnie", "co chcesz", "prosze", "obraz"})


def _asked_first(text: str) -> str:
    """Say before a medium that it is asked for: "logo pralni poproszę – bańki" is one picture."""
    found = _ASKED_AFTER.match(fold_evenly(text))
    return text if found is None else f"poproszę {text[: found.end('thing')]}{text[found.end() :]}"


def read_description(prompt: str) -> str | None:
    """Return the description of the picture ("pies i kot"); ``None`` where it was not given.

    Every word that belongs to the picture is kept; asking, politeness and asides are not, and
    what was taken back within the prompt is replaced.
    """
    text = spell_out(_asked_first(compose(prompt[:LONGEST])))
    text = mend_verbs(corrected(strip_closing(text)))
    described, governor = _described(text)
    tidy = _tidy(described)
    if not tidy or is_empty(tidy) or shows_nothing(tidy):
        return None
    found = name(tidy, governor=governor)
    if found is None or fold_evenly(found).strip() in _NOTHING or is_empty(found):
        return None
    return mend_words(found)


def _described(text: str) -> tuple[str, str]:
    """Join what is left of the sentences that describe the picture.

    Also returns what governs the case of its beginning, if it is the object of a request.
    """
    kept: list[str] = []
    asides: list[str] = []
    manners: list[str] = []
    governor, has_object, is_pointing, is_referring = "", False, False, False
    for sentence in map(_led_in, _SENTENCE.split(text)):
        if kept and _BECAUSE_OF.match(fold_evenly(sentence)):
            continue
        rest = without_asking(sentence)
        if rest.is_pointing:
            is_pointing = True
            is_referring = is_referring or rest.is_referring
            manners.append(rest.text)
            continue
        if rest.governor and not has_object:
            has_object = True
            kept = [one for one in kept if _stays(one, rest.text)]
            governor = "" if kept else rest.governor
        bare = without_asides(rest.text.strip(" ,–-.!?"))
        if _INJECTED.search(fold_evenly(QUOTED.sub(" ", sentence))):
            continue
        if not rest.is_asking and is_aside(sentence):
            asides.append(bare)
        elif bare and not is_empty(bare):
            let = _LET.sub("", bare)
            kept.append(_in_line(let) if kept else let)
    if kept and not has_object and begins_with_quality(kept[0]):
        kept = [*asides, *kept]
    kept = kept or _told(asides, is_pointing=is_pointing, is_referring=is_referring)
    return ", ".join(filter(None, (*kept, *manners))), governor


def _stays(before: str, named: str) -> bool:
    """Whether what was said before belongs to what a request names: a heading, or it goes on."""
    return (_GOES_ON.match(fold_evenly(named)) or _HEADING.match(fold_evenly(before))) is not None


def _told(asides: Sequence[str], *, is_pointing: bool, is_referring: bool) -> list[str]:
    """What the user says of himself may be what is meant, where nothing else is told."""
    if not is_pointing:
        return list(asides)
    return [one for one in asides if is_referring or _TOLD.search(one)][-1:]


def _led_in(sentence: str) -> str:
    return without_lead(_uncarried(sentence))


def _in_line(sentence: str) -> str:
    """Let a later sentence go on in small letters, unless it begins with a name."""
    first = sentence.split(maxsplit=1)[0].strip(",.:;!?")
    is_name = not first[1:].islower() or not _is_common(first.lower())
    return sentence if is_name else f"{sentence[:1].lower()}{sentence[1:]}"


def _is_common(word: str) -> bool:
    readings = morphology().readings(word)
    return any(one.lemma[:1].islower() for one in readings)


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
