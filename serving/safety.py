"""Reads the operator's rules for sensitive content into those of the domain.

Apart from the settings, because model servers read settings too and have no Polish dictionary.
"""

from collections.abc import Iterable
from pathlib import Path

from chatbot.sanitizer.sensitive import BUILT_IN, Detector, Rule, expression, screen_text, words
from serving.settings import SafetyRuleSettings, SafetySettings, SettingsError

MAX_WORDS_BYTES = 1_000_000
_SAMPLE = "0 1 " * 100
_WORDS_MASK, _PATTERN_MASK = "[…]", "[UKRYTO]"


def read_rules(settings: SafetySettings) -> tuple[Rule, ...]:
    """The rules, ready to be applied.

    Raises:
        SettingsError: a rule lacks what it looks for, or that cannot be used.
    """
    rules = tuple(_read_rule(name, rule) for name, rule in settings.rules.items())
    screen_text(_SAMPLE, rules)  # makes the detectors' tables, which no turn should wait for
    return rules


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
