"""Changes the description of a picture as a prompt wishes: adds, removes, replaces, restyles."""

import re
from collections.abc import Iterator

from chatbot.language.locatives import inflect_locative
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_closing
from chatbot.router.detector.picture.spelling import mend_words
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.colours import recoloured
from chatbot.router.dialogue.counting import recast, recounted
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.wishes import plain_wish

LONGEST = 600
_CLAUSE = regex(
    r"(?<=[.!?;…])\s+|,\s+(?=(?:a|zostaw|ale|i|tylko|lecz|zeby|niech|bo|oraz|za to|reszt[aey]|"
    r"to (?:prosze|daj|niech|zrob))\b)(?!a nie )|"
    r"(?<!,)\s+(?=(?:i|a|oraz) (?:daj|dodaj|dorysuj|domaluj|dorzuc|doloz|zrob|zmien|zamien|usun|"
    r"wywal|wyrzuc|zeby|niech|jeszcze|bez)\b)"
)
_ASIDE = regex(
    r"^(?:\W*(?:bo|poniewaz|skoro|reszt[aey]|ojej|kurcze|wow)\b)|\bzostaw\b|\bbez zmian\b|"
    r"\bmoga? zostac\b|\bpodoba\w*\b|\bnie bardzo\b|\bzapomnial\w*\b|\bmam pytanie\b|"
    r"\bnie taki\w*\b(?!,)|^\W*za \w+n[ieay]\w*\W*$|"
    r"\b(?:dzieci|szef\w*|klient\w*|corka|syn|zona|maz|mama|tata|babcia) "
    r"(?:sie|ma|chce|mowi|woli|uwaza)\b|\bza duzo\b|\bmowil(?:em|am)\b(?=\W*$)|"
    r"^\W*jak\w+ \w+\?|\bwiesz ty co\b(?=\W*$)"
)
_ASKING = (
    "a", "i", "no", "to", "ok", "okej", "dobra", "super", "spoko", "fajnie", "swietnie", "teraz",
    "dobrze(?=[,.!]|$)", "prosze", "poprosze", "tylko", "ale", "oraz", "moze", "jeszcze", "co",
    "jeszcze jed(?:en|na|no)", "jednak", "wiec", "tak", "nie", "aha", "hm+", "yy+", "wiesz", "ty",
    "wez", "czyli", "raczej", "w takim razie", "poprawka", "wlasnie", "dokladnie", "ja", "chce",
    r"chodzi\w* (?:mi )?o", r"nie taki\w*(?=,)", "z tego", r"mial\w*(?: mi)? byc", r"maj?a? byc",
    r"(?:wolal|chcial|prosil|mowil)\w*", "mozesz", "mozna", "da sie", r"narysuj\w*", "namaluj",
    r"wygeneruj\w*", "naszkicuj", "pokaz", r"zrob\w*", "stworz", r"dodaj\w*", "dodac", "dorysuj",
    "dorysowac", "domaluj", "zilustruj", "domalowac", "dorzuc", "doloz", "daj", "dac", "wstaw",
    "umiesc", "przerob", "przerobic", "zmien", "zamien", "niech", "zeby", "aby", "byl[aoy]?",
    "bedzie", "beda", "kaze", "mi", "mu", "jej", "im", "go", "je", "ten", "ta", "te", "tego",
    "tej", "tym", "tych", "ci", r"moj\w*", r"nasz\w*", "na nim", "na niej", "w nim",
    "kontynuuj serie", "t(?:en|a|o) sam[ao]?", "te same", "jeszcze raz", "od nowa", "wersj[ae]",
    "w wersji", "sobie", "wszystko", "calosc", "cos", r"obraz\w*", r"ilustracj\w+", "dorob",
    r"rysun\w+(?! \w+(?:em|ami)\b)", "odwroc role", "bardzo", "urocz[ae]", "zapodaj", "dodej",
    r"(?:przerob\w*|zmien|zamien)(?: (?:to|go|ja|je))? na", "wrzuc", "dopisz", "wplec", "gdyby",
    "bym prosil", "rysuj", r"(?:wroc\w*|wracaj\w*) do",
    r"(?:na|w) t(?:ym|ej|amt\w+)(?= (?:obraz|rysun|grafi|ilustr|plaka))",
    r"do(?= (?:t\w+ )?(?:obraz|rysun|grafi|ilustr|plaka)\w*)",
)  # fmt: skip
_LEAD = regex(rf"^(?:(?:{'|'.join(sorted(_ASKING, key=len, reverse=True))})(?:[\s,.:!?–-]+|$))+")
_INNER = regex(r"(?<=\w) (?:to )?(?:daj|zrob|niech bedzie|niech beda|narysuj)(?= )")
_COUNTED = regex(r"^(\w+) (?:bylo|bedzie|byly|ma byc|jest) (\w+)$")
_TAIL = regex(
    r"(?:[\s,]+(?:a nie na odwrot|w tej samej \w+|w tym samym stylu|prosze to \w+|tak\w*|"
    r"prosze|poprosze|plis|please|jeszcze raz|popraw|pokaz|lepiej|"
    r"doloz|dodaj|dorzuc|narysuj|tez|dla mnie|dobrze|"
    r"moze|w takim razie|ok|mozna|da sie|byloby super|"
    r"by sie dalo|daloby sie|dalo by sie|mozliwe|sie da))+\W*$"
)
_SWAPS = (
    regex(
        r"\b(?:zamien|zmien|podmien)\w* (?:(?:mi|te|ten|ta|to|tego) )*"
        r"(?P<old>[\w -]+?) na (?P<new>.+)$"
    ),
    regex(
        r"\bzamiast (?:t\w+ )?(?P<old>\w+)[ ,]+"
        r"(?:(?:niech|to|daj|zrob|narysuj|wstaw|bedzie|beda|poprosze) )*"
        r"(?P<new>.+)$"
    ),
    regex(r"(?P<new>[^,.;]+?),? zamiast (?:t\w+ )?(?P<old>\w+)"),
    regex(r"\bnie (?P<old>[\w ]+?),? (?:tylko|lecz|ale|a) (?P<new>.+)$"),
    regex(r"(?:^|, |: )(?P<new>[^,.;:]+?),? (?:a )?nie (?P<old>[\w ]+?)(?=$|[,.;!?])"),
    regex(r"^\W*(?:(?:ale|no|oj|ej) )?nie (?P<old>\w+)(?:,| –) (?P<new>[^,.;]+)$"),
)
_GONE = regex(
    r"\b(?:bez|wywal\w*|usun\w*|wyrzuc\w*|skasuj|wytnij|zdejmij|wymaz|pozbadz sie|nie chce|zabierz|"
    r"wyrzucic)(?: (?:mu|jej|im|z niego|z niej|stamtad|te|ten|ta|to|tego|tej|tych|"
    r"wszystki\w+|zadn\w+))* "
    r"(?P<gone>[\w-]+(?: i [\w-]+)?)"
)
_VANISHES = regex(
    r"(?:t\w+ )?(?P<gone>\w+),? (?:niech |ma(?:ja)? )?(?:znik\w+|wyleci|odpadaj?a?|sa zbedn\w+|"
    r"jest zbedn\w+|do usuniecia)\b"
)
_SINCE = regex(r"skoro (?:juz )?o \w+ mowa,? ")
_TIMES = (
    r"noca|w nocy|nad ranem|rankiem|rano|o swicie|swit|o zachodzie(?: slonca)?|o zmierzchu|"
    r"zmierzch|wieczorem|w poludnie|w samo poludnie|w dzien|noc"
)
_SEASONS = r"zima|latem|wiosna|jesienia|jesien|lato|w lipcu|zimowy|letni"
_STYLES = (
    r"akwarel[aię]|olejn[ya]\w*|olowkiem|olowek|szkic\w*|pastel[ea]|w stylu [\w ]{3,30}|"
    r"styl \w+|czarno-bial\w+|fotorealistyczn\w+|pikselow\w+|komiks\w*"
)
_KINDS = tuple(regex(rf",?\s*\b(?:{kind})\b") for kind in (_TIMES, _SEASONS, _STYLES))
_JOINS = regex(r"(?:w|we|na|nad|pod|przy|z|ze|o|noca|zima|latem|wiosna|jesienia)\b")
_FIRST = regex(r" (?:i|oraz) ")
_VERSION = regex(r"(?i)\bw wersji ([^\W\d]+?)i?ej\b")
_LEFT = regex(r"(?:i |a )?zostaw (?:(?:tylko|sam\w*) )+[^\W\d]+ (?=(?:na|w|we|pod|przy|nad|z) )")
_DENYING = regex(r"\bnie \w+(?: \w+)?$")
_INSTEAD = regex(r"(?:tylko|lecz|ale|a) ")
_IN_PLACE = regex(r"(?:^|\s)[Ww]e? $")
_UNSURE, _FEW = 3, 3  # of the ways to swap, those in which "nie" may deny a verb; words
_ASPECTS = frozenset({"tlo", "kolor", "styl", "kolorystyka", "pora", "nastroj", "oswietlenie"})
_ENDS = regex(
    r"(?: (?=z|ze|w|we|na|nad|pod|przy|przed|i|oraz|za|obok|bez|który|która|które)\b)|,|:|;"
)


def edit(picture: str, prompt: str) -> str:
    """Return the description with the changes that a prompt asks for, clause by clause.

    What nothing in it explains is added at the end: rather a word too many than one lost.
    """
    added: list[str] = []
    for clause in clauses_of(plain_wish(prompt)):
        picture, addition = _change(picture, clause)
        if addition and not _is_said(picture, addition):
            added.append(addition)
    return mend_words(join_up(picture, added), typed=prompt)


def _change(picture: str, clause: str) -> tuple[str, str]:
    """Return the picture with one change, and what is to be added to it."""
    for change in (recounted, recast, recoloured, _swapped, _removed):
        if (changed := change(picture, clause)) is not None:
            return changed
    addition = bare(clause)
    return _restated(_without_kinds(picture, addition), addition)


def clauses_of(prompt: str) -> Iterator[str]:
    """Give the clauses that describe the picture; remarks and reasons are left out."""
    text = strip_closing(prompt)
    if since := _SINCE.match(fold_evenly(text)):
        text = text[since.end() :]
    for told in _split(text):
        left = _LEFT.match(fold_evenly(told))
        clause = told[left.end() :] if left else told
        if not _ASIDE.search(fold_evenly(clause)):
            yield clause.strip(" ,.!?;…")


def _split(text: str) -> Iterator[str]:
    """Split a prompt into clauses; "nie tulipany, tylko róże" is one."""
    start = 0
    folded = fold_evenly(text)
    for found in _CLAUSE.finditer(folded):
        is_one = _DENYING.search(folded[start : found.start()]) and _INSTEAD.match(
            folded, found.end()
        )
        if text[start : found.start()].strip(" ,.!?;…") and not is_one:
            yield text[start : found.start()].strip()
            start = found.end()
    if text[start:].strip(" ,.!?;…"):
        yield text[start:].strip()


def bare(clause: str) -> str:
    """Return a clause without the words of asking, as it was said."""
    clause = _VERSION.sub(r"wersja \1a", clause.strip(" ,.!?;:–-"))
    led = _LEAD.match(fold_evenly(clause))
    rest = clause[led.end() :] if led else clause
    tail = _TAIL.search(fold_evenly(rest))
    rest = (rest[: tail.start()] if tail else rest).strip(" ,.!?;:–-")
    while inner := _INNER.search(fold_evenly(rest)):
        rest = rest[: inner.start()] + rest[inner.end() :]
    if counted := _COUNTED.match(fold_evenly(rest)):
        rest = f"{rest[counted.start(2) :]} {rest[: counted.end(1)]}"
    is_told = any(kind.match(fold_evenly(rest)) for kind in _KINDS)
    return _nominative(rest) if led and _is_object(rest) and not is_told else _lowered(rest)


def _lowered(phrase: str) -> str:
    """A phrase without the capital that only opened its sentence."""
    first = phrase.partition(" ")[0]
    readings = morphology().readings(first.lower())
    is_common = any(one.lemma.islower() for one in readings)
    return (
        phrase[:1].lower() + phrase[1:]
        if is_common and (len(first) == 1 or not first.isupper())
        else phrase
    )


def join_up(picture: str, added: list[str]) -> str:
    """Join additions to a picture, without a comma before a preposition."""
    for addition in added:
        is_joined = "," not in picture and _JOINS.match(fold_evenly(addition))
        picture = f"{picture}{' ' if is_joined else ', '}{addition}" if picture else addition
    return picture[:LONGEST]


def _swapped(picture: str, clause: str) -> tuple[str, str] | None:
    """Put one thing in the place of another; what stands around them is added."""
    folded = fold_evenly(clause)
    for number, pattern in enumerate(_SWAPS):
        if (told := pattern.search(folded)) is None:
            continue
        old, new = (clause[slice(*told.span(one))] for one in ("old", "new"))
        before, new = _after_same(old, new)
        rest = bare(f"{clause[: told.start()]} {before} {clause[told.end() :]}")
        place = _place_of(picture, old)
        if not new or (place is None and number >= _UNSURE):
            continue
        if place is None:
            return picture, ", ".join(one for one in (_told(old, new), rest) if one)
        start, end = place
        return f"{picture[:start]}{_as_before(picture, place, new)}{picture[end:]}", rest
    return None


def _after_same(old: str, new: str) -> tuple[str, str]:
    """Split off what stands before the new thing: "siedzi na kozie" for "na koniu"."""
    first = fold_evenly(old).partition(" ")[0]
    at = fold_evenly(f" {new}").rfind(f" {first} ") if " " in old else -1
    if at > 0:
        return "", new[at:]
    head, joint, tail = new.rpartition(" i ")
    return (head, bare(tail)) if joint and len(head.split()) > 1 else ("", bare(new))


def _told(old: str, new: str) -> str:
    """What is put in place of something that the description does not name: "tło: las"."""
    lemmas = (one.lemma for one in morphology().readings(old))
    aspect = next((one for one in lemmas if fold_evenly(one) in _ASPECTS), None)
    return f"{aspect}: {_nominative(new)}" if aspect else new


def _removed(picture: str, clause: str) -> tuple[str, str] | None:
    folded = fold_evenly(clause)
    told = _GONE.search(folded) or _VANISHES.search(folded)
    if told is None:
        return None
    gone = clause[slice(*told.span("gone"))]
    rest = bare(f"{clause[: told.start()]} {clause[told.end() :]}")
    addition = f"bez {_genitive(gone)}"
    picture = _without(picture, gone)
    return picture, ", ".join(one for one in (addition, rest) if one)


def _without(picture: str, thing: str) -> str:
    """Leave out the part of a list that a thing heads, or "z X" and "i X" about it."""
    parts = picture.split(", ")
    kept = [
        part for part in parts if not (words := split_words(part)) or not _same(words[0], thing)
    ]
    if kept and len(kept) < len(parts):
        return ", ".join(kept)
    place = _place_of(picture, thing)
    if place is None:
        return picture
    start = _with_adjectives(picture, place)[0]
    first = _FIRST.match(picture[place[1] :])
    if first is not None and (not start or picture[:start].endswith((", ", ": "))):
        return picture[:start] + picture[place[1] + first.end() :]
    led = re.search(r" (?:z|ze|i|oraz|w|na) $", picture[:start])
    if led is None:
        return picture
    after = _ENDS.search(picture, place[1])
    rest = picture[after.start() :] if after else ""
    is_list = led[0].strip() not in {"i", "oraz"} and rest.startswith((" i ", " oraz "))
    kept_joint = led[0].rstrip() if is_list else ""
    return picture[: led.start()] + kept_joint + (rest.replace(" i ", " ", 1) if is_list else rest)


def _restated(picture: str, addition: str) -> tuple[str, str]:
    """Put what is newly said of a thing in the place of the thing: "siedem gęsi" for "gęsi".

    Where all things of an addition are in the picture, it replaces what was said of them.
    """
    words = [word for word in split_words(addition) if word.text[0].isalnum()]
    nouns = [word for word in words if is_noun(word)]
    places = [place for word in nouns if (place := _place_of(picture, word.text)) is not None]
    if not places or len(places) < len(nouns):
        return picture, addition
    if len(nouns) == 1:
        if len(words) > _FEW or not all(word in nouns or _says_how(word) for word in words):
            return picture, addition
        start, end = _with_adjectives(picture, places[0])
    else:
        start, end = min(place[0] for place in places), max(place[1] for place in places)
        if not any(_is_verb(word) for word in words) or "," in picture[start:end]:
            return picture, addition
    return f"{picture[:start]}{addition}{picture[end:]}", ""


def _with_adjectives(picture: str, place: tuple[int, int]) -> tuple[int, int]:
    """Widen a place over the adjectives and numbers beside it."""
    words = split_words(picture)
    first = next(at for at, one in enumerate(words) if one.end > place[0])
    last = next(at for at, one in enumerate(words) if one.end >= place[1])
    while first and _says_how(words[first - 1]):
        first -= 1
    while last + 1 < len(words) and _says_how(words[last + 1]):
        last += 1
    return words[first].start, words[last].end


def is_noun(word: Span) -> bool:
    """Whether a word can be a noun; what nobody knows can."""
    readings = morphology().readings(word.text)
    return not readings or any(one.pos in {"subst", "ger"} for one in readings if one.pos != "brev")


def _says_how(word: Span) -> bool:
    readings = morphology().readings(word.text)
    return any(one.pos in {"adj", "ppas", "num"} for one in readings)


def _is_verb(word: Span) -> bool:
    return any(one.pos in {"fin", "praet"} for one in morphology().readings(word.text))


def _without_kinds(picture: str, addition: str) -> str:
    """Drop the old time of day, season or style where the addition tells a new one."""
    for kind in _KINDS:
        if not kind.search(fold_evenly(addition)):
            continue
        if (found := kind.search(fold_evenly(picture))) and found.start():
            picture = f"{picture[: found.start()]}{picture[found.end() :]}"
    return picture


def _place_of(picture: str, thing: str) -> tuple[int, int] | None:
    """Where a picture has a thing, in any form, with all words that were said of it."""
    wanted = [word for word in split_words(thing) if word.text[0].isalnum()]
    words = split_words(picture)
    for at in range(len(words) - len(wanted) + 1):
        part = words[at : at + len(wanted)]
        if wanted and all(_same(one, each.text) for one, each in zip(part, wanted, strict=True)):
            return part[0].start, part[-1].end
    single = [one for one in words if len(wanted) > 1 and _same(one, wanted[-1].text)]
    return (single[0].start, single[0].end) if single else None


def _same(word: Span, other: str) -> bool:
    return word.folded == fold_evenly(other) or bool(nouns_of(word.text) & nouns_of(other))


def _as_before(picture: str, place: tuple[int, int], new: str) -> str:
    """Bring the new thing into the case that the old one had: a place, or a nominative."""
    start, end = place
    if _IN_PLACE.search(picture[:start]) and " " not in new and new[:1].isupper():
        return inflect_locative(new)
    readings = morphology().readings(split_words(picture[start:end])[-1].text)
    cases = frozenset(case for one in readings for case in one.cases)
    if not cases or "nom" in cases:
        return _lowered(_nominative(new))
    common = (one for one in morphology().readings(new) if one.lemma.islower())
    said = frozenset(case for one in common for case in one.cases)
    return _lowered(new if " " in new or said & cases else _in_case(new, cases))


def _is_said(picture: str, addition: str) -> bool:
    """Whether a picture has every noun of an addition that is no more than nouns."""
    words = [word for word in split_words(addition) if word.text[0].isalnum()]
    return bool(words) and all(
        any(_same(one, word.text) for one in split_words(picture)) for word in words
    )


def _is_object(phrase: str) -> bool:
    """Whether a phrase begins with a noun or adjective that is no nominative."""
    words = split_words(phrase)
    readings = morphology().readings(words[0].text) if words else ()
    declined = all(one.cases and one.pos != "praet" for one in readings)
    return bool(readings) and declined and not any("nom" in one.cases for one in readings)


def _nominative(phrase: str) -> str:
    head, comma, rest = phrase.partition(",")
    found = lemmatise(head, kind="topic", preposition="przez") if head else head
    is_whole = len(found.split()) == len(head.split())
    return (found if is_whole else head) + comma + rest


def _genitive(phrase: str) -> str:
    """A single noun in the genitive; anything longer as it was said."""
    nouns = [one for one in morphology().readings(phrase) if one.pos == "subst"]
    is_object = any("acc" in one.cases and "gen" not in one.cases for one in nouns)
    if not is_object or any({"acc", "gen"} <= one.cases for one in nouns):
        return phrase
    return _in_case(phrase, frozenset({"gen"}))


def _in_case(noun: str, cases: frozenset[str]) -> str:
    """A single noun in one of these cases, in its own number; anything else as it was said."""
    nouns = [one for one in morphology().readings(noun) if one.pos == "subst"]
    for reading in nouns:
        for form in morphology().forms(reading.key):
            if cases & form.reading.cases and form.reading.numbers & reading.numbers:
                return form.text
    return noun
