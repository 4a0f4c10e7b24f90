"""Patterns that are compiled when they are first used.

There are some two and a half thousand, most for what few prompts say; to compile them all takes
as long as everything else at the start of a process.
"""

import re
from typing import Any, cast

_MEMBERS = (
    "search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split",
    "flags", "groups", "groupindex",
)  # fmt: skip


class _Lazy:
    """Stands for a pattern: what is asked of it first compiles it, and is its own from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as different as what a pattern has
        if name not in _MEMBERS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({one: getattr(compiled, one) for one in _MEMBERS})
        return getattr(compiled, name)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what has the members of a compiled pattern, and is one when it is first used.

    The functions of `re` do not take it in place of a pattern, and it is no match's ``re``. Whether
    it is a pattern at all shows at the first use; a test compiles all.
    """
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
