"""The picture that a prompt wants within its conversation, where nobody better can be asked."""

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise
from chatbot.language.patterns import regex
from chatbot.router.detector.picture import read_description, read_descriptions
from chatbot.router.detector.picture.spelling import mend_words
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.dialogue.articles.asked_kinds import meant_by_kind
from chatbot.router.dialogue.articles.pointing import thing_meant
from chatbot.router.dialogue.articles.referents import referent
from chatbot.router.dialogue.drawings.antecedents import recently_described, topic_told
from chatbot.router.dialogue.drawings.choosing import select, shared
from chatbot.router.dialogue.drawings.clauses import AFTER_THEN, bare
from chatbot.router.dialogue.drawings.depicting import said_of, shown
from chatbot.router.dialogue.drawings.editing import edit
from chatbot.router.dialogue.drawings.fresh import fresh
from chatbot.router.dialogue.drawings.joining import in_one
from chatbot.router.dialogue.drawings.options import option_meant, without_choice
from chatbot.router.dialogue.drawings.versions import versions
from chatbot.router.dialogue.scene import FollowUp, Scene, call, draw
from chatbot.router.dialogue.state import IMAGE, NEEDED, WEATHER

_DRAWS = regex(
    r"^\W*(?:\w+[,.!]? ){0,5}?(?:narysuj\w*|namaluj\w*|naszkicuj\w*|wygeneruj\w*|stworz\w*|"
    r"zaprojektuj\w*|zrob (?:mi )?(?:obraz\w*|grafik\w+|plakat\w*|rysun\w+|logo))\b"
)
_KEEPS = regex(
    r"\b(?:jeszcze raz|od nowa|ponownie|t(?:en|a|o|ym|ego|ej) sam\w*|zamiast|go|ja|jego|jej|je|mu|"
    r"nim|niej|wersj\w+|tego|tej|ten|ta|te|tych|tym|podobn\w+|kolejn\w+|druga? kadr)\b"
)
_REFERS = regex(
    r"\b(?:go|ja|je|jego|jej|ich|nim|niej|nia|on|ona|oni|tego|tej|ten|ta|te|tym|taka|taki|"
    rf"to(?! {AFTER_THEN})|"
    r"takiego|takiej)\b"
)
_THAT = regex(r"\bto (?:\w+ )?(?:narysuj|namaluj|naszkicuj|wygeneruj|zilustruj|zrob|pokaz)\w*")
_SCENE = regex(
    r"\b(?:tak\w+|t\w+) (?:scen\w+|histori\w+|opowiesc\w*|widok\w*|obraz\w*|pomysl\w*|"
    r"kompozycj\w+)|"
    r"\bjak (?:radzisz|mowisz|opisal\w*|piszesz)\b"
)
_OTHER = regex(
    r"\b(?:zupelnie|calkiem|cos) inn\w+\W*$|\binn\w+ (?:obraz|rysun|grafik|ilustracj)\w*\W*$|"
    r"\bnow\w+ (?:obraz|rysun|grafik|ilustracj)\w*\W*$"
)
_CHANGES = regex(
    r"\b(?:bez|reszta|dodaj\w*|doloz|dorysuj|zmien|zamien|usun|wplec|wstaw|dopisz|niech|zamiast|"
    r"t(?:en|a|o|ym|ego|ej|ę) (?:sam\w* )?(?:obraz|rysun|grafik|plakat|ilustracj|logo)\w*)\b"
)
_TALKED = regex(r"\bo czym (?:ci |tu )?(?:gada|mowi|opowiada|pisa|pisze)\w*")
_OFFERED = regex(r"(?:: |może |Może )([^:,.?!]+?) (?:albo|lub|czy) ([^:,.?!]+)")
_WHICH = regex(r"\b(?:pierw|drug)\w+\b")
_ABOUT = regex(r"\bo ((?:\w+ ){0,2}\w{3,}(?: (?:w|z|na|nad|pod) \w+)?)")
_BACK = regex(
    r"\b(?:wro[ct]\w*|wracaj\w*) do |"
    r"\b(?:na|do|w|z) (?:t\w+ |poprzedni\w+ |ostatni\w+ |wczesniejsz\w+ )"
    r"(?:obraz|rysun|grafi|ilustracj|plaka|portre)\w*"
)
_DEGREES = regex(
    r",? ?(?:(?:i|oraz|jest|będzie|około|teraz) )*[−–-]?\d+(?:[,–-]\d+)? ?(?:°C?|stop\w+)"
    r"(?:,? (?:i|oraz))?"
)
_SUCH_WEATHER = regex(r"\b(?:tak\w+|tej|ta) (?:\w+ )?(?:pogod|aur|snieg|deszcz|mgl|slonc)\w*")
_SHORT = 10  # words
_LONGEST_REPLY = 300


def fill(scene: Scene) -> FollowUp | None:
    """The likeliest picture: the last one with a change, what is spoken of, or its own."""
    last = scene.state.last
    if last is not None and last.asked is not None and last.asked[0] == IMAGE:
        told = read_descriptions(scene.text)
        return draw(*told) if len(told) > 1 else _drawn(_own(scene) or bare(scene.text))
    if _OTHER.search(scene.folded) and scene.size <= _SHORT:
        return _drawn(None)
    pictures = scene.state.pictures
    found = _after_picture(scene, pictures) if pictures else _several(scene)
    return found or _drawn(_alone(scene) or (edit(pictures[0], scene.text) if pictures else None))


def _after_picture(scene: Scene, pictures: tuple[str, ...]) -> FollowUp | None:
    """Where there are pictures: other ones, the last in one, or one of them with a change."""
    if own := fresh(scene.text):
        return draw(*own)
    if (together := in_one(pictures, scene.text)) is not None:
        return _drawn(together)
    if not _is_new(scene, _own(scene)) and (scene.is_active(IMAGE) or _goes_on(scene)):
        chosen, wish = select(pictures, scene.text, is_last=scene.is_active(IMAGE))
        return draw(*versions(chosen, wish) or (edit(chosen, wish),))
    return _several(scene)


def _alone(scene: Scene) -> str | None:
    """What was proposed, changed; what is spoken of; or what the prompt itself describes."""
    proposed = None if scene.state.pictures else changed_proposal(scene)
    if proposed is not None:
        return proposed
    if (subject := _subject(scene)) is not None:
        return mend_words(shown(subject, said_of(without_choice(scene.text))), typed=scene.text)
    return _own(scene)


def _drawn(description: str | None) -> FollowUp:
    needed = NEEDED[IMAGE]
    return call(IMAGE, description=description) if description else FollowUp(asks=(IMAGE, needed))


def _own(scene: Scene) -> str | None:
    """The description that the prompt itself gives."""
    needed = NEEDED[IMAGE]
    found = [one.arguments[needed] for one in scene.detected(IMAGE) if needed in one.arguments]
    return str(found[0]) if found else read_description(scene.text)


def _several(scene: Scene) -> FollowUp | None:
    """The pictures that the prompt itself describes, where there are several."""
    found = [str(one.arguments.get(NEEDED[IMAGE], "")) for one in scene.detected(IMAGE)]
    return draw(*found) if len(found) > 1 and all(found) else None


def changed_proposal(scene: Scene) -> str | None:
    """What the last reply proposes, with one of its things exchanged, left out or changed."""
    proposed = recently_described(scene.state)
    changed = edit(proposed, scene.text) if proposed else None
    return changed if proposed and changed and not changed.startswith(proposed) else None


def _is_new(scene: Scene, own: str | None) -> bool:
    """Whether a picture of its own is asked for: "a teraz narysuj psa"."""
    return (
        bool(own)
        and _DRAWS.search(scene.folded) is not None
        and _KEEPS.search(scene.folded) is None
    )


def _goes_on(scene: Scene) -> bool:
    """Whether a prompt changes something of an earlier picture, though other things were said."""
    return _BACK.search(scene.folded) is not None or any(
        (shared(one, scene.text) and _CHANGES.search(scene.folded))
        or not edit(one, scene.text).startswith(one)
        for one in scene.state.pictures[:2]
    )


def _subject(scene: Scene) -> str | None:
    """What a prompt points at: what was offered or told, a person, what was spoken of."""
    if not _REFERS.search(scene.folded) and not _draws_that(scene):
        return None
    last = scene.state.last
    option = option_meant(last.reply, scene.folded) if last is not None else None
    if (told := option or _told(scene)) is not None:
        return told
    found = (
        recently_described(scene.state)
        or meant_by_kind(scene)
        or thing_meant(scene)
        or referent(scene)
        or _spoken_of(scene)
    )
    return None if found is None else found.partition(" (")[0]


def _draws_that(scene: Scene) -> bool:
    """Whether "to" itself is to be drawn, as nothing else is: "a teraz to namaluj tuszem"."""
    if _THAT.search(scene.folded) is None:
        return False
    words = split_words(said_of(scene.text))
    cases = (one.cases for one in morphology().readings(words[0].text)) if words else ()
    return not words or all(one == {"inst"} for one in cases)


def _told(scene: Scene) -> str | None:
    """The scene of the last reply, one of two that it offers, or what the user told of."""
    last = scene.state.last
    if last is None:
        return None
    if last.uses(WEATHER):
        is_meant = _SUCH_WEATHER.search(scene.folded) is not None
        told = _DEGREES.sub("", last.reply) if is_meant else last.reply
        parts = told.rstrip(".").split(", ")
        return ", ".join(part for part in parts if not any(map(str.isdigit, part))) or None
    if last.calls:
        return None
    if _TALKED.search(scene.folded):
        return ", ".join(turn.prompt.rstrip(" .") for turn in scene.state.turns if not turn.calls)
    offered = _OFFERED.search(last.reply)
    if offered is not None and (which := _WHICH.search(scene.folded)) is not None:
        chosen = offered[1] if which[0].startswith("pierw") else offered[2]
        return lemmatise(chosen, kind="topic", preposition="przez")
    return last.reply[:_LONGEST_REPLY].rstrip(" .") if _SCENE.search(scene.folded) else None


def _spoken_of(scene: Scene) -> str | None:
    """What the conversation was about: a topic, a picture, or what a prompt told of."""
    for turn in reversed(scene.state.turns):
        for made in reversed(turn.calls):
            for argument in ("description", "query", "city"):
                if argument in made.arguments:
                    return str(made.arguments[argument])
    prompts = [turn.prompt for turn in reversed(scene.state.turns)]
    for prompt in prompts:
        if (about := _ABOUT.search(fold_evenly(prompt))) is not None:
            return lemmatise(prompt[about.start(1) : about.end(1)], kind="topic", preposition="o")
    return next((found for one in prompts if (found := topic_told(one))), None)
