"""The name itself within a likely topic: something is always left."""

from scripted.tables import every_row

from chatbot.router.detector.spans import split_words
from chatbot.router.detector.topic import read_topics
from chatbot.router.detector.trimming import named_after


def test_a_phrase_that_only_asks_leaves_a_topic_or_none() -> None:
    assert read_topics("Rok założenia?") in {(), ("rok założenia",), ("Rok założenia",)}


def test_an_author_told_by_a_work_is_the_topic() -> None:
    words = split_words("tego malarza od „Krzyku”, Muncha")

    assert named_after(words, (4, 5)) == (7, 8)
    assert named_after(words, (1, 2)) == (1, 2)


@every_row(
    ("prompt", "topic"),
    [
        ("Gdzie żył Steinhaus, autor „Kalejdoskopu matematycznego”?", "Hugo Steinhaus"),
        ("Kiedy umarł Munch, ten od „Krzyku”?", "Edvard Munch"),
        ("Gdzie urodziła się Szymborska (ta od „Kota”)?", "Wisława Szymborska"),
        ("Kim jest autor „Lalki”?", "Lalka"),
        ("Nie chodzi mi o pogodę w Helu, tylko o to, ilu ma mieszkańców", "Hel"),
        ("Kto z pasażerów sterowca Hindenburg przeżył?", "Hindenburg"),
        ("W Buczaczu król zgodził się płacić. Jakie warunki miał ten pokój?", "pokój w Buczaczu"),
        ("ktory chemik pierwszy otrzymal czysty fluor i czy to przezyl", "fluor"),
        ("gdzie kręcą się akcja „Wesela” Wyspiańskiego", "Wesele"),
        ("Kiedy AK zaczęła akcję „Burza”?", "akcja „Burza”"),
        ("Ziemia Franciszka Józefa – ile ma wysp?", "Ziemia Franciszka Józefa"),
        ("kto reżyserował rejs z Maklakiewiczem i Himilsbachem", "Rejs"),
        ("kto reżyserował film z Himilsbachem", "Jan Himilsbach"),
        ("W jakim kraju płaci się lempirą?", "lempira"),
        ("Pod Kircholmem wygrał Chodkiewicz, ale kiedy?", "bitwa pod Kircholmem"),
        ("Co się stało pod Wiedniem w 1683?", "bitwa pod Wiedniem"),
        ("akcja pod Arsenałem - kto dowodził", "akcja pod Arsenałem"),
        ("Co to są liczby zesploone", "liczby zespolone"),
        ("Powierzhcnia Luksemburga ile to jest", "Luksemburg"),
        ("O czym jest „Rok 1984” Orwella?", "Rok 1984"),
        ("Z jakiego powodu zawalił się most w Genui w 2018?", "most w Genui"),
        ("kto wygrał wybory w 1995", "wybory w 1995"),
        ("Padło nazwisko Ordonki, o kogo chodzi?", "Ordonka"),
        ("Co się stało pod Smoleńskiem w 2010?", "Smoleńsk"),
        ("Jak nazywa się najwyższy wodospad świata?", "najwyższy wodospad świata"),
        ("gdzie rozegrano zimowe igrzyska w 1994?", "zimowe igrzyska w 1994"),
        ("Kto wygrał mistrzostwa świata w 1998 roku?", "mistrzostwa świata w 1998 roku"),
        ("gdzie umarł kompozytor od „Czterech pór roku”?", "Cztery pory roku"),
        ("Kiedy zmarł Lem?", "Stanisław Lem"),
        ("Co ustalono w Lublinie w 1569? Chodzi o tę unię realną.", "unia realna w Lublinie"),
        ("Co postanowili alianci w Jałcie?", "konferencja w Jałcie"),
        ("Który kontynent ma najwięcej państw?", "kontynent z największą liczbą państw"),
        ("Która planeta ma najwyższą temperaturę?", "planeta o najwyższej temperaturze"),
        ("W którym roku nadano prawa miejskie Szydłowcowi?", "Szydłowiec"),
        ("Jaka jest defincja liczby pierwszej", "liczba pierwsza"),
        ("Z którego roku jest obecny kodeks pracy?", "kodeks pracy"),
        ("opowiedz o sporze o Spisz", "spór o Spisz"),
        (
            "Gdzie leży najstarsze czynne schronisko tatrzańskie?",
            "najstarsze czynne schronisko tatrzańskie",
        ),
        ("Brat Jana Kochanowskiego też pisał. A ile dzieci miał Kochanowski?", "Jan Kochanowski"),
        ("co to jest zespół Guillaina-Barrégo", "zespół Guillaina-Barrégo"),
    ],
)
def test_a_name_is_taken_whole_without_what_stands_beside_it(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("gdzie jest pochowany norwid", "Cyprian Kamil Norwid"),
        ("opowiedz o generale Bemie", "Józef Bem"),
        ("kiedy urodził się Messi", "Lionel Messi"),
        ("Ile miał żon Bolesław Chrobry?", "Bolesław I Chrobry"),
        ("ile nobli dostała skłodowska", "Maria Skłodowska-Curie"),
        ("kiedy panował Henryk VIII", "Henryk VIII"),
        ("kto zagrał główną rolę w Oppenheimerze", "Oppenheimer"),
        ("Ile osób mieszka w Luksemburgu?", "Luksemburg"),
        ("kiedy założono Teslę", "Tesla"),
    ],
)
def test_what_only_one_well_known_person_is_called_is_said_in_full(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)
