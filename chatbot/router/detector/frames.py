"""How people ask an encyclopaedia: frames of questions, folded, and the case after each."""

from chatbot.language.patterns import regex

_BE = r"(?:jest|sa|byl[aoiy]?|bywa|zostal[ao]?)"
_THEME = r"(?:o|nt|na temat|dotyczac\w+)"
_TONGUE = (
    r"(?:polsk|angielsk|niemieck|francusk|hiszpansk|wlosk|ukrainsk|rosyjsk|czesk|anglojezyczn)"
    r"(?:ie)?j"
)
_WIKI = rf"(?:(?:w|na|z|do) )?(?:{_TONGUE} )?(?:wikipedi\w*|wiki|encyklopedi\w*)(?: po \w+)?"
_SEEK = (
    r"(?:(?:od)?znajdz\w*|odszukaj|wyszukaj|poszukaj|szukam|szukaj|sprawdz|podaj|podasz|zajrzyj|otworz|daj|pokaz|"
    r"potrzebuje|przeczytaj|przedstaw|przybliz|chce|stresc|streszcz\w*|wypisz|wymien|znasz|"
    r"przypomnij|poprosze(?: o)?|prosze o)"
)
_ENTRY = (
    r"(?:haslo|hasla|hasle|artykul\w*|strone|informacj[eai]|info|wiadomosci|fakty|faktow|dane|cos|"
    r"najwazniejsze|podstawowe|wszystko|notke|ciekawostk[iae]|streszczenie|ciekawego)"
)
_TELL = (
    r"(?:opowiedz|powiedz|napisz|opisz|mow|opowiadaj|opowiesz|powiesz|opowiedziec|powiedziec|"
    r"poczytaj|dowiedziec sie|chce wiedziec|poopowiadaj)"
)
_HOW_MUCH = (
    r"(?:cos|krotko|wiecej|troche|pare slow|kilka slow|kilka zdan|ciekawego|historie|mi|nam|"
    r"prosze|dokladnie|czegos|jeszcze)"
)
_LIFE = (
    r"(?:zyciorys\w*|biografi\w*|biogram\w*|sylwetk\w*|postac|definicj\w*|dorobek|opis|znaczenie|"
    r"charakterystyk\w*|przyczyn\w*|skutki|przebieg\w*|wynik|objawy|rodzaje|cechy|"
    r"zastosowani\w*|wlasciwosci|dziela|tworczosc)"
)
_KNOW = r"co (?:wiesz|wiadomo|wiecie|mozesz (?:mi )?(?:powiedziec|opowiedziec)|powiesz)(?: mi)?"
_DATE = r"(?:dat[aey]|roku?|miejsc[ae]|dzien)"
_OF_LIFE = r"(?:urodzenia|smierci|urodzin|powstania|zalozenia|wydania|wybuchu|zakonczenia|konca)"
_MAKER = (
    r"(?:autor\w*|tworc\w+|tworczyni\w*|wynalazc\w+|odkrywc\w+|kompozytor\w*|rezyser\w*|"
    r"zalozyciel\w*|projektant\w*)"
)
_MADE = (
    r"(?:napisal|namalowal|skomponowal|wyrezyserowal|nakrecil|stworzyl|zbudowal|zaprojektowal|"
    r"wyrzezbil|odkryl|wynalazl|wymyslil|opisal|zalozyl|ufundowal|podbil|zdobyl|wygral|"
    r"opracowal|wprowadzil|skonstruowal|ulozyl|wydal|zagral|nagral|zabil|pokonal|koronowal)[ai]?"
)
_SIZE = r"(?:wysok|dlug|duz|glebok|star|wielk|szybk|szerok|ciezk|grub)(?:[aieoy]|ie)"
_COUNTED = (
    r"(?:metrow|kilometrow|km|m|lat|wzrostu|centymetrow|kilogramow|dzieci|stron|tomow|czesci|kosci|"
    r"ksiezycow|planet|nog|pieter|zon|bramek|punktow)"
)
_WORD = (
    r"(?:slowo|pojecie|termin|skrot|nazwa|okreslenie|wyraz|pojecia|slowa|terminu|postaci|skrotu)"
)

# The preposition tells `lemmatise` the case of what follows; "" where it stands as a subject.
_FRAMES: tuple[tuple[str, str], ...] = (
    (rf"(?:co (?:mowi|pisze|podaje|wie) )?{_WIKI} {_THEME} ", "o"),
    (rf"{_SEEK} (?:mi )?(?:{_WIKI} )?(?:{_ENTRY} )*(?:{_WIKI} )?(?:o|nt) ", "o"),
    (
        rf"(?:{_SEEK} )?(?:mi )?(?:{_WIKI} )?(?:{_ENTRY} )*(?:{_WIKI} )?(?:na temat|dotyczac\w+) ",
        "do",
    ),
    (rf"{_SEEK} (?:mi )?{_WIKI} (?:{_ENTRY}:? )*(?:kim {_BE} |co to (?:jest )?|czym jest )?", ""),
    (rf"{_SEEK} (?:mi )?(?:{_ENTRY} )+{_WIKI}:? ", ""),
    (rf"(?:(?:czy|jakies|znasz|masz|sa|jakie|jakas|jakie sa) )*(?:{_ENTRY} )+o ", "o"),
    (r"(?:co warto wiedziec|podstawowe fakty) (?:o|na temat) ", "o"),
    (rf"{_WIKI}[:,]? ", ""),
    (rf"{_TELL} (?:{_HOW_MUCH} )*na temat ", "do"),
    (rf"{_TELL} (?:{_HOW_MUCH} )*o ", "o"),
    (rf"{_KNOW} na temat ", "do"),
    (rf"{_KNOW} o ", "o"),
    (r"(?:czy )?znasz ", "przez"),
    (rf"kim (?:z pochodzenia |z zawodu |wlasciwie |tak naprawde )?{_BE} (?:z zawodu )?", ""),
    (rf"kto (?:to )?{_BE} {_MAKER} ", "do"),
    (r"(?:jak )?(?:sie )?nazywal?[ao]? (?:sie )?(?:zona |maz )?", ""),
    (rf"kto (?:to )?(?:taki )?(?:{_BE}|byla? to) (?:to )?(?:taki )?", ""),
    (r"kto to (?:taki )?", ""),
    (
        rf"kto (?:jako )?(?:pierwszy )?(?:wy)?{_MADE} (?:zima |latem |jesienia |wiosna |noca )?",
        "przez",
    ),
    (r"co to (?:jest |sa |byl[aoy]? )?za (?:\w+ )?(?:ten |ta |to |te )?", ""),
    (rf"co to (?:takiego )?(?:{_BE} )?(?:takiego )?(?:{_WORD} )?", ""),
    (rf"co (?:oznacza|znaczy|to znaczy) (?:{_WORD} )?", ""),
    (
        r"co (?:napisal|odkryl|wynalazl|zrobil|osiagnal|namalowal|skomponowal|wymyslil)a? ",
        "",
    ),
    (rf"czym (?:dokladnie |wlasciwie )?{_BE} ", ""),
    (r"czym (?:sie )?(?:zajmuje|zajmowal|zajmowala|zajmuja|rozni|roznia) (?:sie )?", ""),
    (r"na czym (?:dokladnie )?polegal?[aoy]? ", ""),
    (rf"z czego (?:slyn\w+|{_BE} znan[ay]|sklada sie|zrobion[aey] jest|{_BE} zrobion[aey]) ", ""),
    (r"z ilu \w+ (?:sklada|skladaja) sie ", ""),
    (r"(?:do czego|czemu) (?:sluzy|sluza) ", ""),
    (
        (
        r"(?:skad|od czego) (?:sie )?(?:wzi\w+|pochodz\w+|wywodz\w+|biora|bierze) (?:sie )?"
        r"(?:nazwa |okreslenie |slowo )?"
        ),
        "",
    ),
    (rf"jakiej narodowosci {_BE} ", ""),
    (
        (
        r"(?:ilu|ile) (?:jest )?(?:mieszkancow|ludzi|osob|ludnosci|obywateli|studentow) "
        r"(?:mieszka|zyje|jest) w "
        ),
        "w",
    ),
    (
        (
        r"(?:ilu|ile) (?:jest )?(?:mieszkancow|ludzi|osob|ludnosci|obywateli|studentow) "
        r"(?:ma|liczy) "
        ),
        "",
    ),
    (r"(?:jaka jest )?(?:liczba )?(?:ludnosci|mieszkancow) ", "do"),
    (rf"jak(?:a|i|ie)? (?:bardzo )?{_SIZE} (?:jest|sa|ma|byl[ao]?) ", ""),
    (
        (
        rf"ile {_COUNTED} (?:wysokosci |dlugosci |wzrostu |powierzchni |npm )?"
        r"(?:ma|maja|mial[ao]?|mierzy|liczy|zyl[ao]?|trwal[aoy]?|zyje|zyja|wazy|strzelil[ao]?) "
        ),
        "",
    ),
    (r"(?:jaka|ktora) rzeka (?:przeplywa|plynie) przez ", "przez"),
    (rf"(?:jaka jest |{_SEEK} (?:mi )?)?{_DATE} {_OF_LIFE} ", "do"),
    (rf"{_SEEK} (?:mi )?{_DATE} ", "do"),
    (
        (
        rf"(?:{_SEEK} (?:mi )?)?(?:jaki?[ae]? (?:jest|sa|byl[aoy]?) |krotk[ai]e? )?"
        rf"{_LIFE} (?:{_WORD} )?"
        ),
        "do",
    ),
    (
        (
        rf"(?:zdefiniuj|wyjasnij|wytlumacz|objasnij|przybliz|opisz|omow|scharakteryzuj)(?: mi)? "
        r"(?:krotko |pokrotce )?"
        rf"(?:{_WORD} |zjawisko |zasade )?"
        r"(?!mi\b|co |czym |kim |kto |jak |dlaczego |na czym |po co )"
        ),
        "przez",
    ),
    (r"(?:jak[aie]+|ktor[aye]+|co) (?:jest|sa|byl[aoy]?)(?: dokladnie)? ", ""),
)  # fmt: skip

FRAMES = tuple((regex(frame), case) for frame, case in _FRAMES)
"""Patterns for the beginning of a folded question, each with a preposition of the case after it."""

MADE = regex(_MADE)
"""Verbs whose object is a work or a discovery."""

TURNED = regex(r"(?:ktor[aye]+|jak[aie]+) (\w+) (?:w|na) (\w+) jest (naj\w+)$")
"""\"Który szczyt w Polsce jest najwyższy\": noun, place, superlative."""

QUESTION = regex(
    r"(?:(?:w|na|od|do|z|za|przy|pod|po) )?(?:kiedy|gdzie|kto|kogo|komu|kim|co|czego|czemu|czym|"
    r"dlaczego|jak|skad|dokad|odkad|ile|ilu|czy|czyj\w*|jak[aie]\w*|ktor[aey]\w*)"
    r"(?: (?:roku|wieku|dnia|kraju|miescie|miesiacu|kontynencie|rzece|oceanie|planecie|lat|czasu|"
    r"pierwsz[ya]|jako pierwsz[ya]|dlugo|czesto|daleko|dokladnie|wlasciwie|to|jezykiem))? "
)
"""A question word with the noun that belongs to it."""

TRAILING = regex(
    r"(?:[,:–-]|\s)*\s(?:kto to|co to|kim|czym|definicja|biografia|zyciorys|informacje|opis|"
    r"data (?:urodzenia|smierci)|(?:prawdziwe )?(?:imie i )?nazwisko|(?:prawdziwe )?imie|"
    r"etymologia|wzrost|powierzchnia|wysokosc|dlugosc|objawy|autor|lata \w+|"
    r"rok (?:zalozenia|wydania|powstania)|"
    r"wiek|info|ciekawostki|wikipedia|wiki|data)"
    r"(?: (?:jest|byl[aoy]?|za (?:jeden|jedna)|takiego|taki|sa|on|ona))*$"
)
"""A question that stands after its subject: "irena sendlerowa kto to"."""

AT_QUESTION = (
    r"(?:(?:w|na|od|do|z|za|przy|pod|po|dla|o|przez|u|na czesc) )?(?:co|kiedy|gdzie|dlaczego|czym|"
    r"czego|jak|jakie|jaki|jaka|jakim|jakiej|kto|kim|kogo|komu|ile|ilu|czemu|skad|ktor\w+|czyj\w*)"
)

CUT = regex(
    r"[?!…]| ?\(|[.](?=\s+\w|$)"
    rf"|,? (?:i|oraz|a|ale) {AT_QUESTION}\b"
    rf"| {AT_QUESTION}\b(?= \w)"
    r"|,? (?:i|oraz|a) (?:opowiedz|podaj|napisz|powiedz|sprawdz|stresc|tytul|dat[ae]|miejsce|"
    r"nazwisk\w+|imie|rok|autor\w*|wysokosc|dlugosc|powierzchni\w+)\b"
    r"| (?:nad poziomem morza|n\.? ?p\.? ?m)\b"
    r"| (?:naprawde|wlasciwie|obecnie|teraz|tam|dzis|dzisiaj|chyba|podobno)(?=[ ?.!]*$|,)"
    r"| (?:pod|w|na|z|za|od) (?:ta|tym|tej|tego|te) "
    r"|, | (?:znaczy|czyli|albo raczej|chodzi mi|chodzi o) "
    r"| w (?:roku )?\d{3,4}(?: r\w*\.?)?(?=\W|$)"
    rf"| w (?:dwoch|kilku|paru|trzech|jednym) zdani| (?:w|z|na) (?:{_TONGUE} )?(?:wikipedii|wiki)\b"
    r"| (?:po (?:polsku|angielsku|niemiecku|francusku|hiszpansku)|w jezyku \w+)\b| [-–—] "
)
"""Where the subject of a question ends."""

ABOUT = regex(
    r"\b(?:informacj\w+|dan(?:e|ych)|fakt\w*|ciekawostk\w*|wiadomosci|hasl\w+|artykul\w*|wiecej) "
    r"(?:(o|nt) |(na temat|dotyczac\w+) )"
)
"""What is looked up, in the middle of a sentence: "brakuje mi danych o bieliku"."""

MAKERS = regex(rf"(?:{_MAKER}|wydawc\w+|tytul\w*|bohater\w*|fabul\w+|tresc|akcja)\s*$")
"""Nouns after which a title stands in the genitive."""

PEOPLE = regex(
    r"(?:kim |kto to|kiedy (?:sie )?(?:zyl|urodzil|zmarl|umarl|zginal)|gdzie (?:sie )?(?:urodzil|"
    r"zmarl|zyl|mieszkal|studiowal)|ile lat (?:mial|zyl)|co (?:napisal|odkryl|namalowal))"
)
"""Questions that are asked of persons alone."""

WIKI = regex(
    rf"(?i)\b(?:(?:w|na|z|do) )?(?:{_TONGUE} )?(?:wikipedi\w*|wiki)\b:?|\ben\.? ?wiki\w*:?"
)
"""The encyclopaedia itself, which is no topic."""

ASKING = regex(
    rf"\b(?:co|kto|kim|czym|czego|czemu|kogo|komu|kiedy|gdzie|skad|dokad|jak|jak[aie]\w*|ile|ilu|"
    rf"ktor\w+|dlaczego|czy|czyj\w*|fto|kaj|wiela|kery|wikipedi\w*|wiki|{_SEEK}|{_TELL}|{_ENTRY}|"
    rf"{_LIFE}|zdefiniuj|wyjasnij|wytlumacz|objasnij|opisz|omow|ustalic|wskazanie|podanie|"
    rf"wyszukasz|sprawdzisz|znajdziesz|dorzuc|{_MAKER}|what|who|when|where)\b|\?"
)
"""What tells a sentence that asks from one that only tells."""
