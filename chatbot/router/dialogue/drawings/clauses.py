"""What a prompt says of a picture, clause by clause, without the words that ask for it."""

from collections.abc import Iterator

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.framing import strip_closing
from chatbot.router.detector.picture.requests import VERB
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.drawings.reactions import INTERJECTION, is_reaction, without_reactions

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
    r"(?:wolal|chcial|prosil|mowil)\w*", "mozesz", "mozna", r"narysuj\w*", "namaluj",
    r"da(?:lo)?(?:by)? (?:by )?sie",
    r"wygeneruj\w*", "naszkicuj", "pokaz", r"zrob\w*", "stworz", r"dodaj\w*", "dodac", "dorysuj",
    "dorysowac", "domaluj", "zilustruj", "domalowac", "dorzuc", "doloz", "daj", "dac", "wstaw",
    "umiesc", "przerob", "przerobic", "zmien", "zamien", "niech", "zeby", "aby", "byl[aoy]?",
    "bedzie", "beda", "kaze", "mi", "mu", "jej", "im", "go", "je", "ten", "ta", "te", "tego",
    "tej", "tym", "tych", "ci", r"moj\w*", r"nasz\w*", "na nim", "na niej", "w nim",
    "kontynuuj serie", "za to",
    "t(?:en|a|o) sam[ao]?", "te same", "jeszcze raz", "od nowa", "wersj[ae]",
    "w wersji", "sobie", "wszystko", "calosc", "cos", r"obraz\w*", r"ilustracj\w+", "dorob",
    r"rysun\w+(?! \w+(?:em|ami)\b)", "odwroc role", "bardzo", "urocz[ae]", "zapodaj", "dodej",
    r"(?:przerob\w*|zmien|zamien)(?: (?:to|go|ja|je))? na", "wrzuc", "dopisz", "wplec", "gdyby",
    "bym prosil", "rysuj", "czy", r"mogl\w*", r"nie o to (?:mi )?chodzi\w*",
    r"(?:zeby|aby|niech) (?:mial\w*|ma(?:ja)?|byl[aoy]?)(?= \w)", r"brakuje(?: (?:mi|tu|mu|jej))?",
    r"(?:przydal|przydadz|przyda)\w*(?: (?:mi|mu|jej|tu|sie))*", INTERJECTION,
    r"(?:zaloz|naloz|wloz|doczep|przyczep|dopnij|doloz|dorzuc|dodaj|dorysuj|domaluj)\w*", VERB,
    r"(?:wroc\w*|wracaj\w*) do",
    r"(?:na|w) t(?:ym|ej|amt\w+)(?= (?:obraz|rysun|grafi|ilustr|plaka))",
    r"do(?= (?:t\w+ )?(?:obraz|rysun|grafi|ilustr|plaka)\w*)",
)  # fmt: skip
AFTER_THEN = (
    r"(?:\w+ )?(?:narysuj|namaluj|naszkicuj|wygeneruj|zrob|stworz|daj|pokaz|wez|popros|prosze|moze|"
    r"teraz|jeszcze)"
)
"""What stands behind a "to" that only means "then": "to narysuj psa"."""

_LEAD = regex(rf"^(?:(?:{'|'.join(sorted(_ASKING, key=len, reverse=True))})(?:[\s,.:!?–-]+|$))+")
_LACKS = regex(r"\bbrakuje\b")
_INNER = regex(r"(?<=\w) (?:to )?(?:daj|zrob|niech bedzie|niech beda|narysuj)(?= )")
_COUNTED = regex(r"^(\w+) (?:bylo|bedzie|byly|ma byc|jest) (\w+)$")
_TAIL = regex(
    r"(?:[\s,]+(?:a nie na odwrot|w tej samej \w+|w tym samym stylu|prosze to \w+|tak\w*|"
    r"prosze|poprosze|plis|please|jeszcze raz|popraw|pokaz|lepiej|"
    r"doloz|dodaj|dorzuc|narysuj|tez|dla mnie|dobrze|"
    r"moze|w takim razie|ok|mozna|da sie|byloby super|"
    r"by sie dalo(?: \w+c)?|daloby sie|dalo by sie|mozliwe|sie da))+\W*$"
)
_SINCE = regex(r"skoro (?:juz )?o \w+ mowa,? ")
_TIMES = (
    r"noca|w nocy|nad ranem|rankiem|rano|o swicie|swit|o zachodzie(?: slonca)?|o zmierzchu|"
    r"zmierzch|wieczorem|w poludnie|w samo poludnie|w dzien|noc"
)
_SEASONS = r"zima|latem|wiosna|jesienia|jesien|lato|w lipcu|zimowy|letni"
_STYLES = (
    r"akwarel[aię]|olejn[ya]\w*|olej(?:em)?|olowkiem|olowek|szkic\w*|pastel[ea]|"
    r"w stylu [\w ]{3,30}|styl \w+|fotorealistyczn\w+|pikselow\w+|komiks\w*"
)
_COLOURS = r"czarno-bial\w+|w czerni i bieli|w sepii|w kolorze|w kolorach|kolorow\w+"
KINDS = tuple(regex(rf",?\s*\b(?:{kind})\b") for kind in (_TIMES, _SEASONS, _STYLES, _COLOURS))
"""What a picture has once, so that a new one takes its place: time, season, style, colours."""
_VERSION = regex(r"(?i)\bw wersji ([^\W\d]+?)i?ej\b")
_LEFT = regex(r"(?:i |a )?zostaw (?:(?:tylko|sam\w*) )+[^\W\d]+ (?=(?:na|w|we|pod|przy|nad|z) )")
_DENYING = regex(r"\bnie \w+(?: \w+)?$")
_INSTEAD = regex(r"(?:tylko|lecz|ale|a) ")


def clauses_of(prompt: str) -> Iterator[str]:
    """Give the clauses that describe the picture; remarks and reasons are left out."""
    text = strip_closing(without_reactions(prompt))
    if since := _SINCE.match(fold_evenly(text)):
        text = text[since.end() :]
    for told in _split(text):
        left = _LEFT.match(fold_evenly(told))
        clause = told[left.end() :] if left else told
        if not _ASIDE.search(fold_evenly(clause)) and not is_reaction(clause):
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
    """Return a clause without the words of asking, its object in the nominative."""
    led, rest = unasked(clause)
    is_told = any(kind.match(fold_evenly(rest)) for kind in KINDS)
    if not led or is_told or not is_object(rest):
        return lowered(rest)
    return nominative(rest, "do" if _LACKS.search(fold_evenly(led)) else "przez")


def unasked(clause: str) -> tuple[str, str]:
    """Return the words of asking with which a clause begins, and the rest as it was said."""
    clause = _VERSION.sub(r"wersja \1a", clause.strip(" ,.!?;:–-"))
    led = _LEAD.match(fold_evenly(clause))
    rest = clause[led.end() :] if led else clause
    tail = _TAIL.search(fold_evenly(rest))
    rest = (rest[: tail.start()] if tail else rest).strip(" ,.!?;:–-")
    while inner := _INNER.search(fold_evenly(rest)):
        rest = rest[: inner.start()] + rest[inner.end() :]
    if counted := _COUNTED.match(fold_evenly(rest)):
        rest = f"{rest[counted.start(2) :]} {rest[: counted.end(1)]}"
    return led[0] if led else "", rest


def lowered(phrase: str) -> str:
    """A phrase without the capital that only opened its sentence."""
    first = phrase.partition(" ")[0]
    readings = morphology().readings(first.lower())
    is_common = any(one.lemma.islower() for one in readings)
    return (
        phrase[:1].lower() + phrase[1:]
        if is_common and (len(first) == 1 or not first.isupper())
        else phrase
    )


def is_object(phrase: str) -> bool:
    """Whether a phrase begins with a noun or adjective that is no nominative."""
    words = split_words(phrase)
    known = morphology().readings(words[0].text) if words else ()
    nouns = [one for one in known if one.pos == "subst"]
    readings = [one for one in nouns if one.lemma.islower()] or nouns or known
    declined = all(one.cases and one.pos != "praet" for one in known)
    return bool(known) and declined and not any("nom" in one.cases for one in readings)


def nominative(phrase: str, governor: str = "przez") -> str:
    """Return a phrase with its beginning, governed by a preposition, in the nominative."""
    head, comma, rest = phrase.partition(",")
    found = lemmatise(head, kind="topic", preposition=governor) if head else head
    is_whole = len(found.split()) == len(head.split())
    return (found if is_whole else head) + comma + rest
