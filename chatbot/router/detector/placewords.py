"""Words that stand before, between and around names of places, folded."""

from chatbot.language.patterns import regex

AT = frozenset({"w", "we", "na", "dla", "po", "in", "ve"})
NEAR = frozenset({
    "nad", "pod", "przy", "za", "wokol", "kolo", "obok", "niedaleko", "blisko", "okolice", "kole",
    "przed", "znad", "pode", "opodal", "nieopodal", "dookola",
})  # fmt: skip
FROM = frozenset({"z", "ze", "od", "spod", "sprzed"})
TO = frozenset({"do", "ku"})
PREPOSITIONS = AT | NEAR | FROM | TO
LINKS = frozenset({
    "i", "oraz", "a", "albo", "lub", "czy", "niz", ",", "/", "vs", "kontra", "tez", "takze", "abo",
    "ani", "&", "+", "and", "versus", "czyli", "-", "–",
})  # fmt: skip
FILLERS = frozenset({
    "moze", "jeszcze", "ewentualnie", "potem", "pozniej", "nastepnie", "dalej", "koncu", "ile",
    "jak", "jaka", "jaki",
})  # fmt: skip
AROUND = frozenset({
    "okolicach", "okolicy", "okolice", "okolic", "centrum", "rejonie", "regionie", "poblizu",
    "miescie", "miasta", "miasto", "miasteczka", "miasteczku", "miejscowosci", "miejscowosc",
    "wsi", "mieste", "obszarze", "terenie", "calej", "calym", "poludniu", "polnocy", "wschodzie",
    "zachodzie", "naszym", "naszej", "moim", "rynku", "starowce", "lotnisku", "przedmiesciach",
    "obrzezach", "kierunku", "strone", "stronie", "slonecznym", "slonecznej", "deszczowym",
    "pieknym", "pieknej", "starym", "gminie", "powiecie", "wyspie", "wyspe", "kurorcie", "tym",
    "samym", "samej", "poludnie", "polnoc", "dzielnicy", "stacji", "twoim", "moje", "jeziorze",
    "gminy", "gmine", "powiatu", "miescinie", "wioski", "wiosce", "wioske", "osiedlu", "osiedla",
})  # fmt: skip
LOCAL = frozenset({"miescie", "miejscowosci", "miasteczku", "gminie", "dzielnicy", "wyspie"})
KINDS = frozenset({
    "solectwo", "solectwa", "gmina", "gminy", "gmine", "wies", "wsi", "miasto", "miasta",
    "miasteczko", "miasteczka", "miejscowosc", "miejscowosci", "osada", "osady", "powiat",
    "uzdrowisko",
})  # fmt: skip
NEVER = frozenset({
    "tam", "tu", "tutaj",
    "dworze", "dworzu", "zewnatrz", "polu", "domu", "pracy", "dzien", "dni", "tygodniu", "tydzien",
    "weekend", "weekendzie", "rano", "wieczor", "wieczorem", "noc", "nocy", "poludnie", "chwili",
    "razie", "ogole", "tej", "tym", "ten", "ta", "te", "to", "koncu", "lato", "zima", "zime",
    "narty", "rower", "spacer", "grilla", "pogode", "pogoda", "jutro", "dzis", "dzisiaj",
    "pojutrze", "teraz", "pogodzie", "morzem", "gorach", "morze", "jeziorem", "plazy",
    "wiela", "wiele", "kaj", "kaz",
    "ile", "jaka", "jaki", "jakie", "jak", "czy", "kiedy", "gdzie", "pogody", "prognoza",
    "temperatura", "pada", "bedzie", "sprawdz", "podaj", "powiedz", "deszcz", "snieg", "co", "hej",
    "czesc", "prosze", "celsjusza", "fahrenheita", "google", "beauforta", "kelvina", "wikipedia",
    "wikipedii", "internecie", "internet", "facebooku", "boze", "bozego", "narodzenie", "wigilie",
    "wigilia", "wielkanoc", "swieta", "sylwestra", "sylwester", "mikolaja", "nowy rok", "andrzejki",
    "piatek", "piatku", "wrzesnia", "wrzesien", "swiecie", "gora", "gory", "gorze", "gore", "gor",
    "woli", "wola", "wole", "ochota", "ochoty", "ochote", "ochocie", "lazy", "lapy", "lape",
    "bardo", "bardzo", "mroz", "mrozy", "mrozow", "mrozach", "mrozem", "brzeg", "brzegu",
    "brzegiem", "pisz", "piszcie", "dobra", "dobre", "dobrej", "dobry", "nowe", "nowego", "nowej",
    "czarne", "wesola", "biala", "bialej", "biale", "wysoka", "wysokiej", "lesna", "lesnej",
    "katar", "gniew", "koniec", "skoki", "skok", "nisko", "san", "sana", "marek", "sen", "kowal",
    "ksiezyc", "ksiezyca", "ren", "pola", "pole", "chcesz", "ja", "mi", "on", "ona", "oni", "my",
    "wy", "ty",
})  # fmt: skip
ASSENT = frozenset({"dobra", "dobre", "dobry", "nice"})
STREETS = frozenset({
    "skwer",
    "skwerze",
    "plac",
    "placu",
    "ulica",
    "ulicy",
    "ul",
    "aleja",
    "alei",
    "park",
    "parku",
    "rondo",
    "rondzie",
    "most",
    "moscie",
    "bulwar",
    "bulwarze",
})
INSTITUTION = regex(
    r"uniwersyte|politechni|akademi|stadion|lotnisk|dworc|dworzec|szpital|teatr|oper[aezy]|muzeum|"
    r"zamek|zamku|zamkiem|ryn(?:ek|k)|ogrod|filharmoni|katedr|hal[aeiu]"
)
BEFORE = regex(
    r"(?:now|star|mal|duz|such|mokr|woln|gorn|doln|bial|czarn|czerwon|zielon|wielk|wysok|niski|"
    r"glebok|szerok|krzyw|kamienn)(?:y|a|e|ej|ego|emu|ym|ych|i|ie|iej|iego|iemu|im|ich)"
)
BEHIND = regex(
    r"(?:\w{2,30}(?:s|c|dz)k|nizn|wyzn|doln|gorn|srednio?|wielk|mal|star|now)"
    r"(?:y|a|e|ej|ego|emu|ym|ych|i|ie|iej|iego|iemu|im|ich)"
)
