"""Tell prompts that have figures and signs in them, but ask for no result."""

from chatbot.language.folding import fold
from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.quotations import blank_quotations

_REFUSED = Guarded(
    r"\b(?:udowodni|udowadnia|dowiedz|wykaz|dowod|dowodu|pokaz|uzasadni)\w*\b[^.?!]{0,25}"
    r"\b(?:ze|induk\w+|dlaczego|niewymiern\w+)\b"
    r"|\bnie (?:rozwiazuj|obliczaj|licz|podawaj (?:mi )?(?:wyniku|odpowiedzi|rozwiazania))\b"
    r"(?!, (?:tylko )?(?:oblicz|policz|podaj))"
    r"|\bnaprowadz\b|\bpodpowiedz tylko\b"
    r"|\bgdzie (?:mam|jest|robie|popelnil[ae]m)\b.{0,12}blad"
    r"|^\W*(?:popraw|skoryguj|przetlumacz|sparafrazuj|skroc (?:ten|to|tekst|akapit|opis))\b"
    r"|\b(?:interpunkcj\w+|ortografi\w+|liczebnik\w*|slownie|cyframi rzymskimi|rzymsk\w+ zapis)\b"
    r"|\b(?:wymysl|uloz|napisz|opowiedz|stworz)\w*\b[^.?!]{0,30}"
    r"\b(?:wiersz|rymowank|zagadk|histori|bajk|piosenk|zart|dowcip|kawal|zadani|tekst)\w*\b"
    r"|\b(?:zwraca none|mam buga|w pythonie|w javie|w javascripcie|w excelu|w sql\w*|w arkuszu)\b"
    r"|\bdelt[aey] kronecker|\b(?:zapis|postac)\w* (?:dwojk|binar|szesnastk|osemk|rzymsk)"
    r"|\b(?:na|do) (?:system\w* )?(?:dwojk|binar|szesnastk|osemk|rzymsk)"
    r"|\bdla jak\w+ (?:wartosci )?(?:parametru )?(?!x\b)[a-z]\b[^.?!]*"
    r"\b(?:rozwiazan|pierwiast|zer\w*\b)"
    r"|\bcalk\w+ (?:podwojn(?!.*\]\s*[x×*]\s*\[)|potrojn|krzywolin|powierzchn)"
    r"|\+ ?(?:\.\.\.|…) ?\+ ?\(?[^\d\s(]"
    r"|^\W*(?:napisz|zredaguj|opisz|stresc|przetlumacz|narysuj|namaluj|zaprojektuj|zobrazuj|"
    r"wygeneruj|zilustruj|naszkicuj)\b(?!.*\b(?:ile|oblicz|policz|wylicz|zsumuj|wynik))"
    r"|\bprost[ea] jak\b|\b(?:mecz|spotkanie|derby)\w*\b[^.?!]{0,30}\b\d ?: ?\d\b"
    r"|\b(?:dni|dzien) robocz\w+|\bdzien tygodnia\b|\bnumer(?:u|em)? (?:telefonu|konta)\b"
    r"|\b(?:wpis\w*|kurs\w*|kantor\w*|przelicz|wymien\w*)\b[^.?!]{0,20}\b(?:euro|eur|dolar\w*|usd|funt\w*)\b"
    r"[^.?!]{0,12}\b(?:na|w) (?:zlot\w+|pln|zl)\b"
)
_ALLOWED = regex(
    r"\b(?:nie|bez|zadn\w+|zamiast)\b[^.?!,;]{0,25}"
    r"\bw (?:javascripcie|pythonie|excelu|javie|sql\w*)\b"
    r"|\bbez (?:pisania|kodu|uzycia|pomocy|skryptu)\b"
)


def asks_for_no_result(text: str) -> bool:
    """Whether a proof, a hint, a text or a word about figures is wanted instead of a result."""
    folded = fold(blank_quotations(text))
    return bool(_REFUSED.search(folded)) and not _ALLOWED.search(folded)
