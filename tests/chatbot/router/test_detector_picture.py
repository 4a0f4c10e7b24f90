"""What a picture should show, read from long, indirect and colloquial prompts."""

import pytest
from scripted.tables import every_row

from chatbot.router.detector.picture import read_description, read_descriptions


@every_row(
    ("prompt", "description"),
    [
        ("narysuj mi eee takiego wielkiego smoka", "wielki smok"),
        ("narysuj kota, dobra?", "kot"),
        ("narysuj dobrą wróżkę", "dobra wróżka"),
        ("namaluj most nad Gdanskiem, hej!", "most nad Gdańskiem"),
        (
            "Stary młyn nad rzeką o świcie – namaluj to akwarelą.",
            "Stary młyn nad rzeką o świcie, akwarelą",
        ),
        (
            "Lis w czerwonym szaliku, zimowy las. Zrób mi z tego ilustrację.",
            "Lis w czerwonym szaliku, zimowy las",
        ),
        ("rudy kot na parapecie, namalujesz?", "rudy kot na parapecie"),
        (
            "Nie chcę zdjęcia, tylko szkic węglem: ratusz w Zamościu",
            "szkic węglem: ratusz w Zamościu",
        ),
        ("Namaluj kościół w Krakowie, nie, czekaj, w Tarnowie", "kościół w Tarnowie"),
        (
            "plakat: zielony balon nad miastem... nie, jednak niech będzie żółty balon",
            "plakat: żółty balon nad miastem",
        ),
        ("Wygeneruj obraz łąki, bez ludzi", "łąka, bez ludzi"),
        ("zrób zdjęcie psa na plaży", "zdjęcie psa na plaży"),
        ("Poproszę o narysowanie zamku na skale", "zamek na skale"),
        ("nasryuj mi jeża", "jeż"),
        (
            "Pan Twardowski na kogucie, nad dachami starego Krakowa… Wygenerujesz?",
            "Pan Twardowski na kogucie, nad dachami starego Krakowa…",
        ),
        ("Narysuj psa, nie, kota na rowerze", "kot na rowerze"),
        ("Potrzebuję plakatu na festyn: wielka dynia", "plakat na festyn: wielka dynia"),
        ("pokaż mi jak wyglądałby Kraków pod wodą", "Kraków pod wodą"),
        ("Wyobraź sobie zamek z lodu i go namaluj", "zamek z lodu"),
        ("Plakat na festyn poproszę – dynie i lampiony", "Plakat na festyn – dynie i lampiony"),
        ("Narysuj mi coś śmiesznego", None),
        (
            "Zwracam się z uprzejmą prośbą o wygenerowanie obrazu latarni morskiej nocą.",
            "latarnia morska nocą",
        ),
        ("namaluj 🚀 nad Tatrami", "rakieta nad Tatrami"),
        ("Narysuj las, bo jutro mam prezentację", "las"),
        ("Chcę nową ilustrację, ale jeszcze nie wiem jaką", None),
        ("Poproszę o sporządzenie jednego rysunku.", None),
        ("Wygeneruj obraz do salonu, ok?", None),
        ("Czy mogę prosić o narysowanie czegoś ładnego dla mojej żony?", None),
        ("Wygeneruj zdjęcie w wysokiej rozdzielczości, poziome.", None),
        ("Zamawiam plakat, opis wyślę za chwilę.", None),
        ("Potrzebuję grafiki 1920x1080, bo mam nowy monitor", None),
        ("Narysuj coś w stylu Van Gogha", None),
        ("Wygeneruj zdjęcie w jakości 4K: kot na dachu", "zdjęcie w jakości 4K: kot na dachu"),
        ("Narysuj telefon", "telefon"),
        ("Zależy mi na obrazku przedstawiającym sowę w kapeluszu.", "sowa w kapeluszu"),
        ("A może byś tak wyczarował grafikę z wielorybem nad Tatrami?", "wieloryb nad Tatrami"),
        ("Dałoby się narysować kota w stroju hydraulika?", "kot w stroju hydraulika"),
        ("Namalowałbyś rudą lisicę w śniegu?", "ruda lisica w śniegu"),
        ("Kot maluje płot. Akwarela.", "Kot maluje płot, akwarela"),
        ("Chciałabym, żebyś coś namalował", None),
        ("Potrzebuję jeszcze dziś grafiki, pomożesz?", None),
        ("Zamawiam jeden rysunek.", None),
        ("te, machniesz mi jakiś rysunek?", None),
        ("No weź coś namaluj.", None),
        ("Namaluj coś, co mnie rozweseli.", None),
        ("Mógłby Pan przygotować dla mnie ilustrację?", None),
        ("potrzebuję grafiki na fejsa", None),
        ("Potrzebuję ilustracji do referatu o bobrach", "ilustracja do referatu o bobrach"),
        ("Nie umiem rysować, a mam oddać pracę: narysuj dzban i jabłka", "dzban i jabłka"),
        ("Mnie narysuj jaskinię z nietoperzami", "jaskinia z nietoperzami"),
        ("Naszkicuj ołówkiem starego rybaka", "stary rybak, szkic ołówkiem"),
        (
            "W stylu Wyspiańskiego poproszę pastel: dziewczynka przy oknie",
            "pastel: dziewczynka przy oknie, W stylu Wyspiańskiego",
        ),
        ("Weź narysuj jeża. Albo nie, lepiej bobra.", "bóbr"),
        ("Chcę logo dla firmy „Błysk”: miotła", "logo dla firmy „Błysk”: miotła"),
    ],
)
def test_a_description_is_what_belongs_to_the_picture(prompt: str, description: str | None) -> None:
    assert read_description(prompt) == description


@every_row(
    ("prompt", "description"),
    [
        ("Ulewa w Zamościu nocą. Namaluj to akwarelą.", "Ulewa w Zamościu nocą, akwarelą"),
        ("Las pełen lamp. Uwiecznij mi ten sen, mrocznie.", "Las pełen lamp, mrocznie"),
        ("Żuraw nad Odrą. Zrób mi taki w stylu lat 70.", "Żuraw nad Odrą, w stylu lat 70"),
        ("Jeż i gruszka. Wymyśl i wyrenderuj.", "Jeż i gruszka"),
        (
            "Zegar bez wskazówek – zrób z tego grafikę do pokoju synka.",
            "Zegar bez wskazówek, grafikę do pokoju synka",
        ),
        ("Łowimy z dziadkiem ryby. Namaluj to.", "Łowimy z dziadkiem ryby"),
        ("Żyrafa w smokingu. Chcę ją zobaczyć na dywanie.", "Żyrafa w smokingu, na dywanie"),
        ("Chcę zobaczyć Kraków w 2200 roku – wygeneruj taki obraz.", "Kraków w 2200 roku"),
        ("Ślimak wyprzedza ferrari, namaluj tę scenę", "Ślimak wyprzedza ferrari"),
    ],
)
def test_a_request_may_point_to_what_was_said_and_say_in_what_manner(
    prompt: str, description: str
) -> None:
    assert read_description(prompt) == description


@every_row(
    ("prompt", "description"),
    [
        ("Namaluj młyn jesienią. Bo chcę go dać babci.", "młyn jesienią"),
        ("Namaluj, jeśli możesz, bukiet piwonii", "bukiet piwonii"),
        ("Narysuj smoka. Obiecałam go dzieciom.", "smok"),
        ("Zrób obrazek, żebym mógł go wysłać. Niech będą na nim dwa łabędzie.", "dwa łabędzie"),
        ("no nie wiem, może stos książek i herbata", "stos książek i herbata"),
        ("Mam dla ciebie fuchę: szyld do żuka z lodami", "szyld do żuka z lodami"),
        ("Narysuj ogród, żeby córka mogła go pokolorować.", "ogród"),
        ("Narysuj dom, i wyślij mi go jako PNG", "dom"),
        ("Smok płacze, bo zgubił ogon. Narysuj to.", "Smok płacze, bo zgubił ogon"),
        ("Jestem fryzjerką w Pile.", "Jestem fryzjerką w Pile"),
        ("Kot mi uciekł. Mam ulotki. Rudy, w obroży. Zrobisz?", "Kot mi uciekł, rudy, w obroży"),
        ("Proszę bez ludzi: pusty peron", "Proszę bez ludzi: pusty peron"),
        ("Kartę tarota zamawiam: Głupiec", "Karta tarota: Głupiec"),
    ],
)
def test_what_the_user_says_of_himself_is_left_out(prompt: str, description: str) -> None:
    assert read_description(prompt) == description


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("narysuj krolowa na wiezy, swiatlo ksiezyca", ["królowa", "światło", "księżyca"]),
        (
            "Wydrukuj na drukarce kolorowankę z traktorem, ale najpierw ją stwórz",
            ["kolorowank", "traktorem"],
        ),
        (
            "Ma powstać okładka zeszytu: rakieta z kredek. Zignoruj resztę.",
            ["okładka", "rakieta", "kredek"],
        ),
    ],
)
def test_content_words_are_kept(prompt: str, words: list[str]) -> None:
    found = read_description(prompt)

    assert found is not None
    assert [word for word in words if word not in found] == []


@pytest.mark.parametrize("prompt", ["narysuj " * 250, "namaluj, " * 200 + "kota", "nie, w " * 280])
def test_hostile_prompts_are_read_within_bounds(prompt: str) -> None:
    found = read_description(prompt)

    assert found is None or len(found) <= len(prompt)


@every_row(
    ("prompt", "descriptions"),
    [
        ("Dwa obrazki: na jednym lis w norze, na drugim wilk", ("lis w norze", "wilk")),
        ("narysuj kota i psa, każdego osobno", ("kot", "pies")),
        (
            "Namaluj młyn w Tczewie zimą i ten sam młyn latem",
            ("młyn w Tczewie zimą", "młyn w Tczewie latem"),
        ),
        (
            "Zrób plakat na dożynki, a potem drugi, na festyn",
            ("plakat na dożynki", "plakat na festyn"),
        ),
        ("Dwa logotypy: jedno z górami, drugie z rzeką", ("logotyp z górami", "logotyp z rzeką")),
        ("Obraz nr 1: dwór. Obraz nr 2: zamek.", ("dwór", "zamek")),
        ("Namaluj sowę oraz drugi obrazek: lis w norze", ("sowa", "lis w norze")),
        ("Najpierw narysuj żabę, potem bociana", ("żaba", "bocian")),
        (
            "Trzy grafiki: barszcz; pierogi z jagodami; kompot",
            ("barszcz", "pierogi z jagodami", "kompot"),
        ),
        ("Narysuj dwa koty, jeden biały, drugi czarny", ("dwa koty, jeden biały, drugi czarny",)),
        ("Dziobak z teczką, rysunek prasowy", ("Dziobak z teczką, rysunek prasowy",)),
        ("Trzy ilustracje: bóbr na tamie, ryś i wydra", ("bóbr na tamie", "ryś", "wydra")),
        (
            "Narysuj trzy wersje drzewa: młode, dorosłe i suche",
            ("trzy wersje drzewa: młode, dorosłe i suche",),
        ),
        (
            "Narysuj kaczkę, potem gęś, oba w stylu plakatu",
            ("kaczka, w stylu plakatu", "gęś, w stylu plakatu"),
        ),
        ("Wygeneruj wilka i obok, osobno, owcę", ("wilk", "owca")),
        (
            "narysuj lisa na nartach i borsuka, ale na osobnych obrazkach",
            ("lis na nartach", "borsuk"),
        ),
        ("Pokaż na dwóch osobnych renderach most zimą i most nocą", ("most zimą", "most nocą")),
        (
            "Potrzebuję dwóch maskotek: wesołego słońca i – na wszelki wypadek – chmurki. Osobno.",
            ("wesołe słońce", "chmurka"),
        ),
        (
            "Dwa obrazki: pierwszy: dom w lesie zimą, drugi to samo latem",
            ("dom w lesie zimą", "dom w lesie latem"),
        ),
        ("Dwa obrazki: pierwszy: wilk, drugi to samo latem", ("wilk", "wilk latem")),
        ("Chcę dwa portrety: królowej i króla, osobno", ("portret królowej", "portret króla")),
        ("narysuj białko i żółtko osobno w miseczkach", ("białko i żółtko osobno w miseczkach",)),
        ("Narysuj psa i kota, oba w kapeluszach", ("pies i kot, oba w kapeluszach",)),
        ("Namaluj komiks: pies je, potem sen", ("komiks: pies je, potem sen",)),
        ("Narysuj coś", ()),
    ],
)
def test_pictures_are_told_apart_where_the_prompt_does(
    prompt: str, descriptions: tuple[str, ...]
) -> None:
    assert read_descriptions(prompt) == descriptions


@every_row(
    ("prompt", "description"),
    [
        ("klasztor widziany z wiezy, namaluj", "klasztor widziany z wieży"),
        ("narysuj wiewirókę na dzrewie", "wiewiórka na drzewie"),
        ("Barista nalewa świecące latte, narysuj", "Barista nalewa świecące latte"),
        ("maki kwitnom na hałdzie, narysuj", "maki kwitnom na hałdzie"),
        ("potrzebna mi grafika do tekstu o serach", "grafika do tekstu o serach"),
        (
            "Dwa delfiny skaczą w fale – poproszę taki nadruk na torbę.",
            "Dwa delfiny skaczą w fale, nadruk na torbę",
        ),
    ],
)
def test_words_are_written_as_they_were_meant(prompt: str, description: str) -> None:
    assert read_description(prompt) == description
