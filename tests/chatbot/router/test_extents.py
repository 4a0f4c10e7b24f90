"""What belongs to a name is not left out of it, and what is only asked of it is."""

from scripted.tables import every_row

from chatbot.router.detector.topic import read_topics


@every_row(
    ("prompt", "topic"),
    [
        ("opowiedz o 27 Wołyńskiej Dywizji Piechoty", "27 Wołyńska Dywizja Piechoty"),
        ("gdzie walczył 2 Korpus Polski", "2 Korpus Polski"),
        ("co to jest zapalenie wątroby typu A", "zapalenie wątroby typu A"),
        ("jak się leczy cukrzycę typu 1", "cukrzyca typu 1"),
        ("co to jest hemofilia A", "hemofilia A"),
        ("na czym polega prawo popytu i podaży", "prawo popytu i podaży"),
        (
            "Czym zajmuje się Ministerstwo Rolnictwa i Rozwoju Wsi?",
            "Ministerstwo Rolnictwa i Rozwoju Wsi",
        ),
        ("jaką stolicę ma Bośnia i Hercegowina", "Bośnia i Hercegowina"),
        (
            "kto dostał Nagrodę Nobla w dziedzinie literatury",
            "Nagroda Nobla w dziedzinie literatury",
        ),
        ("Kto opracował szczepionkę przeciw gruźlicy?", "szczepionka przeciw gruźlicy"),
        ("kiedy przyjęto konwencję o prawach dziecka", "konwencja o prawach dziecka"),
        ("co to jest dom dla lalek", "dom dla lalek"),
        ("kiedy żył święty Antoni z Padwy", "święty Antoni z Padwy"),
        ("zasada zachowania pędu co mówi", "Zasada zachowania pędu"),
        ("co to jest długość fali", "długość fali"),
        ("czym jest gęstość zaludnienia", "gęstość zaludnienia"),
        ("co to takiego pierwsza prędkość kosmiczna", "pierwsza prędkość kosmiczna"),
        ("kiedy były zimowe igrzyska olimpijskie w Soczi", "zimowe igrzyska olimpijskie w Soczi"),
        ("gdzie były zimowe igrzyska olimpijskie 2014", "Zimowe Igrzyska Olimpijskie 2014"),
    ],
)
def test_a_name_keeps_what_belongs_to_it(prompt: str, topic: str) -> None:
    (found,) = read_topics(prompt)
    assert found[0].lower() + found[1:] == topic[0].lower() + topic[1:]


@every_row(
    ("prompt", "topics"),
    [
        ("jaka jest długość Wisły", ("Wisła",)),
        ("co oznacza symbol om", ("om",)),
        ("czym jest sama lichwa", ("lichwa",)),
        ("Gdzie leżą Kraków i Warszawa?", ("Kraków", "Warszawa")),
        ("kiedy zmarł Kopernik z Torunia", ("Mikołaj Kopernik",)),
    ],
)
def test_what_is_asked_or_stands_beside_is_left_out(prompt: str, topics: tuple[str, ...]) -> None:
    assert read_topics(prompt) == topics


@every_row(
    ("prompt", "topic"),
    [
        ("kiedy istniało królestwo polskie", "Królestwo Polskie"),
        ("dlaczego upadło cesarstwo zachodniorzymskie", "cesarstwo zachodniorzymskie"),
        ("opowiedz o rysiu iberyjskim", "ryś iberyjski"),
        ("jakie owoce daje dzika róża?", "dzika róża"),
        ("gdzie gra stal mielec", "Stal Mielec"),
        ("ile wyprodukowano Fiata 126p", "Fiat 126p"),
    ],
)
def test_only_names_have_capital_letters(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
