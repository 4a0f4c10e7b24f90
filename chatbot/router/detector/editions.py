"""Read in which language edition of an encyclopaedia an article is wished."""

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

_LANGUAGES = (
    ("en", r"angielsk|anglojezyczn|english", "en"), ("de", r"niemieck", "de"),
    ("fr", r"francusk", "fr"), ("es", r"hiszpansk", "es"), ("it", r"wlosk", "it"),
    ("uk", r"ukrainsk", "uk"), ("ru", r"rosyjsk", "ru"), ("cs", r"czesk", "cs"),
    ("sk", r"slowack", "sk"), ("lt", r"litewsk", "lt"), ("sv", r"szwedzk", "sv"),
    ("pt", r"portugalsk", "pt"), ("nl", r"niderlandzk|holendersk", "nl"), ("la", r"lacinsk", "la"),
    ("szl", r"slask(?=\w* wiki)", "szl"), ("csb", r"kaszubsk(?=\w* wiki)", "csb"),
    ("eo", r"esperanck", "eo"), ("ja", r"japonsk", "ja"), ("zh", r"chinsk", "zh"),
    ("hu", r"wegiersk", "hu"), ("fi", r"finsk", "fi"), ("no", r"norwesk", "nb"),
    ("da", r"dunsk", "dk"), ("be", r"bialorusk", "be"), ("ro", r"rumunsk", "ro"),
    ("tr", r"tureck", "tr"), ("he", r"hebrajsk", "he"), ("ar", r"arabsk", "ar"),
    ("hr", r"chorwack", "hr"), ("sr", r"serbsk", "sr"), ("bg", r"bulgarsk", "bg"),
    ("ca", r"katalonsk", "ca"), ("lv", r"lotewsk", "lv"), ("et", r"estonsk", "et"),
    ("sl", r"slowensk", "sl"), ("el", r"greck(?=\w* wiki)", "gr"), ("ko", r"koreansk", "ko"),
)  # fmt: skip
_WRITTEN_IN = tuple(
    (
        code,
        regex(
            rf"(?:{stem})\w* (?:wersj\w+ )?(?:jezykow\w+ )?(?:wiki|edycj|hasl|version|artyk)|"
            rf"wiki\w* (?:po )?(?:{stem})|\bpo (?:{stem})u\b|jezyku (?:{stem})im|"
            rf"wersj\w+ (?:jezykow\w+ )?(?:{stem})|\b{short}[ .]wiki|in (?:{stem})\b"
        ),
    )
    for code, stem, short in _LANGUAGES
)
_SPOKEN = regex(
    r"(?:\b(?:pisa[lc]\w*|pisz[ae]|mowi\w*|rozmawia\w*|spiewa\w*|gada\w*|tworzy\w*|nazywa\w*|"
    r"znaczy|brzmi|wyklada\w*|przemawia\w*)(?: \w+){0,2} po \w+|"
    r"\bpo \w+(?=,? (?:czy|i|a) (?:moze )?po ))(?:,? (?:(?:czy|i|a) )?(?:moze )?po \w+)*"
)
"""A language that something is written or said in, which is asked about."""
_THEIRS = regex(
    r"\b(czes|czech|niemc|francuz|hiszpan|wlos|wloch|ukrain|rosjan|slowa[ck]|litw|szwed|anglic|"
    r"anglik|wegr|norweg|dunc|portugal|japon|chinc)\w*\b.{0,60}"
    r"(?:\bich wiki|\bu (?:siebie|nich)\b(?=.{0,40}wiki))"
)
"""Whose edition is meant: "co piszą Czesi? Zajrzyj do ich Wikipedii"."""
_PEOPLES = (
    ("cz", "cs"), ("niem", "de"), ("fr", "fr"), ("hi", "es"), ("wl", "it"), ("uk", "uk"),
    ("ro", "ru"), ("sl", "sk"), ("li", "lt"), ("sz", "sv"), ("ang", "en"), ("weg", "hu"),
    ("no", "no"), ("du", "da"), ("po", "pt"), ("ja", "ja"), ("chin", "zh"),
)  # fmt: skip


def read_language(prompt: str) -> str | None:
    """Return the code of the language in which an article is wished, if one was named.

    "Pisała po fińsku czy po szwedzku?" asks of languages and wishes none.
    """
    words = _SPOKEN.sub(" ", fold(prompt))
    named = next((code for code, pattern in _WRITTEN_IN if pattern.search(words)), None)
    people = _THEIRS.search(words) if named is None else None
    return next((code for stem, code in _PEOPLES if people and people[1].startswith(stem)), named)
