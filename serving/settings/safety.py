"""The operator's rules for sensitive content, as they are written down."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from serving.settings.sections import Names, Section

RuleName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]


class SafetyRuleSettings(Section):
    """What is looked for, where, and what is done about it."""

    find: Literal["pesel", "card", "iban", "email", "phone", "words", "pattern"] = Field(
        description="What is looked for: a built-in kind, or `words` or `pattern` of your own."
    )
    action: Literal["mask", "refuse", "log"] = Field(
        default="mask",
        description="`mask` puts `mask` in its place, `refuse` refuses the message or ends the "
        "answer with the error `content_refused`, `log` only counts it.",
    )
    direction: Literal["in", "out", "both"] = Field(
        default="both", description="`in`: what models read; `out`: what people are shown."
    )
    mask: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="What stands in its place; unset: `[PESEL]`, `[KARTA]`, `[KONTO]`, "
        "`[E-MAIL]`, `[TELEFON]`, `[…]` for words, `[UKRYTO]` for a pattern.",
    )
    words: Names = Field(
        default=(),
        description="Words and phrases, without regard to case and diacritics; `*` at an entry's "
        "end stands for any ending of up to ten letters.",
    )
    words_file: Path | None = Field(
        default=None, description="File of further words, one entry a line, in UTF-8."
    )
    pattern: str | None = Field(
        default=None,
        description="Python regular expression of bounded length (at most 256 characters): "
        "`{1,20}` in place of `+` and `*`, no look-around, no anchors but `\\b`.",
    )


class SafetySettings(Section):
    """Rules for sensitive content, in both directions; without any, nothing is looked for."""

    rules: dict[RuleName, SafetyRuleSettings] = Field(
        default={},
        description="Rules by name, one table `[safety.rules.NAME]` each; of two that match at "
        "one place, the first counts.",
    )
