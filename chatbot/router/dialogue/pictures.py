"""Pictures of what was spoken of, and changes to the last picture."""

import re

from chatbot.router.detector.framing import strip_closing
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.scene import Finding, Scene, call
from chatbot.router.dialogue.state import IMAGE, WEATHER, WIKIPEDIA, DialogueState

_DRAW = re.compile(
    r"\b(?:narysuj|namaluj|naszkicuj|wygeneruj\w*|zilustruj|zilustrowac|zwizualizuj|rysuj|maluj|"
    r"stworz\w*|utworz|(?:z)?rob\w*|pokaz|obraz\w*|rysun\w+|grafik\w+|ilustracj\w+|zdjeci\w+|"
    r"plakat\w*|tapet\w+|akwarel\w+|portret\w*|draw|paint|picture|image)\b"
)
_STRONG = re.compile(
    r"\b(?:narysuj|namaluj|naszkicuj|wygeneruj\w*|zilustruj\w*|zilustrowac|zwizualizuj|"
    r"na (?:obrazku|obrazie|rysunku|ilustracji|grafice|zdjeciu)|"
    r"(?:obraz(?:ek|ka|ki|u)?|ilustracj[ae]|rysunek|grafik[ae]|portret) "
    r"(?:tego|tej|takie\w+|jego|jej|do|z nim|z nia)|"
    r"draw|paint)\b"
)
_REFERS = re.compile(
    r"\b(?:to|go|ja|je|jego|jej|ich|nim|nia|tego|tej|ten|ta|te|tym|tych|taki\w*|tak\w+ego|"
    r"tam|jak mogl\w*|jak wygladal\w*|it|this|that|him|her)\b"
)
_CHANGE = re.compile(
    r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|zmien|zamien|usun|wyrzuc|zdejmij|przerob|zrob|daj|"
    r"ubierz|powieksz|pomniejsz|rozjasnij|przyciemnij|przemaluj|pokoloruj|popraw|wstaw|umiesc|"
    r"jeszcze raz|jeszce raz|od nowa|ponownie|to samo|taki?\w* sam\w*|drugi\w* taki\w*|"
    r"niech|zamiast|bez|tylko|w stylu|wersj\w+|inn\w+|a teraz|na odwrot|odwrotnie|akwarel\w+|"
    r"olejn\w+|szkic\w*|olowkiem|czarno-bial\w+|noca|w nocy|zima|latem|jesienia|wiosna|"
    r"o swicie|o zachodzie|napis|tlo|tle|wolal\w*|mial\w* (?:byc|brzmiec)|chcial\w*|ma byc|"
    r"make it|add|remove|without|again|same)\b"
)
_ENDS = re.compile(
    r"\b(?:dlaczego|czemu|kto|kiedy|ile|ilu|skad|naucz\w*|jak (?:narysowac|namalowac|naszkicowac)|"
    r"opis\w+|napisz|opowiedz|co to|kogo|gdzie|zapisz|wydrukuj|pobierz|wyslij|przypomina|"
    r"czyj\w*|pogod\w*)\b"
)
_FILLERS = re.compile(
    r"\b(?:a|no|to|ok|okej|super|haha|aj|oj|ojej|wow|prosze|poprosze|jeszc?z?e raz|od nowa|"
    r"ponownie|tylko ze|tylko|ale|jednak|teraz|to samo|tak samo|zrob|wygeneruj\w*|narysuj|namaluj|"
    r"mi|go|ja|je|da sie|dodaj|dorzuc|doloz|domaluj|dorysuj|przerob na|przerob|cos|niech bedzie|"
    r"niech beda|niech|na nim|na niej|make it|plis|please|byloby|bylaby|bylby|ladniej|lepiej|"
    r"chcial(?:em|am|bym|abym)|wolal(?:bym|abym)|mozesz|mozna|and|urocze|swietnie|piekn\w+|"
    r"pokaz|na (?:obrazku|obrazie|rysunku|ilustracji|grafice)|"
    r"ladn\w+|czyli|na odwrot|odwrotnie|drugi\w* taki\w*|taki\w* sam\w*|wersj[aei])\b"
)
_REVERSED = re.compile(r"\b(?:na odwrot|odwrotnie)\b")
_INSCRIPTION = re.compile(
    r"\bnapis\w* (?:mial\w* (?:brzmiec|byc)|ma (?:brzmiec|byc)|zmien na) (?=\S)"
)
_WRITTEN = re.compile(r"(napis\w* (?:[„\"])?)([^\s,„”\"]+)")
_STYLES = re.compile(
    r",?\s*\b(?:obraz olejny|olej na plotnie|akwarel\w+|szkic(?: olowkiem)?|olowkiem|"
    r"pastel\w*|rysunek(?: olowkiem)?|komiks\w*|czarno-bial\w+|w stylu [\w ]{2,30})\b,?\s*"
)
_LONGEST = 500
_ABOUT = re.compile(r"\bo (\w[^.?!,]{2,60})")


def follow(scene: Scene) -> Finding:
    """Draw what was spoken of, or the last picture with a change."""
    if IMAGE not in scene.offered or _ENDS.search(scene.folded):
        return None
    if _STRONG.search(scene.folded) and _REFERS.search(scene.folded):
        found = _of_subject(scene)
        if found is not None:
            return found
    if scene.is_active(IMAGE) and _CHANGE.search(scene.folded):
        return _changed(scene)
    return None


def _of_subject(scene: Scene) -> Finding:
    """Let the subject of the conversation stand for a pronoun ("pokaż ją na rysunku")."""
    subject = _subject(scene.state)
    if subject is None:
        return None
    rest = _rest(scene.text)
    described = f"{subject}, {rest}" if rest else subject
    return call(IMAGE, description=described[:_LONGEST])


def _subject(state: DialogueState) -> str | None:
    for turn in reversed(state.turns):
        for made in reversed(turn.calls):
            for argument in ("description", "query", "city"):
                if made.name in {IMAGE, WIKIPEDIA, WEATHER} and argument in made.arguments:
                    return str(made.arguments[argument])
    last = state.last
    if last is not None and (about := _ABOUT.search(last.prompt)) is not None:
        return about[1].strip()
    return None


def _changed(scene: Scene) -> Finding:
    pictures = scene.state.pictures
    if not pictures:
        return None
    last = pictures[0]
    if (told := _INSCRIPTION.search(scene.folded)) is not None:
        new = scene.text[told.end() :].strip(" .!?")
        mended = _WRITTEN.sub(lambda found: found[1] + new, last, count=1)
        return call(
            IMAGE, description=(mended if mended != last else f"{last}, napis {new}")[:_LONGEST]
        )
    rest = _rest(scene.text)
    if _REVERSED.search(scene.folded) and rest:
        return call(IMAGE, description=rest[:_LONGEST])
    if _STYLES.search(scene.folded) and (plain := _STYLES.sub(" ", last).strip(" ,")):
        last = plain
    return call(IMAGE, description=(f"{last}, {rest}" if rest else last)[:_LONGEST])


def _rest(text: str) -> str:
    """What a prompt adds to the picture: without the words of asking."""
    bare = strip_closing(text)
    folded = fold_evenly(bare)
    kept: list[str] = []
    start = 0
    for found in _FILLERS.finditer(folded):
        kept.append(bare[start : found.start()])
        start = found.end()
    kept.append(bare[start:])
    return re.sub(
        r"\s*[,.!?:;…]+(?=\s*[,.!?:;…]|\s*$)|^[\s,.!?:;)(]+", "", " ".join(" ".join(kept).split())
    ).strip(" ,.!?:;")
