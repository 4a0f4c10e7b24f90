"""The operator's rules for sensitive content, read once into those of the domain."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from chatbot.sanitizer.sensitive import BUILT_IN, Detector, Rule, expression, words
from serving.settings.errors import SettingsError
from serving.settings.sections import Names, Section

MAX_WORDS_BYTES = 1_000_000
_WORDS_MASK, _PATTERN_MASK = "[…]", "[UKRYTO]"
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


def read_rules(settings: SafetySettings) -> tuple[Rule, ...]:
    """The rules, ready to be applied.

    Raises:
        SettingsError: a rule lacks what it looks for, or that cannot be used.
    """
    return tuple(_read_rule(name, rule) for name, rule in settings.rules.items())


def _read_rule(name: str, rule: SafetyRuleSettings) -> Rule:
    try:
        detector, mask = _read_detector(rule)
    except (OSError, ValueError) as error:
        raise SettingsError(f"safety.rules.{name}: {error}") from error
    return Rule(
        name=name,
        detector=detector,
        action=rule.action,
        direction=rule.direction,
        mask=rule.mask or mask,
    )


def _read_detector(rule: SafetyRuleSettings) -> tuple[Detector, str]:
    has_words = bool(rule.words or rule.words_file)
    if has_words and rule.find != "words":
        raise ValueError("'words' and 'words_file' go with find = \"words\" alone")
    if (rule.pattern is None) == (rule.find == "pattern"):
        raise ValueError("find = \"pattern\" and 'pattern' go together")
    match rule.find:
        case "words":
            return words((*rule.words, *_read_words(rule.words_file))), _WORDS_MASK
        case "pattern":
            return expression(rule.pattern or ""), _PATTERN_MASK
        case built_in:
            make, mask = BUILT_IN[built_in]
            return make(), mask


def _read_words(path: Path | None) -> Iterable[str]:
    if path is None:
        return ()
    with path.open("rb") as file:
        content = file.read(MAX_WORDS_BYTES + 1)
    if len(content) > MAX_WORDS_BYTES:
        raise ValueError(f"{path} has more than {MAX_WORDS_BYTES} bytes")
    return filter(None, map(str.strip, content.decode().splitlines()))
