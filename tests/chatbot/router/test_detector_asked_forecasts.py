"""Which questions about the weather are left of a prompt once what stands around them is gone."""

from scripted.tables import every_row

from chatbot.router.detector.asked_forecasts import asked_forecasts, names_forecast


@every_row(
    ("prompt", "question"),
    [
        (
            "Od szefowej: „Kochani, w czwartek widzimy się na pikniku w Otwocku”. Brać płaszcz?",
            "Otwock, jutro: Brać płaszcz?",
        ),
        ("RCB wysłało mi alert. Pada w Słupsku?", "Pada w Słupsku?"),
        ("Zamów taksówkę, jeśli w Łodzi leje. Leje?", "Łódź, jutro: Leje?"),
        ("Napisz mi krótko, czy w Brukseli pada", "czy w Brukseli pada"),
        ("napisz wierszyk... nie, powiedz, ile stopni w Gdyni", "ile stopni w Gdyni"),
    ],
)
def test_the_question_is_taken_out_with_its_place(prompt: str, question: str) -> None:
    assert question in asked_forecasts(prompt)


ONLY_TOLD = (
    "Mieszkam w Łodzi. Czym odśnieżać chodnik?",
    "W Krakowie leje od rana. Znasz jakiś dobry żart?",
    "„Będzie jutro padać w Lublinie?” – czy tu jest błąd?",
    "Pada w Łodzi? – pyta Kuba. Napisz mu wiersz.",
    "jak po angielsku spytać, czy w Londynie pada?",
)


def test_nothing_is_asked_where_the_weather_is_only_told() -> None:
    assert [prompt for prompt in ONLY_TOLD if any(asked_forecasts(prompt))] == []


def test_weather_place_and_day_make_a_forecast() -> None:
    assert names_forecast("czy z molo w Sopocie zwieje mi dziś kapelusz")


def test_a_quoted_forecast_that_shall_be_translated_is_none() -> None:
    assert not names_forecast("„jutro w Łodzi będzie padać”. Przetłumacz to na niemiecki.")
