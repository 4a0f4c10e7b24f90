"""What looks like a request for a picture and is one for words, code or something else."""

from chatbot.router.detector.picture import asks_for_other

FOR_WORDS = (
    "wygeneruj imiona dla kociaków",
    "zaprojektuj trasę wycieczki po Kaszubach",
    "oceń mój pomysł na logo: sowa w okularach",
    "podpisz obrazek: kot śpi na klawiaturze",
    "Ile ma kosztować pocztówka z widokiem Sopotu?",
    "namaluj słowem burzę na morzu",
    "zilustruj mi regułę trzech na zadaniu",
    "szkic maila do dewelopera",
    "Namaluj mi obraz sytuacji na rynku nieruchomości",
    "Kolorowanki antystresowe naprawdę pomagają?",
    "ikona na pulpicie mi znikła",
    "Rysuję komiks o psie detektywie, podrzuć fabułę",
    "wyobraź sobie kota w kapeluszu. jak by miał na imię?",
    "pokaż mi zdjęcie Roberta Lewandowskiego",
)
PICTURES = (
    "narysuj ucznia, który pisze wypracowanie",
    "plakat, gdzie kot gra na trąbce",
    "plakat „Czy umyłeś ręce?” z mydłem",
    "nie opisuj mi tego słowami, tylko narysuj łabędzia",
    "wyobraź sobie miasto na drzewach, jak by wyglądało? namaluj",
    "pokaż zdjęcie kota w kapeluszu",
    "wygeneruj zdjęcie Giewontu",
    "obraz rynku w Krakowie",
    "Robię album, narysuj mi okładkę: jak kot patrzy w okno",
    "zrób listę... nie, zrób obrazek: kot czyta",
)


def test_words_code_and_talk_about_pictures_are_no_picture() -> None:
    assert [prompt for prompt in FOR_WORDS if not asks_for_other(prompt)] == []


def test_pictures_that_only_name_such_things_stay_pictures() -> None:
    assert [prompt for prompt in PICTURES if asks_for_other(prompt)] == []
