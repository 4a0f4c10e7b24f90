"""Words that decide how a name inflects: labels of the dictionary, titles, particles, homonyms."""

from chatbot.language.patterns import regex

ORIGINS = frozenset({"z", "ze", "od"})
"""Prepositions before the place or person that somebody or something comes from."""

GEOGRAPHIC = frozenset({"nazwa_geograficzna", "człon_nazwy_geograficznej"})
PERSONAL = frozenset({"imię", "nazwisko"})
COMMON = frozenset({"nazwa_pospolita", "nazwa pospolita"})
PROPER = GEOGRAPHIC | PERSONAL | {"nazwa_organizacji", "nazwa_własna_budowli", "marka"}

# Of the dictionary's labels on a word, those that make it unlikely; the others tell its field.
MARKS = frozenset([
    "przest",
    "daw",
    "pot",
    "gwar",
    "rzad",
    "char",
    "reg",
    "środ",
    "hom",
    "pogard",
    "żart",
    "karc",
    "lekcew",
    "indyw",
    "fraz",
    "wulg",
])

# Titles cut short; the second lot only with a full stop, for they are words as well.
ABBREVIATIONS = frozenset(["dr", "prof", "ks", "św", "mr", "st", "mgr", "inż", "hab", "płk", "abp"])
AMBIGUOUS_ABBREVIATIONS = frozenset(["gen", "kard", "bp", "por", "kpt", "mjr", "red", "bł"])

ROMAN = regex(r"[IVXLCDM]+\.?")
ADJECTIVE_ENDING = regex(r"(?:ej|ego|emu|[yi]ch|[yi]mi?)$")
HYPHENS = frozenset({"-", "–"})
QUOTES = frozenset('„”“"«»')
CONJUNCTIONS = frozenset({"i", "oraz", "lub", "a"})

PARTICLES = frozenset([
    "de",
    "da",
    "di",
    "du",
    "del",
    "della",
    "van",
    "von",
    "der",
    "den",
    "la",
    "le",
    "el",
    "al",
    "bin",
    "ibn",
    "of",
    "the",
    "y",
    "e",
    "zu",
    "lady",
    "sir",
    "don",
    "dj",
])
# First names that are common nouns much more often: "Hali Stulecia", "Sali Senatu".
HALLS = frozenset(["hala", "sala", "wola", "gala", "norma", "lira", "nora"])
ITALIAN_PARTICLES = frozenset({"da", "di", "del", "della"})

# After these a name stands in the same case: "rzece Wiśle", "miasta Łodzi".
LOCAL_HEADS = frozenset([
    "miasto",
    "miasteczko",
    "wieś",
    "rzeka",
    "góra",
    "państwo",
    "wyspa",
    "kraj",
    "gmina",
    "planeta",
])
# After these a genitive, though a place may follow: "Doliny Baryczy", "Strefy Gazy".
TERRAIN = frozenset(
    """
    dolina park zatoka strefa kotlina nizina wyżyna cieśnina region prowincja okręg archipelag
    jaskinia wodospad puszcza las pasmo ujście delta dorzecze wybrzeże brzeg źródło zbiornik zalew
    równina pustynia płaskowyż stan hrabstwo ziemia wzgórze osiedle ulica plac aleja most punkt
    cmentarz rejon obwód powiat województwo dzielnica stolica rezerwat morze zamek pałac okolica
    """.split()  # noqa: SIM905 - one word a line would be 50 lines
)
# After these a genitive: "Republiki Armenii".
REALMS = frozenset(["republika", "królestwo", "księstwo", "cesarstwo", "federacja", "związek"])
# After these a genitive that may look like a surname: "ministra gospodarki".
OFFICES = frozenset(["minister", "prezes", "dyrektor", "rektor", "burmistrz", "wójt", "rzecznik"])
FEMALE_TITLES = frozenset([
    "królowa",
    "księżna",
    "księżniczka",
    "cesarzowa",
    "święta",
    "pani",
    "siostra",
    "matka",
    "bogini",
    "caryca",
    "poetka",
    "aktorka",
    "noblistka",
    "ciotka",
    "babcia",
    "żona",
])
FEMALE_ENDINGS = ("arka", "erka", "orka", "istka", "ystka", "iczka", "yni")

# First names in -a that are far more common than the masculine names they could come from.
WOMEN = frozenset([
    "Aleksandra",
    "Barbara",
    "Justyna",
    "Krystyna",
    "Marcelina",
    "Martyna",
    "Nikola",
    "Paulina",
    "Sabina",
    "Walentyna",
])
# Foreign first names that look like an inflected Polish word.
FOREIGN_NAMES = frozenset(
    """
    Mary Cory Gregory Randy Terry Jerry Larry Barry Gary Perry Harry Henry Tony Andy Sandy Wendy
    Cindy Nancy Lucy Emily Betty Sally Kelly Amy Judy Rudy Teddy Eddy Freddy Bobby Billy Jimmy
    Tommy Johnny Kenny Danny Benny Ronny Penny Jenny Cathy Dorothy Timothy Anthony Woody Sherry
    Michele Karin Marin Virginia Des Dulce Simone Celine Louise Denise Irene Adele Nikola Mykola
    Attila Akira
    """.split()  # noqa: SIM905 - one name a line would be 60 lines
)
# Nouns that are hardly meant where another noun has the same form: "Rady" is of "rada".
RARE = frozenset([
    "rad",
    "spora",
    "kart",
    "poczt",
    "poczet",
    "cukrzyk",
    "prawa",
    "krzyżmo",
    "wojska",
])
# Surnames of well-known people whose inflected forms could come from other surnames as well.
FAMILIAR = frozenset([
    "Bereza",
    "Boniek",
    "Bruno",
    "Duda",
    "Fermi",
    "Fredro",
    "Janda",
    "Jagiełło",
    "Kidawa",
    "Kołodko",
    "Kościuszko",
    "Krajewski",
    "Kukuczka",
    "Lato",
    "Lem",
    "Matejko",
    "Moniuszko",
    "Musk",
    "Okrasa",
    "Puzyna",
    "Rydz",
    "Sanguszko",
    "Szczęsny",
    "Tusk",
    "Tyber",
    "Wałęsa",
    "Wojtyła",
    "Ziobro",
])
