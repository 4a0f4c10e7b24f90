"""Groups of words that say the same in a story: what is left, raised, shared, counted for each."""

from functools import lru_cache

from chatbot.language.patterns import regex

_GROUPS: tuple[tuple[str, str], ...] = (
    (
        "raise",
        (
            r"podwyz|podnies|podnios|wzros|wzrost|drozej|zdroz|podroz|narzut|marz[aeyo]|vat|"
            r"napiw|dolicz|powieksz|premi|nadgodz|zwieksz|urosl|urosn|rosni|zyska|nadwyz|"
            r"zapas|przyrost|skocz|poszl[ao]? w gore|przyty|dodat"
        ),
    ),
    (
        "lower",
        (
            r"rabat|znizk|upust|taniej|promocj|przecen|obniz|bonifik|odpad|strat|ubyl|spad|"
            r"zmala|zmniejsz|potrac|odlicz|schud|stania|traci|usch|zepsu|zgni|padl|ulgow|"
            r"ulg[aiey]|kupon|odejm"
        ),
    ),
    ("less", r"mniej|krots|nizs|tans|mlods|lzejs|wolniej"),
    ("more", r"wiecej|dluz|wyzs|drozs|stars|ciezs|szybciej|wieks"),
    ("rest", r"zosta|reszt|pozosta|ostal|jeszcze"),
    ("lack", r"brak|dozbier|doplac|dolozy|dolozyc|dokupi"),
    (
        "out",
        (
            r"odda|sprzed|zjad|wydal|zuzy|zniszcz|wysied|odjech|odesz|wyszl|rozda|stlu|pekl|"
            r"wyla|zgub|odcia|odcin|zabra|wypi|zaplaci|splaci|zwroc|wypozycz|pozycz|wyja|wywie[zn]|wywoz"
        ),
    ),
    (
        "in",
        (
            r"dosta|dokup|przyby|znala|dosz|wsiad|dorzuc|dola|dolew|wplac|uzbier|odloz|"
            r"odklad|zebra|zarob|zarab|przychod|utarg|wplyw|przywie[zn]|przywoz"
        ),
    ),
    (
        "sum",
        (
            r"razem|lacznie|sum[aey]|calosc|wszystk|komplet|ogolem|calkowit|w sumie|laczn|"
            r"calej|calkiem"
        ),
    ),
    (
        "share",
        (
            r"podziel|dziel|rowno|skladk|skladam|zrzut|rozdziel|rozlicz|glowe|lebka|osobe|"
            r"osoby|kazd[yaei]|kazdego|kazdemu|kazdej|kazdym"
        ),
    ),
    ("mean", r"srednia|srednio|przeciet|sredniej|srednie"),
    ("differ", r"roznic|roznia|rozni"),
    ("ratio", r"stosunk|proporcj|skal[aeiy]"),
    (
        "price",
        (
            r"koszt|kosztu|cen[aeyi]|ceni|zaplac|plac[iea]|placim|rachun|nalezn|oplat|"
            r"wyda[jmc]|zabul|stawk|tary|abonament"
        ),
    ),
    ("earn", r"pensj|wyplat|brutto|netto|stawk|dniowk|wynagr|prowizj"),
    ("have", r"mam|mial|budzet|portfel|kieszon|dyspon|posiad"),
    ("need", r"potrzeb|trzeba|musz|kupic|zamow|wymag|powinn"),
    ("fit", r"zmies|zmieszcz|wejdz|wchodz|starcz|wystarcz|miesc|uloz|wytn|potn"),
    ("whole", r"peln|calych|minimum|najmniej|maksym|najwiecej|najwyzej"),
    ("free", r"gratis|bezplat|darmo|bez|oprocz|procz|nie"),
    ("part", r"sposrod|czesc|polow|cwier|trzeci|czwart"),
    ("then", r"potem|nastepn|pozniej|dalej|znow|kolejn"),
    (
        "before",
        (
            r"przed|wczesniej|poprzed|dawniej|bylo|byla|stara|stary|starej|pierwot|poczatk|"
            r"zeszl|ubieg"
        ),
    ),
    ("after", r"teraz|obecn|nowa|nowy|nowej|koncow|ostatecz|dzis"),
    ("speed", r"predkos|jedzi|jech|jade|jada|biegn|biega|plyn|leci|szybk|tempo|idzie"),
    (
        "time",
        (
            r"godzin|minut|sekund|czas|trwa|dlugo|kiedy|dzien|dni|dob[aeyi]|tydz|tygod|"
            r"miesi|rok|lat[aoy]?"
        ),
    ),
    ("per time", r"dzienn|tygodniow|miesiecz|roczn|codzien|godzinow|dobow"),
    ("grow", r"lokat|kapitaliz|skladan|oprocent|odset|depozyt|inwest|inflacj|kredyt|pozyczk"),
    ("chance", r"prawdop|szans|losuj|losow|wylos|rzut|rzuc|kostk|kart[ayi]|talii"),
    (
        "area",
        (
            r"pole|powierz|metraz|dzialk|pokoj|scian|podlog|prostokat|kwadrat|pomalow|farb|"
            r"plyt|kafel|panel|taras|trawnik"
        ),
    ),
    ("around", r"obwod|dookol|ogrodz|siatk|plot|obrzez|wokol"),
    ("round", r"promien|promieni|srednic|okragl|kol[aoe]|walec|walca|okreg|kul[aeiy]"),
    ("volume", r"objet|pojemn|akwari|zbiorn|basen|beczk|szescian|prostopad"),
    ("fuel", r"spala|pali|spalani|paliw|benzyn|bak|tank|ropy|diesl"),
    ("mix", r"miesz|roztw|stezen|solank|syrop|rozcien|kwas|alkohol"),
    ("work", r"wspol|razem|rur[aeyi]|kran|pomp|robotnik|pracown|malarz|brygad"),
    ("class", r"uczn|klas|szkol|dziec|osob|ludzi|gosc|pracown|chetn|wycieczk"),
    ("exam", r"punkt|pkt|test|egzam|ocen|wynik|zdal|maks"),
    (
        "pack",
        (
            r"paczk|opakow|karton|skrzyn|worek|work|worki|pudel|palet|zgrzew|butel|sloik|"
            r"pusz|puszk"
        ),
    ),
    ("back", r"powrot|wraca|stron[yie]"),
    ("double", r"podwoj|dwukrot|dwa razy|potroj|trzykrot"),
    ("exchange", r"kurs|walut|euro|dolar|kantor|wymien|wymian|przelicz"),
    ("percent", r"proc|%|promil"),
)
_COMPILED = tuple((name, regex(pattern)) for name, pattern in _GROUPS)
CUES = tuple(name for name, _ in _GROUPS)
"""The names of the groups."""


@lru_cache(maxsize=8192)
def cues_of(word: str) -> tuple[str, ...]:
    """Return the groups that a folded word belongs to."""
    return tuple(name for name, pattern in _COMPILED if pattern.match(word))
