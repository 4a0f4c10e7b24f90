"""What a people made, what stands at a place, what was said last."""

from scripted.tables import every_row

from chatbot.router.detector.topic import read_topics


@every_row(
    ("prompt", "topic"),
    [
        ("Z czego Indianie robili tomahawki?", "tomahawk"),
        ("Skąd Turcy wzięli baklawę?", "baklawa"),
        ("Jak Eskimosi budowali igloo?", "igloo"),
        ("Gdzie Ajnowie mieszkają?", "Ajnowie"),
    ],
)
def test_what_a_people_made_is_asked_about(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("Kto zbudował w Krakowie Barbakan?", "Barbakan"),
        ("Skąd wzięli się na Litwie Karaimowie?", "Karaimowie"),
        ("Ilu jest w Polsce Tatarów?", "Tatarzy"),
        ("ile ludzi mieszka w Nowej Soli", "Nowa Sól"),
    ],
)
def test_a_place_before_the_thing_is_left_out(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("masa Ziemi", "Ziemia"),
        ("gęstość zaludnienia Bangladeszu", "Bangladesz"),
        ("barwa płomienia sodu", "sód"),
        ("liczba izotopów trwałych cyny", "cyna"),
        ("Wyznawcy zoroastryzmu — ilu ich jest?", "zoroastryzm"),
        ("Kanada język urzędowy", "Kanada"),
        ("skąd jest piwo Guinness", "Guinness"),
        ("gdzie jest wodospad siklawa", "siklawa"),
        ("gdzie jest wodospad Wielka Siklawa", "Wielka Siklawa"),
        ("wymień autora „roku 1984”", "Rok 1984"),
        ("co to jest temperatura wrzenia", "temperatura wrzenia"),
    ],
)
def test_measures_and_kinds_are_left_out(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("co to jest kolokacja... a nie, kolumbarium", "kolumbarium"),
        ("Kim był Wokulski? Albo nie, powiedz, kto napisał „Lalkę”.", "Lalka"),
        ("co to jest chusta, ten hidżab", "hidżab"),
        ("co to jest fregata, ten ptak", "fregata"),
        ("Co to jest żupan, ten szlachecki?", "żupan"),
        ("co jadł dinozaur... ok, kiedy wikingowie dotarli do Anglii", "wikingowie"),
        ("Kiedy umarł Bach? Albo nie, kiedy umarł Chopin?", "Fryderyk Chopin"),
    ],
)
def test_what_is_said_last_is_meant(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
