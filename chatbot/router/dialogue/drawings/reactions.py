"""What a prompt exclaims, praises or thanks for before it asks: "hahaha, mega! a teraz …"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words

JUDGING = regex(
    r"(?:prze|nie)?(?:ladn|sliczn|piekn|cudn|cudown|swietn|fajn|brzydk|niezl|idealn|uroc|"
    r"rewelacyj|wspanial|genialn|bosk|slodk|mil|zabawn|smieszn|super|ekstra|extra|ciekaw|"
    r"interesujac|bombow|okropn|straszn|dobr|doskonal|zachwycaj|imponujac|niesamowit|kapitaln)"
    r"(?!\w*(?:iej|sz[aey]$|szego|szej))\w*|"
    r"git|sztos|bomba|cudo|cudenko|arcydzielo|mistrzostwo|podoba(?:ja)?"
)
"""Words of praise and blame, over folded text."""

FRAME = regex(
    r"ale|jak(?:i|a|ie|iez|ze)?|co|za|bardzo|naprawde|serio|t(?:en|a|o|e)|tam(?:ten|ta|to)?|no|oj|"
    r"och|ach|calkiem|nawet|ob(?:a|ie|ydwa|ydwie)|wszystk(?:ie|o)|tu|tutaj|jest|sa|byl[ao]?|"
    r"wysz(?:lo|la|ly)|wyszedl|ci|mi|sie|narysowan\w+|namalowan\w+|zrobion\w+|robota|praca|"
    r"efekt|wow|o|dzieki|dziekuje|biore|hah\w*|heh\w*|tak\w{0,3}|po|prostu|jednak|i|mega|kolory|"
    r"wyglada(?:ja)?"
)
"""Words that stand around them."""

INTERJECTION = (
    r"(?:a?hah\w*|a?hehe\w*|hihi\w*|hej|ej|o+j+|oje+j\w*|o{2,}|o+ch|a+ch|u{2,}|e{2,}|wo+w+|hm+|mhm|"
    r"aha|tfu|ups|xd+|lol|nice|cool|perfect|great|mega|su+per|git(?:es)?|spoko|oki|"
    r"kurcze|kurde|brawo|bravo)"
)
"""What only sighs, laughs or cheers, over folded text."""

_SAID = regex(
    rf"{INTERJECTION}|cudo|cudenko|cacko|sztos|petarda|rewelacja|rewelka|bajka|poezja|slodziak\w*|"
    r"wielkie|pomysl\w*|brzmi\w*|dziekuj\w+|dzieki|a|ok|okej|dobra|tak|e|o|musi|musial[ao]?|byc|"
    r"jasne|pewnie|rozumiem|pewno|oczywiscie|prosze|dzis|na|zgoda|wlasnie|wiem|wiec"
)
_FEELS = regex(
    rf"{INTERJECTION}|cacko|petarda|rewelacja|rewelka|bajka|poezja|slodziak\w*|"
    r"dziekuj\w+|dzieki|aha|ok|okej|tak|jasne|pewnie|rozumiem|zgoda|wlasnie|e|o|dobra"
)
_NOUNS = regex(r"cudo|cudenko|bomba|sztos|arcydzielo|mistrzostwo")
_CLAUSE = regex(r"[^,.!?…;:]{0,80}[,.!?…;]+\s*(?=\S)")
_LED = regex(rf"(?:{INTERJECTION}|[^\w\s„\"(-])[\s,.!?…]+(?=\S)")
_LONGEST = 6  # words


def without_reactions(text: str) -> str:
    """Return a prompt from where it says more than how something is liked; else nothing.

    What may describe a thing stays before its noun: "słodki, mały kotek".
    """
    if is_reaction(text):
        return ""
    rest = text
    while True:
        folded = fold_evenly(rest)
        clause = _CLAUSE.match(folded)
        if clause is not None and _is_apart(rest, clause.end()):
            rest = rest[clause.end() :]
        elif (led := _LED.match(folded)) is not None:
            rest = rest[led.end() :]
        else:
            return rest


def is_reaction(text: str) -> bool:
    """Whether a text has only words of praise, of thanks, and sighs: "no, ładnie wyszło"."""
    words = [word for word in split_words(text) if word.text[0].isalnum()]
    if not 0 < len(words) <= _LONGEST:
        return False
    is_felt = [_judges(word) or _FEELS.fullmatch(word.folded) is not None for word in words]
    return any(is_felt) and all(
        is_one or FRAME.fullmatch(word.folded) or _SAID.fullmatch(word.folded)
        for is_one, word in zip(is_felt, words, strict=True)
    )


def _judges(word: Span) -> bool:
    """Whether a word says how something is liked: "dobra", not "Dobrawa" or "milion"."""
    readings = morphology().readings(word.text.lower())
    is_noun = bool(readings) and all(one.pos in {"subst", "num"} for one in readings)
    return (_NOUNS if is_noun else JUDGING).fullmatch(word.folded) is not None


def _is_apart(text: str, end: int) -> bool:
    """Whether a text begins with a reaction that says nothing of the words after it."""
    clause = text[:end].rstrip()
    if not is_reaction(clause):
        return False
    after = split_words(text[end:])
    return not clause.endswith(",") or not (after and _says_how(split_words(clause)[-2], after[0]))


def _says_how(word: Span, after: Span) -> bool:
    """Whether an adjective may go with the word after a comma: "ładny, stary dom"."""
    is_adjective = any(one.pos == "adj" for one in morphology().readings(word.text.lower()))
    following = morphology().readings(after.text)
    return is_adjective and bool(following) and all(one.cases for one in following)
