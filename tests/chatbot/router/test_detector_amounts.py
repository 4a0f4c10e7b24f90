"""Stories of amounts: combined by dimensions, roles and relations, or not read at all."""

from pathlib import Path

from scripted.tables import every_row

from chatbot.router.detector.formulas import read_formula
from chatbot.tools.mathematics.reading import read

TABLE = Path(__file__).parent / "detector_amounts.tsv"
"""A prompt and its expression a line."""

READ = [
    (prompt, expression)
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    for prompt, _, expression in [line.partition("\t")]
]
UNCLEAR = [
    "Mam 14 kur i 3 psy, ile zapłacę za weterynarza?",
    "Pociąg ma 8 wagonów, 3 konduktorów i jedzie 5 godzin. Ile kilometrów przejedzie?",
    "Wujek jest o 4 lata starszy od cioci i ma 2 koty. Ile lat ma babcia?",
    "Paliłem 15 sztuk dziennie przez 22 lata, lata po 365 dni. Ile fajek?",
    "W 3 kursach po 48 km w jedną stronę plus powroty, ile km zrobili?",
    "Została 3/4 pizzy, brat zjadł 1/4 z tego. Jaką część całej pizzy pochłonął?",
    "Kolega ma 1,80 m wzrostu i waży 90 kg. Ile kosztuje karnet?",
]


@every_row(("prompt", "expression"), READ)
def test_a_story_is_read(prompt: str, expression: str) -> None:
    found = read_formula(prompt)

    assert found is not None
    assert found.expression == expression


@every_row("prompt", UNCLEAR)
def test_amounts_that_do_not_fit_are_not_combined(prompt: str) -> None:
    assert read_formula(prompt) is None


@every_row(("prompt", "expression"), READ)
def test_what_is_read_is_mathematics(prompt: str, expression: str) -> None:
    found = read_formula(prompt)

    assert found is not None
    assert read(found.expression) == read(expression)
