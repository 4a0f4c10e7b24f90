"""Regions, islands, rivers and parts of countries: wider than the town named beside them."""

from chatbot.language.countries import find_country

_REGIONS = frozenset({
    "Mazury", "Warmia", "Podlasie", "Podkarpacie", "Podhale", "Kaszuby", "Pomorze", "Mazowsze",
    "Śląsk", "Górny Śląsk", "Dolny Śląsk", "Wielkopolska", "Małopolska", "Kujawy", "Żuławy",
    "Lubelszczyzna", "Opolszczyzna", "Suwalszczyzna", "Roztocze", "Bieszczady", "Tatry", "Pieniny",
    "Gorce", "Beskidy", "Beskid Niski", "Beskid Śląski", "Beskid Żywiecki", "Beskid Sądecki",
    "Karkonosze", "Sudety", "Góry Stołowe", "Góry Świętokrzyskie", "Góry Sowie", "Alpy", "Bałtyk",
    "Dolomity", "Pireneje", "Karpaty", "Trójmiasto", "Europa", "Bawaria", "Toskania", "Sycylia",
    "Katalonia", "Andaluzja", "Prowansja", "Kalifornia", "Floryda", "Teksas", "Skandynawia",
    "Wybrzeże", "Pomorze Zachodnie", "Kotlina Kłodzka", "Sardynia", "Kreta", "Morze Bałtyckie",
    "Odra", "Bzura", "Narew", "Bug", "Warta", "Noteć", "Dunajec", "Poprad", "Ren", "Dunaj",
    "Sekwana", "Tamiza", "Kociewie", "Wysokie Tatry", "Normandia", "Bretania", "Dalmacja", "Istria",
    "Lazurowe Wybrzeże", "Tyrol", "Morawy", "Apulia", "Lombardia", "Jura", "Zatoka Gdańska",
    "Szkocja", "Anglia", "Walia", "Irlandia Północna", "Tasmania", "Korsyka", "Majorka", "Minorka",
    "Bali", "Hawaje", "Alaska", "Madera", "Teneryfa", "Gran Canaria", "Fuerteventura",
    "Lanzarote", "Wyspy Kanaryjskie", "Baleary", "Azory", "Jutlandia", "Zelandia", "Grenlandia",
    "Jawa", "Sumatra", "Borneo", "Hokkaido", "Honsiu", "Kiusiu", "Flandria", "Walonia", "Saksonia",
    "Dolna Saksonia", "Brandenburgia", "Turyngia", "Hesja", "Nadrenia", "Westfalia", "Meklemburgia",
    "Badenia", "Burgundia", "Szampania", "Alzacja", "Lotaryngia", "Kastylia", "Aragonia",
    "Umbria", "Liguria", "Piemont", "Kalabria", "Karyntia", "Styria", "Transylwania",
    "Siedmiogród", "Krym", "Syberia", "Kamczatka", "Laponia", "Skania",
    "Olandia", "Gotlandia", "Bornholm", "Lofoty", "Szetlandy", "Orkady",
    "Hebrydy", "Kornwalia", "Ontario", "Kolumbia Brytyjska",
    "Nowa Szkocja", "Arizona", "Nevada", "Utah", "Kolorado", "Oregon", "Montana", "Wyoming",
    "Minnesota", "Wisconsin", "Michigan", "Ohio", "Illinois", "Queensland",
    "Nowa Południowa Walia",
})  # fmt: skip


def is_wide(name: str) -> bool:
    """Whether a place, in its base form, is a region or a country."""
    return name in _REGIONS or find_country(name) is not None
