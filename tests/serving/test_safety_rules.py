from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.sanitizer.sensitive import screen_text
from serving.safety import read_rules
from serving.settings import Settings, SettingsError


def settings(**rule: object) -> Settings:
    return Settings.model_validate({"safety": {"rules": {"mine": rule}}})


def test_there_is_no_rule_by_default() -> None:
    assert read_rules(Settings().safety) == ()


def test_a_built_in_rule_has_its_own_mask() -> None:
    (rule,) = read_rules(settings(find="pesel").safety)
    assert (rule.name, rule.action, rule.direction) == ("mine", "mask", "both")
    assert screen_text("nr 44051401359", (rule,))[0] == "nr [PESEL]"


def test_words_come_from_the_settings_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("łabędź\n\nbomb*\n")
    read = settings(find="words", words=["tajne"], words_file=str(file), mask="***")
    text = screen_text("Tajne: LABEDZ, bombami", read_rules(read.safety))[0]
    assert text == "***: ***, ***"


@every_row(
    ("rule", "reason"),
    [
        ({"find": "words"}, "needs at least one word"),
        ({"find": "words", "words_file": "/nonexistent"}, "No such file"),
        ({"find": "pattern"}, "go together"),
        ({"find": "pattern", "pattern": "a+"}, "more than 256"),
        ({"find": "pesel", "pattern": "a"}, "go together"),
        ({"find": "pesel", "words": ["a"]}, "alone"),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused_by_its_name(
    rule: dict[str, object], reason: str
) -> None:
    with pytest.raises(SettingsError, match=rf"safety\.rules\.mine: .*{reason}"):
        read_rules(settings(**rule).safety)
