"""Pictures of what was spoken of, and changes to the last picture."""

from dataclasses import replace

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.picture import asks_for_other, read_descriptions
from chatbot.router.detector.picture.media import MEDIUM
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.drawings.antecedents import recently_described
from chatbot.router.dialogue.drawings.both import compared_things, of_both
from chatbot.router.dialogue.drawings.choosing import pointer, recipients, select, shared
from chatbot.router.dialogue.drawings.clauses import AFTER_THEN
from chatbot.router.dialogue.drawings.counting import recounted
from chatbot.router.dialogue.drawings.depicting import said_of, shown, unpointed
from chatbot.router.dialogue.drawings.disliked import without_disliked
from chatbot.router.dialogue.drawings.editing import edit, join_up
from chatbot.router.dialogue.drawings.exchanged import with_other_thing
from chatbot.router.dialogue.drawings.fresh import fresh
from chatbot.router.dialogue.drawings.joining import in_one
from chatbot.router.dialogue.drawings.open_wishes import asks_for_anything
from chatbot.router.dialogue.drawings.options import listed_meant, without_choice
from chatbot.router.dialogue.drawings.portrayed import portrayed
from chatbot.router.dialogue.drawings.spelled_out import SpelledOut, spelled_out
from chatbot.router.dialogue.drawings.versions import versions
from chatbot.router.dialogue.drawings.wishes import plain_wish
from chatbot.router.dialogue.mentions import nouns_of
from chatbot.router.dialogue.naming import runs
from chatbot.router.dialogue.scene import Finding, FollowUp, Scene, call, draw
from chatbot.router.dialogue.state import (
    IMAGE,
    MATHEMATICS,
    NEEDED,
    WEATHER,
    WIKIPEDIA,
    DialogueState,
)
from chatbot.router.dialogue.subjects import is_how_to

_DRAW = regex(
    r"\b(?:narysuj|namaluj|naszkicuj|wygeneruj\w*|zilustruj|zilustrowac|zwizualizuj|rysuj|maluj|"
    r"stworz\w*|utworz|(?:z)?rob\w*|pokaz|obraz\w*|rysun\w+|grafik\w+|ilustracj\w+|zdjeci\w+|"
    r"plakat\w*|tapet\w+|akwarel\w+|portret\w*|draw|paint|picture|image)\b"
)
_STRONG = regex(
    r"\b(?:(?:narysuj|namaluj|naszkicuj|wygeneruj)\w*|"
    r"pokaz(?:esz)? (?:mi )?(?:go|ja|je|ich|jego|jej)|zilustruj\w*|zilustrowac|zwizualizuj|"
    r"na (?:obrazku|obrazie|rysunku|ilustracji|grafice|zdjeciu)|"
    r"(?:obraz(?:ek|ka|ki|u)?|ilustracj[ae]|rysunek|grafik[ae]|portret) "
    r"(?:tego|tej|takie\w+|jego|jej|do|z nim|z nia)|"
    r"(?<!\bz )(?:jego|jej|ich|tego|tej) (?:obraz\w*|portret|ilustracj\w+|rysunek|grafik\w+)|"
    r"tak\w+ (?:widok|pogod|krajobraz|scen)\w*|draw|paint)\b"
)
_REFERS = regex(
    r"\b(?:go|ja|je|jego|jej|ich|nim|nia|tego|tej|ten|ta|te|tym|tych|taki\w*|tak\w+ego|"
    rf"to(?! {AFTER_THEN})|"
    r"tam|jak mogl\w*|jak wygladal\w*|it|this|that|him|her)\b"
)
_CHANGE = regex(
    r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|zmien|zamien|usun|wyrzuc|zdejmij|przerob|ubierz|"
    r"powieksz|pomniejsz|rozjasnij|przyciemnij|przemaluj|pokoloruj|wstaw|umiesc|popraw|"
    r"jeszc?z?e raz|od nowa|ponownie|to samo|drugi\w* taki\w*|niech|zamiast|w stylu|na odwrot|"
    r"odwrotnie|napis|brakuje|zapomnial(?:es|as)|mial\w* (?:byc|brzmiec)|make it|add|remove|"
    r"again|same)\b"
)
_HINT = regex(
    r"\b(?:wariant\w*|pierwsz\w+|poprzedni\w*|zrob|daj|taki?\w* sam\w*|bez|tylko|wersj\w+|"
    r"inn\w+|a teraz|akwarel\w+|olejn\w+|"
    r"szkic\w*|olowkiem|czarno-bial\w+|noca|w nocy|zima|latem|jesienia|wiosna|o swicie|"
    r"o zachodzie|tlo|tle|wolal\w*|chcial\w*|ma byc|without)\b"
)
_WISHING = frozenset({
    "byc", "dac", "miec", "chciec", "wolec", "prosic", "poprosic", "moc", "podobac", "podac",
})  # fmt: skip
_ENDS = regex(
    r"\b(?:wymien|podaj|znasz|dlaczego|czemu|kto|kiedy|ile|ilu|skad|naucz\w*|"
    r"jak (?:narysowac|namalowac|naszkicowac)|"
    r"jak[aie]\w*|opis\w+|napisz|opowiedz|co to|kogo|gdzie|zapis(?:z|ac)|"
    r"wydruk(?:uj|owac)|pob(?:ierz|rac)|wysl(?:ij|ac)|udostepnic|"
    r"przypomina|"
    r"czyj\w*|pogod\w*)\b"
)
_INSCRIPTION = regex(r"\bnapis\w* (?:mial\w* (?:brzmiec|byc)|ma (?:brzmiec|byc)|zmien na) (?=\S)")
_WRITTEN = regex(r"(napis\w* (?:[„\"])?)([^\s,„”\"]+)")
_ADDS = regex(r"\b(?:dodaj|dorzuc|doloz|domaluj|dorysuj|daj|wstaw|umiesc|i jeszcze|poprosze)\b")
_DRAWS = regex(r"\b(?:narysuj|namaluj|naszkicuj|wygeneruj|stworz)\b")
_KEEPS = regex(
    r"\b(?:jeszcze raz|od nowa|ponownie|bez|tylko|samo|sam\w?|zamiast|ale|go|ja|to|je|jego|jej|"
    r"im|mu|inaczej|"
    r"tak\w*|wersj\w+)\b"
)
_BARE = regex(
    r"^(?:(?:a|i|no|to|ok|teraz|moze|jeszcze)[ ,]+)*(?:w|we|na|z|ze|bez|o|przy|pod|nad|obok|"
    r"bardziej|mniej|wiecej|"
    r"troche|jeszcze (?:jeden|jedna|jedno|raz)|kolejn\w+|nastepn\w+|podobn\w+|t(?:en|a|o) sam\w*|"
    r"noca|zima|latem|wiosna|jesienia|rano|wieczorem|w nocy)\b"
)
_ELSE = regex(
    r"^nie (?:rysuj|generuj|maluj|rozwiazuj)|\b(?:selfie|fot[eoayk]\w*|ze zdjecia|tego zdjecia|"
    r"moj\w* zdjec\w*|przecink\w+|(?<!sza )liczb\w+|pierwiast\w+|translate|slowami|ascii|znakow)\b|"
    r"\d\s*[=+^²³]"
)
_WRITES_ON = regex(
    r"(?:\w+,? ){0,3}?(?:dopisz|wpisz|podpisz)\w* (?:\w+ ){0,3}?"
    r"(?:na (?:dole|gorze|srodku|nim|niej)|u (?:dolu|gory)|(?:w|po) \w+ (?:rogu|stronie)|"
    r"w rogu|pod spodem|nad \w+|dymek|napis\w*|haslo|dat[ea])\b"
)
_MIGHT = (
    r"(?:mogl(?:by|aby|oby|iby)|moze|moga|powin(?:ien|na|no|ni|ny)|da(?:l(?:by|aby|oby)|dza)? sie|"
    r"ma(?:ja)? (?:byc|miec)|mial[aoy]? (?:byc|miec)|wol(?:e|al\w+),? (?:gdy|kiedy|jak|zeby))"
)
_BIDS = regex(
    rf"\bt(?:en|a|o|e|amten|amta) (?P<noun>\w{{3,}})\b[^.]{{0,20}}?\b{_MIGHT}\b|"
    rf"\b{_MIGHT} (?:\w+ )?t(?:en|a|o|e) (?P<later>\w{{3,}})\b"
)
_MEDIA = frozenset({"obraz", "obrazek", "rysunek", "grafika", "ilustracja", "plakat", "tlo"})
_SUPPOSES = regex(r"\b(?:jakby|gdyby|a jesli|co jesli)\b")
_MANY, _NEAR, _BARE_SIZE = 12, 12, 3  # words; letters; words
_CHANGING = regex(
    r"(?:(?:a|i|no|to|ok|jeszcze|teraz)[ ,]+)*(?:dodaj|dorysuj|domaluj|doloz|popraw|zmien|"
    r"przemaluj|pokoloruj|powieksz|usun|wyrzuc|przerob|zamien)(?: (?P<whom>mu|jej|im))?\b"
)
_THIS_THING = regex(r"\bt(?:en|a|o|ego|ej|emu|ym|e|ych) \w{3,}")
_SAME = regex(rf"(?:(?:a|i|no|to)[ ,]+)*t(?:en|a|o) sam\w* {MEDIUM}")
_OF_MEDIUM = regex(rf"\b(?:z |na |do |t\w+ )?{MEDIUM}")
_STEM = 4
_FINITE = frozenset({"fin", "praet"})
_IDLE = regex(
    r"^dorzuc (?:\w+ ){0,2}grosze\b|"
    r"^(?:\w+ )?(?:do ulubionych|do notat\w+|temat|jezyk|spokoj|chwil\w+|znac|"
    r"link\w*)\b|^daj (?:mi )?(?:spokoj|"
    r"chwil\w+|znac|link|rade)|^(?:usun|skasuj) (?:to|ten|te|wszystko|"
    r"obraz\w*)\W*|"
    r"^(?:usun|skasuj) (?:ten |te )?(?:obraz\w*|grafik\w+)|^dodaj (?:to )?do |^zmien temat|"
    r"^(?:bez komentarza|na dzis|na dzisiaj|tylko tyle|nastepnym razem|coraz|wiecej nie|"
    r"mniejsza)\b|"
    r"^(?:w porzadku|w sumie|na razie|na pewno|o (?:rany|tak|nie|kurcze|boze|matko|jejku|to)|"
    r"bez sensu|w koncu|z gory|z pewnoscia|na zdrowie|o co|w czym|na czym|z czego|w jak|na jak|"
    r"z jak)\b"
)
_FEW = 6
_PLACES = regex(r"(?:w|we|na|z|ze|pod|nad|przy|u|od) [^,]+,")
_ABOUT = regex(r"\bo (\w[^.?!,]{2,60})")


def follow(scene: Scene) -> Finding:
    """Draw what was spoken of, or the last picture with a change."""
    if IMAGE not in scene.offered:
        return None
    if asks_for_anything(scene.text):
        return FollowUp(asks=(IMAGE, NEEDED[IMAGE]))
    if (named := _named_outright(scene)) is not None:
        return replace(named, is_settled=True)
    if (told := spelled_out(scene)) is not None and (found := _spelled(told)) is not None:
        return found
    if (mended := without_disliked(scene.state.pictures, scene.text)) is not None:
        return replace(call(IMAGE, description=mended), is_settled=True)
    is_other = _ENDS.search(scene.folded) or _ELSE.search(scene.folded)
    return None if is_other else _followed(scene)


def _named_outright(scene: Scene) -> FollowUp | None:
    """Both things of two, the last picture of another thing, or one that a reply lists."""
    if (pair := of_both(scene)) is not None:
        return pair
    found = with_other_thing(scene) or _of_listed(scene)
    return call(IMAGE, description=found) if found is not None else None


def _of_listed(scene: Scene) -> str | None:
    """A picture of one of the things that a reply lists, or that were compared: "tego drugiego"."""
    if scene.is_active(IMAGE) or not scene.detected(IMAGE):
        return None
    turns = scene.state.turns
    meant = listed_meant(turns, scene.folded, compared_things(turns))
    if meant is None:
        return None
    rest = without_choice(scene.text)
    said = said_of(rest)
    is_doing = bool(said) and f"jak {said}" in rest  # "jak schodzi po pniu"
    return shown(meant, f"jak {said}" if is_doing else said)


def _spelled(told: SpelledOut) -> FollowUp | None:
    """The pictures of a prompt in which nothing is only pointed at any more."""
    found = _followed(told.scene)
    shown = (
        [str(one.arguments[NEEDED[IMAGE]]) for one in found.calls if one.name == IMAGE]
        if isinstance(found, FollowUp)
        else list(read_descriptions(told.scene.text))
    )
    pictures = told.scene.state.pictures
    if not isinstance(found, FollowUp) and pictures and shared(pictures[0], told.scene.text):
        shown = [edit(pictures[0], told.scene.text)]
    drawn = draw(*(_with_details(unpointed(one), told.details) for one in shown))
    return replace(drawn, is_settled=True) if shown else None


def _with_details(picture: str, details: str) -> str:
    """A picture with what else it shows; a list of what is put where stands behind a colon."""
    if ":" not in picture and _PLACES.match(fold_evenly(details)):
        return f"{picture}: {details}"
    return join_up(picture, [details] if details else [])


def _followed(scene: Scene) -> Finding:
    """What was spoken of where the prompt points at it, else a change of the last picture."""
    lacks = any("description" not in one.arguments for one in scene.detected(IMAGE))
    is_meant = _STRONG.search(scene.folded) and _REFERS.search(scene.folded)
    is_bare = lacks and scene.is_active(WIKIPEDIA) and scene.size <= _BARE_SIZE
    if scene.size <= _MANY and (is_meant or is_bare):
        found = _of_subject(scene)
        if found is not None:
            return found
    if returns(scene) or (scene.is_active(IMAGE) and _is_change(scene)):
        return _changed(scene)
    return None


def _is_change(scene: Scene) -> bool:
    if _IDLE.match(scene.folded) or _ELSE.search(scene.folded) or asks_for_other(scene.text):
        return False
    is_long = scene.size > _MANY or (scene.detects_other(IMAGE) and scene.size > _STEM)
    if writes_on(scene) or bids_thing(scene):
        return True
    if (change := _CHANGE.search(scene.folded)) is not None:
        return not is_long or change.start() < _NEAR
    if is_long:
        return False
    return (
        not _tells(scene)
        and not _wishes_else(scene)
        and (_HINT.search(scene.folded) is not None or _is_bare_change(scene))
    )


def returns(scene: Scene) -> bool:
    """Whether a prompt goes back to a picture, or politely asks for a change of the last one.

    "Wróć do obrazka", "popraw ten dom" after the weather, "czy mogliby Państwo dodać …".
    """
    pictures = scene.state.pictures
    if not pictures or scene.is_active(MATHEMATICS) or _IDLE.match(scene.folded):
        return False
    if scene.is_active(IMAGE) and plain_wish(scene.text) != scene.text:
        return True
    if scene.detects_other(IMAGE):
        return False
    back = pointer(scene.text)
    if _SAME.match(scene.folded) or (back is not None and _OF_MEDIUM.search(back[0])):
        return True
    changing = _CHANGING.match(scene.folded)
    if changing is None:
        return False
    named = _THIS_THING.search(scene.folded)
    is_named = named is not None and any(
        shared(one, scene.text[named.start() :]) for one in pictures
    )
    is_of_medium = _OF_MEDIUM.match(scene.folded, changing.end() + 1) is not None
    is_given = any(shared(one, gift) for one in pictures if (gift := recipients(scene.text)))
    return is_named or is_of_medium or is_given or changing["whom"] is not None


def writes_on(scene: Scene) -> bool:
    """Whether words are to be put on the picture: "dopisz na dole datę", not a text beside it."""
    return scene.is_active(IMAGE) and _WRITES_ON.match(scene.folded) is not None


def bids_thing(scene: Scene) -> bool:
    """Whether a thing of the picture might be otherwise: "a mógłby ten lis trzymać parasol?"."""
    found = _BIDS.search(scene.folded) if scene.is_active(IMAGE) else None
    if found is None or not scene.state.pictures:
        return False
    start, end = found.span("noun" if found["noun"] else "later")
    meant = nouns_of(scene.text[start:end])
    return bool(meant & _MEDIA) or any(
        meant & nouns_of(word.text) for word in split_words(scene.state.pictures[0])
    )


def _tells(scene: Scene) -> bool:
    """Whether somebody does something in the prompt: then it is a remark, no wish."""
    return any(
        readings
        and all(reading.pos in _FINITE for reading in readings)
        and not any(fold(reading.lemma) in _WISHING for reading in readings)
        for word in scene.words
        if (readings := morphology().readings(word.text))
    )


def _wishes_else(scene: Scene) -> bool:
    """Whether a prompt opens with an order of another kind, or asks how something is done."""
    if not scene.words:  # "_"
        return False
    first = scene.words[0]
    is_order = any(reading.pos == "impt" for reading in morphology().readings(first.text))
    is_known = _DRAW.match(first.folded) or _HINT.match(first.folded) or _ADDS.match(first.folded)
    return is_how_to(scene.text) or (is_order and not is_known)


def _is_bare_change(scene: Scene) -> bool:
    """Whether a few words alone change the picture: "a w kosmosie?", "trochę jaśniej"."""
    if (
        scene.size > _FEW
        or _IDLE.match(scene.folded)
        or (scene.detects_other(IMAGE) and scene.is_question)
    ):
        return False
    if _BARE.match(scene.folded) is not None:
        return True
    is_put = not scene.is_question or _SUPPOSES.search(scene.folded) is not None
    if is_put and recounted(scene.state.pictures[0], scene.text) is not None:
        return True
    return not runs(scene.text) and any(
        reading.degree == "com"
        for word in scene.words
        for reading in morphology().readings(word.text)
    )


def _of_subject(scene: Scene) -> Finding:
    """Let the subject of the conversation stand for a pronoun ("pokaż ją na rysunku")."""
    subject = portrayed(scene) or _subject(scene.state)
    if subject is None or recently_described(scene.state) is not None:
        return None
    return call(IMAGE, description=shown(subject.partition(" (")[0], said_of(scene.text)))


def _subject(state: DialogueState) -> str | None:
    for turn in reversed(state.turns):
        for made in reversed(turn.calls):
            for argument in ("description", "query", "city"):
                if made.name in {IMAGE, WIKIPEDIA, WEATHER} and argument in made.arguments:
                    return str(made.arguments[argument])
    last = state.last
    if last is not None and (about := _ABOUT.search(last.prompt)) is not None:
        return lemmatise(about[1].strip(), kind="topic", preposition="o")
    return None


def _changed(scene: Scene) -> Finding:
    pictures = scene.state.pictures
    if not pictures or _is_new(scene):
        return None
    if own := fresh(scene.text):
        return draw(*own)
    if (together := in_one(pictures, scene.text)) is not None:
        return draw(together)
    last, wish = select(pictures, scene.text, is_last=scene.is_active(IMAGE))
    if (told := _INSCRIPTION.search(scene.folded)) is not None:
        new = scene.text[told.end() :].strip(" .!?")
        mended = _WRITTEN.sub(lambda found: found[1] + new, last, count=1)
        return call(
            IMAGE, description=mended if mended != last else join_up(last, [f"napis {new}"])
        )
    return draw(*versions(last, wish) or (edit(last, wish),))


def _is_new(scene: Scene) -> bool:
    """Whether a picture of its own is asked for: "a teraz narysuj psa"."""
    is_told = any("description" in one.arguments for one in scene.detected(IMAGE))
    return is_told and bool(_DRAWS.search(scene.folded)) and not _KEEPS.search(scene.folded)
