"""Tell descriptions that say only what sort of picture it shall be, and nothing that it shows."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_MEDIUM = (
    r"(?:obraz(?!u)\w{0,5}|obrazu|rysun\w+|malun\w+|ilustracj\w+|grafi(?:k|c)\w{0,4}|fot(?:k|c)\w+|"
    r"fotografi\w*|zdjec\w+|plakat\w{0,3}|logo|tapet\w{1,2}|awatar\w{0,3}|avatar\w{0,3}|baner\w{0,3}|"
    r"naklej\w+|mem[auy]?|images?|pictures?|szkic\w{0,2}|okladk\w{1,2}|portret\w{0,2}|"
    r"komiks\w{0,2}|kartk\w{1,2}|zaproszeni\w{1,2}|animacj\w{1,2})"
)
_SORT = (
    r"(?:now|ladn|fajn|piekn|sliczn|super|swietn|ciekaw|dowoln|losow|szybk|pionow|poziom|kwadratow|"
    r"kolorow|czarno-bial|czarnobial|monochromatyczn|duz|mal|wysok|najwyzsz|dobr|najlepsz|jedn|inn|"
    r"kolejn|olejn|akwarelow|profilow|jak|tak)(?:y|a|e|i|ie|ego|iego|ej|iej|ym|im|ych|ich|o|is|as|ies|iegos|iejs)?"
)
_VALUE = (
    r"(?:\d+ ?(?:x|×|na|:|/) ?\d+(?: ?(?:px|piksel\w*|cm|mm))?|\d+ ?(?:px|piksel\w*|dpi|k|mpx|cm)|"
    r"a[0-6]|(?:full|ultra)[ -]?hd|u?hd|png|jpe?g|svg|webp|gif|rgb|cmyk)"
)
_QUALITY = (
    r"(?:jakos\w+|rozdzielczos\w+|forma[tc]\w*|rozmiar\w*|wymiar\w*|proporcj\w+|orientacj\w+)"
)
_OWN = r"(?:(?:moj|nasz|swoj|now)\w* )?"
_PURPOSE = (
    r"(?:salon\w?|pokoju|scian\w+|sypialni|biura|kuchni|telefon\w?|pulpit\w?|komputer\w?|insta\w*|"
    r"facebook\w*|fb|blog\w?|stron\w+|profil\w?|post\w?|koszulk\w+|kub(?:ek|ka)|plakat\w?|okladk\w+|"
    r"prezentacj\w+|prezent|firm\w+|opowiadani\w+|ksiazk\w+|ulotk\w+|wizytowk\w+|stories|relacj\w+|"
    r"referat\w?|fejs\w?|szkol\w|urodzin\w{0,2}|imienin\w{0,2}|tapet\w|lekcj\w|klas\w|gabinetu|"
    r"domu|messenger\w?|discord\w?|instagram\w?|tiktok\w?|konkurs\w?|kartk\w|zaproszeni\w)"
)
_WHEN = (
    r"(?:(?:na|od) )?(?:jutro|dzis\w*|zaraz|teraz|wczoraj|cito|juz|pilnie|szybko|pozniej|potem|"
    r"(?:poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele))"
)
_LATER = (
    r"(?:podam|opisze|wysle|powiem|dosle|podesle|napisze|wyjasnie|dopowiem|przekaze|przesle|"
    r"okresle|podrzuce)"
)
_WITH_LATER = (
    r"(?:tresc|opis|temat|tekst|szczegoly|reszte|co|ci|wam|go|ja|je|to|za|chwil\w+|moment\w*|na|"
    r"zyczenie|zaraz|potem|pozniej|jeszcze|osobno|wkrotce)"
)
_UNIT = regex(
    r"[\W_]+|(?:"
    r"dla (?:moj\w+ )?(?:mamy|taty|babci|dziadka|corki|syna|dziecka|dzieci|zony|meza)|"
    rf"(?:{_MEDIUM}|cos|czegos|cokolwiek)(?: \w+ego)? w stylu (?!jak )\w+(?: \w+)?$|"
    rf"{_MEDIUM}|{_WHEN}|{_VALUE}|{_SORT}|"
    r"(?:dw(?:a|ie|och|u|oje)|trzy|cztery|kilka|pare|par|sztuk\w*|\d{1,2})|"
    rf"(?:na|do|dla|jako) {_OWN}{_PURPOSE}|"
    rf"(?:(?:w|o|z) )?(?:{_SORT} ){{0,2}}{_QUALITY}(?: {_VALUE})?|"
    rf"w (?:{_VALUE}|kolorze|kolorach|kwadracie|pionie|poziomie)|"
    r"(?:cos|czegos)(?: \w+ego)?|cokolwiek|"
    rf"(?:{_WITH_LATER} )*{_LATER}(?: {_WITH_LATER})*(?:,? (?:co|jak) \w+c)?|"
    r"(?:olowkiem|weglem|tuszem|kredkami|farbami|najlepiej|byle|jeszcze raz|jak najszybciej)|"
    r"(?:zamawiam|zamowic|chce|chcialbym|chcialabym|potrzebuj\w+|moglbys|moglabys|mozesz|prosze|"
    r"uprzejmie|poprosze|yyy+|eee+|to|bys|mogl\w{0,5}|moze|znow|potrzebn\w|czy|wam|wy|cie|was|"
    r"zamowienie|ladnie|dla mnie|ogarniesz|wygenerujesz|namalujesz|narysujesz|"
    r"|zrobisz|pomozesz|zaczynaj|dasz rade|da rade|"
    r"(?:jak |jesli )?(?:to )?sie da|jak dasz rade|zaskocz mnie|artysto|mi|a|"
    r"no|ja|i|jakos|bardzo|pls|plis|te|ty|ej|hej|wez|dawaj|daj|jesli|jezeli|tak|jakikolwiek|"
    r"jakakolwiek|jakiekolwiek|pan|pani|miec|mi|naszkicowal\w?|namalowal\w?|narysowal\w?|"
    r"co (?:mnie|mi) (?:rozwesel|uciesz|zaskocz|pociesz|rozbaw|poprawi|zainspiruj|rozsmiesz)\w*"
    r"(?: humor)?|(?:mamy|taty|babci|dziadka|corki|syna|zony|meza))|"
    r"(?:bo|poniewaz|gdyz) .*"
    r")(?!\w)"
)


def shows_nothing(text: str) -> bool:
    """Whether only medium, size, style, time or that it is told later stand in a description."""
    folded = fold_evenly(text)
    at = 0
    while at < len(folded):
        found = _UNIT.match(folded, at)
        if found is None:
            return False
        at = found.end()
    return True
