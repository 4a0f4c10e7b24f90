"""The words by which a follow-up speaks of the weather, or of a climate instead."""

from chatbot.language.patterns import regex
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import WEATHER

RETURN = (
    r"(?:wro[ct]\w*|wraca\w*)(?: (?:\w+ )?jeszcze| na chwile| sie)? do (?:t\w{1,2} |temat\w )?"
    r"(?:pogod|prognoz|temperatur)\w+"
)
"""Goes back to the weather: "wracając jeszcze do pogody"."""

_RETURN = regex(rf"\b{RETURN}")
_NAMED = regex(
    r"\b(?:weather|aur\w+|such\w+|mokro|jak (?:tam )?(?:jest|bedzie) (?:teraz|dzis\w*|jutro|"
    r"pojutrze|w)|jak tam|co tam|forecast|prognoz\w*|pogod\w*|lalo|lunie|"
    r"pokropi|padalo|kurt[kc]\w+|parasol\w*|"
    r"ile (?:\w+ ){0,2}stopni (?:\w+ )?(?:w|na|tam|bedzie|jest|teraz|dzis\w*|jutro)|"
    r"ile (?:teraz|dzis\w*|jutro|tam|bedzie|jest) (?:\w+ )?stopni|"
    r"jak (?:sie )?zapowiada(?: sie)? (?:tam |nam )?(?:reszt|dalsz|dzi|jutr|pojutr|weekend|tydzien|"
    r"ponie|wtor|srod|czwart|piat|sobot|niedziel|kolejn|najbliz|nastepn)\w*|"
    r"jak z (?:deszcz|wiatr|mroz|snieg|slonc|temperatur|opad|mgl)\w+|"
    r"(?:w )?co (?:mam )?(?:na siebie )?(?:sie )?(?:wlozyc|ubrac|zalozyc)|jak sie ubrac|"
    r"(?:rekawic\w+|rekawiczk\w+|szalik\w*|kalosz\w*|czapk\w+|spodenk\w+|sandal\w*)"
    r"(?: (?:sie|beda|bedzie|mi|nam))* "
    r"(?:przyda\w*|potrzebn\w+|(?:wy)?starcz\w+|brac|wziac|zabrac|pakowac))\b"
)
_FELT = regex(
    r"\b(?:(?:prze|z|za|wy)marz(?:n\w+|l\w+)|marzn\w+|(?:prze|z)mok(?:n\w+|l\w+|ni\w+)|"
    r"(?:prze|z|wy)wieje|przewial\w+|(?:zleje|zaleje|zmoczy|zasypie|spali|przypiecze) "
    r"(?:mnie|nas|cie|was|go|ja|ich)|(?:mnie|nas|cie|was|go|ja|ich) (?:tam )?(?:zleje|zaleje|"
    r"zmoczy|zasypie|przypiecze))\b"
)
"""What the weather does to somebody: "nie przemarzną?"."""

_COLLOQUIAL = regex(
    r"\b(?:piz[dg]\w+|duje|dmucha\w*|wieje|kropi|siapi|leje|zacina|proszy|poproszy|dosypie|"
    r"sypnie|chlapa|ciapa|odwilz|roztopy|szron|ziab|skwar|zimnica|patelnia|ponuro|mglisto)\b"
)
_USUALLY = regex(r"\b(?:zwykle|zazwyczaj|przewaznie|statystycznie|na ogol|co roku|bywa\w*)\b")
_IN_MONTH = regex(
    r"\b(?:w|we) (?:styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrzesniu|"
    r"pazdzierniku|listopadzie|grudniu)\b"
)


def names_weather(scene: Scene) -> bool:
    """Whether the prompt plainly asks for the weather, or for what it does to somebody."""
    return any(one.search(scene.folded) for one in (_NAMED, _FELT, _COLLOQUIAL))


def returns_to_weather(scene: Scene) -> bool:
    """Whether the prompt says that it goes back to the weather, and of which day."""
    return bool(scene.days) and _RETURN.search(scene.folded) is not None


def speaks_of_weather(scene: Scene) -> bool:
    """Whether a word of the prompt belongs to the weather."""
    return names_weather(scene) or any("weather" in groups_of(word.folded) for word in scene.words)


def asks_of_climate(scene: Scene) -> bool:
    """Whether the usual weather of a place is asked for: "jak tam zwykle bywa w grudniu?"."""
    if scene.days:
        return False
    is_usual = _USUALLY.search(scene.folded) or _IN_MONTH.search(scene.folded)
    return is_usual is not None and (scene.is_active(WEATHER) or speaks_of_weather(scene))
