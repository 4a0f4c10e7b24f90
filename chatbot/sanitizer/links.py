"""Shows links to hosts that nobody named as plain text: one space parts what would make the link.

Only the stretch from a link's opener to the end of its host is held back, at most 255 characters:
before that nobody can know where the link leads. Everything else passes at once.
"""

import re
from dataclasses import dataclass

from chatbot.sanitizer.hosts import HOST_CHARS, LinkPolicy

_DECIDING = re.compile(r"[(:/.]")
_DECIDING_AFTER_DENIED = re.compile(r"[(:/.@\s]")
_AUTHORITY_END = re.compile(r"[\s/?#<]")
_TRAILING = re.compile(r"[\W_]+\Z")
_SPACE = re.compile(r"\s")
_DOTTED = re.compile(r"\w\.\w|localhost")
_SCHEMES = ("https://", "http://")
_NOT_IN_PROSE = frozenset(":/&\\<%")
_BLANKS = " \t\r\n"
_MAX_BLANKS = 16
_KEPT = 6
_WWW = "www"
_MAIL = ("mailto", "xmpp")


@dataclass(slots=True)
class Links:
    """Follows one stream of prose; the result is the same for every way of cutting it."""

    policy: LinkPolicy
    _before: str = ""
    _held: str = ""
    _is_address: bool = False
    """Inside what reads like an address with ``@``: after ``mailto:`` or a host not allowed."""

    def feed(self, text: str) -> str:
        """What may be shown by now, with what was held back before."""
        if not self._held and not self._is_address and not _DECIDING.search(text):
            self._before = (self._before + text)[-_KEPT:]
            return text
        return self._pass(self._held + text, is_end=False)

    def finish(self) -> str:
        """What is still held back, where the prose ends."""
        return self._pass(self._held, is_end=True) if self._held else ""

    def _pass(self, text: str, *, is_end: bool) -> str:
        shown: list[str] = []
        self._held = ""
        position = 0
        while position < len(text):
            deciding = _DECIDING_AFTER_DENIED if self._is_address else _DECIDING
            found = deciding.search(text, position)
            end = found.start() if found else len(text)
            shown.append(self._keep(text[position:end]))
            if found is None:
                break
            must_part = self._must_part(text, end, is_end=is_end)
            if must_part is None:
                self._held = text[end:]
                break
            shown.append(self._keep(f" {text[end]}" if must_part else text[end]))
            position = end + 1
        return "".join(shown)

    def _keep(self, text: str) -> str:
        self._before = (self._before + text)[-_KEPT:]
        return text

    def _must_part(self, text: str, at: int, *, is_end: bool) -> bool | None:
        """Whether a space has to stand before ``text[at]``; ``None``: not to be known yet."""
        match text[at]:
            case "(" if self._before.endswith("]"):
                return self._judge_target(text, at + 1, is_end=is_end)
            case ":" if self._before.endswith("]"):
                return self._judge_definition(text, at + 1, is_end=is_end)
            case ":" if self._before.lower().endswith(_MAIL):
                self._is_address = True
            case "/" if self._before.endswith("/"):
                return self._judge_slashes(text, at + 1, is_end=is_end)
            case "." if self._before.lower().endswith(_WWW):
                return self._judge_host(text, at + 1, is_end=is_end)
            case "@":
                return self._judge_host(text, at + 1, is_end=is_end)
            case char if char.isspace():
                self._is_address = False
        return False

    def _judge_slashes(self, text: str, start: int, *, is_end: bool) -> bool | None:
        """``//`` and what may be a host; without a scheme only what looks like one counts."""
        authority = _read_until(_AUTHORITY_END, text, start, is_end=is_end)
        if authority is None:
            return None
        if not authority or self._allows(authority, text, start):
            return False
        has_scheme = self._before.endswith(":/")
        if has_scheme or _DOTTED.search(authority):
            self._is_address = True
            return True
        return False

    def _judge_host(self, text: str, start: int, *, is_end: bool) -> bool | None:
        """What follows ``www.`` or ``@``."""
        authority = _read_until(_AUTHORITY_END, text, start, is_end=is_end)
        if authority is None:
            return None
        return bool(authority) and not self._allows(authority, text, start)

    def _judge_target(self, text: str, start: int, *, is_end: bool) -> bool | None:
        """The target of ``[text](target)``: it must be an address with an allowed host."""
        begin = _skip_blanks(text, start)
        if begin is None:
            return True
        authority = _read_web_authority(text, begin, is_end=is_end)
        if not authority:
            return None if authority is None else True
        host_at = text.index("//", begin) + 2
        end = host_at + len(authority)
        # python-markdown lets a target go on after a blank: an `@` behind it would be another host
        goes_on = text[end : end + 1].isspace() and ")" not in authority
        return goes_on or not self._allows(authority, text, host_at)

    def _judge_definition(self, text: str, start: int, *, is_end: bool) -> bool | None:
        """The target of ``[label]: target``; a plain word is prose and no target."""
        begin = _skip_blanks(text, start)
        if begin is None:
            return False
        authority = _read_web_authority(text, begin, is_end=is_end)
        if authority != "":
            if authority is None:
                return None
            return not self._allows(authority, text, text.index("//", begin) + 2)
        word = _read_until(_SPACE, text, begin, is_end=is_end)
        return None if word is None else not _NOT_IN_PROSE.isdisjoint(word)

    def _allows(self, authority: str, text: str, start: int) -> bool:
        """Whether the authority at ``text[start]`` is an allowed host.

        Punctuation behind it is the sentence's, but only where no path follows.
        """
        end = start + len(authority)
        has_path = text[end : end + 1] in {"/", "?", "#"}
        return self.policy.allows(authority if has_path else _TRAILING.sub("", authority))


def _skip_blanks(text: str, start: int) -> int | None:
    """Where the next word begins; ``None`` where more blanks come than a link may have."""
    end = start
    while text[end : end + 1] in _BLANKS and end < len(text):
        end += 1
    return end if end - start <= _MAX_BLANKS else None


def _read_web_authority(text: str, start: int, *, is_end: bool) -> str | None:
    """What follows ``http://`` or ``https://``; empty for anything else, ``None``: not known."""
    begun = text[start : start + len(_SCHEMES[0])].lower()
    for scheme in _SCHEMES:
        if begun.startswith(scheme):
            return _read_until(_AUTHORITY_END, text, start + len(scheme), is_end=is_end)
        if scheme.startswith(begun) and not is_end:
            return None
    return ""


def _read_until(end: re.Pattern[str], text: str, start: int, *, is_end: bool) -> str | None:
    """The text before ``end``, cut at the longest that a host can be; ``None``: not known."""
    found = end.search(text, start, start + HOST_CHARS + 1)
    if found is not None:
        return text[start : found.start()]
    is_whole = is_end or len(text) - start > HOST_CHARS
    return text[start : start + HOST_CHARS + 1] if is_whole else None
