from scripted.tables import every_row

from chatbot.language import fold, inflections


@every_row(
    ("word", "form"),
    [
        ("łodzi", "łódź"),
        ("Warszawie", "warszawa"),
        ("psami", "pies"),
        ("PIES", "psów"),
        ("zolwia", "żółw"),
        ("idę", "szła"),
        ("najlepszy", "dobrego"),
    ],
)
def test_any_form_leads_to_any_other(word: str, form: str) -> None:
    assert any(form in forms for forms in inflections(word))


def test_forms_are_in_lower_case_and_not_negated() -> None:
    forms = {form for lemma in inflections("robić") for form in lemma}
    assert "robimy" in forms
    assert not {form for form in forms if form.startswith("nie")}
    assert all(form == form.lower() for form in forms)


@every_row("word", ["xqzwv", "", "x" * 5000, "123", "🙂"])
def test_an_unknown_word_has_no_forms(word: str) -> None:
    assert {fold(form) for lemma in inflections(word) for form in lemma} <= {word}
