"""Thanks, dropped wishes, and work on what was said: no tool is wanted."""

from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import is_order, split_clauses
from chatbot.router.detector.detector import DetectedCall
from chatbot.router.detector.framing import is_on_text
from chatbot.router.detector.quotations import blank_quotations
from chatbot.router.dialogue.drawings.choosing import shared
from chatbot.router.dialogue.forecasts.places import THERE, named_places
from chatbot.router.dialogue.praise import is_praise
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene
from chatbot.router.dialogue.state import IMAGE, MATHEMATICS, NEEDED

_DROPPED = regex(
    r"(?:\w+[,.!]? ){0,3}(?:(?:to )?(?:juz )?(?:nie ?wazne|niewazne|mniejsza (?:z tym|o to)|"
    r"nie trzeba|nieaktualne|bez znaczenia|zapomnij(?! o)|olej to|dam sobie spokoj|daruj sobie|"
    r"zostaw(?:my)? to|odpusc|anuluj|nie sprawdzaj(?! w| dla| na)|poradze sobie|"
    r"(?:juz )?sam[aio]? (?:to )?(?:sprawdze|policze|znajde|poszukam|zobacze|narysuje)(?=\W*$)|"
    r"juz (?:sam[aio]? )?(?:to )?(?:sprawdz|policz|oblicz|znalaz|wyjrza|zobaczy|dowiedzia)\w*"
    r"(?:lem|lam|lismy|lysmy)(?! (?:w|we|na|dla|ze|ale|tylko)\b)(?: sie)?|"
    r"(?:popatrz|spojrz|wyjrz|zajrz|zerkn|zobacz|sprawdz|wyjd|posluch)\w*[ea] (?:sobie )?"
    r"(?:przez|za|w|na) "
    r"(?:okno|telefonie|telewizji|necie|internecie|sieci|apce|aplikacji|radiu|dwor\w*|pole|balkon|"
    r"zewnatrz|termometr\w*)|i tak (?:wezme|biore|zabiore|ide|pojde|jade|pojade|zaloze|zostaje)|"
    r"(?:juz )?nigdzie nie (?:ide|jade|idziemy|jedziemy)|juz nie (?:ide|jade|idziemy|jedziemy)|"
    r"pomylka(?!.{0,20}\b(?:byc|w|we|chodzi\w*)\b)))\b"
)
_HINT = regex(
    r"\b(?:wskazowk\w*|podpowie\w*|podpowiadaj|naprowadz\w*|(?:sam\w*|tylko|jaki\w*|jakim\w*) "
    r"(?:\w+ )?wzor\w*|wzor\w* (?:tylko|wystarczy)|jak (?:sie )?(?:to |je |ja |go )?(?:sie )?"
    r"(?:zrobic|policzyc|liczy|oblicza|rozwiazuje|zaczac|ugryzc|zabrac))\b"
)
_OWN_WORK = regex(
    r"\bnie (?:\w+ )?(?:wy|po|ob|prze|roz)?(?:licz|liczaj|rachuj|wiazuj|"
    r"wiaz|podawaj|podaj|zdradz\w*|mow)\b|"
    r"\b(?:licz|wyliczaj|rozwiazuj|podawaj|zdradzaj)\w* (?:mi )?nie\b|"
    r"\b(?:sam[aio]?|samodzielnie|samemu) (?:\w+ ){0,2}?"
    r"(?:(?:po|ob|wy)licz|rozwiaz|zrobi|sprob|dojd)\w*|"
    r"\b(?:policze|oblicze|rozwiaze|zrobie|sprobuje|dojde) (?:\w+ )?(?:sam[ao]?|samodzielnie)\b|"
    r"\b(?:chce|wole|mam) (?:\w+ ){0,2}?(?:sam[ao]?|samemu|samodzielnie)\b"
)
_THANKS = regex(
    r"\b(?:dzieki|dziekuj[ea]\w*|dziekowac|wielkie dzieki|dzieks|thx|thanks|thank you)\b"
)
_REACTION = regex(
    r"^(?:(?:ok|okej|oki|spoko|super|swietnie|extra|ekstra|fajnie|jasne|rozumiem|aha|wow|haha\w*|"
    r"dobra|dobrze|git|gites|no|tak|nie|pieknie|ladnie|cudnie|bosko|genialn\w+|doskonale|idealnie|"
    r"brawo|ojej|och|ach|o|a|to|wszystko|swietny|swietna|zgadza sie|nice|cool|great)[\s,.!:)(;]*)+$"
)
_DOUBTS = regex(
    r"^(?:(?:a|i|no|ale|to|hm+)[ ,]+)*(?:serio|naprawde|na pewno|wszystko|tylko tyle|i co|"
    r"co z tego|"
    r"niezle,? co|prawda|powaznie|jak to|coo*|no i|i|o to chodzilo|tak|hej|czesc)?[\s?!.…]*$"
)
_NEXT = regex(r"^(?:\w+[,.!]* ){0,3}co (?:dalej|teraz|jeszcze|potem)[\s?!.…]*$")
_WORK = regex(
    r"\b(?:zmiesc|skroc(?! (?:\w+ ){0,3}przez\b)|stresc|streszcz|podsumuj|przetlumacz|"
    r"tlumacz|popraw|sparafrazuj|"
    r"przeredaguj|zredaguj|przepisz|wklej|rozwin|uproscij|powtorz|przypomnij|zapisz|wpisz|wyslij|"
    r"ustaw|zarezerwuj|zamow|kup|opisz|opisac|napisz|uloz|wymysl|skomponuj|naucz|wyjasnij|"
    r"wytlumacz|przeczytaj|zadzwon|dodaj do kalendarza)\b|"
    r"\b(?:opowiedz|rzuc|dawaj|daj|strzel)(?: \w+){0,3} (?:suchar|dowcip|kawal|zart)\w*"
)
_ABOUT_TALK = regex(
    r"\b(?:z jakiego zrodla|jakie (?:jest |sa )?zrodl\w+|podaj zrodl\w+|"
    r"zrodl\w+ (?:tych|tej|danych|informacji)|mowil(?:es|as)|pisal(?:es|as)|odpowiedzial(?:es|as)|"
    r"powiedzial(?:es|as)|o (?:jak\w+|co|ktor\w+)[^.!?]{0,20} pytal(?:em|am)|skad (?:to )?wiesz|"
    r"jestes pew\w+|"
    r"co (?:to |one |on |ona )?(?:znacz[ay]|oznacza\w?)(?=\W*$)|co masz na mysli)\b"
)
_TWO_FORMS = regex(
    r"\b(?P<at>w|we|na|do|z|ze|od|nad|pod) (?P<stem>\w{3,30}?)(?P<one>\w{0,4})\W{1,4}"
    r"(?:a )?(?:nie|czy|or|not|zamiast)\W{1,4}(?:(?P=at) )?(?P=stem)(?P<other>\w{0,4})\b"
)
_OF_SPEECH = regex(
    r"[„\"”]|\b(?:dlaczego|czemu|why|poprawn\w+|prawidlow\w+|mow(?:i|ia) sie|pisze sie|sie mowi|"
    r"sie pisze|form[aey]|koncowk\w+|odmien\w+|odmian\w+|gramatyk\w+|przypad(?:ek|ku))\b"
)
_OF_PICTURE = regex(
    r"\bco (?:przedstawia|jest|widac) (?:na )?t(?:en|ym|ej|a) (?:obraz|rysun|grafi|ilustr)\w*|"
    r"\bjak(?:im|i|iej|a|ie) (?:(?:to|ma|jest) )*"
    r"(?:forma[ct]|rozdzielczosc|wymiar|plik|licencj)\w*|"
    r"\bpraw\w* autorsk\w+|"
    r"\b(?:pobrac|sciagnac|wydrukowac|zapisac|udostepnic)\b|\bile (?:ma )?pikseli\b|"
    r"\bt(?:en|a|o) \w+ (?:to |naprawde )?(?:istnieje|jest prawdziw\w+)"
)
_OF_YOU = regex(
    r"\b(?:obejrzal|przeczytal|pojechal|zjadl|kupil|zamieszkal|posluchal|polecil|odwiedzil|"
    r"poszedl|poszl|chcial)a?bys\b"
)
_OF_SHOWN = regex(
    r"\b(?:kim jest|kto to(?: jest)?|jak (?:ma na imie|sie nazywa)|co robi|ile lat ma|dlaczego) "
    r"t(?:en|a|o) (\w+)"
)
_WORK_ON_IT = regex(
    r"^(?:\w+[,.!]* ){0,3}(?:zmiesc|skroc(?! (?:\w+ ){0,3}przez\b)|stresc|streszcz|"
    r"podsumuj|przetlumacz|tlumacz|sparafrazuj|"
    r"przeredaguj|zredaguj|przepisz|wklej|powtorz|opisz|skrocic|strescic|podsumowac|przetlumaczyc|"
    r"opisac|powtorzyc) (?:mi )?(?:to|go|ja|te|ten|ta|tego)\b"
)
_QUOTED = regex(r"[„\"«][^„”\"«»]{0,200}[”\"»]")
_CHANGE = regex(
    r"\b(?:z innej beczki|inn[ea] (?:pytan\w+|sprawa|temat)|zmieniam temat|zmiana tematu|"
    r"wracam do [^:.!?]{2,30}:|a (?:teraz )?cos innego|druga sprawa|i jeszcze (?:na szybko|jedno)|"
    r"przy okazji|zapomnij o \w+)\b[\s:,.–-]*"
)
_SENTENCE = regex(r"[.!?;]\s+(?=\S)")
_IS_TOLD = regex(r"\b(?:na obraz\w*|na rysunk\w*|w wikipedii|pogod\w*)\b")
_FORGET = "zapomnij"
_SURE = 0.8
_SHORT = 12


def close(scene: Scene) -> Finding:
    """Say that no tool is wanted, or that the prompt has nothing to do with what was before."""
    if is_dropped(scene):
        sentence = _SENTENCE.search(scene.text)
        return FollowUp(calls=_calls(scene, scene.text[sentence.end() :] if sentence else ""))
    if _wants_hint(scene) or _compares_forms(scene):
        return FollowUp(is_settled=True)
    if (changed := _other_subject(scene) or _besides_text(scene)) is not None:
        return changed
    if _is_idle(scene) or is_remark(scene) or _is_thanks(scene):
        return FollowUp()
    return _on_talk(scene)


def _is_idle(scene: Scene) -> bool:
    """Whether nothing is said but how something is liked, or that it may go on."""
    return any(one.match(scene.folded) for one in (_REACTION, _DOUBTS, _NEXT))


def _on_talk(scene: Scene) -> Finding:
    """Say that the talk itself is asked about, or that a text is to be worked on."""
    folded = scene.folded
    if _ABOUT_TALK.search(folded) and not THERE.search(folded):
        return FollowUp() if scene.size <= _SHORT else "alone"
    unquoted = _QUOTED.sub(" ", folded)
    if _WORK.search(unquoted) and not _IS_TOLD.search(unquoted):
        return FollowUp() if _WORK_ON_IT.search(unquoted) else "alone"
    return None


def is_dropped(scene: Scene) -> bool:
    """Whether the wish before is taken back: "nieważne", "mniejsza z tym"."""
    found = _DROPPED.match(scene.folded)
    if found is None:
        return False
    rest = scene.text[found.end() :]
    is_figure = scene.is_active(MATHEMATICS) and any(map(str.isdigit, rest))
    is_mended = found[0].endswith("pomylka") and (is_figure or named_places(rest))
    return not is_mended


def _wants_hint(scene: Scene) -> bool:
    """Whether how to do it is wanted, and not what comes out: "nie licz, daj wskazówkę"."""
    is_own = _OWN_WORK.search(scene.folded) is not None and _HINT.search(scene.folded) is not None
    return is_own and not _calls(scene, scene.text)


def _compares_forms(scene: Scene) -> bool:
    """Whether two forms of one word are asked about: "czemu „w Zakopanem”, nie „w Zakopanym”?"."""
    if _OF_SPEECH.search(scene.folded) is None:
        return False
    found = _TWO_FORMS.search(scene.folded)
    return found is not None and found["one"] != found["other"]


def is_remark(scene: Scene) -> bool:
    """Whether it is praise, to be translated, asked of us, or about the last picture itself."""
    is_of_us = scene.is_question and _OF_YOU.search(scene.folded) is not None
    is_plain = bool(scene.state.turns) and (is_on_text(scene.text) or is_of_us)
    return is_plain or is_praise(scene) or _is_of_picture(scene)


def _is_of_picture(scene: Scene) -> bool:
    """Whether a question is about a picture as such: "w jakim to jest formacie?"."""
    if not scene.is_active(IMAGE):
        return False
    if _OF_PICTURE.search(scene.folded) is not None:
        return True
    shown = _OF_SHOWN.search(scene.folded)
    pictures = scene.state.pictures
    return shown is not None and bool(shared(pictures[0], scene.text[slice(*shown.span(1))]))


def _is_thanks(scene: Scene) -> bool:
    """Whether the prompt only thanks: nothing else is asked for in it."""
    if scene.is_question or not _THANKS.search(scene.folded):
        return False
    return scene.detection.confidence < _SURE or not _calls(scene, scene.text)


def _other_subject(scene: Scene) -> Finding:
    """What the rest of a prompt asks for after words that change the subject."""
    changed = _CHANGE.search(scene.folded)
    if changed is None or not (rest := scene.text[changed.end() :].strip()):
        return None
    if _calls(scene, scene.text[: changed.start()]):
        return "alone"
    calls = _calls(scene, rest)
    if changed[0].startswith(_FORGET):
        calls = tuple(one for one in calls if NEEDED.get(one.name) in one.arguments)
        return FollowUp(calls=calls) if calls else None
    return FollowUp(calls=calls) if calls else _open_picture(scene.within(rest)) or "alone"


def _open_picture(scene: Scene) -> FollowUp | None:
    """What the picture shall show is asked for, where nothing of it is said."""
    found = [one for one in scene.detection.calls if one.name == IMAGE]
    is_open = bool(found) and not any(one.arguments for one in found)
    return FollowUp(asks=(IMAGE, NEEDED[IMAGE])) if is_open else None


def _besides_text(scene: Scene) -> FollowUp | None:
    """What is ordered after a quoted text to work on: "przetłumacz „deszcz”, a potem sprawdź …"."""
    own = blank_quotations(scene.text)
    if own == scene.text or not is_on_text(scene.text):
        return None
    ordered = [clause for clause in split_clauses(own)[1:] if is_order(clause)]
    calls = tuple(call for clause in ordered for call in _calls(scene, clause))
    return FollowUp(calls=calls, is_settled=True) if calls else None


def _calls(scene: Scene, text: str) -> tuple[DetectedCall, ...]:
    """What the detector finds in a part of the prompt."""
    found = scene.within(text).detection.calls if text.strip() else ()
    return tuple(call for call in found if call.arguments)
