"""Places and days of whole prompts about the weather, with what each is judged by."""

from datetime import date

import pytest
from scripted.tables import every_row

from chatbot.router.detector.weather import read_weather

_SUNDAY = date(2026, 11, 22)


@every_row(
    ("prompt", "cities"),
    [
        ("Jaka jutro pogoda w Mucznem?", ["Muczne"]),
        ("pogoda w Mariańskich Łaźniach", ["Mariańskie Łaźnie"]),
        ("Będzie padać w Kutnej Horze?", ["Kutna Hora"]),
        ("Sołectwo Stare Pole ma dożynki, proszę o prognozę", ["Stare Pole"]),
        ("Spływ w Sromowcach Niżnych w sobotę, jakie warunki?", ["Sromowce Niżne"]),
        ("Ile stopni w Radomiu i ile w Kutnie?", ["Radom", "Kutno"]),
        ("Jadę do Płocka, Sierpca, a na końcu do Rypina. Zmoknę?", ["Płock", "Sierpc", "Rypin"]),
        ("Nie pytam o Toruń, tylko o Nakło: wieje?", ["Nakło"]),
        ("Rejs z Zadaru po Chorwacji. Co pokazują w Splicie?", ["Split"]),
        ("pada w sielpi?", ["Sielpia"]),
        ("Cześć, jestem Bartek, wieje?", []),
        ("pogoda w Wawie, czyli w Warszawie", ["Warszawa"]),
        ("ile stopni w Nowej Iwicznej", ["Nowa Iwiczna"]),
        ("Czy w Bielanach Wrocławskich pada?", ["Bielany Wrocławskie"]),
        ("Czy na Woli Duchackiej pada?", ["Wola Duchacka"]),
        ("Na Woli mróz?", ["Wola"]),
        ("A na Ochocie dziś wieczorkiem, kropi coś?", ["Ochota"]),
        ("czy brać do woli parasoli", []),
        ("u mnie na Pradze Południe słońce grzeje", ["Praga-Południe"]),
        ("na Pradze Północ pada?", ["Praga-Północ"]),
        ("Pada w Nieborowie?", ["Nieborów"]),
        ("Termosik na mecz w Niecieczy – przyda się?", ["Nieciecza"]),
        ("Mieszkamy w Piotrkowie. Uspokoisz mnie jakoś prognozą?", ["Piotrków"]),
        ("Grad w Tomaszowie ma być, prawda to?", ["Tomaszów"]),
        ("Czy w Tomaszowie Lubelskim pada?", ["Tomaszów Lubelski"]),
        ("Wiatr w Janowie Podlaskim?", ["Janów Podlaski"]),
        ("Dobra, jaka pogoda jutro?", []),
        ("Dobra, a jutro w Łebie pada?", ["Łeba"]),
        ("jaka pogoda na piątek", []),
        ("W Krakwoie pada?", ["Kraków"]),
        ("w Wraszawie pada?", ["Warszawa"]),
        ("15:00, nad Jeziorem Żywieckim, deska SUP. Wiatr?", ["Jezioro Żywieckie"]),
        ("Na Saharę nie jadę, tylko do Tunisu, jaki skwar?", ["Tunis"]),
        ("pogoda żagań i żary i może jeszcze szprotawa", ["Żagań", "Żary", "Szprotawa"]),
        ("kanał Augustowski, będzie sztorm?", ["Kanał Augustowski"]),
        ("moze Sandomierz moze Kazimierz, sprawdz obydwa", ["Sandomierz", "Kazimierz"]),
        ("festyn na Nikiszu, bydzie loć?", ["Nikiszowiec"]),
        ("Miejsce: Tleń. Zmarzniemy czy nie?", ["Tleń"]),
        ("Szczyrk sobota slonce??", ["Szczyrk"]),
        ("Zakopane na święta bez śniegu?", ["Zakopane"]),
        ("Opole: mam malować ogrodzenie dziś?", ["Opole"]),
        ("stolica zachmurzona czy nie", ["Warszawa"]),
        ("a słoneczku bedzi?", []),
        ("jadę jednak do Jeleniej, zmoknę?", ["Jelenia Góra"]),
        ("jaka pogoda tam, gdzie stoi Krzywa Wieża", ["Piza"]),
        ("prognoza dla gminy Sękowa w powiecie gorlickim", ["Sękowa"]),
        ("Ciepło w Tyliczu?", ["Tylicz"]),
        ("Fotka z Władysławowa. Tam dziś naprawdę burza?", ["Władysławowo"]),
        ("Rolki czy planszówki? Skwer Kościuszki, Gdynia, dziś", ["Gdynia"]),
        ("Gdzie lepiej: Ustka? Wisła? Podaj prognozy", ["Ustka", "Wisła"]),
        ("чи буде дощ в Кракові?", []),
        ("w Tromsø pada?", ["Tromsø"]),
        ("na Politechnice Gdańskiej jutro słońce?", ["Gdańsk"]),
        ("Na Uniwersytecie Warszawskim jutro zawody, pada?", ["Warszawa"]),
        ("w Górach Świętokrzyskich śnieg?", ["Góry Świętokrzyskie"]),
        ("w Polskich Tatrach śnieg?", ["Tatry"]),
        ("W Węgierskiej Górce mróz?", ["Węgierska Górka"]),
        ("Msza na niedzielę, deszcz w Opolu?", ["Opole"]),
        ("Piła czy Hel jutro?", ["Piła", "Hel"]),
        ("w Ustrzykach Górnych leje?", ["Ustrzyki Górne"]),
        ("deszcz w Suścu będzie?", ["Susiec"]),
        ("Jak wieje w Niechorzu?", ["Niechorze"]),
        ("z Kielc do Radomia, będzie ślisko na którymś końcu?", ["Kielce", "Radom"]),
        ("z Bytomia do Opola, zmoknę tu albo tam?", ["Bytom", "Opole"]),
        ("z Sorkwit do Krutyni, lunie na starcie czy na mecie?", ["Sorkwity", "Krutynia"]),
        ("z Kielc do Radomia, będzie ślisko?", ["Radom"]),
        ("Mama w Gdyni, ciocia w Koszalinie. Której zmoknie pranie?", ["Gdynia", "Koszalin"]),
        ("Ja w Płocku, ty w Toruniu – kto zmoknie?", ["Płock", "Toruń"]),
        ("Mieszkam w Gdyni, gdzie jutro w Toruniu popada?", ["Toruń"]),
        ("Szkocja, dokładnie Inverness: deszcz?", ["Inverness"]),
        ("Wiela stopni jutro w Rybniku?", ["Rybnik"]),
    ],
)
def test_the_places_asked_about_are_read(prompt: str, cities: list[str]) -> None:
    calls = read_weather(prompt, today=_SUNDAY)
    assert [call["city"] for call in calls if "city" in call] == cities


@every_row(
    ("prompt", "days"),
    [
        ("w Jastarni in two days", ["2026-11-24"]),
        ("w Pile na jutro, dziś i tak siedzę w domu", ["tomorrow"]),
        ("nie jutro, w piątek, jutro mam dyżur", ["friday"]),
        ("ok, to teraz ta prognoza na jutro", ["tomorrow"]),
        ("jak teraz pada w Pile", ["today"]),
        ("Ile napada śniegu w Istebnej do niedzieli", ["next_days"]),
        ("Deszcz w Grójcu do najbliższego piątku?", ["next_days"]),
        ("W Ełku od soboty do niedzieli", ["weekend"]),
        ("pogoda w Płocku na 12 XII", ["2026-12-12"]),
        ("Zadaszenie 12 x 8 m. Czy w środę w Płocku wieje?", ["wednesday"]),
        ("Teraz serio: Londyn, jutro, parasol?", ["tomorrow"]),
        ("w Kapsztadzie jest teraz ciepło?", ["today"]),
        ("w Suwałkach w nadchodzących dniach", ["next_days"]),
        ("prognoza 3 dni Ustroń", ["next_days"]),
        ("w Szczecinie w piąteczek", ["friday"]),
        ("Opole: mam malować dziś czy lepiej w sobotę?", ["today", "saturday"]),
        ("w Międzyzdrojach przez resztę tygodnia", ["next_days"]),
        ("w Pułtusku w Zielone Świątki?", ["2027-05-16"]),
        ("w Kielcach w tłusty czwartek", ["2027-02-04"]),
        ("w Kielcach w niedzielę palmową", ["2027-03-21"]),
        ("w Kielcach w środę popielcową", ["2027-02-10"]),
        ("w Kielcach w dzień babci", ["2027-01-21"]),
        ("w Kielcach w dzień ojca", ["2027-06-23"]),
        ("w Kielcach na halloween", ["2027-10-31"]),
        ("sprawdź Białystok na środę albo nie na czwartek", ["thursday"]),
        ("no i teraz jutro w Łodzi proszę", ["tomorrow"]),
        ("Nie interesuje mnie dziś ani jutro. Łódź, wtorek, pogoda.", ["tuesday"]),
        ("Płynę jutro do Ystad. Na miejscu pojutrze – mokro?", ["day_after_tomorrow"]),
        ("w Gdańsku nie jutro, tylko w piątek", ["friday"]),
    ],
)
def test_the_days_asked_about_are_read(prompt: str, days: list[str]) -> None:
    assert [call["day"] for call in read_weather(prompt, today=_SUNDAY)] == days


@pytest.mark.parametrize(
    ("prompt", "pairs"),
    [
        (
            "Dwa miasta mam do ogarnięcia: Nysa dziś, Prudnik jutro. Jak z opadami?",
            [("Nysa", "today"), ("Prudnik", "tomorrow")],
        ),
        (
            "w Gdańsku jutro, a w Sopocie w piątek",
            [("Gdańsk", "tomorrow"), ("Sopot", "friday")],
        ),
    ],
)
def test_each_place_has_its_own_day(prompt: str, pairs: list[tuple[str, str]]) -> None:
    calls = read_weather(prompt, today=_SUNDAY)
    assert [(call["city"], call["day"]) for call in calls] == pairs
