"""Changes to the description of a picture: additions, removals, exchanges, several at once."""

from scripted.tables import every_row

from chatbot.router.dialogue.drawings.choosing import choose
from chatbot.router.dialogue.drawings.editing import edit


@every_row(
    ("picture", "prompt", "result"),
    [
        ("chata w lesie", "domaluj komin i dym", "chata w lesie, komin i dym"),
        ("pies i kot", "jednak bez psa", "kot, bez psa"),
        ("sad, pasieka, staw", "usuń staw, proszę", "sad, pasieka, bez stawu"),
        ("dom z czerwonym dachem i gankiem", "wyrzuć ganek", "dom z czerwonym dachem, bez ganku"),
        ("czerwony rower przy płocie", "daj niebieski rower", "niebieski rower przy płocie"),
        ("dwa psy na plaży", "żeby psy były trzy", "trzy psy na plaży"),
        ("wazon z tulipanami", "nie tulipany, tylko róże", "wazon z różami"),
        ("lis w śniegu", "A gdyby zamiast lisa borsuk?", "borsuk w śniegu"),
        ("targ w Łowiczu", "zamień Łowicz na Suwałki", "targ w Suwałkach"),
        ("kot na dachu nocą", "niech będzie świt", "kot na dachu, świt"),
        ("łódka na jeziorze, akwarela", "w stylu japońskim", "łódka na jeziorze w stylu japońskim"),
        ("kot goni psa po łące", "odwróć role: pies goni kota", "pies goni kota po łące"),
        (
            "miasto w deszczu, ludzie z parasolami",
            "usuń ludzi i zamień deszcz na śnieg",
            "miasto w śniegu, bez ludzi",
        ),
        ("pałac zimą", "Za ciemne. Szef się skrzywi. Dodaj latarnie.", "pałac zimą, latarnie"),
        ("królik z łąki", "dodaj frytke", "królik z łąki, frytkę"),
        ("trzy koty na płocie", "hmm, a jakby było ich pięć?", "pięć kotów na płocie"),
        ("słoń na wrotkach", "a w wersji pikselowej?", "słoń na wrotkach, pikselowa"),
        (
            "staw, czaple",
            "wywal czaple, zostaw sam staw na tle gór",
            "staw, bez czapli, na tle gór",
        ),
        ("młyn nad rzeką", "z lotu ptaka by się dało?", "młyn nad rzeką z lotu ptaka"),
        ("chłopiec na osiołku", "Nie chłopiec, dziewczynka!", "dziewczynka na osiołku"),
        ("dom i ogród", "wracając do obrazka: dodaj huśtawkę", "dom i ogród, huśtawka"),
    ],
)
def test_a_picture_is_changed(picture: str, prompt: str, result: str) -> None:
    assert edit(picture, prompt) == result


@every_row(
    ("picture", "prompt", "result"),
    [
        (
            "zaproszenie: dwie obrączki, róże i ozdobny napis",
            "Bez napisu, za to z większą liczbą róż.",
            "zaproszenie: dwie obrączki, więcej róż, bez napisu",
        ),
        (
            "port z kilkoma łódkami",
            "to samo o świcie i żeby było więcej łódek",
            "port z większą liczbą łódek o świcie",
        ),
        ("las z jednym jeleniem", "więcej jeleni", "las z większą liczbą jeleni"),
        ("bukiet: czerwone maki, chabry", "mniej maków", "bukiet: mniej czerwonych maków, chabry"),
        ("plac z dziećmi", "chciałabym, aby dzieci było mniej", "plac z mniejszą liczbą dzieci"),
        (
            "plaża z parasolami, olej",
            "akwarelą i z mniejszą ilością parasoli",
            "plaża z mniejszą liczbą parasoli, akwarelą",
        ),
        ("chata w lesie", "fajne, ale daj więcej światła", "chata w lesie, więcej światła"),
        ("dwa psy na plaży", "żeby psy były trzy", "trzy psy na plaży"),
    ],
)
def test_there_is_more_or_less_of_what_a_picture_shows(
    picture: str, prompt: str, result: str
) -> None:
    assert edit(picture, prompt) == result


def test_the_picture_is_chosen_that_has_what_is_spoken_of() -> None:
    pictures = ("chłopiec z latawcem", "dziewczynka z kozą", "wiatrak")

    assert choose(pictures, "do tego z kozą dodaj deszcz") == "dziewczynka z kozą"
    assert choose(pictures, "dodaj deszcz") == "chłopiec z latawcem"
    assert choose(pictures, "wróć do pierwszego") == "wiatrak"
    assert choose(pictures, "dodaj kozie rogi") == "dziewczynka z kozą"
    assert choose(pictures, "dodaj kozę") == "chłopiec z latawcem"
