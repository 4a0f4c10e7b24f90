"""Parts what would be an attribute list (``{: style="…"}``), which some Markdown renderers know.

A list gives attributes to the paragraph, heading or word before it: styles that fetch, scripts,
another address for a link. Only attributes that can do so are parted from their value, by a space
before the ``=``; every other ``{…}`` passes unchanged.
"""

import re
from dataclasses import dataclass
from typing import Final

_NAME_CHARS: Final = 24
_ACTIVE: Final = re.compile(
    r"(?<![A-Za-z])(?:style|on[a-z]+|background|href|src|srcset|ping|attributionsrc)[\t]*\Z",
    re.IGNORECASE,
)


@dataclass(slots=True)
class AttributeLists:
    """Follows prose; ``is_open``: a brace was opened and what it may enclose has not ended.

    That is the line's end, as python-markdown reads to the last ``}`` of a line; without any ``}``
    it is a blank line, as kramdown reads over line ends.
    """

    is_open: bool = False
    _has_closed: bool = False
    _before: str = ""

    def must_part(self, char: str) -> bool:
        """Take one more character; whether a space has to stand before it."""
        if not self.is_open:
            self.is_open, self._has_closed, self._before = char == "{", False, ""
            return False
        before = self._before
        self.pass_over(char)
        match char:
            case "=":
                return _ACTIVE.search(before) is not None
            case "{" | "}":
                self._has_closed = char == "}" and not before.endswith("\\")
            case "\n":
                is_blank = before.rstrip(" \t\r").endswith("\n")
                self.is_open = not (self._has_closed or is_blank)
        return False

    def pass_over(self, text: str) -> None:
        """Take what holds no brace, ``=`` or line end."""
        self._before = (self._before + text)[-_NAME_CHARS:]
