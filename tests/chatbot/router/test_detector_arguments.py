"""Places, days, topics and descriptions, read from prompts in their base form."""

from datetime import date
from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.router.detector.editions import read_language
from chatbot.router.detector.picture import read_description
from chatbot.router.detector.places import find_places
from chatbot.router.detector.speech import in_small_letters
from chatbot.router.detector.topic import read_topic, read_topics
from chatbot.router.detector.weather import find_days, read_weather


@every_row(
    ("prompt", "places"),
    [
        ("Czy w Lądku-Zdroju pada?", ("Lądek-Zdrój",)),
        ("pogoda w bielsku-białej", ("Bielsko-Biała",)),
        ("jaka pogoda w zielonej gorze jutro", ("Zielona Góra",)),
        ("Jaka pogoda w Ostrowcu Świętokrzyskim?", ("Ostrowiec Świętokrzyski",)),
        ("pogoda w Gdańsku, Gdyni i Sopocie", ("Gdańsk", "Gdynia", "Sopot")),
        ("Pogoda Gliwice jutro", ("Gliwice",)),
        ("Warszawa - pada?", ("Warszawa",)),
        ("pogoda hel", ("Hel",)),
        ("Jadę z Krakowa do Gdańska, jaka tam pogoda?", ("Gdańsk",)),
        ("Jaka pogoda w okolicach Radomia?", ("Radom",)),
        ("Jak jest z pogodą nad Wisłą w Toruniu?", ("Toruń",)),
        ("Czy w Wiedniu jest cieplej niż w Pradze?", ("Wiedeń", "Praga")),
        ("Mieszkam w Radomiu, ale będę w Kielcach. Jaka tam będzie pogoda?", ("Kielce",)),
        ("Czy w sobotę będzie padać?", ()),
        ("Czy na dworze jest zimno?", ()),
        ("Lecę w piątek do Rzymu, jak tam z pogodą?", ("Rzym",)),
        ("pogoda nie w Krakowie, tylko w Tarnowie", ("Tarnów",)),
        ("jaka pogoda w Łodzi, nie, w Radomiu", ("Radom",)),
        ("Chodzi o Dąbrowę Górniczą, nie Tarnowską. Pada?", ("Dąbrowa Górnicza",)),
        ("Zamiast do Ustki jedziemy do Łeby, wieje?", ("Łeba",)),
        ("W Ustce koło Słupska mocno wieje?", ("Ustka",)),
        ("Jestem w Krakowie, jutro jadę do Gdańska. Będzie tam padać?", ("Gdańsk",)),
        ("Mieszkam w Radomiu, ale jutro jestem w Płocku. Ciepło będzie?", ("Płock",)),
        ("Jadę w Bieszczady, do Wetliny, w piątek. Zmoknę?", ("Wetlina",)),
        ("Na Stadionie Śląskim w Chorzowie zmoknę?", ("Chorzów",)),
        ("Wrocław, Krzyki, pada?", ("Krzyki",)),
        ("Porównaj pogodę: Sopot, Ustka, Łeba", ("Sopot", "Ustka", "Łeba")),
        ("Na trasie Kraków – Zakopane ślisko?", ("Kraków", "Zakopane")),
        ("W Warszwie pada?", ("Warszawa",)),
        ("Szklraska Poręba, jest śnieg?", ("Szklarska Poręba",)),
        ("parasol w stolicy potrzebny?", ("Warszawa",)),
        ("Jak tam w stolicy Francji, leje?", ("Paryż",)),
        ("w grodzie Kraka dziś mróz?", ("Kraków",)),
        ("Wawa czy Wrocek – gdzie dziś mniej pada?", ("Warszawa", "Wrocław")),
        ("weather in Warsaw today pls", ("Warszawa",)),
        ("Na Kasprowym wieje?", ("Kasprowy Wierch",)),
        ("na krakowskim rynku jest ślisko?", ("Kraków",)),
        ("w kole pada", ("Koło",)),
        ("Czy w Nowej Soli sypie?", ("Nowa Sól",)),
        ("dla Ani: pogoda w Ełku", ("Ełk",)),
        ("czy brać parasol do woli", ()),
        ("jest ślisko na górze?", ()),
        ("na brzegu mocno wieje?", ()),
        ("Napisz coś dla Kasi o deszczu", ()),
        ("w ten piątek mróz?", ()),
        ("Jakie warunki na trasie Zakopane–Kraków?", ("Zakopane", "Kraków")),
        ("W Sopocie pada? A w Gdyni?", ("Sopot", "Gdynia")),
        ("W Mikołajki (6 grudnia) będę w Gnieźnie, zmarznę?", ("Gniezno",)),
        ("Wieje w Mikołajkach?", ("Mikołajki",)),
    ],
)
def test_places_are_found_in_their_base_form(prompt: str, places: tuple[str, ...]) -> None:
    assert find_places(prompt) == places


@every_row(
    ("prompt", "days"),
    [
        ("Pada?", ()),
        ("jutro w Łodzi", ("tomorrow",)),
        ("w sobotę i niedzielę", ("weekend",)),
        ("dziś i jutro w Tarnowie", ("today", "tomorrow")),
        ("w najbliższych dniach", ("next_days",)),
        ("w piątek – nie, przełożyli na sobotę", ("saturday",)),
        ("nie jutro, tylko w środę", ("wednesday",)),
        ("od poniedziałku do środy", ("monday", "tuesday", "wednesday")),
        ("dzisiej bydzie loło?", ("today",)),
        ("jturo deszcz?", ("tomorrow",)),
        ("w pnoiedziałek? nie, we wotrek", ("tuesday",)),
        ("wieczorem pada?", ("today",)),
        ("nad ranem przymrozek?", ("tomorrow",)),
        ("wczoraj lało, a w niedzielę?", ("sunday",)),
        ("prognoza 10-dniowa", ("next_days",)),
        ("jutro... a nie, pojutrze", ("day_after_tomorrow",)),
        ("w dniach 27–29 listopada", ("--11-27", "--11-29")),
    ],
)
def test_days_are_found(prompt: str, days: tuple[str, ...]) -> None:
    assert find_days(prompt) == days


def test_each_place_takes_the_day_of_its_own_part() -> None:
    asked = "w Gdańsku jutro, a w Sopocie w piątek jaka pogoda?"
    assert read_weather(asked) == (
        {"city": "Gdańsk", "day": "tomorrow"},
        {"city": "Sopot", "day": "friday"},
    )


def test_dates_that_share_a_month_are_all_days_between() -> None:
    today = date(2026, 11, 22)
    days = ("2026-11-27", "2026-11-28", "2026-11-29")
    assert find_days("prognoza na 27–29 listopada", today=today) == days


def test_several_places_share_several_days() -> None:
    calls = read_weather("Pogoda w Łodzi i w Radomiu jutro i pojutrze")
    assert [(call["city"], call["day"]) for call in calls] == [
        ("Łódź", "tomorrow"),
        ("Łódź", "day_after_tomorrow"),
        ("Radom", "tomorrow"),
        ("Radom", "day_after_tomorrow"),
    ]


def test_what_a_quotation_names_is_not_asked_about() -> None:
    asked = "Kolega pisze: „W Zakopanem leje od rana, a w Tatrach burza”. A w Krośnie pada?"
    assert find_places(asked) == ("Krosno",)
    assert find_places("„Mecz w Pile jutro o 17” – zmokniemy?") == ("Piła",)


def test_a_past_day_is_named_so_that_it_can_be_refused() -> None:
    assert find_days("Jaka była wczoraj pogoda?", today=date(2026, 3, 1)) == ("2026-02-28",)
    assert find_days("Wczoraj lało, a jutro?", today=date(2026, 3, 1)) == ("tomorrow",)


@every_row(
    ("prompt", "topic"),
    [
        ("Kim była Irena Sendlerowa?", "Irena Sendlerowa"),
        ("kim byl tadeusz kosciuszko", "Tadeusz Kościuszko"),
        ("Co to jest fotosynteza?", "fotosynteza"),
        ("Kiedy wybuchło powstanie warszawskie?", "powstanie warszawskie"),
        ("Opowiedz mi o Marii Skłodowskiej-Curie", "Maria Skłodowska-Curie"),
        ("Powiedz coś o bitwie pod Wiedniem", "bitwa pod Wiedniem"),
        ("Kto napisał „Lalkę”?", "Lalka"),
        ("Kto odkrył Amerykę?", "Ameryka"),
        ("Podaj życiorys Fryderyka Chopina", "Fryderyk Chopin"),
        ("Gdzie leży Machu Picchu?", "Machu Picchu"),
        ("irena sendlerowa kto to", "Irena Sendlerowa"),
        ("Ile żon miał Henryk VIII?", "Henryk VIII"),
        ("Gdzie mieszkają lemury?", "lemur"),
        ("Który szczyt w Polsce jest najwyższy?", "najwyższy szczyt w Polsce"),
        ("Kim był Stefan Żeromski i co napisał?", "Stefan Żeromski"),
        ("Wyjaśnij mi, co to jest inflacja", "inflacja"),
        ("Sprawdź w Wikipedii hasło entropia", "entropia"),
        ("Kim byli Piastowie?", "Piastowie"),
        ("Czy znasz Kraków?", "Kraków"),
        ("Opisz krótko historię Gdańska", "historia Gdańska"),
        ("jak dziala silnik diesla", "silnik Diesla"),
        ("czym sie rozni mitoza od mejozy", "mitoza"),
        ("Kiedy się urodziła?", None),
        ("ilu tam mieszka ludzi, sprawdz", None),
        ("Jak nazywa się stolica tego kraju?", None),
        ("Kim był ten gość z telewizji", None),
        ("Proszę o wyszukanie hasła encyklopedycznego.", None),
        ("Ile ona ma lat? Sprawdź w Wikipedii.", None),
        ("Kto jest jego autorem?", None),
        ("Jaki jest najwyższy budynek w tym mieście?", None),
        ("Podaj mi datę tej bitwy.", None),
        ("Złoty podział, co to właściwie jest i kto go pierwszy opisał?", "Złoty podział"),
        ("Kiedy powstał ten zamek w Malborku?", "zamek w Malborku"),
        ("?", None),
    ],
)
def test_the_topic_of_a_question_is_read_in_its_base_form(prompt: str, topic: str | None) -> None:
    assert read_topic(prompt) == topic


@every_row(
    ("prompt", "description"),
    [
        ("Wygeneruj obraz psa i kota", "pies i kot"),
        ("Narysuj kota, psa i papugę", "kot, pies i papuga"),
        ("Narysuj kota w kapeluszu", "kot w kapeluszu"),
        ("Stwórz ilustrację smoka wawelskiego", "smok wawelski"),
        ("Poproszę obrazek przedstawiający górski krajobraz", "górski krajobraz"),
        ("Zrób mi grafikę z robotem grającym w szachy", "robot grający w szachy"),
        ("Narysuj żyrafę w szaliku jedzącą lody", "żyrafa w szaliku jedząca lody"),
        ("Utwórz obraz, na którym astronauta jedzie na rowerze", "astronauta jedzie na rowerze"),
        ("Wygeneruj grafikę: futurystyczne miasto nocą", "futurystyczne miasto nocą"),
        ("Zaprojektuj logo dla piekarni", "logo dla piekarni"),
        ("Umiesz rysować? Narysuj słonia", "słoń"),
        ("Czy możesz narysować stary młyn nad rzeką?", "stary młyn nad rzeką"),
        ("Namaluj coś", None),
        ("Wygeneruj obraz", None),
    ],
)
def test_a_description_keeps_every_word_in_its_base_form(
    prompt: str, description: str | None
) -> None:
    assert read_description(prompt) == description


@every_row(
    ("prompt", "topic"),
    [
        ("data urodzenia Mikołaja Kopernika", "Mikołaj Kopernik"),
        ("Podaj datę wybuchu I wojny światowej.", "I wojna światowa"),
        ("Kto ustanowił Dzień Nauczyciela?", "Dzień Nauczyciela"),
        ("W jakim roku uchwalono Konstytucję 3 maja?", "Konstytucja 3 maja"),
        ("Kto zagrał główną rolę w filmie „Pianista”?", "Pianista"),
        ("o czym jest „Wesele” Wyspiańskiego", "Wesele"),
        ("Jaki był przebieg bitwy pod Cedynią?", "bitwa pod Cedynią"),
        ("Kiedy urodził się kompozytor Krzysztof Penderecki?", "Krzysztof Penderecki"),
        ("Gdzie jest pochowany Juliusz Słowacki?", "Juliusz Słowacki"),
        ("Kim była Emilia Plater, ta od powstania?", "Emilia Plater"),
        ("Kto wynalazł dynamit i na co wydał majątek?", "dynamit"),
        ("Jaką najwyższą falę zmierzono na stacji Arctowski?", "stacja Arctowski"),
        ("Uprzejmie proszę o wskazanie roku powstania Ossolineum.", "Ossolineum"),
        ("Zajrzyj do wiki i sprawdź, kiedy założono Toruń.", "Toruń"),
        ("Pamiętasz Enigmę? Kto ją złamał?", "Enigma"),
        ("Jestem w szkole i mam zadanie: kim był Stefan Batory?", "Stefan Batory"),
        ("kto to był ten aktor no ten Francuz Jean Reno", "Jean Reno"),
        ("Kaj leży Istebna?", "Istebna"),
        ("Keidy powstał Wrocław?", "Wrocław"),
        ("kiedy zyl wybicki", "Józef Wybicki"),
        ("opowiedz o klubie ruch chorzow", "Ruch Chorzów"),
        ("Jaki gatunek to Felis catus?", "Felis catus"),
        ("jaka jest wysokosc mount everestu", "Mount Everest"),
        ("Co to gżegżółka 🐦", "gżegżółka"),
        ("Podaj mi proszę liczbę ludności Białegostoku", "Białystok"),
        ("Kto był żoną Władysława Jagiełły?", "Władysław II Jagiełło"),
        ("kto wymyslil teorie wzglednosci", "teoria względności"),
        ("ile km od ziemi jest ksiezyc", "księżyc"),
        ("Dostałem książkę Lema. Kiedy on się urodził?", "Stanisław Lem"),
        ("Nie pytam o pogodę w Sopocie, tylko kiedy powstało molo w Sopocie.", "molo w Sopocie"),
        ("Ile osób zmarło na dżumę w XIV wieku?", "dżuma"),
        ("Jaki język urzędowy obowiązuje w Brazylii?", "Brazylia"),
        ("kim byl boleslaw krzywousty", "Bolesław III Krzywousty"),
        ("co to jest 5G", "5G"),
        ("Kasia ma pytanie: jak wysoka jest żyrafa?", "żyrafa"),
        ("Wrocław: ile ma mostów?", "Wrocław"),
        ("Ola mówi, że bociany śpią. To prawda? Gdzie zimują bociany?", "bociany"),
        ("Do prezentacji: czym jest tęcza?", "tęcza"),
        ("Do szkoły:, Czym jest tęcza (z Wikipedii).", "tęcza"),
        ("Jak wysoka jest Śnieżka?", "Śnieżka"),
        ("Kowalewska Zofia – kim była?", "Zofia Kowalewska"),
        ("kim był Franciszek z Asyżu", "Franciszek z Asyżu"),
        ("Co jest stolicą Peru?", "Peru"),
        ("za co dostal nobla sienkiewicz", "Henryk Sienkiewicz"),
        ("z jakiego kraju pochodzi zespół A-ha", "A-ha"),
        ("po kim nazwano zespół Cushinga", "zespół Cushinga"),
        ("Masa elektronu?", "elektron"),
        ("mol w chemii - definicja prosta", "mol"),
        ("leukocyty norma i co to", "leukocyt"),
        ("rozejm w Compiègne 1918, na jak długo", "rozejm w Compiègne"),
        ("Kto jest autorem „Szatana z siódmej klasy”?", "Szatan z siódmej klasy"),
        ("Na słoiku stoi: „zawiera karagen (E407)”. Czym jest ten karagen?", "karagen"),
        ("wojna o sukcesję hiszpańską kiedy i dlaczego", "wojna o sukcesję hiszpańską"),
        ("Kto w ogóle zaczął pierwszą wojnę opiumową?", "I wojna opiumowa"),
        ("Kim byla Jadwiga Jedrzejowska?", "Jadwiga Jędrzejowska"),
        ("ustroj polityczny bhutanu?", "Bhutan"),
        ("ile ofiar pochlonal potop szwedzki", "potop szwedzki"),
        ("Syn pyta, kto wynalazł żarówkę", "żarówka"),
        ("Nie wiem, kim jest Banksy, sprawdzisz?", "Banksy"),
        ("Czyją żoną była Bona Sforza?", "Bona Sforza"),
        ("kto spiewa bohemian rhapsody", "Bohemian Rhapsody"),
    ],
)
def test_what_is_asked_of_the_topic_is_left_out(prompt: str, topic: str) -> None:
    assert read_topic(prompt) == topic


@every_row(
    ("prompt", "topics"),
    [
        ("Ilu mieszkańców mają Radom i Kielce?", ("Radom", "Kielce")),
        ("Kiedy żyli Henryk Sienkiewicz i Bolesław Prus?", ("Henryk Sienkiewicz", "Bolesław Prus")),
        ("Kto napisał „Ferdydurke”, a kto „Pana Tadeusza”?", ("Ferdydurke", "Pan Tadeusz")),
        ("Kim byli Romeo i Julia?", ("Romeo i Julia",)),
        ("Kto odkrył Amerykę, a kto Australię?", ("Ameryka", "Australia")),
        ("Kim był Banach, a kim Ulam?", ("Stefan Banach", "Stanisław Ulam")),
        ("Kiedy powstała Gdynia, a kiedy Nowa Huta?", ("Gdynia", "Nowa Huta")),
        ("Ile mieszkańców mają Kielce, a ile Radom?", ("Kielce", "Radom")),
        ("Jaka jest stolica Mongolii, no i Kirgistanu?", ("Mongolia", "Kirgistan")),
        ("kiedy założono wrocław i poznań", ("Wrocław", "Poznań")),
        ("Coś o Kazimierzu Dolnym, a potem o Nałęczowie.", ("Kazimierz Dolny", "Nałęczów")),
        ("Która z rzek jest dłuższa: Pilica czy Wieprz?", ("Pilica", "Wieprz")),
        ("Czy żubr i bizon to ten sam gatunek?", ("żubr", "bizon")),
        ("Czym się różni krążownik od pancernika?", ("krążownik", "pancernik")),
        (
            "Jaka jest różnica wieku między Krzysztofem Pendereckim a Wojciechem Kilarem?",
            ("Krzysztof Penderecki", "Wojciech Kilar"),
        ),
        ("czym jest plutonizm a czym neptunizm, bo mam z tego test", ("plutonizm", "neptunizm")),
        (
            "Kim byli Bolesław Chrobry, Rycheza i Mieszko II?",
            ("Bolesław I Chrobry", "Rycheza Lotaryńska", "Mieszko II"),
        ),
        ("Znajdź artykuł o Gdyni i artykuł o Sopocie", ("Gdynia", "Sopot")),
        ("Wikipedia: Tatry, Pieniny, Gorce", ("Tatry", "Pieniny", "Gorce")),
        (
            "Poszukaj w Wikipedii haseł: Irena Sendlerowa, Janusz Korczak.",
            ("Irena Sendlerowa", "Janusz Korczak"),
        ),
        ("Czym są stalaktyty, stalagmity i kaktusy?", ("stalaktyt", "stalagmit", "kaktus")),
        ("Co to jest mitoza, a co to mejoza? Może być z Wikipedii.", ("mitoza", "mejoza")),
        ("Joyce był Irlandczykiem? W jakim mieście dzieje się „Ulisses”?", ("Ulisses",)),
        ("Dlaczego poloniści uwielbiają „Inny świat”? Kto go napisał, Borowski?", ("Inny świat",)),
        ("Skąd się wzięły Żuławy Wiślane, skąd ta ziemia na Żuławach?", ("Żuławy Wiślane",)),
        ("Kiedy zbudowano Pałac Kultury i Nauki?", ("Pałac Kultury i Nauki",)),
        ("Czy możesz sprawdzić coś w Wikipedii?", ()),
        ("Sprawdzisz mi w encyklopedii jedno nazwisko?", ()),
        ("Szukam hasła o takiej jednej bitwie.", ()),
        ("opowiedz mi o jakimś ciekawym mieście", ()),
    ],
)
def test_several_topics_are_told_from_one(prompt: str, topics: tuple[str, ...]) -> None:
    assert read_topics(prompt) == topics


@pytest.mark.parametrize(
    ("prompt", "topic"),
    [
        ("Do kiedy produkowano trabanty?", "trabant"),
        ("Kiedy bito talary?", "talar"),
        ("kim byli cichociemni", "cichociemni"),
        ("do czego służyły dyby", "dyby"),
    ],
)
def test_things_of_a_kind_are_one_of_it(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "language"),
    [
        ("Pokaż mi artykuł o Tatrach po angielsku", "en"),
        ("Znajdź w niemieckiej Wikipedii hasło Poznań", "de"),
        ("de wiki: Breslau", "de"),
        ("Co o Egerze pisze węgierska Wikipedia?", "hu"),
        ("English version of the article o Wawelu", "en"),
        ("Co to jest język angielski?", None),
        ("Jansson pisała po fińsku czy po szwedzku?", None),
        ("po jakiemu mówił, po polsku czy po niemiecku?", None),
        ("Co mają u siebie Czesi? Zajrzyj do ich Wikipedii, hasło Lada", "cs"),
        ("Co Niemcy u siebie na Wikipedii mają o Koperniku?", "de"),
    ],
)
def test_another_edition_is_read(prompt: str, language: str | None) -> None:
    assert read_language(prompt) == language


def _table() -> list[tuple[str, str]]:
    lines = (Path(__file__).parent / "detector_topics.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split(" => ") for line in lines if line and not line.startswith("#"))
    return [(prompt.replace("\\n", "\n"), topic) for prompt, topic in rows]


@every_row(("prompt", "topic"), _table())
def test_everyday_questions_give_one_topic(prompt: str, topic: str) -> None:
    assert read_topics(prompt) == (topic,)


@every_row(
    ("prompt", "topic"),
    [
        ("Ile pucharów zdobyła Justyna Kowalczyk?", "Justyna Kowalczyk"),
        ("Mówią, że Halina Poświatowska mało pisała. Skąd ona jest?", "Halina Poświatowska"),
        ("długość Bzury", "Bzura"),
        ("KIM BYŁ WITOLD PILECKI?", "Witold Pilecki"),
        ("kto wygrał bitwę pod Obertynem", "bitwa pod Obertynem"),
    ],
)
def test_the_case_of_a_topic_is_told_by_what_stands_around_it(prompt: str, topic: str) -> None:
    assert read_topic(in_small_letters(prompt)) == topic
