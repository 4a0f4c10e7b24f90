"""What a format cannot hold is removed or marked; all else of a text stays as it is."""

import re
from typing import Final

CELL_UNITS: Final = 32_767
"""What a cell of a spreadsheet holds, in units of UTF-16."""
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_UNREADABLE: Final = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")
_ESCAPE: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_LINE_END: Final = re.compile(r"\r\n?")
_INVISIBLE: Final = re.compile(
    r"[\s\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*+"
)
_FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")


def remove_unwritable(text: str) -> str:
    """Without control characters (tab and line ends stay), half surrogate pairs, non-characters."""
    return _UNWRITABLE.sub("", text)


def remove_unreadable(text: str) -> str:
    """Without what no import takes: NUL, half surrogate pairs, non-characters."""
    return _UNREADABLE.sub("", text)


def fit_cell(text: str, mark: str) -> str:
    """A text as a cell of XLSX holds it; what is too long is cut and ends in ``mark``.

    Line ends are LF, as XML reads them. ``_x0041_`` is the format's own escape for a character
    (ECMA-376, ST_Xstring): its first sign is escaped, so that spreadsheets show what was written.
    """
    clean = _ESCAPE.sub("_x005F_", _LINE_END.sub("\n", remove_unwritable(text)))
    if units(clean) <= CELL_UNITS:
        return clean
    room = CELL_UNITS - units(mark)
    encoded = clean.encode("utf-16-le")[: 2 * room]
    return encoded.decode("utf-16-le", "ignore") + mark


def units(text: str) -> int:
    """The length of ``text`` in units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def defuse(text: str) -> str:
    """A text as a CSV holds it: an apostrophe before what a spreadsheet would read as a formula.

    Also where blanks or invisible characters precede it, which some programs pass over. Source:
    OWASP, CSV injection.
    """
    clean = remove_unwritable(text)
    begin = _INVISIBLE.match(clean)
    after = clean[begin.end() :] if begin else clean
    is_formula = clean[:1] in _FORMULA or after[:1] in _FORMULA
    return f"'{clean}" if clean and is_formula else clean
