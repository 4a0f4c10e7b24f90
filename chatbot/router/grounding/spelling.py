"""What a damaged spelling stands for, and keys by which spellings of one name compare equal."""

import html
import unicodedata
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

_ESCAPE = regex(r"\\?\\u([0-9a-fA-F]{4})")
_INVISIBLE = regex(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_SUSPICIOUS = regex(r"[^\x00-\x7fąćęłńśźżĄĆĘŁŃŚŹŻ]")
_WRONGLY_READ = ("cp1252", "latin-1", "cp1250", "iso-8859-2", "cp1254", "cp852")
_LOST = regex("\ufffd+")
_LOST_ONE = "\ufffd"  # what decoders write for a byte that they cannot read
_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ’–")
_QUOTES = '„”“"«»‚‘` '
_BREAKS = regex(r"[-‐‑–—_\s]+")
_DROPPED = regex(r"['’ʼ`´.,;:!?]")
_CYRILLIC = MappingProxyType(
    str.maketrans({
        **dict(zip("абвгґдезиіклмнопрстуфхцы", "abwhgdezyiklmnoprstufhcy", strict=True)),
        "є": "je",
        "ж": "z",
        "ї": "ji",
        "й": "j",
        "ч": "cz",
        "ш": "sz",
        "щ": "szcz",
        "ь": "",
        "ъ": "",
        "ю": "iu",
        "я": "ia",
        "ё": "jo",
        "э": "e",
        "ў": "u",
    })
)
_IS_CYRILLIC = regex(r"[\u0400-\u04ff]")


def readable(value: str) -> str:
    """Undo what encodings, escapes and invisible characters did to ``value``; trim it."""
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), html.unescape(value))
    text = _decoded(text)
    return tidy(_INVISIBLE.sub("", text))


def tidy(value: str) -> str:
    """Compose accents, take off blanks, and quotation marks where they stand around the whole."""
    text = " ".join(unicodedata.normalize("NFC", value).split())
    bare = text.strip(_QUOTES)
    return text if any(quote in bare for quote in _QUOTES.rstrip()) else bare


def key(text: str) -> str:
    """Return ``text`` in plain lower-case Latin letters, one space where words meet.

    "Łódź", "Lodz" and "ŁÓDŹ" have one key, "Kudowa-Zdrój" and "kudowa zdroj" as well; points and
    apostrophes are dropped. Cyrillic is written as in Polish, without diacritics.
    """
    lower = text.lower()
    if _IS_CYRILLIC.search(lower):
        lower = unicodedata.normalize("NFC", lower).translate(_CYRILLIC)
    return _BREAKS.sub(" ", _DROPPED.sub("", fold(lower))).strip()


def is_cyrillic(text: str) -> bool:
    """Tell whether some letter is Cyrillic."""
    return _IS_CYRILLIC.search(text) is not None


def accents(text: str) -> int:
    """Count the letters that a keyboard without diacritics has not."""
    return sum(not letter.isascii() for letter in text)


def odd_letters(text: str) -> int:
    """Count what no Polish name has: signs, letters of other alphabets; what was lost thrice."""
    odd = sum(letter not in _POLISH and not letter.isascii() for letter in text)
    return odd + 2 * text.count(_LOST_ONE)


def _decoded(text: str) -> str:
    """Undo UTF-8 that was read as another encoding, once or twice ("ĹĂłdĹş" → "Łódź")."""
    for _ in range(2):
        if not _SUSPICIOUS.search(text):
            break
        read = [_reread(text, name) for name in _WRONGLY_READ]
        text = min([text, *filter(None, read)], key=odd_letters)
    return text


def _reread(text: str, encoding: str) -> str | None:
    try:
        raw = b"".join(_byte(letter, encoding) for letter in text)
    except UnicodeError:
        return None
    return _LOST.sub(_LOST_ONE, raw.decode("utf-8", errors="replace"))


def _byte(letter: str, encoding: str) -> bytes:
    """Encode one letter; what the code page leaves undefined was passed through as it was."""
    if letter == _LOST_ONE:
        return b"\xff"
    try:
        return letter.encode(encoding)
    except UnicodeEncodeError:
        return letter.encode("latin-1")
