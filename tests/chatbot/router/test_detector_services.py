"""What looks like a request for a tool and is one for something that no tool does."""

from chatbot.router.detector.services import is_for_other

BESIDE = {
    "weather": (
        "Biegać dziś w Zabrzu czy odpuścić przez smog?",
        "Jakie dziś PM2.5 w Żywcu?",
        "Pylą już trawy w Warszawie?",
        "O której jutro wschodzi słońce nad Śniardwami?",
        "Kiedy w Suwałkach robi się dziś ciemno?",
        "Ile stopni ma Bałtyk w Ustce?",
        "Jaki poziom wody ma dziś Odra we Wrocławiu?",
        "Czy RCB wysłało alert dla Małopolski?",
        "Lot z Pyrzowic o 6:20 opóźniony?",
        "czy bus do Ustronia jeździ w niedziele",
        "Jak było wczoraj w Bydgoszczy?",
        "W nocy z piątku na sobotę zeszłego tygodnia w Bochni był mróz?",
        "Lało w Malborku trzy dni temu?",
        "Zimna jest woda w Łebie?",
        "Ma Szczyrk jutro otwarte stoki?",
        "1 maja 1978 r. w Kłodzku leżał śnieg?",
        "Ile stopni było w Łodzi w 2003 roku?",
        "plan na weekend we Wrocławiu, może padać",
        "w Łodzi leje, a ja siedzę w pracy, rozbaw mnie",
        "zimno dziś strasznie w tej Łomży, brr",
        "Potrzebna mi głupawa prognoza na sobotę do kabaretu w Zielonej Górze",
    ),
    "wikipedia": (
        "Co sądzisz o Napoleonie?",
        "Republika czy Lady Pank?",
        "Gdyby Kopernik żył dziś, czym by się zajmował?",
        "Proszę o zredagowanie podania do dziekana Wydziału Prawa Uniwersytetu Wrocławskiego.",
        "Sklej mi short bio pod konferencję: fanka Lema, wykłada na AGH.",
        "Proszę o ułożenie przemówienia na rocznicę bitwy pod Monte Cassino",
    ),
    "mathematics": ("Ile to 300 euro w złotówkach?",),
}
FOR_THE_TOOL = {
    "weather": (
        "Nie pytam o smog, tylko o temperaturę w Rybniku",
        "Będzie jutro widać zachód słońca z molo w Orłowie?",
        "Zegarek z 1978 roku noszę, ale jutro w Łodzi będzie padać?",
        "Puszczamy balon 12 grudnia 2026 r. w Ostrzeszowie, będzie wiać?",
        "Będzie w Sanoku cieplej niż w zeszłym tygodniu?",
        "U kuzynki w Toronto wczoraj sypało, a dziś?",
        "Jak ciepło będzie nad Bałtykiem w sobotę?",
        "Ile stopni będzie jutro nad wodą w Augustowie?",
        "Czy w Gdyni pada?",
        "Pociąg jest odwołany. Dalej w Gdyni tak wieje?",
        "Dostałem ostrzeżenie dla Mazowsza. W Płocku też będzie grzmieć?",
        "Co robić jutro w Toruniu: rower czy kino? Zależy, czy będzie padać",
    ),
    "wikipedia": (
        "Obojętne mi, co sądzisz o Napoleonie, kiedy zmarł?",
        "czy delfin to ssak czy ryba",
        "Gdyby pani sprawdziła, skąd pochodził Canaletto",
        "Napisz maila do burmistrza Ustki i sprawdź, kim był Heweliusz",
        "Proszę o sporządzenie notatki o Janie Matejce z Wikipedii",
    ),
    "mathematics": (
        "Bluza za 120 zł po rabacie 15%",
        "Jeden dolar kosztuje 3,85 zł. Za 60 dolarów ile złotych?",
        "Mam 45 funtów po 5,02, ile to złotych?",
    ),
    "image": ("Narysuj smog nad miastem",),
}


def test_other_services_opinions_and_currencies_are_for_no_tool() -> None:
    missed = [
        prompt
        for label, prompts in BESIDE.items()
        for prompt in prompts
        if not is_for_other(prompt, label)
    ]

    assert missed == []


def test_words_of_a_service_beside_a_wish_for_the_tool_leave_it() -> None:
    taken = [
        prompt
        for label, prompts in FOR_THE_TOOL.items()
        for prompt in prompts
        if is_for_other(prompt, label)
    ]

    assert taken == []


def test_what_is_quoted_at_length_is_no_other_wish() -> None:
    prompt = "Jaka pogoda w Łodzi? „wczoraj pylki i smog były w całym mieście naraz”"

    assert not is_for_other(prompt, "weather")
