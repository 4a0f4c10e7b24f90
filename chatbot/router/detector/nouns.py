"""Nouns that tell the topic of a question from what the question wants to know of it."""

ASKED = frozenset({
    "data", "rok", "dzień", "miejsce", "miejscowość", "wiek", "urodziny", "urodzenie", "śmierć",
    "zgon", "założenie", "wysokość", "długość", "głębokość", "szerokość", "powierzchnia", "waga",
    "masa", "wzrost", "wielkość", "rozmiar", "ludność", "mieszkaniec", "populacja", "autor",
    "autorka", "twórca", "twórczyni", "kompozytor", "reżyser", "odkrywca", "wynalazca",
    "założyciel", "projektant", "konstruktor", "definicja", "znaczenie", "informacja", "hasło",
    "artykuł", "notka", "notatka", "życiorys", "biografia", "biogram", "położenie", "objaw",
    "przyczyna", "skutek", "przebieg", "wynik", "zawarcie", "wybuch", "początek", "zakończenie",
    "podanie", "wskazanie", "ustalenie", "sprawdzenie", "podpisanie", "wydanie", "premiera",
    "pochodzenie", "nazwisko", "imię", "tytuł", "ustrój", "klimat", "gospodarka", "temat",
    "ciekawostka", "fakt", "opis", "streszczenie", "treść", "dzieje", "skład", "cecha",
    "budowniczy", "architekt", "rodzaj", "liczebność", "odległość", "temperatura", "prędkość",
    "gęstość", "obszar", "narodowość", "zawód", "wydawca", "wykonawca", "zasada", "sylwetka",
    "postać", "osoba", "dokonanie", "osiągnięcie", "dane", "wiadomość", "coś", "strona", "opowieść",
    "powód", "okoliczność", "lokalizacja", "adres", "wyznaczenie", "wynalezienie", "odkrycie",
    "przedstawienie", "wyjaśnienie", "opisanie", "informacje", "rocznica", "warunek", "czas",
    "procent", "ilość", "kolor", "wersja", "edycja", "wydarzenie", "uczestnik", "nazwa",
    "pseudonim", "przydomek", "budowa", "właściciel",
    "język", "wódz", "dowódca", "przywódca", "życie", "kariera", "dzieciństwo", "młodość",
    "działalność", "rola", "czoło", "etymologia", "rozpiętość", "wzór", "środowisko", "ukończenie",
    "topnienie", "wrzenie", "średnica", "obwód", "pojemność", "zasolenie", "otwarcie", "narodziny",
    "pogrzeb", "grób", "skrzydło",
    "następca", "poprzednik", "obsada", "ekranizacja", "fabuła", "pisownia", "zasięg", "symbol",
})  # fmt: skip
"""What is asked of something: stripped where something follows."""

CATEGORIES = frozenset({
    "rzeka", "miasto", "miasteczko", "wieś", "góra", "szczyt", "jezioro", "wyspa", "kraj",
    "państwo", "planeta", "gwiazda", "powieść", "książka", "film", "serial", "obraz", "piosenka",
    "utwór", "wiersz", "poemat", "dramat", "opera", "płyta", "album", "gra", "komiks", "zespół",
    "pisarz", "pisarka", "malarz", "malarka", "poeta", "poetka", "aktor", "aktorka", "artysta",
    "artystka", "kompozytor", "fizyk", "chemik", "matematyk", "naukowiec", "uczony", "pan", "pani",
    "generał", "marszałek", "prezydent", "premier", "piosenkarz", "piosenkarka", "sportowiec",
    "polityk", "gatunek", "ptak", "ptaszek", "zwierzę", "roślina", "drzewo", "grzyb", "pierwiastek",
    "pojęcie", "termin", "słowo", "zjawisko", "klub", "firma", "człowiek", "facet", "gość",
    "kobieta", "mężczyzna", "autor", "autorka", "reżyser", "austriak", "niemiec", "amerykanin",
    "anglik", "francuz", "włoch", "rosjanin", "polak", "polka", "bohater", "bohaterka", "postać",
    "filozof", "astronom", "lekarz", "inżynier", "odkrywca", "podróżnik", "himalaista",
    "himalaistka", "alpinistka", "lotnik", "kierowca", "piłkarz", "skoczek", "kucharz", "ssak",
    "ryba", "owad", "wynalazca", "architekt", "rzeźbiarz", "dyktator", "komputer", "satelita",
    "samochód",
    "hasło", "artykuł", "temat", "sprawa", "rzecz", "kwestia", "legenda", "bajka", "tytuł",
    "nazwisko", "zagadka", "krzyżówka", "rada", "pytanie", "szkoła", "lekcja", "projekt", "praca",
    "skrót", "skrótowiec", "okręt", "święto", "odznaczenie", "kawałek",
    "noblista", "noblistka", "rotmistrz", "pułkownik", "kapitan", "major", "burmistrz", "ksiądz",
    "profesor", "doktor", "kolarz", "tenisista", "tenisistka", "lekkoatletka", "bokser",
    "żużlowiec", "raper", "raperka", "wokalista", "wokalistka",
    "muzyk", "skrzypek", "pianista", "pianistka",
    "dyrygent", "reżyserka", "dramaturg", "historyk", "biolog", "geograf", "kosmonauta",
    "astronauta", "pilot", "trener", "siatkarz", "siatkarka", "szachista", "szachistka", "zbójnik",
    "satyryk", "śpiewak", "śpiewaczka", "tancerz", "tancerka", "dziennikarz", "dziennikarka",
    "minerał", "wulkan", "półwysep", "dzielnica", "potwór", "stwór", "miejscowość",
    "referat", "prezentacja", "quiz", "deck", "kolokwium", "egzamin", "sprawdzian", "matura",
})  # fmt: skip
"""Kinds of things: left out before the name of one, and no topic by themselves."""

KEEPING = frozenset({
    "bitwa", "pokój", "unia", "traktat", "powstanie", "katastrofa", "wojna", "obrona", "oblężenie",
    "konferencja", "kongres", "pakt", "układ", "zamach", "wypadek", "pożar", "rzeź", "zbrodnia",
    "masakra", "rewolucja", "przewrót", "hołd", "zjazd", "sobór", "synod", "chrzest", "ugoda",
    "konstytucja", "edykt", "bunt", "strajk", "kryzys", "lot", "lądowanie", "wyprawa", "zamek",
    "pałac", "kościół", "katedra", "klasztor", "uniwersytet", "politechnika", "muzeum", "teatr",
    "pomnik", "most", "kopalnia", "elektrownia", "skocznia", "obóz", "getto", "egzekucja",
    "dziewczyna", "portret", "ustawa", "prawo", "liga", "mistrzostwo", "igrzyska", "rozejm",
    "odsiecz", "odwrót", "najazd", "potop", "kampania", "kapitulacja", "proces", "bazylika",
    "cmentarz", "wieża", "zapora", "tunel", "port", "ratusz", "biblioteka", "opera", "tama",
    "schronisko", "trybunał",
    "browar", "fabryka", "szpital", "więzienie", "kaplica", "synagoga", "meczet", "fontanna",
    "parafia", "powódź", "trzęsienie", "kopiec", "strefa", "festiwal", "stocznia",
    "huta", "molo", "rynek", "stadion", "lotnisko",
    "dworzec", "latarnia", "sanktuarium", "skansen", "park", "ogród", "rezerwat", "twierdza",
    "cytadela", "brama", "wybuch", "awaria", "bombardowanie", "szturm", "wyścig", "szarża",
})  # fmt: skip
"""Nouns whose name goes on after a preposition: "bitwa pod Grunwaldem", "pokój w Oliwie"."""

TIMES = frozenset({
    "rok", "wiek", "dzień", "miesiąc", "lato", "stulecie", "godzina", "czas", "raz", "chwila",
    "styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień",
    "październik", "listopad", "grudzień", "moment", "okres", "jutro", "dzisiaj", "koniec",
}) - {"stulecie"}  # fmt: skip
"""When something was: never the topic."""

PLACES_OF_ALL = frozenset({
    "polska", "europa", "świat", "ziemia", "kraj", "przyroda", "natura", "wolność", "życie",
    "historia", "wikipedia", "encyklopedia", "internet", "polak", "rzeczywistość", "ogół",
})  # fmt: skip
"""Where everything is: after a preposition rarely the topic."""

INDEFINITE = frozenset({
    "jakis", "jakas", "jakies", "jakims", "jakiejs", "jakiegos", "jakichs", "pewien", "pewna",
    "pewnym", "pewnej", "pewne", "pewnego", "dowolny", "dowolnym", "dowolnej", "losowy",
})  # fmt: skip
"""What says that no particular thing is meant."""

DETERMINERS = frozenset({
    "ten", "ta", "to", "te", "tego", "tej", "temu", "tym", "tych", "tymi", "ow", "owa", "owo",
    "taki", "taka", "takie", "takim", "takiego", "takiej", "tyn", "ci",
    "caly", "cala", "cale", "tak",
    "niejaki", "niejaka", "niejakiego", "slynny", "slynna", "slynne", "slynnego", "slynnej",
    "slawny", "slawna", "znany", "znana", "znanego", "znanej", "ten sam", "zwany", "sam", "tenze",
    "wlasnie", "no", "moj", "moja", "nasz", "nasza", "nasze", *INDEFINITE,
})  # fmt: skip
"""What stands before a name without belonging to it."""

VAGUE = frozenset({
    "co", "kto", "kim", "czym", "czego", "kogo", "czemu", "komu", "jak", "jaki", "jaka", "jakie",
    "jakim", "jakiej", "jakich", "ktory", "ktora", "ktore", "ktorym", "ktorej", "ktorego", "ile",
    "ilu", "kiedy", "gdzie", "skad", "dokad", "cos", "ktos", "nic", "nikt", "on", "ona", "ono",
    "oni", "one", "jego", "jej", "ich", "go", "mu", "mi", "sie", "siebie", "wszystko", "wiele",
    "hej", "czesc", "prosze", "dzieki", "ok", "czy", "nie", "tak", "bo", "i", "a", "ale", "oraz",
    "lub", "albo", "ze", "zeby", "gdy", "no", "info", "itd", "itp", "etc", "wiki", "wikipedia",
    "wikipedii", "wikipedie", "encyklopedii", "encyklopedie", "mama", "tata", "babcia", "dziadek",
    "dzien", "dobry", "tu", "tam", "jest", "byl",
    "byla", "bylo", "byly", "sa", "ma", "mial", "miala", "mialo", "naprawde", "dlaczego", "rada",
    "km", "kg", "cm", "mln", "pomoc", "sylab", "liter", "litery", "haha", "hehe", "hihi", "lol",
})  # fmt: skip
"""Words that are never the head of a topic."""

VERBS = frozenset({
    "ma", "mial", "miala", "mialo", "mialy", "jest", "sa", "byl", "byla", "bylo", "byly", "moze",
    "maja", "trwa", "trwalo", "trwala", "lezy", "leza", "zyje", "sie", "byc", "mozna", "to",
    "dziala", "dzialaja", "zyl", "zyla", "zyli", "zyja", "umarl", "zmarl", "powstal", "urodzil",
    "wynosi", "gra", "graja", "mowi", "mowia", "plynie", "pisze", "wazy", "mierzy", "liczy",
    "nalezy", "sluzy", "oznacza", "znaczy", "stoi", "wystepuje", "polega", "miesci", "slynie",
})  # fmt: skip
"""Verbs that ask of something, some of which could be read as nouns."""

WORKS = frozenset({"książka", "film", "obraz", "powieść", "piosenka", "płyta", "wiersz", "utwór"})
"""Works: a person's name in the genitive after one is its author's."""

QUESTIONS = frozenset({
    "co", "kto", "kim", "czym", "czego", "kogo", "kiedy", "gdzie", "ile", "ilu", "jak", "jaki",
    "jaka", "jakie", "czy", "ktory", "ktora", "ktore", "skad", "dlaczego",
})  # fmt: skip
"""Question words: no names, even with a capital letter."""

PREPOSITIONS = frozenset({
    "w", "we", "na", "o", "z", "ze", "do", "od", "dla", "bez", "przez", "po", "pod", "nad", "przy",
    "za", "przed", "u", "ku", "podczas", "wokol", "kolo", "obok", "miedzy", "wedlug", "ode",
    "przeciw", "przeciwko", "sprzed", "spod", "wsrod", "poza", "dzieki", "wobec", "oprocz",
})  # fmt: skip
"""What may stand before a noun phrase."""

INNER = frozenset({
    "w", "we", "pod", "na", "nad", "o", "z", "ze", "do", "przy", "przeciw", "przeciwko", "za",
    "miedzy", "bez", "dla", "od",
})  # fmt: skip
"""What may go on inside a name: "bitwa pod Grunwaldem"."""

PARTICLES = frozenset({
    "de", "von", "van", "der", "da", "di", "del", "della", "la", "le", "el", "al", "ibn", "bin",
    "of", "the", "du", "den", "y",
})  # fmt: skip
"""Small words inside foreign names."""
